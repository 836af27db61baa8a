"""The judge: verdicts on a position, and the arguments that people have most often.

Nothing of a position is stored or logged. The work is done in the event loop, edition by edition,
so a text may have only one position, a few moves and a few house rules.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from millebornes.records import Judgement, RecordError, Verdict, judge
from millebornes.records.arguments import ARGUMENTS, Argument
from millebornes.records.entries import Entry, Word, unexpected
from millebornes.records.heading import read_edition
from millebornes.records.judge import read_cases
from millebornes.records.lenient import strict_entries
from millebornes.records.telling import names_of, tell, tell_rule
from millebornes.rules import EDITIONS, Edition, EditionError, edition_named, score_sheet
from millebornes.rules.editions import DEFAULT_EDITION
from millebornes.server.admission import Admission
from millebornes.server.requests import as_json, body, words_of
from millebornes.table import Refused
from millebornes.table.rest import (
    ArgumentInfo,
    ArgumentVerdict,
    EditionVerdict,
    Judge,
    JudgeAnswer,
    JudgedMove,
    JudgedPosition,
    TextError,
)
from millebornes.table.wire_events import wire_sheet
from millebornes.words import Names, Words

from .openapi import Operation
from .rules import bad_rules, read_rules

__all__ = ["Judging"]

_BODY = 8 * 1024
"""Maximum bytes of a request."""
_LINES = 100
_WORDS = 300
_MOVES = 16
_MOVE_WORDS = 120
_RULES = 10
_RULE_LENGTH = 120
"""Maximum number of lines, words, moves, words for the moves and `rule` entries in a text, and of
characters in one of these entries. A whole position has up to 50 lines and 200 words. tomllib
takes long for dots, and every move is judged by all editions, for each of them."""


class Judging:
    """`/api/judge` and `/api/arguments`."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("POST", "/api/judge", self.post_judge, JudgeAnswer, Judge),
            Operation("GET", "/api/arguments", self.get_arguments, list[ArgumentInfo]),
        ]

    async def post_judge(self, request: Request) -> Response:
        """Judge the moves of a position by your edition and by every printed one."""
        guest = await self._admission.need_guest(request)
        wanted = await body(request, Judge, _BODY)
        self._admission.count_judgement(request, guest)
        if wanted.toml is not None:
            self._admission.count_house_rules(request, guest)
        return as_json(await _answer(wanted, words_of(request)))

    async def get_arguments(self, request: Request) -> Response:
        """List the arguments that people have most often, with the verdict of each edition."""
        spoken = words_of(request)
        listed = []
        for argument in ARGUMENTS:
            listed.append(_argument(argument, spoken))
            await asyncio.sleep(0)  # the first time takes 20 ms in all: tables must not wait
        answer = as_json(listed)
        answer.headers["Vary"] = "Accept-Language"
        return answer


async def _answer(wanted: Judge, spoken: Words) -> JudgeAnswer:
    own = _wanted_edition(wanted)
    try:
        named = _edition_of(wanted.text)
    except RecordError as error:
        wrong = {id_: _refusal(edition, error, spoken) for id_, edition in EDITIONS.items()}
        return JudgeAnswer(_refusal(own or DEFAULT_EDITION, error, spoken), wrong, None)
    verdicts = {}
    for edition in (own or named, *EDITIONS.values()):
        if edition.id not in verdicts:
            verdicts[edition.id] = _verdict(wanted.text, edition, spoken)
            await asyncio.sleep(0)  # some milliseconds each: tables go first
    verdict = verdicts[(own or named).id]
    return JudgeAnswer(
        verdict,
        {id_: verdicts[id_] for id_ in EDITIONS},
        None if verdict.error else _in_codes(wanted.text, own or named, verdict.positions[0]),
    )


def _wanted_edition(wanted: Judge) -> Edition | None:
    """The edition of the request; None: the text decides."""
    if wanted.toml is not None:
        return read_rules(wanted.toml)
    if wanted.edition is None:
        return None
    try:
        return edition_named(wanted.edition)
    except EditionError as error:
        raise bad_rules(error) from None


def _edition_of(text: str) -> Edition:
    """The edition that a text names. Refuses a text that would take long to judge."""
    for what, found, most in (
        ("lines", text.count("\n") + 1, _LINES),
        ("words", len(text.split()), _WORDS),
    ):
        if found > most:
            raise RecordError(1, 1, f"{found} {what}", f"at most {most}")
    parts = read_cases(text)
    for part in parts[1:]:
        if part:
            raise _unwanted(part[0], "another position", "one position only")
    rules = [entry for entry in parts[0] if entry.key == "rule"]
    if len(rules) > _RULES:
        raise _unwanted(rules[_RULES], "another rule", f"at most {_RULES} rules")
    for entry in rules:
        if len(entry.raw()) > _RULE_LENGTH:
            raise _unwanted(entry, "a long rule", f"at most {_RULE_LENGTH} characters")
    words = [word for entry in parts[0] if entry.key == "moves" for word in entry.words]
    if len(words) > _MOVE_WORDS:
        raise unexpected(words[_MOVE_WORDS], f"at most {_MOVE_WORDS} words for the moves")
    edition = read_edition(parts[0])
    moves = _moves_of(parts[0])
    if len(moves) > _MOVES:
        raise unexpected(moves[_MOVES], f"at most {_MOVES} moves")
    return edition


def _moves_of(part: Sequence[Entry]) -> list[Word]:
    """The moves of a position, each as one word, whatever names it is written with."""
    for edition in (None, *EDITIONS.values()):
        with contextlib.suppress(RecordError):  # another edition may have more players
            strict, _ = strict_entries(part, edition)
            return [word for entry in strict if entry.label == "moves" for word in entry.words]
    return []  # no edition can read it


def _in_codes(text: str, edition: Edition, judged: JudgedPosition) -> str:
    """A text that this edition has judged, without names, so that clients need not know them."""
    (part,) = (part for part in read_cases(text) if part)
    entries, seats = strict_entries([one for one in part if one.key != "title"], edition)
    lines = [f"title: {judged.title}"] if judged.title else []
    lines += [f"seat {seat}: {name}" for seat, name in enumerate(seats) if name is not None]
    lines += [f"{one.label}: {one.raw()}".rstrip() for one in entries if one.key != "moves"]
    if judged.moves:
        lines.append(f"moves: {' '.join(_with_seats(judged.moves))}")
    return "".join(f"{line}\n" for line in lines)


def _with_seats(moves: Sequence[JudgedMove]) -> Iterator[str]:
    """The moves, each with its seat, except where that would change the question.

    To name the seat of a card played after an attack means that nobody answers the attack.
    """
    for before, move in zip((None, *moves), moves, strict=False):
        after_attack = before is not None and ">" in before.token
        is_clear = before is not None and (not after_attack or move.token.endswith("!"))
        is_said = ":" in move.token or move.seat is None
        yield f"{move.seat}:{move.token}" if is_clear and not is_said else move.token


def _unwanted(entry: Entry, found: str, expected: str) -> RecordError:
    return RecordError(entry.line, 1, found, expected)


def _verdict(text: str, edition: Edition, spoken: Words) -> EditionVerdict:
    """The verdict of an edition on a text with one position."""
    try:
        (judged,) = judge(text, edition)
    except RecordError as error:
        return _refusal(edition, error, spoken)
    return EditionVerdict(edition.id, edition.name, None, (_position(judged, spoken),))


def _refusal(edition: Edition, error: RecordError, spoken: Words) -> EditionVerdict:
    return EditionVerdict(edition.id, edition.name, _text_error(error, spoken), ())


def _text_error(error: RecordError, spoken: Words) -> TextError:
    place = {"line": error.line, "column": error.column}
    if error.impossible is not None:
        reason = spoken.sentence(error.impossible)
        placed = Refused("impossible_position", {**place, "found": error.found, "reason": reason})
        code = error.impossible.code
        return TextError(error.line, error.column, spoken.sentence(placed), reason, code)
    params = {"found": error.found, "expected": error.expected}
    placed = Refused("bad_position", {**place, **params})
    problem = Refused("bad_entry", params)
    told = spoken.sentence(placed), spoken.sentence(problem)
    return TextError(error.line, error.column, *told, None)


def _position(judgement: Judgement, spoken: Words) -> JudgedPosition:
    names = names_of(judgement, spoken)
    sheets = score_sheet(judgement.match)
    return JudgedPosition(
        title=judgement.title,
        moves=tuple(_move(verdict, names, spoken) for verdict in judgement.verdicts),
        sheets=None if sheets is None else tuple(map(wire_sheet, sheets)),
    )


def _move(verdict: Verdict, names: Names, spoken: Words) -> JudgedMove:
    reason = verdict.reason
    return JudgedMove(
        token=str(verdict.token),
        seat=verdict.seat,
        legal=reason is None,
        code=None if reason is None else reason.code,
        sentence=tell(verdict, names, spoken),
        rule=tell_rule(verdict, spoken),
    )


@cache
def _argument(argument: Argument, spoken: Words) -> ArgumentInfo:
    """An argument with its verdicts; cached, for they change only with the program."""
    verdicts = {}
    for id_, edition in EDITIONS.items():
        verdict = _verdict(argument.text, edition, spoken)
        if verdict.error is not None:
            verdicts[id_] = ArgumentVerdict(None, verdict.error.problem, None)
            continue
        *_, last = verdict.positions[0].moves
        verdicts[id_] = ArgumentVerdict(last.legal, last.sentence, last.rule)
    return ArgumentInfo(argument.id, argument.text, verdicts)
