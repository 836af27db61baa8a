"""The table as text: the race, and the cards in front of every side.

Colour only repeats what words and signs already show.
"""

from collections import Counter
from collections.abc import Callable

from rich.cells import cell_len
from rich.text import Text

from millebornes.rules import Card, View
from millebornes.rules.car import active_hazard, has_roll, is_limited, is_rolling
from millebornes.rules.cards import MILES, REMEDY_OF
from millebornes.rules.state import Tableau, Turn
from millebornes.words import Names, Words

from .layout import flow, left, right

__all__ = ["draw_table"]

_FULL_SIDES = 4  # with more sides, each gets a single line
_NAME = 16
_ROAD = 28
_ROOMY = 76  # columns that a full line of the race needs
_INDENT = "    "


def draw_table(view: View, names: Names, words: Words, width: int) -> list[Text]:
    """The race, and the cards in front of every side."""
    lines = [_heading(view, words, width)]
    for side in range(view.sides):
        if view.sides > _FULL_SIDES:
            lines += _one_line(view, side, names, words, width)
        else:
            lines.append(_race_line(view, side, names, words, width))
            lines += flow(_details(view, side, words), width, _INDENT)
    return lines


def _heading(view: View, words: Words, width: int) -> Text:
    heading = words.say("table_heading", number=view.number, trip=view.trip, pile=view.pile)
    line = Text(f"━━ {heading} ")
    if view.discard:
        last = f"━━ {words.say('last_discard', card=words.card(view.discard[-1]))} "
        line.append(last if line.cell_len + cell_len(last) <= width else "")
    line.append("━" * max(0, width - line.cell_len))
    line.stylize("bold")
    return line


def _race_line(view: View, side: int, names: Names, words: Words, width: int) -> Text:
    tableau = view.tableaux[side]
    roomy = width >= _ROOMY
    line = _name(view, side, names, _NAME if roomy else 8)
    line.append_text(_road(view, tableau, _ROAD if roomy else 8))
    line.append(right(str(tableau.miles), 5), "bold")
    line.append(right(words.say("points", points=view.forward[side]), 12))
    if not roomy:
        return line
    sizes = "+".join(str(view.hand_sizes[seat]) for seat in view.seats_of(side))
    line.append("  " + words.say("cards_held", cards=sizes), "dim")
    return line


def _one_line(view: View, side: int, names: Names, words: Words, width: int) -> list[Text]:
    """One side of a crowded table, in short: codes instead of names."""
    tableau = view.tableaux[side]
    line = _name(view, side, names, 10)
    line.append_text(_road(view, tableau, 12))
    line.append(right(str(tableau.miles), 5), "bold")
    parts: list[Text] = []
    hazard = active_hazard(tableau)
    if hazard is not None:
        parts.append(Text(words.card(hazard), "red"))
    elif not is_rolling(tableau, view.edition):
        parts.append(Text(words.say("short_needs_roll", roll=words.card(Card.ROLL)), "red"))
    if is_limited(tableau):
        parts.append(Text(Card.LIM, "red"))
    if tableau.safeties:
        parts.append(_safeties(tableau, lambda card: card.value))
    if tableau.autoroute is not None:
        parts.append(Text(f"{Card.AUTO} {tableau.autoroute.turns}", "blue"))
    details = flow(parts, width - line.cell_len, " ")
    return [line.append_text(details[0]), *details[1:]] if details else [line]


def _name(view: View, side: int, names: Names, wide: int) -> Text:
    acting = isinstance(view.awaiting, Turn) and view.side_of(view.awaiting.seat) == side
    own = side == view.side
    line = Text(">" if acting else " ")
    line.append(f"{side} ", "dim")
    line.append(left(names.sides[side], wide), "bold" if own else "")
    return line.append(" ")


def _road(view: View, tableau: Tableau, length: int) -> Text:
    """A lane: the road behind the car, the car (▶ rolling, ■ stopped), the road ahead."""
    rolling = is_rolling(tableau, view.edition)
    done = min(length - 1, tableau.miles * (length - 1) // view.trip)
    road = Text("━" * done, "yellow")
    road.append("▶" if rolling else "■", "green" if rolling else "red")
    road.append("╌" * (length - 1 - done), "dim")
    return road.append("┃")


def _details(view: View, side: int, words: Words) -> list[Text]:
    tableau = view.tableaux[side]
    parts = [_battle(view, tableau, words), _speed(tableau, words)]
    if tableau.distance:
        parts.append(_distances(tableau))
    if tableau.safeties:
        parts.append(_safeties(tableau, words.card))
    if tableau.autoroute is not None:
        turns = words.say("autoroute", turns=tableau.autoroute.turns)
        parts.append(Text(turns, "blue"))
    return parts


def _battle(view: View, tableau: Tableau, words: Words) -> Text:
    top = tableau.battle[-1] if tableau.battle else None
    hazard = active_hazard(tableau)
    if hazard is not None:
        stopped = words.say(
            "stopped_by", hazard=words.card(hazard), remedy=words.card(REMEDY_OF[hazard])
        )
        return Text(stopped, "red")
    if has_roll(tableau, view.edition):
        if top is None:
            return Text(words.say("rolling_start"), "green")
        return Text(words.say("rolling", roll=words.card(top)), "green")
    if is_rolling(tableau, view.edition):
        row = words.card(Card.ROW)
        if top is None:
            return Text(words.say("rolling", roll=row), "green")
        return Text(words.say("rolling_over", top=words.card(top), row=row), "green")
    if top is None:
        return Text(words.say("not_started", roll=words.card(Card.ROLL)), "red")
    return Text(words.say("needs_roll", top=words.card(top), roll=words.card(Card.ROLL)), "red")


def _speed(tableau: Tableau, words: Words) -> Text:
    if is_limited(tableau):
        return Text(words.say("limited", limit=words.card(Card.LIM)), "red")
    if tableau.speed and tableau.speed[-1] is Card.LIM:
        return Text(words.say("limit_lifted", limit=words.card(Card.LIM)), "dim")
    return Text(words.say("no_limit"), "dim")


def _distances(tableau: Tableau) -> Text:
    """The distance piles: 2×25 100."""
    copies = Counter(tableau.distance)
    piles = [
        f"{copies[card]}×{MILES[card]}" if copies[card] > 1 else str(MILES[card])
        for card in Card
        if copies[card]
    ]
    return Text(" ".join(piles))


def _safeties(tableau: Tableau, name: Callable[[Card], str]) -> Text:
    """The safeties on display; `!` marks those that were a coup fourré."""
    shown = [name(s) + "!" if s in tableau.crosswise else name(s) for s in tableau.safeties]
    return Text(", ".join(shown), "yellow")
