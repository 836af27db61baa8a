"""Server settings: flags override the environment, which overrides a TOML file."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .store import DATABASE_NAMES

__all__ = ["Config", "ConfigError", "load_config", "settings_table"]

PREFIX = "MILLEBORNES_"
"""The environment variable of a setting is this prefix and its name in capitals."""


_OTHER_VARIABLES = {
    "MILLEBORNES_DATA",  # the folder for everything that is kept
    "MILLEBORNES_VIA",  # how the terminal game was started
    "MILLEBORNES_SERVER",  # the server that the web client in development talks to
}
"""Environment variables with the prefix that are not server settings."""


_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?")
"""One label of a host name, between dots."""


_NAMED_BOT = re.compile(r"[a-z][a-z0-9-]{0,23}=\s*\S.*", re.DOTALL)
"""A bot of the operator: a name like those of our levels, and what it is."""


class ConfigError(ValueError):
    """An unknown setting, or a value that a setting cannot have; the text gives the source."""

    def __init__(self, name: str, problem: str) -> None:
        self.name = name
        super().__init__(problem)


def _bad_value(name: str, value: object, source: str) -> ConfigError:
    must_be = _FIELDS[name].metadata["must_be"]
    return ConfigError(name, f"{name} must be {must_be}, not {_shown(value)} ({source})")


def _unknown(name: str, value: object, source: str) -> ConfigError:
    known = ", ".join(_FIELDS)
    return ConfigError(
        name, f"unknown setting {name} = {_shown(value)} ({source}). The settings are {known}"
    )


def _shown(value: object) -> str:
    text = ", ".join(map(repr, value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def _setting(
    default: Any,
    means: str,
    allowed: str,
    is_allowed: Callable[[Any], bool],
    must_be: str | None = None,
    *,
    repeats: bool = False,
) -> Any:
    """A field with its texts: `means` and `allowed` for help, `must_be` for errors.

    An option that `repeats` is given once for each value, which may then contain commas.
    """
    metadata = {
        "means": means,
        "allowed": allowed,
        "must_be": must_be or allowed,
        "is_allowed": is_allowed,
        "repeats": repeats,
    }
    return field(default=default, metadata=metadata)


def _number(default: int, means: str, low: int, high: int) -> Any:
    allowed = f"{low} to {high}"
    return _setting(default, means, allowed, lambda n: low <= n <= high, f"from {allowed}")


def _is_host(text: str) -> bool:
    """Is this a host name, without a scheme or a port?"""
    return len(text) <= 253 and all(map(_LABEL.fullmatch, text.split(".")))


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    bare = f"{parts.scheme}://{parts.netloc}" == text
    return bare and parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in text


@dataclass(frozen=True, kw_only=True)
class Config:
    """The settings of one server."""

    host: str = _setting(
        "127.0.0.1",
        "Address to listen on; 0.0.0.0 means every IPv4 address of this machine.",
        "an address of this machine",
        lambda value: bool(value.strip()) and "\0" not in value,
    )
    port: int = _number(8954, "TCP port to listen on; 0 picks a free one.", 0, 65535)
    database: str = _setting(
        "",
        "Database for tables and games; empty means a file in the user's data folder.",
        DATABASE_NAMES,
        lambda value: not value or (bool(value.strip()) and "\0" not in value),
    )
    origins: tuple[str, ...] = _setting(
        (),
        "Origins of other websites whose pages may use this server.",
        "web addresses such as https://example.org, separated by commas",
        lambda value: all(map(_is_origin, value)),
    )
    hosts: tuple[str, ...] = _setting(
        (),
        "Host names that browsers may use for this server, besides the name of this machine and "
        "any IP address.",
        "host names such as play.example.org, separated by commas",
        lambda value: all(map(_is_host, value)),
    )
    trust_proxy: bool = _setting(
        False,
        "Trust the X-Forwarded headers of a reverse proxy on this machine.",
        "true or false",
        lambda _: True,
    )
    retention_days: int = _number(
        90, "Days to keep finished games and closed tables; 0 keeps them forever.", 0, 36500
    )
    bot_workers: int = _number(
        0,
        "Worker processes for bots that search; 0 means one fewer than the CPU cores, but at least "
        "one. Bots that answer at once have one or two more.",
        0,
        256,
    )
    bot: tuple[str, ...] = _setting(
        (),
        "Another bot for the tables of this server, and its name there; repeat the option to add "
        "more. The environment separates them by semicolons.",
        "NAME=BOT; NAME begins with a lower-case letter and has up to 24 of a-z, 0-9 and -; "
        "BOT is named as for check-bot",
        lambda value: all(map(_NAMED_BOT.fullmatch, value)),
        repeats=True,
    )
    max_tables: int = _number(10_000, "Maximum number of tables served at once.", 1, 1_000_000)
    tables_per_guest: int = _number(
        50, "Maximum number of open tables created by one guest.", 1, 1_000_000
    )
    tables_per_address: int = _number(
        100, "Maximum number of open tables created from one address.", 1, 1_000_000
    )
    tables_per_minute: int = _number(30, "New tables per minute from one address.", 1, 1_000_000)
    house_rules_per_minute: int = _number(
        60,
        "House-rules checks per minute for one guest, including those for new tables; ten times "
        "as many per address.",
        1,
        1_000_000,
    )
    judgements_per_minute: int = _number(
        120,
        "Positions per minute that one guest may have judged; ten times as many per address.",
        1,
        1_000_000,
    )
    score_pads_per_minute: int = _number(
        120,
        "Score pads computed per minute for one guest, one for each change of a pad; ten times as "
        "many per address.",
        1,
        1_000_000,
    )
    sockets_per_address: int = _number(
        64, "Maximum number of open WebSockets from one address.", 1, 100_000
    )
    connections_per_address: int = _number(
        256, "Maximum number of open connections of any kind from one address.", 1, 100_000
    )
    requests_per_second: int = _number(
        100,
        "Requests per second from one address; bursts may reach three times as many.",
        1,
        1_000_000,
    )
    messages_per_second: int = _number(
        15,
        "Messages per second from one guest; bursts may reach three times as many.",
        1,
        1_000_000,
    )
    messages_per_address: int = _number(
        450,
        "Messages per second from all guests at one address; bursts may reach three times as many.",
        1,
        1_000_000,
    )
    talk_per_second: int = _number(
        3,
        "Talk per second from one guest: messages that a match does not need (chat, emotes, "
        "changing seats, joining and leaving); bursts may reach five times as many.",
        1,
        1_000_000,
    )
    talk_per_address: int = _number(
        30,
        "Talk per second from all guests at one address; bursts may reach five times as many.",
        1,
        1_000_000,
    )
    inputs_per_table: int = _number(
        50_000,
        "Maximum number of inputs in one table's log; when the log is half full, the table "
        "refuses chat and other messages that a match does not need.",
        100,
        1_000_000_000,
    )
    megabytes_per_table: int = _number(
        16,
        "Maximum size of one table's log in megabytes, with the same effect when it is half full.",
        1,
        1_000_000,
    )
    guests_per_minute: int = _number(60, "New guests per minute from one address.", 1, 1_000_000)
    log_level: str = _setting(
        "info",
        "Minimum level of the messages to log.",
        "debug, info, warning or error",
        lambda value: value in ("debug", "info", "warning", "error"),
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            _checked(f.name, getattr(self, f.name), "as given")


_FIELDS: Mapping[str, Field[Any]] = {f.name: f for f in fields(Config)}


def settings_table() -> list[tuple[str, object, str, str]]:
    """Name, default, meaning and allowed values of every setting, for the documentation."""
    return [
        (f.name, f.default, f.metadata["means"], f.metadata["allowed"]) for f in _FIELDS.values()
    ]


def load_config(
    flags: Mapping[str, object], environment: Mapping[str, str], file: Path | None
) -> Config:
    """The settings from all sources: flags over environment over file over defaults."""
    values: dict[str, Any] = {}
    if file is not None:
        values |= _from_file(file)
    known = {PREFIX + name.upper(): name for name in _FIELDS}
    for key, name in known.items():
        text = environment.get(key)
        if text is not None:
            values[name] = _parsed(name, text, f"from {key}")
    for key, text in environment.items():
        if key.startswith(PREFIX) and key not in known and key not in _OTHER_VARIABLES:
            raise _unknown(key, text, "from the environment")
    for name, value in flags.items():
        if value is not None:
            source = f"from --{name.replace('_', '-')}"
            if isinstance(value, str):
                values[name] = _parsed(name, value, source)
            else:
                plain = tuple(value) if isinstance(value, list) else value
                values[name] = _checked(name, plain, source)
    return Config(**values)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError("config", f"config: cannot read {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, or nested absurdly deep
        raise ConfigError("config", f"config: {file} is not valid TOML: {error}") from None
    values: dict[str, Any] = {}
    for name, value in data.items():
        plain = tuple(value) if isinstance(value, list) else value
        values[name] = _checked(name, plain, f"from {file}")
    return values


def _checked(name: str, value: Any, source: str) -> object:
    """The value, if the setting allows it."""
    setting = _FIELDS.get(name)
    if setting is None:
        raise _unknown(name, value, source)
    # Compare exact types: for Python, but not for people, a bool is an int.
    is_right_type = type(value) is type(setting.default) and (
        not isinstance(value, tuple) or all(isinstance(item, str) for item in value)
    )
    if not is_right_type or not setting.metadata["is_allowed"](value):
        raise _bad_value(name, value, source)
    return value


def _parsed(name: str, text: str, source: str) -> object:
    """A setting given as text: in the environment, or by an option."""
    default = _FIELDS[name].default
    value: object = text
    if isinstance(default, bool):
        value = {"true": True, "false": False}.get(text.lower(), text)
    elif isinstance(default, int):
        try:
            value = int(text)
        except ValueError:
            value = text
    elif isinstance(default, tuple):
        separator = ";" if _FIELDS[name].metadata["repeats"] else ","
        value = tuple(part.strip() for part in text.split(separator) if part.strip())
    return _checked(name, value, source)
