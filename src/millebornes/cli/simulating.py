"""The `simulate` command: bulk statistics of an edition and of bots."""

import csv
import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from millebornes.arena import Simulation, Tally, bot_names
from millebornes.arena.tally import Column
from millebornes.rules import DEFAULT_EDITION, EditionError, ScoreSheet
from millebornes.words import Words

from .files import load_edition
from .layout import left, right
from .screen import Screen
from .trouble import Trouble

__all__ = ["Simulating", "run_simulation"]

_FAST_HANDS, _SLOW_HANDS = 100_000, 400
"""How many are played if nobody says."""
_LABEL = 31
_COLUMN = 20
_STEPS = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)
_MOST_BARS = 12
_LONGEST_SEED = (1 << 64) - 1


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
        screen.complain(words.say("sim_stopped", count=tally.rows))
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
            words.say("bad_players", edition=edition.name, counts=counts, asked=wishes.players)
        )
    if wishes.hands is not None and wishes.matches is not None:
        raise Trouble(words.say("sim_hands_or_matches"))
    for option, value, least in (
        ("--hands", wishes.hands, 1),
        ("--matches", wishes.matches, 1),
        ("--jobs", wishes.jobs, 1),
        ("--seed", wishes.seed, 0),
    ):
        if value is not None and not least <= value <= _LONGEST_SEED:
            allowed = words.say("allowed_whole", least=least)
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
    return simulation, count, wishes.jobs or os.cpu_count() or 1


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
    labels: Sequence[str],
    words: Words,
    *,
    seconds: float,
    width: int,
) -> list[Text]:
    of_matches = simulation.of_matches
    facts: dict[str, str | int] = {
        "edition": simulation.edition.name,
        "players": simulation.players,
        "count": _figure(tally.rows, 0, words),
        "seed": simulation.seed,
    }
    heading = words.say("sim_matches", **facts) if of_matches else words.say("sim_hands", **facts)
    lines = [Text(heading, "bold"), Text("")]

    def tell(label: str, figure: str) -> None:
        lines.append(Text(left(label, _LABEL) + " " + right(figure, _COLUMN - 1)))

    hands = tally.hands
    tell(words.say("sim_decisions"), _figure(tally.decisions / hands, 1, words))
    tell(words.say("sim_completed"), _percent(tally.completed / hands, words))
    if simulation.players in simulation.edition.extension_at:
        tell(words.say("sim_extended"), _percent(tally.extended / hands, words))
        tell(words.say("sim_extension_made"), _percent(tally.extension_made / hands, words))
    if of_matches:
        tell(words.say("sim_length"), _figure(hands / tally.rows, 2, words))
        tell(words.say("sim_drawn"), _percent(tally.draws / tally.rows, words))
    columns = tally.groups
    lines.append(Text(""))
    lines += _draw_columns(columns, labels, words, width, of_matches=of_matches)
    lines.append(Text(""))
    lines += _draw_chart(columns, labels, words, width, of_matches=of_matches)
    speed = words.say("sim_speed", speed=_figure(hands / max(seconds, 1e-3), 0, words))
    return [*lines, Text(""), Text(speed, "dim")]


def _draw_columns(
    columns: Sequence[Column],
    labels: Sequence[str],
    words: Words,
    width: int,
    *,
    of_matches: bool,
) -> list[Text]:
    """One column for everybody who plays alike."""
    wide = max(12, min(_COLUMN, (width - _LABEL) // len(columns)))

    def row(label: str, figures: Sequence[str], style: str = "") -> Text:
        cells = "".join(" " + right(figure, wide - 1) for figure in figures)
        return Text(left(label, _LABEL) + cells, style)

    rule = Text("─" * (_LABEL + wide * len(columns)), "dim")
    lines = [row(words.say("sim_by_side"), labels, "bold"), rule]
    if of_matches:
        wins = [
            _percent(column.wins / column.rows / len(column.sides), words) for column in columns
        ]
        lines.append(row(words.say("sim_wins"), wins))
    means = [
        f"{_figure(column.mean, 0, words)} ± {_figure(column.interval, 1, words)}"
        for column in columns
    ]
    points = words.say("sim_points_match") if of_matches else words.say("sim_points_hand")
    lines.append(row(points, means))
    middles = [
        f"{column.quantile(5)} – {column.quantile(50)} – {column.quantile(95)}"
        for column in columns
    ]
    lines.append(row(words.say("sim_middle"), middles))
    lines.append(
        row(
            words.say("sim_completes"),
            [_percent(column.completed / column.hands, words) for column in columns],
        )
    )
    lines.append(
        row(
            words.say("sim_coups_fourres"),
            [_figure(column.coups_fourres / column.hands, 3, words) for column in columns],
        )
    )
    lines.append(
        row(
            words.say("sim_shut_outs"),
            [_percent(column.shut_outs / column.hands, words) for column in columns],
        )
    )
    lines.append(rule)
    for place, line in enumerate(ScoreSheet._fields):
        figures = [_figure(column.lines[place] / column.hands, 1, words) for column in columns]
        lines.append(row(words.score_line(line), figures))
    totals = [_figure(column.lines.sum() / column.hands, 1, words) for column in columns]
    return [*lines, rule, row(words.score_line("total"), totals, "bold")]


def _draw_chart(
    columns: Sequence[Column],
    labels: Sequence[str],
    words: Words,
    width: int,
    *,
    of_matches: bool,
) -> list[Text]:
    """How often each score came."""
    most = max(max(column.scores) for column in columns)
    # A handful of freak scores shall not squeeze all the others together.
    usual = max(column.quantile(99) for column in columns)
    step = next((step for step in _STEPS if usual // step < _MOST_BARS), _STEPS[-1])
    last = usual // step * step
    shares = [column.shares(step) for column in columns]
    highest = max(max(by_step.values()) for by_step in shares)
    wide = max(12, min(40, (width - 14) // len(columns)))
    title = words.say("sim_scores_match") if of_matches else words.say("sim_scores_hand")
    lines = [Text(title, "bold")]
    if len(columns) > 1:
        lines.append(Text(" " * 14 + "".join(left(label, wide) for label in labels)))
    for low in range(0, last + 1, step):
        is_last = low == last and most >= low + step
        name = f"{low} +" if is_last else f"{low} – {low + step - 25}"
        line = Text(right(name, 13) + " ")
        for by_step in shares:
            share = by_step.get(low, 0.0)
            if is_last:
                share = sum(part for at, part in by_step.items() if at >= low)
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
