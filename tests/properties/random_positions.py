"""Random positions under random house rules, and the terms of the rules, read from the piles.

The positions need not be reachable: whatever can be set up, for a judge or a practice table, must
be explained truly. The terms are stated here a second time, in the words of the rulebook, so that
tests can compare what the program says with what lies on the table.
"""

import random
from collections.abc import Iterator

from millebornes.rules import EDITIONS, Edition, Match, new_match
from millebornes.rules.cards import Card
from millebornes.rules.edition import PLAYER_COUNTS
from millebornes.rules.state import (
    Autoroute,
    Awaiting,
    Deal,
    ExtensionChoice,
    Hand,
    Over,
    Tableau,
    Turn,
    Window,
)
from tests.fast.options import CHOICES

ANSWERS = {
    Card.ACC: (Card.REP, Card.ACE),
    Card.OUT: (Card.GAS, Card.TANK),
    Card.FLAT: (Card.SPARE, Card.PROOF),
    Card.STOP: (Card.ROLL, Card.ROW),
    Card.LIM: (Card.EOL, Card.ROW),
}
"""The remedy and the safety against each hazard."""
STOPPING = (Card.ACC, Card.OUT, Card.FLAT, Card.STOP)
LENGTHS = {Card.D25: 25, Card.D50: 50, Card.D75: 75, Card.D100: 100, Card.D200: 200}
SAFETIES = (Card.ACE, Card.TANK, Card.PROOF, Card.ROW)
_BATTLE = (*STOPPING, Card.ROLL, Card.REP, Card.GAS, Card.SPARE)
_HELD = (*LENGTHS, *ANSWERS, Card.REP, Card.GAS, Card.SPARE, Card.ROLL, Card.EOL, *SAFETIES)


def matches(count: int, seed: int) -> Iterator[Match]:
    """Random positions, the same for the same seed."""
    for number in range(count):
        yield _match(random.Random(f"{seed}/{number}"))


def house(rng: random.Random) -> Edition:
    """House rules with every option drawn at random."""
    overrides = {name: rng.choice(values) for name, values in CHOICES.items()}
    overrides["max_200s"] = rng.randrange(5)
    overrides["player_counts"] = list(PLAYER_COUNTS)
    overrides["trip"] = {str(n): rng.choice([500, 700, 975, 975]) for n in PLAYER_COUNTS}
    return rng.choice(list(EDITIONS.values())).house(overrides)


def _match(rng: random.Random) -> Match:
    start = new_match(house(rng), rng.choice([2, 2, 3, 4, 8]))
    displayed = {safety: rng.choice([None, None, *range(start.sides)]) for safety in SAFETIES}
    tableaux = [_tableau(rng, start, side, displayed) for side in range(start.sides)]
    is_early = rng.random() < 0.2
    if is_early:
        tableaux = [tableau._replace(distance=()) for tableau in tableaux]
    free = [safety for safety, side in displayed.items() if side is None]
    hands = [_hand(rng, free) for _ in range(start.players)]
    awaiting = _awaiting(rng, start, hands)
    if isinstance(awaiting, Turn) and not hands[awaiting.seat]:
        hands[awaiting.seat] = (rng.choice(_HELD),)
    if isinstance(awaiting, ExtensionChoice):
        side = start.side_of(awaiting.seat)
        tableaux[side] = tableaux[side]._replace(distance=(Card.D25,) * (start.trip // 25))
    pile = (Card.UNKNOWN,) * (40 if is_early else rng.choice([0, 0, 5, 40]))
    discard = tuple(rng.choices(list(ANSWERS), k=rng.choice([0, 0, 12])))
    hand = Hand(1, 0, tuple(hands), pile, discard, tuple(tableaux), start.trip)
    totals = tuple(25 * rng.randrange(100) for _ in range(start.sides))
    return start._replace(awaiting=awaiting, hand=hand, forward=totals)


def _tableau(
    rng: random.Random, match: Match, side: int, displayed: dict[Card, int | None]
) -> Tableau:
    distance: tuple[Card, ...] = ()
    lengths = rng.choice([list(LENGTHS), [Card.D200]])
    for card in rng.choices(lengths, k=rng.choice([0, 2, 3, 3, 8])):
        if sum(LENGTHS[laid] for laid in (*distance, card)) < match.trip:
            distance += (card,)
    is_protected = match.edition.autoroute_cards > 0 and rng.random() < 0.1
    return Tableau(
        battle=tuple(rng.choices(_BATTLE, k=rng.choice([0, 0, 1, 2, 3]))),
        speed=tuple(rng.choices([Card.LIM, Card.EOL], k=rng.choice([0, 0, 1, 2]))),
        distance=distance,
        safeties=tuple(safety for safety, at in displayed.items() if at == side),
        autoroute=Autoroute(side, 2) if is_protected else None,
    )


def _hand(rng: random.Random, free: list[Card]) -> tuple[Card, ...]:
    cards = rng.choices(_HELD, k=rng.choice([0, 1, 3, 6]))
    cards = [card for card in cards if card not in SAFETIES or card in free]
    if rng.random() < 0.2:
        cards.append(Card.D200)
    if rng.random() < 0.1:
        cards.append(Card.AUTO)
    if rng.random() < 0.2:
        cards.append(Card.UNKNOWN)
    return tuple(cards)


def _awaiting(rng: random.Random, match: Match, hands: list[tuple[Card, ...]]) -> Awaiting:
    seat = rng.randrange(match.players)
    chance = rng.random()
    if chance < 0.2:
        side = rng.choice([one for one in range(match.sides) if one != match.side_of(seat)])
        third = match.edition.coup_fourre_for_third_party
        may_answer = [
            one
            for one in range(match.players)
            if hands[one]
            and (match.side_of(one) != match.side_of(seat) if third else match.side_of(one) == side)
        ]
        if may_answer:
            declined = tuple(rng.sample(may_answer, rng.randrange(len(may_answer))))
            hazard = rng.choice(list(ANSWERS))
            return Window(seat, side, hazard, tuple(may_answer), tuple(sorted(declined)))
    elif chance < 0.25:
        return ExtensionChoice(seat)
    elif chance < 0.27:
        return Deal(seat)
    elif chance < 0.29:
        return Over(None)
    return Turn(seat)


# Terms of the rules


def top_of(tableau: Tableau) -> Card | None:
    return tableau.battle[-1] if tableau.battle else None


def stopped_by(tableau: Tableau) -> Card | None:
    """The hazard that stops the car: on top, and its safety not on the table."""
    top = top_of(tableau)
    if top in STOPPING and ANSWERS[top][1] not in tableau.safeties:
        return top
    return None


def rolls(edition: Edition, tableau: Tableau) -> bool:
    """May the car drive, as far as its battle pile and Right of Way say?"""
    top = top_of(tableau)
    by_row = Card.ROW in tableau.safeties and edition.row_replaces_roll
    if top is None:
        return edition.start_rolling or by_row
    if top in (Card.REP, Card.GAS, Card.SPARE):
        return edition.remedy_restores_roll or by_row
    return top is Card.ROLL or (by_row and stopped_by(tableau) is None)


def shows_limit(tableau: Tableau) -> bool:
    return tableau.speed[-1:] == (Card.LIM,)


def is_slowed(tableau: Tableau) -> bool:
    return shows_limit(tableau) and Card.ROW not in tableau.safeties


def can_land(edition: Edition, tableau: Tableau, hazard: Card) -> bool:
    """May opponents play this hazard on this side?"""
    if ANSWERS[hazard][1] in tableau.safeties or tableau.autoroute is not None:
        return False
    if hazard is Card.LIM:
        return edition.limit_on_limit or not shows_limit(tableau)
    if tableau.battle:
        return edition.battle_hazard_on == "started" or rolls(edition, tableau)
    if edition.start_rolling:
        return True
    can_be_hit = edition.battle_hazard_on == "started" or rolls(edition, tableau)
    return Card.ROW in tableau.safeties and edition.row_empty_attackable and can_be_hit


def can_play(match: Match, side: int, card: Card) -> bool:
    """May this side play this card now, somewhere?"""
    hand, edition = match.hand, match.edition
    assert hand is not None
    own = hand.tableaux[side]
    if card is Card.UNKNOWN:
        return False
    if card in ANSWERS:
        others = (tableau for other, tableau in enumerate(hand.tableaux) if other != side)
        return any(can_land(edition, tableau, card) for tableau in others)
    if card in LENGTHS:
        is_one_too_many = card is Card.D200 and own.distance.count(card) >= edition.max_200s
        is_too_fast = LENGTHS[card] > 50 and is_slowed(own)
        is_too_far = miles_of(own) + LENGTHS[card] > hand.trip
        return rolls(edition, own) and not (is_one_too_many or is_too_fast or is_too_far)
    if card is Card.ROLL:
        return not rolls(edition, own) and stopped_by(own) in (None, Card.STOP)
    if card is Card.EOL:
        return is_slowed(own)
    if card in (Card.REP, Card.GAS, Card.SPARE):
        hazard = stopped_by(own)
        return hazard is not None and ANSWERS[hazard][0] is card
    return True


def miles_of(tableau: Tableau) -> int:
    return sum(LENGTHS[card] for card in tableau.distance)
