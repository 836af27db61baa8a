"""How a game is packed into integers: the position of every bit, and the records.

Kinds of cards are numbers from 0 to 19, in the canonical order of the deck.

- A **hand** counts each kind in three bits: nobody ever holds more than seven cards. A set of
  kinds has the same shape, with the lowest bit of each three.
- A **car** is one word for everything visible in front of a side. Its low bits (`STATUS`)
  determine what may be played there, so that legality is one table lookup; its high bits are
  the distance. **accepts** is the result of that lookup, a set of kinds, kept until the car
  changes.
- **under** holds the battle cards below the top, three bits each, as long as they can become
  the top again: only hazards are ever removed, so nothing below a Roll or a remedy matters.
- **laid** counts the cards in front of a side, four bits per kind: one word for each side and
  one, the last, for the discard pile. It affects no rule; it only records where every card is.

A **move** is a number below 128. Playing a card is its bit in the set of plays: own cards at
`3 * kind`, a hazard on the n-th opponent to the left at `3 * kind + TARGET_SHIFT[n]`, which
falls on bits that own cards leave free. Discarding is `DISCARD + 3 * kind`. The answers are the
four numbers that no play uses.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from millebornes.rules.cards import ALL_CARDS, HAZARDS, MILES, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.rules.score_sheet import ScoreSheet
from millebornes.rules.state import Autoroute, Tableau

__all__ = [
    "AUTOROUTE",
    "AUTOROUTE_PLAYED",
    "AWAIT_DEAL",
    "AWAIT_EXTENSION",
    "AWAIT_OVER",
    "AWAIT_TURN",
    "AWAIT_WINDOW",
    "COUP_FOURRE",
    "CROSSWISE",
    "DECLINE",
    "DISCARD",
    "DISCARDED",
    "DISTANCE",
    "EXTEND",
    "FINISH",
    "GAME",
    "KIND",
    "LIMITS",
    "LINES",
    "MOST_CARDS",
    "MOST_SEATS",
    "MOVES",
    "NO_CARD",
    "PARTNER",
    "PLAIN",
    "REMEDY",
    "REMEDY_ORDER",
    "RESULT",
    "RULES_FIELDS",
    "SAFETY",
    "SAFETY_ORDER",
    "SAFETY_PLAYED",
    "STATUSES",
    "TARGET_SHIFT",
    "TOP_OF",
    "TURNS",
    "Record",
    "kinds",
    "safeties_of",
    "statuses",
]

MOST_SEATS = 8
MOST_CARDS = 112
"""At least the size of any deck."""

NO_CARD = 255
"""In a deck: a card that was drawn before, in unknown order."""

LINES = len(ScoreSheet._fields)

KIND = {card: number for number, card in enumerate(ALL_CARDS)}

# The word of a car. Its lowest three bits: the top of the battle pile (see `TOP_OF`).
SAFETY = 3
"""Four bits from here: Driving Ace, Extra Tank, Puncture-Proof, Right of Way on the table."""
AUTOROUTE = 7
"""Set while an Autoroute protects the side."""
LIMITS = 8
"""Three bits from here: number of Speed Limits on top of the speed pile."""
STATUSES = 1 << 11
"""The number of combinations of the above, which determine legality."""
REMEDY = 11
"""Two bits from here: the last remedy played, because all three share one top."""
CROSSWISE = 13
"""Four bits from here: safeties played as a coup fourré."""
TURNS = 17
"""Two bits from here: turns that must end before the Autoroute does."""
PARTNER = 19
"""Set if the second seat of the side played that Autoroute."""
DISTANCE = 20
"""Three bits from here for the number of 200s, then six for the miles in 25s."""

TOP_OF: dict[Card | None, int] = {
    None: 0,
    Card.ROLL: 1,
    Card.ACC: 2,
    Card.OUT: 3,
    Card.FLAT: 4,
    Card.STOP: 5,
    Card.REP: 6,
    Card.GAS: 6,
    Card.SPARE: 6,
}
SAFETY_ORDER = (Card.ACE, Card.TANK, Card.PROOF, Card.ROW)
REMEDY_ORDER = (Card.REP, Card.GAS, Card.SPARE)
"""The bit of each safety, and the number of each remedy."""

DISCARDED = MOST_SEATS
"""The index of the discard pile in `laid`."""

# Moves without a card of the hand: numbers above the last play.
COUP_FOURRE, DECLINE, EXTEND, FINISH = 60, 61, 62, 63
DISCARD = 64
MOVES = 128
"""Every move is a number below this; most of them stand for no move."""
TARGET_SHIFT = (0, 1, 2, 16, 17, 31, 32)
"""How far the hazards for each opponent are shifted within the set of plays."""

PLAIN, SAFETY_PLAYED, AUTOROUTE_PLAYED = range(3)
"""What a play does besides moving the card."""

AWAIT_TURN, AWAIT_WINDOW, AWAIT_EXTENSION, AWAIT_DEAL, AWAIT_OVER = range(5)


def kinds(*cards: Card) -> int:
    """A set of kinds: the lowest bit of the three of each."""
    return sum(1 << 3 * KIND[card] for card in cards)


def safeties_of(bits: int) -> tuple[Card, ...]:
    """The safeties that four bits stand for."""
    return tuple(safety for place, safety in enumerate(SAFETY_ORDER) if bits >> place & 1)


def statuses() -> Iterator[tuple[int, Tableau]]:
    """Every status that a car can have, with a tableau that has it."""
    tops = {top: card for card, top in TOP_OF.items()}
    choices = (tops.items(), range(16), (False, True), range(5))
    for (top, card), shown, protected, limits in product(*choices):
        status = top | shown << SAFETY | limits << LIMITS
        yield (
            status | protected << AUTOROUTE,
            Tableau(
                battle=() if card is None else (card,),
                speed=(Card.LIM,) if limits else (),
                safeties=safeties_of(shown),
                autoroute=Autoroute(0, 1) if protected else None,
            ),
        )


assert [KIND[card] for card in (Card.ACC, Card.OUT, Card.FLAT, Card.STOP)] == [5, 6, 7, 8]
assert all(TOP_OF[card] + 3 == KIND[card] for card in HAZARDS - {Card.LIM})
assert sorted(KIND[card] for card in MILES) == [0, 1, 2, 3, 4]
assert sorted(KIND[card] for card in SAFETIES) == [15, 16, 17, 18]
assert KIND[SAFETY_OF[Card.LIM]] == 18
assert all(
    KIND[SAFETY_OF[card]] - KIND[REMEDY_OF[card]] == (4 if card is Card.LIM else 5)
    for card in HAZARDS
)

GAME = np.dtype(
    [
        ("hand", "u8", (MOST_SEATS,)),
        ("car", "u8", (MOST_SEATS,)),
        ("accepts", "u8", (MOST_SEATS,)),  # the kinds that may be laid there
        ("under", "u8", (MOST_SEATS,)),
        ("laid", "u8", (MOST_SEATS + 1,)),
        # The `left` cards not drawn yet, then the drawn cards, the first drawn last.
        ("deck", "u1", (MOST_CARDS,)),
        ("left", "u8"),
        ("lazy", "u8"),  # 1: draw any of the cards left; 0: draw the last of them
        ("rng", "u8"),
        ("chance", "u8"),  # the random number of the next draw and decision
        ("source", "u8"),  # the seed of the hands of this match
        ("index", "u8"),  # of the next match played here
        ("trip", "u8"),  # miles of the trip, in 25s
        ("awaiting", "u8"),
        ("seat", "u8"),  # who decides; after the hand: the next dealer
        ("attacker", "u8"),
        ("victim", "u8"),  # the side attacked
        ("hazard", "u8"),
        ("began_empty", "u8"),
        ("caller", "i8"),  # side, or -1
        ("completed", "i8"),  # side, or -1
        ("winner", "i8"),  # side that won the match, or -1
        ("dealer", "u8"),
        ("number", "u8"),  # of the hand in the match
        ("decisions", "u8"),  # plays and discards of this hand
        # The number of each seat's policy, if the kernel plays. Not an argument, because Numba
        # counts references to arrays that are passed on.
        ("policy", "u8", (MOST_SEATS,)),
        ("hidden", "u8", (MOST_SEATS,)),  # number of hidden cards in each hand, still to be dealt
        ("declined", "u8"),  # bit mask of the seats that have declined
        ("forward", "i8", (MOST_SEATS,)),
        ("total", "i8", (MOST_SEATS,)),
        ("sheet", "i4", (MOST_SEATS, LINES)),
    ],
    align=True,
)
"""One game."""

RULES_FIELDS = [
    ("status", "u8", (STATUSES,)),  # what its owner may play, and what others may play on it
    ("reach", "u8", (2, 512)),  # distances that fit the trip, and all other cards
    ("side_of", "u8", (2 * MOST_SEATS,)),  # by seat: its side; by seat plus a target: that side
    ("next_seat", "u8", (MOST_SEATS,)),
    ("partner", "u8", (MOST_SEATS,)),  # by side: its second seat, or its only one
    ("shift", "u8", (MOST_SEATS,)),  # by opponent, counted to the left: TARGET_SHIFT
    ("kind", "u8", (MOVES,)),  # by move: the kind of its card
    ("card", "u8", (MOVES,)),  # by move: one such card in a hand
    ("target", "u8", (MOVES,)),  # by move: the target, in sides to the left; 0 is your own
    ("keep", "u8", (MOVES,)),  # by move: bits of the car that stay
    ("add", "u8", (MOVES,)),  # by move: what to add to them
    ("laid", "u8", (MOVES,)),  # by move: what to add to `laid`
    ("push", "u8", (MOVES,)),  # by move: how far it pushes `under`
    ("pushed", "u8", (MOVES,)),  # by move: bits of the car that go there
    ("answer", "u8", (MOVES,)),  # by move: the three bits of the safety that answers it in a hand
    ("special", "u8", (MOVES,)),  # by move: PLAIN, SAFETY_PLAYED or AUTOROUTE_PLAYED
    ("deck", "u1", (MOST_CARDS,)),
    ("size", "u8"),
    ("players", "u8"),
    ("sides", "u8"),
    ("trip", "u8"),
    ("extension", "u8"),
    ("right_of_way_discards", "u8"),
    ("safety_restores_roll", "u8"),
    ("replay_on_empty_pile", "u8"),
    ("must_play_out", "u8"),
    ("third_party", "u8"),
    ("autoroute_is_safety", "u8"),
    ("most_miles_wins", "u8"),
    ("delayed_needs_empty_start", "u8"),
    ("shut_out", "u8"),
    ("if_caller", "u8"),
    ("if_other", "u8"),
    ("if_nobody", "u8"),
    ("tie_is_drawn", "u8"),
    ("dealer_rotates", "u8"),
    ("target_points", "i8"),
    ("hands", "i8"),
    ("points", "i4", (LINES,)),  # in the order of the score sheet; miles by 25s
]
"""The rules of one edition for one number of players; the tables of the policies follow them
(see `tables.RULES`)."""

RESULT = np.dtype(
    [
        ("hands", "i4"),
        ("decisions", "i4"),
        ("extended", "i4"),
        ("extension_made", "i4"),
        ("winner", "i4"),  # the leading side at the end, or -1
        ("completed", "i4", (MOST_SEATS,)),
        ("coups_fourres", "i4", (MOST_SEATS,)),
        ("shut_outs", "i4", (MOST_SEATS,)),  # hands in which it scored points
        ("total", "i4", (MOST_SEATS,)),
        ("lines", "i4", (MOST_SEATS, LINES)),
    ],
    align=True,
)
"""The result of one hand, or of all hands of a match together."""

Record = Any
"""A packed record; NumPy has no more precise type for it."""
