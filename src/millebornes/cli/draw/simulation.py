"""The report of a simulation: statistics of an edition and its bots."""

import math
from collections.abc import Iterable, Sequence

from rich.text import Text

from millebornes.arena import Simulation, Tally
from millebornes.arena.tally import Column
from millebornes.rules import ScoreSheet
from millebornes.words import Words

from .chart import draw_score_chart
from .figures import FigureRow, draw_figures
from .layout import paragraph
from .numbers import draw_number, draw_percent

__all__ = ["draw_simulation"]


def draw_simulation(
    simulation: Simulation,
    tally: Tally,
    names: Sequence[str],
    words: Words,
    *,
    seconds: float,
    width: int,
) -> list[Text]:
    """The whole report: facts about all sides, a table by bot, the chart, and the speed."""
    of_matches = simulation.of_matches
    facts: dict[str, str | int] = {
        "edition": words.edition_name(simulation.edition),
        "players": simulation.players,
        "count": draw_number(tally.rows, 0, words),
        "seed": simulation.seed,
    }
    heading = words.say("sim_matches", **facts) if of_matches else words.say("sim_hands", **facts)
    title = words.say("sim_scores_match") if of_matches else words.say("sim_scores_hand")
    speed = words.say("sim_speed", speed=draw_number(tally.hands / max(seconds, 1e-3), 0, words))
    everything = draw_figures(_facts(simulation, tally, words), width)
    by_side = _by_side(tally.groups, words, of_matches=of_matches)
    return [
        *(Text(line, "bold") for line in paragraph(heading, width)),
        Text(""),
        *everything,
        Text(""),
        *draw_figures(by_side, width, names=names, corner=words.say("sim_by_side")),
        Text(""),
        Text(title, "bold"),
        *draw_score_chart(tally.groups, names, words, width),
        Text(""),
        Text(speed, "dim"),
    ]


def _facts(simulation: Simulation, tally: Tally, words: Words) -> list[FigureRow]:
    """The rows about all sides together."""
    hands = tally.hands
    rows = [
        FigureRow(words.say("sim_decisions"), [draw_number(tally.decisions / hands, 1, words)]),
        FigureRow(words.say("sim_completed"), [draw_percent(tally.completed / hands, words)]),
    ]
    if simulation.players in simulation.edition.extension_at:
        made = tally.extension_made / tally.extended if tally.extended else math.nan
        rows += [
            FigureRow(words.say("sim_extended"), [draw_percent(tally.extended / hands, words)]),
            FigureRow(words.say("sim_extension_made"), [draw_percent(made, words)]),
        ]
    if simulation.of_matches:
        rows += [
            FigureRow(words.say("sim_length"), [draw_number(hands / tally.rows, 2, words)]),
            FigureRow(words.say("sim_drawn"), [draw_percent(tally.draws / tally.rows, words)]),
        ]
    return rows


def _by_side(columns: Sequence[Column], words: Words, *, of_matches: bool) -> list[FigureRow]:
    """The rows with one column for each kind of player."""

    def percents(shares: Iterable[float]) -> list[str]:
        return [draw_percent(share, words) for share in shares]

    def figures(values: Iterable[float], decimals: int) -> list[str]:
        return [draw_number(value, decimals, words) for value in values]

    rows = []
    if of_matches:
        wins = percents(column.wins / column.rows / len(column.sides) for column in columns)
        rows.append(FigureRow(words.say("sim_wins"), wins))
    means = [
        f"{draw_number(column.mean, 0, words)} ± {draw_number(column.interval, 1, words)}"
        for column in columns
    ]
    points = words.say("sim_points_match") if of_matches else words.say("sim_points_hand")
    rows.append(FigureRow(points, means))
    for label, percent in (
        (words.say("sim_low"), 5),
        (words.say("sim_median"), 50),
        (words.say("sim_high"), 95),
    ):
        rows.append(FigureRow(label, figures((column.quantile(percent) for column in columns), 0)))
    completes = percents(column.completed / column.hands for column in columns)
    coups_fourres = figures((column.coups_fourres / column.hands for column in columns), 3)
    shut_outs = percents(column.shut_outs / column.hands for column in columns)
    rows += [
        FigureRow(words.say("sim_completes"), completes),
        FigureRow(words.say("sim_coups_fourres"), coups_fourres),
        FigureRow(words.say("sim_shut_outs"), shut_outs),
    ]
    for place, line in enumerate(ScoreSheet._fields):
        values = figures((column.lines[place] / column.hands for column in columns), 1)
        rows.append(FigureRow(words.score_line(line), values, begins_part=place == 0))
    totals = figures((column.lines.sum() / column.hands for column in columns), 1)
    return [*rows, FigureRow(words.score_line("total"), totals, begins_part=True, style="bold")]
