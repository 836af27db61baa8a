"""The misclick guard asks before moves that are probably mistakes, and only then."""

import pytest

from millebornes.records import position
from millebornes.rules import Card, Discard, Move, Play, view
from millebornes.table.doubts import doubt, doubts

TEXT = "players: 2\nbattle 0: ROLL\nbattle 1: ROLL\nhand 0: 75 25 ACE STOP ROLL\nmiles 0: "
WINNING, EARLY = TEXT + "625", TEXT + "100"


@pytest.mark.parametrize(
    ("text", "move", "kind"),
    [
        (EARLY, Discard(Card.ACE), "safety"),
        (EARLY, Discard(Card.D75), None),
        (EARLY, Play(Card.D75), None),
        (WINNING, Discard(Card.D75), "winning"),
        (WINNING, Discard(Card.ROLL), "winning"),
        (WINNING, Play(Card.D25), "winning"),
        (WINNING, Play(Card.STOP, 1), "winning"),
        (WINNING, Play(Card.D75), None),
        (WINNING, Play(Card.ACE), None),
        (WINNING, Discard(Card.ACE), "safety"),
        (WINNING + "\nspeed 0: LIM", Discard(Card.D75), None),
    ],
)
def test_what_is_asked_before_a_move(text: str, move: Move, kind: str | None) -> None:
    assert doubt(view(position.from_text(text), 0), move) == kind


def test_answers_are_not_doubted() -> None:
    from millebornes.rules import Decline, Extend

    text = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: ACE"
    assert doubt(view(position.from_text(text), 0), Decline()) is None
    assert doubt(view(position.from_text("extension: 0\nmiles 0: 700"), 0), Extend()) is None


def test_the_table_names_the_doubtful_moves_of_the_viewer() -> None:
    early = doubts(view(position.from_text(EARLY), 0))
    assert early == {"xACE": "safety"}
    won = doubts(view(position.from_text(WINNING), 0))
    assert won["xACE"] == "safety"
    assert won["25"] == won["STOP>1"] == won["x75"] == "winning"
    assert not {"75", "ACE"} & set(won)


@pytest.mark.parametrize("seat", [1, None])
def test_nobody_else_is_told_of_doubts(seat: int | None) -> None:
    assert doubts(view(position.from_text(WINNING), seat)) == {}
