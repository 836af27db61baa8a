"""Cards that become known when their holder shows them."""

from collections import Counter

from millebornes.rules.cards import Card
from millebornes.rules.state import Match

__all__ = ["may_be_held", "reveal"]


def reveal(match: Match, seat: int, card: Card) -> Match:
    """Replace a `?` in a hand by the card that its holder now shows."""
    hand = match.hand
    assert hand is not None
    held = hand.hands[seat] if seat < match.players else ()
    if card in held or Card.UNKNOWN not in held:
        return match
    place = held.index(Card.UNKNOWN)
    shown = (*held[:place], card, *held[place + 1 :])
    hands = (*hand.hands[:seat], shown, *hand.hands[seat + 1 :])
    return match._replace(hand=hand._replace(hands=hands))


def may_be_held(match: Match, card: Card) -> bool:
    """Can a `?` be this card? Not if every copy lies or is named somewhere else."""
    hand = match.hand
    assert hand is not None
    named = Counter((*hand.pile, *hand.discard))
    named.update(held for cards in hand.hands for held in cards)
    for tableau in hand.tableaux:
        named.update((*tableau.battle, *tableau.speed, *tableau.distance, *tableau.safeties))
        named[Card.AUTO] += tableau.autoroute is not None
    return named[card] < match.edition.deck(match.players).count(card)
