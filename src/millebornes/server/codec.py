"""Encodes inputs and table settings for the store."""

from typing import Any

import msgspec

from millebornes.rules import EDITIONS, Edition
from millebornes.table import Driver, In, Settings

__all__ = ["decode_input", "decode_settings", "encode_input", "encode_settings"]

_guest_decoder = msgspec.json.Decoder(In)
_driver_decoder = msgspec.json.Decoder(Driver)


def encode_input(message: In | Driver) -> bytes:
    """An input as JSON."""
    return msgspec.json.encode(message)


def decode_input(guest: str | None, data: bytes) -> In | Driver:
    """An input from JSON: a guest's message or the driver's own."""
    if guest is None:
        driver: Driver = _driver_decoder.decode(data)
        return driver
    try:
        message: In = _guest_decoder.decode(data)
    except msgspec.ValidationError:
        return _with_line_breaks(data)
    return message


def _with_line_breaks(data: bytes) -> In:
    """A message logged by an older server, which accepted a trailing line break in some fields.

    Decks were derived from such values: without the line break the log would not replay.
    """
    values = msgspec.json.decode(data)
    broken = {
        name: value
        for name, value in values.items()
        if isinstance(value, str) and value.endswith("\n")
    }
    mended = {name: value[:-1] for name, value in broken.items()}
    message: In = _guest_decoder.decode(msgspec.json.encode({**values, **mended}))
    return msgspec.structs.replace(message, **broken)


def encode_settings(settings: Settings) -> bytes:
    """Settings as JSON, including the whole edition, so that an upgrade cannot change it."""
    edition = settings.edition
    values: dict[str, Any] = {
        name: getattr(settings, name) for name in settings.__slots__ if name != "edition"
    }
    values["edition"] = {
        "root": edition.parent or edition.id,
        "name": edition.name,
        "rules": edition.to_toml(),
    }
    return msgspec.json.encode(values)


def decode_settings(data: bytes) -> Settings:
    """Settings from JSON."""
    values = msgspec.json.decode(data)
    kept = values.pop("edition")
    # Tables that are older than this setting keep their clocks, or their logs would not replay.
    values.setdefault("patient", False)
    root: Edition = EDITIONS[kept["root"]]
    edition = Edition.from_toml(root, kept["rules"], kept["name"])
    return Settings(edition=edition, **values)
