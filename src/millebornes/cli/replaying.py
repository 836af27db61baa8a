"""A recorded game told again, whole or up to one step."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from millebornes.records import Game, Step, position
from millebornes.rules import view
from millebornes.rules.events import Drawn, Event
from millebornes.words import Names, Words

from .as_json import event_json
from .drawing import draw_table
from .judging import say_awaiting
from .layout import paragraph
from .sheets import draw_sheet

__all__ = ["draw_game", "draw_step", "game_json"]


def game_json(game: Game, steps: Sequence[Step], at: int) -> dict[str, Any]:
    """Tags, every step up to `at`, and the position there."""
    return {
        "tags": _tags(game),
        "steps": [
            {
                "step": number,
                "token": str(step.token) if step.token else None,
                "seat": step.seat,
                "events": [event_json(event) for event in step.events],
            }
            for number, step in enumerate(steps[: at + 1])
        ],
        "at": at if steps else None,
        "position": position.to_text(steps[at].match) if steps else None,
    }


def draw_game(game: Game, steps: Sequence[Step], words: Words, width: int) -> list[Text]:
    """The whole game, with the score sheet of every hand."""
    names = _names(game, words)
    lines = _heading(game, words, width)
    for number, step in enumerate(steps):
        if step.token is None:
            lines.append(Text())
        lines += _told(number, step, names, words, width)
        hand = step.match.hand
        if hand is not None and hand.sheets is not None:
            lines += [
                Text(),
                *draw_sheet(hand.sheets, step.match.forward, names, words, width),
            ]
    lines.append(Text())
    if steps:
        lines.append(Text(say_awaiting(steps[-1].match, names, words)))
    else:
        lines.append(Text(words.say("nothing_dealt")))
    return lines


def draw_step(game: Game, steps: Sequence[Step], at: int, words: Words, width: int) -> list[Text]:
    """The table after one step, and what that step was."""
    names = _names(game, words)
    step = steps[at]
    lines = _heading(game, words, width)
    lines.append(Text())
    lines += _told(at, step, names, words, width)
    lines += draw_table(view(step.match, None), names, words, width)
    hand = step.match.hand
    assert hand is not None
    for seat, cards in enumerate(hand.hands):
        held = ", ".join(words.card(card) for card in cards) or "–"
        lines += map(Text, paragraph(f"{names.seats[seat]}: {held}", width))
    if hand.sheets is not None:
        lines += draw_sheet(hand.sheets, step.match.forward, names, words, width)
    lines.append(Text(say_awaiting(step.match, names, words)))
    return lines


def _tags(game: Game) -> dict[str, Any]:
    return {
        "edition": game.edition.id,
        "parent": game.edition.parent,
        "players": game.players,
        "trip": game.start().trip,
        "dealer": game.dealer,
        "seats": list(game.seats),
        "date": game.date,
        "seed": game.seed,
        "rules": game.rules_version,
        "result": None if game.result is None else list(game.result),
    }


def _names(game: Game, words: Words) -> Names:
    sides = game.edition.sides_at(game.players)
    if game.seats:
        return words.named(game.seats, sides)
    return words.numbered(game.players, sides)


def _heading(game: Game, words: Words, width: int) -> list[Text]:
    said = words.say(
        "judged_heading",
        edition=words.edition_name(game.edition),
        players=game.players,
        trip=game.start().trip,
    )
    details = [said]
    if game.date is not None:
        details.append(game.date)
    if game.seed is not None:
        details.append(words.say("seed", seed=game.seed))
    lines = [Text(line, "bold") for line in paragraph(" · ".join(details), width)]
    if game.seats:
        lines += map(Text, paragraph(", ".join(game.seats), width))
    return lines


def _told(number: int, step: Step, names: Names, words: Words, width: int) -> list[Text]:
    told = " ".join(words.events(_worth_telling(step.events), names))
    mark = f"{number:>4} {step.token or ''!s:<8} "
    wrapped = paragraph(told, width, " " * len(mark)) or [mark]
    return [Text(mark + wrapped[0][len(mark) :]), *map(Text, wrapped[1:])]


def _worth_telling(events: Sequence[Event]) -> list[Event]:
    """That somebody drew is no news."""
    return [event for event in events if not isinstance(event, Drawn)]
