"""The results behind the figures of strength: complete, repeatable, and as strong as promised."""

import json
import shlex
from itertools import pairwise
from typing import Any

import pytest

from millebornes.bots import LEVELS, MEASURED
from tools.contests import RESULTS, Contest, contests

ALL = list(contests())


def result_of(contest: Contest) -> dict[str, Any]:
    text = (RESULTS / f"{contest.name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def first_of(contest: Contest) -> dict[str, Any]:
    """The figures of the bot that is named first."""
    first: dict[str, Any] = result_of(contest)["bots"][0]
    assert first["name"] == contest.bots[0]
    return first


@pytest.mark.parametrize("contest", ALL, ids=lambda contest: contest.name)
def test_every_contest_is_kept_with_the_command_that_repeats_it(contest: Contest) -> None:
    result = result_of(contest)
    assert result["command"] == shlex.join(contest.command)
    assert result["pairs"] == contest.pairs >= 1000
    assert [bot["name"] for bot in result["bots"]] == list(contest.bots)
    assert not result["failures"]


def test_no_result_is_left_over() -> None:
    kept = {path.stem for path in RESULTS.glob("*.json")}
    assert kept == {contest.name for contest in ALL}


@pytest.mark.parametrize(
    ("stronger", "weaker", "least"),
    [
        ("commuter", "sunday-driver", 0.56),
        ("commuter", "greedy", 0.60),
        ("sunday-driver", "learner", 0.75),
    ],
)
def test_a_level_is_as_strong_as_promised(stronger: str, weaker: str, least: float) -> None:
    assert first_of(Contest((stronger, weaker), "winning-moves", 2))["match_wins"] >= least


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(LEVELS)))
def test_no_level_is_reversed_in_any_game_and_with_two_players_each_is_stronger(
    weaker: str, stronger: str
) -> None:
    meetings = [contest for contest in ALL if contest.bots == (stronger, weaker)]
    assert len(meetings) == 5
    for contest in meetings:
        low, high = first_of(contest)["match_wins_interval"]
        assert (low if contest.players == 2 else high) > 0.5


def test_the_line_of_every_level_is_measured() -> None:
    assert list(MEASURED) == list(LEVELS)
