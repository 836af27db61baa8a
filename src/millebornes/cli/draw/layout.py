"""Text in columns and lines of a given width."""

import textwrap
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

__all__ = ["columns", "flow", "grid", "left", "paragraph", "right"]

_BETWEEN = " · "
_GAP = "  "
_NARROWEST_COLUMN = 6


def left(text: str, width: int) -> str:
    """The text padded to the width, or cut with … if it is longer."""
    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)


def right(text: str, width: int) -> str:
    """The text aligned right within the width, or cut with … if it is longer."""
    if cell_len(text) > width:
        return left(text, width)
    return " " * (width - cell_len(text)) + text


def paragraph(text: str, width: int, indent: str = "") -> list[str]:
    """The text wrapped into lines."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def flow(parts: Sequence[Text], width: int, indent: str) -> list[Text]:
    """The parts one after another, on as few lines as possible."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(_BETWEEN) + part.cell_len <= width:
            lines[-1].append(_BETWEEN, "dim").append_text(part)
        else:
            lines.append(Text(indent).append_text(part))
    return lines


def grid(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, indent: str = ""
) -> list[list[Text]]:
    """A table: the lines of its head, then those of each row. Cells that are too long wrap."""
    table = [heads, *rows]
    places = range(len(heads))
    wide = [max(cell_len(row[at]) for row in table) for at in places]
    longest_word = [
        max((cell_len(word) for row in table for word in row[at].split()), default=0)
        for at in places
    ]
    room = width - len(indent) - len(_GAP) * (len(heads) - 1)
    while sum(wide) > room and max(wide) > _NARROWEST_COLUMN:
        # Words are broken only if every column is as narrow as its longest one.
        loose = [at for at in places if wide[at] > longest_word[at]] or places
        wide[max(loose, key=wide.__getitem__)] -= 1
    numeric = [all(row[at].isdecimal() or row[at] == "–" for row in rows) for at in places]

    def drawn(row: Sequence[str], style: str) -> list[Text]:
        cells = [textwrap.wrap(cell, wide[at]) or [""] for at, cell in enumerate(row)]
        lines = []
        for line in range(max(map(len, cells))):
            parts = [cell[line] if line < len(cell) else "" for cell in cells]
            placed = [
                right(part, wide[at]) if numeric[at] else left(part, wide[at])
                for at, part in enumerate(parts)
            ]
            lines.append(Text((indent + _GAP.join(placed)).rstrip(), style))
        return lines

    return [drawn(heads, "bold"), *(drawn(row, "") for row in rows)]


def columns(cells: Sequence[Text], width: int, count: int) -> list[Text]:
    """The cells in columns, filled from top to bottom."""
    rows = -(-len(cells) // count)
    wide = width // count
    lines = []
    for row in range(rows):
        line = Text()
        for cell in cells[row::rows]:
            line.pad_right(max(0, wide * (line.cell_len > 0) - line.cell_len))
            line.append_text(cell)
        lines.append(line)
    return lines
