"""The conformance test finds what is wrong with a bot, and nothing wrong with a good one."""

import pytest

from millebornes.bots import LEVELS
from millebornes.plugins import Entrant
from millebornes.plugins.conformance import Check, Finding, check_bot

from .outside import CLASSES, strange, views

BAD: list[tuple[str, Check]] = [
    ("die-at-once", "start"),
    ("mute", "start"),
    ("other-version", "start"),
    ("die", "moves"),
    ("illegal", "moves"),
    ("error", "moves"),
    ("hang", "time"),
    ("rubbish", "output"),
    ("twice", "output"),
    ("babble", "output"),
    ("no-move", "output"),
    ("strict", "unknown"),
    ("stay", "end"),
]


PATIENCE = 300.0
"""Seconds that a bot may take. It matters to a broken bot only: a busy machine is not its fault."""


def findings(entrant: Entrant, patience: float = PATIENCE) -> dict[Check, Finding]:
    found = check_bot(entrant, views(), patience=patience, start_patience=PATIENCE)
    return {one.check: one for one in found}


@pytest.mark.parametrize(
    "entrant",
    [
        *(Entrant(level, "level") for level in LEVELS),
        Entrant(f"{CLASSES}:First", "class"),
        Entrant(strange("fine"), "program"),
        Entrant(strange("noisy-stderr"), "program"),
    ],
    ids=lambda entrant: entrant.name.split()[-1],
)
def test_a_good_bot_passes_every_check(entrant: Entrant) -> None:
    assert {one.result for one in findings(entrant).values()} == {"passed"}


@pytest.mark.parametrize(("way", "check"), BAD, ids=[way for way, _ in BAD])
def test_a_bad_bot_fails_the_check_that_it_should(way: str, check: Check) -> None:
    entrant = Entrant(strange(way), "program")
    if way == "mute":
        found = {one.check: one for one in check_bot(entrant, views(), start_patience=0.1)}
    else:
        found = findings(entrant, patience=0.1 if way == "hang" else PATIENCE)
    assert [one.check for one in found.values() if one.result == "failed"] == [check]
    if way in ("die-at-once", "mute", "other-version"):
        assert {one.result for one in found.values()} == {"failed", "skipped"}


def test_a_bot_that_plays_at_random_gets_a_warning() -> None:
    found = findings(Entrant(strange("random"), "program"))
    assert [one.check for one in found.values() if one.result != "passed"] == ["same"]
    assert found["same"].result == "warning"
    assert int(found["same"].params["different"]) > 0


def test_a_bot_that_ends_with_an_error_gets_a_warning() -> None:
    found = findings(Entrant(strange("bad-end"), "program"))
    assert [one.check for one in found.values() if one.result != "passed"] == ["end"]
    assert (found["end"].result, found["end"].params["exit_code"]) == ("warning", 7)


def test_a_failure_is_shown_with_its_position() -> None:
    found = findings(Entrant(strange("illegal"), "program"))["moves"]
    assert found.failure is not None
    assert found.failure.fault == "illegal"
    assert found.view in views()
