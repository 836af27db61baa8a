"""Moves as words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millebornes.records import RecordError, Token, parse_move
from millebornes.records.tokens import to_text
from millebornes.rules import (
    Card,
    CoupFourre,
    Decline,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
)
from millebornes.rules.moves import move_space
from tests.strategies import nonsense

EXPECTED = "a move such as ROLL, STOP>1, x25, ACE!, -, ext or end"


@pytest.mark.parametrize(
    ("word", "move"),
    [
        ("ROLL", Play(Card.ROLL)),
        ("100", Play(Card.D100)),
        ("AUTO", Play(Card.AUTO)),
        ("STOP>1", Play(Card.STOP, 1)),
        ("LIM>12", Play(Card.LIM, 12)),
        ("STOP", Play(Card.STOP)),
        ("?", Play(Card.UNKNOWN)),
        ("x25", Discard(Card.D25)),
        ("xACE", Discard(Card.ACE)),
        ("x?", Discard(Card.UNKNOWN)),
        ("ACE!", CoupFourre(Card.ACE)),
        ("-", Decline()),
        ("ext", Extend()),
        ("end", Finish()),
    ],
)
def test_each_word_is_one_move(word: str, move: Move) -> None:
    assert parse_move(word) == move
    assert to_text(move) == word
    assert str(Token(move)) == word
    assert str(Token(move, 3)) == f"3:{word}"


@pytest.mark.parametrize("sides", [2, 3, 4, 6])
def test_every_move_of_the_game_has_a_word_of_its_own(sides: int) -> None:
    words = [to_text(move) for move in move_space(sides)]
    assert len(set(words)) == len(words)
    assert [parse_move(word) for word in words] == list(move_space(sides))


@pytest.mark.parametrize(
    "word",
    [
        "",
        "roll",
        "X25",
        "x",
        "x24",
        "x 25",
        "!",
        "ROLL!",
        "?!",
        "25!",
        "STOP>",
        "STOP>123",
        "STOP>-1",
        ">1",
        "ROLL>1",
        "25>1",
        "FOO>1",
        "stop>1",
        "--",
        "EXT",
        "1:GAS",
        "٢٥",
        "25\n",
    ],
)
def test_a_word_that_is_no_move_is_refused_with_what_was_expected(word: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse_move(word)
    error = refused.value
    assert (error.line, error.column) == (1, 1)
    assert error.found == f"'{word}'"
    assert error.expected == EXPECTED
    assert str(error) == f"line 1, column 1: found '{word}', expected {EXPECTED}"


def test_a_very_long_word_is_quoted_in_part() -> None:
    with pytest.raises(RecordError) as refused:
        parse_move("A" * 1000)
    assert refused.value.found == "'" + "A" * 37 + "...'"


@given(nonsense())
def test_any_text_is_a_move_or_a_record_error(text: str) -> None:
    try:
        move = parse_move(text)
    except RecordError:
        return
    assert parse_move(to_text(move)) == move


@given(st.sampled_from(sorted(Card)), st.integers(0, 99))
def test_only_a_hazard_goes_onto_a_side(card: Card, side: int) -> None:
    word = f"{card}>{side}"
    if card in {"ACC", "OUT", "FLAT", "STOP", "LIM"}:
        assert parse_move(word) == Play(card, side)
    else:
        with pytest.raises(RecordError):
            parse_move(word)
