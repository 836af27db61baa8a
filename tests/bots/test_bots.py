"""What holds for every bot: legal choices, from its view alone, the same for the same view."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.bots import (
    BOTS,
    Adviser,
    Bot,
    Commuter,
    Learner,
    Sparring,
    SundayDriver,
    playable,
)
from millebornes.fast import Engine
from millebornes.records import cut_game, position, replay
from millebornes.rules import (
    EDITIONS,
    Card,
    Discard,
    Match,
    Move,
    Play,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.cards import HAZARDS
from millebornes.rules.state import Deal, Hand, Over, Turn, Window
from tests.bots.legality import play
from tests.bots.played import ALL, positions, with_other_hidden_cards
from tests.strategies import (
    STYLES,
    TABLES,
    Driver,
    Table,
    every_table,
    hands,
    recorded,
    table_id,
)

LEVELS_HERE = {name: BOTS[name] for name in playable()}
every_bot = pytest.mark.parametrize("make", ALL.values(), ids=ALL)
every_level = pytest.mark.parametrize("make", LEVELS_HERE.values(), ids=LEVELS_HERE)


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


@pytest.mark.parametrize("name", ALL)
def test_a_bot_makes_legal_moves_only_under_all_rules(name: str) -> None:
    """`python -m tests.bots.legality` plays ten times as many hands."""
    found = play(ALL[name](), hands=200)
    assert found["hands"] == 200
    assert found["decisions"] > 50 * 200
    assert found["illegal"] == 0


@every_level
@every_table
@given(data=st.data())
@settings(max_examples=2)
def test_a_level_explains_the_move_that_it_chooses(
    make: Callable[[], Adviser], table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    bot = make()
    for match in data.draw(hands(table)).states:
        for seat in awaited_seats(match):
            seen = view(match, seat)
            assert bot.explain(seen).move == bot.choose(seen)


@every_bot
@every_table
@given(data=st.data())
@settings(max_examples=2)
def test_the_same_view_gives_the_same_choice(
    make: Callable[[], Bot], table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    used = make()
    for match in hand.states:
        for seat in awaited_seats(match):
            seen = view(match, seat)
            assert used.choose(seen) == make().choose(seen) == used.choose(seen)
    # The same view reached by another way: out of the record as that seat may know it.
    moves = data.draw(st.integers(0, len(hand.steps) - 1))
    match = hand.states[moves]
    if not isinstance(match.awaiting, Window):
        for seat in awaited_seats(match):
            again = list(replay(cut_game(recorded((hand,), moves), seat)))[-1].match
            assert make().choose(view(again, seat)) == make().choose(view(match, seat))


# Hidden cards

Chooser = Callable[[Match, int], Move]


def changes_with_hidden_cards(choose: Chooser, amount: int) -> int:
    """How often a choice changes if all cards that the seat cannot see are dealt anew."""
    rng = random.Random(1954)
    changed = 0
    for here in positions(amount, 1954, with_house_rules=True):
        other = with_other_hidden_cards(here, rng)
        assert view(other, here.seat) == here.view
        changed += choose(other, here.seat) != choose(here.match, here.seat)
    return changed


@every_bot
def test_hidden_cards_never_change_a_choice(make: Callable[[], Bot]) -> None:
    used = make()
    assert changes_with_hidden_cards(lambda match, seat: used.choose(view(match, seat)), 500) == 0


@every_level
def test_hidden_cards_never_change_a_reason(make: Callable[[], Adviser]) -> None:
    used = make()
    for here in positions(200, 1955):
        other = with_other_hidden_cards(here, random.Random(1))
        assert used.explain(view(other, here.seat)) == used.explain(here.view)


def test_a_choice_that_looks_at_hidden_cards_would_be_found() -> None:
    def peep(match: Match, seat: int) -> Move:
        moves = view(match, seat).legal_moves
        next_card = hand_of(match).pile[:1]
        return moves[0 if Card.D100 in next_card else -1]

    assert changes_with_hidden_cards(peep, 200) > 5


# Targets are chosen by the race


def exchange_sides(match: Match, a: int, b: int) -> Match:
    """The same table with everything of two sides exchanged, their seats included."""
    hand = hand_of(match)

    def other(side: int) -> int:
        return {a: b, b: a}.get(side, side)

    def other_seat(seat: int) -> int:
        return seat - match.side_of(seat) + other(match.side_of(seat))

    tableaux = [hand.tableaux[other(side)] for side in range(match.sides)]
    for side, tableau in enumerate(tableaux):
        if tableau.autoroute is not None:
            moved = tableau.autoroute._replace(seat=other_seat(tableau.autoroute.seat))
            tableaux[side] = tableau._replace(autoroute=moved)
    return match._replace(
        forward=tuple(match.forward[other(side)] for side in range(match.sides)),
        hand=hand._replace(
            hands=tuple(hand.hands[other_seat(seat)] for seat in range(match.players)),
            tableaux=tuple(tableaux),
            caller=None if hand.caller is None else other(hand.caller),
            history=(),
        ),
    )


@every_bot
@pytest.mark.parametrize("table", [t for t in TABLES if t[0].sides_at(t[1]) > 2], ids=table_id)
@given(data=st.data())
@settings(max_examples=4)
def test_exchanging_two_opponents_exchanges_the_target(
    make: Callable[[], Bot], table: Table, data: st.DataObject
) -> None:
    bot = make()
    hand = data.draw(hands(st.just(table)))
    points = data.draw(st.lists(st.integers(0, 150), min_size=8, max_size=8, unique=True))
    for match in hand.states:
        if not isinstance(match.awaiting, Turn):
            continue
        seat = match.awaiting.seat
        own = match.side_of(seat)
        # Points of their own, so that nobody is level in the race.
        match = match._replace(forward=tuple(points[: match.sides]))  # noqa: PLW2901
        a, b = [side for side in range(match.sides) if side != own][-2:]
        if are_level_in_the_race(match) or has_equals(bot, match, seat):
            continue  # then the seat may decide
        here = bot.choose(view(match, seat))
        there = bot.choose(view(exchange_sides(match, a, b), seat))
        if isinstance(here, Play) and here.onto in (a, b):
            assert there == Play(here.card, b if here.onto == a else a)
        else:
            assert there == here


def are_level_in_the_race(match: Match) -> bool:
    """Have two sides come equally far, counting miles and points?"""
    race = [
        4 * tableau.miles + points
        for tableau, points in zip(hand_of(match).tableaux, match.totals, strict=True)
    ]
    return len(set(race)) < len(race)


def has_equals(bot: Bot, match: Match, seat: int) -> bool:
    """Are two moves worth exactly the same to a bot that weighs them?"""
    seen = view(match, seat)
    if not isinstance(bot, Commuter) or len(seen.legal_moves) == 1:
        return False
    is_short = match.trip != match.edition.trip_at(match.players)
    sums = Engine(match.edition, match.players, short_trip=is_short).features(seen).sums.tolist()
    return bool(sums.count(max(sums)) > 1)


@every_bot
def test_the_leader_of_the_race_is_attacked(make: Callable[[], Bot]) -> None:
    bot = make()
    rest = "players: 3\nbattle 1: ROLL\nbattle 2: ROLL\nhand 0: only ACC 25\n"
    for ahead in (1, 2):
        match = position.from_text(rest + f"miles {ahead}: 500\nmiles {3 - ahead}: 100\n")
        move = bot.choose(view(match, 0))
        assert isinstance(move, Play)
        assert move.card in HAZARDS
        assert move.onto == ahead


@pytest.mark.parametrize("make", [Learner, SundayDriver, Sparring])
def test_a_card_without_a_face_is_discarded_first(make: Callable[[], Bot]) -> None:
    seen = view(position.from_text("hand 0: only 25 ? ACE\n"), 0)
    assert make().choose(seen) == Discard(Card.UNKNOWN)


@every_bot
def test_where_discards_are_forbidden_something_is_played(make: Callable[[], Bot]) -> None:
    text = "edition: dujardin-2019\nrule: must_play_out = true\npile: 0\nhand 0: only AUTO 25\n"
    seen = view(position.from_text(text), 0)
    assert seen.legal_moves == (Play(Card.AUTO),)
    assert make().choose(seen) == Play(Card.AUTO)


# Strength


def points_against_chance(make: Callable[[], Bot], seat: int, seed: int) -> int:
    """By how many points a bot beats random moves over two hands, from this seat."""
    edition = EDITIONS["winning-moves"].house({"hands": 2, "tie": "drawn"})
    match = new_match(edition, 2)
    bot, rng, decks = make(), random.Random(seed), Driver(seed, STYLES["even"])
    while not isinstance(match.awaiting, Over):
        if isinstance(match.awaiting, Deal):
            match, _ = deal_cards(match, decks.deck(match))
            continue
        awaited = awaited_seats(match)[0]
        if awaited == seat:
            move = bot.choose(view(match, seat))
        else:
            move = rng.choice(legal_moves(match, awaited))
        match, _ = apply(match, awaited, move)
    return match.totals[seat] - match.totals[1 - seat]


@every_bot
def test_a_bot_beats_random_moves_on_the_same_decks_from_both_seats(
    make: Callable[[], Bot],
) -> None:
    pairs = [
        points_against_chance(make, 0, seed) + points_against_chance(make, 1, seed)
        for seed in range(15)
    ]
    assert sum(pair > 0 for pair in pairs) >= 13
    assert sum(pairs) / len(pairs) > 1000
