"""The page on the strength of the bots, and the measured line of each level."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from millebornes.bots import LEVELS, YARDSTICKS
from millebornes.rules import EDITIONS
from millebornes.words import words

from .contests import OTHER_GAMES, RESULTS
from .markdown import bullets, hand_written, page, table

Result = dict[str, Any]


def results() -> list[Result]:
    """The results of all contests, by the names of their files."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]


def bots_page() -> str:
    """How strong each bot is."""
    text = hand_written("bots")
    found = results()
    parts = {
        "{cross_table}": _cross_table(found),
        "{other_games}": _other_games(found),
        "{commands}": bullets(f"`{result['command']}`" for result in found),
    }
    for mark, part in parts.items():
        assert text.count(mark) == 1, mark
        text = text.replace(mark, part)
    return page([text], "bots", "docs/bots/results")


def _cross_table(found: list[Result]) -> str:
    """Everybody against everybody, two players: the share of matches that the row wins."""
    bots = [*LEVELS, *YARDSTICKS, "greedy"]
    shares = {
        tuple(bot["name"] for bot in _in_order(result, turned)): _share(
            _in_order(result, turned)[0]
        )
        for result in found
        if (result["edition"], result["players"]) == ("winning-moves", 2)
        for turned in (False, True)
    }
    rows = [
        [f"**{_name(own)}**", *(shares.get((own, other), "") for other in bots)] for own in bots
    ]
    return table(("wins against →", *map(_name, bots)), rows)


def _other_games(found: list[Result]) -> str:
    return table(("game", "match", "wins"), _other_rows(found))


def _other_rows(found: list[Result]) -> Iterator[tuple[str, str, str]]:
    for edition, players in OTHER_GAMES:
        for result in found:
            if (result["edition"], result["players"]) == (edition, players):
                first, second = result["bots"]
                teams = ", in teams" if EDITIONS[edition].has_teams(players) else ""
                game = f"{words('en').edition_name(EDITIONS[edition])}, {players} players{teams}"
                yield game, f"{_name(first['name'])} v {_name(second['name'])}", _share(first)


def _in_order(result: Result, is_turned: bool) -> list[Any]:
    bots = list(result["bots"])
    return bots[::-1] if is_turned else bots


def _share(bot: dict[str, Any]) -> str:
    """62.9 ± 1.3 %."""
    low, high = bot["match_wins_interval"]
    return f"{100 * bot['match_wins']:.1f} ± {50 * (high - low):.1f} %"


def _name(bot: str) -> str:
    return bot.replace("-", " ").title()


def measured() -> str:
    """The measured line of each level, for the game: its share of wins against its neighbour."""
    lines: dict[str, dict[str, Any]] = {}
    levels = list(LEVELS)
    shares = {
        (own["name"], other["name"]): own["match_wins"]
        for result in results()
        if (result["edition"], result["players"]) == ("winning-moves", 2)
        for own, other in (result["bots"], result["bots"][::-1])
    }
    for place, level in enumerate(levels):
        # The gentlest has nobody below it: it is measured against the next one up.
        other = levels[place - 1] if place else levels[1]
        if (level, other) in shares:
            lines[level] = {"against": other, "wins": round(shares[level, other], 3)}
    note = "by make regenerate from docs/bots/results: do not edit"
    return json.dumps({"generated": note, "levels": lines}, indent=2) + "\n"


MEASURED = Path("src/millebornes/bots/measured.json")
"""Where the measured lines are kept."""
