"""Tables of figures: rows with a label, and a figure for each column."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from .layout import left, right

__all__ = ["FigureRow", "draw_figures"]

_LABEL = 31
_COLUMN = 20


@dataclass(frozen=True)
class FigureRow:
    """A row of a table: a label, and a figure for each column."""

    label: str
    figures: Sequence[str]
    begins_part: bool = False
    """Draw a line above it."""
    style: str = ""


def draw_figures(
    rows: Sequence[FigureRow], width: int, *, names: Sequence[str] = (), corner: str = ""
) -> list[Text]:
    """The columns side by side, or one below another if they do not fit.

    `names` head the columns, and `corner` the labels.
    """
    heading = [FigureRow(corner, names, style="bold")] if names else []
    wide = 1 + max(cell_len(figure) for row in (*heading, *rows) for figure in row.figures)
    count = len(rows[0].figures)
    label = min(_LABEL, width - count * wide)
    if count > 1 and label < max(cell_len(row.label) for row in (*heading, *rows)):
        stacked: list[Text] = []
        for place, name in enumerate(names):
            one = [replace(row, figures=[row.figures[place]]) for row in rows]
            stacked += [*draw_figures(one, width, names=[name], corner=corner), Text("")]
        return stacked[:-1]
    wide = max(wide, min(_COLUMN, (width - label) // count))
    rule = Text("─" * (label + wide * count), "dim")
    lines = []
    for row in (*heading, *rows):
        if row.begins_part:
            lines.append(rule)
        figures = "".join(right(figure, wide) for figure in row.figures)
        lines.append(Text(left(row.label, label) + figures, row.style))
    return [*lines[: len(heading)], *([rule] if heading else []), *lines[len(heading) :]]
