"""The rules of an edition as lookup tables for the kernel.

Legality is not stated again here: each table asks the readable rules about every situation it
has a row for.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from millebornes.rules import Edition, Match, Play, legal_moves, new_match
from millebornes.rules.cards import (
    ALL_CARDS,
    DISTANCES,
    HAZARDS,
    MILES,
    REMEDIES,
    SAFETIES,
    SAFETY_OF,
    Card,
)
from millebornes.rules.edition import EXTENDED_TRIP
from millebornes.rules.score_sheet import POINTS_RULES, ScoreSheet
from millebornes.rules.state import Hand, Tableau, Turn

from . import packing
from .kernel import policies
from .kernel.policies import commuter
from .packing import (
    AUTOROUTE_PLAYED,
    DISCARD,
    KIND,
    MOST_SEATS,
    PLAIN,
    REMEDY_ORDER,
    RULES_FIELDS,
    SAFETY_ORDER,
    SAFETY_PLAYED,
    TARGET_SHIFT,
    TOP_OF,
    Record,
    kinds,
    statuses,
)

__all__ = ["RULES", "rules_for", "with_weights"]

RULES = np.dtype([*RULES_FIELDS, *policies.TABLES], align=True)
"""The rules of one edition for one number of players, and the tables of every policy."""

_SHUT_OUTS = ("all", "each", "any")
_TO_CALLER = ("nobody", "caller")
_TO_OTHERS = ("nobody", "each_opponent", "completer")

_ALL_BITS = (1 << 64) - 1


@lru_cache(maxsize=64)
def rules_for(edition: Edition, players: int, *, short_trip: bool = False) -> NDArray[np.void]:
    """The tables of an edition for one number of players: an array of one record."""
    match = new_match(edition, players, short_trip=short_trip)
    rules = np.zeros(1, RULES)
    _fill_moves(rules[0])
    _fill_status(rules[0], edition)
    _fill_reach(rules[0], edition, match.trip)
    _fill_seats(rules[0], players, match.sides)
    _fill_values(rules[0], match)
    policies.fill_tables(rules[0], match)
    rules.flags.writeable = False
    return rules


def with_weights(rules: NDArray[np.void], weights: Sequence[Mapping[str, int]]) -> NDArray[np.void]:
    """The same tables with other weights of the policy `commuter`: by seat, repeated in turn."""
    changed = rules.copy()
    for seat in range(MOST_SEATS):
        record = commuter.weights_record(weights[seat % len(weights)])
        changed[0]["commuter"]["weights"][seat] = record[0]
    changed.flags.writeable = False
    return changed


# Legality


def _plays(edition: Edition, own: Tableau, trip: int, seat: int) -> set[Play]:
    """What one of two seats may play if it holds every card; `own` is the tableau of seat 0."""
    hand = Hand(1, 0, (ALL_CARDS, ALL_CARDS), (Card.D25,), (), (own, Tableau()), trip)
    match = Match(edition, 2, trip, (0, 0), Turn(seat), hand)
    return {move for move in legal_moves(match, seat) if isinstance(move, Play)}


def _fill_status(rules: Record, edition: Edition) -> None:
    rows: dict[Tableau, int] = {}
    for status, tableau in statuses():
        if tableau not in rows:
            rows[tableau] = _row(edition, tableau)
        rules["status"][status] = rows[tableau]


def _row(edition: Edition, own: Tableau) -> int:
    """What the owner may play on its own side, and which hazards others may play there."""
    row = 0
    for play in _plays(edition, own, EXTENDED_TRIP, 0):
        if play.card not in HAZARDS:
            row |= kinds(play.card)
    for play in _plays(edition, own, EXTENDED_TRIP, 1):
        if play.onto == 0:
            row |= kinds(play.card)
    # The number of 200s allowed depends on the distance.
    if row & kinds(Card.D100):
        row |= kinds(Card.D200)
    return row


def _fill_reach(rules: Record, edition: Edition, trip: int) -> None:
    others = kinds(*set(ALL_CARDS) - DISTANCES)
    for far, miles_of_trip in enumerate((trip, EXTENDED_TRIP)):
        for miles in range(0, miles_of_trip, 25):
            for count in range(min(4, miles // 200) + 1):
                distance = (Card.D200,) * count + (Card.D25,) * ((miles - 200 * count) // 25)
                own = Tableau(battle=(Card.ROLL,), distance=distance)
                row = others
                for play in _plays(edition, own, miles_of_trip, 0):
                    if play.card in MILES:
                        row |= kinds(play.card)
                rules["reach"][far, miles // 25 << 3 | count] = row


# Effects of moves


def _fill_moves(rules: Record) -> None:
    for card in ALL_CARDS:
        kind = KIND[card]
        discard = DISCARD + 3 * kind
        rules["kind"][discard] = kind
        rules["card"][discard] = kinds(card)
        rules["laid"][discard] = _counted(card)
        if card not in HAZARDS:
            _fill_play(rules, 3 * kind, card, 0)
        else:
            for slot in range(MOST_SEATS - 1):
                _fill_play(rules, 3 * kind + TARGET_SHIFT[slot], card, slot + 1)


def _fill_play(rules: Record, move: int, card: Card, target: int) -> None:
    rules["kind"][move] = KIND[card]
    rules["card"][move] = kinds(card)
    rules["target"][move] = target
    rules["laid"][move] = _counted(card)
    keep, add, special = _ALL_BITS, 0, PLAIN
    if card in HAZARDS:
        rules["answer"][move] = 7 * kinds(SAFETY_OF[card])
    if card in MILES:
        add = MILES[card] // 25 << 3 | (card is Card.D200)
        add <<= packing.DISTANCE
    elif card is Card.LIM:
        add = 1 << packing.LIMITS
    elif card is Card.EOL:
        keep &= ~(7 << packing.LIMITS)
    elif card in SAFETIES:
        add, special = 1 << packing.SAFETY + SAFETY_ORDER.index(card), SAFETY_PLAYED
    elif card is Card.AUTO:
        special = AUTOROUTE_PLAYED
    else:
        keep &= ~7
        add = TOP_OF[card]
        if card in HAZARDS:
            rules["push"][move], rules["pushed"][move] = 3, 7
        if card in REMEDIES:
            keep &= ~(3 << packing.REMEDY)
            add |= REMEDY_ORDER.index(card) << packing.REMEDY
    rules["keep"][move] = keep
    rules["add"][move] = add
    rules["special"][move] = special


def _counted(card: Card) -> int:
    """One such card in `laid`, which does not count safeties and Autoroutes."""
    return 0 if card in SAFETIES or card is Card.AUTO else 1 << 4 * KIND[card]


# Seats


def _fill_seats(rules: Record, players: int, sides: int) -> None:
    rules["side_of"] = np.arange(2 * MOST_SEATS) % sides
    rules["next_seat"] = (np.arange(MOST_SEATS) + 1) % players
    seats = [(side, side + sides) for side in range(MOST_SEATS)]
    rules["partner"] = [second if second < players else first for first, second in seats]
    rules["shift"][: len(TARGET_SHIFT)] = TARGET_SHIFT


# Values


def _fill_values(rules: Record, match: Match) -> None:
    edition, players = match.edition, match.players
    deck = [KIND[card] for card in edition.deck(players)]
    rules["deck"][: len(deck)] = deck
    rules["size"] = len(deck)
    rules["players"] = players
    rules["sides"] = match.sides
    rules["trip"] = match.trip // 25
    rules["extension"] = players in edition.extension_at
    rules["right_of_way_discards"] = edition.right_of_way_discards
    rules["safety_restores_roll"] = edition.safety_restores_roll
    rules["replay_on_empty_pile"] = edition.replay_on_empty_pile
    rules["must_play_out"] = edition.must_play_out
    rules["third_party"] = edition.coup_fourre_for_third_party
    rules["autoroute_is_safety"] = edition.autoroute_is_safety
    rules["most_miles_wins"] = edition.exhaustion_winner == "most_miles"
    rules["delayed_needs_empty_start"] = edition.delayed_action_needs_empty_start
    rules["shut_out"] = _SHUT_OUTS.index(edition.shut_out)
    rules["if_caller"] = _TO_CALLER.index(edition.extension_if_caller_completes)
    rules["if_other"] = _TO_OTHERS.index(edition.extension_if_other_completes)
    rules["if_nobody"] = _TO_OTHERS.index(edition.extension_if_nobody_completes)
    rules["tie_is_drawn"] = edition.tie == "drawn"
    rules["dealer_rotates"] = edition.dealer == "rotates"
    rules["target_points"] = edition.target
    rules["hands"] = edition.hands
    worth = {line: getattr(edition, rule) for line, rule in POINTS_RULES.items()}
    rules["points"] = ScoreSheet(miles=25, **worth)
