"""The terminal game is a practice table: hints, and going back to an earlier decision."""

from pathlib import Path

import pytest

from millebornes.bots import SundayDriver
from millebornes.cli.driver import play_game
from millebornes.cli.setup import PERSON, Wishes
from millebornes.records import Game, game, replay
from millebornes.rules import Card, Discard, Play, View, view
from millebornes.words import words

from .people import ScriptedScreen, SeeingScreen, ask


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_DATA", str(tmp_path / "data"))


def read(path: Path) -> Game:
    return game.from_text(path.read_text(encoding="utf-8"))


def first_view(path: Path) -> View:
    """What the person sees before the first move."""
    return view(next(replay(read(path))).match, PERSON)


def test_back_asks_the_last_decision_again(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("d 1", "back")
    play_game(Wishes(seed="back", save=path), screen, words())
    assert "Back to your decision before that." in screen.text
    assert read(path).deals[0].moves == ()
    tables = screen.text.split("━━ Hand")
    assert tables[1].split("Your hand")[1].split("You discard")[0] in tables[3]


def test_back_goes_as_far_as_the_first_decision_of_the_hand(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("d 1", "d 1", "d 1", "back", "back", "back", "back", "d 2")
    play_game(Wishes(seed="all the way", save=path), screen, words())
    assert screen.text.count("There is no earlier decision of yours in this hand.") == 1
    assert str(read(path).deals[0].moves[0]).startswith("x")


def test_after_going_back_the_same_cards_come(tmp_path: Path) -> None:
    straight, crooked = tmp_path / "straight.txt", tmp_path / "crooked.txt"
    play_game(Wishes(seed="same", save=straight), ScriptedScreen("d 1", "d 1"), words())
    wishes = Wishes(seed="same", save=crooked)
    play_game(wishes, ScriptedScreen("d 2", "d 1", "back", "back", "d 1", "d 1"), words())
    assert read(straight).deals == read(crooked).deals


def test_a_resumed_game_can_go_back_before_the_break(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play_game(Wishes(seed="break", save=path), ScriptedScreen("d 1", "d 1"), words())
    screen = ScriptedScreen("retour", "retour", "retour")
    play_game(Wishes(resume=True, file=path), screen, words("fr"))
    assert screen.text.count("Retour à votre décision précédente.") == 2
    assert read(path).deals[0].moves == ()


def test_going_back_works_after_the_end_of_a_hand(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"

    class Regretful(SeeingScreen):
        went_back = False

        def ask(self, question: str) -> str:
            if "next hand" in question and not self.went_back:
                self.went_back = True
                return "back"
            return super().ask(question)

    screen = Regretful()
    play_game(Wishes(seed="regret", hands=2, save=path), screen, words())
    assert screen.went_back
    assert read(path).result is not None
    assert len(list(replay(read(path)))) > 2


def test_a_finished_game_with_steps_back_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"

    class Wavering(SeeingScreen):
        asked = 0

        def ask(self, question: str) -> str:
            self.asked += 1
            return "back" if self.asked % 5 == 0 else super().ask(question)

    play_game(Wishes(seed="waver", players=4, hands=1, save=path), Wavering(), words())
    record = read(path)
    assert record.result == list(replay(record))[-1].match.totals


def test_a_hint_names_the_move_a_bot_would_make(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("hint")
    play_game(Wishes(seed="hint", save=path), screen, words())
    advice = SundayDriver().explain(first_view(path))
    move = advice.move
    assert isinstance(move, Play | Discard)
    told = " ".join(screen.shown)
    assert words().card(move.card) in told[told.index("I would") :]
    assert words().sentence(advice, words().named(["You", "Léa"], 2, 0)) in told
    assert read(path).deals[0].moves == ()


def test_there_is_no_hint_between_hands() -> None:
    class Between(SeeingScreen):
        asked = 0

        def ask(self, question: str) -> str:
            if "next hand" not in question:
                return super().ask(question)
            self.asked += 1
            return "hint" if self.asked == 1 else ""

    screen = Between()
    play_game(Wishes(seed="between", hands=2), screen, words())
    assert "Nothing is asked of you now." in screen.text


def test_back_is_understood_where_a_target_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    for number in range(100):
        wishes = Wishes(seed=f"target {number}", players=3, save=tmp_path / f"{number}.txt")
        play_game(wishes, ScriptedScreen(), words())
        if Card.LIM in first_view(tmp_path / f"{number}.txt").hand:
            break
    wishes = Wishes(seed=f"target {number}", players=3, save=path)
    screen = ScriptedScreen("limit", "hint", "back", "", "quit")
    play_game(wishes, screen, words())
    assert "I would" in screen.text
    assert "no earlier decision" in screen.text
    assert read(path).deals[0].moves == ()


def test_an_endless_seed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    done = ask("play", "--seed", "x" * 1000, "--save", path)
    assert done.returncode == 2
    assert "--seed" in done.stderr
    assert not path.exists()
