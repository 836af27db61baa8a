"""Settings: their sources, which source wins, and errors."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from millebornes.server.config import PREFIX, Config, ConfigError, load_config, settings_table

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
GOOD: dict[str, tuple[object, str]] = {
    # name: (a value that is not the default, the same in the environment)
    "host": ("0.0.0.0", "0.0.0.0"),
    "port": (0, "0"),
    "database": ("/srv/tables.sqlite", "/srv/tables.sqlite"),
    "origins": (("https://a.test", "http://b.test:81"), "https://a.test, http://b.test:81"),
    "hosts": (("play.example.org", "box"), "play.example.org, box"),
    "trust_proxy": (True, "true"),
    "retention_days": (0, "0"),
    "bot_workers": (3, "3"),
    "bot": (("rocket=cmd:fly 1, 2", "old=a.b:C"), "rocket=cmd:fly 1, 2; old=a.b:C"),
    "max_tables": (5, "5"),
    "tables_per_guest": (6, "6"),
    "tables_per_address": (12, "12"),
    "tables_per_minute": (13, "13"),
    "house_rules_per_minute": (14, "14"),
    "judgements_per_minute": (15, "15"),
    "score_pads_per_minute": (15, "15"),
    "sockets_per_address": (7, "7"),
    "connections_per_address": (12, "12"),
    "requests_per_second": (8, "8"),
    "messages_per_second": (9, "9"),
    "messages_per_address": (90, "90"),
    "talk_per_second": (10, "10"),
    "talk_per_address": (100, "100"),
    "inputs_per_table": (1000, "1000"),
    "megabytes_per_table": (12, "12"),
    "guests_per_minute": (11, "11"),
    "log_level": ("debug", "debug"),
}
BAD: dict[str, list[tuple[object, str]]] = {
    "host": [("", ""), (" ", " "), ("a\0", "a\0")],
    "port": [(-1, "-1"), (65536, "65536"), ("http", "http"), (True, "true"), (1.5, "1.5")],
    "database": [("  ", " "), (3, "\0")],
    "origins": [
        (("example.org",), "example.org"),
        (("https://a.test/",), "https://a.test/"),
        (("https://a.test/path",), "https://a.test/path"),
        (("https://",), "https://"),
        (("ftp://a.test",), "ftp://a.test"),
        (("https://u@a.test",), "https://u@a.test"),
        (("http://[",), "http://["),
        (("http://a.test:x",), "http://a.test:x"),
        ((3,), "*"),
    ],
    "hosts": [
        (("https://a.test",), "https://a.test"),
        (("a.test:80",), "a.test:80"),
        (("*.a.test",), "*.a.test"),
        (("a..test",), "a..test"),
        (("-a.test",), "-a.test"),
        (("a" * 254,), "a" * 254),
        ((3,), "é.test"),
    ],
    "trust_proxy": [("yes", "yes"), (1, "1")],
    "retention_days": [(-1, "-1"), (36501, "36501"), ("ever", "ever")],
    "bot_workers": [(-1, "-1"), (257, "257")],
    "bot": [
        (("rocket",), "rocket"),
        (("=cmd:fly",), "=cmd:fly"),
        (("rocket= ",), "rocket= "),
        (("Rocket=a.b:C",), "Rocket=a.b:C"),
        (("1st=a.b:C",), "1st=a.b:C"),
        (("a b=a.b:C",), "a b=a.b:C"),
        ((f"{'x' * 25}=a.b:C",), f"{'x' * 25}=a.b:C"),
        ((3,), "../rocket=a.b:C"),
    ],
    "max_tables": [(0, "0"), (10**7, str(10**7))],
    "tables_per_guest": [(0, "0")],
    "tables_per_address": [(0, "0")],
    "tables_per_minute": [(0, "0")],
    "house_rules_per_minute": [(0, "0")],
    "judgements_per_minute": [(0, "0")],
    "score_pads_per_minute": [(0, "0")],
    "sockets_per_address": [(0, "0"), ("", "")],
    "connections_per_address": [(0, "0")],
    "requests_per_second": [(0, "0"), ("9" * 5000, "9" * 5000)],
    "messages_per_second": [(0, "0")],
    "messages_per_address": [(0, "0")],
    "talk_per_second": [(0, "0")],
    "talk_per_address": [(0, "0")],
    "inputs_per_table": [(99, "99")],
    "megabytes_per_table": [(0, "0")],
    "guests_per_minute": [(0, "0")],
    "log_level": [("loud", "loud"), ("INFO ", "INFO ")],
}
ALLOWED = {name: allowed for name, _, _, allowed in settings_table()}


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return repr(value) if not isinstance(value, str) else json.dumps(value)


def test_every_setting_is_tried_here() -> None:
    assert set(GOOD) == set(BAD) == {f.name for f in fields(Config)}


@pytest.mark.parametrize("name", GOOD)
def test_a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default(
    name: str, tmp_path: Path
) -> None:
    value, text = GOOD[name]
    default = getattr(Config(), name)
    assert value != default
    file = tmp_path / "server.toml"
    file.write_text(f"{name} = {toml(value)}\n", encoding="utf-8")
    empty = tmp_path / "empty.toml"
    empty.touch()
    environment = {PREFIX + name.upper(): text}
    shown = ", ".join(default) if isinstance(default, tuple) else str(default)
    as_default = {PREFIX + name.upper(): shown.lower() if default is False else shown}
    assert getattr(load_config({}, {}, None), name) == default
    assert getattr(load_config({}, {}, empty), name) == default
    assert getattr(load_config({}, {}, file), name) == value
    assert getattr(load_config({}, environment, empty), name) == value
    assert getattr(load_config({}, as_default, file), name) == default
    assert getattr(load_config({name: value}, as_default, file), name) == value
    assert getattr(load_config({name: None}, as_default, file), name) == default
    assert getattr(load_config({name: default}, environment, file), name) == default


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [(name, value, text) for name, bad in BAD.items() for value, text in bad],
)
def test_a_bad_value_is_named_with_its_source_and_what_is_allowed(
    name: str, value: object, text: str, tmp_path: Path
) -> None:
    def check(error: ConfigError, source: str) -> None:
        assert error.name == name
        said = str(error)
        assert re.match(rf"{name} must be (from )?{re.escape(ALLOWED[name])}, not ", said)
        assert said.endswith(f" ({source})")
        assert len(said) < 400

    with pytest.raises(ConfigError) as given:
        Config(**{name: value})  # type: ignore[arg-type]
    check(given.value, "as given")
    with pytest.raises(ConfigError) as flag:
        load_config({name: value}, {}, None)
    check(flag.value, f"from --{name.replace('_', '-')}")
    key = PREFIX + name.upper()
    with pytest.raises(ConfigError) as environment:
        load_config({}, {key: text}, None)
    check(environment.value, f"from {key}")
    file = tmp_path / "server.toml"
    file.write_text(f"{name} = {toml(value)}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as from_file:
        load_config({}, {}, file)
    check(from_file.value, f"from {file}")


@pytest.mark.parametrize(
    "content", [b"port =", b"\xff", b"port = " + b"9" * 5000, b"a = " + b"[" * 5000]
)
def test_a_file_that_is_not_toml_is_refused_with_its_name(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=re.escape(str(file))):
        load_config({}, {}, file)


def test_a_file_that_is_not_there_is_refused_with_its_name(tmp_path: Path) -> None:
    for file in (tmp_path / "nope.toml", tmp_path):
        with pytest.raises(ConfigError, match=re.escape(str(file))):
            load_config({}, {}, file)


def test_an_unknown_setting_in_the_file_is_refused_and_the_known_ones_are_named(
    tmp_path: Path,
) -> None:
    file = tmp_path / "server.toml"
    file.write_text("prot = 80\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_config({}, {}, file)
    assert "prot = 80" in str(refused.value)
    assert "port" in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_misspelt_setting_in_the_environment_is_refused_and_others_are_left_alone() -> None:
    with pytest.raises(ConfigError) as refused:
        load_config({}, {"MILLEBORNES_PROT": "80"}, None)
    assert "MILLEBORNES_PROT = '80' (from the environment)" in str(refused.value)
    assert "port" in str(refused.value)
    others = {"MILLEBORNES_DATA": "/x", "MILLEBORNES_VIA": "make", "PATH": "/bin", "PORT": "1"}
    assert load_config({}, others, None).port == Config().port


def settings_as_documented() -> str:
    """The table of settings in docs/hosting.md."""
    rows = ["| setting | default | meaning | allowed |", "|---|---|---|---|"]
    for name, default, means, allowed in settings_table():
        shown = f"`{_shown(default)}`" if default != "" else "empty"
        rows.append(f"| `{name}` | {shown} | {means} | {allowed} |")
    return "\n".join(rows) + "\n"


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return "[]" if default == () else str(default)


def test_every_setting_is_documented_as_it_is() -> None:
    assert settings_as_documented() in HOSTING.read_text(encoding="utf-8")
