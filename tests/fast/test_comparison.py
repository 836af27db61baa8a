"""Comparing moves: the rollouts of each, with the same hidden cards, in one call."""

from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from millebornes.fast import POLICIES, Comparison, Engine
from millebornes.records import position
from millebornes.rules import (
    EDITIONS,
    Card,
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Play,
    View,
    awaited_seats,
    new_match,
    view,
)
from millebornes.rules.state import ExtensionChoice, Turn, Window
from tests.strategies import STYLES, TABLES, Driver, Table, play_hand, table_id

WINNING_MOVES = EDITIONS["winning-moves"]
ROLLING = "battle 0: ROLL\nbattle 1: ROLL\nmiles 1: 100\nhand 0: only ROLL STOP LIM 25 50 REP GAS\n"


def seen(text: str, seat: int = 0) -> View:
    return view(position.from_text(text), seat)


HOUSE = EDITIONS["dujardin-2019"].house(
    {
        "coup_fourre_for_third_party": True,
        "must_play_out": True,
        "autoroute_is_safety": True,
    }
)


def decisions(table: Table) -> list[View]:
    """Some turns with a choice, and all windows and completed trips, of four hands."""
    chosen = []
    for seed, style in enumerate(["race", "ambush"] * 2):
        hand = play_hand(new_match(*table), Driver(seed, STYLES[style]))
        for number, match in enumerate(hand.states[:-1]):
            if number % 20 == 7 or not isinstance(match.awaiting, Turn):
                shown = [view(match, seat) for seat in awaited_seats(match)]
                chosen += [seen for seen in shown if len(seen.legal_moves) > 1]
    return chosen


def leads_of(points: NDArray[np.int64], side: int) -> list[int]:
    """The lead of a side in each rollout, in plain Python."""
    return [
        row[side] - max(row[other] for other in range(len(row)) if other != side)
        for row in points.tolist()
    ]


@pytest.mark.parametrize("table", [*TABLES, (HOUSE, 3), (HOUSE, 6)], ids=table_id)
def test_a_comparison_adds_up_the_rollouts_of_each_move(table: Table) -> None:
    engine = Engine(*table)
    for shown in decisions(table):
        assert shown.side is not None
        choices: dict[str, Any] = {"seed": 5, "first": 3, "bots": ["greedy", "random"]}
        found = engine.compare(shown, 20, **choices)
        assert (found.side, found.moves, found.count) == (shown.side, shown.legal_moves, 20)
        alone = [engine.rollouts(shown, 20, move=move, **choices) for move in found.moves]
        by_move = engine.rollouts_by_move(shown, 20, **choices)
        assert by_move.tolist() == np.stack(alone, axis=1).tolist()
        assert found.sums.tolist() == [points.sum(axis=0).tolist() for points in alone]
        assert found.squares.tolist() == [(points**2).sum(axis=0).tolist() for points in alone]
        leads = [leads_of(points, shown.side) for points in alone]
        assert found.leads.tolist() == [sum(lead) for lead in leads]
        assert found.products.tolist() == [
            [sum(a * b for a, b in zip(one, two, strict=True)) for two in leads] for one in leads
        ]


def test_windows_and_trips_are_among_what_is_compared() -> None:
    asked = Counter(type(seen.awaiting) for table in TABLES for seen in decisions(table))
    assert min(asked[kind] for kind in (Turn, Window, ExtensionChoice)) > 10


@pytest.mark.parametrize("policy", POLICIES)
def test_a_comparison_is_the_same_however_it_is_divided(policy: str) -> None:
    shown = seen(ROLLING)
    compare = partial(Engine(shown.edition, 2).compare, shown, seed=6, bots=[policy])
    whole = compare(1000)
    for jobs in (2, 5):
        assert numbers(compare(1000, jobs=jobs)) == numbers(whole)
    parts = compare(300) + compare(0, first=300) + compare(700, first=300)
    assert numbers(parts) == numbers(whole)
    assert numbers(compare(1000)) == numbers(whole)
    assert numbers(compare(1000, first=1)) != numbers(whole)


def numbers(found: Comparison) -> tuple[object, ...]:
    arrays = (found.sums, found.squares, found.leads, found.products)
    return found.moves, found.count, *(array.tolist() for array in arrays)


def test_some_moves_can_be_compared_in_any_order() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    chosen = (Discard(Card.GAS), Play(Card.STOP, 1), Play(Card.D50))
    some = engine.compare(shown, 200, moves=chosen)
    whole = engine.compare(shown, 200)
    assert some.moves == chosen
    for move in chosen:
        assert some.lead(move) == whole.lead(move)
        assert some.points(move, 1) == whole.points(move, 1)
    assert some.gain(chosen[0], over=chosen[2]) == whole.gain(chosen[0], over=chosen[2])


def test_estimates_are_means_with_their_standard_errors() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    stop, slow = Play(Card.STOP, 1), Play(Card.D25)
    found = engine.compare(shown, 500, seed=2, moves=[stop, slow])
    one, two = (engine.rollouts(shown, 500, seed=2, move=move) for move in (stop, slow))
    for side in (0, 1):
        mean, error = found.points(stop, side)
        assert mean == pytest.approx(one[:, side].mean())
        assert error == pytest.approx(one[:, side].std(ddof=1) / 500**0.5)
    mean, error = found.lead(slow)
    lead = two[:, 0] - two[:, 1]
    assert mean == pytest.approx(lead.mean())
    assert error == pytest.approx(lead.std(ddof=1) / 500**0.5)
    mean, error = found.gain(stop, over=slow)
    gain = one[:, 0] - one[:, 1] - lead
    assert mean == pytest.approx(gain.mean())
    assert error == pytest.approx(gain.std(ddof=1) / 500**0.5)
    back, same = found.gain(slow, over=stop)
    assert (back, same) == (-mean, error)
    assert found.gain(stop, over=stop) == (0, 0)


def test_the_same_hidden_cards_make_a_difference_more_precise() -> None:
    shown = seen(ROLLING)
    found = Engine(shown.edition, 2).compare(shown, 2000)
    one, two = Discard(Card.REP), Discard(Card.GAS)
    apart = (found.lead(one).error ** 2 + found.lead(two).error ** 2) ** 0.5
    assert found.gain(one, over=two).error < 0.8 * apart


def test_the_ranking_begins_with_the_best_lead() -> None:
    shown = seen(ROLLING)
    found = Engine(shown.edition, 2).compare(shown, 500)
    means = [found.lead(move).mean for move in found.ranking()]
    assert means == sorted(means, reverse=True)
    assert set(found.ranking()) == set(shown.legal_moves)


def test_moves_that_are_equally_good_keep_their_order() -> None:
    points = np.array([[[5, 0], [9, 0], [5, 0], [9, 0]]], np.int64)
    moves = tuple(map(Discard, (Card.D25, Card.D50, Card.D75, Card.D100)))
    assert Comparison.of(moves, points, 0).ranking() == (moves[1], moves[3], moves[0], moves[2])


def test_with_several_opponents_the_lead_is_over_the_best_of_them() -> None:
    points = np.array([[[100, 700, 300]], [[900, 200, 400]]], np.int64)
    assert Comparison.of([Discard(Card.D25)], points, 0).lead(Discard(Card.D25)).mean == -50
    assert Comparison.of([Discard(Card.D25)], points, 2).lead(Discard(Card.D25)).mean == -450


def test_very_many_rollouts_lose_no_precision() -> None:
    """A small spread around a large mean, after as many rollouts as a long search makes."""
    points = np.array([[[4000, 0]], [[4025, 0]]], np.int64)
    found = Comparison.of([Discard(Card.D25)], points, 0)
    for _ in range(25):
        found = found + found
    mean, error = found.lead(Discard(Card.D25))
    assert mean == 4012.5
    assert error == pytest.approx(12.5 / (2**26 - 1) ** 0.5)


def test_only_comparisons_of_the_same_side_and_moves_add_up() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    one, two = Discard(Card.REP), Discard(Card.GAS)
    found = engine.compare(shown, 5, moves=[one, two])
    backward = engine.compare(shown, 5, moves=[two, one])
    other_side = Comparison.of([one, two], np.zeros((5, 2, 2), np.int64), 1)
    for other in (backward, other_side):
        with pytest.raises(ValueError, match="only comparisons of the same side and moves, in the"):
            found + other
    with pytest.raises(TypeError, match="unsupported operand"):
        found + 1  # type: ignore[operator]


def test_an_estimate_needs_two_rollouts_and_a_ranking_one() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    for count in (0, 1):
        found = engine.compare(shown, count)
        assert found.sums.shape == (len(shown.legal_moves), 2)
        with pytest.raises(ValueError, match=f"^count = {count}: this needs at least 2$"):
            found.lead(shown.legal_moves[0])
    assert len(found.ranking()) == len(shown.legal_moves)
    with pytest.raises(ValueError, match="count = 0: this needs at least 1"):
        engine.compare(shown, 0).ranking()


@pytest.mark.parametrize("side", [-1, 2, 9])
def test_a_side_that_does_not_exist_has_no_points(side: int) -> None:
    shown = seen(ROLLING)
    found = Engine(shown.edition, 2).compare(shown, 5)
    assert found.points(shown.legal_moves[0]) == found.points(shown.legal_moves[0], 0)
    with pytest.raises(ValueError, match=f"^side = {side}: must be from 0 to 1$"):
        found.points(shown.legal_moves[0], side)


def test_a_move_that_was_not_compared_has_no_estimate() -> None:
    shown = seen(ROLLING)
    found = Engine(shown.edition, 2).compare(shown, 5, moves=[Discard(Card.GAS)])
    for ask in (
        found.lead,
        partial(found.points, side=0),
        partial(found.gain, over=Discard(Card.GAS)),
    ):
        with pytest.raises(ValueError, match="is not one of the moves that were compared"):
            ask(Discard(Card.REP))


@pytest.mark.parametrize("move", [Play(Card.D200), Discard(Card.ACE), Decline(), Finish(), None])
def test_an_illegal_move_is_refused_before_any_rollout(move: Any) -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    for roll_out in (engine.compare, engine.rollouts_by_move):
        with pytest.raises(ValueError, match="is not a legal move of this view"):
            roll_out(shown, 10, moves=[Discard(Card.GAS), move])


def test_no_move_at_all_is_refused() -> None:
    shown = seen(ROLLING)
    with pytest.raises(ValueError, match="moves must name at least one legal move of this view"):
        Engine(shown.edition, 2).compare(shown, 10, moves=[])


@pytest.mark.parametrize("seat", [None, 1], ids=["a spectator", "somebody else's turn"])
def test_who_has_no_decision_has_nothing_to_compare(seat: int | None) -> None:
    shown = view(position.from_text(ROLLING), seat)
    with pytest.raises(ValueError, match="this viewer has no decision to make"):
        Engine(shown.edition, 2).compare(shown, 10)
    with pytest.raises(ValueError, match="this engine plays winning-moves with 3"):
        Engine(WINNING_MOVES, 3).compare(shown, 10)


def test_a_coup_fourre_and_letting_it_stand_are_compared() -> None:
    shown = seen("window: STOP 0>1\nbattle 1: ROLL STOP\nhand 1: ROW 25 50 50 75 75\n", 1)
    found = Engine(shown.edition, 2).compare(shown, 400)
    assert found.ranking() == (CoupFourre(Card.ROW), Decline())
    mean, error = found.gain(CoupFourre(Card.ROW), over=Decline())
    assert mean > 3 * error


def test_a_forced_decline_is_no_decision_but_has_rollouts() -> None:
    shown = seen("window: STOP 0>1\nbattle 1: ROLL STOP\nhand 1: 25 25 50 50 75 75\n", 1)
    engine = Engine(shown.edition, 2)
    found = engine.compare(shown, 100, seed=4)
    assert found.moves == (Decline(),)
    assert (found.sums[0] == engine.rollouts(shown, 100, seed=4).sum(axis=0)).all()


def test_an_extension_and_the_end_of_the_hand_are_compared() -> None:
    text = "extension: 0\nbattle 0: ROLL\nmiles 0: 700\nhand 0: 25 25 50 50 75 75\n"
    found = Engine(WINNING_MOVES, 2).compare(seen(text), 100)
    assert set(found.moves) == {Extend(), Finish()}
    assert found.lead(Finish()).error == 0  # the hand is over, with nothing left to chance
    assert found.lead(Extend()).error > 0
