"""Handles the inputs of the driver: bots' moves, deadlines, connections. `inputs` defines them."""

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
    begin_decision,
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
    SeatedBot,
)

__all__ = ["close_table", "note_connection", "replace_bot", "shift", "take_thought", "tick"]


def take_thought(draft: Draft, seat: int, decision: int, token: str) -> Refused | None:
    """Make a bot's move."""
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
    begin_decision(draft)
    return None


def replace_bot(draft: Draft, seat: int, decision: int, level: str) -> Refused | None:
    """Let another level play for a bot that has failed, until the next deal."""
    table = draft.table
    if table.phase != "playing" or table.match is None or decision != table.decision:
        return Refused("stale_decision", {"decision": table.decision})
    occupant = table.seats[seat] if seat in awaited_seats(table.match) else None
    if not isinstance(occupant, SeatedBot) or occupant.replaced_by is not None:
        return Refused("not_needed")
    draft.put(seat, SeatedBot(occupant.level, occupant.name, level))
    draft.tell("bot_replaced", occupant.name, seat)
    return None


def tick(draft: Draft, answers: Mapping[str, str]) -> Refused | None:
    """Do what is due once a deadline has passed."""
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
                _go_on_without(draft, member)
    if draft.table.decision == table.decision:
        _end_answer_time(draft, answers)
    return None


def _go_on_without(draft: Draft, member: Member) -> None:
    """Stop waiting for a member who has been gone too long and holds others up."""
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


def _end_answer_time(draft: Draft, answers: Mapping[str, str]) -> None:
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


def note_connection(draft: Draft, guest: str, connected: bool) -> Refused | None:
    """A guest has connected or disconnected."""
    member = draft.table.member_of(guest)
    if member is None:
        return Refused("join_first")
    if member.connected == connected:
        return Refused("not_needed")
    draft.change(member, connected=connected, gone_since=None if connected else draft.now)
    pass_host_on(draft)
    draft.tell("connected" if connected else "disconnected", member.name, draft.seat_of(member))
    count_votes(draft)
    return None


def shift(draft: Draft, by: int) -> Refused | None:
    """Postpone all deadlines by the time that the server was down."""
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
    """Close the table."""
    draft.set(phase="closed", closed_code=code, fair=None)
