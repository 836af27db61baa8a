"""`docs/records.md` lists every code and every event that programs may meet."""

import dataclasses
import re
from pathlib import Path
from typing import get_args

import pytest

from millebornes.rules import events
from millebornes.rules.reason import Code
from millebornes.rules.score_sheet import ScoreSheet
from millebornes.table import messages_out
from millebornes.words import words

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_stands_on_the_page_with_its_sentence(code: str) -> None:
    sentence = words("en").data["reasons"][code]
    assert ROWS[code] in ([sentence] if isinstance(sentence, str) else sentence.values())


@pytest.mark.parametrize("event", get_args(events.Event))
def test_every_event_stands_on_the_page_with_its_fields(event: type) -> None:
    names = [field.name for field in dataclasses.fields(event)]
    kind = getattr(messages_out, event.__name__).__struct_config__.tag
    assert re.findall(r"`(\w+)`", ROWS[kind]) == names


def test_every_line_of_the_score_sheet_stands_on_the_page() -> None:
    assert re.findall(r"`(\w+)`", ROWS["score_sheet"])[1:] == [*ScoreSheet._fields, "total"]
