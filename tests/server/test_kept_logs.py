"""Logs of every release replay, and give the records they gave then."""

from dataclasses import replace
from pathlib import Path

import pytest

from millebornes import __version__
from millebornes.records import game as game_text
from millebornes.server.log_replay import fold
from millebornes.table.proof import check_record
from tools.logs import LOGS, MADE

from .kept_logs import first_of, read

KEPT = sorted(LOGS.glob("*/*.jsonl"))


def test_the_logs_of_this_release_are_kept() -> None:
    names = {path.stem for path in KEPT if path.parent.name == __version__}
    assert names >= MADE.keys()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_log_replays_to_the_record_it_gave_then(path: Path) -> None:
    row, log = read(path)
    *_, last = fold(log, first_of(row))
    assert last.table.seq == len(log)
    assert last.table.phase == "over"
    assert last.table.game is not None
    record = path.with_suffix(".txt").read_text(encoding="utf-8")
    game = last.table.game
    if game_text.from_text(record).date is None:  # records of tables had no date at first
        game = replace(game, date=None)
    assert game_text.to_text(game) == record


def test_a_transcript_of_version_0_1_0_under_house_rules_still_verifies() -> None:
    path = LOGS / "0.1.0" / "people-and-a-bot.txt"
    record = game_text.from_text(path.read_text(encoding="utf-8"))
    # The context of the transcript has the id of the house rules.
    assert record.edition.id == "house-33fb03a1b292b699"
    assert [finding.fault for finding in check_record(record)] == [None]
    assert record.edition.id in str(record.deals[0].transcript)
