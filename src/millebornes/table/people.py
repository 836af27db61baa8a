"""People who come, sit down, talk and go."""

from msgspec.structs import replace

from . import inputs
from . import messages_in as says
from .messages_out import ChatSaid
from .names import BOT_NAMES, NAME_LENGTH, clean_name, clean_text, free_name
from .play import begin_match, bot_plays_on, count_votes, try_rematch
from .step import Step
from .table import (
    OPENER,
    Bot,
    Member,
    Person,
    Refused,
    Table,
)

__all__ = [
    "change_lobby",
    "join_table",
    "leave",
    "mute",
    "pass_host_on",
    "say",
    "send_away",
    "start_match",
]

_MEMBERS = 64
"""So many people can come to one table."""
_SENT_AWAY = 256
"""Of so many who were sent away a table remembers that; then it forgets the first of them."""


def join_table(step: Step, guest: str, join: says.Join) -> Refused | None:
    """Somebody comes by the link."""
    name = clean_name(join.name)
    if name is None:
        return Refused("bad_name", {"most": NAME_LENGTH})
    if guest in step.table.sent_away:
        return Refused("sent_away")
    member = step.table.member_of(guest)
    # Whoever opens the link once more finds the table, and nobody else need hear of it.
    is_news = member is None or not member.connected
    if member is None:
        number = _free_number(step.table)
        if number is None:
            return Refused("table_full")
        member = Member(number, guest, free_name(name, step.names()), step.table.seq + 1)
        step.set(members=_with_newcomer(step.table.members, member))
    elif not member.connected:
        member = step.change(member, connected=True, gone_since=None)
    pass_host_on(step)
    own = step.seat_of(member)
    if own is not None:
        if is_news:
            step.tell("connected", member.name, own)
        return None
    free = [seat for seat, occupant in enumerate(step.table.seats) if occupant is None]
    if join.watch or step.table.phase != "lobby" or not (free or join.seat is not None):
        if is_news:
            step.tell("watching", member.name)
        return None
    if join.seat is not None and join.seat not in free and not _make_free(step, join.seat):
        return Refused("seat_taken", {"seat": join.seat})
    seat = free[0] if join.seat is None else join.seat
    step.put(seat, Person(member.number))
    step.tell("joined", member.name, seat)
    return None


def _free_number(table: Table) -> int | None:
    """The number for a newcomer. At a full table one who has gone makes room.

    They may come again like anybody else. Never the first, who opened the table and answers for
    it, nor the host, nor anybody with a seat.
    """
    if len(table.members) < _MEMBERS:
        return len(table.members)
    gone = [
        member
        for member in table.members[1:]
        if not member.connected
        and member.number != table.host
        and table.seat_of(member.number) is None
    ]
    # Those who have left or were sent away; then those whose connection was lost first.
    return min(gone, key=lambda member: member.gone_since or 0).number if gone else None


def _with_newcomer(members: tuple[Member, ...], newcomer: Member) -> tuple[Member, ...]:
    """Who was muted under that number was somebody else."""
    number = newcomer.number
    others = [
        replace(one, muted=one.muted - {number}) if number in one.muted else one for one in members
    ]
    return (*others[:number], newcomer, *others[number + 1 :])


def _make_free(step: Step, seat: int) -> bool:
    """Give somebody's seat to others if they have been gone for too long; they may watch."""
    if seat not in step.table.given_up(step.now):
        return False
    step.tell("seat_freed", step.table.seat_name(seat), seat)
    step.put(seat, None)
    return True


def say(step: Step, member: Member, text: str) -> Refused | None:
    """A line of chat."""
    said = clean_text(text).strip()
    if not said:
        return Refused("nothing_said")
    step.happened.append(ChatSaid(member.number, member.name, said))
    return None


def mute(step: Step, member: Member, other: int, on: bool) -> Refused | None:
    """Hear no more of somebody, or hear them again."""
    if other >= len(step.table.members) or other == member.number:
        return Refused("no_such_member")
    muted = member.muted | {other} if on else member.muted - {other}
    step.change(member, muted=muted)
    return None


def change_lobby(step: Step, member: Member, message: says.In | inputs.Driver) -> Refused | None:
    """Before the start: seats, bots, and the start itself."""
    match message:
        case says.Sit(seat):
            is_free = seat < len(step.table.seats) and step.table.seats[seat] is None
            if not is_free and not _make_free(step, seat):
                return Refused("seat_taken", {"seat": seat})
            old = step.seat_of(member)
            if old is not None:
                step.put(old, None)
            step.put(seat, Person(member.number))
            step.tell("sat", member.name, seat)
            return None
        case says.Stand():
            own = step.seat_of(member)
            if own is None:
                return Refused("no_seat")
            step.put(own, None)
            step.tell("stood", member.name, own)
            return None
    if member.number != step.table.host:
        return Refused("not_host")
    match message:
        case says.AddBot(seat, level):
            return _add_bot(step, seat, level)
        case says.Kick(seat):
            return _kick(step, member, seat)
    return start_match(step)


def _add_bot(step: Step, seat: int, level: str) -> Refused | None:
    if level not in step.table.levels:
        return Refused("no_such_level", {"levels": ", ".join(step.table.levels)})
    if seat >= len(step.table.seats) or step.table.seats[seat] is not None:
        return Refused("seat_taken", {"seat": seat})
    taken = step.names()
    name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
    name = free_name(name, taken)
    step.put(seat, Bot(level, name))
    step.tell("bot_added", name, seat)
    return None


def _kick(step: Step, host: Member, seat: int) -> Refused | None:
    if seat >= len(step.table.seats) or step.table.seats[seat] is None:
        return Refused("seat_empty", {"seat": seat})
    if seat == step.seat_of(host):
        return Refused("not_yourself")
    name = step.table.seat_name(seat)
    step.put(seat, None)
    step.tell("seat_freed", name, seat)
    return None


def send_away(step: Step, host: Member, number: int) -> Refused | None:
    """The host wants somebody gone for good."""
    table = step.table
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
    seat = step.seat_of(member)
    if seat is not None:
        if table.phase != "lobby":
            return Refused("already_started")
        step.put(seat, None)
    step.set(sent_away=(*table.sent_away, member.guest)[-_SENT_AWAY:])
    step.change(member, connected=False, gone_since=None)
    step.tell("sent_away", member.name, seat)
    return None


def start_match(step: Step) -> Refused | None:
    """The host starts the match."""
    table = step.table
    if any(occupant is None for occupant in table.seats):
        return Refused("seats_empty")
    if table.settings.practice and len(table.people()) != 1:
        return Refused("practice_is_solo")
    step.tell("started")
    begin_match(step, dealer=table.settings.players - 1)
    return None


def leave(step: Step, member: Member) -> Refused | None:
    """Somebody goes away for good."""
    before, seat = step.table, step.seat_of(member)
    if step.table.phase == "lobby" and seat is not None:
        step.put(seat, None)
    step.change(member, connected=False, gone_since=None)
    step.tell("left", member.name, seat)
    if seat is not None and step.table.phase == "playing":
        bot_plays_on(step, seat)
    count_votes(step)
    pass_host_on(step)
    if step.table.phase == "over" and step.table.wants_rematch:
        try_rematch(step)
    if step.table == before:
        # They had left already: nobody need hear it again. No refusal: older logs hold it.
        step.happened.clear()
    return None


def pass_host_on(step: Step) -> None:
    """If the host has gone for good, somebody else who is here becomes it: now, or who comes."""
    host = step.table.members[step.table.host]
    if host.connected or host.gone_since is not None:
        return
    here = [m.number for m in step.table.members if m.connected]
    seated = [n for n in here if step.table.seat_of(n) is not None]
    if seated or here:
        step.set(host=(seated or here)[0])
