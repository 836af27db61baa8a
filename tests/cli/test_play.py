"""`millebornes play`, from the first question to the last score sheet."""

import re
from pathlib import Path

import pytest

from millebornes.cli.game import PlayOptions, play_game
from millebornes.records import replay
from millebornes.rules import EDITIONS
from millebornes.rules.state import Over
from millebornes.words import words

from .people import ESCAPE, ScriptedScreen, SeeingScreen, ask, blind_person, run
from .records import only_record, read


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


def test_a_finished_game_is_not_resumed(data: Path) -> None:
    play_game(PlayOptions(hands=1), SeeingScreen(), words())
    done = ask("play", "--resume", only_record(data))
    assert done.returncode == 2
    assert "this game is over" in done.stderr


def test_a_game_of_other_rules_is_not_resumed(data: Path) -> None:
    play_game(PlayOptions(), ScriptedScreen(), words())
    path = only_record(data)
    path.write_text(path.read_text().replace("rules: 1\n", "rules: 999\n"))
    done = ask("play", "--resume")
    assert done.returncode == 2
    assert "version 999" in done.stderr


def test_a_seed_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    done = ask("play", "--seed", "x" * 1000, "--save", path)
    assert done.returncode == 2
    assert "--seed" in done.stderr
    assert not path.exists()


def test_a_bad_seed_in_a_record_is_reported_with_the_file(data: Path) -> None:
    play_game(PlayOptions(seed="short"), ScriptedScreen(), words())
    path = only_record(data)
    path.write_text(path.read_text().replace('"short"', '"' + "x" * 1000 + '"'))
    done = ask("play", "--resume", path)
    assert done.returncode == 2
    assert f"{path}: seed = " in done.stderr
