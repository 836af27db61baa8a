"""The command `bots`: the levels that you can play against, how they play, how strong they are."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from millebornes.bots import LEVELS, MEASURED, YARDSTICKS, playable
from millebornes.plugins import installed
from millebornes.words import Words

from .command import terminal
from .draw.layout import paragraph
from .game.ladder import Ladder, read_ladder
from .options import Json, Lang

__all__ = ["bots"]

_INDENT = "    "


def bots(as_json: Json = False, lang: Lang = None) -> None:
    """List the bots: how each level plays, and how strong it is."""
    with terminal(lang) as (screen, words):
        ladder = read_ladder()
        if as_json:
            screen.json(_bots_json(ladder, words))
        else:
            screen.show(_draw_bots(ladder, words, screen.width))


def _draw_bots(ladder: Ladder, words: Words, width: int) -> list[Text]:
    """The levels, weakest first, then the bots that are not levels."""
    lines: list[Text] = []
    for level in LEVELS:
        heading = Text(level, "bold")
        heading.append(f"  {words.level(level)}", "")
        lines.append(heading)
        for sentence in _about(level, ladder, words):
            lines += map(Text, paragraph(sentence, width, _INDENT))
    lines += _draw_names(words.say("bots_yardsticks"), tuple(YARDSTICKS), width)
    lines += _draw_names(words.say("bots_installed"), installed(), width)
    return [*lines, Text(), *map(Text, paragraph(words.say("bots_own"), width))]


def _about(level: str, ladder: Ladder, words: Words) -> list[str]:
    """What there is to say about a level, in sentences."""
    said = [words.level_line(level)]
    if level in MEASURED:
        said.append(words.measured(*MEASURED[level]))
    wins = ladder.wins.get(level, 0)
    if wins:
        said.append(words.say("bot_wins_here", wins=wins))
    if level == ladder.level:
        said.append(words.say("bot_default"))
    if level not in playable():
        said.append(words.say("bot_not_here"))
    return said


def _draw_names(heading: str, names: Sequence[str], width: int) -> list[Text]:
    if not names:
        return []
    listed = paragraph(", ".join(names), width, _INDENT)
    return [Text(), *map(Text, paragraph(heading, width)), *map(Text, listed)]


def _bots_json(ladder: Ladder, words: Words) -> dict[str, Any]:
    return {
        "levels": [
            {
                "id": level,
                "name": words.level(level),
                "line": words.level_line(level),
                "against": MEASURED[level].against if level in MEASURED else None,
                "wins": MEASURED[level].wins if level in MEASURED else None,
                "playable": level in playable(),
                "default": level == ladder.level,
                "won_here": ladder.wins.get(level, 0),
            }
            for level in LEVELS
        ],
        "yardsticks": list(YARDSTICKS),
        "installed": list(installed()),
    }
