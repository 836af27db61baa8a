"""The state of a table between two inputs: who is there, what is awaited, and until when."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct, field

from millebornes.fair.protocol import (
    Contribution,
    Transcript,
)
from millebornes.records import Game
from millebornes.rules import (
    Decline,
    Event,
    Match,
    Reason,
    View,
    awaited_seats,
    legal_moves,
    view,
)
from millebornes.rules.state import Deal, ExtensionChoice, Turn, Window

from .messages_out import BotEmoted, ChatSaid, Emoted, FairRevealed, Told
from .reactions import Reacted
from .results import Results
from .settings import Settings

__all__ = [
    "FairRound",
    "Happening",
    "Member",
    "NeedSeed",
    "Outcome",
    "Person",
    "Refused",
    "SeatedBot",
    "Table",
    "Think",
]

OPENER = 0
"""The member who opened the table: nobody can send them away."""
_SECOND = 1000
FAIR_WAIT = 10 * _SECOND
GRACE = 60 * _SECOND
"""How long a member may stay disconnected before the table goes on without them: a bot plays, the
host changes, a rematch begins."""
STALLED = 3 * 60 * _SECOND
"""Without a clock: how long a person may take over one decision before the others may vote for a
bot to play on."""
STALLED_AGAIN = 60 * _SECOND
"""The same for a person who has already been outvoted in this match."""
READING = 60 * _SECOND
"""How long a score sheet is shown before the next hand is dealt."""
IDLE = 30 * 60 * _SECOND
"""How long a table without inputs stays open."""
IDLE_IN_MATCH = 24 * 3600 * _SECOND
"""The same during a match: one that everybody has put aside can be resumed the next day."""

Happening = Event | ChatSaid | Emoted | BotEmoted | Told | FairRevealed


class Refused(NamedTuple):
    """An input that was refused, and why. It changed nothing."""

    code: str
    params: Mapping[str, str | int] = MappingProxyType({})
    reason: Reason | None = None
    """Set if the rules of the game refuse a move."""

    @property
    def section(self) -> str:
        """The section of the language files that holds its sentence."""
        return "table"

    @classmethod
    def by_rules(cls, reason: Reason) -> "Refused":
        """A move that the rules of the game refuse."""
        return cls(reason.code, reason.mapping, reason)


class Think(NamedTuple):
    """A request for a bot's move, which may come in from `not_before` on."""

    seat: int
    level: str | None
    """The level that plays; None (any) for a person who is away or asks for a hint."""
    view: View
    purpose: Literal["turn", "answer", "hint"]
    decision: int
    not_before: int


class NeedSeed(NamedTuple):
    """A request for the server's secret for the shuffle of this hand."""

    hand: int


class Member(Struct, frozen=True):
    """Somebody who has joined the table, seated or watching."""

    number: int
    guest: str
    name: str
    since: int
    """The seq of the input they joined with: they may not follow what came before."""
    connected: bool = True
    gone_since: int | None = None
    muted: frozenset[int] = frozenset()
    muted_bots: frozenset[str] = frozenset()
    """By their names, which are unique at a table: seats rotate at a rematch."""
    ids: tuple[str, ...] = ()
    """The ids of their last moves, so that none is played twice."""


class Person(Struct, frozen=True):
    """A seat that belongs to a member."""

    member: int
    away: bool = False
    """A bot plays on for them."""
    returning: bool = False
    """They are back, but the bot still makes the move for which they took too long."""


class SeatedBot(Struct, frozen=True):
    """A seat that belongs to a bot."""

    level: str
    name: str
    replaced_by: str | None = None
    """The level that plays for it until the next deal, because it has failed."""


Occupant = Person | SeatedBot | None


class FairRound(Struct, frozen=True):
    """One shuffle in progress (MB-FAIR-1)."""

    hand: int
    ctx: str
    seed: bytes
    commit: str
    people: tuple[int, ...]
    stage: Literal["commit", "reveal", "ready"]
    deadline: int | None
    commits: Mapping[int, str] = field(default_factory=dict)
    entropies: Mapping[int, bytes] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"FairRound(hand={self.hand}, stage={self.stage!r})"  # never its secrets

    def contributions(self) -> tuple[Contribution, ...]:
        """What each person's seat contributed, in order."""
        return tuple(
            Contribution(seat, self.commits.get(seat, ""), self.entropies.get(seat))
            for seat in self.people
        )


class Checkpoint(Struct, frozen=True):
    """An earlier decision that a practice table can go back to."""

    decision: int
    match: Match
    game: Game


class Table(Struct, frozen=True):
    """A table between two inputs."""

    settings: Settings
    game_id: str
    levels: tuple[str, ...]
    """The bots that can be seated."""
    host: int
    members: tuple[Member, ...]
    seats: tuple[Occupant, ...]
    last_input: int
    """The time of the last input."""
    phase: Literal["lobby", "playing", "over", "closed"] = "lobby"
    seq: int = 0
    decision: int = 0
    asked_at: int = 0
    declined: frozenset[int] = frozenset()
    """Seats that let the attack of the open window stand. Only they themselves are shown this."""
    read: frozenset[int] = frozenset()
    """Seats that have read the score of the hand that ended."""
    wants_rematch: frozenset[int] = frozenset()
    """Seats that want a rematch."""
    hurried_at: int | None = None
    """When the last person asked declined: the window need not stay open any longer."""
    bot_votes: frozenset[int] = frozenset()
    """Seats that voted for a bot to play on for the person whose decision is awaited."""
    outvoted: Mapping[int, int] = field(default_factory=dict)
    """Seats that the others have voted a bot into during this match, each with the last decision
    at which they did."""
    match: Match | None = None
    game: Game | None = None
    results: Results = Results()
    """What this match has come to so far."""
    hands_dealt: int = 0
    """Including the matches before a rematch."""
    fair: FairRound | None = None
    """The shuffle of the next hand."""
    dealt_fair: Transcript | None = None
    """The shuffle of the hand in play: secret until it ends."""
    past: tuple[Checkpoint, ...] = ()
    sent_away: tuple[str, ...] = ()
    """Guests whom the host has sent away, the latest last: they cannot come back."""
    closed_code: str | None = None
    reacted: tuple[Reacted, ...] = ()
    """When bots reacted in this hand."""

    def __repr__(self) -> str:
        # No cards and no secrets, wherever a table is printed.
        return f"Table({self.game_id!r}, phase={self.phase!r}, seq={self.seq})"

    # Who is who

    def member_of(self, guest: str) -> Member | None:
        """The member that a guest is; None if they have not joined or were sent away."""
        for member in self.members:
            if member.guest == guest:
                return None if guest in self.sent_away else member
        return None

    def seat_of(self, member: int) -> int | None:
        """Where a member sits."""
        for seat, occupant in enumerate(self.seats):
            if isinstance(occupant, Person) and occupant.member == member:
                return seat
        return None

    def seat_name(self, seat: int) -> str:
        """The name of the person or bot that sits there."""
        occupant = self.seats[seat]
        if isinstance(occupant, Person):
            return self.members[occupant.member].name
        return occupant.name if occupant else ""

    def names(self) -> list[str]:
        """The names that are taken."""
        return [*self.bots().values(), *(member.name for member in self.members)]

    def bots(self) -> dict[int, str]:
        """The seats that belong to bots, and their names."""
        return {s: one.name for s, one in enumerate(self.seats) if isinstance(one, SeatedBot)}

    def people(self) -> tuple[int, ...]:
        """The seats that belong to people, away or not."""
        return tuple(s for s, occupant in enumerate(self.seats) if isinstance(occupant, Person))

    def is_played_by_person(self, seat: int) -> bool:
        """Does a person play this seat, and not a bot?"""
        occupant = self.seats[seat]
        return isinstance(occupant, Person) and not occupant.away

    def watchers(self) -> tuple[Member, ...]:
        """The connected members without a seat."""
        seated = {one.member for one in self.seats if isinstance(one, Person)}
        return tuple([m for m in self.members if m.connected and m.number not in seated])

    def given_up(self, now: int) -> list[int]:
        """Seats that others may take before the start, longest abandoned first.

        Their owners have been gone for a minute. The host's seat is never among them.
        """
        if self.phase != "lobby":
            return []
        gone = [
            (member.gone_since, seat)
            for seat, occupant in enumerate(self.seats)
            if isinstance(occupant, Person) and occupant.member != self.host
            for member in (self.members[occupant.member],)
            if member.gone_since is not None and now >= member.gone_since + GRACE
        ]
        return [seat for _, seat in sorted(gone)]

    # What is awaited

    @property
    def window_length(self) -> int | None:
        """How long the open window lasts, by settings and public facts only; None: no limit."""
        match = self.match
        assert match is not None
        window = match.awaiting
        assert isinstance(window, Window)
        # House rules may let others answer besides the side attacked.
        concerned = {*match.seats_of(window.side), *window.asked}
        people = [seat for seat in concerned if self.is_played_by_person(seat)]
        if not people:
            return self.settings.bot_window
        if self.settings.patient:
            # Nobody waits for a person alone with bots. What they hold plays no part, because
            # somebody who comes now may see the window.
            return None if len(self.members) == 1 else self.settings.window
        # At tables of older releases: with one person and bots, and nobody who could have
        # watched, there is nobody to keep a secret from.
        seat = people[0]
        has_partner = len(match.seats_of(match.side_of(seat))) > 1
        is_alone = len(self.members) == 1 and not has_partner
        if is_alone and legal_moves(match, seat) in ((), (Decline(),)):
            return 0 if window.asked in ((), (seat,)) else self.settings.bot_window
        return self.settings.window

    @property
    def is_window_open(self) -> bool:
        """Is an attack being answered?"""
        return self.match is not None and isinstance(self.match.awaiting, Window)

    @property
    def deadline(self) -> int | None:
        """When the driver must send a `Tick`, unless another input comes first."""
        if self.phase == "closed":
            return None
        times, answer_by = [self.idle_at], self.answer_by
        if self.phase == "playing" and self.is_window_open:
            # No other clock runs during a window.
            return min(times) if answer_by is None else min(*times, answer_by)
        if self.fair is not None and self.fair.deadline is not None:
            times.append(self.fair.deadline)
        if answer_by is not None and self._can_go_on():
            times.append(answer_by)
        times += [
            member.gone_since + GRACE
            for member in self.members
            if member.gone_since is not None and self.is_missed(member)
        ]
        return min(times)

    @property
    def idle_at(self) -> int:
        """When the table is closed, unless an input comes first."""
        patience = IDLE_IN_MATCH if self.phase == "playing" else IDLE
        return self.last_input + patience + (self.settings.clock or 0)

    @property
    def answer_by(self) -> int | None:
        """The deadline of the current decision."""
        if self.phase != "playing" or self.match is None:
            return None
        awaiting = self.match.awaiting
        if isinstance(awaiting, Window):
            if self.hurried_at is not None:
                return self.hurried_at
            length = self.window_length
            return None if length is None else self.asked_at + length
        if isinstance(awaiting, Deal):
            # At a practice table nobody else waits while the person reads or goes back.
            reading = self.match.hand is not None and not self.settings.practice
            return self.asked_at + READING if reading else None
        seat = awaited_seats(self.match)[0]
        if self.settings.clock is not None and self.is_played_by_person(seat):
            return self.asked_at + self.settings.clock
        return None

    @property
    def stalled(self) -> tuple[int, int] | None:
        """The seat that could hold up the others, and when they may vote for a bot to play on.

        None if no person can: with a clock, for example, or in a window, which closes by itself.
        """
        if self.phase != "playing" or self.match is None or self.settings.clock is not None:
            return None
        awaiting = self.match.awaiting
        if not isinstance(awaiting, (Turn, ExtensionChoice)):
            return None
        seat = awaiting.seat
        if not self.is_played_by_person(seat):
            return None
        return seat, self.asked_at + (STALLED_AGAIN if seat in self.outvoted else STALLED)

    def voters(self, seat: int) -> tuple[int, ...]:
        """The seats that may vote for a bot to play on for a seat: other people who are here."""
        members = self.members
        return tuple(
            [
                other
                for other, one in enumerate(self.seats)
                if other != seat
                and isinstance(one, Person)
                and not one.away
                and members[one.member].connected
            ]
        )

    def _can_go_on(self) -> bool:
        """Can a deadline change anything? A deal has to wait for its shuffle."""
        if self.match is None or not isinstance(self.match.awaiting, Deal):
            return True
        return self.settings.practice or (self.fair is not None and self.fair.stage == "ready")

    def is_missed(self, member: Member) -> bool:
        """Does a member's lost connection hold up anybody who is connected?"""
        if not any(m.connected for m in self.members):
            return False
        if self.phase == "lobby":
            return member.number == self.host
        seat = self.seat_of(member.number)
        if seat is None or not self.is_played_by_person(seat):
            return False
        held_up = self.seats
        if self.phase == "over":
            # Only a rematch can be held up, and only those who want one wait for it.
            if seat in self.wants_rematch:
                return False
            held_up = tuple(self.seats[one] for one in self.wants_rematch)
        return any(
            self.members[occupant.member].connected
            for occupant in held_up
            if isinstance(occupant, Person) and not occupant.away
        )

    def thinks(self) -> tuple[Think, ...]:
        """A request for each bot's move that is awaited now."""
        if self.phase != "playing" or self.match is None:
            return ()
        awaiting = self.match.awaiting
        purpose: Literal["turn", "answer", "hint"] = "turn"
        not_before = self.asked_at + self.settings.pace
        if isinstance(awaiting, Window):
            purpose = "answer"
            not_before = self.answer_by or 0
        thinks = []
        for seat in awaited_seats(self.match):
            if not self.is_played_by_person(seat) and seat not in self.declined:
                occupant = self.seats[seat]
                level = None
                if isinstance(occupant, SeatedBot):
                    level = occupant.replaced_by or occupant.level
                thinks.append(
                    Think(seat, level, view(self.match, seat), purpose, self.decision, not_before)
                )
        return tuple(thinks)

    def need_seed(self) -> NeedSeed | None:
        """A request for the server's secret, if the next shuffle still lacks it."""
        if self.phase != "playing" or self.settings.practice or self.fair is not None:
            return None
        return NeedSeed(self.hands_dealt + 1)


class Outcome(NamedTuple):
    """The table after an input and what happened, or why the input was refused."""

    table: Table
    happened: tuple[Happening, ...] = ()
    refused: Refused | None = None
