"""The `judge` command: is each move of a position legal, why not, and what follows from it?"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from msgspec import to_builtins
from rich.text import Text

from millebornes.records import Judgement, Verdict, legal_tokens, position
from millebornes.records import judge as judge_text
from millebornes.records.tokens import to_text
from millebornes.rules import Match, ScoreSheet, awaited_seats, score_sheet, view
from millebornes.rules.events import Drawn
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window
from millebornes.table.wire_events import wire_sheet
from millebornes.words import Names, Words

from .command import terminal
from .draw.awaiting import describe_awaiting
from .draw.layout import paragraph
from .draw.score_sheet import draw_score_sheet
from .draw.table import draw_table
from .errors import file_errors
from .files import load_edition, read_text, shown_name
from .options import EditionOption, Json, Lang

__all__ = ["judge"]


def judge(
    file: Annotated[
        str,
        typer.Argument(help="File with positions and the moves to judge; - reads standard input."),
    ],
    edition: EditionOption = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Settle an argument: is each move legal, and if not, why?

    The table is shown after every move, and the score sheet after a finished hand.

    --edition overrides the edition that the file names. --json prints one object, or an array
    for a file with several positions.
    """
    with terminal(lang) as (screen, words):
        override = None if edition is None else load_edition(edition, words)
        text = read_text(file, words)
        with file_errors(shown_name(file, words), words):
            judgements = judge_text(text, override)
        if as_json:
            answers = [_judgement_json(judgement, words) for judgement in judgements]
            screen.json(answers if len(answers) > 1 else answers[0])
            return
        for number, judgement in enumerate(judgements):
            if number:
                screen.show([""])
            screen.show(_draw_judgement(judgement, words, screen.width))


def _judgement_json(judgement: Judgement, words: Words) -> dict[str, Any]:
    """One position with its verdicts, for programs."""
    words = words.of(judgement.start.edition)
    names = _names(judgement.start, words)
    end = judgement.match
    titled = {"title": judgement.title} if judgement.title else {}
    return {
        **titled,
        "edition": end.edition.id,
        "moves": [
            {
                "move": to_text(verdict.token.move),
                "seat": verdict.seat,
                "legal": verdict.reason is None,
                "code": verdict.reason.code if verdict.reason else None,
                "sentence": _sentence(verdict, names, words),
                "position": position.to_text(verdict.match),
            }
            for verdict in judgement.verdicts
        ],
        "legal_moves": [str(token) for token in legal_tokens(end)],
        "awaiting": _awaiting_json(end),
        "score_sheet": _sheets_json(score_sheet(end)),
    }


def _draw_judgement(judgement: Judgement, words: Words, width: int) -> list[Text]:
    """The same for people, with the table after each move."""
    start, end = judgement.start, judgement.match
    words = words.of(start.edition)
    names = _names(start, words)
    assert start.hand is not None
    heading = words.say(
        "judged_heading", edition=start.edition.id, players=start.players, trip=start.hand.trip
    )
    lines = [Text(judgement.title, "bold")] if judgement.title else []
    lines.append(Text(heading))
    if not judgement.verdicts:
        lines += draw_table(view(start, None), names, words, width)
    for number, verdict in enumerate(judgement.verdicts, start=1):
        lines += [Text(), _ruling(number, verdict, names, words)]
        lines += map(Text, paragraph(_sentence(verdict, names, words), width, "   "))
        lines += draw_table(view(verdict.match, None), names, words, width)
    lines += [Text(), Text(describe_awaiting(end, names, words))]
    sheets = score_sheet(end)
    if sheets is not None:
        lines += draw_score_sheet(sheets, end.forward, names, words, width)
    tokens = " ".join(str(token) for token in legal_tokens(end))
    if tokens:
        lines += map(Text, paragraph(words.say("legal_moves", moves=tokens), width))
    return lines


def _names(match: Match, words: Words) -> Names:
    return words.numbered(match.players, match.sides)


def _ruling(number: int, verdict: Verdict, names: Names, words: Words) -> Text:
    move = to_text(verdict.token.move)
    if verdict.seat is not None:
        seat = names.seats[verdict.seat] if verdict.seat < len(names.seats) else str(verdict.seat)
        move = f"{seat}: {move}"
    line = Text(f"{number}. {move}  ", "bold")
    if verdict.reason is None:
        return line.append(words.say("legal"), "green")
    return line.append(words.say("illegal", code=verdict.reason.code), "red")


def _sentence(verdict: Verdict, names: Names, words: Words) -> str:
    """The reason for a refusal, or what happened. Draws are left out."""
    if verdict.reason is not None:
        return words.sentence(verdict.reason, names)
    told = [event for event in verdict.events if not isinstance(event, Drawn)]
    if not told:
        said = words.say("one_declined", seat=names.seats[verdict.seat or 0])
        return said[:1].upper() + said[1:]
    return " ".join(words.events(told, names))


def _sheets_json(sheets: Sequence[ScoreSheet] | None) -> list[dict[str, int]] | None:
    """The score sheet of each side, line by line; null until the hand ends."""
    if sheets is None:
        return None
    return [to_builtins(wire_sheet(sheet)) for sheet in sheets]


def _awaiting_json(match: Match) -> dict[str, Any]:
    """What is awaited, and from which seats; a deal is awaited from the dealer."""
    match match.awaiting:
        case Turn():
            what = "turn"
        case Window():
            what = "window"
        case ExtensionChoice():
            what = "extension"
        case Deal(dealer):
            return {"what": "deal", "seats": [dealer]}
        case Over(winner):
            return {"what": "over", "seats": [], "winner": winner}
    return {"what": what, "seats": list(awaited_seats(match))}
