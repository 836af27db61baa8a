"""Input that cannot be used: one clear sentence on stderr, exit code 2, no traceback."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

from millebornes.records import RecordError
from millebornes.rules import EditionError
from millebornes.rules.edition import toml_value
from millebornes.words import Words

__all__ = ["Trouble", "reading_from"]


class Trouble(Exception):  # noqa: N818 (it is told to a person, not to a program)
    """What is wrong with the input, as a sentence in the person's language."""


@contextmanager
def reading_from(name: str, words: Words) -> Iterator[None]:
    """Turn what the readers of files raise into sentences that name the file."""
    try:
        yield
    except RecordError as error:
        if error.refused is not None:
            seat, reason = error.refused
            raise Trouble(
                words.say(
                    "bad_recorded_move",
                    file=name,
                    line=error.line,
                    column=error.column,
                    found=error.found,
                    seat=seat,
                    reason=words.sentence(reason),
                )
            ) from None
        raise Trouble(
            words.say(
                "bad_record",
                file=name,
                line=error.line,
                column=error.column,
                found=error.found,
                expected=error.expected,
            )
        ) from None
    except EditionError as error:
        raise Trouble(
            words.say(
                "bad_rule",
                file=name,
                key=error.key,
                value=toml_value(error.value),
                allowed=error.allowed,
            )
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise Trouble(words.say("bad_toml", file=name, problem=str(error))) from None
    except RecursionError:
        # Thousands of nested brackets in a value.
        raise Trouble(words.say("too_deep", file=name)) from None
    except ValueError as error:
        # Such as a number of more digits than Python reads.
        raise Trouble(words.say("bad_value", file=name, problem=str(error))) from None
