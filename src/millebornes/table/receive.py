"""The entry points of a table: inputs go in, a new table and events come out.

A `Table` is a value. `receive` returns the table after an input, and what happened. It reads no
clock and draws no random numbers: times and secrets are passed in. So the driver can make an
input durable before the new table takes effect, and replaying a log of inputs gives the same
table.
"""

from dataclasses import replace as replace_record

from msgspec.structs import replace

from millebornes.records import Game, replay
from millebornes.rules import (
    awaited_seats,
    view,
)

from . import inputs
from . import messages_in as says
from .draft import Draft
from .driver_inputs import (
    close_table,
    note_connection,
    replace_bot,
    shift,
    take_thought,
    tick,
)
from .messages_out import Emoted
from .people import change_lobby, join_table, leave, mute, mute_bot, say, send_away
from .play import (
    begin_decision,
    let_bot_play,
    make_move,
    mark_score_read,
    return_to_seat,
    try_deal,
    undo_to,
    want_rematch,
)
from .results import results_after
from .settings import EMOTES, Settings
from .shuffle import take_commit, take_reveal, take_seed
from .table import (
    Member,
    Occupant,
    Outcome,
    Person,
    Refused,
    SeatedBot,
    Table,
    Think,
)

__all__ = ["hint_for", "open_table", "receive", "resume_table"]


def open_table(settings: Settings, game_id: str, levels: tuple[str, ...], now: int) -> Table:
    """A new, empty table. The first guest to join becomes its host."""
    seats: tuple[Occupant, ...] = (None,) * settings.players
    return Table(settings, game_id, levels, 0, (), seats, now)


def receive(table: Table, guest: str | None, message: says.In | inputs.Driver, now: int) -> Outcome:
    """The table after an input at this time, from a guest or (`guest` is None) from the driver."""
    if table.phase == "closed":
        return Outcome(table, (), Refused("table_closed"))
    draft = Draft(table, now)
    refused = _from_driver(draft, message) if guest is None else _from_guest(draft, guest, message)
    if refused is not None:
        return Outcome(table, (), refused)
    return draft.outcome()


def hint_for(table: Table, guest: str, decision: int) -> Think | Refused:
    """The request to a bot for a hint to this guest. The table does not change.

    The answer is a `Hinted`, to this guest alone; nobody else is told.
    """
    if not table.settings.practice:
        return Refused("not_practice")
    member = table.member_of(guest)
    if member is None:
        return Refused("join_first")
    seat = table.seat_of(member.number)
    if seat is None:
        return Refused("no_seat")
    if table.phase != "playing" or table.match is None:
        return Refused("not_playing")
    if decision != table.decision:
        return Refused("stale_decision", {"decision": table.decision})
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    if seat not in awaited_seats(table.match) or seat in table.declined:
        return Refused("nothing_asked")
    return Think(seat, None, view(table.match, seat), "hint", decision, table.last_input)


def resume_table(
    settings: Settings, game: Game, guest: str, levels: tuple[str, ...], now: int
) -> Outcome:
    """A practice table that continues a game: the person in seat 0, bots in the others.

    The bots are of the first level. A game without a deal is a new one, and is dealt at once.
    Raises `RecordError` if the game does not replay.
    """
    assert settings.practice, "only practice tables can continue a game"
    names = game.seats or ("",) * game.players
    bots = tuple(SeatedBot(levels[0], name) for name in names[1:])
    table = Table(
        settings, "practice", levels, 0, (Member(0, guest, names[0], 0),), (Person(0), *bots), now
    )
    draft = Draft(replace(table, phase="playing", match=game.start(), game=game), now)
    played = replace_record(game, deals=(), result=None)
    for recorded in replay(game):
        deals, token = played.deals, recorded.token
        if token is None:
            deals = (*deals, replace_record(game.deals[len(deals)], moves=()))
            draft.set(past=(), hands_dealt=len(deals))
        else:
            deals = (*deals[:-1], replace_record(deals[-1], moves=(*deals[-1].moves, token)))
        played = replace_record(played, deals=deals)
        # As after every move at a table, so that the person can go back in this hand.
        results = results_after(draft.table.results, recorded.match)
        draft.set(match=recorded.match, game=played, results=results)
        begin_decision(draft)
    draft.set(game=game)
    try_deal(draft)
    return draft.outcome()


def _from_guest(draft: Draft, guest: str, message: says.In | inputs.Driver) -> Refused | None:
    if isinstance(message, says.Join):
        return join_table(draft, guest, message)
    member = draft.table.member_of(guest)
    if member is None:
        return Refused("join_first")
    match message:
        case says.Move():  # by far the most common
            pass
        case says.Chat(text):
            return say(draft, member, text)
        case says.Emote(emote):
            if emote not in EMOTES:
                return Refused("no_such_emote")
            draft.happened.append(Emoted(member.number, member.name, emote))
            return None
        case says.Mute(other, on):
            return mute(draft, member, other, on)
        case says.MuteBot(bot, on):
            return mute_bot(draft, member, bot, on)
        case says.SendAway(other):
            return send_away(draft, member, other)
        case says.Leave():
            return leave(draft, member)
        case says.Sit() | says.Stand() | says.AddBot() | says.Kick() | says.Start():
            if draft.table.phase != "lobby":
                return Refused("already_started")
            return change_lobby(draft, member, message)
    seat = draft.table.seat_of(member.number)
    if seat is None:
        return Refused("no_seat")
    match message:
        case says.Move():
            return make_move(draft, member, seat, message)
        case says.Next(decision):
            return mark_score_read(draft, seat, decision)
        case says.Commit(hand, commit):
            return take_commit(draft, seat, hand, commit)
        case says.Reveal(hand, entropy):
            return take_reveal(draft, seat, hand, bytes.fromhex(entropy))
        case says.Return():
            return return_to_seat(draft, seat)
        case says.LetBotPlay(other, decision):
            return let_bot_play(draft, seat, other, decision)
        case says.Rematch():
            return want_rematch(draft, seat)
        case says.Back(decision):
            return undo_to(draft, seat, decision)
    return Refused("not_here")


def _from_driver(draft: Draft, message: says.In | inputs.Driver) -> Refused | None:
    match message:
        case inputs.Seed(hand, seed):
            return take_seed(draft, hand, bytes.fromhex(seed))
        case inputs.Thought(seat, decision, token):
            return take_thought(draft, seat, decision, token)
        case inputs.Replaced(seat, decision, level):
            return replace_bot(draft, seat, decision, level)
        case inputs.Tick(answers):
            return tick(draft, answers)
        case inputs.Arrived(guest):
            return note_connection(draft, guest, True)
        case inputs.Gone(guest):
            return note_connection(draft, guest, False)
        case inputs.Shift(by):
            return shift(draft, by)
        case inputs.Shut(code):
            close_table(draft, code)
            return None
    return Refused("not_here")
