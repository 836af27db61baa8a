"""A table driven by a test: its inputs, its own clock, and everything it showed."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from millebornes.bots import SundayDriver
from millebornes.fair.protocol import client_commit
from millebornes.records import position
from millebornes.records.tokens import to_text
from millebornes.rules import EDITIONS, Edition, view
from millebornes.table import (
    Driver,
    In,
    Outcome,
    Settings,
    frame,
    inputs,
    open_table,
    picture,
    receive,
)
from millebornes.table import messages_in as says
from millebornes.table import messages_out as out

LEVEL = "sunday-driver"
START = 1_000_000
BOT = SundayDriver()
PRINTED = EDITIONS["winning-moves"]
QUICK = PRINTED.house({"hands": 1, "tie": "drawn"})
"""One hand is a match."""
ATTACK = "turn: 0\nbattle 1: ROLL\nhand 0: STOP 25 25\n"
"""A position for two in which seat 0 can attack seat 1."""
HELD = "hand 1: ROW 25\n"
NOT_HELD = "hand 1: 25 25\n"
"""The attacked hand, with the safety and without."""
_json = msgspec.json.Encoder()


def table_settings(edition: Edition = PRINTED, players: int = 2, **more: Any) -> Settings:
    return Settings(edition=edition, players=players, **more)


def server_seed(hand: int, flavour: str = "") -> str:
    return hashlib.sha512(f"server {hand} {flavour}".encode()).hexdigest()


def entropy_of(guest: str, hand: int) -> bytes:
    return hashlib.sha256(f"{guest} {hand}".encode()).digest()


class DrivenTable:
    """One table, the people at it and its driver."""

    def __init__(self, settings: Settings, flavour: str = "") -> None:
        self.first = open_table(settings, "game-1", (LEVEL,), START)
        self.table = self.first
        self.now = START
        self.flavour = flavour
        self.log: list[tuple[str | None, In | Driver, int]] = []
        self.outcomes: list[Outcome] = []
        self._moves = 0

    def phase(self) -> str:
        return self.table.phase

    def awaiting(self) -> object:
        assert self.table.match is not None
        return self.table.match.awaiting

    # Inputs

    def put(self, guest: str | None, message: In | Driver) -> Outcome:
        """Give the table an input; a refused one changes nothing."""
        before = self.table
        outcome = receive(before, guest, message, self.now)
        if outcome.refused is not None:
            assert outcome.table is before
            assert outcome.happened == ()
            return outcome
        self.log.append((guest, message, self.now))
        self.outcomes.append(outcome)
        self.table = outcome.table
        return outcome

    def say(self, guest: str, message: In) -> Outcome:
        """A message that must be accepted."""
        outcome = self.put(guest, message)
        assert outcome.refused is None, outcome.refused
        return outcome

    def drive(self, message: Driver) -> Outcome:
        outcome = self.put(None, message)
        assert outcome.refused is None, outcome.refused
        return outcome

    def refusal(self, guest: str | None, message: In | Driver) -> str:
        """The code of the refusal of an input that must be refused."""
        outcome = self.put(guest, message)
        assert outcome.refused is not None
        return outcome.refused.code

    def move(self, guest: str, token: str) -> Outcome:
        self._moves += 1
        return self.say(guest, says.Move(self.table.decision, f"m{self._moves}", token))

    # People

    def join(self, *guests: str) -> "DrivenTable":
        for guest in guests:
            self.say(guest, says.Join(guest.capitalize()))
        return self

    def bots(self, *seats: int) -> "DrivenTable":
        host = self.table.members[self.table.host].guest
        for seat in seats:
            self.say(host, says.AddBot(seat, LEVEL))
        return self

    def start(self) -> "DrivenTable":
        host = self.table.members[self.table.host].guest
        self.say(host, says.Start())
        self.shuffle()
        return self

    def guest_at(self, seat: int) -> str | None:
        """The person who plays this seat; None: a bot does."""
        if not self.table.is_played_by_person(seat):
            return None
        member = next(m for m in self.table.members if self.table.seat_of(m.number) == seat)
        return member.guest

    def shuffle(self) -> None:
        """Complete the shuffle that is due, if any: everybody takes part."""
        needed = self.table.need_seed()
        if needed is not None:
            self.drive(inputs.Seed(needed.hand, server_seed(needed.hand, self.flavour)))
        for stage in ("commit", "reveal"):
            for seat in () if self.table.fair is None else self.table.fair.people:
                fair = self.table.fair
                guest = self.guest_at(seat)
                if guest is None or fair is None or fair.stage != stage:
                    continue
                if seat in (fair.commits if stage == "commit" else fair.entropies):
                    continue
                entropy = entropy_of(guest, fair.hand)
                commit = client_commit(fair.ctx, seat, fair.commit, entropy)
                if stage == "commit":
                    self.say(guest, says.Commit(fair.hand, commit))
                elif fair.commits.get(seat) == commit:  # else nothing they know would be accepted
                    self.say(guest, says.Reveal(fair.hand, entropy.hex()))

    # Time

    def wait(self, milliseconds: int) -> None:
        """Let time pass, with a tick at every deadline on the way."""
        end = self.now + milliseconds
        while self.table.deadline is not None and self.table.deadline <= end:
            self.now = max(self.now, self.table.deadline)
            self.tick()
        self.now = end

    def tick(self) -> Outcome:
        answers = {
            str(think.seat): to_text(BOT.choose(think.view))
            for think in self.table.thinks()
            if think.purpose == "answer"
        }
        return self.drive(inputs.Tick(answers))

    def let_bots_play(self) -> int:
        """Bots make their moves until a person or time is awaited; how many they made."""
        made = 0
        while thinks := [think for think in self.table.thinks() if think.purpose == "turn"]:
            self.now = max(self.now, thinks[0].not_before)
            think = thinks[0]
            self.drive(inputs.Thought(think.seat, think.decision, to_text(BOT.choose(think.view))))
            made += 1
        return made

    def play_on(self) -> None:
        """One thing happens: the shuffle, a bot's move, a person's sensible move, or time."""
        self.shuffle()
        if self.let_bots_play():
            return
        for seat in range(self.table.settings.players):
            guest = self.guest_at(seat)
            if guest is None:
                continue
            shown = self.view(guest)
            if shown.asked is not None and shown.asked.what == "next":
                if seat not in self.table.read:
                    self.say(guest, says.Next(shown.asked.decision))
                    return
            elif shown.hand is not None and shown.hand.legal_moves:
                self.move(guest, self.choice(seat))
                return
        deadline = self.table.deadline
        assert deadline is not None
        self.now = max(self.now, deadline)
        self.tick()

    def choice(self, seat: int) -> str:
        assert self.table.match is not None
        return to_text(BOT.choose(view(self.table.match, seat)))

    def play_to_the_end(self) -> "DrivenTable":
        while self.table.phase == "playing":
            self.play_on()
        return self

    # Views

    def view(self, guest: str | None) -> out.TableView:
        return picture(self.table, guest)

    def hand(self, guest: str | None) -> out.HandView:
        """The hand that is being played, as one viewer may know it."""
        found = self.view(guest).hand
        assert found is not None
        return found

    def frames(self, guest: str | None) -> list[bytes]:
        """Every frame of one viewer so far, as it would be sent."""
        return [_json.encode(frame(o.table, o.happened, guest)) for o in self.outcomes]

    def told(self) -> list[str]:
        """The codes of the notices that came with the last input."""
        return [event.code for event in self.outcomes[-1].happened if isinstance(event, out.Told)]

    # Positions

    def at(self, text: str) -> "DrivenTable":
        """Replace the match with a position, for tests that need one."""
        match = position.from_text(f"edition: {PRINTED.id}\n{text}")
        assert self.table.game is not None
        self.table = replace(self.table, match=match, asked_at=self.now)
        return self


def replayed(driven: DrivenTable) -> DrivenTable:
    """A new table with the same inputs, from the first."""
    again = DrivenTable(driven.table.settings, driven.flavour)
    for guest, message, now in driven.log:
        again.now = now
        outcome = again.put(guest, message)
        assert outcome.refused is None
    return again


def attack_on_person(held: str) -> DrivenTable:
    """A table where Ann has just attacked Bob, who holds this."""
    driven = DrivenTable(table_settings()).join("ann", "bob").start().at(ATTACK + held)
    driven.move("ann", "STOP>1")
    return driven
