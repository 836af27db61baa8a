"""The `replay` command: a recorded game again, whole or at one step."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from msgspec import to_builtins
from rich.text import Text

from millebornes.records import Game, Step, position
from millebornes.records import replay as replay_game
from millebornes.rules import RULES_VERSION, view
from millebornes.rules.events import Drawn
from millebornes.table.wire_events import wire_event
from millebornes.words import Names, Words

from .command import terminal
from .draw.awaiting import describe_awaiting
from .draw.layout import paragraph
from .draw.score_sheet import draw_score_sheet
from .draw.table import draw_table
from .errors import CommandError, file_errors
from .files import read_game, shown_name
from .options import Json, Lang, RecordFile

__all__ = ["replay"]


def replay(
    file: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            help="Show the table after this step. Step 0 is the first deal. Every move, every "
            "attack that nobody answered and every later deal is one more step.",
        ),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show a recorded game move by move, with every score sheet."""
    with terminal(lang) as (screen, spoken):
        game = read_game(file, spoken)
        words = spoken.of(game.edition)
        if game.rules_version != RULES_VERSION:
            screen.complain(words.say("other_rules_version", version=game.rules_version))
        with file_errors(shown_name(file, words), words):
            steps = list(replay_game(game))
        if at is not None and not 0 <= at < len(steps):
            raise CommandError(words.say("no_such_step", step=at, last=len(steps) - 1))
        last = len(steps) - 1 if at is None else at
        if as_json:
            screen.json(_game_json(game, steps, last))
        elif at is None:
            screen.show(_draw_game(game, steps, words, screen.width))
        else:
            screen.show(_draw_step(game, steps, at, words, screen.width))


def _game_json(game: Game, steps: Sequence[Step], at: int) -> dict[str, Any]:
    """The tags, every step up to `at`, and the position after it, for programs."""
    return {
        "tags": _tags(game),
        "steps": [
            {
                "step": number,
                "token": str(step.token) if step.token else None,
                "seat": step.seat,
                "events": [to_builtins(wire_event(event)) for event in step.events],
            }
            for number, step in enumerate(steps[: at + 1])
        ],
        "at": at if steps else None,
        "position": position.to_text(steps[at].match) if steps else None,
    }


def _draw_game(game: Game, steps: Sequence[Step], words: Words, width: int) -> list[Text]:
    """The whole game, with the score sheet of every hand."""
    names = _names(game, words)
    lines = _heading(game, game.start().trip, words, width)
    for number, step in enumerate(steps):
        if step.token is None:
            lines.append(Text())
        lines += _draw_events(number, step, names, words, width)
        hand = step.match.hand
        if hand is not None and hand.sheets is not None:
            lines += [
                Text(),
                *draw_score_sheet(hand.sheets, step.match.forward, names, words, width),
            ]
    lines.append(Text())
    if steps:
        lines.append(Text(describe_awaiting(steps[-1].match, names, words)))
    else:
        lines.append(Text(words.say("nothing_dealt")))
    return lines


def _draw_step(game: Game, steps: Sequence[Step], at: int, words: Words, width: int) -> list[Text]:
    """One step, and the table after it."""
    names = _names(game, words)
    step = steps[at]
    hand = step.match.hand
    assert hand is not None
    lines = _heading(game, hand.trip, words, width)
    lines.append(Text())
    lines += _draw_events(at, step, names, words, width)
    lines += draw_table(view(step.match, None), names, words, width)
    for seat, cards in enumerate(hand.hands):
        held = ", ".join(words.card(card) for card in cards) or "–"
        lines += map(Text, paragraph(f"{names.seats[seat]}: {held}", width))
    if hand.sheets is not None:
        lines += draw_score_sheet(hand.sheets, step.match.forward, names, words, width)
    lines.append(Text(describe_awaiting(step.match, names, words)))
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


def _heading(game: Game, trip: int, words: Words, width: int) -> list[Text]:
    heading = words.say(
        "judged_heading",
        edition=words.edition_name(game.edition),
        players=game.players,
        trip=trip,
    )
    details = [heading]
    if game.date is not None:
        details.append(game.date)
    if game.seed is not None:
        details.append(words.say("seed", seed=game.seed))
    lines = [Text(line, "bold") for line in paragraph(" · ".join(details), width)]
    if game.seats:
        lines += map(Text, paragraph(", ".join(game.seats), width))
    return lines


def _draw_events(number: int, step: Step, names: Names, words: Words, width: int) -> list[Text]:
    without_draws = [event for event in step.events if not isinstance(event, Drawn)]
    told = " ".join(words.events(without_draws, names))
    mark = f"{number:>4} {step.token or ''!s:<8} "
    wrapped = paragraph(told, width, " " * len(mark)) or [mark]
    return [Text(mark + wrapped[0][len(mark) :]), *map(Text, wrapped[1:])]
