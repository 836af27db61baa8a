"""A position is its text."""

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.records import RecordError, position
from millebornes.rules import Match, awaited_seats, legal_moves
from tests.strategies import Table, every_table, matches, partial_positions


def without_history(match: Match) -> Match:
    assert match.hand is not None
    return match._replace(hand=match.hand._replace(history=()))


@every_table
@given(data=st.data())
@settings(max_examples=6)
def test_the_text_of_any_reached_position_gives_it_back(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    for hand in data.draw(matches(table)):
        for match in (*hand.states[::4], hand.final):
            text = position.to_text(match)
            again = position.from_text(text)
            assert without_history(again) == without_history(match)
            assert position.to_text(again) == text
            for seat in awaited_seats(match):
                assert legal_moves(again, seat) == legal_moves(match, seat)


@given(partial_positions())
@settings(max_examples=400)
def test_a_partial_position_that_can_be_read_is_printed_whole_and_reads_the_same(
    text: str,
) -> None:
    match = None
    with contextlib.suppress(RecordError):
        match = position.from_text(text)
    if match is not None:
        whole = position.to_text(match)
        again = position.from_text(whole)
        assert again == match
        assert position.to_text(again) == whole
