"""Ask, explain, act: one judge, and a state that never changes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import (
    Card,
    CoupFourre,
    Discard,
    IllegalMove,
    Match,
    Move,
    Play,
    Reason,
    apply,
    awaited_seats,
    legal_moves,
    why_not,
)
from millebornes.rules.moves import move_space
from millebornes.rules.state import Deal, Over
from tests.strategies import Table, every_table, hands, matches

# Moves that no position allows.
_NEVER: tuple[Move, ...] = (
    Play(Card.STOP),
    Play(Card.LIM),
    Play(Card.ROLL, 0),
    Play(Card.D100, 1),
    Play(Card.STOP, 99),
    Play(Card.ACC, -1),
    Play(Card.UNKNOWN),
    Discard(Card.UNKNOWN),
    CoupFourre(Card.ROLL),
    CoupFourre(Card.UNKNOWN),
)


def check_refused(match: Match, seat: int, move: Move) -> None:
    reason = why_not(match, seat, move)
    assert isinstance(reason, Reason), (seat, move)
    refused = None
    try:  # and not pytest.raises, which is slow where there are so many
        apply(match, seat, move)
    except IllegalMove as error:
        refused = error
    assert refused is not None
    assert (refused.seat, refused.move, refused.reason) == (seat, move, reason)


@every_table
@given(data=st.data())
@settings(max_examples=10)
def test_exactly_the_legal_moves_are_accepted_and_every_other_is_refused_with_a_reason(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    offset = data.draw(st.integers(0, 6))
    for match in (*hand.states[offset::7], hand.final):
        before = repr(match)
        for seat in range(match.players):
            legal = legal_moves(match, seat)
            assert len(set(legal)) == len(legal)
            assert set(legal) <= set(move_space(match.sides))
            assert bool(legal) == (seat in awaited_seats(match))
            for move in move_space(match.sides):
                if move in legal:
                    assert why_not(match, seat, move) is None
                    apply(match, seat, move)
                else:
                    check_refused(match, seat, move)
            for move in _NEVER:
                check_refused(match, seat, move)
        for seat in (-1, match.players):
            check_refused(match, seat, Discard(Card.D25))
            assert legal_moves(match, seat) == ()
        assert repr(match) == before


@every_table
@given(data=st.data())
@settings(max_examples=4)
def test_apply_never_changes_the_state_it_is_given(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    hand = data.draw(hands(table))
    for before, seat, move, _, _ in hand.steps[::3]:
        snapshot = repr(before)
        after, _ = apply(before, seat, move)
        assert repr(before) == snapshot
        # What can be hashed holds no list or dictionary that could be changed later.
        assert hash(after) == hash(apply(before, seat, move)[0])


@every_table
@given(data=st.data())
@settings(max_examples=6)
def test_apply_is_a_function_of_state_seat_and_move(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    for step in data.draw(hands(table)).steps:
        assert apply(step.before, step.seat, step.move) == (step.after, step.events)


@every_table
@given(data=st.data())
@settings(max_examples=6)
def test_somebody_can_always_move_until_the_hand_ends(
    table: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    for hand in data.draw(matches(table)):
        for match in hand.states:
            ended = isinstance(match.awaiting, Deal | Over)
            assert ended == (not awaited_seats(match))
            assert match.hand is not None
            assert ended == (match.hand.sheets is not None)
            for seat in awaited_seats(match):
                assert legal_moves(match, seat)
