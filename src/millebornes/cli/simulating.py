"""The `simulate` command: bulk statistics of an edition and of bots."""

import csv
import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from millebornes.arena import Simulation, Tally, bot_names
from millebornes.arena.tally import Column
from millebornes.fast.engine import MOST_JOBS
from millebornes.rules import DEFAULT_EDITION, EditionError, ScoreSheet
from millebornes.words import Words

from .files import load_edition
from .layout import left, paragraph, right
from .screen import Screen
from .trouble import Trouble

__all__ = ["Simulating", "run_simulation"]

_FAST_HANDS, _SLOW_HANDS = 100_000, 400
"""How many are played if nobody says."""
_LABEL = 31
_COLUMN = 20
_LEAST_BAR = 16
_STEPS = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)
_MOST_BARS = 12
_LARGEST = (1 << 64) - 1
"""The engine counts hands, and seeds, in 64 bits."""


@dataclass(frozen=True, kw_only=True)
class Simulating:
    """The options of `simulate`, as given."""

    edition: str | None = None
    players: int = 2
    short_trip: bool = False
    bots: str = "greedy"
    hands: int | None = None
    matches: int | None = None
    seed: int = 1954
    jobs: int | None = None
    csv: Path | None = None


def run_simulation(wishes: Simulating, screen: Screen, words: Words, *, as_json: bool) -> int:
    """Play, and tell what came of it; the exit code."""
    simulation, count, jobs = _prepared(wishes, words)
    sides = simulation.engine().sides
    labels = [_label(simulation, side, sides) for side in range(sides)]
    groups = {
        label: tuple(side for side in range(sides) if labels[side] == label) for label in labels
    }
    tally = Tally(sides, tuple(groups.values()))
    was_stopped = False
    with ExitStack() as stack:
        table = None
        if wishes.csv is not None:
            table = csv.writer(stack.enter_context(_written(wishes.csv, words)))
            table.writerow(_csv_heading(sides))
        progress = stack.enter_context(_progress(screen))
        task = progress.add_task(words.say("sim_preparing"), total=None)
        simulation.prepare()
        started = time.monotonic()
        progress.update(task, description=words.say("sim_playing"), total=count)
        try:
            for rows in simulation.run(count, jobs=jobs):
                if table is not None:
                    table.writerows(_csv_rows(rows, tally.rows, sides))
                tally.add(rows)
                progress.update(task, completed=tally.rows)
        except KeyboardInterrupt:
            was_stopped = True
        seconds = time.monotonic() - started
    if was_stopped:
        screen.complain(words.say("sim_stopped", count=_figure(tally.rows, 0, words)))
    if as_json:
        screen.json(_as_json(simulation, tally))
    elif tally.rows:
        width = screen.width
        screen.show(_draw(simulation, tally, list(groups), words, seconds=seconds, width=width))
    return 130 if was_stopped else 0


def _prepared(wishes: Simulating, words: Words) -> tuple[Simulation, int, int]:
    """What is to be played, how many, and by how many workers."""
    edition = DEFAULT_EDITION if wishes.edition is None else load_edition(wishes.edition, words)
    bots = tuple(name.strip() for name in wishes.bots.split(","))
    for name in bots:
        if name not in bot_names():
            raise Trouble(words.say("no_bot", name=name, bots=", ".join(bot_names())))
    if wishes.players not in edition.player_counts:
        counts = ", ".join(map(str, edition.player_counts))
        raise Trouble(
            words.say(
                "bad_players",
                edition=words.edition_name(edition),
                counts=counts,
                asked=wishes.players,
            )
        )
    if len(bots) > wishes.players:
        allowed = words.say("sim_bots_allowed", players=wishes.players)
        raise Trouble(words.say("bad_option", option="--bots", value=wishes.bots, allowed=allowed))
    if wishes.hands is not None and wishes.matches is not None:
        raise Trouble(words.say("sim_hands_or_matches"))
    for option, value, least, most in (
        ("--hands", wishes.hands, 1, _LARGEST),
        ("--matches", wishes.matches, 1, _LARGEST),
        ("--jobs", wishes.jobs, 1, MOST_JOBS),
        ("--seed", wishes.seed, 0, _LARGEST),
    ):
        if value is not None and not least <= value <= most:
            allowed = words.say("allowed_whole", least=least, most=most)
            raise Trouble(words.say("bad_option", option=option, value=value, allowed=allowed))
    simulation = Simulation(
        edition=edition,
        players=wishes.players,
        bots=bots,
        seed=wishes.seed,
        short_trip=wishes.short_trip,
        of_matches=wishes.matches is not None,
    )
    try:
        simulation.engine()
    except EditionError as error:
        raise Trouble(
            words.say("bad_option", option="--short-trip", value="", allowed=error.allowed)
        ) from None
    count = wishes.matches or wishes.hands or (_FAST_HANDS if simulation.is_fast else _SLOW_HANDS)
    return simulation, count, wishes.jobs or min(os.cpu_count() or 1, MOST_JOBS)


@contextmanager
def _written(path: Path, words: Words) -> Iterator[TextIO]:
    """A file to write; trouble with it is told with its name."""
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            yield file
    except OSError as error:
        problem = error.strerror or str(error)
        raise Trouble(words.say("cannot_write_file", file=str(path), problem=problem)) from None


def _progress(screen: Screen) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=screen.errors,
        transient=True,
        disable=not screen.errors.is_terminal,
    )


def _label(simulation: Simulation, side: int, sides: int) -> str:
    """Who plays a side."""
    return " + ".join(dict.fromkeys(simulation.seats[side::sides]))


# For programs


def _as_json(simulation: Simulation, tally: Tally) -> dict[str, Any]:
    return {
        "edition": simulation.edition.id,
        "edition_name": simulation.edition.name,
        "players": simulation.players,
        "short_trip": simulation.short_trip,
        "bots": list(simulation.seats),
        "seed": simulation.seed,
        "matches": tally.rows if simulation.of_matches else None,
        **tally.as_json(),
    }


_FIGURES = ("total", "completed", "coups_fourres", "shut_outs")


def _csv_heading(sides: int) -> list[str]:
    names = ["index", "hands", "decisions", "winner", "extended", "extension_made"]
    for side in range(sides):
        names += [f"{name}_{side}" for name in _FIGURES]
        names += [f"points_{line}_{side}" for line in ScoreSheet._fields]
    return names


def _csv_rows(rows: NDArray[np.void], first: int, sides: int) -> list[list[int]]:
    columns = [np.arange(first, first + rows.size)]
    columns += [rows[name] for name in ("hands", "decisions", "winner", "extended")]
    columns.append(rows["extension_made"])
    for side in range(sides):
        columns += [rows[name][:, side] for name in _FIGURES]
        columns += list(rows["lines"][:, side].T)
    table: list[list[int]] = np.column_stack(columns).tolist()
    return table


# For people


def _draw(
    simulation: Simulation,
    tally: Tally,
    names: Sequence[str],
    words: Words,
    *,
    seconds: float,
    width: int,
) -> list[Text]:
    of_matches = simulation.of_matches
    facts: dict[str, str | int] = {
        "edition": words.edition_name(simulation.edition),
        "players": simulation.players,
        "count": _figure(tally.rows, 0, words),
        "seed": simulation.seed,
    }
    heading = words.say("sim_matches", **facts) if of_matches else words.say("sim_hands", **facts)
    title = words.say("sim_scores_match") if of_matches else words.say("sim_scores_hand")
    speed = words.say("sim_speed", speed=_figure(tally.hands / max(seconds, 1e-3), 0, words))
    everything = _draw_table(_facts(simulation, tally, words), (), words, width)
    by_side = _by_side(tally.groups, words, of_matches=of_matches)
    return [
        *(Text(line, "bold") for line in paragraph(heading, width)),
        Text(""),
        *everything,
        Text(""),
        *_draw_table(by_side, names, words, width),
        Text(""),
        Text(title, "bold"),
        *_draw_chart(tally.groups, names, words, width),
        Text(""),
        Text(speed, "dim"),
    ]


@dataclass(frozen=True)
class _Row:
    """A line of a table: what it is, and a figure for each column."""

    label: str
    figures: Sequence[str]
    begins_part: bool = False
    """Is there a rule above it?"""
    style: str = ""


def _facts(simulation: Simulation, tally: Tally, words: Words) -> list[_Row]:
    """What is told of all sides together."""
    hands = tally.hands
    rows = [
        _Row(words.say("sim_decisions"), [_figure(tally.decisions / hands, 1, words)]),
        _Row(words.say("sim_completed"), [_percent(tally.completed / hands, words)]),
    ]
    if simulation.players in simulation.edition.extension_at:
        made = tally.extension_made / tally.extended if tally.extended else math.nan
        rows += [
            _Row(words.say("sim_extended"), [_percent(tally.extended / hands, words)]),
            _Row(words.say("sim_extension_made"), [_percent(made, words)]),
        ]
    if simulation.of_matches:
        rows += [
            _Row(words.say("sim_length"), [_figure(hands / tally.rows, 2, words)]),
            _Row(words.say("sim_drawn"), [_percent(tally.draws / tally.rows, words)]),
        ]
    return rows


def _by_side(columns: Sequence[Column], words: Words, *, of_matches: bool) -> list[_Row]:
    """What is told of everybody who plays alike."""

    def percents(shares: Iterable[float]) -> list[str]:
        return [_percent(share, words) for share in shares]

    def figures(values: Iterable[float], decimals: int) -> list[str]:
        return [_figure(value, decimals, words) for value in values]

    rows = []
    if of_matches:
        wins = percents(column.wins / column.rows / len(column.sides) for column in columns)
        rows.append(_Row(words.say("sim_wins"), wins))
    means = [
        f"{_figure(column.mean, 0, words)} ± {_figure(column.interval, 1, words)}"
        for column in columns
    ]
    points = words.say("sim_points_match") if of_matches else words.say("sim_points_hand")
    rows.append(_Row(points, means))
    for label, percent in (
        (words.say("sim_low"), 5),
        (words.say("sim_median"), 50),
        (words.say("sim_high"), 95),
    ):
        rows.append(_Row(label, figures((column.quantile(percent) for column in columns), 0)))
    completes = percents(column.completed / column.hands for column in columns)
    coups_fourres = figures((column.coups_fourres / column.hands for column in columns), 3)
    shut_outs = percents(column.shut_outs / column.hands for column in columns)
    rows += [
        _Row(words.say("sim_completes"), completes),
        _Row(words.say("sim_coups_fourres"), coups_fourres),
        _Row(words.say("sim_shut_outs"), shut_outs),
    ]
    for place, line in enumerate(ScoreSheet._fields):
        values = figures((column.lines[place] / column.hands for column in columns), 1)
        rows.append(_Row(words.score_line(line), values, begins_part=place == 0))
    totals = figures((column.lines.sum() / column.hands for column in columns), 1)
    return [*rows, _Row(words.score_line("total"), totals, begins_part=True, style="bold")]


def _draw_table(rows: Sequence[_Row], names: Sequence[str], words: Words, width: int) -> list[Text]:
    """The columns side by side, or where they do not fit, one below the other."""
    heading = [_Row(words.say("sim_by_side"), names, style="bold")] if names else []
    wide = 1 + max(cell_len(figure) for row in (*heading, *rows) for figure in row.figures)
    count = len(rows[0].figures)
    label = min(_LABEL, width - count * wide)
    if count > 1 and label < max(cell_len(row.label) for row in (*heading, *rows)):
        stacked: list[Text] = []
        for place, name in enumerate(names):
            one = [replace(row, figures=[row.figures[place]]) for row in rows]
            stacked += [*_draw_table(one, [name], words, width), Text("")]
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


def _draw_chart(
    columns: Sequence[Column], names: Sequence[str], words: Words, width: int
) -> list[Text]:
    """How often each score came: bars side by side, or where they do not fit, stacked."""
    most = max(max(column.scores) for column in columns)
    # A handful of freak scores shall not squeeze all the others together.
    usual = max(column.quantile(99) for column in columns)
    step = next((step for step in _STEPS if usual // step < _MOST_BARS), _STEPS[-1])
    last = usual // step * step
    ranges = {
        low: f"{_figure(low, 0, words)} – {_figure(low + step - 25, 0, words)}"
        for low in range(0, last + 1, step)
    }
    if most >= last + step:
        ranges[last] = f"{_figure(last, 0, words)} +"
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
                line.append(left(f"{bar} {_percent(share, words)}".lstrip(), wide))
            line.rstrip()
            lines.append(line)
    return lines


def _figure(value: float, decimals: int, words: Words) -> str:
    """A number as this language writes it."""
    if math.isnan(value):
        return "–"
    text = f"{value:,.{decimals}f}"
    signs = {",": words.say("thousands"), ".": words.say("decimal")}
    return "".join(signs.get(sign, sign) for sign in text)


def _percent(share: float, words: Words) -> str:
    return words.say("percent", figure=_figure(100 * share, 1, words))
