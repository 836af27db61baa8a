"""Comparing moves: the rollouts of each, with the same hidden cards, in one call."""

from functools import partial

import numpy as np
import pytest

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
    Move,
    Play,
    View,
    awaited_seats,
    new_match,
    view,
)
from millebornes.rules.state import ExtensionChoice, Window
from tests.strategies import STYLES, TABLES, Driver, Table, play_hand, table_id

WINNING_MOVES = EDITIONS["winning-moves"]
ROLLING = "battle 0: ROLL\nbattle 1: ROLL\nmiles 1: 100\nhand 0: only ROLL STOP LIM 25 50 REP GAS\n"


def seen(text: str, seat: int = 0) -> View:
    return view(position.from_text(text), seat)


def decisions(table: Table, seed: int) -> list[View]:
    """Some views of seats that have a choice, and all that are asked about a window or a trip."""
    hand = play_hand(new_match(*table), Driver(seed, STYLES["race"]))
    asked = [(match, view(match, awaited_seats(match)[0])) for match in hand.states[:-1]]
    chosen = [
        shown
        for number, (match, shown) in enumerate(asked)
        if number % 20 == 7 or isinstance(match.awaiting, ExtensionChoice | Window)
    ]
    return [shown for shown in chosen if len(shown.legal_moves) > 1]


def leads_of(points: np.ndarray[tuple[int, ...], np.dtype[np.int64]], side: int) -> list[int]:
    """The lead of a side in each rollout, in plain Python."""
    return [
        row[side] - max(row[other] for other in range(len(row)) if other != side)
        for row in points.tolist()
    ]


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_a_comparison_adds_up_the_rollouts_of_each_move(table: Table) -> None:
    engine = Engine(*table)
    kinds = set()
    for shown in decisions(table, seed=3):
        kinds.add(type(shown.awaiting))
        assert shown.side is not None
        found = engine.compare(shown, 20, seed=5, first=3, bots=["greedy", "random"])
        assert found.moves == shown.legal_moves
        assert found.count == 20
        leads = []
        for at, move in enumerate(found.moves):
            alone = engine.rollouts(
                shown, 20, seed=5, first=3, bots=["greedy", "random"], move=move
            )
            assert found.sums[at].tolist() == alone.sum(axis=0).tolist()
            assert found.squares[at].tolist() == (alone**2).sum(axis=0).tolist()
            leads.append(leads_of(alone, shown.side))
        assert found.leads.tolist() == [sum(lead) for lead in leads]
        assert found.products.tolist() == [
            [sum(a * b for a, b in zip(one, two, strict=True)) for two in leads] for one in leads
        ]
    assert kinds


def test_windows_and_trips_are_among_what_is_compared() -> None:
    asked = {type(shown.awaiting) for shown in decisions((WINNING_MOVES, 2), seed=3)}
    for seed in range(4, 40):
        asked |= {type(shown.awaiting) for shown in decisions((WINNING_MOVES, 2), seed)}
    assert {ExtensionChoice, Window} <= asked


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
    sheets = np.array([[[5, 0]], [[9, 0]], [[5, 0]], [[9, 0]]], np.int64)
    moves = tuple(map(Discard, (Card.D25, Card.D50, Card.D75, Card.D100)))
    assert Comparison.of(moves, sheets, 0).ranking() == (moves[1], moves[3], moves[0], moves[2])


def test_with_several_opponents_the_lead_is_over_the_best_of_them() -> None:
    points = np.array([[[100, 700, 300], [900, 200, 400]]], np.int64)
    assert Comparison.of([Discard(Card.D25)], points, 0).lead(Discard(Card.D25)).mean == -50
    assert Comparison.of([Discard(Card.D25)], points, 2).lead(Discard(Card.D25)).mean == -450


def test_very_many_rollouts_lose_no_precision() -> None:
    """A small spread around a large mean, after as many rollouts as a long search makes."""
    points = np.array([[[4000, 0], [4025, 0]]], np.int64)
    found = Comparison.of([Discard(Card.D25)], points, 0)
    for _ in range(25):
        found = found + found
    mean, error = found.lead(Discard(Card.D25))
    assert mean == 4012.5
    assert error == pytest.approx(12.5 / (2**26 - 1) ** 0.5)


def test_only_comparisons_of_the_same_moves_add_up() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    one, two = Discard(Card.REP), Discard(Card.GAS)
    forward, backward = (
        engine.compare(shown, 5, moves=order) for order in ([one, two], [two, one])
    )
    with pytest.raises(ValueError, match="only comparisons of the same moves, in the same order"):
        forward + backward


def test_an_estimate_needs_two_rollouts() -> None:
    shown = seen(ROLLING)
    engine = Engine(shown.edition, 2)
    for count in (0, 1):
        found = engine.compare(shown, count)
        assert found.sums.shape == (len(shown.legal_moves), 2)
        with pytest.raises(ValueError, match=f"^{count} rollouts: an estimate needs two or more$"):
            found.lead(shown.legal_moves[0])


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


@pytest.mark.parametrize("move", [Play(Card.D200), Discard(Card.ACE), Decline(), Finish()])
def test_an_illegal_move_is_refused_before_any_rollout(move: Move) -> None:
    shown = seen(ROLLING)
    with pytest.raises(ValueError, match="is not a legal move of this view"):
        Engine(shown.edition, 2).compare(shown, 10, moves=[Discard(Card.GAS), move])


def test_no_move_at_all_is_refused() -> None:
    shown = seen(ROLLING)
    with pytest.raises(ValueError, match="moves must name at least one legal move of this view"):
        Engine(shown.edition, 2).compare(shown, 10, moves=[])


@pytest.mark.parametrize("seat", [None, 1], ids=["a spectator", "somebody else's turn"])
def test_who_has_no_decision_has_nothing_to_compare(seat: int | None) -> None:
    shown = view(position.from_text(ROLLING), seat)
    with pytest.raises(ValueError, match="this viewer has no decision to make"):
        Engine(shown.edition, 2).compare(shown, 10)


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
