"""Help during the game: what can be typed, which card answers which, what an answer decides."""

import pytest
from rich.cells import cell_len

from millebornes.cli.game.help import draw_help, draw_stakes
from millebornes.rules import Card
from millebornes.words import languages, words
from tests.cli.views import seen


@pytest.mark.parametrize("language", languages())
def test_the_help_lists_which_card_answers_which(language: str) -> None:
    lines = draw_help(seen("edition: dujardin-2019\nplayers: 2")[0], words(language), 80)
    text = "\n".join(line.plain for line in lines)
    assert len(lines) <= 23
    for card in (Card.ACC, Card.REP, Card.ACE, Card.EOL, Card.ROW):
        assert words(language).card(card) in text
    assert max(cell_len(line.plain) for line in lines) <= 80


def stakes(text: str) -> str:
    return " ".join(line.plain for line in draw_stakes(*seen(text), words(), 80))


def test_a_turn_has_no_stakes() -> None:
    assert stakes("players: 2") == ""


def test_the_extension_says_what_is_at_stake() -> None:
    base = (
        "players: 2\nextension: 0\ndistance 0: 100 100 100 100 100 100 100\nmiles 1: 225\npile: 40"
    )
    said = stakes(base)
    assert "you score 700 points" in said  # the trip, and no 200s
    assert "scores 200 points more" in said
    assert "Léa with 225 miles, 475 behind you. Cards in the pile: 40." in said
    assert "or nobody does, each of your opponents scores 200 points" in said
    parker = stakes("edition: parker-1988\n" + base)
    assert "gets there first, it scores 200 points for the extension" in parker  # there is one
    three = base.replace("players: 2", "players: 3")
    each = "gets there first, each of your opponents scores 200 points"
    assert each in stakes("edition: parker-1988\n" + three)
    assert "it scores 200 points for the extension" in stakes("edition: article\n" + three)
    assert "gets there first" not in stakes("edition: encyclopedia\n" + base)
    assert "you score 400 points" in stakes(base.replace("0: 100 100", "0: 200"))
    assert "you score 1200 points" in stakes(base.replace("miles 1: 225\n", ""))


def test_the_window_says_what_a_coup_fourre_is_worth() -> None:
    base = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: "
    assert "worth 400 points" in stakes(base + "ACE")
    assert "Only Driving Ace could answer Accident" in stakes(base + "only 25")
