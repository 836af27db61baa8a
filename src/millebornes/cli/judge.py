"""The `judge` command: is each move of a position legal, why not, and what follows from it?"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from msgspec import to_builtins
from rich.text import Text

from millebornes.records import Judgement, RecordError, Verdict, judge_all, legal_tokens, position
from millebornes.records import judge as judge_text
from millebornes.records.telling import names_of, tell, tell_move, tell_rule
from millebornes.records.tokens import to_text
from millebornes.rules import EDITIONS, Match, ScoreSheet, awaited_seats, score_sheet, view
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window
from millebornes.table.wire_events import wire_sheet
from millebornes.words import Names, Words

from .command import terminal
from .draw.all_editions import draw_all_editions
from .draw.awaiting import describe_awaiting
from .draw.layout import paragraph
from .draw.score_sheet import draw_score_sheet
from .draw.table import draw_table
from .errors import CommandError, file_errors
from .files import load_edition, read_text, shown_name
from .options import EditionOption, Json, Lang

__all__ = ["judge"]

_AllEditions = dict[str, Judgement | RecordError]


def judge(
    file: Annotated[
        str,
        typer.Argument(help="File with positions and the moves to judge; - reads standard input."),
    ],
    edition: EditionOption = None,
    all_editions: Annotated[
        bool,
        typer.Option("--all-editions", help="Judge by all five printed editions, side by side."),
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Settle an argument: is each move legal, by which rule, and if not, why?

    The table is shown after every move, and the score sheet after a finished hand. Each verdict
    that rests on a rule names its place in the text of that edition.

    --edition overrides the edition that the file names. --json prints one object, or an array
    for a file with several positions.

    \b
    For example, a file argument.txt with these lines:
      seat 0: Max
      seat 1: Léa
      battle Léa: roll, accident
      hand Max: out of gas
      moves: out of gas > Léa

    \b
    millebornes judge argument.txt
    millebornes judge argument.txt --all-editions
    """  # noqa: D301 (\b keeps the lines of a paragraph apart)
    with terminal(lang) as (screen, words):
        if edition is not None and all_editions:
            raise CommandError(words.say("one_choice_of_editions"))
        override = None if edition is None else load_edition(edition, words)
        text = read_text(file, words)
        with file_errors(shown_name(file, words), words):
            cases: Sequence[Judgement | _AllEditions]
            cases = _by_all_editions(text) if all_editions else judge_text(text, override)
        if as_json:
            answers = [_json(case, words) for case in cases]
            screen.json(answers if len(answers) > 1 else answers[0])
            return
        drawn = [_draw(case, words, screen.width) for case in cases]
        for number, lines in enumerate(drawn):
            if number:
                screen.show([""])
            screen.show(lines)


def _by_all_editions(text: str) -> list[_AllEditions]:
    """The results of each position by edition."""
    results = judge_all(text)
    return [
        dict(zip(results, position, strict=True))
        for position in zip(*results.values(), strict=True)
    ]


def _json(case: Judgement | _AllEditions, words: Words) -> dict[str, Any]:
    if isinstance(case, Judgement):
        return _judgement_json(case, words)
    return _all_editions_json(case, words)


def _draw(case: Judgement | _AllEditions, words: Words, width: int) -> list[Text]:
    if isinstance(case, Judgement):
        return _draw_judgement(case, words, width)
    return draw_all_editions(case, words, width)


def _judgement_json(judgement: Judgement, words: Words) -> dict[str, Any]:
    """One position with its verdicts, for programs."""
    words = words.of(judgement.start.edition)
    names = names_of(judgement, words)
    end = judgement.match
    titled = {"title": judgement.title} if judgement.title else {}
    return {
        **titled,
        "edition": end.edition.id,
        "moves": [_verdict_json(verdict, names, words) for verdict in judgement.verdicts],
        "legal_moves": [str(token) for token in legal_tokens(end)],
        "awaiting": _awaiting_json(end),
        "score_sheet": _sheets_json(score_sheet(end)),
    }


def _verdict_json(verdict: Verdict, names: Names, words: Words) -> dict[str, Any]:
    return {
        "move": to_text(verdict.token.move),
        "seat": verdict.seat,
        "legal": verdict.reason is None,
        "code": verdict.reason.code if verdict.reason else None,
        "sentence": tell(verdict, names, words),
        "rule": tell_rule(verdict, words),
        "refused_by": list(verdict.rule.refused_by) if verdict.rule else [],
        "position": position.to_text(verdict.match),
    }


def _all_editions_json(case: _AllEditions, words: Words) -> dict[str, Any]:
    """One position as each edition judges it, and where each move is legal, for programs."""
    judged = {name: one for name, one in case.items() if isinstance(one, Judgement)}
    first = next(iter(judged.values()))
    titled = {"title": first.title} if first.title else {}
    return {
        **titled,
        "moves": [
            {
                "move": to_text(verdict.token.move),
                "legal_in": [
                    name for name, one in judged.items() if one.verdicts[number].reason is None
                ],
            }
            for number, verdict in enumerate(first.verdicts)
        ],
        "editions": {
            name: _judgement_json(one, words)
            if isinstance(one, Judgement)
            else {"edition": name, "error": str(one)}
            for name, one in case.items()
        },
    }


def _draw_judgement(judgement: Judgement, words: Words, width: int) -> list[Text]:
    """The same for people, with the table after each move."""
    start, end = judgement.start, judgement.match
    words = words.of(start.edition)
    names = names_of(judgement, words)
    assert start.hand is not None
    printed = start.edition.parent is None
    heading = words.say(
        "judged_heading",
        edition=start.edition.id if printed else words.edition_name(start.edition),
        players=start.players,
        trip=start.hand.trip,
    )
    lines = [Text(judgement.title, "bold")] if judgement.title else []
    lines.append(Text(heading))
    if not judgement.verdicts:
        lines += draw_table(view(start, None), names, words, width)
    for number, verdict in enumerate(judgement.verdicts, start=1):
        lines += [Text(), _ruling(number, verdict, judgement, names, words)]
        lines += map(Text, paragraph(tell(verdict, names, words), width, "   "))
        lines += [Text(line, "dim") for line in paragraph(_cited(verdict, words), width, "   ")]
        lines += draw_table(view(verdict.match, None), names, words, width)
    lines += [Text(), Text(describe_awaiting(end, names, words))]
    sheets = score_sheet(end)
    if sheets is not None:
        lines += draw_score_sheet(sheets, end.forward, names, words, width)
    tokens = " ".join(str(token) for token in legal_tokens(end))
    if tokens:
        lines += map(Text, paragraph(words.say("legal_moves", moves=tokens), width))
    return lines


def _ruling(
    number: int, verdict: Verdict, judgement: Judgement, names: Names, words: Words
) -> Text:
    line = Text(f"{number}. {tell_move(verdict, judgement, names)}  ", "bold")
    if verdict.reason is None:
        return line.append(words.say("legal"), "green")
    return line.append(words.say("illegal", code=verdict.reason.code), "red")


def _cited(verdict: Verdict, words: Words) -> str:
    """The place of the rule, and the editions that refuse a legal move; empty if there is none."""
    place = tell_rule(verdict, words)
    if verdict.rule is None or place is None:
        return ""
    said = words.say("rule_behind", place=place)
    names = ", ".join(words.edition_name(EDITIONS[name]) for name in verdict.rule.refused_by)
    return f"{said}. {words.say('refused_elsewhere', editions=names)}" if names else f"{said}."


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
