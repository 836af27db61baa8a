"""Weighs every move by what the seat can see, and makes the one with the highest sum.

The features of a move are computed in `weighing`, and named in `features`. Their weights are
integers, made by `millebornes.training`. Every seat has its own weights, which are the same
unless a training run sets others.
"""

from millebornes.fast.kernel.compiling import inner
from millebornes.fast.kernel.constants import (
    COUP_FOURRE,
    EXTEND,
    FINISH,
    ONE,
    TURN,
    WINDOW,
    ZERO,
    U,
)
from millebornes.fast.kernel.play import held_kinds, legal_discards, legal_plays
from millebornes.fast.packing import (
    KIND,
    MOST_CARDS,
    MOST_SEATS,
    STATUSES,
    Record,
    kinds,
    safeties_of,
    statuses,
)
from millebornes.rules import Edition, Match
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.cards import ALL_CARDS, HAZARDS_OF, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.rules.cards import MILES as MILES_OF
from millebornes.rules.state import HAND_SIZE, Tableau

from .features import FEATURES, GROUP_OF, WEIGHTS
from .sight import CURE_ROLLS, ROLLS, SLOWED, STOPPED
from .weighing import best_of
from .weights import set_for, weights_of, weights_record

__all__ = [
    "FEATURES",
    "TABLES",
    "WEIGHTS",
    "best_of",
    "choose",
    "fill",
    "weights_record",
]

TABLES = [
    ("weights", WEIGHTS, (MOST_SEATS,)),
    ("state", "u8", (STATUSES,)),  # bits: ROLLS, SLOWED, STOPPED, CURE_ROLLS
    ("cures", "u8", (STATUSES,)),  # safeties that would cure the active hazard
    ("starts", "u8", (STATUSES,)),  # safeties after which the car could drive at once
    ("needs", "u8", (STATUSES,)),  # remedies, Roll and End of Limit that it takes to drive freely
    ("spared", "u8", (16,)),  # by your safeties on the table: cards no longer needed
    ("exact", "u8", (64,)),  # by miles in 25s: the distance card of that length
    ("miles", "i8", (len(ALL_CARDS),)),  # by kind, in 25s
    ("copies", "i8", (len(ALL_CARDS),)),  # by kind: cards in the deck
    ("group", "u8", (len(ALL_CARDS),)),  # by kind: see `features.GROUPS`
    ("risk", "i8", (MOST_CARDS,)),  # by cards left: chance that one side holds an unseen card
    ("late", "u8"),  # with fewer cards left to draw, the hand is about to end
]


ANSWERS = (ONE << EXTEND) | (ONE << FINISH)


def fill(tables: Record, match: Match) -> None:
    """Fill the tables."""
    edition, players = match.edition, match.players
    tables["weights"] = weights_record(weights_of(set_for(players, match.sides)))
    for status, tableau in statuses():
        _fill_status(tables, status, tableau, edition)
    for bits in range(16):
        spared = {
            REMEDY_OF[hazard] for safety in safeties_of(bits) for hazard in HAZARDS_OF[safety]
        }
        if not edition.row_replaces_roll:
            spared.discard(Card.ROLL)
        tables["spared"][bits] = kinds(*spared)
    for card, miles in MILES_OF.items():
        tables["exact"][miles // 25] = kinds(card)
        tables["miles"][KIND[card]] = miles // 25
    for card in edition.deck(players):
        tables["copies"][KIND[card]] += 1
    for kind, group in GROUP_OF.items():
        tables["group"][kind] = group
    held = HAND_SIZE * players // match.sides
    for left in range(MOST_CARDS):
        tables["risk"][left] = 64 * held // (left + HAND_SIZE * (players - 1))
    tables["late"] = 3 * players


def _fill_status(tables: Record, status: int, tableau: Tableau, edition: Edition) -> None:
    """What a car in this status is, and what would help it."""
    hazard, rolls = active_hazard(tableau), is_rolling(tableau, edition)
    cured = tableau._replace(battle=(Card.REP,)) if hazard is not Card.STOP else tableau
    state, needs = U(0), set[Card]()
    if rolls:
        state |= ROLLS
    if is_limited(tableau):
        state |= SLOWED
        needs.add(Card.EOL)
    if hazard is not None:
        state |= STOPPED
        needs.add(REMEDY_OF[hazard])
        if is_rolling(cured, edition):
            state |= CURE_ROLLS
        else:
            needs.add(Card.ROLL)
    elif not rolls:
        needs.add(Card.ROLL)
    tables["state"][status] = state
    tables["needs"][status] = kinds(*needs)
    tables["cures"][status] = kinds(SAFETY_OF[hazard]) if hazard is not None else 0
    tables["starts"][status] = 0 if rolls else kinds(*_starting(tableau, edition))


def _starting(tableau: Tableau, edition: Edition) -> set[Card]:
    """The safeties that let a standing car drive at once."""
    found = set()
    for safety in SAFETIES - set(tableau.safeties):
        shown = tableau._replace(safeties=(*tableau.safeties, safety))
        lifts = edition.safety_restores_roll or (
            edition.right_of_way_discards and safety is Card.ROW
        )
        # A hazard that is discarded has most likely hit a rolling car.
        if (lifts and active_hazard(tableau) in HAZARDS_OF[safety]) or is_rolling(shown, edition):
            found.add(safety)
    return found


@inner
def choose(game, rules):
    """The move with the highest sum; always calls a coup fourré."""
    if game.awaiting == WINDOW:
        return COUP_FOURRE
    plays, discards, answers = ZERO, ZERO, ANSWERS
    if game.awaiting == TURN:
        held = held_kinds(game.hand[game.seat])
        plays = legal_plays(game, rules, game.seat, held)
        discards = legal_discards(game, rules, held, plays)
        answers = ZERO
    return best_of(game, rules, rules.commuter.weights[game.seat], plays, discards, answers)[0]
