"""The questions of the terminal game, and what their answers do."""

from itertools import count
from pathlib import Path

import pytest

from millebornes.cli.game import PlayOptions, play_game
from millebornes.fair import key_from_seed, shuffled
from millebornes.records import Token
from millebornes.rules import DEFAULT_EDITION, Card, Discard, Play
from millebornes.words import words
from tests.cli.people import ScriptedScreen, SeeingScreen
from tests.cli.records import only_record, read


def moves(data: Path) -> list[Token]:
    return [token for hand in read(only_record(data)).deals for token in hand.moves]


@pytest.mark.parametrize("typed", ["", "  ", "?", "why 1", "why", "d", "xyzzy", "9", "score", "e"])
def test_a_line_that_is_no_move_changes_nothing(typed: str, data: Path) -> None:
    screen = ScriptedScreen(typed, "", typed)
    assert play_game(PlayOptions(seed="calm"), screen, words()) == 0
    assert len(screen.questions) == 4
    assert moves(data) == []


def hand_with(card: Card, players: int = 2) -> str:
    """A seed that gives the person this card for the first turn."""
    deck = DEFAULT_EDITION.deck(players)
    for number in count():
        order = shuffled(key_from_seed(str(number), 1), len(deck))
        dealt = 6 * players
        if card in [deck[index] for index in (*order[:dealt:players], order[dealt])]:
            break
    return str(number)


def test_a_safety_is_discarded_only_after_confirmation(data: Path) -> None:
    seed = hand_with(Card.ACE)
    screen = ScriptedScreen("d ace", "", "what?", "n", "x ace", "y")
    play_game(PlayOptions(seed=seed), screen, words())
    asked = [question for question in screen.questions if question.startswith("Discard Driving")]
    assert len(asked) == 4
    assert moves(data)[0].move == Discard(Card.ACE)


def test_quit_works_at_a_confirmation(data: Path) -> None:
    screen = ScriptedScreen("d ace", "quit")
    assert play_game(PlayOptions(seed=hand_with(Card.ACE)), screen, words()) == 0
    assert moves(data) == []


def test_a_refused_move_gets_its_reason(data: Path) -> None:
    screen = ScriptedScreen("100", "why 100")
    play_game(PlayOptions(seed=hand_with(Card.D100)), screen, words("fr"))
    assert screen.text.count("Il vous faut d'abord un Feu vert") == 2
    assert moves(data) == []


def test_a_target_is_asked_for_and_can_be_cancelled(data: Path) -> None:
    seed = hand_with(Card.LIM, players=3)
    screen = ScriptedScreen("speed limit", "?", "nobody", "", "limit", "hugo")
    play_game(PlayOptions(players=3, seed=seed), screen, words())
    questions = [question for question in screen.questions if "on whom?" in question]
    assert questions == ["Speed Limit on whom? 1 Léa, 2 Hugo:"] * 4
    assert 'I do not know whom you mean by "nobody". Your opponents: Léa, Hugo.' in screen.text
    assert "Nothing played." in screen.text
    assert moves(data)[0].move == Play(Card.LIM, 2)


def test_only_enter_deals_the_next_hand() -> None:
    class Curious(SeeingScreen):
        at_the_end = 0

        def ask(self, question: str) -> str:
            if "next hand" not in question:
                return super().ask(question)
            self.at_the_end += 1
            return ("yes", "score", "log", "?", "")[min(self.at_the_end, 5) - 1]

    screen = Curious()
    play_game(PlayOptions(seed="enter", hands=2), screen, words())
    assert screen.at_the_end == 5
    assert "Only Enter deals the next hand" in screen.text
    assert screen.text.count("Combined total") == 3
