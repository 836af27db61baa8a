"""Random inputs from people, bots and the driver: sensible ones and nonsense."""

import random

from millebornes.records.tokens import to_text
from millebornes.rules import Card, awaited_seats, legal_moves
from millebornes.table import EMOTES, In, inputs
from millebornes.table import messages_in as says

from .driven_table import LEVEL, DrivenTable

GUESTS = ("g-ann", "g-bob", "g-cem", "g-dee", "g-eve", "g-fay", "g-gus")
_TOKENS = (
    *(card.value for card in Card),
    *(f"x{card.value}" for card in Card),
    *(f"{hazard}>{side}" for hazard in ("STOP", "LIM", "ACC", "FLAT", "OUT") for side in range(4)),
    *("ACE!", "TANK!", "PROOF!", "ROW!", "-", "ext", "end", "", "x", ">", "zz", "25>0", "é"),
)
_TEXTS = ("hello", " ", "\u202e", "e\u0301", "<b>&", "x" * 500, "a\nb", "\ud800")


class RandomInputs:
    """Chooses the next input; the same seed gives the same inputs."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self._ids = 0

    def act(self, driven: DrivenTable) -> None:
        """Try one random input."""
        rng = self.rng
        driven.now += rng.choice((0, 0, 1, 50, 900, 4000, 12_000))
        act = rng.random()
        if act < 0.30 and driven.table.phase == "playing":
            driven.play_on()
        elif act < 0.75:
            driven.put(rng.choice(GUESTS), self.message(driven))
        elif act < 0.80 and driven.table.phase == "lobby":
            self.fill(driven)
        elif act < 0.86:
            driven.wait(rng.choice((0, 1000, 5000, 70_000, 200_000)))
        else:
            driven.put(None, self.driver(driven))

    def fill(self, driven: DrivenTable) -> None:
        """Everything that a start needs."""
        table = driven.table
        if not table.members:
            driven.say("g-ann", says.Join("Ann"))
        host = driven.table.members[driven.table.host].guest
        for seat, occupant in enumerate(driven.table.seats):
            if occupant is None:
                driven.say(host, says.AddBot(seat, LEVEL))
        driven.put(host, says.Start())

    def decision(self, driven: DrivenTable) -> int:
        return max(0, driven.table.decision + self.rng.choice((0, 0, 0, 0, -1, -3, 1)))

    def awaited(self, driven: DrivenTable) -> int:
        match = driven.table.match
        seats = () if match is None else awaited_seats(match)
        return self.rng.choice((*seats, *seats, self.rng.randrange(8)))

    def token(self, driven: DrivenTable) -> str:
        match = driven.table.match
        if match is not None and match.hand is not None and self.rng.random() < 0.5:
            moves = [m for seat in awaited_seats(match) for m in legal_moves(match, seat)]
            if moves:
                return to_text(self.rng.choice(moves))
        return self.rng.choice(_TOKENS)

    def message(self, driven: DrivenTable) -> In:
        rng = self.rng
        seat = rng.randrange(8)
        hand = max(0, driven.table.hands_dealt + rng.choice((0, 1, 1, 2)))
        hexes = rng.choice(("0" * 64, "ab" * 32))
        self._ids += rng.choice((0, 1, 1, 1))
        options: list[In] = [
            says.Join(rng.choice(("Ann", "Bob", "x" * 64, "\u200b")), rng.choice((None, seat))),
            says.Join("Zoe", None, True),
            says.Sit(seat),
            says.Stand(),
            says.AddBot(seat, rng.choice((LEVEL, LEVEL, "nobody"))),
            says.Kick(seat),
            says.SendAway(rng.randrange(9)),
            says.LetBotPlay(self.awaited(driven), self.decision(driven)),
            says.LetBotPlay(self.awaited(driven), driven.table.decision),
            says.Start(),
            says.Move(self.decision(driven), f"id{self._ids}", self.token(driven)),
            says.Move(self.decision(driven), f"id{self._ids}", self.token(driven)),
            says.Move(driven.table.decision, f"id{self._ids}", "-"),
            says.Next(self.decision(driven)),
            says.Commit(hand, hexes),
            says.Reveal(hand, hexes),
            says.Chat(rng.choice(_TEXTS)),
            says.Emote(rng.choice((*EMOTES, "none"))),
            says.Mute(rng.randrange(9), rng.choice((True, False))),
            says.MuteBot(seat, rng.choice((True, False))),
            says.Return(),
            says.Return(),
            says.Leave(),
            says.Rematch(),
            says.Hint(self.decision(driven)),
            says.Back(self.decision(driven)),
            says.Back(max(0, driven.table.decision - rng.randrange(12))),
        ]
        return rng.choice(options)

    def driver(self, driven: DrivenTable) -> inputs.Driver:
        rng = self.rng
        guest = rng.choice(GUESTS)
        options: list[inputs.Driver] = [
            inputs.Seed(driven.table.hands_dealt + rng.choice((0, 1)), "5a" * 64),
            inputs.Thought(rng.randrange(-1, 9), self.decision(driven), self.token(driven)),
            inputs.Replaced(rng.randrange(-1, 9), self.decision(driven), LEVEL),
            inputs.Tick({str(seat): self.token(driven) for seat in range(rng.randrange(5))}),
            inputs.Arrived(guest),
            inputs.Gone(guest),
            inputs.Shift(rng.choice((0, 1000, 100_000))),
        ]
        if rng.random() < 0.01:
            options = [inputs.Shut("operator")]
        return rng.choice(options)
