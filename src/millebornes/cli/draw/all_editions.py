"""One position as all printed editions judge it: a row for each, and what differs."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from millebornes.records import Judgement, RecordError, Verdict
from millebornes.records.telling import names_of, tell, tell_move, tell_rule
from millebornes.rules import score_sheet, view
from millebornes.words import Names, Words

from .layout import left, paragraph
from .table import draw_table

__all__ = ["draw_all_editions"]

_INDENT = "   "


def draw_all_editions(
    results: Mapping[str, Judgement | RecordError], words: Words, width: int
) -> list[Text]:
    """The position, the editions that cannot have it, and every edition's verdict on each move."""
    judged = {name: one for name, one in results.items() if isinstance(one, Judgement)}
    first = next(iter(judged.values()))  # judge_all refuses a text that no edition can have
    # Four players are two teams in most editions, and four sides in one.
    names = {name: names_of(one, words) for name, one in judged.items()}
    own_names = names_of(first, words)
    lines = [Text(first.title, "bold")] if first.title else []
    edition, players = first.start.edition.id, first.start.players
    lines.append(Text(words.say("all_editions_heading", edition=edition, players=players)))
    for said in _impossible(results, words):
        lines += [Text(line, "yellow") for line in paragraph(said, width)]
    lines += draw_table(view(first.start, None), own_names, words, width)
    differing = False
    for number in range(len(first.verdicts)):
        verdicts = {name: one.verdicts[number] for name, one in judged.items()}
        move = tell_move(first.verdicts[number], first, own_names)
        lines += [
            Text(),
            Text(f"{number + 1}. {move}  ", "bold").append_text(_sum(verdicts, words)),
        ]
        lines += _draw_verdicts(verdicts, names, words, width)
        if not differing and len({verdict.reason is None for verdict in verdicts.values()}) > 1:
            differing = True
            if number + 1 < len(first.verdicts):
                lines += [Text(), Text(words.say("tables_differ"), "dim")]
    return lines + _draw_scores(judged, names, words, width)


def _impossible(results: Mapping[str, Judgement | RecordError], words: Words) -> Iterator[str]:
    """Which editions cannot have the position, and why."""
    problems: dict[tuple[int, str], list[str]] = {}
    for name, error in results.items():
        if isinstance(error, RecordError):
            problems.setdefault((error.line, _problem(error, words)), []).append(name)
    for (line, problem), names in problems.items():
        yield words.say("cannot_have", editions=", ".join(names), line=line, problem=problem)


def _problem(error: RecordError, words: Words) -> str:
    if error.impossible is not None:
        reason = words.sentence(error.impossible)
        return words.say("cannot_be", found=error.found, reason=reason)
    return words.say("found_expected", found=error.found, expected=error.expected)


def _sum(verdicts: Mapping[str, Verdict], words: Words) -> Text:
    """In how many editions the move is legal."""
    numbers = words.say("numbers").split()
    legal = sum(verdict.reason is None for verdict in verdicts.values())
    total = numbers[len(verdicts)]
    if len(verdicts) == 1:
        return Text(words.say("legal" if legal else "not_legal"), "green" if legal else "red")
    if legal == len(verdicts):
        return Text(words.say("legal_in_all", total=total), "green")
    if legal == 0:
        return Text(words.say("legal_in_none", total=total), "red")
    return Text(words.say("legal_in_some", legal=numbers[legal], total=total), "yellow")


def _draw_verdicts(
    verdicts: Mapping[str, Verdict], names: Mapping[str, Names], words: Words, width: int
) -> list[Text]:
    """What happens where the move is legal, a row for each edition, and why others refuse it."""
    told = {name: tell(verdict, names[name], words) for name, verdict in verdicts.items()}
    happened = [told[name] for name, verdict in verdicts.items() if verdict.reason is None]
    lines = [Text(line) for line in paragraph(happened[0], width, _INDENT)] if happened else []
    rules = {name: tell_rule(verdict, words) for name, verdict in verdicts.items()}
    if len(happened) < len(verdicts) or any(rules.values()):
        verdict_of = {True: words.say("legal"), False: words.say("not_legal")}
        wide = max(map(len, verdict_of.values()))
        longest = max(map(len, verdicts))
        for name, verdict in verdicts.items():
            legal = verdict.reason is None
            row = Text(f"{_INDENT}{left(name, longest)}  ")
            row.append(left(verdict_of[legal], wide), "green" if legal else "red")
            lines.append(row.append(f"  {rules[name] or ''}", "dim"))
    refusals: dict[str, list[str]] = {}
    for name, verdict in verdicts.items():
        if verdict.reason is not None:
            refusals.setdefault(told[name], []).append(name)
    for sentence, refusing in refusals.items():
        said = sentence if len(refusals) == 1 else f"{', '.join(refusing)}: {sentence}"
        lines += map(Text, paragraph(said, width, _INDENT))
    return lines


def _draw_scores(
    judged: Mapping[str, Judgement], names: Mapping[str, Names], words: Words, width: int
) -> list[Text]:
    """The totals of the hand in each edition in which it has ended."""
    lines: list[Text] = []
    longest = max(map(len, judged))
    for name, judgement in judged.items():
        sheets = score_sheet(judgement.match)
        if sheets is not None:
            if not lines:
                lines = [Text(), Text(words.score_line("total"), "bold")]
            points = " · ".join(
                f"{side} {sheet.total}"
                for side, sheet in zip(names[name].sides, sheets, strict=True)
            )
            lines += map(Text, paragraph(f"{left(name, longest)}  {points}", width, _INDENT))
    return lines
