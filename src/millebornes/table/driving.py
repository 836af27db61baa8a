"""What the driver puts in: time, connections, the thoughts of bots."""

from collections.abc import Mapping

from msgspec.structs import replace

from millebornes.rules import (
    awaited_seats,
    why_not,
)
from millebornes.rules.state import Deal, Window

from .draft import Draft
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
from .table import (
    GRACE,
    Member,
    Refused,
)

__all__ = ["close_table", "note_connection", "shift", "take_thought", "tick"]


def take_thought(draft: Draft, seat: int, decision: int, token: str) -> Refused | None:
    """A bot's move."""
    match = draft.table.match
    if draft.table.phase != "playing" or match is None or decision != draft.table.decision:
        return Refused("stale_decision", {"decision": draft.table.decision})
    if seat not in awaited_seats(match) or isinstance(match.awaiting, Window):
        return Refused("not_needed")
    if draft.table.is_played_by_person(seat):
        return Refused("not_needed")
    move = read_move(token)
    if move is None:
        return Refused("bad_move")
    reason = why_not(match, seat, move)
    if reason is not None:
        return Refused.by_rules(reason)
    play(draft, seat, move)
    ask(draft)
    return None


def tick(draft: Draft, answers: Mapping[str, str]) -> Refused | None:
    """A deadline has passed."""
    table = draft.table
    if table.deadline is None or draft.now < table.deadline:
        return Refused("nothing_due")
    if draft.now >= table.idle_at:
        close_table(draft, "idle")
        return None
    if not (table.phase == "playing" and table.is_window_open):
        if table.fair is not None and draft.now >= (table.fair.deadline or draft.now + 1):
            move_shuffle_on(draft, late=True)
        for member in table.members:
            if member.gone_since is not None and draft.now >= member.gone_since + GRACE:
                _do_without(draft, member)
    if draft.table.decision == table.decision:
        _time_is_up(draft, answers)
    return None


def _do_without(draft: Draft, member: Member) -> None:
    """They have been gone for too long, if anybody misses them."""
    if not draft.table.is_missed(member):
        return
    draft.change(member, gone_since=None)
    seat = draft.seat_of(member)
    if draft.table.phase == "lobby":
        pass_host_on(draft)
    elif draft.table.phase == "over":
        try_rematch(draft)
    elif seat is not None:
        bot_plays_on(draft, seat)


def _time_is_up(draft: Draft, answers: Mapping[str, str]) -> None:
    table = draft.table
    if table.answer_by is None or draft.now < table.answer_by:
        return
    assert table.match is not None
    awaiting = table.match.awaiting
    if isinstance(awaiting, Window):
        close_window(draft, answers)
    elif isinstance(awaiting, Deal):
        try_deal(draft)
    else:
        bot_plays_on(draft, awaited_seats(table.match)[0])


def note_connection(draft: Draft, guest: str, here: bool) -> Refused | None:
    """A connection of a guest came or went."""
    member = draft.table.member_of(guest)
    if member is None:
        return Refused("join_first")
    if member.connected == here:
        return Refused("not_needed")
    draft.change(member, connected=here, gone_since=None if here else draft.now)
    pass_host_on(draft)
    draft.tell("connected" if here else "disconnected", member.name, draft.seat_of(member))
    count_votes(draft)
    return None


def shift(draft: Draft, by: int) -> Refused | None:
    """Time in which nothing could be put in does not count."""
    table = draft.table
    fair = table.fair
    if fair is not None and fair.deadline is not None:
        fair = replace(fair, deadline=fair.deadline + by)
    members = tuple(
        m if m.gone_since is None else replace(m, gone_since=m.gone_since + by)
        for m in table.members
    )
    hurried = None if table.hurried_at is None else table.hurried_at + by
    draft.set(asked_at=table.asked_at + by, fair=fair, members=members, hurried_at=hurried)
    return None


def close_table(draft: Draft, code: str) -> None:
    """The table is over."""
    draft.set(phase="closed", closed_code=code, fair=None)
