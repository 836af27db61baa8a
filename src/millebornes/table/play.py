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
from .messages_out import FairRevealed
from .step import Step
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
    "come_back",
    "count_votes",
    "go_back",
    "go_on",
    "let_bot_play",
    "make_move",
    "play",
    "read_move",
    "settle_window",
    "try_deal",
    "try_rematch",
    "want_rematch",
]

_IDS_KEPT = 64
"""Of so many of a member's last moves the ids are kept."""
_NOBODY: frozenset[int] = frozenset()
_NEVER: Mapping[int, int] = MappingProxyType({})


def begin_match(step: Step, dealer: int) -> None:
    """A new match: nothing of an earlier one stays."""
    settings = step.table.settings
    match = new_match(
        settings.edition, settings.players, dealer=dealer, short_trip=settings.short_trip
    )
    game = Game(
        edition=settings.edition,
        players=settings.players,
        short_trip=settings.short_trip,
        dealer=dealer,
        seats=tuple(step.table.seat_name(seat) for seat in range(settings.players)),
        date=date_of(step.now),
        seed=settings.seed,
        practice=settings.practice,
    )
    hands_dealt = step.table.hands_dealt
    if step.table.fair is not None:
        # Prepared for the seats of the match before: a hand of that number is never dealt.
        hands_dealt = step.table.fair.hand
    step.set(
        phase="playing",
        match=match,
        game=game,
        past=(),
        fair=None,
        hands_dealt=hands_dealt,
        outvoted=_NEVER,
    )
    ask(step)
    try_deal(step)


def ask(step: Step) -> None:
    """Something new is awaited: a new decision, and time runs from now."""
    seats = tuple(
        [
            Person(one.member) if isinstance(one, Person) and one.returning else one
            for one in step.table.seats
        ]
    )
    step.set(
        decision=step.table.decision + 1,
        asked_at=step.now,
        declined=_NOBODY,
        read=_NOBODY,
        wants_rematch=_NOBODY,
        hurried_at=None,
        bot_votes=_NOBODY,
        seats=seats,
    )
    table = step.table
    match, game = table.match, table.game
    assert match is not None
    assert game is not None
    if isinstance(match.awaiting, Over):
        step.set(phase="over")
    elif table.settings.practice and _has_choice(step, match):
        step.set(past=(*table.past, Checkpoint(table.decision, match, game)))


def _has_choice(step: Step, match: Match) -> bool:
    """Is a person asked, and not only to let an attack stand?"""
    return any(
        step.table.is_played_by_person(seat) and legal_moves(match, seat) != (Decline(),)
        for seat in awaited_seats(match)
    )


def try_deal(step: Step) -> None:
    """Deal, if everybody has read the score and the shuffle is ready."""
    table = step.table
    match, game = table.match, table.game
    assert match is not None
    assert game is not None
    if not isinstance(match.awaiting, Deal):
        return
    waited_for = {seat for seat in table.people() if table.is_played_by_person(seat)}
    has_time = table.answer_by is None or step.now < table.answer_by
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
    step.happened += events
    step.set(
        match=match,
        game=game.with_deal(cards),
        hands_dealt=hand,
        fair=None,
        dealt_fair=transcript,
        past=(),
    )
    ask(step)


def make_move(step: Step, member: Member, seat: int, said: says.Move) -> Refused | None:
    """A person's move, if the table and the rules allow it."""
    if said.id in member.ids:
        return Refused("already_done")
    match = step.table.match
    if step.table.phase != "playing" or match is None:
        return Refused("not_playing")
    if said.decision != step.table.decision:
        return Refused("stale_decision", {"decision": step.table.decision})
    if not step.table.is_played_by_person(seat):
        return Refused("bot_plays")
    move = read_move(said.move)
    if move is None:
        return Refused("bad_move")
    reason = why_not(match, seat, move)
    if reason is None and seat in step.table.declined:
        reason = Reason.of("already_answered")
    if reason is not None:
        return Refused.by_rules(reason)
    step.change(member, ids=(*member.ids[-_IDS_KEPT:], said.id))
    if isinstance(move, Decline):
        # Held here and not told to the rules: nobody sees who has answered.
        step.set(declined=step.table.declined | {seat})
        settle_window(step)
    else:
        play(step, seat, move)
        ask(step)
    return None


def read_move(token: str) -> RulesMove | None:
    """The move that a token writes; None if it writes none."""
    try:
        return parse_move(token)
    except RecordError:
        return None


def play(step: Step, seat: int, move: RulesMove) -> None:
    """Make a move that the rules allow, and note it in the record."""
    table = step.table
    before, game = table.match, table.game
    assert before is not None
    assert game is not None
    match, events = apply_legal(before, seat, move)
    step.happened += events
    step.set(match=match, game=game.with_move(before, seat, move, match, events))
    if isinstance(match.awaiting, (Deal, Over)):
        _reveal_shuffle(step)


def _reveal_shuffle(step: Step) -> None:
    table = step.table
    if table.dealt_fair is not None and table.game is not None:
        transcript = table.dealt_fair
        step.happened.append(FairRevealed(table.hands_dealt, transcript.to_json()))
        step.set(dealt_fair=None, game=table.game.with_transcript(transcript.to_json()))


def settle_window(step: Step) -> None:
    """Has every person asked declined? Then nobody waits any longer."""
    table = step.table
    if not table.is_window_open or table.phase != "playing":
        return
    assert table.match is not None
    asked = set(awaited_seats(table.match))
    if asked <= table.declined:
        close_window(step, {})
        return
    people = {seat for seat in asked if table.is_played_by_person(seat)}
    has_hurry = bool(people) and people <= table.declined
    # The bots' answers are still to come: with the tick that this asks for.
    if has_hurry != (table.hurried_at is not None):
        step.set(hurried_at=step.now if has_hurry else None)


def close_window(step: Step, answers: Mapping[str, str]) -> None:
    """Everybody has answered, or had the time to: the bots' answers count now."""
    table = step.table
    match = table.match
    assert match is not None
    asked = awaited_seats(match)
    for seat in asked:
        if table.is_played_by_person(seat) or seat in table.declined:
            continue
        move = read_move(answers.get(str(seat), ""))
        # A bot's coup fourré; anything else lets the attack stand.
        if isinstance(move, CoupFourre) and why_not(match, seat, move) is None:
            play(step, seat, move)
            ask(step)
            return
    for seat in asked:
        play(step, seat, Decline())
    ask(step)


def go_on(step: Step, seat: int, decision: int) -> Refused | None:
    """This seat has read the score."""
    table = step.table
    match = table.match
    if table.phase != "playing" or match is None or match.hand is None:
        return Refused("not_playing")
    if decision != table.decision or not isinstance(match.awaiting, Deal):
        return Refused("stale_decision", {"decision": table.decision})
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    if seat in table.read:
        return Refused("already_done")
    step.set(read=table.read | {seat})
    try_deal(step)
    return None


def want_rematch(step: Step, seat: int) -> Refused | None:
    """This seat would play again."""
    table = step.table
    if table.phase != "over":
        return Refused("not_over")
    if seat in table.wants_rematch:
        return Refused("already_done")
    occupant = table.seats[seat]
    assert isinstance(occupant, Person)
    step.put(seat, Person(occupant.member))
    step.set(wants_rematch=table.wants_rematch | {seat})
    step.tell("rematch_wanted", table.seat_name(seat), seat)
    try_rematch(step)
    return None


def try_rematch(step: Step) -> None:
    """Again, once everybody who is still here wants it."""
    table = step.table
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
    step.tell("rematch")
    # Everybody moves one seat to the left; partners stay partners.
    step.set(seats=(seats[-1], *seats[:-1]))
    begin_match(step, dealer=table.settings.players - 1)


def go_back(step: Step, seat: int, decision: int) -> Refused | None:
    """At a practice table: back to an earlier decision."""
    table = step.table
    if not table.settings.practice:
        return Refused("not_practice")
    if not table.is_played_by_person(seat):
        return Refused("bot_plays")
    place = next((p for p in table.past if p.decision == decision), None)
    if place is None:
        return Refused("cannot_go_back")
    kept = tuple(p for p in table.past if p.decision < decision)
    step.set(phase="playing", match=place.match, game=place.game, past=kept)
    step.tell("went_back")
    ask(step)
    return None


def come_back(step: Step, seat: int) -> Refused | None:
    """A person takes the seat back from the bot."""
    occupant = step.table.seats[seat]
    if not isinstance(occupant, Person) or not occupant.away or occupant.returning:
        return Refused("not_away")
    clock, match = step.table.settings.clock, step.table.match
    is_on_turn = match is not None and match.awaiting in (Turn(seat), ExtensionChoice(seat))
    # Time that has run out is not given again: the bot makes that one move.
    is_late = clock is not None and is_on_turn and step.now >= step.table.asked_at + clock
    # Nor is it where the others have waited long enough.
    is_late = is_late or step.table.outvoted.get(seat) == step.table.decision
    step.put(seat, Person(occupant.member, away=is_late, returning=is_late))
    step.change(step.table.members[occupant.member], connected=True, gone_since=None)
    step.tell("returned", step.table.seat_name(seat), seat)
    settle_window(step)
    return None


def let_bot_play(step: Step, own: int, seat: int, decision: int) -> Refused | None:
    """A player would let a bot play on for another, who takes very long."""
    table = step.table
    if table.phase != "playing":
        return Refused("not_playing")
    if decision != table.decision:
        return Refused("stale_decision", {"decision": table.decision})
    if not table.is_played_by_person(own):
        return Refused("bot_plays")
    if table.stalled is None or table.stalled[0] != seat or seat == own:
        return Refused("not_needed")
    wait = table.stalled[1] - step.now
    if wait > 0:
        return Refused("too_early", {"seconds": -(-wait // 1000)})
    if own in table.bot_votes:
        return Refused("already_done")
    step.set(bot_votes=table.bot_votes | {own})
    step.tell("bot_wanted", table.seat_name(own), own)
    count_votes(step)
    return None


def count_votes(step: Step) -> None:
    """A bot plays on if more than half of those who may say so want it."""
    table = step.table
    if not table.bot_votes or table.stalled is None:
        return
    seat, _ = table.stalled
    voters = table.voters(seat)
    if 2 * len(table.bot_votes.intersection(voters)) > len(voters):
        step.set(outvoted=MappingProxyType({**table.outvoted, seat: table.decision}))
        bot_plays_on(step, seat)


def bot_plays_on(step: Step, seat: int) -> None:
    """A bot plays for a person who is away."""
    occupant = step.table.seats[seat]
    assert isinstance(occupant, Person)
    if occupant.away and not occupant.returning:
        return
    step.put(seat, Person(occupant.member, away=True))
    step.tell("bot_plays_on", step.table.seat_name(seat), seat)
    match = step.table.match
    if match is not None and isinstance(match.awaiting, Deal):
        try_deal(step)
    settle_window(step)
