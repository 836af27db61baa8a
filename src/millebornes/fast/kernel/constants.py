"""The kernel's constants.

All integers, including constants, are unsigned 64-bit: Numba converts a mixture of unsigned and
signed integers to floats.
"""

import numpy as np

from millebornes.fast import packing
from millebornes.rules.cards import ALL_CARDS, Card
from millebornes.rules.cards import DISTANCES as DISTANCE_CARDS
from millebornes.rules.cards import HAZARDS as HAZARD_CARDS
from millebornes.rules.edition import EXTENDED_TRIP
from millebornes.rules.score_sheet import ScoreSheet
from millebornes.rules.state import HAND_SIZE

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR, SIX, SEVEN = U(0), U(1), U(2), U(3), U(4), U(6), U(7)
HALF = U(32)
LOW = U(0xFFFF_FFFF)
EACH = U(packing.kinds(*ALL_CARDS))
"""One bit of every kind."""
DISTANCES = U(packing.kinds(*DISTANCE_CARDS))
HAZARDS = U(packing.kinds(*HAZARD_CARDS))
BATTLE_HAZARDS = U(packing.kinds(*HAZARD_CARDS) - packing.kinds(Card.LIM))
SPEED_LIMIT = U(packing.kinds(Card.LIM))
CURES = U(packing.kinds(Card.REP, Card.GAS, Card.SPARE, Card.ROLL))
END_OF_LIMIT = U(packing.kinds(Card.EOL))
SAFETY_CARDS = U(packing.kinds(Card.ACE, Card.TANK, Card.PROOF, Card.ROW))
AUTOROUTE_CARD = U(packing.kinds(Card.AUTO))
BATTLE_ATTACKS = U(sum(int(BATTLE_HAZARDS) << shift for shift in packing.TARGET_SHIFT))
LIMIT_ATTACKS = U(sum(int(SPEED_LIMIT) << shift for shift in packing.TARGET_SHIFT))

TURN = U(packing.AWAIT_TURN)
WINDOW = U(packing.AWAIT_WINDOW)
EXTENSION = U(packing.AWAIT_EXTENSION)
DEAL = U(packing.AWAIT_DEAL)
OVER = U(packing.AWAIT_OVER)
COUP_FOURRE = U(packing.COUP_FOURRE)
DECLINE = U(packing.DECLINE)
EXTEND = U(packing.EXTEND)
FINISH = U(packing.FINISH)
DISCARD = U(packing.DISCARD)
MOVES = U(packing.MOVES)
DISCARDED = U(packing.DISCARDED)

STATUS = U(packing.STATUSES - 1)
SAFETY = U(packing.SAFETY)
AUTOROUTE = U(1 << packing.AUTOROUTE)
LIMITS = U(packing.LIMITS)
LIMITED = U(7 << packing.LIMITS)
CROSSWISE = U(packing.CROSSWISE)
TURNS = U(packing.TURNS)
ONE_TURN = U(1 << packing.TURNS)
ALL_TURNS = U(3 << packing.TURNS)
PARTNER = U(packing.PARTNER)
DISTANCE = U(packing.DISTANCE)
MILES = U(packing.DISTANCE + 3)
ROW = U(1 << packing.SAFETY + packing.SAFETY_ORDER.index(Card.ROW))

TOP_ACC, TOP_STOP = (U(packing.TOP_OF[card]) for card in (Card.ACC, Card.STOP))
KIND_ACC, KIND_STOP, KIND_LIM, KIND_ACE, KIND_ROW = (
    U(packing.KIND[card]) for card in (Card.ACC, Card.STOP, Card.LIM, Card.ACE, Card.ROW)
)
FULL_HAND = U(HAND_SIZE)
LINES = packing.LINES
LINE = ScoreSheet(*range(LINES))
"""The index of each line of the score sheet, by name."""

PLAIN = U(packing.PLAIN)
SAFETY_PLAYED = U(packing.SAFETY_PLAYED)

FAR = U(EXTENDED_TRIP // 25)
NOBODY = np.int64(-1)
END_TURN, NEXT, END_HAND, NOTHING = U(0), U(1), U(2), U(3)
"""How the game continues after a move; NEXT: the turn has already been counted."""
