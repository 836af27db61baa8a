"""A game at the terminal, as a practice table: playing, hints, going back, resuming."""

import re
from pathlib import Path

import pytest

from millebornes.bots import SundayDriver
from millebornes.cli.game import PlayOptions, play_game
from millebornes.cli.game.setup import PERSON
from millebornes.records import replay
from millebornes.rules import EDITIONS, Card, Discard, Play, View, view
from millebornes.words import words
from tests.cli.people import ScriptedScreen, SeeingScreen
from tests.cli.records import read


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_player_count_can_be_played(edition: str, tmp_path: Path) -> None:
    for players in EDITIONS[edition].player_counts:
        path = tmp_path / f"{players}.txt"
        options = PlayOptions(edition=edition, players=players, seed="look", hands=1, save=path)
        screen = SeeingScreen()
        assert play_game(options, screen, words("fr" if players % 4 else "en")) == 0
        assert read(path).result is not None
        assert all(len(line) <= 80 for line in screen.shown[:-1])


def test_markup_in_a_name_is_shown_literally() -> None:
    screen = ScriptedScreen("?", "score", "log", "rules", "table", "quit")
    assert play_game(PlayOptions(name="[red]Zoé[/]"), screen, words()) == 0
    assert "[red]Zoé[/]" in screen.text


def test_a_person_under_attack_is_asked_for_a_coup_fourre() -> None:
    """Somewhere in these matches the person holds the safety and calls the coup fourré."""
    asked = called = extended = 0
    for number in range(4):
        screen = SeeingScreen()
        play_game(PlayOptions(seed=f"window {number}", target=3000, players=3), screen, words())
        asked += sum(question == "Coup fourré? (y/n)" for question in screen.questions)
        extended += sum("Extend or finish?" in question for question in screen.questions)
        called += screen.text.count("Coup fourré! You answer")
        # Without a partner, a window that the person cannot answer closes by itself.
        assert "Press Enter to continue." not in screen.questions
    assert asked == called > 0
    assert extended > 0


def test_with_a_partner_every_attack_is_asked_about() -> None:
    screen = SeeingScreen()
    play_game(PlayOptions(seed="team", players=4, hands=1), screen, words())
    attacks = len(re.findall(r" on you\.", screen.text))
    answers = [q for q in screen.questions if "continue" in q or "Coup fourré?" in q]
    assert 0 < len(answers) <= attacks  # no question once the safety is on the table


def test_draws_of_others_are_not_shown() -> None:
    screen = SeeingScreen()
    play_game(PlayOptions(seed="secret", hands=1), screen, words())
    assert "Léa draws" not in screen.text
    assert "You draw" in screen.text


def test_a_game_can_be_resumed_from_any_point(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    whole = tmp_path / "whole.txt"
    play_game(
        PlayOptions(players=4, seed="stop and go", hands=2, save=whole), SeeingScreen(), words()
    )

    class Impatient(SeeingScreen):
        left = 3

        def ask(self, question: str) -> str:
            self.left -= 1
            if self.left < 0:
                raise EOFError
            return super().ask(question)

    options = PlayOptions(players=4, seed="stop and go", hands=2, save=path)
    for _ in range(200):
        play_game(options, Impatient(), words())
        if read(path).result is not None:
            break
        options = PlayOptions(resume=True, file=path)
    assert read(path) == read(whole)


def first_view(path: Path) -> View:
    """What the person sees before the first move."""
    return view(next(replay(read(path))).match, PERSON)


def test_back_repeats_the_last_decision(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("d 1", "back")
    play_game(PlayOptions(seed="back", save=path), screen, words())
    assert "Back to your decision before that." in screen.text
    assert read(path).deals[0].moves == ()
    tables = screen.text.split("━━ Hand")
    assert tables[1].split("Your hand")[1].split("You discard")[0] in tables[3]


def test_back_reaches_the_first_decision_of_the_hand(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("d 1", "d 1", "d 1", "back", "back", "back", "back", "d 2")
    play_game(PlayOptions(seed="all the way", save=path), screen, words())
    assert screen.text.count("There is no earlier decision of yours in this hand.") == 1
    assert str(read(path).deals[0].moves[0]).startswith("x")


def test_going_back_does_not_change_the_deck(tmp_path: Path) -> None:
    straight, crooked = tmp_path / "straight.txt", tmp_path / "crooked.txt"
    play_game(PlayOptions(seed="same", save=straight), ScriptedScreen("d 1", "d 1"), words())
    options = PlayOptions(seed="same", save=crooked)
    play_game(options, ScriptedScreen("d 2", "d 1", "back", "back", "d 1", "d 1"), words())
    assert read(straight).deals == read(crooked).deals


def test_a_resumed_game_can_go_back_beyond_the_break(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play_game(PlayOptions(seed="break", save=path), ScriptedScreen("d 1", "d 1"), words())
    screen = ScriptedScreen("retour", "retour", "retour")
    play_game(PlayOptions(resume=True, file=path), screen, words("fr"))
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
    play_game(PlayOptions(seed="regret", hands=2, save=path), screen, words())
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

    play_game(PlayOptions(seed="waver", players=4, hands=1, save=path), Wavering(), words())
    record = read(path)
    assert record.result == list(replay(record))[-1].match.totals


def test_a_hint_names_the_move_a_bot_would_make(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    screen = ScriptedScreen("hint")
    play_game(PlayOptions(seed="hint", save=path), screen, words())
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
    play_game(PlayOptions(seed="between", hands=2), screen, words())
    assert "Nothing is asked of you now." in screen.text


def test_back_works_at_the_question_for_a_target(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    for number in range(100):
        options = PlayOptions(seed=f"target {number}", players=3, save=tmp_path / f"{number}.txt")
        play_game(options, ScriptedScreen(), words())
        if Card.LIM in first_view(tmp_path / f"{number}.txt").hand:
            break
    options = PlayOptions(seed=f"target {number}", players=3, save=path)
    screen = ScriptedScreen("limit", "hint", "back", "", "quit")
    play_game(options, screen, words())
    assert "I would" in screen.text
    assert "no earlier decision" in screen.text
    assert read(path).deals[0].moves == ()
