"""Text in columns and lines of a given width."""

import textwrap
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

__all__ = ["columns", "flow", "left", "paragraph", "right"]

_BETWEEN = " · "


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
