"""Checks a record's shuffles offline: is each deck the one that all seats made together?"""

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
    """None if nothing is wrong."""
    in_play: bool = False
    """The hand has not ended, so its secrets, and with them its proof, are not public yet."""


def check_record(game: Game) -> list[Finding]:
    """Check every hand: the transcript, its deck, and that every draw came from that deck."""
    findings: list[Finding] = []
    previous: _HandId | None = None
    try:
        open_hand = _hand_in_play(game)
        replay_error = None
    except RecordError as error:
        open_hand, replay_error = None, error
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
        hand_id = _hand_id(transcript.ctx)
        faults += _faults_of_order(previous, hand_id)
        previous = hand_id
        findings += [Finding(number, fault) for fault in faults] or [Finding(number, None)]
    if not game.deals:
        findings.append(Finding(0, Fault.of("no_hand")))
    if replay_error is not None:
        fault = Fault.of("moves_do_not_follow", detail=str(replay_error))
        findings.append(Finding(0, fault))
    return findings


def _hand_in_play(game: Game) -> int | None:
    """The number of the hand that has not ended; raises `RecordError` if the moves are wrong.

    Never a practice hand: it is dealt from a seed and gets no proof.
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
    hand_id = _hand_id(transcript.ctx)
    if hand_id is None or transcript.ctx != context(*hand_id, game.edition.id, deck):
        yield Fault.of("other_context")
    for client in transcript.clients:
        if client.seat >= game.players:
            yield Fault.of("no_such_seat", seat=client.seat)
    if len(transcript.deck) != len(deck):
        yield Fault.of("other_size", size=len(transcript.deck), needed=len(deck))
    elif tuple(deck[index] for index in transcript.deck) != dealt:
        yield Fault.of("other_deck")


class _HandId(NamedTuple):
    """Which hand of which game a shuffle was for."""

    game: str
    hand: int


def _hand_id(ctx: str) -> _HandId | None:
    found = _CONTEXT.fullmatch(ctx)
    return None if found is None else _HandId(found[1], int(found[2]))


def _faults_of_order(previous: _HandId | None, current: _HandId | None) -> Iterator[Fault]:
    """Hand numbers must be consecutive: nobody may deal a hand again until it suits them."""
    if previous is None or current is None:
        return
    if current.game != previous.game:
        yield Fault.of("other_game")
    elif current.hand != previous.hand + 1:
        yield Fault.of("hand_not_next")
