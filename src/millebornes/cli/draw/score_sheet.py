"""The score sheet as text, one column for each side."""

from collections.abc import Sequence

from rich.text import Text

from millebornes.rules import ScoreSheet
from millebornes.words import Names, Words

from .layout import left, right

__all__ = ["draw_score_sheet"]

_LABEL = 24
_WIDEST = 16


def draw_score_sheet(
    sheets: Sequence[ScoreSheet],
    forward: Sequence[int],
    names: Names,
    words: Words,
    width: int,
) -> list[Text]:
    """Every line of the sheet, with the points brought forward and the combined totals."""
    wide = min(_WIDEST, (width - _LABEL) // len(sheets))

    def row(label: str, figures: Sequence[int | str], style: str = "") -> Text:
        cells = "".join(" " + right(str(figure), wide - 1) for figure in figures)
        return Text(left(label, _LABEL) + cells, style)

    rule = Text("─" * (_LABEL + wide * len(sheets)), "dim")
    lines = [
        row("", names.sides, "bold"),
        rule,
        row(words.score_line("forward"), forward),
    ]
    for line in ScoreSheet._fields:
        figures = [getattr(sheet, line) for sheet in sheets]
        lines.append(row(words.score_line(line), [figure or "–" for figure in figures]))
    totals = [sheet.total for sheet in sheets]
    combined = [before + total for before, total in zip(forward, totals, strict=True)]
    return [
        *lines,
        rule,
        row(words.score_line("total"), totals, "bold"),
        row(words.score_line("combined"), combined, "bold"),
    ]
