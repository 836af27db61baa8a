"""The coup-fourré window opens on public facts alone."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import Match, Play
from millebornes.rules.cards import HAZARDS, SAFETY_OF
from millebornes.rules.state import Window
from tests.strategies import Step, Table, every_table, hands, places

from .worlds import exchanged, replayed


def asked_in_public(step: Step, play: Play) -> tuple[int, ...]:
    """Who is asked, from what everybody can see once the hazard has landed."""
    after = step.after.hand
    assert after is not None
    assert play.onto is not None
    safety = SAFETY_OF[play.card]
    in_sight = safety in after.discard or any(safety in t.safeties for t in after.tableaux)
    if in_sight:
        return ()
    match = step.before
    seats = match.seats_of(play.onto)
    if match.edition.coup_fourre_for_third_party:
        own = match.side_of(step.seat)
        seats = tuple(s for s in range(match.players) if match.side_of(s) != own)
    assert match.hand is not None
    return tuple(seat for seat in seats if len(match.hand.hands[seat]))


def awaited_window(match: Match) -> Window | None:
    return match.awaiting if isinstance(match.awaiting, Window) else None


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_a_hazard_opens_a_window_for_everybody_who_might_answer(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    for step in data.draw(hands(table)).steps:
        if not isinstance(step.move, Play) or step.move.card not in HAZARDS:
            continue
        asked = asked_in_public(step, step.move)
        window = awaited_window(step.after)
        if asked:
            assert window == Window(step.seat, step.move.onto or 0, step.move.card, asked)
        else:
            assert window is None


@every_table
@given(data=st.data())
@settings(max_examples=4)
def test_the_window_is_open_whoever_holds_the_safety(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    rng = random.Random(data.draw(st.integers(0, 2**32 - 1)))
    made = [(step.seat, step.move) for step in hand.steps]
    for number, step in enumerate(hand.steps):
        window = awaited_window(step.after)
        if window is None or window.declined:
            continue
        safety = hand.deck.index(SAFETY_OF[window.hazard])
        # Where the safety could be instead: any hand after the attack, or the pile.
        where = places(step.after)
        for held in (*where.hands, where.pile):
            if held and safety not in held:
                deck = exchanged(hand.deck, safety, rng.choice(held))
                other = list(replayed(hand, deck, made[: number + 1]))
                if len(other) == number + 2:
                    assert awaited_window(other[-1]) == window
                else:
                    assert hand.start.edition.must_play_out
