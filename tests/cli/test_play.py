"""The terminal game, from the first question to the last score sheet."""

import re
from itertools import count
from pathlib import Path

import pytest

from millebornes.cli.driver import play_game
from millebornes.cli.setup import Wishes
from millebornes.fair import key_from_seed, shuffled
from millebornes.records import Game, Token, game, replay
from millebornes.rules import DEFAULT_EDITION, EDITIONS, Card, Discard, Play
from millebornes.rules.state import Over
from millebornes.words import words

from .people import ESCAPE, ScriptedScreen, SeeingScreen, ask, blind_person, run


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def only_record(data: Path) -> Path:
    (path,) = (data / "games").iterdir()
    return path


def read(path: Path) -> Game:
    return game.from_text(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_match_through_a_pipe(edition: str, language: str, data: Path) -> None:
    players = {"article": "3", "winning-moves": "4", "dujardin-2019": "6"}.get(edition, "2")
    done = run(
        "play", "--edition", edition, "--players", players, "--seed", f"{edition} {language}",
        "--target", "1000", "--lang", language, stdin=blind_person(), data=data,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert ESCAPE not in done.stdout
    spoken = words(language)
    assert max(len(line) for line in done.stdout.splitlines()[:-1]) <= 120
    sheets = done.stdout.split(spoken.score_line("combined"))
    record = read(only_record(data))
    final = list(replay(record))[-1].match
    assert isinstance(final.awaiting, Over)
    assert record.result == final.totals
    assert len(sheets) - 1 == len(record.deals)
    shown = [int(figure) for figure in re.findall(r"\d+", sheets[-1].splitlines()[0])]
    assert tuple(shown) == final.totals
    assert only_record(data).name in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_player_count_can_be_played_by_looking(edition: str, tmp_path: Path) -> None:
    for players in EDITIONS[edition].player_counts:
        path = tmp_path / f"{players}.txt"
        wishes = Wishes(edition=edition, players=players, seed="look", hands=1, save=path)
        screen = SeeingScreen()
        assert play_game(wishes, screen, words("fr" if players % 4 else "en")) == 0
        assert read(path).result is not None
        assert all(len(line) <= 80 for line in screen.shown[:-1])


def test_a_seed_deals_the_same_game_again(tmp_path: Path) -> None:
    records = []
    for name in ("one", "two"):
        wishes = Wishes(players=2, seed="again", hands=1, save=tmp_path / name)
        play_game(wishes, SeeingScreen(), words())
        records.append(read(tmp_path / name))
    assert records[0] == records[1]


def test_without_a_seed_a_fresh_one_is_shown() -> None:
    seeds = set()
    for _ in range(2):
        screen = ScriptedScreen()
        play_game(Wishes(), screen, words())
        found = re.search(r"Seed ([0-9a-f]{12}):", screen.text)
        assert found
        seeds.add(found[1])
    assert len(seeds) == 2


def test_the_person_starts_and_no_bot_has_the_same_name(data: Path) -> None:
    wishes = Wishes(edition="dujardin-2019", players=8, name="  HUGO ")
    screen = ScriptedScreen()
    play_game(wishes, screen, words())
    record = read(only_record(data))
    assert record.seats == ("HUGO", "Léa", "Chloé", "Louis", "Manon", "Jules", "Inès", "Camille")
    assert record.dealer == 7
    assert "d = discard" in screen.questions[0]


def test_a_short_trip_and_house_rules_are_kept(data: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('parent = "dujardin-2019"\nautoroute_cards = 2\n')
    wishes = Wishes(edition=str(house), players=4, short_trip=True, hands=3, target=1000)
    screen = ScriptedScreen()
    play_game(wishes, screen, words())
    record = read(only_record(data))
    assert record.start().trip == 700
    assert (record.edition.autoroute_cards, record.edition.hands) == (2, 3)
    assert "a trip of 700 miles" in " ".join(screen.text.split())
    assert "Hands in this match: 3." in screen.text


def test_a_name_is_shown_as_it_is_written() -> None:
    screen = ScriptedScreen("?", "score", "log", "rules", "table", "quit")
    assert play_game(Wishes(name="[red]Zoé[/]"), screen, words()) == 0
    assert "[red]Zoé[/]" in screen.text


def moves(data: Path) -> list[Token]:
    return [token for hand in read(only_record(data)).deals for token in hand.moves]


@pytest.mark.parametrize("typed", ["", "  ", "?", "why 1", "why", "d", "xyzzy", "9", "score", "e"])
def test_what_is_no_move_changes_nothing(typed: str, data: Path) -> None:
    screen = ScriptedScreen(typed, "", typed)
    assert play_game(Wishes(seed="calm"), screen, words()) == 0
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


def test_a_safety_is_discarded_only_after_a_yes(data: Path) -> None:
    seed = hand_with(Card.ACE)
    screen = ScriptedScreen("d ace", "", "what?", "n", "x ace", "y")
    play_game(Wishes(seed=seed), screen, words())
    asked = [question for question in screen.questions if question.startswith("Discard Driving")]
    assert len(asked) == 4
    assert moves(data)[0].move == Discard(Card.ACE)


def test_quit_is_understood_at_a_question_of_confidence(data: Path) -> None:
    screen = ScriptedScreen("d ace", "quit")
    assert play_game(Wishes(seed=hand_with(Card.ACE)), screen, words()) == 0
    assert moves(data) == []


def test_a_refusal_is_a_sentence(data: Path) -> None:
    screen = ScriptedScreen("100", "why 100")
    play_game(Wishes(seed=hand_with(Card.D100)), screen, words("fr"))
    assert screen.text.count("Il vous faut d'abord un Feu vert") == 2
    assert moves(data) == []


def test_on_whom_is_asked_and_may_be_left(data: Path) -> None:
    seed = hand_with(Card.LIM, players=3)
    screen = ScriptedScreen("speed limit", "?", "nobody", "", "limit", "hugo")
    play_game(Wishes(players=3, seed=seed), screen, words())
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
    play_game(Wishes(seed="enter", hands=2), screen, words())
    assert screen.at_the_end == 5
    assert "Only Enter deals the next hand" in screen.text
    assert screen.text.count("Combined total") == 3


def test_the_attacked_are_asked_and_answer() -> None:
    """Somewhere in these matches the person holds the safety and calls the coup fourré."""
    asked = called = extended = 0
    for number in range(4):
        screen = SeeingScreen()
        play_game(Wishes(seed=f"window {number}", target=3000, players=3), screen, words())
        asked += sum(question == "Coup fourré? (y/n)" for question in screen.questions)
        extended += sum("Extend or finish?" in question for question in screen.questions)
        called += screen.text.count("Coup fourré! You answer")
        assert "Press Enter to continue." not in screen.questions  # alone: closes by itself
    assert asked == called > 0
    assert extended > 0


def test_with_a_partner_the_attacked_are_always_asked() -> None:
    screen = SeeingScreen()
    play_game(Wishes(seed="team", players=4, hands=1), screen, words())
    attacks = len(re.findall(r" on you\.", screen.text))
    answers = [q for q in screen.questions if "continue" in q or "Coup fourré?" in q]
    assert 0 < len(answers) <= attacks  # none once the safety lies on the table


def test_draws_of_others_are_neither_told_nor_shown() -> None:
    screen = SeeingScreen()
    play_game(Wishes(seed="secret", hands=1), screen, words())
    assert "Léa draws" not in screen.text
    assert "You draw" in screen.text


def test_games_of_all_kinds_can_be_resumed_from_any_point(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    whole = tmp_path / "whole.txt"
    play_game(Wishes(players=4, seed="stop and go", hands=2, save=whole), SeeingScreen(), words())

    class Impatient(SeeingScreen):
        left = 3

        def ask(self, question: str) -> str:
            self.left -= 1
            if self.left < 0:
                raise EOFError
            return super().ask(question)

    wishes = Wishes(players=4, seed="stop and go", hands=2, save=path)
    for _ in range(200):
        play_game(wishes, Impatient(), words())
        if read(path).result is not None:
            break
        wishes = Wishes(resume=True, file=path)
    assert read(path) == read(whole)


def test_resume_finds_the_latest_unfinished_game(data: Path) -> None:
    play_game(Wishes(seed="old", hands=1), SeeingScreen(), words())
    play_game(Wishes(seed="new"), ScriptedScreen("d 1"), words())
    (data / "games" / "notes.txt").write_text("not a game")
    (data / "games" / "other.json").write_text("{}")
    screen = ScriptedScreen()
    assert play_game(Wishes(resume=True), screen, words()) == 0
    assert "Welcome back" in screen.text
    assert "-new.txt" in screen.text
    assert "You discard" in screen.text  # what happened last is told again


def test_a_finished_game_is_not_resumed(data: Path) -> None:
    play_game(Wishes(hands=1), SeeingScreen(), words())
    done = ask("play", "--resume", only_record(data))
    assert done.returncode == 2
    assert "this game is over" in done.stderr


def test_a_game_of_other_rules_is_not_resumed(data: Path) -> None:
    play_game(Wishes(), ScriptedScreen(), words())
    path = only_record(data)
    path.write_text(path.read_text().replace("rules: 1\n", "rules: 999\n"))
    done = ask("play", "--resume")
    assert done.returncode == 2
    assert "version 999" in done.stderr
