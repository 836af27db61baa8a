"""Reading the files that commands are given: positions, games and house rules."""

import os
import sys
from pathlib import Path

from millebornes.records import Game, game
from millebornes.rules import (
    DEFAULT_EDITION,
    EDITIONS,
    PRESETS,
    Edition,
    edition_named,
    house_rules,
)
from millebornes.rules.quote import shortened
from millebornes.words import Words

from .errors import CommandError, file_errors

__all__ = ["edition_or_default", "load_edition", "read_game", "read_text", "shown_name"]

_STANDARD_INPUT = "-"


def shown_name(name: str, words: Words) -> str:
    """The file's name in messages."""
    return words.say("standard_input") if name == _STANDARD_INPUT else name


def read_text(name: str, words: Words) -> str:
    """The text of a file, or of standard input for `-`."""
    shown = shown_name(name, words)
    try:
        if name == _STANDARD_INPUT:
            data = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            data = Path(name).read_bytes()
    except FileNotFoundError:
        raise CommandError(words.say("no_file", file=shown)) from None
    except IsADirectoryError:
        raise CommandError(words.say("is_folder", file=shown)) from None
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise CommandError(words.say("cannot_read", file=shown, problem=problem)) from None
    if b"\0" in data:
        raise CommandError(words.say("binary", file=shown))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        byte = f"0x{data[error.start]:02x}"
        raise CommandError(
            words.say("not_utf8", file=shown, line=line, column=column, byte=byte)
        ) from None


def read_game(name: str, words: Words) -> Game:
    """The record in a file, or in standard input for `-`."""
    text = read_text(name, words)
    with file_errors(shown_name(name, words), words):
        return game.from_text(text)


def edition_or_default(name: str | None, words: Words) -> Edition:
    """The edition given to `--edition`, or the default one."""
    return DEFAULT_EDITION if name is None else load_edition(name, words)


def load_edition(name: str, words: Words) -> Edition:
    """The edition with this id, the preset of this name, or the house rules in the file there."""
    names = [*EDITIONS, *PRESETS]
    if name in names:
        return edition_named(name)
    looks_like_path = name.endswith(".toml") or os.sep in name or Path(name).exists()
    if not looks_like_path:
        known = ", ".join(names)
        raise CommandError(words.say("no_edition", name=shortened(name), editions=known))
    text = read_text(name, words)
    with file_errors(name, words):
        return house_rules(text)
