"""Every card is in exactly one place at all times."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import Card, Edition, Match
from millebornes.rules.cards import DISTANCES, SAFETIES
from millebornes.rules.events import Countered, Dealt, Discarded, Drawn, Event, Expired, Played
from tests.strategies import Table, copies_of, every_table, matches


class Ledger:
    """Where each card is, according to the events alone."""

    def __init__(self, edition: Edition, players: int) -> None:
        self.whole = Counter(copies_of(edition, players))
        self.sides = edition.sides_at(players)

    def note(self, event: Event) -> None:
        match event:
            case Dealt(_, _, hands, pile):
                self.hands = [list(held) for held in hands]
                self.pile = self.whole - Counter(card for held in hands for card in held)
                assert self.pile.total() == pile
                self.discard: list[Card] = []
                self.tableaux: list[dict[str, list[Card]]] = [
                    {name: [] for name in ("battle", "speed", "distance", "safeties", "auto")}
                    for _ in range(self.sides)
                ]
            case Drawn(seat, card):
                assert self.pile[card] > 0
                self.pile[card] -= 1
                self.hands[seat].append(card)
            case Discarded(seat, card):
                self.hands[seat].remove(card)
                self.discard.append(card)
            case Played(seat, card, side, cleared):
                self.hands[seat].remove(card)
                self.clear(side, cleared)
                self.tableaux[side][_pile_of(card)].append(card)
            case Countered(seat, card, _, _, cleared):
                self.hands[seat].remove(card)
                self.clear(seat % self.sides, cleared)
                self.tableaux[seat % self.sides]["safeties"].append(card)
            case Expired(side):
                self.clear(side, (Card.AUTO,))
            case _:
                pass

    def clear(self, side: int, cards: tuple[Card, ...]) -> None:
        """These cards go from the top of their piles to the discard."""
        for card in cards:
            assert self.tableaux[side][_pile_of(card)].pop() is card
            self.discard.append(card)

    def check_nothing_is_lost(self) -> None:
        held = [card for hand in self.hands for card in hand]
        laid = [card for piles in self.tableaux for pile in piles.values() for card in pile]
        assert self.pile + Counter(held) + Counter(laid) + Counter(self.discard) == self.whole

    def check_agrees(self, match: Match) -> None:
        hand = match.hand
        assert hand is not None
        assert hand.hands == tuple(map(tuple, self.hands))
        assert Counter(hand.pile) == +self.pile
        assert hand.discard == tuple(self.discard)
        for tableau, piles in zip(hand.tableaux, self.tableaux, strict=True):
            assert tableau.battle == tuple(piles["battle"])
            assert tableau.speed == tuple(piles["speed"])
            assert tableau.distance == tuple(piles["distance"])
            assert tableau.safeties == tuple(piles["safeties"])
            assert (tableau.autoroute is not None) == (piles["auto"] == [Card.AUTO])
            assert len(piles["auto"]) <= 1
            assert set(tableau.crosswise) <= set(tableau.safeties)


def _pile_of(card: Card) -> str:
    if card in (Card.LIM, Card.EOL):
        return "speed"
    if card in DISTANCES:
        return "distance"
    if card in SAFETIES:
        return "safeties"
    return "auto" if card is Card.AUTO else "battle"


@every_table
@given(data=st.data())
@settings(max_examples=12)
def test_every_card_is_in_exactly_one_place_after_every_event(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    played = data.draw(matches(table))
    start = played[0].start
    ledger = Ledger(start.edition, start.players)
    for hand in played:
        moves = [(hand.events, hand.dealt), *((s.events, s.after) for s in hand.steps)]
        for events, after in moves:
            for event in events:
                ledger.note(event)
                ledger.check_nothing_is_lost()
            ledger.check_agrees(after)


@every_table
@given(data=st.data())
@settings(max_examples=8)
def test_the_history_is_every_event_of_the_hand_in_order(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    for hand in data.draw(matches(table)):
        told = hand.events
        assert hand.dealt.hand is not None
        assert hand.dealt.hand.history == told
        for step in hand.steps:
            told += step.events
            assert step.after.hand is not None
            assert step.after.hand.history == told
