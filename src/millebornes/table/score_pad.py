"""Scores a match played with the box, from what people say of each hand.

Each hand becomes a hand of the rules, and the rules end it: there is no second scoring.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import Literal

from millebornes.rules import Edition
from millebornes.rules.apply import end_hand, new_match
from millebornes.rules.cards import COPIES, Card
from millebornes.rules.distance_cards import Distance, distance_cards
from millebornes.rules.edition import EXTENDED_TRIP, HOUSE_RULE
from millebornes.rules.ending import Impossible, Told, ToldSide, why_impossible
from millebornes.rules.scoring import outcome, safe_trip_side
from millebornes.rules.state import Deal, Hand, Match, Over, Tableau
from millebornes.words import Words

from .rest import PadFault, PadHand, PadScore, PadScores, ScorePad
from .wire_events import wire_sheet

__all__ = ["BadPad", "pad_scores", "pad_steps", "play_told"]

_HANDS_AT_ONCE = 10
"""A hand of eight sides takes 0.2 ms, and a match may have 60."""
Question = Literal["called", "pile", "two_hundreds"]


class BadPad(ValueError):  # noqa: N818 (the clearest name)
    """A pad that does not fit its own number of players: what is wrong, and what is allowed."""


def pad_scores(pad: ScorePad, edition: Edition, spoken: Words) -> PadScores:
    """The scores of a match, hand by hand, up to the first hand that cannot be."""
    steps = pad_steps(pad, edition, spoken)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            scores: PadScores = done.value
            return scores


def pad_steps(pad: ScorePad, edition: Edition, spoken: Words) -> Generator[None, None, PadScores]:
    """The same in steps of a few hands, between which a server can do other work."""
    match = new_match(edition, pad.players, dealer=pad.dealer, short_trip=pad.short_trip)
    if len(pad.names) not in (0, pad.players):
        raise BadPad(f"names: expected {pad.players} names, one for each seat, or none")
    for number, hand in enumerate(pad.hands):
        _check_sides(hand, match.sides, f"hands[{number}]")
    scores: list[PadScore] = []
    fault: PadFault | None = None
    for number, hand in enumerate(pad.hands):
        if number % _HANDS_AT_ONCE == 0:
            yield
        after = play_told(match, hand)
        if isinstance(after, Impossible):
            names = spoken.named(pad.names, match.sides) if pad.names else None
            fault = _fault(number, after, edition, spoken.sentence(after, names))
            break
        match = after
        assert match.hand is not None
        assert match.hand.sheets is not None
        scores.append(PadScore(tuple(map(wire_sheet, match.hand.sheets)), match.totals))
    awaiting = match.awaiting
    return PadScores(
        sides=match.sides,
        trip=match.trip,
        extended_trip=EXTENDED_TRIP if pad.players in edition.extension_at else None,
        asks=_asks(edition, pad.players),
        leader_wins=edition.exhaustion_winner == "most_miles",
        hands=tuple(scores),
        dealer=awaiting.dealer if isinstance(awaiting, Deal) else None,
        over=isinstance(awaiting, Over),
        winner=awaiting.winner if isinstance(awaiting, Over) else None,
        tied=isinstance(awaiting, Deal) and _ends_but_for_a_tie(match),
        fault=fault,
    )


def _asks(edition: Edition, players: int) -> tuple[Question, ...]:
    """What must be known of a hand, by these rules."""
    asks: list[Question] = []
    if players in edition.extension_at:
        asks.append("called")  # even if it scores nothing: the trip depends on it
    if edition.delayed_action_points:
        asks.append("pile")
    if edition.safe_trip_points and edition.max_200s:
        asks.append("two_hundreds")
    return tuple(asks)


def _ends_but_for_a_tie(match: Match) -> bool:
    """Whether the match would be over if a tie were a draw."""
    if match.hand is None:
        return False
    drawn = match._replace(edition=replace(match.edition, tie="drawn"))
    return outcome(drawn, match.totals, match.hand.number) is not None


def _fault(number: int, impossible: Impossible, edition: Edition, sentence: str) -> PadFault:
    field = impossible.field
    source = None if field is None else edition.sources[field]
    return PadFault(number, impossible.code, sentence, None if source == HOUSE_RULE else source)


def _check_sides(hand: PadHand, sides: int, where: str) -> None:
    """Require that a hand tells of the sides there are."""
    if len(hand.miles) != sides:
        raise BadPad(f"{where}.miles: expected {sides} numbers, one for each side")
    named = {"completed_by": hand.completed_by, "caller": hand.caller}
    for name, side in named.items():
        if side is not None and side >= sides:
            raise BadPad(f"{where}.{name}: expected a side from 0 to {sides - 1}, or null")
    if any(side >= sides for side in hand.with_200s):
        raise BadPad(f"{where}.with_200s: expected sides from 0 to {sides - 1}")
    if any(safety.side >= sides for safety in hand.safeties):
        raise BadPad(f"{where}.safeties: expected sides from 0 to {sides - 1}")


def play_told(match: Match, hand: PadHand) -> Match | Impossible:
    """The match after one more hand, or why that hand cannot be."""
    edition = match.edition
    awaiting = match.awaiting
    if not isinstance(awaiting, Deal):
        return Impossible("after_the_match", field="hands" if edition.hands else "target")
    safe = safe_trip_side(edition, hand.completed_by, hand.miles)
    # A side that is not asked about its 200s may have played some.
    distances = [
        Distance(miles, True if side in hand.with_200s else False if side == safe else None)
        for side, miles in enumerate(hand.miles)
    ]
    safeties = [
        tuple(Card(one.card) for one in hand.safeties if one.side == side)
        for side in range(match.sides)
    ]
    told = Told(
        now="exhausted" if hand.completed_by is None else "completed",
        by=hand.completed_by,
        caller=hand.caller,
        sides=tuple(
            ToldSide(miles, has_200, safeties=displayed)
            for (miles, has_200), displayed in zip(distances, safeties, strict=True)
        ),
        left=COPIES,
    )
    impossible = why_impossible(match, told)
    if impossible is not None:
        return impossible
    cards = distance_cards(distances, COPIES, edition.max_200s)
    assert cards is not None, "told to be possible"
    crosswise = {Card(one.card) for one in hand.safeties if one.crosswise}
    is_empty = hand.pile_empty or hand.completed_by is None
    played = Hand(
        number=match.hand.number + 1 if match.hand else 1,
        dealer=awaiting.dealer,
        hands=((),) * match.players,
        pile=() if is_empty else (Card.UNKNOWN,),
        discard=(),
        tableaux=tuple(
            Tableau(
                distance=distance,
                safeties=displayed,
                crosswise=tuple(card for card in displayed if card in crosswise),
            )
            for distance, displayed in zip(cards, safeties, strict=True)
        ),
        trip=match.trip if hand.caller is None else EXTENDED_TRIP,
        caller=hand.caller,
        began_empty=is_empty,
    )
    return end_hand(match._replace(forward=match.totals, hand=played), hand.completed_by)
