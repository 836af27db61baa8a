"""The report of a contest in the arena: how good each bot is, and which of them failed."""

from collections.abc import Sequence

from rich.text import Text

from millebornes.arena import BotResult, Result
from millebornes.arena.ratings import Estimate
from millebornes.words import Words

from .figures import FigureRow, draw_figures
from .layout import paragraph
from .numbers import draw_number, draw_percent

__all__ = ["draw_contest", "draw_estimate"]


def draw_contest(result: Result, words: Words, *, speed: float, width: int) -> list[Text]:
    """The whole report: what was played, a column for each bot, and the speed."""
    contest = result.contest
    heading = words.say(
        "arena_heading",
        edition=words.edition_name(contest.edition),
        players=contest.players,
        pairs=draw_number(result.pairs, 0, words),
        matches=draw_number(result.matches, 0, words),
        seed=contest.seed,
    )
    figures = draw_figures(
        _rows(result.bots, words), width, names=contest.names, corner=words.say("arena_by_bot")
    )
    return [
        *(Text(line, "bold") for line in paragraph(heading, width)),
        Text(""),
        *figures,
        Text(""),
        Text(words.say("arena_speed", speed=draw_number(speed, 0, words)), "dim"),
    ]


def draw_estimate(bot: BotResult, words: Words) -> str:
    """The share of matches that a bot has won so far."""
    low, high = (draw_number(100 * share, 1, words) for share in bot.match_wins[1:])
    won = draw_percent(bot.match_wins.value, words)
    return words.say("arena_estimate", bot=bot.name, won=won, low=low, high=high)


def _rows(bots: Sequence[BotResult], words: Words) -> list[FigureRow]:
    interval = "  " + words.say("arena_interval")

    def intervals(estimates: Sequence[Estimate], scale: int, decimals: int) -> FigureRow:
        bounds = [
            words.say(
                "arena_bounds",
                low=draw_number(scale * estimate.low, decimals, words),
                high=draw_number(scale * estimate.high, decimals, words),
            )
            for estimate in estimates
        ]
        return FigureRow(interval, bounds, style="dim")

    wins = [bot.match_wins for bot in bots]
    points = [bot.points_per_hand for bot in bots]
    ratings = [bot.elo for bot in bots]
    rows = [
        FigureRow(words.say("sim_wins"), [draw_percent(each.value, words) for each in wins]),
        intervals(wins, 100, 1),
        FigureRow(
            words.say("sim_points_hand"), [draw_number(each.value, 0, words) for each in points]
        ),
        intervals(points, 1, 0),
        FigureRow(words.say("arena_elo"), [draw_number(each.value, 0, words) for each in ratings]),
        intervals(ratings, 1, 0),
        FigureRow(
            words.say("arena_time"), [draw_number(bot.ms_per_decision, 3, words) for bot in bots]
        ),
    ]
    if any(bot.failures for bot in bots):
        failures = [draw_number(bot.failures, 0, words) for bot in bots]
        rows.append(FigureRow(words.say("arena_failures"), failures))
    return rows
