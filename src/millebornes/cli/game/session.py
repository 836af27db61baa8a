"""One sitting at the terminal: a practice table with one person and bots.

The table is driven as a server drives it, but its clock stands still while the person thinks, so
no deadline ever passes. The record is saved after every input, before anything is printed.
"""

from datetime import datetime
from pathlib import Path

from millebornes import rules
from millebornes.bots import BOTS, LEVELS, strongest
from millebornes.cli.errors import CommandError, file_errors
from millebornes.cli.options import bot_named, failure_told
from millebornes.plugins import BotFailure, Entrant
from millebornes.records.tokens import to_text
from millebornes.rules.state import Awaiting, Deal, Over
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
from millebornes.words import Words

from .ladder import read_ladder, write_ladder
from .narrator import Narrator, Screen
from .opponent import Opponent
from .prompt import Prompt, Quit
from .setup import (
    PERSON,
    PlayOptions,
    level_in,
    names_at,
    prepare,
    settings_of,
    with_level,
)
from .storage import save

__all__ = ["play_game"]

_INTERRUPTED = 130
_GUEST = "person"


def play_game(options: PlayOptions, screen: Screen, words: Words) -> int:
    """Play until the match is over or the person quits. Return the exit code."""
    asked = None if options.bot is None else bot_named(options.bot, words)
    record, path = prepare(options, words, datetime.now().astimezone())
    entrant = asked or bot_named(level_in(record) or read_ladder().level, words)
    level = entrant.name
    record = with_level(record, level)
    with file_errors(str(path), words):
        opened = resume_table(settings_of(record), record, _GUEST, (level,), now=0)
    words = words.of(record.edition)
    narrator = Narrator(screen, words, names_at(record, words))
    opponent = _opponent(entrant, narrator)
    session = _Session(narrator, level, opponent, path, opened.table)
    try:
        session.run(opened, resumed=options.resume)
    except (Quit, EOFError):
        session.leave()
    except KeyboardInterrupt:
        session.leave()
        return _INTERRUPTED
    finally:
        opponent.close()
    return 0


def _opponent(entrant: Entrant, narrator: Narrator) -> Opponent:
    words = narrator.words

    def tell(failure: BotFailure) -> None:
        # Without its detail, which may tell the bot's cards.
        narrator.say(words.say("bot_replaced", problem=words.sentence(failure)))

    try:
        return Opponent(entrant, tell)
    except BotFailure as failure:
        raise CommandError(words.say("bot_failed", problem=failure_told(failure, words))) from None


class _Session:
    """One sitting at the table."""

    def __init__(
        self, narrator: Narrator, level: str, bot: Opponent, path: Path, table: Table
    ) -> None:
        self.narrator = narrator
        self.prompt = Prompt(narrator, self.hint)
        self.level = level
        self.bot = bot
        self.path = path
        self.table = table
        self.now = 0
        """The table's clock. It advances only when the table is not waiting for the person."""
        self.reactions: tuple[object, ...] = ()
        self.is_engine_ready = False

    def run(self, opened: Outcome, *, resumed: bool) -> None:
        self.save()
        if self.level in LEVELS:
            write_ladder(read_ladder().met(self.level))
        assert self.table.match is not None
        seed = self.table.settings.seed
        self.narrator.greet(self.table.match, self.level, seed, resumed=resumed)
        if resumed and not opened.happened:
            self.narrator.remind(self.table.match)
        self.tell(opened, None)
        while self.table.phase == "playing":
            self.advance()
        self.narrator.say_winner(self.table.match)
        self.narrator.tell_reactions(self.reactions)
        self.count_win()
        self.narrator.say_where_saved(self.path)

    def count_win(self) -> None:
        """Count a match that the person has won, and offer the next level after some."""
        match = self.table.match
        assert match is not None
        if match.awaiting != Over(match.side_of(PERSON)) or self.level not in LEVELS:
            return
        ladder = read_ladder().won(self.level)
        write_ladder(ladder)
        stronger = ladder.offered(self.level)
        if stronger is not None:
            self.narrator.offer_level(self.level, ladder.wins[self.level], stronger)

    def advance(self) -> None:
        """Give the table the input that it waits for: a bot's move, the person's, or the time."""
        thinks = self.table.thinks()
        turn = next((think for think in thinks if think.purpose == "turn"), None)
        if turn is not None:
            self.put(None, inputs.Thought(turn.seat, turn.decision, self.think(turn)))
        elif self.is_waiting_for_person():
            self.put(_GUEST, self.ask_person())
        else:
            assert self.table.deadline is not None
            self.now = max(self.now, self.table.deadline)
            answers = {str(think.seat): self.think(think) for think in thinks}
            self.put(None, inputs.Tick(answers))

    def think(self, think: Think) -> str:
        self.announce_engine(self.level)
        return to_text(self.bot.choose(think.view))

    def is_waiting_for_person(self) -> bool:
        table = self.table
        assert table.match is not None
        if isinstance(table.match.awaiting, Deal):
            return True
        is_asked = PERSON in rules.awaited_seats(table.match) and PERSON not in table.declined
        # A window closes at once if the person has no answer and there is nobody to hide that from.
        return is_asked and (table.answer_by is None or self.now < table.answer_by)

    def ask_person(self) -> In:
        table = self.table
        assert table.match is not None
        earlier = [place.decision for place in table.past if place.decision < table.decision]
        view = rules.view(table.match, PERSON)
        answer = self.prompt.ask(view, can_go_back=bool(earlier))
        if answer == "back":
            return messages_in.Back(earlier[-1])
        if answer == "next":
            return messages_in.Next(table.decision)
        return messages_in.Move(table.decision, f"move-{table.seq}", to_text(answer))

    def hint(self) -> str:
        """A move to make, and the reason for it."""
        words, names = self.narrator.words, self.narrator.names
        think = hint_for(self.table, _GUEST, self.table.decision)
        if isinstance(think, Refused):
            return words.sentence(think)
        self.announce_engine(strongest())
        advice = BOTS[strongest()]().explain(think.view)
        reason = words.sentence(advice, names)
        return f"{self.narrator.name_move(advice.move)} {reason}"

    def announce_engine(self, level: str) -> None:
        """Print, once, why the first move of a level that needs the engine takes a while."""
        if not self.is_engine_ready and level in LEVELS and LEVELS[level].needs_kernel:
            self.is_engine_ready = True
            self.narrator.say(self.narrator.words.say("preparing_engine"))

    def put(self, guest: str | None, message: In | Driver) -> None:
        """Give the table one input, save the record, then print what happened."""
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
            self.narrator.say(self.narrator.words.say("went_back"))
        events = [event for event in outcome.happened if isinstance(event, rules.Event)]
        self.narrator.tell(events, outcome.table.match, before)
        self.reactions = outcome.happened
        if outcome.table.phase == "playing":  # else after the name of the winner
            self.narrator.tell_reactions(self.reactions)

    def save(self) -> None:
        assert self.table.game is not None
        try:
            save(self.path, self.table.game)
        except OSError as error:
            problem = error.strerror or str(error)
            words = self.narrator.words
            sentence = words.say("cannot_save", file=str(self.path), problem=problem)
            raise CommandError(sentence) from None

    def leave(self) -> None:
        self.save()  # Ctrl-C may have come after a move and before the save
        self.narrator.say_how_to_resume(self.path)
