"""The file of a contest that can be resumed: JSON lines, a heading and then one line per pair.

The heading says what contest it is. A line `{"pair": 7, "matches": [[4, [5125, 3400]], …]}` holds
the hands and the totals of each match, in the order of the rotations. `failures` are added where
a bot failed, and `thought` where time was measured: seconds and decisions of each bot, for this
pair and those before it that have none. Lines are only ever appended; one that was cut off at the
end, by a crash or a full disk, is dropped.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, get_args

import numpy as np

from millebornes import __version__
from millebornes.plugins.player import Fault

from .contest import MATCH, Contest, Failure, Part

__all__ = ["Journal", "JournalError", "OtherContest"]

_FORMAT = 1


class JournalError(ValueError):
    """A line of the file is not of a contest."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is not that of a contest")
        self.line = line


class OtherContest(ValueError):  # noqa: N818 (says it best)
    """The file belongs to another contest."""

    def __init__(self, key: str, found: object, expected: object) -> None:
        super().__init__(f"another contest: {key} is {found}, not {expected}")
        self.key = key
        self.found = found
        self.expected = expected


class Journal:
    """The pairs of a contest that are on disk, and those that are added."""

    def __init__(self, path: Path, contest: Contest) -> None:
        """Open the file, or create it. Raises OSError, `JournalError` and `OtherContest`."""
        self._contest = contest
        self._file: IO[bytes] = path.open("a+b")
        try:
            self.played = self._read()
            """The pairs that were in the file."""
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, part: Part) -> None:
        """Write the pairs that follow those so far; they are on disk when this returns."""
        if len(part.rows):
            self._append(self._lines(part))

    def _read(self) -> list[Part]:
        self._file.seek(0)
        lines = self._file.read().split(b"\n")
        cut_off = lines.pop()
        if cut_off:
            self._file.truncate(self._file.tell() - len(cut_off))
        if not lines:
            self._append([_heading(self._contest)])
            return []
        self._check_heading(_decoded(lines[0], 1))
        return [
            self._part(_decoded(text, number + 2), number) for number, text in enumerate(lines[1:])
        ]

    def _check_heading(self, found: dict[str, Any]) -> None:
        expected = _heading(self._contest)
        if found.get("format") != _FORMAT:
            raise JournalError(1)
        for key, value in expected.items():
            if found.get(key) != value:
                raise OtherContest(key, found.get(key), value)

    def _part(self, found: dict[str, Any], pair: int) -> Part:
        contest = self._contest
        bots = range(len(contest.bots))
        try:
            rows = np.zeros(len(bots), MATCH)
            rows["pair"], rows["rotation"], rows["failed"] = pair, bots, -1
            for row, (hands, totals) in zip(rows, found["matches"], strict=True):
                row["hands"] = hands
                row["total"][: contest.sides] = totals
            failures = tuple(Failure(**failure) for failure in found.get("failures", ()))
            for failure in failures:
                if failure.fault not in get_args(Fault):
                    raise ValueError
                rows["failed"][failure.rotation] = contest.names.index(failure.bot)
            thought = found.get("thought", [[0.0, 0]] * len(bots))
            seconds, decisions = zip(*((float(s), int(n)) for s, n in thought), strict=True)
            if found["pair"] != pair or len(seconds) != len(bots):
                raise ValueError
        except (ValueError, KeyError, TypeError, IndexError, OverflowError):
            raise JournalError(pair + 2) from None
        return Part(rows, failures, seconds, decisions)

    def _lines(self, part: Part) -> Iterator[dict[str, Any]]:
        contest = self._contest
        rotations = len(contest.bots)
        last = int(part.rows["pair"][-1])
        for start in range(0, len(part.rows), rotations):
            rows = part.rows[start : start + rotations]
            pair = int(rows["pair"][0])
            totals = rows["total"][:, : contest.sides].tolist()
            line: dict[str, Any] = {
                "pair": pair,
                "matches": list(zip(rows["hands"].tolist(), totals, strict=True)),
            }
            failures = [failure._asdict() for failure in part.failures if failure.pair == pair]
            if failures:
                line["failures"] = failures
            if pair == last and any(part.decisions):
                line["thought"] = list(zip(part.seconds, part.decisions, strict=True))
            yield line

    def _append(self, lines: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        self._file.write(text.encode())
        self._file.flush()
        os.fsync(self._file.fileno())


def _heading(contest: Contest) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "release": __version__,  # of another release, the bots may play differently
        "edition": contest.edition.id,
        "players": contest.players,
        "short_trip": contest.short_trip,
        "seed": contest.seed,
        "bots": list(contest.names),
    }


def _decoded(text: bytes, line: int) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise JournalError(line) from None
    if not isinstance(found, dict):
        raise JournalError(line)
    return found
