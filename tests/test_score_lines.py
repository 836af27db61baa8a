"""The lines of the score sheet are listed once, in `rules/score_sheet.py`."""

from pathlib import Path

import msgspec
import pytest

from millebornes.fast import Engine
from millebornes.fast.kernel.constants import LINE
from millebornes.rules import EDITIONS, ScoreSheet
from millebornes.rules.edition import rule_fields
from millebornes.rules.score_sheet import POINTS_RULES
from millebornes.table import messages_out
from millebornes.words import languages, words


def test_every_line_but_the_miles_has_a_rule_that_gives_its_points() -> None:
    assert list(POINTS_RULES) == [line for line in ScoreSheet._fields if line != "miles"]
    worth = {name for name in rule_fields() if name.endswith("_points")}
    assert set(POINTS_RULES.values()) == worth
    assert len(worth) == len(POINTS_RULES)


def test_the_sheet_that_is_sent_has_the_same_lines_and_their_total() -> None:
    sent = [field.name for field in msgspec.structs.fields(messages_out.Sheet)]
    assert sent == [*ScoreSheet._fields, "total"]


def test_the_kernel_keeps_each_line_where_the_sheet_has_it() -> None:
    assert [getattr(LINE, line) for line in ScoreSheet._fields] == [*range(len(ScoreSheet._fields))]
    edition = EDITIONS["winning-moves"]
    points = Engine(edition, 2).rules[0]["points"]
    for line, rule in POINTS_RULES.items():
        assert points[getattr(LINE, line)] == getattr(edition, rule)


def test_the_page_on_records_names_every_line() -> None:
    page = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    assert ", ".join(f"`{line}`" for line in (*ScoreSheet._fields, "total")) in page


@pytest.mark.parametrize("language", languages())
def test_every_line_is_named_and_explained(language: str) -> None:
    data = words(language).data
    web = data["web"]
    for line in ScoreSheet._fields:
        assert line in data["score"]
        assert [key for key in web["score_help"] if key.startswith(line)], line
        # The extension has a sentence for each of its outcomes, under other names.
        rules = line if line == "extension" else f"score_{line}"
        assert line == "miles" or [key for key in web["rules"] if key.startswith(rules)], line
