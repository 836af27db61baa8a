"""What the driver puts in: time, connections, the thoughts of bots."""

from collections.abc import Mapping

from msgspec.structs import replace

from millebornes.rules import (
    awaited_seats,
    why_not,
)
from millebornes.rules.state import Deal, Window

from .people import pass_host_on
from .play import (
    ask,
    bot_plays_on,
    close_window,
    count_votes,
    play,
    read_move,
    try_deal,
    try_rematch,
)
from .shuffle import move_shuffle_on
from .step import Step
from .table import (
    GRACE,
    Member,
    Refused,
)

__all__ = ["close_table", "note_connection", "shift", "take_thought", "tick"]


def take_thought(step: Step, seat: int, decision: int, token: str) -> Refused | None:
    """A bot's move."""
    match = step.table.match
    if step.table.phase != "playing" or match is None or decision != step.table.decision:
        return Refused("stale_decision", {"decision": step.table.decision})
    if seat not in awaited_seats(match) or isinstance(match.awaiting, Window):
        return Refused("not_needed")
    if step.table.is_played_by_person(seat):
        return Refused("not_needed")
    move = read_move(token)
    if move is None:
        return Refused("bad_move")
    reason = why_not(match, seat, move)
    if reason is not None:
        return Refused.by_rules(reason)
    play(step, seat, move)
    ask(step)
    return None


def tick(step: Step, answers: Mapping[str, str]) -> Refused | None:
    """A deadline has passed."""
    table = step.table
    if table.deadline is None or step.now < table.deadline:
        return Refused("nothing_due")
    if step.now >= table.idle_at:
        close_table(step, "idle")
        return None
    if not (table.phase == "playing" and table.is_window_open):
        if table.fair is not None and step.now >= (table.fair.deadline or step.now + 1):
            move_shuffle_on(step, late=True)
        for member in table.members:
            if member.gone_since is not None and step.now >= member.gone_since + GRACE:
                _do_without(step, member)
    if step.table.decision == table.decision:
        _time_is_up(step, answers)
    return None


def _do_without(step: Step, member: Member) -> None:
    """They have been gone for too long, if anybody misses them."""
    if not step.table.is_missed(member):
        return
    step.change(member, gone_since=None)
    seat = step.seat_of(member)
    if step.table.phase == "lobby":
        pass_host_on(step)
    elif step.table.phase == "over":
        try_rematch(step)
    elif seat is not None:
        bot_plays_on(step, seat)


def _time_is_up(step: Step, answers: Mapping[str, str]) -> None:
    table = step.table
    if table.answer_by is None or step.now < table.answer_by:
        return
    assert table.match is not None
    awaiting = table.match.awaiting
    if isinstance(awaiting, Window):
        close_window(step, answers)
    elif isinstance(awaiting, Deal):
        try_deal(step)
    else:
        bot_plays_on(step, awaited_seats(table.match)[0])


def note_connection(step: Step, guest: str, here: bool) -> Refused | None:
    """A connection of a guest came or went."""
    member = step.table.member_of(guest)
    if member is None:
        return Refused("join_first")
    if member.connected == here:
        return Refused("not_needed")
    step.change(member, connected=here, gone_since=None if here else step.now)
    pass_host_on(step)
    step.tell("connected" if here else "disconnected", member.name, step.seat_of(member))
    count_votes(step)
    return None


def shift(step: Step, by: int) -> Refused | None:
    """Time in which nothing could be put in does not count."""
    table = step.table
    fair = table.fair
    if fair is not None and fair.deadline is not None:
        fair = replace(fair, deadline=fair.deadline + by)
    members = tuple(
        m if m.gone_since is None else replace(m, gone_since=m.gone_since + by)
        for m in table.members
    )
    hurried = None if table.hurried_at is None else table.hurried_at + by
    step.set(asked_at=table.asked_at + by, fair=fair, members=members, hurried_at=hurried)
    return None


def close_table(step: Step, code: str) -> None:
    """The table is over."""
    step.set(phase="closed", closed_code=code, fair=None)
