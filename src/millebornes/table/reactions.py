"""Bots react with an emote, now and then, to what everybody saw. Pure functions.

Nothing here gets a table or a match: only events as a spectator sees them, and public facts. So no
reaction can depend on anybody's hand, least of all the bot's own.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from millebornes.rules.cards import HAZARDS
from millebornes.rules.events import Countered, Dealt, HandEnded, MatchEnded, Passed, Played

from .messages_out import BotEmoted, Told

__all__ = ["PublicFacts", "Reacted", "reaction"]

BOT_RESTS = 16
"""How many decisions a bot lets pass before it reacts again."""
TABLE_RESTS = 6
"""How many decisions all bots let pass after one has reacted."""
MOST_PER_HAND = 3
"""How often the bots of a table react in one hand, besides at its end."""


class Reacted(NamedTuple):
    """A reaction in this hand: whose, and at which decision."""

    seat: int
    decision: int


class PublicFacts(NamedTuple):
    """What everybody at the table knows, besides what happened."""

    bots: Mapping[int, str]
    """The seats of the bots, and their names."""
    sides: int
    attacker: int | None
    """Who made the attack that was being answered."""
    is_window_open: bool
    """Whether an attack can be answered now, so that it has not hit anybody yet."""
    is_first_hand: bool
    seq: int
    decision: int
    reacted: tuple[Reacted, ...]


class _Occasion(NamedTuple):
    """What could be said, by whom, and how seldom: once in so many times."""

    emote: str
    seats: Sequence[int]
    once_in: int = 1
    is_farewell: bool = False
    """At the end of a match, no bot has to rest."""


def reaction(happened: Sequence[object], facts: PublicFacts) -> BotEmoted | None:
    """The reaction of one bot to events as a spectator sees them; None, far more often."""
    # The latest event counts: the end of a match says more than the end of its last hand.
    found = (_occasion(event, facts) for event in reversed(happened))
    occasion = next((one for one in found if one is not None), None)
    if occasion is None:
        return None
    seats = [seat for seat in occasion.seats if occasion.is_farewell or _is_rested(seat, facts)]
    # No chance: a log that is replayed gives the same reactions.
    number = crc32(f"{facts.seq} {facts.decision}".encode())
    if not seats or number % occasion.once_in:
        return None
    seat = seats[number // occasion.once_in % len(seats)]
    return BotEmoted(seat, facts.bots[seat], occasion.emote)


def _occasion(event: object, facts: PublicFacts) -> _Occasion | None:
    bots, attacker = facts.bots, facts.attacker

    def on_side(side: int) -> list[int]:
        return [seat for seat in bots if seat % facts.sides == side]

    match event:
        case Dealt() if facts.is_first_hand:
            return _Occasion("hello", list(bots))
        case Played(seat, card, side) if card in HAZARDS and not facts.is_window_open:
            return _hit(on_side(side), seat, facts)
        case Passed(side):
            return _hit(on_side(side), attacker, facts)
        case Countered(seat):
            if seat in bots:
                return _Occasion("haha", [seat], once_in=2)
            if attacker is not None and attacker in bots:
                return _Occasion("bravo", [attacker])
        case HandEnded(int() as side):
            others = [seat for seat in bots if seat % facts.sides != side]
            return _Occasion("bravo", others, once_in=2)
        case MatchEnded(_, winner):
            won = list(bots) if winner is None else on_side(winner)
            return _Occasion("thanks" if won else "bravo", won or list(bots), is_farewell=True)
        case Told("left", _, int()):
            return _Occasion("bye", list(bots))
    return None


def _hit(hit: list[int], attacker: int | None, facts: PublicFacts) -> _Occasion | None:
    if hit:
        return _Occasion("ouch", hit, once_in=4)
    if attacker is not None and attacker in facts.bots:
        return _Occasion("sorry", [attacker], once_in=6)
    return None


def _is_rested(seat: int, facts: PublicFacts) -> bool:
    if len(facts.reacted) >= MOST_PER_HAND:
        return False
    return all(
        facts.decision - earlier.decision > (BOT_RESTS if earlier.seat == seat else TABLE_RESTS)
        for earlier in facts.reacted
    )
