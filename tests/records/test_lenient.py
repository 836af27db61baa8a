"""Judge's files as people write them: cards and seats by their names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.records import Judgement, RecordError, game, judge, position
from millebornes.records.entries import Entry
from millebornes.records.judge import read_cases
from millebornes.records.lenient import strict_entries
from millebornes.records.names import (
    begins_card,
    card_named,
    cards_called,
    near_cards,
    sides_called,
)
from millebornes.rules import Card, Match
from millebornes.rules.cards import ALL_CARDS
from millebornes.rules.state import Hand
from millebornes.words import Names, languages, words
from tests.strategies import judge_texts

from .refusals import refusal

NAMED = "seat 0: Max\nseat 1: Léa\n"
TEAMS = "players: 4\nseat 0: Anne\nseat 1: Bo\nseat 2: Jean Paul\nseat 3: Zoé\n"
CARD_NAMES = [
    (card, name)
    for card in ALL_CARDS
    for language in languages()
    for name in (
        card.value,
        words(language).card(card),
        *words(language).also(card),
        *words(language).printed(card),
    )
]
CASES = st.sampled_from([str.lower, str.upper, str.title, str.capitalize, str])


def case(text: str) -> Judgement:
    (judgement,) = judge(text)
    return judgement


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def tokens(moves: str, heading: str = NAMED) -> list[str]:
    """How the moves are read."""
    return [str(verdict.token) for verdict in case(f"{heading}moves: {moves}\n").verdicts]


def texts(entries: list[Entry]) -> list[tuple[str, str]]:
    """Labels and words; `1: GAS` counts as `1:GAS`."""
    return [(e.label, " ".join(w.text for w in e.words).replace(": ", ":")) for e in entries]


# Cards


@given(st.sampled_from(CARD_NAMES), CASES, CASES)
def test_every_name_of_a_card_in_every_case_is_that_card(
    named: tuple[Card, str], first: type[str], second: type[str]
) -> None:
    card, name = named
    written = second(first(name))
    assert card_named(written) is card
    assert cards_called(written, ()) == (card,)
    assert tokens(f"{written} x {written} x{written}") == [card, f"x{card}", f"x{card}"]
    discard = f"edition: dujardin-2019\ndiscard: {written} ? {written}\n"
    if card is not Card.AUTO and card not in (Card.ACE, Card.TANK, Card.PROOF, Card.ROW):
        assert hand_of(case(discard).match).discard == (card, Card.UNKNOWN, card)


@given(st.lists(st.sampled_from([named for named in CARD_NAMES if named[1] != "puncture"])))
def test_names_one_after_the_other_are_those_cards(cards: list[tuple[Card, str]]) -> None:
    assert tokens(" ".join(name for _, name in cards)) == [card for card, _ in cards]


def test_only_a_puncture_and_proof_make_the_name_of_a_third_card() -> None:
    pairs = {
        (first, second)
        for first in {name for _, name in CARD_NAMES}
        for second in {name for _, name in CARD_NAMES}
        if card_named(f"{first} {second}")
    }
    assert pairs == {("puncture", "PROOF")}
    assert tokens("puncture proof") == ["PROOF"]  # the longest name wins


def test_a_longer_name_is_not_read_as_a_shorter_one() -> None:
    assert tokens("Fin de limite de vitesse Limite de vitesse end of limit end") == [
        "EOL", "LIM", "EOL", "end",
    ]  # fmt: skip
    assert tokens("tank Extra Tank spare Spare Tire 25 25 miles 100 km") == [
        "TANK", "TANK", "SPARE", "SPARE", "25", "25", "100",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("roulez", Card.ROLL),
        ("Pneu crevé", Card.FLAT),
        ("Emergency Vehicle", Card.ROW),
        ("feu rouge", Card.STOP),
        ("Botte Réservoir", Card.TANK),
        ("puncture proof", Card.PROOF),
        ("200-mile", Card.D200),
    ],
)
def test_the_names_on_the_boxes_are_known(name: str, card: Card) -> None:
    assert card_named(name) is card
    assert hand_of(case(f"hand 0: {name}\n").start).hands[0][0] is card


def test_numbers_apart_are_not_one_card() -> None:
    assert card_named("1 00") is None
    assert tokens("25 50") == ["25", "50"]


def test_a_sign_alone_is_no_part_of_a_name() -> None:
    assert tokens("ROLL - Roll ? x? - Stop>Léa -") == [
        "ROLL", "-", "ROLL", "?", "x?", "-", "STOP>1", "-",
    ]  # fmt: skip
    assert tokens("ROLL – —") == ["ROLL", "-", "-"]


def test_names_that_boxes_print_are_not_abbreviated() -> None:
    assert cards_called("dr", ()) == (Card.ACE,)  # and not Drive, which is a Roll
    assert cards_called("drive", (Card.ACE,)) == (Card.ROLL,)
    assert cards_called("bo", ()) == ()


def test_cards_are_read_by_name_wherever_a_position_has_cards() -> None:
    judgement = case(
        "battle 1: feu vert, pneu crevé\nspeed 1: Limite de vitesse\ndistance 0: 100 miles 25 km\n"
        "safeties 0: As du volant ! Right of Way\nhand 1: only roue de secours roll\n"
        "next: Accident\ndiscard: petrol\nturn: 1\nmoves: Roue de secours\n".replace(",", "")
    )
    hand = hand_of(judgement.start)
    assert hand.tableaux[1].battle == (Card.ROLL, Card.FLAT)
    assert hand.tableaux[1].speed == (Card.LIM,)
    assert hand.tableaux[0].distance == (Card.D100, Card.D25)
    assert hand.tableaux[0].safeties == (Card.ACE, Card.ROW)
    assert hand.tableaux[0].crosswise == (Card.ACE,)
    assert hand.hands[1] == (Card.SPARE, Card.ROLL)
    assert hand.pile[0] is Card.ACC
    assert hand.discard == (Card.GAS,)
    assert judgement.verdicts[0].reason is None


def test_a_misspelt_card_is_refused_with_the_nearest_one() -> None:
    assert refusal(judge, "hand 0: flaat tire\n") == (
        1, 9, "'flaat tire'", "a card such as Flat Tire (FLAT)",
    )  # fmt: skip
    assert refusal(judge, "moves: rol\n") == (1, 8, "'rol'", "a move such as Roll (ROLL)")
    assert refusal(judge, "hand 0: zebra\n")[3].startswith("a card: one of 25 50 75")
    assert near_cards("zzz") == ()


def test_a_card_in_the_wrong_place_is_quoted_as_written() -> None:
    line, column, found, expected = refusal(judge, "speed 0: Feu vert\n")
    assert (line, column, found) == (1, 10, "'Feu vert'")
    assert expected == "a card of the speed pile: one of LIM EOL"


# Moves


@pytest.mark.parametrize(
    ("written", "token"),
    [
        ("stop>Léa", "STOP>1"),
        ("Flat Tire > LEA", "FLAT>1"),
        ("feu rouge sur Léa", "STOP>1"),
        ("stop on 1", "STOP>1"),
        ("Stop!>Léa", "STOP>1"),
        ("Roll!", "ROLL"),
        ("Driving Ace!", "ACE!"),
        ("As du volant !", "ACE!"),
        ("x roll", "xROLL"),
        ("X feu vert", "xROLL"),
        ("xFlat Tire", "xFLAT"),
        ("discard Flat Tire", "xFLAT"),
        ("jeter 25 km", "x25"),
        ("x ?", "x?"),
        ("Léa:100", "1:100"),
        ("léa: 100 miles", "1:100"),
        ("Léa:x roll", "1:xROLL"),
        ("Léa:-", "1:-"),
        ("Max: stop>Léa", "0:STOP>1"),
        ("EXT", "ext"),
        ("1: Extra Tank!", "1:TANK!"),
    ],
)
def test_a_move_may_be_written_with_names(written: str, token: str) -> None:
    assert tokens(written) == [token]
    assert tokens(f"100 {written} Max:100") == ["100", token, "0:100"]


def test_names_of_several_words_are_read_longest_first() -> None:
    assert tokens("stop>jean paul 100 Jean Paul:roll Zoé: 25 stop>3", TEAMS) == [
        "STOP>0", "100", "2:ROLL", "3:25", "STOP>3",
    ]  # fmt: skip
    longer = "players: 3\nseat 0: Anne\nseat 1: Anne Sophie\nseat 2: Bo\n"
    assert tokens("stop>Anne Sophie stop>Anne 100", longer) == ["STOP>1", "STOP>0", "100"]
    assert tokens("100 Anne Sophie:roll Anne:roll", longer) == ["100", "1:ROLL", "0:ROLL"]


@pytest.mark.parametrize(
    ("moves", "found", "expected"),
    [
        ("Lea:100 Leo:100", "'Leo'", "a seat from 0 to 1, or Max, Léa"),
        ("stop>Leo", "'Leo'", "a side from 0 to 1, or Max, Léa"),
        ("stop>", "'stop>'", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
        ("xfoo", "'xfoo'", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
        ("x", "'x'", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
        ("roll>1", "'roll>1'", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
        ("25!", "'25!'", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
        ("Léa:", "nothing", "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"),
    ],
)
def test_what_is_no_move_is_refused_as_it_was_written(
    moves: str, found: str, expected: str
) -> None:
    refused = refusal(judge, f"{NAMED}moves: {moves}\n")
    assert refused[2:] == (found, expected)


def test_an_unnamed_seat_says_how_to_name_it() -> None:
    expected = "or a name that a line such as 'seat 0: Léa' gives"
    assert expected in refusal(judge, "moves: Léa:100\n")[3]
    assert expected in refusal(judge, "turn: Léa\n")[3]


# Seats


def test_seats_are_known_by_their_names_everywhere() -> None:
    judgement = case(
        NAMED + "turn: Léa\ndealer: max\nbattle Léa: roll\nmiles LEA: 100\nhand Léa: 100 75\n"
        "autoroute Max: 2 turns of seat Max\nedition: dujardin-2019\nmoves: 100 Léa:75\n"
    )
    assert judgement.seats == ("Max", "Léa")
    assert [(v.seat, v.reason) for v in judgement.verdicts] == [(1, None), (1, None)]
    hand = hand_of(judgement.match)
    assert hand.tableaux[1].miles == 275
    assert hand.dealer == 0


def test_a_team_is_known_by_a_member() -> None:
    judgement = case(
        TEAMS + "window: Flat Tire Anne>Zoé declined Bo\nbattle Zoé: roll Pneu crevé\n"
        "hand Zoé: puncture-proof\nmoves: Zoé:Increvable!\n"
    )
    assert judgement.verdicts[0].reason is None
    assert judgement.verdicts[0].seat == 3
    assert hand_of(judgement.match).tableaux[1].safeties == (Card.PROOF,)


def test_ends_and_extensions_name_seats_too() -> None:
    assert hand_of(case(NAMED + "extension: Léa\nmiles Léa: 700\n").match).tableaux[1].miles == 700
    ended = case(NAMED + "called: Max\nmiles Max: 1000\nended: completed Max\n")
    assert hand_of(ended.match).completed_by == 0
    assert hand_of(case(NAMED + "ended: exhausted\npile: 0\n").match).completed_by is None


def test_some_seats_may_have_no_name() -> None:
    assert case("seat 1: Léa\n").seats == (None, "Léa")
    assert case("players: 2\n").seats == ()
    assert case('seat 1: "Jean # Paul"\nturn: "Jean # Paul"\n').seats == (None, "Jean # Paul")


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("seat 1:\n", "nothing", "a name of 1 to 40 characters"),
        (f"seat 1: {'é' * 41}\n", None, "a name of 1 to 40 characters"),
        ("seat 1: 12\n", "'12'", "a name with a letter, such as Léa"),
        ("seat 1: !!\n", "'!!'", "a name with a letter, such as Léa"),
        ("seat 1: a>b\n", "'a>b'", "a name without : and >"),
        ('seat 1: "a\\u0007"\n', "'\"a\\u0007\"'", "a name without : and >"),
        ("seat 0: Léa\nseat 1: LEA\n", "'LEA'", "another name than that of seat 0"),
        ("seat 2: Léa\n", "'seat 2'", "seat with a number from 0 to 1"),
        ("seat 1: Léa\nseat 1: Max\n", "'seat 1' again", "only one seat 1"),
        (NAMED + "hand Leo: 25\n", "'hand Leo'", "hand and a seat from 0 to 1, or Max, Léa"),
        (NAMED + "battle Leo: 25\n", "'battle Leo'", "battle and a side from 0 to 1, or Max, Léa"),
        (NAMED + "turn: Leo\n", "'Leo'", "a seat from 0 to 1, or Max, Léa"),
        (NAMED + "hand 1: 25\nhand Léa: 25\n", "'hand 1' again", "only one hand 1"),
        (
            TEAMS + "window: OUT Anne>Bo declined Leo\nbattle Bo: OUT\n",
            "'Leo'",
            "a seat from 0 to 3, or Anne, Bo, Jean Paul, Zoé",
        ),
    ],
)
def test_a_name_that_cannot_be_is_refused(text: str, found: str | None, expected: str) -> None:
    refused = refusal(judge, text)
    assert refused[2] == found or found is None
    assert refused[3] == expected


def test_a_window_without_an_arrow_is_for_the_strict_reader() -> None:
    assert "such as: OUT 0>1" in refusal(judge, "window: Flat Tire\n")[3]
    assert "such as 0>1" in refusal(judge, "window: Flat Tire 0 1\n")[3]


# What stays strict


@settings(max_examples=60)
@given(judge_texts())
def test_a_strict_text_is_read_as_before(text: str) -> None:
    for part in read_cases(text):
        entries = [entry for entry in part if entry.key != "title"]
        try:
            strict, names = strict_entries(entries, None)
        except RecordError:
            continue  # an edition or a number of players that cannot be
        assert texts(strict) == texts(entries)
        assert names == ()


def test_records_of_games_and_canonical_positions_stay_strict() -> None:
    with pytest.raises(RecordError, match="found 'roll'"):
        position.from_text("hand 0: roll\n")
    with pytest.raises(RecordError, match="one of the keys"):
        position.from_text("seat 1: Léa\n")
    with pytest.raises(RecordError, match="found 'roll'"):
        game.from_text("game: 1\ndeal: 1\ndeck: roll\n")
    with pytest.raises(RecordError):
        position.from_text("hand Léa: ROLL\n")


def test_a_side_is_called_by_its_number_its_name_or_a_members() -> None:
    names = Names(("Anne", "Bo", "Jean", "Zoé"), ("Anne & Jean", "Bo & Zoé"))
    assert sides_called("1", names) == (1,)
    assert sides_called("zoe", names) == (1,)
    assert sides_called("Anne & Jean", names) == (0,)
    assert sides_called("j", names) == (0,)
    assert sides_called("", names) == ()
    assert sides_called("x", names) == ()


def test_after_a_word_that_is_no_card_nothing_more_is_suggested() -> None:
    """Suggestions take long to find, and the text is refused anyway."""
    near_cards.cache_clear()
    with pytest.raises(RecordError) as refused:
        judge("hand 0: zzz " + "qqq " * 5 + "\nmoves: zzz qqq qqq\n")
    assert "'zzz'" in str(refused.value)
    assert near_cards.cache_info().misses == 3
    assert near_cards("a" * 61) == ()


def test_only_words_that_begin_a_name_are_tried_as_one() -> None:
    assert begins_card("Fin de")
    assert begins_card("roll")
    assert not begins_card("roll roll")
    assert not begins_card("r" * 61)
