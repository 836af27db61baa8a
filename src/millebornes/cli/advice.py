"""Help at the table: what can be typed, the memo of cards, what an answer is worth. Pure."""

from rich.text import Text

from millebornes.rules import View
from millebornes.rules.cards import REMEDY_OF, SAFETY_OF
from millebornes.table.stakes import stakes
from millebornes.words import Names, Words

from .layout import left, paragraph

__all__ = ["draw_help", "draw_stakes"]


def draw_help(view: View, words: Words, width: int) -> list[Text]:
    """What can be typed, and which card answers which."""
    lines: list[Text] = []
    for said in (
        words.say("help_play"),
        words.say("help_discard"),
        words.say("help_target"),
        words.say("help_commands"),
        words.say("help_signs"),
    ):
        lines += map(Text, paragraph(said, width))
    lines += _memo(words)
    if view.edition.autoroute_cards:
        lines += map(Text, paragraph(words.say("help_autoroute"), width))
    return lines


def draw_stakes(view: View, names: Names, words: Words, width: int) -> list[Text]:
    """What hangs on the answer that is awaited, where it is not a plain turn."""
    said = [words.sentence(stake, names) for stake in stakes(view)]
    return [Text(line, "bold") for text in said for line in paragraph(text, width)]


def _memo(words: Words) -> list[Text]:
    heads = (words.say("memo_hazard"), words.say("memo_remedy"), words.say("memo_safety"))
    rows = [
        (words.card(hazard), words.card(remedy), words.card(SAFETY_OF[hazard]))
        for hazard, remedy in REMEDY_OF.items()
    ]
    wide = [max(len(row[column]) for row in (heads, *rows)) + 2 for column in range(3)]

    def line(row: tuple[str, str, str]) -> str:
        return "  " + "".join(left(cell, wide[column]) for column, cell in enumerate(row))

    return [Text(line(heads).rstrip(), "bold"), *(Text(line(row).rstrip()) for row in rows)]
