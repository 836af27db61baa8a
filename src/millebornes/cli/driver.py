"""The terminal game: a practice table in this process, one person at it, bots at the others.

The table is driven as a server would drive it; only its clock stands still while the person
thinks, so nothing is ever late. Every input is received, saved, and only then told.
"""

from datetime import datetime
from pathlib import Path

from millebornes import rules
from millebornes.bots import BOTS, STRONGEST, Bot
from millebornes.records import Game
from millebornes.records.tokens import to_text
from millebornes.rules.state import Awaiting, Deal
from millebornes.table import (
    Driver,
    In,
    Outcome,
    Refused,
    Table,
    Think,
    hint_for,
    inputs,
    messages_in,
    messages_out,
    receive,
    resume_table,
)
from millebornes.words import Names, Words

from .asking import Asker, Leave
from .saving import save
from .setup import PERSON, Wishes, bot_for, default_names, prepare, settings_of
from .telling import Screen, Teller
from .trouble import Trouble, reading_from

__all__ = ["play_game"]

_INTERRUPTED = 130
_GUEST = "person"


def play_game(wishes: Wishes, screen: Screen, words: Words) -> int:
    """Play until the match is over or the person leaves; the exit code."""
    level, make_bot = bot_for(wishes.bot, words)
    record, path = prepare(wishes, words, datetime.now().astimezone())
    settings = settings_of(record, words)
    with reading_from(str(path), words):
        opened = resume_table(settings, record, _GUEST, (level,), now=0)
    session = _Session(Teller(screen, words, _names(record, words)), make_bot(), path, opened.table)
    try:
        session.run(opened, resumed=wishes.resume)
    except (Leave, EOFError):
        session.leave()
    except KeyboardInterrupt:
        session.leave()
        return _INTERRUPTED
    return 0


class _Session:
    """One sitting at the table."""

    def __init__(self, teller: Teller, bot: Bot, path: Path, table: Table) -> None:
        self.teller = teller
        self.asker = Asker(teller, self.hint)
        self.bot = bot
        self.path = path
        self.table = table
        self.now = 0
        """The table's time: it moves only where there is nobody to wait for."""

    def run(self, opened: Outcome, *, resumed: bool) -> None:
        self.save()
        assert self.table.match is not None
        self.teller.greet(self.table.match, self.table.settings.seed, resumed=resumed)
        if resumed and not opened.happened:
            self.teller.remind(self.table.match)
        self.tell(opened, None)
        while self.table.phase == "playing":
            self.go_on()
        self.teller.say_farewell(self.table.match, self.path)

    def go_on(self) -> None:
        """One input, of whoever is awaited: a bot, the person, or time."""
        thinks = self.table.thinks()
        turn = next((think for think in thinks if think.purpose == "turn"), None)
        if turn is not None:
            self.put(None, inputs.Thought(turn.seat, turn.decision, self.think(turn)))
        elif self.is_person_awaited():
            self.put(_GUEST, self.ask_person())
        else:
            assert self.table.deadline is not None
            self.now = max(self.now, self.table.deadline)
            answers = {str(think.seat): self.think(think) for think in thinks}
            self.put(None, inputs.Tick(answers))

    def think(self, think: Think) -> str:
        return to_text(self.bot.choose(think.view))

    def is_person_awaited(self) -> bool:
        table = self.table
        assert table.match is not None
        if isinstance(table.match.awaiting, Deal):
            return True
        is_asked = PERSON in rules.awaited_seats(table.match) and PERSON not in table.declined
        # With nothing to answer and nobody to hide it from, a window is over as it opens.
        return is_asked and (table.answer_by is None or self.now < table.answer_by)

    def ask_person(self) -> In:
        table = self.table
        assert table.match is not None
        earlier = [place.decision for place in table.past if place.decision < table.decision]
        view = rules.view(table.match, PERSON)
        answer = self.asker.ask(view, can_go_back=bool(earlier))
        if answer == "back":
            return messages_in.Back(earlier[-1])
        if answer == "next":
            return messages_in.Next(table.decision)
        return messages_in.Move(table.decision, f"move-{table.seq}", to_text(answer))

    def hint(self) -> str:
        """A move, and why."""
        words, names = self.teller.words, self.teller.names
        think = hint_for(self.table, _GUEST, self.table.decision)
        if isinstance(think, Refused):
            return words.sentence(think)
        advice = BOTS[STRONGEST]().explain(think.view)
        reason = words.sentence(advice, names)
        return f"{self.teller.name_move(advice.move)} {reason}"

    def put(self, guest: str | None, message: In | Driver) -> None:
        """One input: the table takes it, the record is saved, what happened is told."""
        before = self.table.match
        outcome = receive(self.table, guest, message, self.now)
        refused = outcome.refused
        assert refused is None, f"the table refused {message}: {refused}"
        self.table = outcome.table
        self.save()
        self.tell(outcome, None if before is None else before.awaiting)

    def tell(self, outcome: Outcome, before: Awaiting | None) -> None:
        assert outcome.table.match is not None
        told = {event.code for event in outcome.happened if isinstance(event, messages_out.Told)}
        if "went_back" in told:
            self.teller.say(self.teller.words.say("went_back"))
        events = [event for event in outcome.happened if isinstance(event, rules.Event)]
        self.teller.tell(events, outcome.table.match, before)

    def save(self) -> None:
        assert self.table.game is not None
        try:
            save(self.path, self.table.game)
        except OSError as error:
            problem = error.strerror or str(error)
            words = self.teller.words
            raise Trouble(words.say("cannot_save", file=str(self.path), problem=problem)) from None

    def leave(self) -> None:
        self.save()  # Ctrl-C may have come between a move and its saving
        self.teller.say_how_to_resume(self.path)


def _names(record: Game, words: Words) -> Names:
    """The names as recorded; a person who gave none is simply "you"."""
    sides = record.edition.sides_at(record.players)
    seats = list(record.seats or words.numbered(record.players, sides).seats)
    if not record.seats or seats[PERSON] in default_names():
        seats[PERSON] = words.you
    return words.named(seats, sides, PERSON)
