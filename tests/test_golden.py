"""The golden playthroughs are what the rules give today, and they show what is rare.

After a change of the rules that is meant: `make regenerate`, then read the diff.
"""

import difflib

import pytest

from millebornes.records import game, replay
from millebornes.rules.state import Over
from tools.golden import FIXTURES, PLAYTHROUGH, path_of, playthrough, tables

_DIFF_LINES = 80


@pytest.mark.parametrize(("edition", "players"), tables())
def test_a_playthrough_has_not_changed(edition: str, players: int) -> None:
    path = path_of(edition, players)
    kept = path.read_text(encoding="utf-8")
    now = playthrough(edition, players)
    if now != kept:
        diff = difflib.unified_diff(
            kept.splitlines(),
            now.splitlines(),
            f"{path.relative_to(FIXTURES)} as kept",
            "as the rules give it now",
            lineterm="",
            n=6,
        )
        shown = list(diff)
        more = len(shown) - _DIFF_LINES
        note = f"\n... and {more} lines more" if more > 0 else ""
        pytest.fail("\n".join(shown[:_DIFF_LINES]) + note, pytrace=False)


@pytest.mark.parametrize(("edition", "players"), tables())
def test_the_record_at_its_top_replays_to_the_same_totals(edition: str, players: int) -> None:
    text = path_of(edition, players).read_text(encoding="utf-8")
    record_text, told = text.split(PLAYTHROUGH)
    record = game.from_text(record_text)
    assert game.to_text(record) == record_text
    final = list(replay(record))[-1].match
    last = [line for line in told.splitlines() if line.endswith("in all")][-final.sides :]
    assert [int(line.split()[-3]) for line in last] == list(final.totals)
    assert (record.result is not None) == isinstance(final.awaiting, Over)


@pytest.mark.parametrize(
    "told",
    [
        "coup fourré: ",
        "window passed: ",
        " extends the trip",
        ":end\n",
        "hand ended: cards exhausted",
        "hand ended: completed by",
        "the Autoroute of side",
        ", to the discard: ",
        "match won by side",
        "delayed_action",
        "safe_trip",
        "shut_out",
        "extension 200",
        ":-\n",
    ],
)
def test_what_is_rare_happens_somewhere(told: str) -> None:
    assert any(told in path_of(*table).read_text(encoding="utf-8") for table in tables()), told


def test_there_is_one_file_for_each_table_and_no_other() -> None:
    found = {path for path in FIXTURES.rglob("*.txt") if path.parent.parent == FIXTURES}
    assert found == {path_of(*table) for table in tables()}
