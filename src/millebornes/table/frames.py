"""The table as each viewer may see it. Nothing leaves a table in any other way."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import structs

from millebornes.records.tokens import to_text
from millebornes.rules import View, awaited_seats, cut, events, own_cards, view
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.edition import Worth
from millebornes.rules.scoring import laid
from millebornes.rules.state import Deal, Over, Tableau, Turn, Window

from . import messages_out as out
from .doubts import doubts
from .recap import moments
from .stakes import stakes
from .table import FairRound, Happening, Member, Person, SeatedBot, Table
from .views import asked_of
from .wire_events import wire_event, wire_sheet

__all__ = [
    "Frames",
    "event_for",
    "first_frame",
    "frame",
    "hand_view",
    "past_events",
    "picture",
    "watchers_picture",
]


def frame(
    table: Table, happened: Sequence[Happening], guest: str | None, *, is_first: bool = False
) -> out.Frame:
    """What one viewer gets for one input. A viewer who has not joined gets no events.

    The first frame of a connection also has the score sheets of the match so far.
    """
    cut_for_viewer = Frames(table, happened).of(guest)
    return _with_sheets(cut_for_viewer, table) if is_first else cut_for_viewer


def first_frame(table: Table, now: int, guest: str | None) -> out.Frame:
    """The table as it is, for a viewer who has just connected and knows nothing of it."""
    return _with_sheets(out.Frame(table.seq, now, (), picture(table, guest)), table)


def picture(table: Table, guest: str | None) -> out.TableView:
    """The table as one viewer may see it.

    A viewer who has not joined sees who sits there, but not the game. So members can rely on
    the list of watchers: nobody else is watching.
    """
    return Frames(table).picture(guest)


class Frames:
    """The frames of one input. What every member may see, a spectator's picture, is made once."""

    def __init__(self, table: Table, happened: Sequence[Happening] = ()) -> None:
        self._table = table
        self._happened = happened
        self._public = [event_for(event, None) for event in happened]
        self._spectators_picture = watchers_picture(table)
        self._sheets = _wire_sheets(table) if _change_sheets(happened) else None

    def of(self, guest: str | None) -> out.Frame:
        """The frame for one viewer."""
        table = self._table
        member = None if guest is None else table.member_of(guest)
        if member is None:
            return out.Frame(table.seq, table.last_input, (), self._picture_for_stranger(guest))
        seat = table.seat_of(member.number)
        shown = _shown(self._happened, self._public, member, seat)
        return out.Frame(
            table.seq, table.last_input, shown, self._picture(member, seat), self._sheets
        )

    def picture(self, guest: str | None) -> out.TableView:
        """The table as one viewer may see it."""
        member = None if guest is None else self._table.member_of(guest)
        if member is None:
            return self._picture_for_stranger(guest)
        return self._picture(member, self._table.seat_of(member.number))

    def _picture_for_stranger(self, guest: str | None) -> out.TableView:
        """The picture for a viewer who has not joined: who sits there, but not the game."""
        watched = self._spectators_picture
        return structs.replace(
            watched,
            seats=tuple([structs.replace(seat, cards=0) for seat in watched.seats]),
            asked=None,
            hand=None,
            continued=(),
            moments=(),
            sent_away=guest in self._table.sent_away,
        )

    def _picture(self, member: Member, seat: int | None) -> out.TableView:
        table = self._table
        muted = tuple(sorted(member.muted)) if member.muted else ()
        muted_bots = _muted_bots(table, member) if member.muted_bots else ()
        if seat is None:
            return structs.replace(
                self._spectators_picture, member=member.number, muted=muted, muted_bots=muted_bots
            )
        return structs.replace(
            self._spectators_picture,
            you=seat,
            member=member.number,
            hand=self._hand_of(seat),
            continued=_continued(table, seat),
            muted=muted,
            back=_back(table),
            muted_bots=muted_bots,
        )

    def _hand_of(self, seat: int) -> out.HandView | None:
        """The hand, including what only this seat may see."""
        match, public = self._table.match, self._spectators_picture.hand
        if match is None or public is None:
            return None
        if seat not in awaited_seats(match):
            told = self._table.results.recap_for(seat)
            return structs.replace(public, cards=own_cards(match, seat), recap=told)
        seen = view(match, seat, brief=True)
        own = _own_hand(public, seen)
        if seat in self._table.declined:
            return structs.replace(own, legal_moves=(), stakes=())
        return own


def _with_sheets(cut_for_viewer: out.Frame, table: Table) -> out.Frame:
    if cut_for_viewer.table.hand is None:  # a viewer who has not joined sees no hand
        return cut_for_viewer
    return structs.replace(cut_for_viewer, sheets=_wire_sheets(table))


def _wire_sheets(table: Table) -> tuple[tuple[out.Sheet, ...], ...]:
    return tuple([tuple(map(wire_sheet, sheets)) for sheets in table.results.sheets])


def _change_sheets(happened: Sequence[Happening]) -> bool:
    """Has a hand ended, a match begun, or a person gone back?"""
    for event in happened:
        match event:
            case events.HandEnded() | events.Dealt(number=1) | out.Told(code="went_back"):
                return True
    return False


def watchers_picture(table: Table) -> out.TableView:
    """What every member may see: the picture of a spectator."""
    settings = table.settings
    watchers = table.watchers()
    hand = seen = None
    if table.match is not None and table.match.hand is not None:
        seen = view(table.match, None, brief=True)
        hand = _public_hand(seen)
        if table.results.recaps:
            hand = structs.replace(hand, recap=table.results.recap_for(None))
    return out.TableView(
        phase=table.phase,
        edition=settings.edition.id,
        players=settings.players,
        teams=settings.edition.has_teams(settings.players),
        practice=settings.practice,
        is_open=settings.is_open,
        clock=settings.clock,
        host=table.host,
        you=None,
        member=None,
        seats=tuple([_seat(table, seat, seen) for seat in range(settings.players)]),
        watching=tuple([watcher.name for watcher in watchers]),
        levels=table.levels,
        asked=_asked(table),
        hand=hand,
        fair=None if table.fair is None else _fair(table.fair),
        continued=_continued(table, None),
        muted=(),
        back=(),
        watchers=tuple([watcher.number for watcher in watchers]),
        moments=moments(settings.edition, table.results.sheets) if table.phase == "over" else (),
    )


def _continued(table: Table, seat: int | None) -> tuple[int, ...]:
    # That a seat has declined in a window is shown to nobody else.
    if seat in table.declined:
        return (seat,)
    shown = table.read or table.wants_rematch
    return tuple(sorted(shown)) if shown else ()


def _back(table: Table) -> tuple[int, ...]:
    if not table.past:
        return ()
    return tuple([place.decision for place in table.past if place.decision != table.decision])


def _seat(table: Table, seat: int, seen: View | None) -> out.SeatView:
    occupant = table.seats[seat]
    member: Member | None = None
    if isinstance(occupant, Person):
        member = table.members[occupant.member]
    return out.SeatView(
        kind="empty" if occupant is None else "person" if member else "bot",
        name=table.seat_name(seat),
        member=member.number if member else None,
        level=occupant.level if isinstance(occupant, SeatedBot) else None,
        connected=member.connected if member else True,
        away=isinstance(occupant, Person) and occupant.away,
        cards=seen.hand_sizes[seat] if seen else 0,
        replaced_by=occupant.replaced_by if isinstance(occupant, SeatedBot) else None,
    )


def _asked(table: Table) -> out.Asked | None:
    if table.match is None or table.phase == "closed":
        return None
    awaiting, decision, deadline = table.match.awaiting, table.decision, table.answer_by
    match awaiting:
        case Deal() if table.match.hand is None:
            return asked_of(awaiting, decision)
        case Deal():
            return out.Asked("next", table.people(), decision, deadline)
        case Over():
            return asked_of(awaiting, decision)
        case Window():
            return asked_of(awaiting, decision, _window_end(table))
        case _:
            return asked_of(awaiting, decision, deadline, _stall(table))


def _stall(table: Table) -> out.Stall | None:
    stalled = table.stalled
    if stalled is None:
        return None
    seat, at = stalled
    voters = table.voters(seat)
    if not voters:
        return None
    votes = tuple(sorted(table.bot_votes.intersection(voters))) if table.bot_votes else ()
    return out.Stall(at, votes, len(voters) // 2 + 1)


def _window_end(table: Table) -> int | None:
    # The end according to the settings: nobody may see in advance that it will close early.
    length = table.window_length
    return None if length is None else table.asked_at + length


def hand_view(seen: View) -> out.HandView:
    """The hand of a view, with everything that its viewer may see."""
    return _own_hand(_public_hand(seen), seen)


def _public_hand(seen: View) -> out.HandView:
    """The hand, without anything that only one seat may see."""
    edition = seen.edition
    return out.HandView(
        number=seen.number,
        dealer=seen.dealer,
        trip=seen.trip,
        caller=seen.caller,
        completed_by=seen.completed_by,
        began_empty=seen.began_empty,
        pile=seen.pile,
        discard=seen.discard,
        sides=tuple(
            [
                _side(
                    tableau,
                    points,
                    is_rolling(tableau, edition),
                    edition.worth,
                )
                for tableau, points in zip(seen.tableaux, seen.totals, strict=True)
            ]
        ),
        cards=(),
        legal_moves=(),
        refused=(),
        stakes=(),
        doubts={},
        sheets=None if seen.sheets is None else tuple(map(wire_sheet, seen.sheets)),
    )


def _own_hand(public: out.HandView, seen: View) -> out.HandView:
    return structs.replace(
        public,
        cards=seen.hand,
        legal_moves=tuple([to_text(move) for move in seen.legal_moves]),
        refused=_refused(seen),
        stakes=stakes(seen),
        doubts=doubts(seen),
    )


def _refused(seen: View) -> tuple[out.Refusal, ...]:
    if not isinstance(seen.awaiting, Turn):
        return ()  # all for the same reason, which tells nothing
    return tuple(
        [
            out.Refusal(to_text(play), reason.code, dict(reason.params))
            for play, reason in seen.refused
        ]
    )


@lru_cache(maxsize=4096)  # most inputs change one side, and all viewers see the same
def _side(tableau: Tableau, points: int, rolling: bool, worth: Worth) -> out.SideView:
    earned = laid(worth, tableau)
    return out.SideView(
        battle=tableau.battle,
        speed=tableau.speed,
        distance=tableau.distance,
        safeties=tableau.safeties,
        crosswise=tableau.crosswise,
        autoroute=None if tableau.autoroute is None else out.Autoroute(*tableau.autoroute),
        miles=tableau.miles,
        rolling=rolling,
        limited=is_limited(tableau),
        hazard=active_hazard(tableau),
        points=points,
        earned=out.Earned(earned.safeties, earned.all_four, earned.coups_fourres),
    )


def _fair(fair: FairRound) -> out.Fair:
    commits = {str(seat): commit for seat, commit in fair.commits.items()}
    return out.Fair(fair.hand, fair.ctx, fair.commit, fair.stage, commits, fair.deadline)


def past_events(
    table: Table, happened: Sequence[Happening], member: Member
) -> tuple[out.Event, ...]:
    """What a member may know today of an earlier input, after which the table was this one.

    What they have muted since then is left out, and so is what nobody reads again: draws of other
    seats, and transcripts.
    """
    if table.seq < member.since:
        return ()
    seat = table.seat_of(member.number)
    kept = [
        event
        for event in happened
        if not (isinstance(event, events.Drawn) and event.seat != seat)
        and not isinstance(event, out.FairRevealed)
    ]
    return _shown(kept, [event_for(event, None) for event in kept], member, seat)


def _shown(
    happened: Sequence[Happening], public: Sequence[out.Event], member: Member, seat: int | None
) -> tuple[out.Event, ...]:
    """The events as a member at this seat may know them, of which everybody may know `public`."""
    return tuple(
        [
            event_for(event, seat) if _is_private_to(seat, event) else known
            for event, known in zip(happened, public, strict=True)
            if not ((member.muted or member.muted_bots) and _is_muted(event, member))
        ]
    )


def _is_private_to(seat: int | None, event: Happening) -> bool:
    """May this seat see more of the event than everybody may?"""
    if isinstance(event, events.Drawn):
        return event.seat == seat
    return isinstance(event, events.Dealt)


def _muted_bots(table: Table, member: Member) -> tuple[int, ...]:
    return tuple([seat for seat, name in table.bots().items() if name in member.muted_bots])


def _is_muted(event: Happening, member: Member) -> bool:
    if isinstance(event, out.BotEmoted):
        return event.name in member.muted_bots
    return isinstance(event, (out.ChatSaid, out.Emoted)) and event.member in member.muted


def event_for(event: Happening, seat: int | None) -> out.Event:
    """What happened, as this seat (None: a spectator) may know it."""
    return wire_event(cut(event, seat)) if isinstance(event, events.Event) else event
