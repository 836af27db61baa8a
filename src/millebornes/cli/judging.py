"""What the judge said, as lines for people and as JSON for programs."""

from typing import Any

from rich.text import Text

from millebornes.records import Judgement, Verdict, legal_tokens, position
from millebornes.records.tokens import to_text
from millebornes.rules import Match, score_sheet, view
from millebornes.rules.events import Drawn
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window
from millebornes.words import Names, Words

from .as_json import awaiting_json, sheets_json
from .drawing import draw_table
from .layout import paragraph
from .sheets import draw_sheet

__all__ = ["draw_judgement", "judgement_json", "say_awaiting"]


def judgement_json(judgement: Judgement, words: Words) -> dict[str, Any]:
    """One position with its verdicts."""
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
        "awaiting": awaiting_json(end),
        "score_sheet": sheets_json(score_sheet(end)),
    }


def draw_judgement(judgement: Judgement, words: Words, width: int) -> list[Text]:
    """The same for people: after each move the table as it then is."""
    start, end = judgement.start, judgement.match
    names = _names(start, words)
    heading = words.say(
        "judged_heading", edition=start.edition.id, players=start.players, trip=start.trip
    )
    lines = [Text(judgement.title, "bold")] if judgement.title else []
    lines.append(Text(heading))
    if not judgement.verdicts:
        lines += draw_table(view(start, None), names, words, width)
    for number, verdict in enumerate(judgement.verdicts, start=1):
        lines += [Text(), _ruling(number, verdict, names, words)]
        lines += map(Text, paragraph(_sentence(verdict, names, words), width, "   "))
        lines += draw_table(view(verdict.match, None), names, words, width)
    lines += [Text(), Text(say_awaiting(end, names, words))]
    sheets = score_sheet(end)
    if sheets is not None:
        lines += draw_sheet(sheets, end.forward, names, words, width)
    tokens = " ".join(str(token) for token in legal_tokens(end))
    if tokens:
        lines += map(Text, paragraph(words.say("legal_moves", moves=tokens), width))
    return lines


def say_awaiting(match: Match, names: Names, words: Words) -> str:
    """Whose move it is, as a sentence."""
    match match.awaiting:
        case Turn(seat):
            return words.say("awaiting_turn", seat=names.seats[seat])
        case Window(_, _, hazard) as window:
            seats = ", ".join(names.seats[seat] for seat in window.open_to)
            return words.say("awaiting_window", seats=seats, hazard=words.card(hazard))
        case ExtensionChoice(seat):
            return words.say("awaiting_extension", seat=names.seats[seat])
        case Deal(dealer):
            return words.say("awaiting_deal", seat=names.seats[dealer])
        case Over(None):
            return words.say("over_drawn")
        case Over(int() as winner):
            return words.say("over_won", side=names.sides[winner])
    raise TypeError(f"nothing is awaited: {match.awaiting!r}")


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
    """The refusal, or what happened; who drew is no news."""
    if verdict.reason is not None:
        return words.sentence(verdict.reason, names)
    told = [event for event in verdict.events if not isinstance(event, Drawn)]
    if not told:
        said = words.say("one_declined", seat=names.seats[verdict.seat or 0])
        return said[:1].upper() + said[1:]
    return " ".join(words.events(told, names))
