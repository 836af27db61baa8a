"""One table's life, without any input or output: messages in, a new table and events out.

A `Table` is a value. `receive` gives the table after an input and what happened; it reads no
clock and draws no random numbers: times and secrets come in as values. So the driver can
make an input durable before the new table takes effect, and a log of inputs gives the same
table again.
"""

from collections.abc import Mapping
from dataclasses import replace as replace_record
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from millebornes.fair import key_from_seed, shuffled
from millebornes.fair.protocol import (
    Contribution,
    Transcript,
    client_commit,
    context,
    deck_order,
    server_commit,
)
from millebornes.records import Game, RecordError, parse_move, replay
from millebornes.rules import (
    Decline,
    Event,
    Match,
    Reason,
    View,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    view,
    why_not,
)
from millebornes.rules import Move as RulesMove
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window

from . import inputs
from . import messages_in as says
from .days import date_of
from .messages_out import ChatSaid, Emoted, FairRevealed, Told
from .names import BOT_NAMES, NAME_LENGTH, clean_name, clean_text, free_name
from .settings import EMOTES, Settings

__all__ = [
    "Bot",
    "FairRound",
    "Happening",
    "Member",
    "NeedSeed",
    "Outcome",
    "Person",
    "Refused",
    "Table",
    "Think",
    "hint_for",
    "open_table",
    "receive",
    "resume_table",
]

_SECOND = 1000
FAIR_WAIT = 10 * _SECOND
GRACE = 60 * _SECOND
"""How long a lost connection may take to come back before a bot plays on, or the host changes."""
READING = 60 * _SECOND
"""How long a score sheet is shown before the next hand is dealt."""
IDLE = 30 * 60 * _SECOND
"""A table where nothing is done for so long is closed …"""
IDLE_IN_MATCH = 24 * 3600 * _SECOND
"""… but a match that everybody has put aside can be taken up on the next day."""
_IDS_KEPT = 64
_MEMBERS = 64

Happening = Event | ChatSaid | Emoted | Told | FairRevealed


class Refused(NamedTuple):
    """A message that changed nothing."""

    code: str
    params: Mapping[str, str | int] = MappingProxyType({})
    reason: Reason | None = None
    """Where the rules of the game refuse."""


class Think(NamedTuple):
    """The table asks for a bot's move. `not_before` is when it may come in."""

    seat: int
    level: str | None
    """The bot's level; None: any, for a person who is away or asks for a hint."""
    view: View
    purpose: Literal["turn", "answer", "hint"]
    decision: int
    not_before: int


class NeedSeed(NamedTuple):
    """The table asks for the server's secret for the shuffle of this hand."""

    hand: int


class Member(Struct, frozen=True):
    """Someone who came to the table: seated or watching."""

    number: int
    guest: str
    name: str
    since: int
    """The seq of the input they came with: what was before is not theirs to follow."""
    connected: bool = True
    gone_since: int | None = None
    muted: frozenset[int] = frozenset()
    ids: tuple[str, ...] = ()
    """The last moves' own ids, so that none is played twice."""


class Person(Struct, frozen=True):
    """A seat that belongs to a member."""

    member: int
    away: bool = False
    """A bot plays on for them."""
    returning: bool = False
    """They are back; the bot still makes the move that they let time run out on."""


class Bot(Struct, frozen=True):
    """A seat where a bot sits."""

    level: str
    name: str


Occupant = Person | Bot | None


class FairRound(Struct, frozen=True):
    """One shuffle on its way (MB-FAIR-1)."""

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
        return f"FairRound(hand={self.hand}, stage={self.stage!r})"  # its secrets stay here

    def contributions(self) -> tuple[Contribution, ...]:
        """What each person's seat brought, in order."""
        return tuple(
            Contribution(seat, self.commits.get(seat, ""), self.entropies.get(seat))
            for seat in self.people
        )


class Checkpoint(Struct, frozen=True):
    """Where a practice table can go back to."""

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
    """When something was last put in."""
    phase: Literal["lobby", "playing", "over", "closed"] = "lobby"
    seq: int = 0
    decision: int = 0
    asked_at: int = 0
    continued: frozenset[int] = frozenset()
    """Seats that pressed Continue: in this window, after this hand, or for a rematch."""
    hurried_at: int | None = None
    """When every person asked had pressed Continue: the window need not wait any longer."""
    match: Match | None = None
    game: Game | None = None
    hands_dealt: int = 0
    """Through rematches."""
    fair: FairRound | None = None
    """The shuffle of the next hand."""
    dealt_fair: Transcript | None = None
    """The shuffle of the hand in play: secret until it ends."""
    past: tuple[Checkpoint, ...] = ()
    closed_code: str | None = None

    def __repr__(self) -> str:
        # No cards, no secrets: whatever prints a table.
        return f"Table({self.game_id!r}, phase={self.phase!r}, seq={self.seq})"

    # Who is who

    def member_of(self, guest: str) -> Member | None:
        """The member that a guest is."""
        for member in self.members:
            if member.guest == guest:
                return member
        return None

    def seat_of(self, member: int) -> int | None:
        """Where a member sits."""
        for seat, occupant in enumerate(self.seats):
            if isinstance(occupant, Person) and occupant.member == member:
                return seat
        return None

    def seat_name(self, seat: int) -> str:
        """The name of whoever sits there."""
        occupant = self.seats[seat]
        if isinstance(occupant, Person):
            return self.members[occupant.member].name
        return occupant.name if occupant else ""

    def people(self) -> tuple[int, ...]:
        """The seats that belong to people, away or not."""
        return tuple(s for s, occupant in enumerate(self.seats) if isinstance(occupant, Person))

    def is_played_by_person(self, seat: int) -> bool:
        """Does a person answer for this seat, and not a bot?"""
        occupant = self.seats[seat]
        return isinstance(occupant, Person) and not occupant.away

    def watchers(self) -> tuple[Member, ...]:
        """Those who are here and have no seat."""
        seated = {one.member for one in self.seats if isinstance(one, Person)}
        return tuple([m for m in self.members if m.connected and m.number not in seated])

    # What is awaited

    @property
    def window_length(self) -> int:
        """How long the open window lasts: settings and public facts only."""
        match = self.match
        assert match is not None
        window = match.awaiting
        assert isinstance(window, Window)
        # House rules may ask others than the side attacked, too.
        concerned = {*match.seats_of(window.side), *window.asked}
        people = [seat for seat in concerned if self.is_played_by_person(seat)]
        if not people:
            return self.settings.bot_window
        # One person alone with bots, and nobody who could ever have watched: there is no one
        # to keep a secret from.
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
        """When the driver must put in a `Tick`, if nothing comes before."""
        if self.phase == "closed":
            return None
        times = [self.idle_at]
        if self.phase == "playing" and self.is_window_open:
            # No other clock runs meanwhile.
            assert self.answer_by is not None
            return min(*times, self.answer_by)
        if self.fair is not None and self.fair.deadline is not None:
            times.append(self.fair.deadline)
        if self.answer_by is not None and self._can_go_on():
            times.append(self.answer_by)
        times += [
            member.gone_since + GRACE
            for member in self.members
            if member.gone_since is not None and self.is_missed(member)
        ]
        return min(times)

    @property
    def idle_at(self) -> int:
        """When the table is closed, if nothing is put in before."""
        patience = IDLE_IN_MATCH if self.phase == "playing" else IDLE
        return self.last_input + patience + (self.settings.clock or 0)

    @property
    def answer_by(self) -> int | None:
        """The deadline of what is asked now, as everybody sees it."""
        if self.phase != "playing" or self.match is None:
            return None
        awaiting = self.match.awaiting
        if isinstance(awaiting, Window):
            if self.hurried_at is not None:
                return self.hurried_at
            return self.asked_at + self.window_length
        if isinstance(awaiting, Deal):
            # At a practice table nobody waits for the one who reads, or goes back.
            reading = self.match.hand is not None and not self.settings.practice
            return self.asked_at + READING if reading else None
        seat = awaited_seats(self.match)[0]
        if self.settings.clock is not None and self.is_played_by_person(seat):
            return self.asked_at + self.settings.clock
        return None

    def _can_go_on(self) -> bool:
        """Would time alone change anything? A deal waits for its shuffle."""
        if self.match is None or not isinstance(self.match.awaiting, Deal):
            return True
        return self.settings.practice or (self.fair is not None and self.fair.stage == "ready")

    def is_missed(self, member: Member) -> bool:
        """Does a lost connection hold others up? Whoever is alone finds everything as it was."""
        if not any(m.connected for m in self.members):
            return False
        if self.phase == "lobby":
            return member.number == self.host
        seat = self.seat_of(member.number)
        if self.phase != "playing" or seat is None or not self.is_played_by_person(seat):
            return False
        return any(
            self.members[occupant.member].connected
            for occupant in self.seats
            if isinstance(occupant, Person) and not occupant.away
        )

    def thinks(self) -> tuple[Think, ...]:
        """The bots' moves that are awaited now."""
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
            if not self.is_played_by_person(seat) and seat not in self.continued:
                occupant = self.seats[seat]
                level = occupant.level if isinstance(occupant, Bot) else None
                thinks.append(
                    Think(seat, level, view(self.match, seat), purpose, self.decision, not_before)
                )
        return tuple(thinks)

    def need_seed(self) -> NeedSeed | None:
        """Is the server's secret for the next shuffle missing?"""
        if self.phase != "playing" or self.settings.practice or self.fair is not None:
            return None
        return NeedSeed(self.hands_dealt + 1)


class Outcome(NamedTuple):
    """A table after an input, and what happened; or why nothing did."""

    table: Table
    happened: tuple[Happening, ...] = ()
    refused: Refused | None = None


def open_table(settings: Settings, game_id: str, levels: tuple[str, ...], now: int) -> Table:
    """A new, empty table. The first who joins is its host."""
    seats: tuple[Occupant, ...] = (None,) * settings.players
    return Table(settings, game_id, levels, 0, (), seats, now)


def receive(table: Table, guest: str | None, message: says.In | inputs.Driver, now: int) -> Outcome:
    """The table after an input of a guest, or of the driver (no guest), at a time."""
    if table.phase == "closed":
        return Outcome(table, (), Refused("table_closed"))
    step = _Step(table, now)
    refused = step.from_driver(message) if guest is None else step.from_guest(guest, message)
    if refused is not None:
        return Outcome(table, (), refused)
    return step.outcome()


def hint_for(table: Table, guest: str, decision: int) -> Think | Refused:
    """What a bot is to be asked for a hint to this guest. Nothing changes, and nobody else knows.

    The answer to the guest alone is a `Hinted`.
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
    if seat not in awaited_seats(table.match) or seat in table.continued:
        return Refused("nothing_asked")
    return Think(seat, None, view(table.match, seat), "hint", decision, table.last_input)


class _Step:
    """One input being worked on: the table so far, and what has happened."""

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.now = now
        self.happened: list[Happening] = []

    def outcome(self) -> Outcome:
        table = replace(self.table, seq=self.table.seq + 1, last_input=self.now)
        return Outcome(table, tuple(self.happened))

    def set(self, **changes: object) -> None:
        self.table = replace(self.table, **changes)

    def tell(self, code: str, name: str = "", seat: int | None = None) -> None:
        self.happened.append(Told(code, name, seat))  # type: ignore[arg-type]

    # People

    def from_guest(self, guest: str, message: says.In | inputs.Driver) -> Refused | None:
        if isinstance(message, says.Join):
            return self.join(guest, message)
        member = self.table.member_of(guest)
        if member is None:
            return Refused("join_first")
        match message:
            case says.Move():  # by far the most
                pass
            case says.Chat(text):
                return self.chat(member, text)
            case says.Emote(emote):
                if emote not in EMOTES:
                    return Refused("no_such_emote")
                self.happened.append(Emoted(member.number, member.name, emote))
                return None
            case says.Mute(other, on):
                return self.mute(member, other, on)
            case says.Leave():
                return self.leave(member)
            case says.Sit() | says.Stand() | says.AddBot() | says.Kick() | says.Start():
                if self.table.phase != "lobby":
                    return Refused("already_started")
                return self.in_lobby(member, message)
        seat = self.table.seat_of(member.number)
        if seat is None:
            return Refused("no_seat")
        match message:
            case says.Move(decision, id_, token):
                return self.move(member, seat, decision, id_, token)
            case says.Next(decision):
                return self.next(seat, decision)
            case says.Commit(hand, commit):
                return self.fair_commit(seat, hand, commit)
            case says.Reveal(hand, entropy):
                return self.fair_reveal(seat, hand, bytes.fromhex(entropy))
            case says.Return():
                return self.come_back(seat)
            case says.Rematch():
                return self.want_rematch(seat)
            case says.Back(decision):
                return self.go_back(seat, decision)
        return Refused("not_here")

    def join(self, guest: str, join: says.Join) -> Refused | None:
        name = clean_name(join.name)
        if name is None:
            return Refused("bad_name", {"most": NAME_LENGTH})
        member = self.table.member_of(guest)
        if member is None:
            number = len(self.table.members)
            if number >= _MEMBERS:
                return Refused("table_full")
            member = Member(number, guest, free_name(name, self.names()), self.table.seq + 1)
            self.set(members=(*self.table.members, member))
        elif not member.connected:
            member = self.change(member, connected=True, gone_since=None)
        own = self.seat_of(member)
        if own is not None:
            self.tell("connected", member.name, own)
            return None
        free = [seat for seat, occupant in enumerate(self.table.seats) if occupant is None]
        if join.watch or self.table.phase != "lobby" or not (free or join.seat is not None):
            self.tell("watching", member.name)
            return None
        if join.seat is not None and join.seat not in free:
            return Refused("seat_taken", {"seat": join.seat})
        seat = free[0] if join.seat is None else join.seat
        self.put(seat, Person(member.number))
        self.tell("joined", member.name, seat)
        return None

    def names(self) -> list[str]:
        """The names that are taken."""
        bots = [occupant.name for occupant in self.table.seats if isinstance(occupant, Bot)]
        return bots + [member.name for member in self.table.members]

    def seat_of(self, member: Member) -> int | None:
        return self.table.seat_of(member.number)

    def change(self, member: Member, **changes: object) -> Member:
        changed = replace(member, **changes)
        members = list(self.table.members)
        members[member.number] = changed
        self.set(members=tuple(members))
        return changed

    def put(self, seat: int, occupant: Occupant) -> None:
        seats = list(self.table.seats)
        seats[seat] = occupant
        self.set(seats=tuple(seats))

    def chat(self, member: Member, text: str) -> Refused | None:
        said = clean_text(text).strip()
        if not said:
            return Refused("nothing_said")
        self.happened.append(ChatSaid(member.number, member.name, said))
        return None

    def mute(self, member: Member, other: int, on: bool) -> Refused | None:
        if other >= len(self.table.members) or other == member.number:
            return Refused("no_such_member")
        muted = member.muted | {other} if on else member.muted - {other}
        self.change(member, muted=muted)
        return None

    def in_lobby(self, member: Member, message: says.In | inputs.Driver) -> Refused | None:
        match message:
            case says.Sit(seat):
                if seat >= len(self.table.seats) or self.table.seats[seat] is not None:
                    return Refused("seat_taken", {"seat": seat})
                old = self.seat_of(member)
                if old is not None:
                    self.put(old, None)
                self.put(seat, Person(member.number))
                self.tell("sat", member.name, seat)
                return None
            case says.Stand():
                own = self.seat_of(member)
                if own is None:
                    return Refused("no_seat")
                self.put(own, None)
                self.tell("stood", member.name, own)
                return None
        if member.number != self.table.host:
            return Refused("not_host")
        match message:
            case says.AddBot(seat, level):
                return self.add_bot(seat, level)
            case says.Kick(seat):
                return self.kick(member, seat)
        return self.start()

    def add_bot(self, seat: int, level: str) -> Refused | None:
        if level not in self.table.levels:
            return Refused("no_such_level", {"levels": ", ".join(self.table.levels)})
        if seat >= len(self.table.seats) or self.table.seats[seat] is not None:
            return Refused("seat_taken", {"seat": seat})
        taken = self.names()
        name = next((name for name in BOT_NAMES if name not in taken), BOT_NAMES[0])
        name = free_name(name, taken)
        self.put(seat, Bot(level, name))
        self.tell("bot_added", name, seat)
        return None

    def kick(self, host: Member, seat: int) -> Refused | None:
        if seat >= len(self.table.seats) or self.table.seats[seat] is None:
            return Refused("seat_empty", {"seat": seat})
        if seat == self.seat_of(host):
            return Refused("not_yourself")
        name = self.table.seat_name(seat)
        self.put(seat, None)
        self.tell("seat_freed", name, seat)
        return None

    def leave(self, member: Member) -> Refused | None:
        seat = self.seat_of(member)
        if self.table.phase == "lobby" and seat is not None:
            self.put(seat, None)
        self.change(member, connected=False, gone_since=None)
        self.tell("left", member.name, seat)
        if seat is not None and self.table.phase == "playing":
            self.bot_plays_on(seat)
        self.pass_host_on()
        if self.table.phase == "over" and self.table.continued:
            self.try_rematch()
        return None

    def pass_host_on(self) -> None:
        if self.table.members[self.table.host].connected:
            return
        here = [m.number for m in self.table.members if m.connected]
        seated = [n for n in here if self.table.seat_of(n) is not None]
        if seated or here:
            self.set(host=(seated or here)[0])

    def come_back(self, seat: int) -> Refused | None:
        occupant = self.table.seats[seat]
        if not isinstance(occupant, Person) or not occupant.away or occupant.returning:
            return Refused("not_away")
        clock, match = self.table.settings.clock, self.table.match
        is_on_turn = match is not None and match.awaiting in (Turn(seat), ExtensionChoice(seat))
        # Time that has run out is not given again: the bot makes that one move.
        is_late = clock is not None and is_on_turn and self.now >= self.table.asked_at + clock
        self.put(seat, Person(occupant.member, away=is_late, returning=is_late))
        self.change(self.table.members[occupant.member], connected=True, gone_since=None)
        self.tell("returned", self.table.seat_name(seat), seat)
        self.settle_window()
        return None

    def bot_plays_on(self, seat: int) -> None:
        occupant = self.table.seats[seat]
        assert isinstance(occupant, Person)
        if occupant.away and not occupant.returning:
            return
        self.put(seat, Person(occupant.member, away=True))
        self.tell("bot_plays_on", self.table.seat_name(seat), seat)
        match = self.table.match
        if match is not None and isinstance(match.awaiting, Deal):
            self.try_deal()
        self.settle_window()

    # The match

    def start(self) -> Refused | None:
        table = self.table
        if any(occupant is None for occupant in table.seats):
            return Refused("seats_empty")
        if table.settings.practice and len(table.people()) != 1:
            return Refused("practice_is_solo")
        self.tell("started")
        self.begin_match(dealer=table.settings.players - 1)
        return None

    def begin_match(self, dealer: int) -> None:
        settings = self.table.settings
        match = new_match(
            settings.edition, settings.players, dealer=dealer, short_trip=settings.short_trip
        )
        game = Game(
            edition=settings.edition,
            players=settings.players,
            short_trip=settings.short_trip,
            dealer=dealer,
            seats=tuple(self.table.seat_name(seat) for seat in range(settings.players)),
            date=date_of(self.now),
            seed=settings.seed,
            practice=settings.practice,
        )
        hands_dealt = self.table.hands_dealt
        if self.table.fair is not None:
            # Prepared for the seats of the match before: a hand of that number is never dealt.
            hands_dealt = self.table.fair.hand
        self.set(
            phase="playing", match=match, game=game, past=(), fair=None, hands_dealt=hands_dealt
        )
        self.ask()
        self.try_deal()

    def ask(self) -> None:
        """Something new is awaited: a new decision, and time runs from now."""
        seats = tuple(
            Person(occupant.member)
            if isinstance(occupant, Person) and occupant.returning
            else occupant
            for occupant in self.table.seats
        )
        self.set(
            decision=self.table.decision + 1,
            asked_at=self.now,
            continued=frozenset(),
            hurried_at=None,
            seats=seats,
        )
        table = self.table
        match, game = table.match, table.game
        assert match is not None
        assert game is not None
        if isinstance(match.awaiting, Over):
            self.set(phase="over")
        elif table.settings.practice and self.has_choice(match):
            self.set(past=(*table.past, Checkpoint(table.decision, match, game)))

    def has_choice(self, match: Match) -> bool:
        """Is a person asked, and not only to let an attack stand?"""
        return any(
            self.table.is_played_by_person(seat) and legal_moves(match, seat) != (Decline(),)
            for seat in awaited_seats(match)
        )

    def try_deal(self) -> None:
        """Deal, if everybody has read the score and the shuffle is ready."""
        table = self.table
        match, game = table.match, table.game
        assert match is not None
        assert game is not None
        if not isinstance(match.awaiting, Deal):
            return
        waited_for = {seat for seat in table.people() if table.is_played_by_person(seat)}
        has_time = table.answer_by is None or self.now < table.answer_by
        if match.hand is not None and not waited_for <= table.continued and has_time:
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
        self.happened += events
        self.set(
            match=match,
            game=game.with_deal(cards),
            hands_dealt=hand,
            fair=None,
            dealt_fair=transcript,
            past=(),
        )
        self.ask()

    def move(
        self, member: Member, seat: int, decision: int, id_: str, token: str
    ) -> Refused | None:
        if id_ in member.ids:
            return Refused("already_done")
        match = self.table.match
        if self.table.phase != "playing" or match is None:
            return Refused("not_playing")
        if decision != self.table.decision:
            return Refused("stale_decision", {"decision": self.table.decision})
        if not self.table.is_played_by_person(seat):
            return Refused("bot_plays")
        try:
            move = parse_move(token)
        except RecordError:
            return Refused("bad_move")
        reason = why_not(match, seat, move)
        if reason is None and self.table.is_window_open and seat in self.table.continued:
            reason = Reason.of("already_answered")
        if reason is not None:
            return Refused(reason.code, reason.mapping, reason)
        self.change(member, ids=(*member.ids[-_IDS_KEPT:], id_))
        if isinstance(move, Decline):
            # Held here and not told to the rules: nobody sees who has answered.
            self.set(continued=self.table.continued | {seat})
            self.settle_window()
        else:
            self.play(seat, move)
            self.ask()
        return None

    def play(self, seat: int, move: RulesMove) -> None:
        table = self.table
        before, game = table.match, table.game
        assert before is not None
        assert game is not None
        match, events = apply(before, seat, move)
        self.happened += events
        self.set(match=match, game=game.with_move(before, seat, move, match, events))
        if isinstance(match.awaiting, (Deal, Over)):
            self.reveal_shuffle()

    def reveal_shuffle(self) -> None:
        table = self.table
        if table.dealt_fair is not None and table.game is not None:
            transcript = table.dealt_fair
            self.happened.append(FairRevealed(table.hands_dealt, transcript.to_json()))
            self.set(dealt_fair=None, game=table.game.with_transcript(transcript.to_json()))

    def settle_window(self) -> None:
        """Has every person asked pressed Continue? Then nobody waits any longer."""
        table = self.table
        if not table.is_window_open or table.phase != "playing":
            return
        assert table.match is not None
        asked = set(awaited_seats(table.match))
        if asked <= table.continued:
            self.close_window({})
            return
        people = {seat for seat in asked if table.is_played_by_person(seat)}
        has_hurry = bool(people) and people <= table.continued
        # The bots' answers are still to come: with the tick that this asks for.
        if has_hurry != (table.hurried_at is not None):
            self.set(hurried_at=self.now if has_hurry else None)

    def close_window(self, answers: Mapping[str, str]) -> None:
        """Everybody has answered, or had the time to: the bots' answers count now."""
        table = self.table
        match = table.match
        assert match is not None
        asked = awaited_seats(match)
        for seat in asked:
            if table.is_played_by_person(seat) or seat in table.continued:
                continue
            move = _answer(answers.get(str(seat)))
            if move is not None and why_not(match, seat, move) is None:
                self.play(seat, move)
                self.ask()
                return
        for seat in asked:
            self.play(seat, Decline())
        self.ask()

    def next(self, seat: int, decision: int) -> Refused | None:
        table = self.table
        match = table.match
        if table.phase != "playing" or match is None or match.hand is None:
            return Refused("not_playing")
        if decision != table.decision or not isinstance(match.awaiting, Deal):
            return Refused("stale_decision", {"decision": table.decision})
        if not table.is_played_by_person(seat):
            return Refused("bot_plays")
        if seat in table.continued:
            return Refused("already_done")
        self.set(continued=table.continued | {seat})
        self.try_deal()
        return None

    def want_rematch(self, seat: int) -> Refused | None:
        table = self.table
        if table.phase != "over":
            return Refused("not_over")
        if seat in table.continued:
            return Refused("already_done")
        occupant = table.seats[seat]
        assert isinstance(occupant, Person)
        self.put(seat, Person(occupant.member))
        self.set(continued=table.continued | {seat})
        self.tell("rematch_wanted", table.seat_name(seat), seat)
        self.try_rematch()
        return None

    def try_rematch(self) -> None:
        """Again, once everybody who is still here wants it."""
        table = self.table
        seats: list[Occupant] = []
        for seat, occupant in enumerate(table.seats):
            if isinstance(occupant, Person):
                wants = seat in table.continued
                is_here = table.members[occupant.member].connected and not occupant.away
                if is_here and not wants:
                    return
                # A bot plays for those who have gone.
                occupant = Person(occupant.member, away=not wants)  # noqa: PLW2901
            seats.append(occupant)
        self.tell("rematch")
        # Everybody moves one seat to the left; partners stay partners.
        self.set(seats=(seats[-1], *seats[:-1]))
        self.begin_match(dealer=table.settings.players - 1)

    def go_back(self, seat: int, decision: int) -> Refused | None:
        table = self.table
        if not table.settings.practice:
            return Refused("not_practice")
        if not table.is_played_by_person(seat):
            return Refused("bot_plays")
        place = next((p for p in table.past if p.decision == decision), None)
        if place is None:
            return Refused("cannot_go_back")
        kept = tuple(p for p in table.past if p.decision < decision)
        self.set(phase="playing", match=place.match, game=place.game, past=kept)
        self.tell("went_back")
        self.ask()
        return None

    # The shuffle

    def fair_commit(self, seat: int, hand: int, commit: str) -> Refused | None:
        fair = self.table.fair
        if fair is None or fair.hand != hand or fair.stage != "commit" or seat not in fair.people:
            return Refused("shuffle_moved_on")
        if seat in fair.commits:
            return Refused("already_done")
        self.set(fair=replace(fair, commits=MappingProxyType({**fair.commits, seat: commit})))
        self.tell("fair_commit", self.table.seat_name(seat), seat)
        self.move_shuffle_on()
        return None

    def fair_reveal(self, seat: int, hand: int, entropy: bytes) -> Refused | None:
        fair = self.table.fair
        if fair is None or fair.hand != hand or fair.stage != "reveal" or seat not in fair.commits:
            return Refused("shuffle_moved_on")
        if seat in fair.entropies:
            return Refused("already_done")
        if client_commit(fair.ctx, seat, fair.commit, entropy) != fair.commits[seat]:
            return Refused("wrong_reveal")
        entropies = MappingProxyType({**fair.entropies, seat: entropy})
        self.set(fair=replace(fair, entropies=entropies))
        self.move_shuffle_on()
        return None

    def move_shuffle_on(self, late: bool = False) -> None:
        """To the next stage, when all have answered or the time is up."""
        fair = self.table.fair
        assert fair is not None
        if fair.stage == "commit" and (late or len(fair.commits) == len(fair.people)):
            late = False
            fair = replace(fair, stage="reveal", deadline=self.now + FAIR_WAIT)
        if fair.stage == "reveal" and (late or len(fair.entropies) == len(fair.commits)):
            fair = replace(fair, stage="ready", deadline=None)
        self.set(fair=fair)
        if fair.stage == "ready":
            self.tell("fair_ready")
            self.try_deal()

    # The driver

    def from_driver(self, message: says.In | inputs.Driver) -> Refused | None:
        match message:
            case inputs.Seed(hand, seed):
                return self.seed(hand, bytes.fromhex(seed))
            case inputs.Thought(seat, decision, token):
                return self.thought(seat, decision, token)
            case inputs.Tick(answers):
                return self.tick(answers)
            case inputs.Arrived(guest):
                return self.connection(guest, True)
            case inputs.Gone(guest):
                return self.connection(guest, False)
            case inputs.Shift(by):
                return self.shift(by)
            case inputs.Shut(code):
                self.close(code)
                return None
        return Refused("not_here")

    def seed(self, hand: int, seed: bytes) -> Refused | None:
        needed = self.table.need_seed()
        if needed is None or needed.hand != hand:
            return Refused("not_needed")
        settings = self.table.settings
        deck = settings.edition.deck(settings.players)
        ctx = context(self.table.game_id, hand, settings.edition.id, deck)
        people = self.table.people()
        self.set(
            fair=FairRound(
                hand, ctx, seed, server_commit(ctx, seed), people, "commit", self.now + FAIR_WAIT
            )
        )
        self.move_shuffle_on()
        return None

    def thought(self, seat: int, decision: int, token: str) -> Refused | None:
        match = self.table.match
        if self.table.phase != "playing" or match is None or decision != self.table.decision:
            return Refused("stale_decision", {"decision": self.table.decision})
        if seat not in awaited_seats(match) or isinstance(match.awaiting, Window):
            return Refused("not_needed")
        if self.table.is_played_by_person(seat):
            return Refused("not_needed")
        try:
            move = parse_move(token)
        except RecordError:
            return Refused("bad_move")
        reason = why_not(match, seat, move)
        if reason is not None:
            return Refused(reason.code, reason.mapping, reason)
        self.play(seat, move)
        self.ask()
        return None

    def tick(self, answers: Mapping[str, str]) -> Refused | None:
        table = self.table
        if table.deadline is None or self.now < table.deadline:
            return Refused("nothing_due")
        if self.now >= table.idle_at:
            self.close("idle")
            return None
        if not (table.phase == "playing" and table.is_window_open):
            if table.fair is not None and self.now >= (table.fair.deadline or self.now + 1):
                self.move_shuffle_on(late=True)
            for member in table.members:
                if member.gone_since is not None and self.now >= member.gone_since + GRACE:
                    self.do_without(member)
        if self.table.decision == table.decision:
            self.time_is_up(answers)
        return None

    def do_without(self, member: Member) -> None:
        """They have been gone for too long, if anybody misses them."""
        if not self.table.is_missed(member):
            return
        self.change(member, gone_since=None)
        seat = self.seat_of(member)
        if self.table.phase == "lobby":
            self.pass_host_on()
        elif seat is not None:
            self.bot_plays_on(seat)

    def time_is_up(self, answers: Mapping[str, str]) -> None:
        table = self.table
        if table.answer_by is None or self.now < table.answer_by:
            return
        assert table.match is not None
        awaiting = table.match.awaiting
        if isinstance(awaiting, Window):
            self.close_window(answers)
        elif isinstance(awaiting, Deal):
            self.try_deal()
        else:
            self.bot_plays_on(awaited_seats(table.match)[0])

    def connection(self, guest: str, here: bool) -> Refused | None:
        member = self.table.member_of(guest)
        if member is None:
            return Refused("join_first")
        if member.connected == here:
            return Refused("not_needed")
        self.change(member, connected=here, gone_since=None if here else self.now)
        self.tell("connected" if here else "disconnected", member.name, self.seat_of(member))
        return None

    def shift(self, by: int) -> Refused | None:
        table = self.table
        fair = table.fair
        if fair is not None and fair.deadline is not None:
            fair = replace(fair, deadline=fair.deadline + by)
        members = tuple(
            m if m.gone_since is None else replace(m, gone_since=m.gone_since + by)
            for m in table.members
        )
        hurried = None if table.hurried_at is None else table.hurried_at + by
        self.set(asked_at=table.asked_at + by, fair=fair, members=members, hurried_at=hurried)
        return None

    def close(self, code: str) -> None:
        self.set(phase="closed", closed_code=code, fair=None)


def _answer(token: str | None) -> RulesMove | None:
    """A bot's coup fourré; anything else lets the attack stand."""
    if token is None:
        return None
    try:
        move = parse_move(token)
    except RecordError:
        return None
    return None if isinstance(move, Decline) else move


def resume_table(
    settings: Settings, game: Game, guest: str, levels: tuple[str, ...], now: int
) -> Outcome:
    """A practice table that goes on with a game: the person at seat 0, bots at the others.

    The bots are of the first level. A game without a deal is a new one, and dealt at once.
    Raises `RecordError` if the game does not replay.
    """
    assert settings.practice, "only practice tables begin in the middle"
    names = game.seats or ("",) * game.players
    bots = tuple(Bot(levels[0], name) for name in names[1:])
    table = Table(
        settings, "practice", levels, 0, (Member(0, guest, names[0], 0),), (Person(0), *bots), now
    )
    step = _Step(replace(table, phase="playing", match=game.start(), game=game), now)
    played = replace_record(game, deals=(), result=None)
    for recorded in replay(game):
        deals, token = played.deals, recorded.token
        if token is None:
            deals = (*deals, replace_record(game.deals[len(deals)], moves=()))
            step.set(past=(), hands_dealt=len(deals))
        else:
            deals = (*deals[:-1], replace_record(deals[-1], moves=(*deals[-1].moves, token)))
        played = replace_record(played, deals=deals)
        # As `ask` does after every move, so that the person can go back in this hand.
        step.set(match=recorded.match, game=played)
        step.ask()
    step.set(game=game)
    step.try_deal()
    return step.outcome()
