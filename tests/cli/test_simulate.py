"""`millebornes simulate`: figures for people and programs, and what it refuses."""

import csv
import json
import os
import re
import signal
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from millebornes.plugins import entrant
from millebornes.rules import Move, View

from .people import COMMAND, ask, environment

QUICK = ("simulate", "--hands", "2000", "--jobs", "2")


def test_the_same_seed_gives_the_same_figures() -> None:
    first = json.loads(ask(*QUICK, "--json").stdout)
    assert first == json.loads(ask("simulate", "--hands", "2000", "--jobs", "1", "--json").stdout)
    assert first != json.loads(ask(*QUICK, "--json", "--seed", "7").stdout)
    assert first["hands"] == 2000
    assert first["bots"] == ["greedy", "greedy"]
    assert sum(first["sides"][0]["scores"].values()) == 2000


def test_simulated_matches_show_who_won() -> None:
    done = ask("simulate", "--matches", "200", "--bots", "greedy,random")
    assert "200 matches" in done.stdout
    assert "Matches won" in done.stdout
    told = json.loads(
        ask("simulate", "--matches", "200", "--bots", "greedy,random", "--json").stdout
    )
    assert told["matches"] == 200
    assert told["sides"][0]["wins"] > 190


def test_every_hand_is_written_to_a_csv_file(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    told = json.loads(ask(*QUICK, "--players", "3", "--csv", path, "--json").stdout)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["index"]) for row in rows] == list(range(2000))
    points = [int(row["total_2"]) for row in rows]
    assert told["sides"][2]["points"] == pytest.approx(sum(points) / 2000, abs=0.001)
    assert all(
        int(row["total_1"])
        == sum(int(row[name]) for name in row if name.startswith("points_") and name[-1] == "1")
        for row in rows
    )


def test_house_rules_and_a_short_trip_can_be_simulated(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('parent = "parker-1988"\nname = "Ours"\nextension_at = []\n')
    done = ask(*QUICK, "--edition", house)
    assert "Ours, 2 players" in done.stdout
    assert "Extension called" not in done.stdout
    told = json.loads(ask(*QUICK, "--edition", house, "--json").stdout)
    assert told["edition"].startswith("house-")
    assert told["edition_name"] == "Ours"
    short = ("--edition", "dujardin-2019", "--players", "4", "--short-trip")
    assert json.loads(ask(*QUICK, *short, "--json").stdout)["short_trip"] is True


def test_bots_of_tables_can_be_simulated() -> None:
    done = ask("simulate", "--hands", "6", "--bots", "sunday-driver", "--json")
    assert json.loads(done.stdout)["bots"] == ["sunday-driver", "sunday-driver"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--bots", "nobody"), "no bot 'nobody': choose one of learner, sunday-driver"),
        (
            ("--bots", "greedy,random,greedy"),
            "expected at most as many bots as players, here 2",
        ),
        (("--players", "5"), "cannot be played with 5 players: choose one of 2, 3, 4, 6"),
        (("--hands", "0"), "--hands 0 is not allowed: expected a whole number from 1 to 184"),
        (("--hands", str(2**64)), "is not allowed: expected a whole number from 1 to 1844674"),
        (("--jobs", "0"), "--jobs 0 is not allowed: expected a whole number from 1 to 256"),
        (("--jobs", "100000"), "--jobs 100000 is not allowed: expected a whole number from 1 to"),
        (("--seed", "-1"), f"expected a whole number from 0 to {2**64 - 1}."),
        (("--seed", str(2**64)), f"expected a whole number from 0 to {2**64 - 1}."),
        (("--hands", "5", "--matches", "5"), "--hands and --matches cannot be combined"),
        (("--edition", "nowhere"), "no edition 'nowhere'"),
        (("--short-trip",), "no short trip"),
        (("--csv", "/nowhere/x.csv"), "/nowhere/x.csv: cannot be written"),
    ],
)
def test_a_bad_option_is_refused_with_what_is_allowed(options: tuple[str, ...], told: str) -> None:
    done = ask("simulate", *options)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_ctrl_c_prints_the_statistics_so_far(tmp_path: Path) -> None:
    pipe = tmp_path / "hands.csv"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [*COMMAND, "simulate", "--hands", "1000000000", "--csv", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as running:
        with pipe.open(encoding="utf-8") as rows:
            first = list(islice(rows, 20_000))
            running.send_signal(signal.SIGINT)
            rest = list(rows)
        out, err = running.communicate()
    assert running.returncode == 130
    assert "Stopped: these are the first" in err
    assert "Points per hand" in out
    fields = first[0].count(",")
    assert all(line.count(",") == fields for line in first + rest), "no row is cut in two"


class Interrupted:
    """A bot that is interrupted by Ctrl-C during its first move."""

    def choose(self, _: View) -> Move:
        raise KeyboardInterrupt


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["for people", "for programs"])
def test_ctrl_c_before_the_first_hand_reports_zero_hands(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entrant, "YARDSTICKS", {"interrupted": Interrupted})
    done = ask("simulate", "--bots", "interrupted", "--jobs", "1", *options)
    assert done.returncode == 130
    assert "Stopped: these are the first 0" in done.stderr
    if options:
        assert json.loads(done.stdout)["hands"] == 0
    else:
        assert done.stdout == ""


def test_the_readme_shows_real_output() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (command, shown) = re.findall(
        r"```sh\nmillebornes (simulate [^\n]*)\n```\n\n```text\n(.*?)```", readme, re.DOTALL
    )[0]
    told = iter(ask(*command.split()).stdout.splitlines())
    for line in shown.splitlines():
        assert line == "..." or line in told, f"not told, or not in this order: {line}"
