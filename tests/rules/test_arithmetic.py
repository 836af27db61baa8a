"""Arithmetic to hold: the deck, the draw pile after the deal, and the highest possible hands."""

from collections import Counter

import pytest

from millebornes.rules import EDITIONS, deal, deal_cards, new_match
from millebornes.rules.cards import COPIES, MILES, Card
from millebornes.rules.events import Dealt, Drawn

from .referee import ALL, ARTICLE, DUJARDIN, ENCYCLOPEDIA, PARKER, WINNING_MOVES, Referee, editions

# (edition, players, cards in the deck, draw pile after the deal)
PILES = [
    (PARKER, 2, 101, 89),
    (PARKER, 3, 101, 83),
    (PARKER, 4, 106, 82),
    (PARKER, 6, 106, 70),
    (WINNING_MOVES, 2, 101, 89),
    (WINNING_MOVES, 3, 101, 83),
    (WINNING_MOVES, 4, 106, 82),
    (WINNING_MOVES, 6, 106, 70),
    (ARTICLE, 2, 101, 89),
    (ARTICLE, 3, 101, 83),
    (ARTICLE, 4, 106, 82),
    (ENCYCLOPEDIA, 2, 106, 94),
    (ENCYCLOPEDIA, 3, 106, 88),
    (ENCYCLOPEDIA, 4, 106, 82),
    (ENCYCLOPEDIA, 6, 106, 70),
    (DUJARDIN, 2, 110, 98),
    (DUJARDIN, 3, 110, 92),
    (DUJARDIN, 4, 110, 86),
    (DUJARDIN, 6, 110, 74),
    (DUJARDIN, 8, 110, 62),
]


def test_every_edition_and_player_count_has_its_row() -> None:
    rows = [(edition, players) for edition, players, _, _ in PILES]
    assert rows == [(name, n) for name, edition in EDITIONS.items() for n in edition.player_counts]


@pytest.mark.parametrize(("edition", "players", "size", "pile"), PILES)
def test_the_draw_pile_after_the_deal(edition: str, players: int, size: int, pile: int) -> None:
    match = new_match(EDITIONS[edition], players)
    deck = match.edition.deck(players)
    assert len(deck) == size
    match, events = deal_cards(match, deck)
    dealt, drawn = events
    assert isinstance(dealt, Dealt)
    assert dealt.pile == pile
    assert [len(cards) for cards in dealt.hands] == [6] * players
    # The player left of the dealer has drawn the first card of the pile.
    assert drawn == Drawn(1, deck[6 * players])
    assert match.hand is not None
    assert match.hand.pile == deck[6 * players + 1 :]


def test_forty_six_distance_cards_are_worth_3500_miles() -> None:
    assert sum(COPIES[card] for card in MILES) == 46
    assert sum(COPIES[card] * miles for card, miles in MILES.items()) == 3500


FULL = {
    "25": 10,
    "50": 10,
    "75": 10,
    "100": 12,
    "200": 4,
    "ACC": 3,
    "OUT": 3,
    "FLAT": 3,
    "STOP": 5,
    "LIM": 4,
    "REP": 6,
    "GAS": 6,
    "SPARE": 6,
    "ROLL": 14,
    "EOL": 6,
    "ACE": 1,
    "TANK": 1,
    "PROOF": 1,
    "ROW": 1,
}


@editions(*ALL)
def test_the_copies_of_every_card(edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.player_counts:
        expected = Counter(FULL)
        if edition == DUJARDIN:
            expected["AUTO"] = 4
        if edition in (PARKER, WINNING_MOVES, ARTICLE) and players <= 3:
            expected -= Counter(["STOP", "ACC", "OUT", "FLAT", "LIM"])
        assert Counter(card.value for card in rules.deck(players)) == expected


# The highest hand is played through. Seat 0 starts, holds the four safeties and answers
# the four attacks of seat 1, which sits on its left, so the two of them take turns alone.

_HERO = "ACE TANK PROOF ROW ROLL 100"
_ATTACKER = "ACC OUT FLAT STOP REP REP"
_ATTACKS = (("ACC>0", "ACE!"), ("OUT>0", "TANK!"), ("FLAT>0", "PROOF!"), ("STOP>0", "ROW!"))
# Seat 0 draws once for its first turn and twice after each coup fourré: nine times 100.
_DRAWS = "100 REP" + " 100 100 REP" * 3 + " 100 100"


def stacked_deck(edition: str, players: int) -> list[int]:
    """A deck order in which the first draws fall out as wished; the rest as it comes."""
    deck = EDITIONS[edition].deck(players)
    places: dict[Card, list[int]] = {}
    for place, card in enumerate(deck):
        places.setdefault(card, []).append(place)

    def take(codes: str) -> list[int]:
        return [places[Card(code)].pop(0) for code in codes.split()]

    hero, attacker, draws = take(_HERO), take(_ATTACKER), take(_DRAWS)
    rest = [place for card in deck for place in places.pop(card, [])]
    others = [rest[6 * n : 6 * n + 6] for n in range(players - 2)]
    hands = zip(hero, attacker, *others, strict=True)
    return [place for cards in hands for place in cards] + draws + rest[6 * (players - 2) :]


def perfect_hand(edition: str, players: int) -> Referee:
    """Seat 0 makes four coups fourrés and 1000 miles without 200s, and waits for the pile
    to be empty before it completes the trip; nobody else leaves the garage.
    """
    match = new_match(EDITIONS[edition], players, dealer=players - 1)
    match, _ = deal(match, stacked_deck(edition, players))
    table = Referee(match)
    table.play("ROLL")
    for attack, answer in _ATTACKS:
        assert table.awaits == "turn 1"
        table.play(attack, answer, "100")
    assert table.battle(0) == "ROLL"
    assert table.tableau(0).miles == 400
    while table.hand.sheets is None:
        if table.awaits == "extension 0":
            table.play("ext")
        elif table.awaits != "turn 0":
            table.play(f"x{table.holds(int(table.awaits[-1])).split()[-1]}")
        elif table.tableau(0).miles < 900 or table.pile == 0:
            table.play("100")
        else:
            table.play(f"x{table.holds(0).split()[-1]}")
    return table


ALONE = {
    "miles": 1000,
    "safeties": 400,
    "all_four": 300,
    "coups_fourres": 1200,
    "trip": 400,
    "delayed_action": 300,
    "safe_trip": 300,
    "shut_out": 500,
}


@pytest.mark.parametrize(
    ("edition", "players", "sides", "shut_out", "total"),
    [
        (PARKER, 2, 2, 500, 4600),
        (PARKER, 3, 3, 500, 4600),
        (PARKER, 6, 3, 500, 4600),
        (WINNING_MOVES, 2, 2, 500, 4600),
        (WINNING_MOVES, 3, 3, 500, 4600),
        (WINNING_MOVES, 6, 3, 500, 4600),
        (ARTICLE, 2, 2, 500, 4600),
        (ARTICLE, 3, 3, 500, 4600),
        (ENCYCLOPEDIA, 2, 2, 500, 4600),
        (ENCYCLOPEDIA, 3, 3, 1000, 5100),
        (ENCYCLOPEDIA, 6, 3, 1000, 5100),
    ],
)
def test_the_highest_hand_with_an_extension(
    edition: str, players: int, sides: int, shut_out: int, total: int
) -> None:
    table = perfect_hand(edition, players)
    sheet = {**ALONE, "shut_out": shut_out, "extension": 200}
    assert table.sheets == (sheet, *[{}] * (sides - 1))
    assert table.match.totals == (total, *[0] * (sides - 1))
    assert table.safeties(0) == "ACE! TANK! PROOF! ROW!"
    assert table.pile == 0


@editions(PARKER, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA)
def test_the_highest_hand_of_two_teams(edition: str) -> None:
    table = perfect_hand(edition, 4)
    assert table.sheets == (ALONE, {})
    assert table.match.totals == (4400, 0)


@pytest.mark.parametrize(
    ("players", "sides", "total"),
    [(2, 2, 3700), (3, 3, 4200), (4, 4, 4700), (6, 3, 4200), (8, 4, 4700)],
)
def test_the_highest_hand_of_dujardin(players: int, sides: int, total: int) -> None:
    table = perfect_hand(DUJARDIN, players)
    winner = {
        "miles": 1000,
        "safeties": 400,
        "coups_fourres": 1200,
        "trip": 400,
        "safe_trip": 200,
        "shut_out": 500 * (sides - 1),
    }
    # The losers are shut out by one another, too.
    loser = {"shut_out": 500 * (sides - 2)} if sides > 2 else {}
    assert table.sheets == (winner, *[loser] * (sides - 1))
    assert table.match.totals == (total, *[500 * (sides - 2)] * (sides - 1))
    assert table.hand.completed_by == 0
