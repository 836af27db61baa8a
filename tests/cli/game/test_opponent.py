"""Other people's bots in the terminal game: they play, and if they fail somebody plays on."""

from itertools import pairwise
from pathlib import Path

import pytest

from millebornes.cli.game import PlayOptions, play_game
from millebornes.cli.game.setup import PERSON
from millebornes.records import replay
from millebornes.rules import view
from millebornes.words import words
from tests.cli.people import SeeingScreen, ask
from tests.cli.records import read
from tests.plugins.outside import CLASSES, strange

REPLACED = "The Sunday Driver plays on for it"


def played(bot: str, path: Path, **options: int) -> str:
    """What the person saw of a whole match against this bot."""
    screen = SeeingScreen()
    settings = PlayOptions(bot=bot, seed="outside", save=path, **options)  # type: ignore[arg-type]
    assert play_game(settings, screen, words()) == 0
    assert read(path).result is not None
    return " ".join(screen.text.split())


@pytest.mark.parametrize("bot", [f"{CLASSES}:First", strange("fine")])
def test_an_outside_bot_plays_every_other_seat(bot: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    assert REPLACED not in played(bot, path, hands=1, players=3)
    made = 0
    for before, step in pairwise(replay(read(path))):
        if step.token is not None and step.seat not in (None, PERSON):
            assert step.token.move == view(before.match, step.seat).legal_moves[0]
            made += 1
    assert made > 20


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("die", "The bot has failed: its program has ended."),
        ("illegal", "The bot has failed: it made an illegal move."),
        ("rubbish", "The bot has failed: its answer makes no sense."),
        ("error", "The bot has failed: it reported an error."),
    ],
)
def test_a_bot_that_fails_is_replaced_for_the_rest_of_each_hand(
    way: str, said: str, tmp_path: Path
) -> None:
    text = played(strange(way), tmp_path / "game.txt", hands=2)
    assert text.count(said) == text.count(REPLACED) == 2
    assert "must be one of" not in text, "that would tell the bot's cards"


def test_a_bot_that_does_not_start_is_refused() -> None:
    done = ask("play", "--bot", strange("die-at-once"))
    assert done.returncode == 2
    assert "The bot cannot play on: its program has ended (exit code 1: no licence)." in (
        " ".join(done.stderr.split())
    )


def test_a_bot_that_there_is_not_is_refused() -> None:
    done = ask("play", "--bot", "nowhere_at_all:Bot", "--lang", "fr")
    assert done.returncode == 2
    assert "Python ne trouve pas le module nowhere_at_all" in " ".join(done.stderr.split())
