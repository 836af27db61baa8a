"""Games: tags, decks, moves; replay, and errors in a record."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.records import DealRecord, Game, RecordError, Token, cut_game, game, replay
from millebornes.rules import (
    EDITIONS,
    Card,
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Play,
    apply,
    new_match,
    view,
)
from millebornes.rules.state import Deal, Over
from tests.strategies import (
    STYLES,
    TABLES,
    Driver,
    Table,
    bad_texts,
    game_texts,
    play_match,
    recorded,
    tables,
)

from .refusals import refusal

CARDS = "25 50 75 100 200 ACC OUT FLAT STOP LIM REP GAS SPARE ROLL EOL ACE TANK PROOF ROW AUTO ?"
MOVE = "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"
UNKNOWN_2 = "deck:" + " ?" * 101 + "\n"
UNKNOWN_4 = "deck:" + " ?" * 106 + "\n"
TWO = "game: 1\ndeal: 1\n" + UNKNOWN_2 + "moves: "
FOUR = "game: 1\nplayers: 4\ndeal: 1\n" + UNKNOWN_4 + "moves: "


def play(text: str) -> list[object]:
    return list(replay(game.from_text(text)))


def test_the_shortest_record_is_an_open_game_without_a_deal() -> None:
    record = game.from_text("game: 1")
    assert record == Game(edition=EDITIONS["winning-moves"], players=2)
    assert play("game: 1") == []
    assert game.to_text(record) == (
        "game: 1\nedition: winning-moves\nplayers: 2\ndealer: 0\nrules: 1\nresult: *\n"
    )


def test_all_tags_are_read_and_written() -> None:
    text = (
        "game: 1\n"
        "edition: dujardin-2019\n"
        "rule: autoroute_cards = 2\n"
        "players: 4\n"
        "trip: 700\n"
        "dealer: 3\n"
        'seat 0: "Léa \\"la rapide\\" # 1"\n'
        'seat 1: ""\n'
        'seat 2: "two\\nlines\\u2028\\u0085"\n'
        'seat 3: "Max"\n'
        'bot 1: "learner"\n'
        'bot 3: "sunday-driver"\n'
        "date: 1954-06-01\n"
        "rules: 1\n"
        'seed: "28"\n'
        "result: 0 25 5000 1000000\n"
        "\n"
        "deal: 1\n"
        "deck:\n"
        "moves: STOP>2 2:ROW! -\n"
    )
    record = game.from_text(text)
    assert record == Game(
        edition=EDITIONS["dujardin-2019"].house({"autoroute_cards": 2}),
        players=4,
        short_trip=True,
        dealer=3,
        seats=('Léa "la rapide" # 1', "", "two\nlines\u2028\x85", "Max"),
        bots=(None, "learner", None, "sunday-driver"),
        date="1954-06-01",
        seed="28",
        rules_version=1,
        result=(0, 25, 5000, 1_000_000),
        deals=(
            DealRecord(
                (),
                (
                    Token(Play(Card.STOP, 2)),
                    Token(CoupFourre(Card.ROW), 2),
                    Token(Decline()),
                ),
            ),
        ),
    )
    assert game.to_text(record) == text


@given(
    table=tables(),
    names=st.none() | st.lists(st.text(), min_size=8, max_size=8),
    seed=st.none() | st.text(),
    dealer=st.integers(0, 1),
)
def test_any_name_and_seed_comes_back(
    table: Table, names: list[str] | None, seed: str | None, dealer: int
) -> None:
    edition, players = table
    record = Game(
        edition=edition,
        players=players,
        seats=() if names is None else tuple(names[:players]),
        seed=seed,
        dealer=dealer,
    )
    text = game.to_text(record)
    again = game.from_text(text)
    assert again == record
    assert game.to_text(again) == text
    assert text.count("\n") == len(text.splitlines())


NOT_THESE = "these are not the 101 cards of winning-moves with 2 players"
TWO_DECK = " ".join(EDITIONS["winning-moves"].deck(2))
TAGS = (
    "one of the keys game, edition, rule, players, trip, dealer, date, rules, seed, practice, "
    "result, seat N, bot N"
)


@pytest.mark.parametrize(
    ("text", "line", "column", "found", "expected"),
    [
        ("", 1, 1, "nothing", "'game: 1' on the first line"),
        ("players: 2\ngame: 1", 1, 1, "'players'", "'game: 1' on the first line"),
        ("\ngame 1: 1", 2, 1, "'game 1'", "'game: 1' on the first line"),
        ("game: 2", 1, 7, "'2'", "format version 1"),
        ("game:", 1, 6, "nothing", "the format version"),
        ("game: 1\n---\n", 2, 1, "'---'", "one game only"),
        ("game: 1\nturn: 0", 2, 1, "'turn'", TAGS),
        ("game: 1\ngame: 1", 2, 1, "'game' again", "only one game"),
        ('game: 1\nseat 2: "x"', 2, 1, "'seat 2'", "seat with a number from 0 to 1"),
        ("game: 1\nmoves: ROLL", 2, 1, "'moves'", TAGS),
        ("game: 1\ndealer: 2", 2, 9, "'2'", "a seat from 0 to 1"),
        ('game: 1\nseat 1: "x"', 2, 1, "names for only some seats", "a name for seat 0"),
        (
            "game: 1\nseat 0: Léa",
            2,
            9,
            "'Léa'",
            'a text in double quotes, such as "Léa"',
        ),
        ('game: 1\nseat 0: "Léa', 2, 9, "'\"Léa'", 'a text in double quotes, such as "Léa"'),
        (
            'game: 1\nseed: "\\x"',
            2,
            7,
            "'\"\\x\"'",
            'a text in double quotes, such as "Léa"',
        ),
        ("game: 1\nseed:", 2, 6, "nothing", "a text in double quotes"),
        ('game: 1\nseed: "a" "b"', 2, 11, "'\"b\"'", 'nothing after "a"'),
        ("game: 1\ndate: 1.6.54", 2, 7, "'1.6.54'", "a date such as 1954-06-01"),
        ("game: 1\ndate:", 2, 6, "nothing", "a date such as 1954-06-01"),
        ("game: 1\nrules: 0", 2, 8, "'0'", "a rules version from 1 to 1000000"),
        ("game: 1\ndate: 2026-02-30", 2, 7, "'2026-02-30'", "a day from 1 to 28 in 2026-02"),
        ("game: 1\ndate: 2024-02-30", 2, 7, "'2024-02-30'", "a day from 1 to 29 in 2024-02"),
        ("game: 1\ndate: 1900-02-29", 2, 7, "'1900-02-29'", "a day from 1 to 28 in 1900-02"),
        ("game: 1\ndate: 2026-04-31", 2, 7, "'2026-04-31'", "a day from 1 to 30 in 2026-04"),
        ("Game: 1", 1, 1, "'Game'", "'game: 1' on the first line"),
        ("game: 1\nPlayers: 2", 2, 1, "'Players'", "players, in small letters"),
        ("game: 1\ndeal: 1\nDeck: 25", 3, 1, "'Deck'", "deck, in small letters"),
        ("game: 1\n" + "a" * 90 + ": 1", 2, 1, f"'{'a' * 37}...'", TAGS),
        ("game: 1\nseed: " + "b" * 90 + " 2", 2, 98, "'2'", f"nothing after {'b' * 37}..."),
        ("game: 1\ndate: 2026-13-45", 2, 7, "'2026-13-45'", "a date such as 1954-06-01"),
        ("game: 1\nresult: 5", 2, 11, "1 totals", "2 totals, or * for a running match"),
        ("game: 1\nresult:", 2, 8, "0 totals", "2 totals, or * for a running match"),
        ("game: 1\nresult: * *", 2, 9, "'*'", "points from 0 to 1000000"),
        ("game: 1\ndeal: 2\ndeck:", 2, 7, "'2'", "deal number 1"),
        ("game: 1\ndeal 1: 1", 2, 1, "'deal 1'", "deal without a number"),
        ("game: 1\ndeal: 1\nmoves: -", 2, 1, "deal 1 without a deck", "its deck"),
        (
            "game: 1\ndeal: 1\nhand 0: 25",
            3,
            1,
            "'hand 0'",
            "one of the keys deal, deck, moves, transcript",
        ),
        ("game: 1\ndeal: 1\ndeck:\ndeck:", 4, 1, "'deck' again", "only one deck"),
        ("game: 1\ndeal: 1\ndeck: 25 26", 3, 10, "'26'", f"a card: one of {CARDS}"),
        (TWO + "ROLL foo", 4, 13, "'foo'", MOVE),
        (TWO + "2:ROLL", 4, 8, "'2:ROLL'", "a seat from 0 to 1 before the colon"),
        (TWO + "1:", 4, 11, "nothing", MOVE),
        (TWO + "1: foo", 4, 11, "'foo'", MOVE),
        (TWO + "1:foo", 4, 10, "'foo'", MOVE),
    ],
)
def test_a_refusal_says_where_what_was_found_and_what_was_expected(
    text: str, line: int, column: int, found: str, expected: str
) -> None:
    assert refusal(game.from_text, text) == (line, column, found, expected)


@pytest.mark.parametrize(
    ("text", "line", "column", "found", "expected"),
    [
        (
            "game: 1\ndeal: 1\ndeck: 25 50\n",
            3,
            1,
            "this deck",
            (
                f"another deck: {NOT_THESE}: 2 cards in all, 9× 25 missing, 9× 50 missing, "
                "10× 75 missing, 12× 100 missing, and so on"
            ),
        ),
        (
            "game: 1\ndeal: 1\ndeck: ACE ACE" + " ?" * 99,
            3,
            1,
            "this deck",
            f"another deck: {NOT_THESE}: 1× ACE too many",
        ),
        (
            "game: 1\ndeal: 1\ndeck:" + " ?" * 100,
            3,
            1,
            "this deck",
            f"another deck: {NOT_THESE}: 100 cards in all",
        ),
        (
            "game: 1\ndeal: 1\ndeck: " + TWO_DECK.replace("STOP", "ROLL", 1),
            3,
            1,
            "this deck",
            f"another deck: {NOT_THESE}: 1× ROLL too many, 1× STOP missing",
        ),
        (
            TWO + "ROLL\ndeal: 2\n" + UNKNOWN_2,
            6,
            1,
            "a deal",
            "the rest of the previous hand, or the end of the text",
        ),
        (TWO + "100", 4, 8, "'100'", "a legal move (needs_roll)"),
        (TWO + "?", 4, 8, "'?'", "a legal move (unknown_card)"),
        (TWO + "ROLL ext", 4, 13, "'ext'", "a legal move (no_extension)"),
        (TWO + "0:ROLL", 4, 8, "'0:ROLL'", "a move of seat 1"),
        (
            TWO + "ROLL ROLL STOP>0 0:-",
            4,
            25,
            "'0:-'",
            "a bare '-': a record does not show who declined",
        ),
        (TWO + "ROLL ROLL STOP>0 ROLL", 4, 25, "'ROLL'", "a legal move (answer_first)"),
        (TWO + "ROLL ROLL STOP>0 1:ROW!", 4, 25, "'1:ROW!'", "a legal move (window_open)"),
        (TWO + "ROLL ROLL STOP>0 ACE!", 4, 25, "'ACE!'", "a legal move (wrong_safety)"),
        (
            FOUR + "ROLL ROLL STOP>0 ROW!",
            5,
            25,
            "'ROW!'",
            "the calling seat, 0 or 2, before the coup fourré",
        ),
        (
            "game: 1\nresult: 1 2",
            2,
            9,
            "result 1 2",
            "the result of these moves: * (the match is not over)",
        ),
    ],
)
def test_replay_finds_what_cannot_have_happened(
    text: str, line: int, column: int, found: str, expected: str
) -> None:
    assert refusal(play, text) == (line, column, found, expected)


@pytest.mark.parametrize("date", ["2024-02-29", "2000-02-29", "1954-12-31", "2026-02-28"])
def test_a_date_is_a_day_of_the_calendar(date: str) -> None:
    assert game.from_text(f"game: 1\ndate: {date}").date == date


PLAIN = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8)
PROOFS = st.dictionaries(
    st.text(max_size=6),
    st.recursive(PLAIN | st.sampled_from([" #", "a  b", "moves: x", '"']), st.lists, max_leaves=8),
    max_size=5,
)


@given(proof=PROOFS)
@settings(max_examples=60)
def test_any_transcript_comes_back(proof: dict[str, object]) -> None:
    record = game.from_text(TWO + "ROLL ROLL").with_transcript(proof)
    text = game.to_text(record)
    again = game.from_text(text)
    assert again == record
    assert game.to_text(again) == text
    assert again.deals[-1].transcript is not None
    assert json.loads(again.deals[-1].transcript) == proof


@pytest.mark.parametrize("value", ["", "{", "[]", "1", "nan", "{} {}", "[" * 3000])
def test_a_transcript_is_one_json_object(value: str) -> None:
    text = TWO + f"ROLL\ntranscript: {value}"
    line, column, found, expected = refusal(game.from_text, text)
    assert (line, column) == (5, 13 if value else 12)
    assert (found, expected) == ("this transcript", "a JSON object")


def test_a_record_of_practice_says_so() -> None:
    text = game.to_text(game.from_text(TWO + "ROLL"))
    practice = text.replace("result:", "practice: yes\nresult:")
    assert not game.from_text(text).practice
    assert game.from_text(practice).practice
    assert game.to_text(game.from_text(practice)) == practice
    assert cut_game(game.from_text(practice), 0).practice


def test_practice_is_yes_or_left_out() -> None:
    assert refusal(game.from_text, "game: 1\npractice: no") == (2, 11, "'no'", "yes")
    assert refusal(game.from_text, "game: 1\npractice:") == (2, 10, "nothing", "yes")


def test_a_coup_fourre_in_a_team_carries_its_seat() -> None:
    steps = play(FOUR + "ROLL ROLL STOP>0 2:ROW!")
    assert len(steps) == 5


def test_a_move_after_the_end_of_a_hand_is_refused_and_a_wrong_result_too() -> None:
    edition = EDITIONS["article"].house({"hands": 1, "tie": "drawn"})
    start = new_match(edition, 2)
    played = tuple(play_match(start, Driver(1, STYLES["race"]), 1))
    record = recorded(played)
    assert isinstance(played[-1].final.awaiting, Over)
    assert record.result is not None
    text = game.to_text(record)
    assert len(play(text)) > 10

    line, column, found, expected = refusal(play, text + "  x25\n")
    assert (line, column) == (text.count("\n") + 1, 3)
    assert (found, expected) == ("'x25'", "no more moves in this hand")

    totals = " ".join(map(str, record.result))
    wrong = text.replace(f"result: {totals}", "result: 1 2")
    at = text.splitlines().index(f"result: {totals}") + 1
    assert at > 1
    assert refusal(play, wrong) == (at, 9, "result 1 2", f"the result of these moves: {totals}")
    assert cut_game(record, 0) == record


def test_a_seat_may_be_written_where_it_is_right() -> None:
    plain = list(replay(game.from_text(TWO + "ROLL ROLL STOP>0 - x25")))
    told = list(replay(game.from_text(TWO + "1:ROLL 0: ROLL 1:STOP>0 - 0:x25")))
    assert [s.match for s in plain] == [s.match for s in told]
    assert [s.seat for s in told] == [None, 1, 0, 1, None, 0]


def test_a_card_that_its_holder_shows_takes_the_place_of_an_unknown_one() -> None:
    deck = "deck:" + " ?" * 6 + " ROLL" + " ?" * 94 + "\n"
    record = game.from_text("game: 1\ndeal: 1\n" + deck + "moves: ROLL x50")
    first, second, third = (step.match.hand for step in replay(record))
    assert first is not None
    assert second is not None
    assert third is not None
    assert Card.ROLL in first.hands[1]
    assert second.hands[1] == (Card.UNKNOWN,) * 6
    assert third.discard == (Card.D50,)


def test_a_card_that_is_known_not_to_be_there_is_refused() -> None:
    deck = "deck: " + " ".join(EDITIONS["winning-moves"].deck(2)) + "\n"
    text = "game: 1\ndeal: 1\n" + deck + "moves: ROLL"
    assert refusal(play, text) == (4, 8, "'ROLL'", "a legal move (not_in_hand)")


def test_declines_before_the_last_are_not_recorded() -> None:
    record = game.from_text(FOUR + "ROLL ROLL STOP>0")
    match = list(replay(record))[-1].match
    after, events = apply(match, 2, Decline())
    assert record.with_move(match, 2, Decline(), after, events) == record
    last, events = apply(after, 0, Decline())
    closed = record.with_move(after, 0, Decline(), last, events)
    assert closed.deals[-1].moves[-1] == Token(Decline())


def test_a_move_changes_nothing_of_a_record_but_its_moves_and_its_result() -> None:
    edition = EDITIONS["dujardin-2019"]
    record = Game(
        edition=edition,
        players=4,
        short_trip=True,
        dealer=1,
        seats=("Zoé", "Léa", "Max", "Ida"),
        bots=(None, "learner", None, None),
        date="1954-07-14",
        seed="28",
        practice=True,
        rules_version=0,
        result=(5, 0),
        result_at=(5, 9),
        deals=(DealRecord(edition.deck(4), transcript="{}", line=7),),
    )
    for field in fields(Game):  # one that comes later has to be told from its default here, too
        assert getattr(record, field.name) != field.default, field.name
    match = list(replay(replace(record, result=None)))[-1].match
    assert match.hand is not None
    card = Discard(match.hand.hands[2][0])
    after, events = apply(match, 2, card)
    moved = record.with_move(match, 2, card, after, events)
    assert moved.result is None
    assert moved.deals[-1].line == 7
    assert moved.deals == (replace(record.deals[0], moves=(Token(card),)),)
    assert replace(moved, deals=record.deals, result=record.result) == record


def test_a_seed_is_not_told_before_the_first_deal() -> None:
    record = Game(edition=EDITIONS["article"], players=2, seed="28")
    assert cut_game(record, 0) == Game(edition=EDITIONS["article"], players=2)


def test_a_seed_is_not_told_during_a_hand() -> None:
    record = Game(edition=EDITIONS["article"], players=2, seed="28")
    assert cut_game(record.with_deal([Card.UNKNOWN] * 101), 0).seed is None


def test_between_two_hands_the_deck_of_the_last_is_told_but_no_seed() -> None:
    start = new_match(EDITIONS["article"], 2)
    played = tuple(play_match(start, Driver(2, STYLES["race"]), 1))
    assert isinstance(played[-1].final.awaiting, Deal)
    record = recorded(played, seed="28")
    cut = cut_game(record, 1)
    assert cut.seed is None
    assert cut.deals == record.deals


def test_a_cut_record_keeps_the_cards_of_its_seat_in_their_places() -> None:
    edition, players = TABLES[0]
    record = Game(edition=edition, players=players, dealer=1).with_deal(edition.deck(players))
    cut = cut_game(record, 0)
    deck = edition.deck(players)
    expected = [card if i % 2 == 0 and i <= 12 else Card.UNKNOWN for i, card in enumerate(deck)]
    assert list(cut.deals[0].deck) == expected
    assert set(cut_game(record, None).deals[0].deck) == {Card.UNKNOWN}
    whole, part = (list(replay(r))[-1].match for r in (record, cut))
    assert view(whole, 0) == view(part, 0)
    # Whoever has the match already saves a replay.
    assert cut_game(record, 0, whole) == cut


def test_an_extension_is_recorded_and_replayed() -> None:
    moves = "ROLL x25 " + "100 x25 " * 6 + "100"
    for answer in ("ext", "end"):
        steps = list(replay(game.from_text(TWO + moves + f" {answer}")))
        hand = steps[-1].match.hand
        assert hand is not None
        assert (hand.caller == 1) == (answer == "ext")
        assert steps[-1].seat == 1
    assert Token(Extend()) != Token(Discard(Card.D25))


@given(bad_texts(game_texts()))
@settings(max_examples=300)
def test_any_text_is_a_game_or_a_record_error(text: str) -> None:
    try:
        record = game.from_text(text)
    except RecordError:
        return
    whole = game.to_text(record)
    assert game.from_text(whole) == record
    assert game.to_text(game.from_text(whole)) == whole
    try:
        list(replay(record))
    except RecordError:
        return
    assert cut_game(record, 0) == cut_game(cut_game(record, 0), 0)


@pytest.mark.parametrize(
    "line",
    [
        "seed: " + "[" * 100_000,
        "seed: " + "9" * 100_000,
        'seed: "' + "\\" * 99_999,
        'seed: "\0"',
        'seed: "\t"',
        "rule: " + "a." * 5000 + "a = 1",
        "rule: max_200s = 0x" + "f" * 5000,
        "rules: " + "9" * 5000,
        "result: " + "9 " * 5000,
        "deal: 1\ndeck: " + "25 " * 50_000 + "\nmoves: 9" + "9" * 5000 + ":x25",
        "deal: 1\ndeck:\nmoves: STOP>" + "9" * 5000,
    ],
)
def test_absurd_texts_are_refused_as_any_other(line: str) -> None:
    with pytest.raises(RecordError):
        play("game: 1\n" + line)


def test_a_pair_of_surrogates_in_a_text_is_the_character_it_stands_for() -> None:
    record = game.from_text('game: 1\nseed: "\\ud83d\\ude97"')
    assert record.seed == "🚗"
    assert game.from_text(game.to_text(record)) == record


@pytest.mark.parametrize("seed", ["\ud83d", "\ude97\ud83d", "\ud83d" + "\ude97", "\\ud83d"])
def test_lone_surrogates_are_refused_and_never_written(seed: str) -> None:
    expected = "a text without lone surrogates"
    found = refusal(game.from_text, f'game: 1\nseed: "{seed}"')
    assert found == (2, 7, f"'\"{seed}\"'", expected)
    text = game.to_text(Game(edition=EDITIONS["article"], players=2, seed=f"a{seed}b"))
    again = game.from_text(text)
    assert game.to_text(again) == text
    assert again.seed is not None
    assert again.seed.encode().decode() == again.seed


def test_a_record_cannot_be_cut_for_a_seat_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="there is no seat 2: seats are 0 to 1"):
        cut_game(Game(edition=EDITIONS["article"], players=2), 2)


def test_where_the_usual_trip_is_short_already_there_is_nothing_to_choose() -> None:
    edition = EDITIONS["dujardin-2019"].house({"trip": {"4": 700}})
    record = Game(edition=edition, players=4, short_trip=True)
    assert record.start().trip == 700
    assert game.from_text(game.to_text(record)) == record
