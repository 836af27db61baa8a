"""Checking a record's shuffles, offline: that each deck is the one all seats made together."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from millebornes.fair.fault import BadTranscript, Fault
from millebornes.fair.protocol import Transcript, context
from millebornes.records import Game, RecordError, replay
from millebornes.rules import Card
from millebornes.rules.state import Deal, Over

__all__ = ["Finding", "check_record"]

_CONTEXT = re.compile(r"MB-FAIR-1\|([A-Za-z0-9_-]{1,64})\|([1-9][0-9]{0,8})\|.*")


class Finding(NamedTuple):
    """What a check found about one hand; hand 0 is the record as a whole."""

    hand: int
    fault: Fault | None
    """None: all is well."""
    in_play: bool = False
    """The hand has not ended: its secrets, and with them its proof, are still to come."""


def check_record(game: Game) -> list[Finding]:
    """Check every hand: the transcript, its deck, and that every draw came from that deck."""
    findings: list[Finding] = []
    before: _Place | None = None
    try:
        open_hand = _hand_in_play(game)
        broken = None
    except RecordError as error:
        open_hand, broken = None, error
    for number, deal in enumerate(game.deals, start=1):
        if deal.transcript is None:
            is_open = number == open_hand
            missing = None if is_open else Fault.of("no_transcript")
            findings.append(Finding(number, missing, is_open))
            continue
        try:
            transcript = _read(deal.transcript)
        except BadTranscript as error:
            findings.append(Finding(number, error.fault))
            continue
        faults = [*transcript.faults(), *_faults_of_deck(game, transcript, deal.deck)]
        place = _place(transcript.ctx)
        faults += _faults_of_order(before, place)
        before = place
        findings += [Finding(number, fault) for fault in faults] or [Finding(number, None)]
    if not game.deals:
        findings.append(Finding(0, Fault.of("no_hand")))
    if broken is not None:
        findings.append(Finding(0, Fault.of("moves_do_not_follow", detail=str(broken))))
    return findings


def _hand_in_play(game: Game) -> int | None:
    """The number of the hand that has not ended; raises `RecordError` if the moves are wrong.

    A hand of practice is dealt from a seed: no proof will ever come.
    """
    match = game.start()
    for step in replay(game):
        match = step.match
    if isinstance(match.awaiting, Deal | Over) or game.practice or game.seed is not None:
        return None
    return len(game.deals)


def _read(text: str) -> Transcript:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadTranscript(Fault.of("transcript_not_json")) from None
    return Transcript.from_json(data)


def _faults_of_deck(game: Game, transcript: Transcript, dealt: tuple[Card, ...]) -> Iterator[Fault]:
    deck = game.edition.deck(game.players)
    place = _place(transcript.ctx)
    if place is None or transcript.ctx != context(*place, game.edition.id, deck):
        yield Fault.of("other_context")
    for client in transcript.clients:
        if client.seat >= game.players:
            yield Fault.of("no_such_seat", seat=client.seat)
    if len(transcript.deck) != len(deck):
        yield Fault.of("other_size", size=len(transcript.deck), needed=len(deck))
    elif tuple(deck[index] for index in transcript.deck) != dealt:
        yield Fault.of("other_deck")


class _Place(NamedTuple):
    """Which hand of which game a shuffle was for."""

    game: str
    hand: int


def _place(ctx: str) -> _Place | None:
    found = _CONTEXT.fullmatch(ctx)
    return None if found is None else _Place(found[1], int(found[2]))


def _faults_of_order(before: _Place | None, place: _Place | None) -> Iterator[Fault]:
    """Within a game the hands are counted on, so that none can be dealt again until it suits."""
    if before is None or place is None:
        return
    if place.game != before.game:
        yield Fault.of("other_game")
    elif place.hand != before.hand + 1:
        yield Fault.of("hand_not_next")
