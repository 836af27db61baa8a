"""The match at a table: dealing, moves, windows, rematches, and bots that play on."""

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
from .days import date_of
from .draft import Draft
from .messages_out import FairRevealed
from .table import (
    Checkpoint,
    Member,
    Occupant,
    Person,
    Refused,
)

__all__ = [
    "ask",
    "begin_match",
    "bot_plays_on",
    "close_window",
    "count_votes",
    "go_on",
    "let_bot_play",
    "make_move",
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
"""Of so many of a member's last moves the ids are kept."""
_NOBODY: frozenset[int] = frozenset()
_NEVER: Mapping[int, int] = MappingProxyType({})


def begin_match(draft: Draft, dealer: int) -> None:
    """A new match: nothing of an earlier one stays."""
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
        # Prepared for the seats of the match before: a hand of that number is never dealt.
        hands_dealt = draft.table.fair.hand
    draft.set(
        phase="playing",
        match=match,
        game=game,
        past=(),
        fair=None,
        hands_dealt=hands_dealt,
        outvoted=_NEVER,
    )
    ask(draft)
    try_deal(draft)


def ask(draft: Draft) -> None:
    """Something new is awaited: a new decision, and time runs from now."""
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
    """Is a person asked, and not only to let an attack stand?"""
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
        # A rematch has the same decks again, as its record says.
        number = 1 if match.hand is None else match.hand.number + 1
        key = key_from_seed(table.settings.seed, number)
        order = shuffled(key, len(deck))
    else:
        fair = table.fair
        if fair is None or fair.stage != "ready":
            return
        brought = fair.contributions()
        order = deck_order(fair.ctx, fair.seed, brought, len(deck))
        transcript = Transcript(fair.ctx, fair.seed, fair.commit, brought, order)
    cards = [deck[index] for index in order]
    match, events = deal_cards(match, cards)
    draft.happened += events
    draft.set(
        match=match,
        game=game.with_deal(cards),
        hands_dealt=hand,
        fair=None,
        dealt_fair=transcript,
        past=(),
    )
    ask(draft)


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
        # Held here and not told to the rules: nobody sees who has answered.
        draft.set(declined=draft.table.declined | {seat})
        settle_window(draft)
    else:
        play(draft, seat, move)
        ask(draft)
    return None


def read_move(token: str) -> RulesMove | None:
    """The move that a token writes; None if it writes none."""
    try:
        return parse_move(token)
    except RecordError:
        return None


def play(draft: Draft, seat: int, move: RulesMove) -> None:
    """Make a move that the rules allow, and note it in the record."""
    table = draft.table
    before, game = table.match, table.game
    assert before is not None
    assert game is not None
    match, events = apply_legal(before, seat, move)
    draft.happened += events
    draft.set(match=match, game=game.with_move(before, seat, move, match, events))
    if isinstance(match.awaiting, (Deal, Over)):
        _reveal_shuffle(draft)


def _reveal_shuffle(draft: Draft) -> None:
    table = draft.table
    if table.dealt_fair is not None and table.game is not None:
        transcript = table.dealt_fair
        draft.happened.append(FairRevealed(table.hands_dealt, transcript.to_json()))
        draft.set(dealt_fair=None, game=table.game.with_transcript(transcript.to_json()))


def settle_window(draft: Draft) -> None:
    """Has every person asked declined? Then nobody waits any longer."""
    table = draft.table
    if not table.is_window_open or table.phase != "playing":
        return
    assert table.match is not None
    asked = set(awaited_seats(table.match))
    if asked <= table.declined:
        close_window(draft, {})
        return
    people = {seat for seat in asked if table.is_played_by_person(seat)}
    has_hurry = bool(people) and people <= table.declined
    # The bots' answers are still to come: with the tick that this asks for.
    if has_hurry != (table.hurried_at is not None):
        draft.set(hurried_at=draft.now if has_hurry else None)


def close_window(draft: Draft, answers: Mapping[str, str]) -> None:
    """Everybody has answered, or had the time to: the bots' answers count now."""
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
            ask(draft)
            return
    for seat in asked:
        play(draft, seat, Decline())
    ask(draft)


def go_on(draft: Draft, seat: int, decision: int) -> Refused | None:
    """This seat has read the score."""
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
    """This seat would play again."""
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
    """Again, once everybody who is still here wants it."""
    table = draft.table
    seats: list[Occupant] = []
    for seat, occupant in enumerate(table.seats):
        if isinstance(occupant, Person):
            wants = seat in table.wants_rematch
            is_here = table.members[occupant.member].connected and not occupant.away
            if is_here and not wants:
                return
            # A bot plays for those who have gone.
            occupant = Person(occupant.member, away=not wants)  # noqa: PLW2901
        seats.append(occupant)
    draft.tell("rematch")
    # Everybody moves one seat to the left; partners stay partners.
    draft.set(seats=(seats[-1], *seats[:-1]))
    begin_match(draft, dealer=table.settings.players - 1)


def undo_to(draft: Draft, seat: int, decision: int) -> Refused | None:
    """At a practice table: back to an earlier decision."""
    table = draft.table
    if not table.settings.practice:
        return Refused("not_practice")
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    place = next((p for p in table.past if p.decision == decision), None)
    if place is None:
        return Refused("cannot_go_back")
    kept = tuple(p for p in table.past if p.decision < decision)
    draft.set(phase="playing", match=place.match, game=place.game, past=kept)
    draft.tell("went_back")
    ask(draft)
    return None


def return_to_seat(draft: Draft, seat: int) -> Refused | None:
    """A person takes the seat back from the bot."""
    occupant = draft.table.seats[seat]
    if not isinstance(occupant, Person) or not occupant.away or occupant.returning:
        return Refused("not_away")
    clock, match = draft.table.settings.clock, draft.table.match
    is_on_turn = match is not None and match.awaiting in (Turn(seat), ExtensionChoice(seat))
    # Time that has run out is not given again: the bot makes that one move.
    is_late = clock is not None and is_on_turn and draft.now >= draft.table.asked_at + clock
    # Nor is it where the others have waited long enough.
    is_late = is_late or draft.table.outvoted.get(seat) == draft.table.decision
    draft.put(seat, Person(occupant.member, away=is_late, returning=is_late))
    draft.change(draft.table.members[occupant.member], connected=True, gone_since=None)
    draft.tell("returned", draft.table.seat_name(seat), seat)
    settle_window(draft)
    return None


def let_bot_play(draft: Draft, own: int, seat: int, decision: int) -> Refused | None:
    """A player would let a bot play on for another, who takes very long."""
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
    """A bot plays on if more than half of those who may say so want it."""
    table = draft.table
    if not table.bot_votes or table.stalled is None:
        return
    seat, _ = table.stalled
    voters = table.voters(seat)
    if 2 * len(table.bot_votes.intersection(voters)) > len(voters):
        draft.set(outvoted=MappingProxyType({**table.outvoted, seat: table.decision}))
        bot_plays_on(draft, seat)


def bot_plays_on(draft: Draft, seat: int) -> None:
    """A bot plays for a person who is away."""
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
