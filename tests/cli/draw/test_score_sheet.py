"""The score sheet as text."""

import pytest
from rich.cells import cell_len

from millebornes.cli.draw.score_sheet import draw_score_sheet
from millebornes.rules import ScoreSheet
from millebornes.words import languages, words
from tests.cli.views import LONG


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("sides", [2, 4, 8])
def test_the_score_sheet_fits(sides: int, language: str) -> None:
    names = words(language).named(LONG[:sides], sides)
    sheet = ScoreSheet(1000, 400, 300, 1200, 400, 300, 300, 500, 200)
    lines = draw_score_sheet([sheet] * sides, [4975] * sides, names, words(language), 80)
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert len(lines) <= 16
    assert lines[-1].plain.split()[-1] == str(4975 + 4600)
