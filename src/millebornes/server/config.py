"""How a server is set up: flags, then the environment, then a TOML file, then defaults."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .store import NAMES_OF_STORES

__all__ = ["Config", "ConfigError", "load_config", "settings_table"]

PREFIX = "MILLEBORNES_"
"""Every setting can be given in the environment, under this and its name in capitals."""


_KNOWN_ELSEWHERE = {
    "MILLEBORNES_DATA",  # the folder for everything that is kept
    "MILLEBORNES_VIA",  # how the terminal game was started
    "MILLEBORNES_SERVER",  # where the pages being worked on find a server
    "MILLEBORNES_WITNESS",  # where a test run with a planted bug writes
}
"""What the environment may say that is no setting of a server."""


_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?")
"""A part of a machine's name between dots."""


class ConfigError(ValueError):
    """A setting that cannot be: names it, its value, where it came from, what is allowed."""

    def __init__(self, name: str, value: object, source: str, allowed: str) -> None:
        self.name = name
        shown = repr(value)
        shown = shown if len(shown) <= 100 else f"{shown[:99]}…"
        super().__init__(f"{name} = {shown} ({source}): allowed is {allowed}")


def _setting(default: Any, means: str, allowed: str, is_fine: Callable[[Any], bool]) -> Any:
    metadata = {"means": means, "allowed": allowed, "is_fine": is_fine}
    return field(default=default, metadata=metadata)


def _number(default: int, means: str, low: int, high: int) -> Any:
    return _setting(default, means, f"{low} to {high}", lambda value: low <= value <= high)


def _is_host(text: str) -> bool:
    """Is this the name of a machine, without a scheme or a port?"""
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
        "address to listen on; 0.0.0.0 is every IPv4 address of this machine",
        "an address of this machine",
        lambda value: bool(value.strip()) and "\0" not in value,
    )
    port: int = _number(8954, "port to listen on; 0 takes a free one", 0, 65535)
    database: str = _setting(
        "",
        "where tables are kept; empty is a file in the user's data folder",
        NAMES_OF_STORES,
        lambda value: not value or (bool(value.strip()) and "\0" not in value),
    )
    origins: tuple[str, ...] = _setting(
        (),
        "web addresses besides the server's own that may talk to it",
        "addresses such as https://example.org, separated by commas",
        lambda value: all(map(_is_origin, value)),
    )
    hosts: tuple[str, ...] = _setting(
        (),
        "names under which browsers find the server, besides this machine's own name and every "
        "IP address",
        "names such as play.example.org, separated by commas",
        lambda value: all(map(_is_host, value)),
    )
    trust_proxy: bool = _setting(
        False,
        "believe the X-Forwarded headers of a reverse proxy on this machine",
        "true or false",
        lambda _: True,
    )
    retention_days: int = _number(
        90, "how long finished games and closed tables are kept; 0 keeps them for ever", 0, 36500
    )
    bot_workers: int = _number(
        0,
        "processes that think for the bots; 0 is one less than the cores, at least one",
        0,
        256,
    )
    max_tables: int = _number(10_000, "tables served at the same time", 1, 1_000_000)
    tables_per_guest: int = _number(50, "tables that one guest has opened", 1, 1_000_000)
    tables_per_address: int = _number(
        100, "tables opened from one address that are still there", 1, 1_000_000
    )
    tables_per_minute: int = _number(30, "new tables from one address", 1, 1_000_000)
    house_rules_per_minute: int = _number(
        60,
        "house rules that one guest has checked or opens a table with; ten times as many from "
        "one address",
        1,
        1_000_000,
    )
    sockets_per_address: int = _number(
        64, "WebSockets from one address at the same time", 1, 100_000
    )
    connections_per_address: int = _number(
        256, "connections of any kind from one address at the same time", 1, 100_000
    )
    requests_per_second: int = _number(
        100, "requests from one address, in the long run; three times as many at once", 1, 1_000_000
    )
    messages_per_second: int = _number(
        15, "messages of one guest, in the long run; three times as many at once", 1, 1_000_000
    )
    messages_per_address: int = _number(
        450, "the same for all guests of one address together", 1, 1_000_000
    )
    talk_per_second: int = _number(
        3,
        "messages of one guest that are not needed to play (chat, emotes, seats, coming and "
        "going), in the long run; five times as many at once",
        1,
        1_000_000,
    )
    talk_per_address: int = _number(
        30, "the same for all guests of one address together", 1, 1_000_000
    )
    inputs_per_table: int = _number(
        50_000,
        "inputs that the log of one table keeps; from half of it on only matches are played",
        100,
        1_000_000_000,
    )
    megabytes_per_table: int = _number(16, "the same in megabytes", 1, 1_000_000)
    guests_per_minute: int = _number(60, "new guests from one address", 1, 1_000_000)
    log_level: str = _setting(
        "info",
        "how much is logged",
        "debug, info, warning or error",
        lambda value: value in ("debug", "info", "warning", "error"),
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            _checked(f.name, getattr(self, f.name), "as given")


def settings_table() -> list[tuple[str, object, str, str]]:
    """Every setting: name, default, meaning, what is allowed. The documentation's source."""
    return [
        (
            f.name,
            f.default,
            f.metadata["means"],
            f.metadata["allowed"],
        )
        for f in fields(Config)
    ]


def load_config(
    flags: Mapping[str, object], environment: Mapping[str, str], file: Path | None
) -> Config:
    """The settings from all sources; a flag beats the environment, which beats the file."""
    values: dict[str, Any] = {}
    if file is not None:
        values |= _from_file(file)
    known = {PREFIX + f.name.upper() for f in fields(Config)}
    for f in fields(Config):
        key = PREFIX + f.name.upper()
        text = environment.get(key)
        if text is not None:
            values[f.name] = _parsed(f.name, text, f"from {key}")
    for key, text in environment.items():
        if key.startswith(PREFIX) and key not in known | _KNOWN_ELSEWHERE:
            raise ConfigError(key, text, "from the environment", _no_such_setting())
    for name, value in flags.items():
        if value is not None:
            source = f"from --{name.replace('_', '-')}"
            if isinstance(value, str):
                values[name] = _parsed(name, value, source)
            else:
                values[name] = _checked(name, value, source)
    return Config(**values)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            "config", str(file), "the file", f"a file that can be read: {error.strerror}"
        ) from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, or an absurd one
        raise ConfigError("config", str(file), "the file", f"TOML: {error}") from None
    values: dict[str, Any] = {}
    for name, value in data.items():
        plain = tuple(value) if isinstance(value, list) else value
        values[name] = _checked(name, plain, f"from {file}")
    return values


def _checked(name: str, value: Any, source: str) -> object:
    """The value, if this setting can have it."""
    found = next((f for f in fields(Config) if f.name == name), None)
    if found is None:
        raise ConfigError(name, value, source, _no_such_setting())
    # bool is an int for Python, not for people: types must be the same.
    fine = type(value) is type(_default_of(name)) and (
        not isinstance(value, tuple) or all(isinstance(item, str) for item in value)
    )
    if not fine or not found.metadata["is_fine"](value):
        raise ConfigError(name, value, source, found.metadata["allowed"])
    return value


def _no_such_setting() -> str:
    return "one of the settings " + ", ".join(f.name for f in fields(Config))


def _default_of(name: str) -> object:
    return next(f.default for f in fields(Config) if f.name == name)


def _parsed(name: str, text: str, source: str) -> object:
    """A setting given as text: in the environment, or by an option."""
    default = _default_of(name)
    value: object = text
    if isinstance(default, bool):
        value = {"true": True, "false": False}.get(text.lower(), text)
    elif isinstance(default, int):
        try:
            value = int(text)
        except ValueError:
            value = text
    elif isinstance(default, tuple):
        value = tuple(part.strip() for part in text.split(",") if part.strip())
    return _checked(name, value, source)
