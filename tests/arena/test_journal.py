"""The file of a contest: what was played is there, also after a crash."""

from pathlib import Path

import numpy as np
import pytest

from millebornes.arena import Contest, Scores
from millebornes.arena.contest import Part
from millebornes.arena.journal import Journal, JournalError, OtherContest
from millebornes.plugins import Entrant
from millebornes.rules import DEFAULT_EDITION

from .bad_bots import Bad


def contest(*bots: str | Entrant, seed: int = 1, players: int = 2) -> Contest:
    return Contest.of(
        bots or ("greedy", "sunday-driver"), edition=DEFAULT_EDITION, seed=seed, players=players
    )


def played(contest: Contest, pairs: int) -> list[Part]:
    return list(contest.run(pairs))


def same(some: list[Part], others: list[Part]) -> bool:
    one, other = (np.concatenate([part.rows for part in parts]) for parts in (some, others))
    return (
        np.array_equal(one, other)
        and sum((part.failures for part in some), ()) == sum((part.failures for part in others), ())
        and [sum(part.decisions) for part in some] == [sum(part.decisions) for part in others]
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "contest.jsonl"


def test_what_is_written_is_read_again(path: Path) -> None:
    contest_ = contest(Bad("bad", good=60), "sunday-driver")
    parts = played(contest_, 3)
    assert any(part.failures for part in parts)
    with Journal(path, contest_) as journal:
        assert journal.played == []
        for part in parts[:2]:
            journal.add(part)
    with Journal(path, contest_) as journal:
        assert same(journal.played, parts[:2])
        journal.add(parts[2])
    with Journal(path, contest_) as journal:
        assert same(journal.played, parts)


def test_a_large_part_is_one_line_for_each_pair(path: Path) -> None:
    fast = contest("greedy", "random")
    _, part = played(fast, 30)
    with Journal(path, fast) as journal:
        journal.add(part)
    assert len(path.read_text().splitlines()) == 31
    scores = Scores(fast)
    with Journal(path, fast) as journal:
        for each in journal.played:
            scores.add(each)
    assert np.array_equal(scores.result().rows, part.rows)


def test_a_line_that_was_cut_off_is_dropped(path: Path) -> None:
    contest_ = contest()
    parts = played(contest_, 2)
    with Journal(path, contest_) as journal:
        for part in parts:
            journal.add(part)
    whole = path.read_bytes()
    for length in (len(whole) - 1, len(whole) - 20):
        path.write_bytes(whole[:length])
        with Journal(path, contest_) as journal:
            assert same(journal.played, parts[:1])
            journal.add(parts[1])
        assert path.read_bytes() == whole


def test_a_heading_that_was_cut_off_is_written_anew(path: Path) -> None:
    path.write_text('{"format": 1, "rel')
    with Journal(path, contest()) as journal:
        assert journal.played == []
    with Journal(path, contest()) as journal:
        assert journal.played == []


@pytest.mark.parametrize(
    "other",
    [contest(seed=2), contest("greedy", "random"), contest(players=3)],
    ids=["seed", "bots", "players"],
)
def test_the_file_of_another_contest_is_refused(path: Path, other: Contest) -> None:
    with Journal(path, contest()):
        pass
    before = path.read_bytes()
    with pytest.raises(OtherContest, match=r"another contest: .* is .*, not "):
        Journal(path, other)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "Dear diary"),
        (1, "[]"),
        (1, '{"format": 99}'),
        (2, "{}"),
        (2, '{"pair": 1, "matches": [[1, [1, 1]], [1, [1, 1]]]}'),
        (2, '{"pair": 0, "matches": [[1, [1, 1]]]}'),
        (2, '{"pair": 0, "matches": [[1, [1, 1, 1]], [1, [1, 1]]]}'),
        (2, '{"pair": 0, "matches": [[1, [1, 1]], [1, [1, 1]]], "thought": [[1, 1]]}'),
        (2, '{"pair": 0, "matches": [[1, [1, 1]], [1, [1, 1]]], "failures": [{"bot": "x"}]}'),
        (2, "{"),
    ],
)
def test_a_line_of_something_else_is_refused(path: Path, line: int, text: str) -> None:
    with Journal(path, contest()):
        pass
    heading = path.read_text() if line == 2 else ""
    path.write_text(f"{heading}{text}\n")
    with pytest.raises(JournalError, match=f"line {line} is not"):
        Journal(path, contest())
