"""People at a table: joining, seats, chat, the host's part, leaving."""

from msgspec.structs import replace

from . import inputs
from . import messages_in as says
from .draft import Draft
from .messages_out import ChatSaid
from .names import BOT_NAMES, NAME_LENGTH, clean_name, clean_text, free_name
from .play import begin_match, bot_plays_on, count_votes, try_rematch
from .table import (
    OPENER,
    Member,
    Person,
    Refused,
    SeatedBot,
    Table,
)

__all__ = [
    "change_lobby",
    "join_table",
    "leave",
    "mute",
    "mute_bot",
    "pass_host_on",
    "say",
    "send_away",
    "start_match",
]

_MOST_MEMBERS = 64
"""The most members a table can have."""
_MOST_SENT_AWAY = 256
"""How many guests who were sent away a table remembers. Beyond that it forgets the oldest."""


def join_table(draft: Draft, guest: str, join: says.Join) -> Refused | None:
    """A guest follows the link to the table, for the first time or again."""
    name = clean_name(join.name)
    if name is None:
        return Refused("bad_name", {"most": NAME_LENGTH})
    if guest in draft.table.sent_away:
        return Refused("sent_away")
    member = draft.table.member_of(guest)
    # A connected member who opens the link again is not announced to the others.
    is_news = member is None or not member.connected
    if member is None:
        number = _free_number(draft.table)
        if number is None:
            return Refused("table_full")
        member = Member(number, guest, free_name(name, draft.names()), draft.table.seq + 1)
        had_clock = draft.table.answer_by is not None
        draft.set(members=_with_newcomer(draft.table.members, member))
        if draft.table.is_window_open and not had_clock:
            # Now somebody waits. The full time begins, and does not show that there was none.
            draft.set(asked_at=draft.now)
    elif not member.connected:
        member = draft.change(member, connected=True, gone_since=None)
    pass_host_on(draft)
    own = draft.seat_of(member)
    if own is not None:
        if is_news:
            draft.tell("connected", member.name, own)
        return None
    free = [seat for seat, occupant in enumerate(draft.table.seats) if occupant is None]
    if join.watch or draft.table.phase != "lobby" or not (free or join.seat is not None):
        if is_news:
            draft.tell("watching", member.name)
        return None
    if join.seat is not None and join.seat not in free and not _free_if_given_up(draft, join.seat):
        return Refused("seat_taken", {"seat": join.seat})
    seat = free[0] if join.seat is None else join.seat
    draft.put(seat, Person(member.number))
    draft.tell("joined", member.name, seat)
    return None


def _free_number(table: Table) -> int | None:
    """The member number for a newcomer; None if there is no room.

    At a full table, a disconnected member makes room and may join again like anybody else. That
    is never the first, who opened the table and answers for it, nor the host, nor anybody with a
    seat.
    """
    if len(table.members) < _MOST_MEMBERS:
        return len(table.members)
    gone = [
        member
        for member in table.members[1:]
        if not member.connected
        and member.number != table.host
        and table.seat_of(member.number) is None
    ]
    # First those who left or were sent away, then those who have been disconnected longest.
    return min(gone, key=lambda member: member.gone_since or 0).number if gone else None


def _with_newcomer(members: tuple[Member, ...], newcomer: Member) -> tuple[Member, ...]:
    """The members with the newcomer. Mutes of an earlier member with that number are dropped."""
    number = newcomer.number
    others = [
        replace(one, muted=one.muted - {number}) if number in one.muted else one for one in members
    ]
    return (*others[:number], newcomer, *others[number + 1 :])


def _free_if_given_up(draft: Draft, seat: int) -> bool:
    """Free a seat if its owner has been gone for too long. They may still watch."""
    if seat not in draft.table.given_up(draft.now):
        return False
    draft.tell("seat_freed", draft.table.seat_name(seat), seat)
    draft.put(seat, None)
    return True


def say(draft: Draft, member: Member, text: str) -> Refused | None:
    """Say a line of chat."""
    said = clean_text(text).strip()
    if not said:
        return Refused("nothing_said")
    draft.happened.append(ChatSaid(member.number, member.name, said))
    return None


def mute(draft: Draft, member: Member, other: int, on: bool) -> Refused | None:
    """Mute or unmute another member."""
    if other >= len(draft.table.members) or other == member.number:
        return Refused("no_such_member")
    muted = member.muted | {other} if on else member.muted - {other}
    draft.change(member, muted=muted)
    return None


def mute_bot(draft: Draft, member: Member, seat: int, on: bool) -> Refused | None:
    """Mute or unmute the bot at a seat."""
    name = draft.table.bots().get(seat)
    if name is None:
        return Refused("not_a_bot", {"seat": seat})
    muted = member.muted_bots | {name} if on else member.muted_bots - {name}
    draft.change(member, muted_bots=muted)
    return None


def change_lobby(draft: Draft, member: Member, message: says.In | inputs.Driver) -> Refused | None:
    """Handle what is possible only before the start: seats, bots, and the start itself."""
    match message:
        case says.Sit(seat):
            is_free = seat < len(draft.table.seats) and draft.table.seats[seat] is None
            if not is_free and not _free_if_given_up(draft, seat):
                return Refused("seat_taken", {"seat": seat})
            old = draft.seat_of(member)
            if old is not None:
                draft.put(old, None)
            draft.put(seat, Person(member.number))
            draft.tell("sat", member.name, seat)
            return None
        case says.Stand():
            own = draft.seat_of(member)
            if own is None:
                return Refused("no_seat")
            draft.put(own, None)
            draft.tell("stood", member.name, own)
            return None
    if member.number != draft.table.host:
        return Refused("not_host")
    match message:
        case says.AddBot(seat, level):
            return _add_bot(draft, seat, level)
        case says.Kick(seat):
            return _kick(draft, member, seat)
    return start_match(draft)


def _add_bot(draft: Draft, seat: int, level: str) -> Refused | None:
    if seat >= len(draft.table.seats) or draft.table.seats[seat] is not None:
        return Refused("seat_taken", {"seat": seat})
    taken = draft.names()
    name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
    name = free_name(name, taken)
    draft.put(seat, SeatedBot(level, name))
    draft.tell("bot_added", name, seat)
    return None


def _kick(draft: Draft, host: Member, seat: int) -> Refused | None:
    if seat >= len(draft.table.seats) or draft.table.seats[seat] is None:
        return Refused("seat_empty", {"seat": seat})
    if seat == draft.seat_of(host):
        return Refused("not_yourself")
    name = draft.table.seat_name(seat)
    draft.put(seat, None)
    # The next bot may get this name, and nobody has muted that one.
    for member in draft.table.members:
        if name in member.muted_bots:
            draft.change(member, muted_bots=member.muted_bots - {name})
    draft.tell("seat_freed", name, seat)
    return None


def send_away(draft: Draft, host: Member, number: int) -> Refused | None:
    """The host sends a member away for good."""
    table = draft.table
    if host.number != table.host:
        return Refused("not_host")
    if number == host.number:
        return Refused("not_yourself")
    if number >= len(table.members):
        return Refused("no_such_member")
    if number == OPENER:
        return Refused("opener_stays")
    member = table.members[number]
    if member.guest in table.sent_away:
        return Refused("already_done")
    seat = draft.seat_of(member)
    if seat is not None:
        if table.phase != "lobby":
            return Refused("already_started")
        draft.put(seat, None)
    draft.set(sent_away=(*table.sent_away, member.guest)[-_MOST_SENT_AWAY:])
    draft.change(member, connected=False, gone_since=None)
    draft.tell("sent_away", member.name, seat)
    return None


def start_match(draft: Draft) -> Refused | None:
    """The host starts the match."""
    table = draft.table
    if any(occupant is None for occupant in table.seats):
        return Refused("seats_empty")
    if table.settings.practice and len(table.people()) != 1:
        return Refused("practice_is_solo")
    draft.tell("started")
    begin_match(draft, dealer=table.settings.players - 1)
    return None


def leave(draft: Draft, member: Member) -> Refused | None:
    """A member leaves for good."""
    before, seat = draft.table, draft.seat_of(member)
    if draft.table.phase == "lobby" and seat is not None:
        draft.put(seat, None)
    draft.change(member, connected=False, gone_since=None)
    draft.tell("left", member.name, seat)
    if seat is not None and draft.table.phase == "playing":
        bot_plays_on(draft, seat)
    count_votes(draft)
    pass_host_on(draft)
    if draft.table.phase == "over" and draft.table.wants_rematch:
        try_rematch(draft)
    if draft.table == before:
        # They had already left, so nothing is announced. Not refused: older logs contain it.
        draft.happened.clear()
    return None


def pass_host_on(draft: Draft) -> None:
    """If the host has gone for good, make another connected member the host.

    If there is none, the next to connect becomes host.
    """
    host = draft.table.members[draft.table.host]
    if host.connected or host.gone_since is not None:
        return
    connected = [m.number for m in draft.table.members if m.connected]
    seated = [n for n in connected if draft.table.seat_of(n) is not None]
    if connected:
        draft.set(host=(seated or connected)[0])
