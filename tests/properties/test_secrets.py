"""Nobody learns what is hidden: exchanging hidden cards changes nothing that a viewer sees.

Each exchange is made in the deck order, and the same moves are made in both worlds. One
exchange in three, at least, moves the matching safety into or out of an attacked hand while
the coup-fourré window is open.
"""

import random
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from millebornes.records import cut_game, game
from millebornes.rules import Card, Decline, apply, awaited_seats, cut, deal_cards, view, why_not
from millebornes.rules.cards import SAFETY_OF
from millebornes.rules.events import Drawn
from millebornes.rules.state import Deal, Over, Window
from tests.strategies import (
    STYLES,
    Driver,
    HandPlayed,
    Table,
    every_table,
    hands,
    places,
    play_hand,
    recorded,
    starts,
)

from .worlds import exchanged, replayed


class Exchange(NamedTuple):
    """Two cards of the deck order, both hidden after this number of moves."""

    moves: int
    first: int
    second: int


def safety_exchanges(hand: HandPlayed, rng: random.Random) -> list[Exchange]:
    """Into or out of an attacked hand, for each window."""
    found = []
    for moves, match in enumerate(hand.states):
        window = match.awaiting
        if not isinstance(window, Window):
            continue
        where = places(match)
        safety = hand.deck.index(SAFETY_OF[window.hazard])
        attacked = [i for seat in window.asked for i in where.hands[seat]]
        if safety in attacked:
            holder = next(seat for seat in window.asked if safety in where.hands[seat])
            own = where.hands[holder]
            others = [i for held in (*where.hands, where.pile) for i in held if i not in own]
        else:
            others = attacked
        if others:
            found.append(Exchange(moves, safety, rng.choice(others)))
    return found


def other_exchanges(hand: HandPlayed, rng: random.Random, count: int) -> list[Exchange]:
    """Between hands, between a hand and the pile, within the pile."""
    found = []
    for _ in range(count):
        moves = rng.randrange(len(hand.states) - 1)
        where = places(hand.states[moves])
        groups = [held for held in (*where.hands, where.pile) if held]
        first, second = (rng.choice(rng.choice(groups)) for _ in range(2))
        if hand.deck[first] is not hand.deck[second]:
            found.append(Exchange(moves, first, second))
    return found


def check(hand: HandPlayed, exchange: Exchange) -> bool:
    """Was there a viewer, and a world, to check it for?"""
    moves, first, second = exchange
    deck = exchanged(hand.deck, first, second)
    made = [(step.seat, step.move) for step in hand.steps]
    other = list(replayed(hand, deck, made))
    if len(other) <= moves:  # a house rule may forbid a discard in that world
        return False
    held = places(hand.states[moves]).hands
    blind = [s for s, own in enumerate(held) if first not in own and second not in own]
    viewers: list[int | None] = [None, *blind]
    for viewer in viewers:
        for moment in {0, moves // 2, moves}:
            assert view(hand.states[moment], viewer) == view(other[moment], viewer)
    assert awaited_seats(hand.states[moves]) == awaited_seats(other[moves])
    check_records(hand, exchange, deck, viewers[-1])
    check_on(hand, exchange, deck, viewers)
    return True


def check_records(
    hand: HandPlayed, exchange: Exchange, deck: tuple[Card, ...], viewer: int | None
) -> None:
    """The export for the viewer is identical."""
    if isinstance(hand.states[exchange.moves].awaiting, Deal | Over):
        return
    other = hand._replace(deck=deck)
    texts = [
        game.to_text(cut_game(recorded((world,), exchange.moves, seed=seed), viewer))
        for world, seed in ((hand, "one"), (other, "two"))
    ]
    assert texts[0] == texts[1]


def check_on(
    hand: HandPlayed, exchange: Exchange, deck: tuple[Card, ...], viewers: list[int | None]
) -> None:
    """The same moves go on giving the same events, until a card is drawn by the viewer."""
    moves, first, second = exchange
    match, _ = deal_cards(hand.start, deck)
    for number, step in enumerate(hand.steps):
        if number >= moves and why_not(match, step.seat, step.move) is not None:
            return
        drawn = len(places(step.before).pile)
        match, events = apply(match, step.seat, step.move)
        if number < moves:
            continue
        position = len(deck) - drawn
        for ours, theirs in zip(step.events, events, strict=True):
            if isinstance(ours, Drawn):
                if position in (first, second):
                    viewers = [viewer for viewer in viewers if viewer != ours.seat]
                position += 1
            for viewer in viewers:
                assert cut(ours, viewer) == cut(theirs, viewer)
    for viewer in viewers:
        assert view(hand.final, viewer) == view(match, viewer)


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_exchanging_hidden_cards_changes_nothing_that_a_viewer_sees(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    start = data.draw(starts(table))
    style = STYLES[data.draw(st.sampled_from(["ambush", "asleep", "fight", "even"]))]
    seed = data.draw(st.integers(0, 2**32 - 1))
    hand = play_hand(start, Driver(seed, style))
    rng = random.Random(seed)
    in_windows = safety_exchanges(hand, rng)
    assume(in_windows)
    in_windows = rng.sample(in_windows, min(4, len(in_windows)))
    safeties = sum(check(hand, exchange) for exchange in in_windows)
    others = other_exchanges(hand, rng, 2 * safeties)
    others_made = sum(check(hand, exchange) for exchange in others)
    assert 3 * safeties >= safeties + others_made


@every_table
@given(data=st.data())
@settings(max_examples=6)
def test_a_decline_of_one_partner_shows_in_nobody_elses_view(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    for match in hand.states:
        if not isinstance(match.awaiting, Window) or len(match.awaiting.open_to) < 2:
            continue
        for seat in match.awaiting.open_to:
            after, events = apply(match, seat, Decline())
            assert events == ()
            for viewer in (None, *range(match.players)):
                if viewer != seat:
                    assert view(after, viewer) == view(match, viewer)
            assert view(after, seat).legal_moves == ()
            assert view(match, seat).legal_moves != ()
