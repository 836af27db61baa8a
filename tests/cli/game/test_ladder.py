"""Which level a person meets: the gentlest first, the next after three wins, then the last."""

from pathlib import Path

import pytest

from millebornes.bots import levels
from millebornes.cli.game import PlayOptions, play_game
from millebornes.cli.game.ladder import Ladder, read_ladder, write_ladder
from millebornes.words import words
from tests.cli.people import ScriptedScreen, SeeingScreen, ask
from tests.cli.records import only_record, read


def play(**options: object) -> SeeingScreen:
    screen = SeeingScreen()
    play_game(PlayOptions(hands=1, **options), screen, words())  # type: ignore[arg-type]
    return screen


def opening(**options: object) -> str:
    """What a person reads before the first move."""
    screen = ScriptedScreen()
    play_game(PlayOptions(**options), screen, words())  # type: ignore[arg-type]
    return " ".join(screen.text.split())


def test_somebody_new_meets_the_gentlest_level() -> None:
    assert read_ladder() == Ladder()
    assert "Level: Learner." in opening()
    assert read_ladder() == Ladder("learner", {"learner": 0})


def test_the_level_played_last_is_met_again() -> None:
    opening(bot="sunday-driver")
    assert "Level: Sunday Driver." in opening()


def won_and_lost() -> tuple[str, str]:
    """Seeds of a match that the person wins against the Sunday Driver, and of one they lose."""
    found: dict[bool, str] = {}
    for number in range(50):
        screen = play(seed=str(number), bot="sunday-driver")
        found.setdefault("You win the match" in screen.text, str(number))
        if len(found) == 2:
            return found[True], found[False]
    raise AssertionError("none of fifty matches was won, or none lost")


def test_the_third_win_offers_the_next_level_until_it_is_beaten() -> None:
    won, lost = won_and_lost()
    for wins, seed, is_offered in ((1, won, False), (2, lost, False), (2, won, True)):
        write_ladder(Ladder("sunday-driver", {"sunday-driver": wins}))
        screen = play(seed=seed)
        assert read_ladder().wins == {"sunday-driver": wins + (seed == won)}
        assert ("millebornes play --bot commuter" in screen.text) == is_offered
    said = " ".join(screen.text.split())
    assert "Matches won against the Sunday Driver: 3." in said
    assert screen.shown[-1].startswith("The game is saved.")
    opening(bot="commuter")
    assert "--bot commuter" in play(seed=won, bot="sunday-driver").text
    write_ladder(Ladder("sunday-driver", {"sunday-driver": 3, "commuter": 1}))
    assert "--bot commuter" not in play(seed=won).text


def test_a_level_that_cannot_play_here_is_neither_offered_nor_met(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beaten = Ladder("commuter", {"sunday-driver": 3})
    assert beaten.level == "commuter"
    assert beaten.offered("sunday-driver") == "commuter"
    monkeypatch.setattr(levels, "has_kernel", lambda: False)
    assert beaten.level == "learner"
    assert beaten.offered("sunday-driver") is None
    done = ask("play", "--bot", "commuter")
    assert done.returncode == 2
    assert "'commuter' needs Numba" in done.stderr
    assert "learner, sunday-driver." in " ".join(done.stderr.split())


def test_there_is_nothing_beyond_the_strongest_level() -> None:
    assert Ladder("commuter", {"commuter": 9}).offered("commuter") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"last": 1}',
        '{"last": [], "wins": []}',
        '{"last": "x", "wins": {"x": 1}}',
        '{"last": "learner", "wins": {"learner": "many"}}',
        "[" * 100_000,
        "\x00",
    ],
)
def test_a_damaged_file_counts_as_none(text: str, data: Path) -> None:
    data.mkdir()
    (data / "bots.json").write_text(text, encoding="utf-8")
    assert read_ladder() == Ladder()
    assert "Level: Learner." in opening()


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path, data: Path) -> None:
    data.write_text("a file where the folder should be")
    screen = play(save=tmp_path / "game.txt")
    assert "The game is saved." in screen.text


# Resuming


def test_a_resumed_game_goes_on_with_the_level_it_began_with(data: Path, tmp_path: Path) -> None:
    opening(bot="sunday-driver")
    assert read(only_record(data)).bots == (None, "sunday-driver")
    opening(bot="learner", save=tmp_path / "other.txt")
    assert "Level: Sunday Driver." in opening(resume=True)


def test_a_resumed_game_may_go_on_with_another_level(data: Path) -> None:
    opening(bot="learner")
    assert "Level: Sunday Driver." in opening(resume=True, bot="sunday-driver")
    assert read(only_record(data)).bots == (None, "sunday-driver")


@pytest.mark.parametrize("named", ["", 'bot 1: "cmd:rm games"\n', 'bot 1: "os:system"\n'])
def test_a_record_can_name_levels_only(named: str, data: Path) -> None:
    """Nothing else is started because a file says so."""
    opening(bot="learner")
    path = only_record(data)
    path.write_text(path.read_text().replace('bot 1: "learner"\n', named))
    assert "Level: Learner." in opening(resume=True)


def test_the_engine_is_announced_once() -> None:
    screen = ScriptedScreen("hint", "hint")
    play_game(PlayOptions(), screen, words())
    assert screen.text.count("Preparing the engine") == 1
    assert "Preparing" not in play(bot="sunday-driver").text
