"""Contests: seats rotated on the same decks, the same everywhere, and bots that fail."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from millebornes import arena
from millebornes.arena import BrokenOff, Contest, Failure
from millebornes.arena.matches import _SeatViews
from millebornes.fast import POLICIES, Engine, kernel
from millebornes.fast.batch import Batch
from millebornes.fast.decks import deck_of
from millebornes.fast.kernel.policies import number_of
from millebornes.fast.packing import GAME, RESULT
from millebornes.plugins import Entrant, find_bot
from millebornes.rules import (
    DEFAULT_EDITION,
    EDITIONS,
    apply,
    awaited_seats,
    deal_cards,
    new_match,
    view,
)
from millebornes.rules.state import Deal, Over, Turn
from tests.plugins.outside import strange
from tests.strategies import TABLES, Table, table_id

from .bad_bots import Bad

DUJARDIN = EDITIONS["dujardin-2019"]


@pytest.fixture(autouse=True)
def _nobody_started() -> Iterator[None]:
    Bad.started.clear()
    yield
    assert all(player.is_closed for player in Bad.started)


def contest(*bots: str | Entrant, players: int = 2, seed: int = 1) -> Contest:
    edition = DUJARDIN if players == 4 else DEFAULT_EDITION
    return Contest.of(bots, edition=edition, players=players, seed=seed)


def rows(contest: Contest, pairs: int, **how: object) -> NDArray[np.void]:
    return np.concatenate([part.rows for part in contest.run(pairs, **how)])  # type: ignore[arg-type]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_every_bot_plays_every_side_of_a_pair_once(table: Table) -> None:
    edition, players = table
    for count in range(2, edition.sides_at(players) + 1):
        bots = tuple(Entrant(f"bot {number}", "class") for number in range(count))
        played = Contest(edition=edition, players=players, bots=bots)
        assert played.seating.shape == (count, played.sides)
        assert np.array_equal(np.sort(played.seating, axis=0).T, [range(count)] * played.sides)


def test_partners_are_played_by_the_same_bot() -> None:
    of_teams = Contest.of(["greedy", "random"], edition=DEFAULT_EDITION, players=4)
    assert of_teams.sides == 2
    assert [of_teams.seats(rotation) for rotation in (0, 1)] == [(0, 1, 0, 1), (1, 0, 1, 0)]


@pytest.mark.parametrize("policies", list(product(POLICIES, repeat=2)), ids="-".join)
def test_the_decks_do_not_depend_on_who_plays(policies: tuple[str, ...]) -> None:
    engine = Engine(DEFAULT_EDITION, 2)
    for index in range(20):
        games = np.zeros(1, GAME)
        games["policy"][0, :2] = [number_of(name) for name in policies]
        kernel.run(games, engine.rules, np.uint64(7), np.uint64(index), np.zeros(1, RESULT), False)
        drawn = engine.deck_size - int(games["left"][0])
        deck = deck_of(DEFAULT_EDITION, 2, seed=7, index=index)
        assert Batch(engine, games, 7).deck()[:drawn] == deck[:drawn]


def test_the_kernel_plays_the_matches_of_the_engine() -> None:
    fast = contest("greedy", "random", players=4, seed=3)
    assert fast.is_fast
    played = rows(fast, 700)  # in more than one part
    assert played["pair"].tolist() == [pair for pair in range(700) for _ in range(2)]
    swapped = fast.engine().matches(700, seed=3, bots=["random", "greedy"])
    assert np.array_equal(played["total"][1::2], swapped["total"])
    assert np.array_equal(played["hands"][1::2], swapped["hands"])


@pytest.mark.parametrize("players", [2, 4])
def test_kernel_and_readable_rules_play_the_same_contest(players: int) -> None:
    """Levels that are policies, too, are played by the kernel where it can play all bots."""
    fast = contest("greedy", "commuter", players=players)
    assert fast.is_fast
    by_rules = fast._by_readable_rules(range(2)).rows
    assert np.array_equal(fast.part(range(2)).rows, by_rules)


@pytest.mark.parametrize("bots", [("greedy", "random"), ("sunday-driver", "random")])
def test_a_contest_is_the_same_however_it_is_divided(bots: tuple[str, ...]) -> None:
    played = contest(*bots)
    alone = rows(played, 6)
    assert np.array_equal(alone, rows(played, 6, jobs=2))
    with ThreadPoolExecutor(3) as executor:
        assert np.array_equal(alone, rows(played, 6, executor=executor))
    later = [part.rows for part in played.run(6, first=4)]
    assert np.array_equal(alone[8:], np.concatenate(later))


def test_the_views_of_a_match_are_those_of_the_rules() -> None:
    """They are put together in another way, because that is faster."""
    driver = find_bot("sunday-driver").start()
    match = new_match(DUJARDIN, 4)
    dealt, _ = deal_cards(match, deck_of(DUJARDIN, 4, seed=1, index=0))
    views = [_SeatViews(seat) for seat in range(4)]
    seen = set()
    while not isinstance(dealt.awaiting, Deal | Over):
        seat = awaited_seats(dealt)[0]
        expected = view(dealt, seat)
        assert views[seat].of(dealt) == expected
        seen.add(type(dealt.awaiting))
        dealt, _ = apply(dealt, seat, driver.choose(expected))
    assert len(seen) > 1
    assert Turn in seen


@pytest.mark.parametrize("bots", [("greedy",), ("greedy", "random", "sunday-driver"), ()])
def test_too_few_or_too_many_bots_are_refused(bots: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"{len(bots)} bots: must be from 2 to 2, one per side"):
        contest(*bots)


def test_a_bot_cannot_play_against_itself() -> None:
    with pytest.raises(ValueError, match="greedy is named twice: must be different bots"):
        contest("greedy", "greedy")


def test_a_number_of_pairs_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="pairs = 0: must be a whole number, 1 or more"):
        arena.play("article", ["greedy", "random"], pairs=0)


# Bots that fail


@pytest.mark.parametrize("fault", ["hung", "died", "nonsense", "illegal", "error"])
def test_a_bot_that_fails_is_last_and_the_contest_goes_on(fault: str) -> None:
    bad = Bad("bad", fault=fault, good=100)
    result = arena.play(DEFAULT_EDITION, [bad, "sunday-driver"], pairs=3, seed=1)
    assert result.matches == 6
    assert len(result.failures) == result.bots[0].failures > 1
    assert all(failure.bot == "bad" and failure.fault == fault for failure in result.failures)
    failed = result.rows["failed"] == 0
    assert failed.sum() == len(result.failures)
    without = result.rows[~failed]
    own = np.where(without["rotation"] == 0, without["total"][:, 0], without["total"][:, 1])
    won = (own == without["total"].max(axis=1)).sum()
    assert result.bots[0].match_wins.value == pytest.approx(won / 6), "it won none of the failed"
    assert len(Bad.started) >= len(result.failures), "it is started anew after each failure"


def test_a_report_says_where_a_bot_failed_and_what_it_did() -> None:
    bad = Bad("bad", fault="illegal", good=0)
    result = arena.play(DEFAULT_EDITION, ["sunday-driver", bad], pairs=1, seed=1)
    assert result.failures == (
        Failure("bad", 0, 0, 1, 1, "illegal", result.failures[0].detail),
        Failure("bad", 0, 1, 0, 1, "illegal", result.failures[1].detail),
    )
    assert result.failures[0].detail.startswith("ext is not legal here: must be one of ")
    good, worst = result.bots
    assert (good.match_wins.value, worst.match_wins.value) == (1, 0)
    assert good.elo.value > worst.elo.value
    assert np.isnan(good.points_per_hand.value), "points of a match that was broken off"


def test_a_player_is_started_once_and_used_again() -> None:
    steady = Bad("steady", good=10**9)
    arena.play(DEFAULT_EDITION, [steady, "greedy"], pairs=3)
    assert len(Bad.started) == 1


def test_a_bot_that_cannot_be_started_ends_the_contest_at_once() -> None:
    with pytest.raises(BrokenOff) as caught:
        arena.play(DEFAULT_EDITION, ["greedy", Bad("bad", fault="not started")], pairs=1)
    assert caught.value.seat == 1
    assert caught.value.failure.detail == "there is no such module"


@pytest.mark.parametrize(("way", "fault"), [("die", "died"), ("rubbish", "nonsense")])
def test_a_program_that_fails_is_last_and_the_contest_goes_on(way: str, fault: str) -> None:
    program = strange(way)
    result = arena.play(DEFAULT_EDITION, [program, "greedy"], pairs=1)
    assert [failure.fault for failure in result.failures] == [fault] * 2
    assert [bot.match_wins.value for bot in result.bots] == [0, 1]


class Stopped(Exception):  # noqa: N818
    """As Ctrl-C, but pytest would stop, too."""


class Stops:
    def get_ready(self) -> None:
        """It is."""

    def choose(self, _: object) -> None:
        raise Stopped

    def close(self) -> None:
        """Nothing to end."""


def test_players_are_ended_if_the_contest_is_stopped_in_the_middle() -> None:
    steady = Bad("steady", good=10**9)

    class Interrupting(Bad):
        def start(self, **_: float) -> Stops:  # type: ignore[override]
            return Stops()

    with pytest.raises(Stopped):
        arena.play(DEFAULT_EDITION, [steady, Interrupting("stop")], pairs=1)
    assert [player.is_closed for player in Bad.started] == [True]
