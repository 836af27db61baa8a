"""`millebornes arena`: figures for people and programs, resuming, and what it refuses."""

import csv
import json
import os
import signal
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from millebornes.bots import SundayDriver
from millebornes.cli import bulk
from millebornes.cli import options as shared_options
from millebornes.plugins import Entrant, entrant
from millebornes.rules import Move, View
from tests.arena.bad_bots import Bad

from .people import COMMAND, ask, environment

QUICK = ("arena", "greedy", "random", "--pairs", "200")
SLOW = ("arena", "sunday-driver", "greedy", "--jobs", "1")


def without_times(told: dict[str, Any]) -> dict[str, Any]:
    for bot in told["bots"]:
        assert bot.pop("ms_per_decision") > 0
    return told


def test_the_figures_for_programs() -> None:
    told = json.loads(ask(*QUICK, "--json", "--edition", "article", "--seed", "7").stdout)
    assert {key: told[key] for key in ("pairs", "matches", "seed", "edition", "players")} == {
        "pairs": 200,
        "matches": 400,
        "seed": 7,
        "edition": "article",
        "players": 2,
    }
    assert told["failures"] == []
    assert [bot["name"] for bot in told["bots"]] == ["greedy", "random"]
    for bot in told["bots"]:
        assert list(bot) == [
            "name",
            "match_wins",
            "match_wins_interval",
            "points_per_hand",
            "points_interval",
            "elo",
            "elo_interval",
            "ms_per_decision",
        ]
        for figure, interval in (
            ("match_wins", "match_wins_interval"),
            ("points_per_hand", "points_interval"),
            ("elo", "elo_interval"),
        ):
            low, high = bot[interval]
            assert low <= bot[figure] <= high
    assert told["bots"][0]["match_wins"] > 0.9
    assert told["bots"][0]["match_wins"] + told["bots"][1]["match_wins"] == pytest.approx(1)


def test_the_command_that_is_told_repeats_the_contest() -> None:
    short = ("--edition", "dujardin-2019", "--players", "4", "--short-trip")
    first = json.loads(ask(*QUICK, *short, "--json").stdout)
    name, *again = first["command"].split()
    assert name == "millebornes"
    second = json.loads(ask(*again, "--json", "--jobs", "2").stdout)
    assert without_times(first) == without_times(second)


def test_the_figures_for_people() -> None:
    told = ask(*QUICK, "--players", "3").stdout
    assert "Winning Moves Classic, 3 players: 200 pairs (400 matches), seed 1954" in told
    for words in ("Matches won", "95 % interval", "Points per hand", "Elo (the mean is 0)"):
        assert words in told
    assert "Parties gagnées" in ask(*QUICK, "--lang", "fr").stdout


def test_every_match_is_written_to_a_csv_file(tmp_path: Path) -> None:
    path = tmp_path / "matches.csv"
    told = json.loads(ask(*QUICK, "--players", "3", "--csv", path, "--json").stdout)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["pair"], row["rotation"]) for row in rows[:3]] == [
        ("0", "0"),
        ("0", "1"),
        ("1", "0"),
    ]
    assert [rows[1][f"bot_{side}"] for side in range(3)] == ["random", "greedy", "random"]
    assert len(rows) == 400
    hands = points = 0
    for row in rows:
        for side in range(3):
            if row[f"bot_{side}"] == "greedy":
                hands += int(row["hands"])
                points += int(row[f"total_{side}"])
    assert told["bots"][0]["points_per_hand"] == pytest.approx(points / hands, abs=0.001)


class Interrupted(SundayDriver):
    """A bot that is interrupted by Ctrl-C, some moves later."""

    left = 0

    def choose(self, view: View) -> Move:
        if not Interrupted.left:
            raise KeyboardInterrupt
        Interrupted.left -= 1
        return super().choose(view)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrant, "YARDSTICKS", {"interrupted": Interrupted})


@pytest.mark.usefixtures("interrupted")
def test_a_resumed_contest_gives_what_an_uninterrupted_one_gives(tmp_path: Path) -> None:
    command = ("arena", "interrupted", "greedy", "--pairs", "6", "--jobs", "1", "--json")
    file = tmp_path / "contest.jsonl"
    Interrupted.left = 600
    stopped = ask(*command, "--resume", file)
    assert stopped.returncode == 130
    assert "To go on, run the same command again" in stopped.stderr
    pairs = json.loads(stopped.stdout)["pairs"]
    assert 0 < pairs < 6
    assert f"Stopped after {pairs} pairs ({2 * pairs} matches)" in stopped.stderr
    Interrupted.left = 10**9
    resumed = json.loads(ask(*command, "--resume", file).stdout)
    assert without_times(resumed) == without_times(json.loads(ask(*command).stdout))
    left = Interrupted.left
    assert without_times(json.loads(ask(*command, "--resume", file).stdout)) == resumed
    assert Interrupted.left == left, "nothing was left to play"


def test_a_contest_that_was_finished_can_be_made_longer_and_shorter(tmp_path: Path) -> None:
    file = tmp_path / "contest.jsonl"
    ask(*SLOW, "--pairs", "2", "--resume", file)
    longer = json.loads(ask(*SLOW, "--pairs", "4", "--resume", file, "--json").stdout)
    alone = json.loads(ask(*SLOW, "--pairs", "4", "--json").stdout)
    assert without_times(longer) == without_times(alone)
    shorter = json.loads(ask(*SLOW, "--pairs", "3", "--resume", file, "--json").stdout)
    assert shorter["pairs"] == 3


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["for people", "for programs"])
def test_ctrl_c_before_the_first_pair_reports_no_pairs(options: tuple[str, ...]) -> None:
    Interrupted.left = 0
    done = ask("arena", "interrupted", "greedy", "--jobs", "1", *options)
    assert done.returncode == 130
    assert "Stopped after 0 pairs (0 matches). With --resume FILE" in done.stderr
    if options:
        assert json.loads(done.stdout)["bots"][0]["match_wins"] is None
    else:
        assert done.stdout == ""


def test_ctrl_c_at_the_terminal_prints_the_figures_so_far(tmp_path: Path) -> None:
    pipe = tmp_path / "matches.csv"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [*COMMAND, "arena", "sunday-driver", "greedy", "--pairs", "100000", "--csv", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    ) as running:
        with pipe.open(encoding="utf-8", newline="") as rows:
            list(islice(rows, 5))
            os.killpg(running.pid, signal.SIGINT)  # as a terminal: to all its processes
            list(rows)
        out, err = running.communicate()
    assert running.returncode == 130
    assert "Stopped after" in err
    assert "Traceback" not in err
    assert "Matches won" in out


def test_the_file_of_another_contest_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "contest.jsonl"
    ask(*QUICK, "--resume", file)
    for options, told in (
        (("--seed", "3"), "seed is 1954, not 3."),
        (("--players", "3"), "players is 2, not 3."),
        (("--edition", "article"), "edition is winning-moves, not article."),
    ):
        done = ask(*QUICK, *options, "--resume", file)
        assert done.returncode == 2
        assert f"{file}: belongs to another contest: {told}" in done.stderr
    swapped = ask("arena", "random", "greedy", "--resume", file)
    assert "bots is greedy random, not random greedy" in swapped.stderr


def test_a_file_that_is_not_of_a_contest_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear diary\nToday I won.\n")
    done = ask(*QUICK, "--resume", file)
    assert done.returncode == 2
    assert f"{file}: line 1 does not belong to a contest" in done.stderr
    assert file.read_text() == "Dear diary\nToday I won.\n"


def entered(name: str, *, in_arena: bool = False) -> Entrant:
    """The bots of a contest in which one is bad."""
    if name.startswith("bad:"):
        return Bad(name, fault=name.removeprefix("bad:"), good=150)
    return entrant.find_bot(name, in_arena=in_arena)


def test_a_bot_that_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_options, "find_bot", entered)
    command = ("arena", "sunday-driver", "bad:hung", "--jobs", "1")
    done = ask(*command, "--pairs", "3")
    assert done.returncode == 0
    assert "millebornes: bad:hung has lost rotation " in done.stderr
    assert ": it did not answer in time (as told)." in done.stderr
    assert "Failures" in done.stdout
    many = ask(*command, "--pairs", "8", "--json")
    failures = json.loads(many.stdout)["failures"]
    assert failures[0].keys() == {"bot", "pair", "rotation", "seat", "hand", "fault", "detail"}
    assert many.stderr.count("has lost rotation") == 5
    assert f"There were {len(failures) - 5} more failures" in many.stderr


def test_a_bot_that_cannot_be_started_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_options, "find_bot", entered)
    done = ask("arena", "greedy", "bad:not started")
    assert done.returncode == 2
    assert "bad:not started cannot be started: it reported an error (there is" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("greedy", "nobody"), "no bot 'nobody': choose one of learner, sunday-driver"),
        (("greedy",), "at least 2 different bots, and at most one per side, here 2."),
        (("greedy", "greedy"), "BOT greedy greedy is not allowed"),
        (("greedy", "random", "learner"), "and at most one per side, here 2."),
        (("greedy", "random", "--players", "5"), "with 5 players: choose one of 2, 3, 4, 6"),
        (("greedy", "random", "learner", "--players", "4"), "at most one per side, here 2."),
        (("greedy", "random", "--pairs", "0"), "--pairs 0 is not allowed: expected a whole"),
        (("greedy", "random", "--pairs", "1000001"), "a whole number from 1 to 1000000"),
        (("greedy", "random", "--jobs", "0"), "--jobs 0 is not allowed"),
        (("greedy", "random", "--seed", "-1"), "--seed -1 is not allowed"),
        (("greedy", "random", "--edition", "nowhere"), "no edition 'nowhere'"),
        (("greedy", "random", "--short-trip"), "no short trip"),
        (("greedy", "random", "--csv", "/nowhere/x.csv"), "/nowhere/x.csv: cannot be written"),
        (("greedy", "random", "--resume", "/nowhere/x"), "/nowhere/x: cannot be written"),
        (("greedy", "random", "--cluster", "tcp://127.0.0.1:1"), "No scheduler answers at tcp:"),
    ],
)
def test_a_bad_option_is_refused_with_what_is_allowed(
    arguments: tuple[str, ...], told: str
) -> None:
    done = ask("arena", *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("command", [QUICK, ("simulate",)], ids=["arena", "simulate"])
def test_without_numba_there_is_a_clear_error(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "has_kernel", lambda: False)
    done = ask(*command)
    assert done.returncode == 2
    assert "needs the compiled engine, and Numba is not installed" in done.stderr


def test_simulations_can_go_to_a_cluster() -> None:
    done = ask("simulate", "--cluster", "127.0.0.1:1")
    assert done.returncode == 2
    assert "No scheduler answers at 127.0.0.1:1" in done.stderr


def test_a_simulation_ends_with_a_bot_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = {"fails": lambda: Bad("fails").start()}
    monkeypatch.setattr(entrant, "YARDSTICKS", bots)
    done = ask("simulate", "--bots", "greedy,fails", "--jobs", "1")
    assert done.returncode == 2
    assert (
        "fails has failed in game 0, hand 1, seat 1: its program has ended (as told)."
        in done.stderr
    )
