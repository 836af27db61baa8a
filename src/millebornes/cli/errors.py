"""Errors that end a command: one clear sentence on stderr, exit code 2, no traceback."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

from millebornes.records import RecordError
from millebornes.rules import EditionError
from millebornes.rules.edition import shown
from millebornes.rules.quote import shortened
from millebornes.words import Words

__all__ = ["CommandError", "file_errors"]


class CommandError(Exception):
    """What is wrong, as a sentence in the person's language."""


@contextmanager
def file_errors(name: str, words: Words) -> Iterator[None]:
    """Turn the errors of reading a file's text into sentences that name the file."""
    try:
        yield
    except RecordError as error:
        raise CommandError(_record_error(name, error, words)) from None
    except EditionError as error:
        rule = {"file": name, "key": shortened(error.key), "allowed": error.allowed}
        if error.value is None:
            raise CommandError(words.say("no_rule", **rule)) from None
        raise CommandError(words.say("bad_rule", value=shown(error.value), **rule)) from None
    except tomllib.TOMLDecodeError as error:
        raise CommandError(words.say("bad_toml", file=name, problem=str(error))) from None
    except RecursionError:
        # A value with thousands of nested brackets.
        raise CommandError(words.say("too_deep", file=name)) from None
    except ValueError as error:
        # Such as a number with more digits than Python reads.
        raise CommandError(words.say("bad_value", file=name, problem=str(error))) from None


def _record_error(name: str, error: RecordError, words: Words) -> str:
    place: dict[str, str | int] = {
        "file": name,
        "line": error.line,
        "column": error.column,
        "found": error.found,
    }
    if error.impossible is not None:
        return words.say("impossible", reason=words.sentence(error.impossible), **place)
    if error.refused is None:
        return words.say("bad_record", expected=error.expected, **place)
    seat, reason = error.refused
    return words.say("bad_recorded_move", seat=seat, reason=words.sentence(reason), **place)
