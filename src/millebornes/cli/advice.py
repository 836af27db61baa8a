"""Help at the table: what can be typed, the memo of cards, what an answer is worth. Pure."""

from rich.text import Text

from millebornes.rules import Card, Edition, View
from millebornes.rules.cards import REMEDY_OF, SAFETY_OF
from millebornes.rules.moves import Decline
from millebornes.rules.state import ExtensionChoice, Window
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
    said: list[str] = []
    if isinstance(view.awaiting, Window):
        said = _window_stakes(view, view.awaiting, names, words)
    elif isinstance(view.awaiting, ExtensionChoice):
        said = _extension_stakes(view, names, words)
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


def _window_stakes(view: View, window: Window, names: Names, words: Words) -> list[str]:
    hazard, safety = words.card(window.hazard), words.card(SAFETY_OF[window.hazard])
    if view.legal_moves == (Decline(),):
        return [words.say("window_forced", hazard=hazard, safety=safety)]
    return [
        words.say(
            "window_choice",
            seat=names.seats[window.attacker],
            hazard=hazard,
            safety=safety,
            points=view.edition.safety_points + view.edition.coup_fourre_points,
        )
    ]


def _if_it_fails(edition: Edition, words: Words) -> list[str]:
    """Who gains what if the side that extends does not get there."""
    points = edition.extension_points
    if edition.extension_if_nobody_completes == "each_opponent":
        return [words.say("extension_lost_or_failed", points=points)]
    if edition.extension_if_other_completes == "each_opponent":
        return [words.say("extension_lost", points=points)]
    if edition.extension_if_other_completes == "completer":
        return [words.say("extension_to_completer", points=points)]
    return []


def _extension_stakes(view: View, names: Names, words: Words) -> list[str]:
    assert view.side is not None
    edition = view.edition
    own = view.tableaux[view.side]
    others = [side for side in range(view.sides) if side != view.side]
    next_best = max(others, key=lambda side: view.tableaux[side].miles)
    finish = edition.trip_points
    if Card.D200 not in own.distance:
        finish += edition.safe_trip_points
    blank = sum(not view.tableaux[side].distance for side in others)
    if edition.shut_out == "each":
        finish += edition.shut_out_points * blank
    elif edition.shut_out == "all" and blank == len(others):
        finish += edition.shut_out_points
    said = [
        words.say("extension_finish", points=finish),
        words.say("extension_extend", points=edition.extension_points),
    ]
    said += _if_it_fails(edition, words)
    said.append(
        words.say(
            "extension_race",
            side=names.sides[next_best],
            miles=view.tableaux[next_best].miles,
            ahead=own.miles - view.tableaux[next_best].miles,
            pile=view.pile,
        )
    )
    return said
