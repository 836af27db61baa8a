"""The match at a table: dealing, moves, windows, rematches, and bots that take over."""

from collections.abc import Mapping
from types import MappingProxyType

from millebornes.fair import key_from_seed, shuffled
from millebornes.fair.protocol import (
    Transcript,
    deck_order,
)
from millebornes.records import Game, RecordError, parse_move
from millebornes.rules import (
    CoupFourre,
    Decline,
    Match,
    Reason,
    apply_legal,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    why_not,
)
from millebornes.rules import Move as RulesMove
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn

from . import messages_in as says
from .dates import date_of
from .draft import Draft
from .messages_out import FairRevealed
from .results import Results, results_after
from .table import (
    Checkpoint,
    Member,
    Occupant,
    Person,
    Refused,
    SeatedBot,
)

__all__ = [
    "begin_decision",
    "begin_match",
    "bot_plays_on",
    "close_window",
    "count_votes",
    "let_bot_play",
    "make_move",
    "mark_score_read",
    "play",
    "read_move",
    "return_to_seat",
    "settle_window",
    "try_deal",
    "try_rematch",
    "undo_to",
    "want_rematch",
]

_IDS_KEPT = 64
"""How many ids of a member's earlier moves are kept."""
_NOBODY: frozenset[int] = frozenset()
_NOBODY_OUTVOTED: Mapping[int, int] = MappingProxyType({})


def begin_match(draft: Draft, dealer: int) -> None:
    """Begin a new match, with nothing left from an earlier one."""
    settings = draft.table.settings
    match = new_match(
        settings.edition, settings.players, dealer=dealer, short_trip=settings.short_trip
    )
    game = Game(
        edition=settings.edition,
        players=settings.players,
        short_trip=settings.short_trip,
        dealer=dealer,
        seats=tuple(draft.table.seat_name(seat) for seat in range(settings.players)),
        date=date_of(draft.now),
        seed=settings.seed,
        practice=settings.practice,
    )
    hands_dealt = draft.table.hands_dealt
    if draft.table.fair is not None:
        # That shuffle was for the seats of the previous match: its hand is never dealt.
        hands_dealt = draft.table.fair.hand
    draft.set(
        phase="playing",
        match=match,
        game=game,
        results=Results(),
        past=(),
        fair=None,
        hands_dealt=hands_dealt,
        outvoted=_NOBODY_OUTVOTED,
    )
    begin_decision(draft)
    try_deal(draft)


def begin_decision(draft: Draft) -> None:
    """Number what is awaited now as a new decision, and start its clock."""
    seats = tuple(
        [
            Person(one.member) if isinstance(one, Person) and one.returning else one
            for one in draft.table.seats
        ]
    )
    draft.set(
        decision=draft.table.decision + 1,
        asked_at=draft.now,
        declined=_NOBODY,
        read=_NOBODY,
        wants_rematch=_NOBODY,
        hurried_at=None,
        bot_votes=_NOBODY,
        seats=seats,
    )
    table = draft.table
    match, game = table.match, table.game
    assert match is not None
    assert game is not None
    if isinstance(match.awaiting, Over):
        draft.set(phase="over")
    elif table.settings.practice and _has_choice(draft, match):
        draft.set(past=(*table.past, Checkpoint(table.decision, match, game)))


def _has_choice(draft: Draft, match: Match) -> bool:
    """Has a person a choice now, other than to let an attack stand?"""
    return any(
        draft.table.is_played_by_person(seat) and legal_moves(match, seat) != (Decline(),)
        for seat in awaited_seats(match)
    )


def try_deal(draft: Draft) -> None:
    """Deal, if everybody has read the score and the shuffle is ready."""
    table = draft.table
    match, game = table.match, table.game
    assert match is not None
    assert game is not None
    if not isinstance(match.awaiting, Deal):
        return
    waited_for = {seat for seat in table.people() if table.is_played_by_person(seat)}
    has_time = table.answer_by is None or draft.now < table.answer_by
    if match.hand is not None and not waited_for <= table.read and has_time:
        return
    deck = table.settings.edition.deck(table.settings.players)
    hand = table.hands_dealt + 1
    transcript = None
    if table.settings.seed is not None:
        # A rematch deals the same decks again, from the seed in its record.
        number = 1 if match.hand is None else match.hand.number + 1
        key = key_from_seed(table.settings.seed, number)
        order = shuffled(key, len(deck))
    else:
        fair = table.fair
        if fair is None or fair.stage != "ready":
            return
        contributions = fair.contributions()
        order = deck_order(fair.ctx, fair.seed, contributions, len(deck))
        transcript = Transcript(fair.ctx, fair.seed, fair.commit, contributions, order)
    cards = [deck[index] for index in order]
    match, events = deal_cards(match, cards)
    draft.happened += events
    for seat, occupant in enumerate(table.seats):
        if isinstance(occupant, SeatedBot) and occupant.replaced_by is not None:
            draft.put(seat, SeatedBot(occupant.level, occupant.name))
    draft.set(
        match=match,
        game=game.with_deal(cards),
        results=results_after(table.results, match),
        hands_dealt=hand,
        fair=None,
        dealt_fair=transcript,
        past=(),
    )
    begin_decision(draft)


def make_move(draft: Draft, member: Member, seat: int, said: says.Move) -> Refused | None:
    """A person's move, if the table and the rules allow it."""
    if said.id in member.ids:
        return Refused("already_done")
    match = draft.table.match
    if draft.table.phase != "playing" or match is None:
        return Refused("not_playing")
    if said.decision != draft.table.decision:
        return Refused("stale_decision", {"decision": draft.table.decision})
    if not draft.table.is_played_by_person(seat):
        return Refused("bot_plays")
    move = read_move(said.move)
    if move is None:
        return Refused("bad_move")
    reason = why_not(match, seat, move)
    if reason is None and seat in draft.table.declined:
        reason = Reason.of("already_answered")
    if reason is not None:
        return Refused.by_rules(reason)
    draft.change(member, ids=(*member.ids[-_IDS_KEPT:], said.id))
    if isinstance(move, Decline):
        # Held back from the rules, so that nobody sees who has answered.
        draft.set(declined=draft.table.declined | {seat})
        settle_window(draft)
    else:
        play(draft, seat, move)
        begin_decision(draft)
    return None


def read_move(token: str) -> RulesMove | None:
    """The move that a token stands for; None if it is not a move."""
    try:
        return parse_move(token)
    except RecordError:
        return None


def play(draft: Draft, seat: int, move: RulesMove) -> None:
    """Make a move that the rules allow, and add it to the record."""
    table = draft.table
    before, game = table.match, table.game
    assert before is not None
    assert game is not None
    match, events = apply_legal(before, seat, move)
    draft.happened += events
    draft.set(match=match, game=game.with_move(before, seat, move, match, events))
    if isinstance(match.awaiting, (Deal, Over)):
        draft.set(results=results_after(table.results, match))
        _reveal_shuffle(draft)


def _reveal_shuffle(draft: Draft) -> None:
    table = draft.table
    if table.dealt_fair is not None and table.game is not None:
        transcript = table.dealt_fair
        draft.happened.append(FairRevealed(table.hands_dealt, transcript.to_json()))
        draft.set(dealt_fair=None, game=table.game.with_transcript(transcript.to_json()))


def settle_window(draft: Draft) -> None:
    """End the wait of an open window once every person asked has declined."""
    table = draft.table
    if not table.is_window_open or table.phase != "playing":
        return
    assert table.match is not None
    asked = set(awaited_seats(table.match))
    if asked <= table.declined:
        close_window(draft, {})
        return
    people = {seat for seat in asked if table.is_played_by_person(seat)}
    have_all_declined = bool(people) and people <= table.declined
    # The bots' answers are still missing. They come with the tick that is now due at once.
    if have_all_declined != (table.hurried_at is not None):
        draft.set(hurried_at=draft.now if have_all_declined else None)


def close_window(draft: Draft, answers: Mapping[str, str]) -> None:
    """Close a window that everybody has answered, or had time to. Only now do bots answer."""
    table = draft.table
    match = table.match
    assert match is not None
    asked = awaited_seats(match)
    for seat in asked:
        if table.is_played_by_person(seat) or seat in table.declined:
            continue
        move = read_move(answers.get(str(seat), ""))
        # A bot's coup fourré; anything else lets the attack stand.
        if isinstance(move, CoupFourre) and why_not(match, seat, move) is None:
            play(draft, seat, move)
            begin_decision(draft)
            return
    for seat in asked:
        play(draft, seat, Decline())
    begin_decision(draft)


def mark_score_read(draft: Draft, seat: int, decision: int) -> Refused | None:
    """This seat has read the score and is ready for the next hand."""
    table = draft.table
    match = table.match
    if table.phase != "playing" or match is None or match.hand is None:
        return Refused("not_playing")
    if decision != table.decision or not isinstance(match.awaiting, Deal):
        return Refused("stale_decision", {"decision": table.decision})
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    if seat in table.read:
        return Refused("already_done")
    draft.set(read=table.read | {seat})
    try_deal(draft)
    return None


def want_rematch(draft: Draft, seat: int) -> Refused | None:
    """This seat wants a rematch."""
    table = draft.table
    if table.phase != "over":
        return Refused("not_over")
    if seat in table.wants_rematch:
        return Refused("already_done")
    occupant = table.seats[seat]
    assert isinstance(occupant, Person)
    draft.put(seat, Person(occupant.member))
    draft.set(wants_rematch=table.wants_rematch | {seat})
    draft.tell("rematch_wanted", table.seat_name(seat), seat)
    try_rematch(draft)
    return None


def try_rematch(draft: Draft) -> None:
    """Begin a rematch once everybody who is still here wants it."""
    table = draft.table
    seats: list[Occupant] = []
    for seat, occupant in enumerate(table.seats):
        if isinstance(occupant, Person):
            wants = seat in table.wants_rematch
            is_here = table.members[occupant.member].connected and not occupant.away
            if is_here and not wants:
                return
            # A bot plays for those who are gone.
            occupant = Person(occupant.member, away=not wants)  # noqa: PLW2901
        seats.append(occupant)
    draft.tell("rematch")
    # Everybody moves one seat to the left; partners stay partners.
    draft.set(seats=(seats[-1], *seats[:-1]))
    begin_match(draft, dealer=table.settings.players - 1)


def undo_to(draft: Draft, seat: int, decision: int) -> Refused | None:
    """Go back to an earlier decision: at practice tables only."""
    table = draft.table
    if not table.settings.practice:
        return Refused("not_practice")
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    checkpoint = next((c for c in table.past if c.decision == decision), None)
    if checkpoint is None:
        return Refused("cannot_go_back")
    kept = tuple(c for c in table.past if c.decision < decision)
    draft.set(
        phase="playing",
        match=checkpoint.match,
        game=checkpoint.game,
        results=results_after(table.results, checkpoint.match),
        past=kept,
    )
    draft.tell("went_back")
    begin_decision(draft)
    return None


def return_to_seat(draft: Draft, seat: int) -> Refused | None:
    """A person takes the seat back from the bot."""
    occupant = draft.table.seats[seat]
    if not isinstance(occupant, Person) or not occupant.away or occupant.returning:
        return Refused("not_away")
    clock, match = draft.table.settings.clock, draft.table.match
    is_on_turn = match is not None and match.awaiting in (Turn(seat), ExtensionChoice(seat))
    # A person whose time has run out gets no more of it: the bot makes this one move.
    is_late = clock is not None and is_on_turn and draft.now >= draft.table.asked_at + clock
    # The same goes for a person whom the others have outvoted.
    is_late = is_late or draft.table.outvoted.get(seat) == draft.table.decision
    draft.put(seat, Person(occupant.member, away=is_late, returning=is_late))
    draft.change(draft.table.members[occupant.member], connected=True, gone_since=None)
    draft.tell("returned", draft.table.seat_name(seat), seat)
    settle_window(draft)
    return None


def let_bot_play(draft: Draft, own: int, seat: int, decision: int) -> Refused | None:
    """A player votes for a bot to play on for another, who is taking very long."""
    table = draft.table
    if table.phase != "playing":
        return Refused("not_playing")
    if decision != table.decision:
        return Refused("stale_decision", {"decision": table.decision})
    if not table.is_played_by_person(own):
        return Refused("bot_plays")
    if table.stalled is None or table.stalled[0] != seat or seat == own:
        return Refused("not_needed")
    wait = table.stalled[1] - draft.now
    if wait > 0:
        return Refused("too_early", {"seconds": -(-wait // 1000)})
    if own in table.bot_votes:
        return Refused("already_done")
    draft.set(bot_votes=table.bot_votes | {own})
    draft.tell("bot_wanted", table.seat_name(own), own)
    count_votes(draft)
    return None


def count_votes(draft: Draft) -> None:
    """Let a bot play on if more than half of those who may vote want it."""
    table = draft.table
    if not table.bot_votes or table.stalled is None:
        return
    seat, _ = table.stalled
    voters = table.voters(seat)
    if 2 * len(table.bot_votes.intersection(voters)) > len(voters):
        draft.set(outvoted=MappingProxyType({**table.outvoted, seat: table.decision}))
        bot_plays_on(draft, seat)


def bot_plays_on(draft: Draft, seat: int) -> None:
    """Let a bot take over for a person, from now on."""
    occupant = draft.table.seats[seat]
    assert isinstance(occupant, Person)
    if occupant.away and not occupant.returning:
        return
    draft.put(seat, Person(occupant.member, away=True))
    draft.tell("bot_plays_on", draft.table.seat_name(seat), seat)
    match = draft.table.match
    if match is not None and isinstance(match.awaiting, Deal):
        try_deal(draft)
    settle_window(draft)
