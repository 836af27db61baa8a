"""Files the commands read: positions, games and house rules."""

import os
import sys
from pathlib import Path

from millebornes.rules import EDITIONS, Edition, house_rules
from millebornes.words import Words

from .trouble import Trouble, reading_from

__all__ = ["STANDARD_INPUT", "load_edition", "read_text", "shown_name"]

STANDARD_INPUT = "-"


def shown_name(name: str, words: Words) -> str:
    """How a file is called in messages."""
    return words.say("standard_input") if name == STANDARD_INPUT else name


def read_text(name: str, words: Words) -> str:
    """The text of a file, or of standard input for `-`."""
    shown = shown_name(name, words)
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read() if sys.stdin else b""
        else:
            data = Path(name).read_bytes()
    except FileNotFoundError:
        raise Trouble(words.say("no_file", file=shown)) from None
    except IsADirectoryError:
        raise Trouble(words.say("is_folder", file=shown)) from None
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise Trouble(words.say("cannot_read", file=shown, problem=problem)) from None
    if b"\0" in data:
        raise Trouble(words.say("binary", file=shown))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        byte = f"0x{data[error.start]:02x}"
        raise Trouble(
            words.say("not_utf8", file=shown, line=line, column=column, byte=byte)
        ) from None


def load_edition(name: str, words: Words) -> Edition:
    """An edition by its id, or house rules by the path of their file."""
    if name in EDITIONS:
        return EDITIONS[name]
    looks_like_path = name.endswith(".toml") or os.sep in name or Path(name).exists()
    if not looks_like_path:
        raise Trouble(words.say("no_edition", name=name, editions=", ".join(EDITIONS)))
    text = read_text(name, words)
    with reading_from(name, words):
        return house_rules(text)
