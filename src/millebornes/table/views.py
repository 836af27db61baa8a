"""Converts what a view awaits to its form on the wire, and the wire's hand back to a `View`.

Programs elsewhere get a hand in the form of `messages_out`. From that they make the view that the
rules would make for their seat, except for its history, which a client gets as events.
"""

from collections.abc import Sequence

from millebornes.records.tokens import parse_move
from millebornes.rules import Card, Edition, Play, Reason, ScoreSheet, View
from millebornes.rules.state import (
    Autoroute,
    Awaiting,
    Deal,
    ExtensionChoice,
    Over,
    Tableau,
    Turn,
    Window,
)

from . import messages_out as out

__all__ = ["asked_of", "view_of"]


def asked_of(
    awaiting: Awaiting, decision: int, deadline: int | None = None, stall: out.Stall | None = None
) -> out.Asked:
    """What is awaited. Who has already answered in a window is not shown."""
    match awaiting:
        case Turn(seat):
            return out.Asked("turn", (seat,), decision, deadline, stall=stall)
        case ExtensionChoice(seat):
            return out.Asked("extension", (seat,), decision, deadline, stall=stall)
        case Window(attacker, side, hazard, asked):
            return out.Asked("window", asked, decision, deadline, attacker, side, hazard.value)
        case Deal():
            return out.Asked("deal", (), decision, deadline)
        case Over(winner):
            return out.Asked("over", (), decision, deadline, winner=winner)
    raise TypeError(awaiting)


def view_of(
    hand: out.HandView,
    asked: out.Asked,
    edition: Edition,
    *,
    players: int,
    seat: int | None,
    hand_sizes: Sequence[int],
) -> View:
    """The match as this seat (None: a spectator) may see it."""
    totals = tuple(side.points for side in hand.sides)
    sheets = None if hand.sheets is None else tuple(map(_sheet, hand.sheets))
    scored = [0] * len(totals) if sheets is None else [sheet.total for sheet in sheets]
    return View(
        seat=seat,
        edition=edition,
        players=players,
        forward=tuple(total - now for total, now in zip(totals, scored, strict=True)),
        totals=totals,
        awaiting=_awaiting(asked, hand, edition, players),
        number=hand.number,
        dealer=hand.dealer,
        trip=hand.trip,
        caller=hand.caller,
        began_empty=hand.began_empty,
        completed_by=hand.completed_by,
        tableaux=tuple(map(_tableau, hand.sides)),
        discard=_cards(hand.discard),
        pile=hand.pile,
        hand_sizes=tuple(hand_sizes),
        hand=_cards(hand.cards),
        legal_moves=tuple(map(parse_move, hand.legal_moves)),
        refused=tuple(map(_refusal, hand.refused)),
        sheets=sheets,
        history=(),
    )


def _awaiting(asked: out.Asked, hand: out.HandView, edition: Edition, players: int) -> Awaiting:
    if asked.what == "turn":
        return Turn(asked.seats[0])
    if asked.what == "extension":
        return ExtensionChoice(asked.seats[0])
    if asked.what == "over":
        return Over(asked.winner)
    if asked.what == "window":
        assert asked.attacker is not None
        assert asked.side is not None
        assert asked.hazard is not None
        return Window(asked.attacker, asked.side, Card(asked.hazard), asked.seats)
    rotates = edition.dealer == "rotates"
    return Deal((hand.dealer + rotates) % players)


def _tableau(side: out.SideView) -> Tableau:
    autoroute = side.autoroute
    return Tableau(
        _cards(side.battle),
        _cards(side.speed),
        _cards(side.distance),
        _cards(side.safeties),
        _cards(side.crosswise),
        None if autoroute is None else Autoroute(autoroute.seat, autoroute.turns),
    )


def _cards(codes: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(map(Card, codes))


def _sheet(sheet: out.Sheet) -> ScoreSheet:
    return ScoreSheet(*(getattr(sheet, line) for line in ScoreSheet._fields))


def _refusal(refusal: out.Refusal) -> tuple[Play, Reason]:
    move = parse_move(refusal.move)
    assert isinstance(move, Play)
    return move, Reason(refusal.code, tuple(refusal.params.items()))  # type: ignore[arg-type]
