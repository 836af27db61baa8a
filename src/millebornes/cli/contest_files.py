"""The files of `arena`: what has been played, to be resumed, and one line per match as CSV."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from millebornes.arena import Contest
from millebornes.arena.contest import Part
from millebornes.arena.journal import Journal, JournalError, OtherContest
from millebornes.rules.quote import shortened
from millebornes.words import Words

from .bulk import writing
from .errors import CommandError

__all__ = ["Kept", "open_csv", "open_journal"]


class Kept(NamedTuple):
    """What is in the file of a contest, and how to add to it."""

    played: list[Part]
    add: Callable[[Part], None]


def _nowhere(_: Part) -> None:
    """Keeps nothing: no file is given."""


@contextmanager
def open_journal(path: Path | None, contest: Contest, words: Words) -> Iterator[Kept]:
    """The file of a contest that can be resumed, if one is given. Errors name the file."""
    if path is None:
        yield Kept([], _nowhere)
        return
    with _journal(path, contest, words) as journal:

        def add(part: Part) -> None:
            with writing(path, words):
                journal.add(part)

        yield Kept(journal.played, add)


def _journal(path: Path, contest: Contest, words: Words) -> Journal:
    try:
        with writing(path, words):
            return Journal(path, contest)
    except JournalError as error:
        raise CommandError(words.say("arena_damaged", file=str(path), line=error.line)) from None
    except OtherContest as error:
        facts = {"key": error.key, "found": _shown(error.found), "expected": _shown(error.expected)}
        raise CommandError(words.say("arena_other_contest", file=str(path), **facts)) from None


def _shown(value: object) -> str:
    return shortened(" ".join(map(str, value)) if isinstance(value, list) else str(value))


@contextmanager
def open_csv(path: Path | None, contest: Contest, words: Words) -> Iterator[Callable[[Part], None]]:
    """Open a file for the matches of a contest, if one is given. Errors name the file."""
    if path is None:
        yield _nowhere
        return
    with writing(path, words):
        file = path.open("w", newline="", encoding="utf-8")
    with file:
        writer = csv.writer(file)

        def write(rows: list[list[Any]]) -> None:
            with writing(path, words):
                writer.writerows(rows)
                file.flush()  # a match may take long, and a reader may wait for it

        sides = range(contest.sides)
        heads = [f"{name}_{side}" for side in sides for name in ("bot", "total")]
        write([["pair", "rotation", "hands", "failed", *heads]])
        yield lambda part: write([_line(row, contest) for row in part.rows])


def _line(row: Any, contest: Contest) -> list[Any]:
    failed = contest.names[row["failed"]] if row["failed"] >= 0 else ""
    line: list[Any] = [row["pair"], row["rotation"], row["hands"], failed]
    for side, bot in enumerate(contest.seating[row["rotation"]]):
        line += [contest.names[bot], row["total"][side]]
    return line
