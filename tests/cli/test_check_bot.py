"""`millebornes check-bot`: a report of each check, and an exit code."""

import json

import pytest

from tests.plugins.outside import CLASSES, strange

from .people import ask

FAST = ("--edition", "quick")  # few positions, to be quick


def test_a_good_bot_passes() -> None:
    done = ask("check-bot", f"{CLASSES}:First")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:7]] == ["passed"] * 7
    assert "sets of rules: 10." in lines[1]
    assert lines[-1] == f"{CLASSES}:First can play."


def test_a_level_of_ours_passes() -> None:
    assert ask("check-bot", "sunday-driver", *FAST).returncode == 0


def test_a_bad_bot_fails_and_the_report_says_why() -> None:
    done = ask("check-bot", strange("illegal"), *FAST)
    assert done.returncode == 1
    assert "FAILED       It does not always make a legal move: it made an illegal move (ext" in (
        done.stdout
    )
    assert "The position: Quick, " in done.stdout
    assert done.stdout.splitlines()[-1].endswith("illegal cannot play yet.")


def test_a_bot_that_does_not_start_leaves_the_rest_unchecked() -> None:
    done = ask("check-bot", strange("die-at-once"), *FAST, "--lang", "fr")
    assert done.returncode == 1
    failure = "son programme s'est arrêté (exit code 1: no licence)."
    assert f"ÉCHEC        Il ne démarre pas\u00a0: {failure}" in done.stdout
    assert done.stdout.count("non vérifié") == 6


def test_a_warning_is_no_failure() -> None:
    done = ask("check-bot", strange("random"), *FAST)
    assert done.returncode == 0
    assert "\nwarning      The same position may give another move" in done.stdout


def test_programs_get_json() -> None:
    done = ask("check-bot", strange("fine"), *FAST, "--json")
    told = json.loads(done.stdout)
    assert (told["bot"], told["passed"]) == (strange("fine"), True)
    names = ["start", "moves", "time", "same", "unknown", "end", "output"]
    assert [check["check"] for check in told["checks"]] == names
    assert {check["result"] for check in told["checks"]} == {"passed"}
    done = ask("check-bot", strange("illegal"), *FAST, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["passed"] is False
    failed = told["checks"][1]
    assert (failed["result"], failed["fault"]) == ("failed", "illegal")
    assert "ext" not in failed["question"]["table"]["hand"]["legal_moves"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody",), "There is no bot 'nobody'"),
        (("nowhere_at_all:Bot",), "Python finds no module nowhere_at_all"),
        (("greedy",), "There is no bot 'greedy'"),
        (("cmd:no-such-program",), "There is no program 'no-such-program'"),
        (("learner", "--edition", "monopoly"), "monopoly"),
    ],
)
def test_what_cannot_be_checked_is_refused(arguments: tuple[str, ...], said: str) -> None:
    done = ask("check-bot", *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""
