"""Converts frames of a server to the `View` that bots use.

The result equals the view that the rules make for that seat, except for its history, which a
client gets as events.
"""

from millebornes.records import parse_move
from millebornes.rules import EDITIONS, Card, Edition, Play, Reason, ScoreSheet, View
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
from millebornes.table import messages_out as out
from millebornes.table import rest

__all__ = ["edition_from", "view_from"]


def edition_from(info: rest.EditionInfo) -> Edition:
    """The edition from its REST type, including house rules."""
    printed = EDITIONS[info.parent or info.id]
    if info.parent is None:
        return printed
    return printed.house({rule.name: rule.value for rule in info.rules}, info.name)


def view_from(table: out.TableView, edition: Edition) -> View | None:
    """The match as the viewer of this table may see it; None before the first deal."""
    hand, asked = table.hand, table.asked
    if hand is None or asked is None:
        return None
    totals = tuple(side.points for side in hand.sides)
    sheets = None if hand.sheets is None else tuple(map(_sheet, hand.sheets))
    scored = [0] * len(totals) if sheets is None else [sheet.total for sheet in sheets]
    return View(
        seat=table.you,
        edition=edition,
        players=table.players,
        forward=tuple(total - now for total, now in zip(totals, scored, strict=True)),
        totals=totals,
        awaiting=_awaiting(table, asked, hand, edition),
        number=hand.number,
        dealer=hand.dealer,
        trip=hand.trip,
        caller=hand.caller,
        began_empty=hand.began_empty,
        completed_by=hand.completed_by,
        tableaux=tuple(map(_tableau, hand.sides)),
        discard=_cards(hand.discard),
        pile=hand.pile,
        hand_sizes=tuple(seat.cards for seat in table.seats),
        hand=_cards(hand.cards),
        legal_moves=tuple(map(parse_move, hand.legal_moves)),
        refused=tuple(map(_refusal, hand.refused)),
        sheets=sheets,
        history=(),
    )


def _awaiting(
    table: out.TableView, asked: out.Asked, hand: out.HandView, edition: Edition
) -> Awaiting:
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
    return Deal((hand.dealer + rotates) % table.players)


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
