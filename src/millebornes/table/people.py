"""People who come, sit down, talk and go."""

from . import inputs
from . import messages_in as says
from .messages_out import ChatSaid
from .names import BOT_NAMES, NAME_LENGTH, clean_name, clean_text, free_name
from .play import begin_match, bot_plays_on, try_rematch
from .step import Step
from .table import (
    Bot,
    Member,
    Person,
    Refused,
)

__all__ = ["change_lobby", "join_table", "leave", "mute", "pass_host_on", "say", "start_match"]

_MEMBERS = 64
"""So many people can come to one table."""


def join_table(step: Step, guest: str, join: says.Join) -> Refused | None:
    """Somebody comes by the link."""
    name = clean_name(join.name)
    if name is None:
        return Refused("bad_name", {"most": NAME_LENGTH})
    member = step.table.member_of(guest)
    # Whoever opens the link once more finds the table, and nobody else need hear of it.
    is_news = member is None or not member.connected
    if member is None:
        number = len(step.table.members)
        if number >= _MEMBERS:
            return Refused("table_full")
        member = Member(number, guest, free_name(name, step.names()), step.table.seq + 1)
        step.set(members=(*step.table.members, member))
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
    if join.seat is not None and join.seat not in free:
        return Refused("seat_taken", {"seat": join.seat})
    seat = free[0] if join.seat is None else join.seat
    step.put(seat, Person(member.number))
    step.tell("joined", member.name, seat)
    return None


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
            if seat >= len(step.table.seats) or step.table.seats[seat] is not None:
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
