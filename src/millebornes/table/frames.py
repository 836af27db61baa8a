"""Pictures of a table, cut for one viewer. Nothing leaves a table by any other way."""

from collections.abc import Sequence

from millebornes.records.tokens import to_text
from millebornes.rules import View, cut, events, view
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.score_sheet import ScoreSheet
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window

from . import messages_out as out
from .table import Bot, FairRound, Happening, Member, Person, Table

__all__ = ["frame", "picture"]


def frame(table: Table, happened: Sequence[Happening], guest: str | None) -> out.Frame:
    """What one viewer gets for one input. Whoever has not joined hears of nothing."""
    member = None if guest is None else table.member_of(guest)
    shown: list[out.Event] = []
    if member is not None:
        seat = table.seat_of(member.number)
        shown = [_event(event, seat) for event in happened if not _is_muted(event, member)]
    return out.Frame(table.seq, table.last_input, tuple(shown), picture(table, guest))


def picture(table: Table, guest: str | None) -> out.TableView:
    """The table as one viewer may know it.

    Whoever has not joined sees who sits there, but not the game: a member who is told that
    nobody watches can rely on it.
    """
    member = None if guest is None else table.member_of(guest)
    seat = None if member is None else table.seat_of(member.number)
    settings = table.settings
    seen = None
    if member is not None and table.match is not None and table.match.hand is not None:
        seen = view(table.match, seat, history=False)
    return out.TableView(
        phase=table.phase,
        edition=settings.edition.id,
        players=settings.players,
        teams=settings.edition.has_teams(settings.players),
        practice=settings.practice,
        is_open=settings.is_open,
        clock=settings.clock,
        host=table.host,
        you=seat,
        member=None if member is None else member.number,
        seats=tuple(_seat(table, number, seen) for number in range(settings.players)),
        watching=tuple(watcher.name for watcher in table.watchers()),
        levels=table.levels,
        asked=None if member is None else _asked(table),
        hand=None if seen is None else _hand(table, seen),
        fair=None if table.fair is None else _fair(table.fair),
        continued=() if member is None else _continued(table, seat),
        muted=() if member is None else tuple(sorted(member.muted)),
        back=() if seat is None else _back(table),
    )


def _continued(table: Table, seat: int | None) -> tuple[int, ...]:
    # In a window, who has answered is nobody's business but their own.
    if table.match is not None and isinstance(table.match.awaiting, Window):
        return tuple(one for one in table.continued if one == seat)
    return tuple(sorted(table.continued))


def _back(table: Table) -> tuple[int, ...]:
    return tuple(place.decision for place in table.past if place.decision != table.decision)


def _seat(table: Table, seat: int, seen: View | None) -> out.SeatView:
    occupant = table.seats[seat]
    member: Member | None = None
    if isinstance(occupant, Person):
        member = table.members[occupant.member]
    return out.SeatView(
        kind="empty" if occupant is None else "person" if member else "bot",
        name=table.seat_name(seat),
        member=member.number if member else None,
        level=occupant.level if isinstance(occupant, Bot) else None,
        connected=member.connected if member else True,
        away=isinstance(occupant, Person) and occupant.away,
        cards=seen.hand_sizes[seat] if seen else 0,
    )


def _asked(table: Table) -> out.Asked | None:
    if table.match is None or table.phase == "closed":
        return None
    decision, deadline = table.decision, table.answer_by
    match table.match.awaiting:
        case Turn(seat):
            return out.Asked("turn", (seat,), decision, deadline)
        case ExtensionChoice(seat):
            return out.Asked("extension", (seat,), decision, deadline)
        case Window(attacker, side, hazard, asked):
            return out.Asked(
                "window", asked, decision, _window_end(table), attacker, side, hazard.value
            )
        case Deal():
            if table.match.hand is None:
                return out.Asked("deal", (), decision, None)
            return out.Asked("next", table.people(), decision, deadline)
        case Over(winner):
            return out.Asked("over", (), decision, None, winner=winner)
    raise TypeError(table.match.awaiting)


def _window_end(table: Table) -> int:
    # The end as settings give it: that somebody hurried is seen when it closes, not before.
    return table.asked_at + table.window_length


def _hand(table: Table, seen: View) -> out.HandView:
    answered = isinstance(seen.awaiting, Window) and seen.seat in table.continued
    moves = () if answered else tuple(to_text(move) for move in seen.legal_moves)
    return out.HandView(
        number=seen.number,
        dealer=seen.dealer,
        trip=seen.trip,
        called=seen.caller,
        completed=seen.completed_by,
        began_empty=seen.began_empty,
        pile=seen.pile,
        discard=tuple(card.value for card in seen.discard),
        sides=tuple(_side(seen, side) for side in range(seen.sides)),
        cards=tuple(card.value for card in seen.hand),
        moves=moves,
        refused=tuple(
            out.Refusal(to_text(play), reason.code, dict(reason.params))
            for play, reason in seen.refused
        ),
        sheets=None if seen.sheets is None else tuple(map(_sheet, seen.sheets)),
    )


def _side(seen: View, side: int) -> out.SideView:
    tableau = seen.tableaux[side]
    return out.SideView(
        battle=tableau.battle,
        speed=tableau.speed,
        distance=tableau.distance,
        safeties=tableau.safeties,
        crosswise=tableau.crosswise,
        autoroute=tableau.autoroute.turns if tableau.autoroute else None,
        autoroute_seat=tableau.autoroute.seat if tableau.autoroute else None,
        miles=tableau.miles,
        rolling=is_rolling(tableau, seen.edition),
        limited=is_limited(tableau),
        hazard=active_hazard(tableau),
        points=seen.totals[side],
    )


def _sheet(sheet: ScoreSheet) -> out.Sheet:
    return out.Sheet(*sheet, total=sheet.total)


def _fair(fair: FairRound) -> out.Fair:
    commits = {str(seat): commit for seat, commit in fair.commits.items()}
    return out.Fair(fair.hand, fair.ctx, fair.commit, fair.stage, commits, fair.deadline)


def _is_muted(event: Happening, member: Member | None) -> bool:
    if member is None or not isinstance(event, (out.ChatSaid, out.Emoted)):
        return False
    return event.member in member.muted


def _event(event: Happening, seat: int | None) -> out.Event:
    match event:
        case out.ChatSaid() | out.Emoted() | out.Told() | out.FairRevealed():
            return event
    event = cut(event, seat)
    match event:
        case events.Dealt(number, dealer, hands, pile):
            return out.Dealt(number, dealer, hands, pile)
        case events.Drawn(drawer, card):
            return out.Drawn(drawer, card)
        case events.Played(player, card, side, cleared):
            return out.Played(player, card, side, cleared)
        case events.Discarded(player, card):
            return out.Discarded(player, card)
        case events.Passed(side, hazard):
            return out.Passed(side, hazard)
        case events.Countered(player, card, hazard, side, cleared):
            return out.Countered(player, card, hazard, side, cleared)
        case events.Expired(side):
            return out.Expired(side)
        case events.Extended(player):
            return out.Extended(player)
        case events.HandEnded(completed_by, sheets, totals):
            return out.HandEnded(completed_by, tuple(map(_sheet, sheets)), totals)
        case events.MatchEnded(totals, winner):
            return out.MatchEnded(totals, winner)
    raise TypeError(f"not an event: {event!r}")
