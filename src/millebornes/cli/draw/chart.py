"""The bar chart of a simulation: how often each score occurred."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from millebornes.arena.tally import Column
from millebornes.words import Words

from .layout import left, right
from .numbers import draw_number, draw_percent

__all__ = ["draw_score_chart"]

_LEAST_BAR = 16
_MOST_BARS = 12
_STEPS = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)


def draw_score_chart(
    columns: Sequence[Column], names: Sequence[str], words: Words, width: int
) -> list[Text]:
    """A bar for each range of scores, one column for each bot; stacked if they do not fit."""
    most = max(max(column.scores) for column in columns)
    # A few extreme scores must not squeeze all the others together.
    usual = max(column.quantile(99) for column in columns)
    step = next((step for step in _STEPS if usual // step < _MOST_BARS), _STEPS[-1])
    last = usual // step * step
    ranges = {
        low: f"{draw_number(low, 0, words)} – {draw_number(low + step - 25, 0, words)}"
        for low in range(0, last + 1, step)
    }
    if most >= last + step:
        ranges[last] = f"{draw_number(last, 0, words)} +"
    shares = [column.shares(step) for column in columns]
    for by_step in shares:
        by_step[last] = sum(share for low, share in by_step.items() if low >= last)
    highest = max(max(by_step.values()) for by_step in shares)
    margin = max(13, *map(cell_len, ranges.values())) + 1
    least = max(_LEAST_BAR, *(cell_len(name) + 1 for name in names))
    at_once = len(columns) if (width - margin) // len(columns) >= least else 1
    wide = min(40, (width - margin) // at_once)
    lines = []
    for first in range(0, len(columns), at_once):
        if len(columns) > 1:
            heading = "".join(left(name, wide) for name in names[first : first + at_once])
            lines.append(Text(" " * margin + heading.rstrip()))
        for low, name in ranges.items():
            line = Text(right(name, margin - 1) + " ")
            for by_step in shares[first : first + at_once]:
                share = by_step.get(low, 0.0)
                bar = "■" * round(share / highest * (wide - 9))
                line.append(left(f"{bar} {draw_percent(share, words)}".lstrip(), wide))
            line.rstrip()
            lines.append(line)
    return lines
