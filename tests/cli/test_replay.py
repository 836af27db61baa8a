"""`millebornes replay`: a whole game, one step of it, and JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from millebornes.cli.game import PlayOptions, play_game
from millebornes.records import position, replay
from millebornes.words import words

from .people import SeeingScreen, ask
from .records import read


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole match of two hands."""
    path = tmp_path_factory.mktemp("games") / "match.txt"
    options = PlayOptions(players=3, seed="replay", hands=2, name="[b]Max", save=path)
    assert play_game(options, SeeingScreen(), words()) == 0
    return path


def test_a_whole_game_is_shown_with_every_score_sheet(record: Path) -> None:
    done = ask("replay", record)
    steps = list(replay(read(record)))
    assert done.returncode == 0
    assert done.stdout.count("Combined total") == 2
    assert f"\n{len(steps) - 1:>4} " in done.stdout
    assert "[b]Max plays" in done.stdout
    assert "seed replay" in done.stdout
    for total in steps[-1].match.totals:
        assert f" {total}" in done.stdout.rpartition("Combined total")[2]


def test_a_game_is_shown_in_french(record: Path) -> None:
    done = ask("replay", record, "--lang", "fr")
    assert "[b]Max joue" in done.stdout
    assert done.stdout.count("Total général") == 2


def test_one_step_shows_the_table_and_the_last_event(record: Path) -> None:
    steps = list(replay(read(record)))
    for at in (0, 1, len(steps) - 1):
        done = ask("replay", record, "--at", str(at))
        assert done.returncode == 0
        assert f"\n{at:>4} {steps[at].token or ''}" in done.stdout
        assert "━━ Hand" in done.stdout


def test_a_game_as_json(record: Path) -> None:
    found: Any = json.loads(ask("replay", record, "--json", "--at", "4").stdout)
    steps = list(replay(read(record)))
    assert found["tags"]["seats"] == ["[b]Max", "Léa", "Hugo"]
    assert found["tags"]["seed"] == "replay"
    assert len(found["steps"]) == 5
    assert found["steps"][0]["events"][0]["type"] == "dealt"
    assert found["steps"][0]["token"] is None
    assert found["position"] == position.to_text(steps[4].match)
    whole: Any = json.loads(ask("replay", record, "--json").stdout)
    assert len(whole["steps"]) == len(steps)
    last = whole["steps"][-1]["events"]
    assert [event["type"] for event in last[-2:]] == ["hand_ended", "match_ended"]
    assert last[-2]["sheets"][0]["total"] == steps[-1].match.totals[0] - steps[-1].match.forward[0]


def test_a_game_can_be_read_from_a_pipe(record: Path) -> None:
    done = ask("replay", "-", "--at", "0", stdin=record.read_bytes())
    assert done.returncode == 0


def test_a_game_without_names_or_deals() -> None:
    text = "game: 1\nplayers: 2\n"
    assert "No hand has been dealt." in ask("replay", "-", stdin=text).stdout
    found: Any = json.loads(ask("replay", "-", "--json", stdin=text).stdout)
    assert found["position"] is None
    assert found["steps"] == []


def test_another_version_of_the_rules_is_reported(record: Path) -> None:
    text = record.read_text(encoding="utf-8").replace("rules: 1\n", "rules: 999\n")
    done = ask("replay", "-", "--at", "0", stdin=text)
    assert done.returncode == 0
    assert "version 999" in done.stderr


def test_an_illegal_move_in_a_record_is_reported(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    before, _, after = text.partition("moves: ")
    done = ask("replay", "-", stdin=before + "moves: ext " + after)
    assert done.returncode == 2
    assert "'ext' of seat 0 is refused. There is no extension to decide now" in done.stderr
