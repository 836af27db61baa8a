"""The stakes shown to a player before an answer match the score sheet afterwards."""

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import Card, CoupFourre, Discard, Extend, Finish, Match, Play, apply, view
from millebornes.rules.apply import end_hand
from millebornes.rules.edition import EXTENDED_TRIP
from millebornes.rules.state import ExtensionChoice, Tableau, Turn
from millebornes.table.stakes import stakes
from tests.strategies import (
    STYLES,
    Driver,
    Table,
    every_table,
    extension_choices,
    play_hand,
    starts,
)


def promised(match: Match, seat: int) -> dict[str, int]:
    """The points of each stake, 0 for one that promises none."""
    told = stakes(view(match, seat))
    points = {stake.code: int(stake.params.get("points", 0)) for stake in told}
    assert len(points) == len(told)
    assert all(stake.params.get("points") != 0 for stake in told)
    return points


def totals(ended: Match) -> list[int]:
    assert ended.hand is not None
    assert ended.hand.sheets is not None
    return [sheet.total for sheet in ended.hand.sheets]


def who_is_asked(match: Match) -> tuple[int, int]:
    """The seat that has completed the trip, and its side."""
    assert isinstance(match.awaiting, ExtensionChoice)
    seat = match.awaiting.seat
    return seat, match.side_of(seat)


@every_table
@given(data=st.data())
@settings(max_examples=25)
def test_finishing_scores_the_points_promised_more_than_if_nobody_completes(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    match = data.draw(extension_choices(table))
    seat, side = who_is_asked(match)
    promises = promised(match, seat)
    in_front = "_in_front" if match.edition.exhaustion_winner == "most_miles" else ""
    finished, _ = apply(match, seat, Finish())
    gained = totals(finished)[side] - totals(end_hand(match, None))[side]
    code = f"extension_finish{in_front}" if gained else f"extension_finish{in_front}_no_points"
    assert promises[code] == gained
    assert sum(other.startswith("extension_finish") for other in promises) == 1


@every_table
@given(data=st.data())
@settings(max_examples=25)
def test_an_extension_scores_the_points_promised_whoever_completes_it(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    match = data.draw(extension_choices(table))
    seat, side = who_is_asked(match)
    promises = promised(match, seat)
    extended, _ = apply(match, seat, Extend())
    for completer in (None, *range(match.sides)):
        called = totals(last_move(extended, completer))
        uncalled = totals(last_move(without_the_call(extended), completer))
        gains = [after - before for after, before in zip(called, uncalled, strict=True)]
        assert gains == gains_promised(promises, match.sides, side, completer)


def gains_promised(
    promises: dict[str, int], sides: int, caller: int, completer: int | None
) -> list[int]:
    """Points of each side for the extension, according to the sentences."""
    if completer == caller:
        assert ("extension_extend" in promises) != ("extension_extend_no_points" in promises)
        own = promises.get("extension_extend", 0)
        return [own if side == caller else 0 for side in range(sides)]
    each = promises.get("extension_lost_or_failed", 0)
    alone = 0
    if completer is None:
        each = each or promises.get("extension_failed", 0)
    else:
        each = each or promises.get("extension_lost", 0)
        alone = promises.get("extension_to_completer", 0)
    gains = [each] * sides
    if completer is not None:
        gains[completer] += alone
    gains[caller] = 0
    return gains


def without_the_call(extended: Match) -> Match:
    assert extended.hand is not None
    return extended._replace(hand=extended.hand._replace(caller=None))


def last_move(extended: Match, completer: int | None) -> Match:
    """The hand brought to its last card, and that card played: this side completes, or nobody."""
    hand = extended.hand
    assert hand is not None
    assert hand.trip == EXTENDED_TRIP
    seat = 0 if completer is None else completer
    held: list[tuple[Card, ...]] = [()] * extended.players
    held[seat] = (Card.D25,)
    tableaux = list(hand.tableaux)
    if completer is None:
        tableaux[seat] = tableaux[seat]._replace(battle=(Card.STOP,), safeties=())
    else:
        almost = (*[Card.D100] * 9, Card.D75)
        tableaux[completer] = Tableau(battle=(Card.ROLL,), distance=almost)
    hand = hand._replace(hands=tuple(held), tableaux=tuple(tableaux), pile=())
    match = extended._replace(hand=hand, awaiting=Turn(seat))
    ended, _ = apply(match, seat, Discard(Card.D25) if completer is None else Play(Card.D25))
    if isinstance(ended.awaiting, ExtensionChoice):  # without the call one could still be made
        ended, _ = apply(ended, seat, Finish())
    assert ended.hand is not None
    assert ended.hand.completed_by == completer
    return ended


@every_table
@given(data=st.data())
@settings(max_examples=25)
def test_what_finishing_scores_is_lost_without_arriving_exactly_where_that_is_said(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    match = data.draw(extension_choices(table))
    seat, side = who_is_asked(match)
    promises = promised(match, seat)
    finished, _ = apply(match, seat, Finish())
    others = [other for other in range(match.sides) if other != side]
    lost = {
        totals(finished)[side] - totals(end_hand(match, completer))[side]
        for completer in (None, *others)
    }
    if match.edition.exhaustion_winner == "most_miles":
        assert "extension_risk_in_front" in promises
    elif "extension_risk" in promises:
        assert lost == {promises["extension_finish"]}
    else:
        assert lost == {0}


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_a_coup_fourre_scores_the_points_promised(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    driver = Driver(data.draw(st.integers(0, 2**32 - 1)), STYLES["ambush"])
    for step in play_hand(data.draw(starts(table)), driver).steps:
        if isinstance(step.move, CoupFourre):
            ((code, points),) = promised(step.before, step.seat).items()
            side = step.before.side_of(step.seat)
            gained = totals(end_hand(step.after, None))[side]
            gained -= totals(end_hand(step.before, None))[side]
            assert points == gained
            assert code == ("window_choice" if gained else "window_choice_no_points")
