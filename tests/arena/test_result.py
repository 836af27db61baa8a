"""The figures of a contest, from matches whose results are given."""

import math

import numpy as np
import pytest

from millebornes import arena
from millebornes.arena import Contest, Failure, Result, Scores
from millebornes.arena.contest import MATCH, Part
from millebornes.arena.ratings import elo, mean_of_ratio, share
from millebornes.plugins import Entrant
from millebornes.rules import DEFAULT_EDITION, EDITIONS

Given = tuple[int, tuple[int, ...], int]
"""A match: its hands, its totals, and the bot that failed or -1."""


def result(players: int, bots: int, *matches: Given) -> Result:
    edition = EDITIONS["dujardin-2019"] if players == 4 else DEFAULT_EDITION
    contest = Contest(
        edition=edition,
        players=players,
        bots=tuple(Entrant(name, "class") for name in "ABCD"[:bots]),
    )
    rows = np.zeros(len(matches), MATCH)
    for number, (row, (hands, totals, failed)) in enumerate(zip(rows, matches, strict=True)):
        row["pair"], row["rotation"] = divmod(number, bots)
        row["hands"], row["failed"] = hands, failed
        row["total"][: len(totals)] = totals
    failures = tuple(
        Failure("ABCD"[failed], number // bots, number % bots, 0, 1, "died", "")
        for number, (_, _, failed) in enumerate(matches)
        if failed >= 0
    )
    scores = Scores(contest)
    scores.add(Part(rows, failures, (0.5,) * bots, (1000,) * bots))
    return scores.result()


def test_a_match_won_by_two_players() -> None:
    # Rotation 1 seats B first.
    found = result(2, 2, (4, (5000, 3000), -1), (5, (5100, 4000), -1))
    first, second = found.bots
    assert first.match_wins == second.match_wins == share(np.array([0.5]))
    assert first.points_per_hand.value == (5000 + 4000) / 9
    assert second.points_per_hand.value == (3000 + 5100) / 9
    assert first.ms_per_decision == pytest.approx(0.5)
    assert (found.pairs, found.matches) == (1, 2)


def test_a_drawn_match_is_half_a_win_for_each() -> None:
    found = result(2, 2, (4, (5000, 5000), -1), (5, (3000, 5100), -1))
    assert [bot.match_wins.value for bot in found.bots] == [0.75, 0.25]


def test_a_bot_with_two_sides_wins_with_either() -> None:
    # Three sides: A B A, then B A B.
    found = result(3, 2, (5, (1000, 2000, 5000), -1), (5, (1000, 5000, 2000), -1))
    first, second = found.bots
    assert (first.match_wins.value, second.match_wins.value) == (1, 0)
    # A played two sides in the first match and one in the second.
    assert first.points_per_hand.value == 11_000 / 15
    assert second.points_per_hand.value == 5000 / 15
    # B has beaten one of A's two sides in the first match, and none in the second.
    scores = np.array([[[0, 1.5], [0.5, 0]]])
    assert first.elo == elo(scores, 2)[0]


def test_a_match_that_several_sides_lead_is_shared_by_them() -> None:
    # Three sides: A B A, then B A B.
    found = result(3, 2, (5, (5000, 5000, 5000), -1), (5, (0, 5000, 0), -1))
    assert found.bots[0].match_wins.value == pytest.approx((2 / 3 + 1) / 2)


def test_four_bots_of_equal_strength_win_a_quarter_each() -> None:
    first_wins = (5, (5000, 1, 2, 3), -1)  # A B C D, B C D A, C D A B, D A B C
    found = result(4, 4, *[first_wins] * 4)
    assert [bot.match_wins.value for bot in found.bots] == [0.25] * 4
    assert [bot.elo.value for bot in found.bots] == pytest.approx([0] * 4, abs=1e-9)


def test_who_fails_has_lost_to_everybody_and_the_others_are_level() -> None:
    good = (5, (5000, 1, 2, 3), -1)
    found = result(4, 4, *[good] * 12, (3, (4000, 0, 0, 0), 0), *[good] * 3)
    # In the last pair A has failed in the only match that it would have won.
    expected = [3 / 16, *[(4 + 1 / 3) / 16] * 3]
    assert [bot.match_wins.value for bot in found.bots] == pytest.approx(expected)
    assert sum(bot.match_wins.value for bot in found.bots) == pytest.approx(1)
    assert found.bots[0].elo.value < found.bots[1].elo.value
    assert [bot.failures for bot in found.bots] == [1, 0, 0, 0]
    # The points of the 4th pair: three matches, in which A was on the sides 3, 2 and 1.
    counts = np.array([20.0] * 3 + [15])
    of_first = mean_of_ratio(np.array([5006.0] * 3 + [6]), counts)
    assert found.bots[0].points_per_hand == pytest.approx(of_first)


def test_a_contest_without_a_match_has_no_figures() -> None:
    found = result(2, 2)
    assert (found.pairs, found.matches) == (0, 0)
    assert math.isnan(found.bots[0].match_wins.value)
    told = found.as_json()["bots"][0]
    assert told["match_wins"] is None
    assert told["match_wins_interval"] == [None, None]


def test_a_contest_from_python() -> None:
    found = arena.play("parker-1988", ["greedy", "random"], pairs=300, players=3, seed=5)
    better, worse = found.bots
    assert better.match_wins.low > 0.9
    assert better.match_wins.value + worse.match_wins.value == pytest.approx(1)
    assert better.points_per_hand.low > worse.points_per_hand.high
    assert better.elo.low > 0 > worse.elo.high
    assert better.ms_per_decision > 0
    again = arena.play(
        EDITIONS["parker-1988"], ["greedy", "random"], pairs=300, players=3, seed=5, jobs=2
    )
    assert np.array_equal(found.rows, again.rows)
    assert again.bots[0].elo == better.elo
