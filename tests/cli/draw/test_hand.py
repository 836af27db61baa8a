"""The hand as text: numbered, with the cards that can be played marked."""

from millebornes.cli.draw.hand import draw_hand, hand_in_order
from millebornes.rules import Card
from millebornes.words import words
from tests.cli.views import seen


def test_the_hand_is_numbered_and_marked() -> None:
    known = seen("players: 2\nbattle 1: ROLL\nhand 0: ROLL STOP 25")
    assert hand_in_order(known[0])[:3] == (Card.D25, Card.STOP, Card.ROLL)
    text = "\n".join(line.plain for line in draw_hand(*known, words(), 80))
    assert " 1   25 miles" in text
    assert " 2 * Stop on Léa" in text
    assert " 3 * Roll" in text


def test_targets_are_numbers_if_names_are_too_long() -> None:
    text = "edition: dujardin-2019\nplayers: 8\nhand 0: LIM"
    shown = "\n".join(line.plain for line in draw_hand(*seen(text), words(), 80))
    assert "Speed Limit on 1, 2, 3" in shown
