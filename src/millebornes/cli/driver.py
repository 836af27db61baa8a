"""The loop of the terminal game: whose move it is, asking, saving, telling.

All state changes go through `_make` and `_deal`: apply, save, and only then tell.
"""

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from rich.text import Text

from millebornes import rules
from millebornes.bots import Bot
from millebornes.fair import key_from_seed, shuffled
from millebornes.records import Game, replay
from millebornes.rules import Card, Event, Match, Move, Play, View
from millebornes.rules.events import Drawn, HandEnded, MatchEnded, Passed
from millebornes.rules.moves import Decline
from millebornes.rules.state import Awaiting, Deal, ExtensionChoice, Over, Turn, Window
from millebornes.words import Names, Words

from .advice import draw_help, draw_stakes
from .drawing import draw_hand, draw_table
from .guard import doubt, winning_card
from .layout import paragraph
from .listing import draw_edition
from .reading import (
    ChooseTarget,
    Command,
    Do,
    Explain,
    Intention,
    Make,
    Refused,
    Unclear,
    read,
    read_command,
    read_target,
    read_yes_or_no,
)
from .saving import save
from .setup import PERSON, Wishes, bot_for, default_names, prepare
from .sheets import draw_sheet
from .trouble import Trouble, reading_from

__all__ = ["play_game"]

_INTERRUPTED = 130
_REMINDERS = 6  # events told again to a person who comes back


class _Leave(Exception):  # noqa: N818 (leaving is no error)
    """The person wants to stop here."""


class Screen(Protocol):
    """What the loop needs of a screen."""

    @property
    def width(self) -> int:
        """Columns to draw in."""
        ...

    def show(self, lines: Sequence[Text | str]) -> None:
        """Print lines."""
        ...

    def ask(self, question: str) -> str:
        """Read one line. EOFError when there is no more."""
        ...


def play_game(wishes: Wishes, screen: Screen, words: Words) -> int:
    """Play until the match is over or the person leaves; the exit code."""
    bot = bot_for(wishes.bot, words)()
    record, path = prepare(wishes, words, datetime.now().astimezone())
    match = record.start()
    with reading_from(str(path), words):
        for step in replay(record):
            match = step.match
    session = _Session(screen, words, bot, record=record, path=path, match=match)
    try:
        session.run(resumed=wishes.resume)
    except (_Leave, EOFError):
        session.say_how_to_resume()
    except KeyboardInterrupt:
        session.say_how_to_resume()
        return _INTERRUPTED
    return 0


class _Session:
    """One sitting at the table."""

    def __init__(
        self, screen: Screen, words: Words, bot: Bot, *, record: Game, path: Path, match: Match
    ) -> None:
        self.screen = screen
        self.words = words
        self.bot = bot
        self.record = record
        self.path = path
        self.match = match
        self.names = _names(record, words)

    def run(self, *, resumed: bool) -> None:
        self.save()
        self.greet(resumed=resumed)
        while not isinstance(self.match.awaiting, Over):
            awaiting = self.match.awaiting
            if isinstance(awaiting, Deal):
                if self.match.hand is not None:
                    self.wait_for_next_hand()
                self.deal()
            elif isinstance(awaiting, Window):
                # The person first, so that nothing can be read from who was asked when.
                person_asked = PERSON in awaiting.open_to
                self.move_of(PERSON if person_asked else awaiting.open_to[0])
            elif isinstance(awaiting, Turn | ExtensionChoice):
                self.move_of(awaiting.seat)
        self.say_farewell()

    # The game

    def deal(self) -> None:
        deck = self.match.edition.deck(self.match.players)
        number = self.match.hand.number + 1 if self.match.hand else 1
        assert self.record.seed is not None
        order = shuffled(key_from_seed(self.record.seed, number), len(deck))
        self.match, events = rules.deal(self.match, order)
        self.record = self.record.with_deal([deck[index] for index in order])
        self.save()
        self.tell(events)

    def move_of(self, seat: int) -> None:
        view = rules.view(self.match, seat)
        self.make(seat, self.ask_person(view) if seat == PERSON else self.bot.choose(view))

    def make(self, seat: int, move: Move) -> None:
        before = self.match
        self.match, events = rules.apply(before, seat, move)
        self.record = self.record.with_move(before, seat, move, self.match, events)
        self.save()
        self.tell(events, attacked=before.awaiting)

    def save(self) -> None:
        try:
            save(self.path, self.record)
        except OSError as error:
            problem = error.strerror or str(error)
            raise Trouble(
                self.words.say("cannot_save", file=str(self.path), problem=problem)
            ) from None

    # Asking

    def ask_person(self, view: View) -> Move:
        window = view.awaiting if isinstance(view.awaiting, Window) else None
        forced = view.legal_moves == (Decline(),)
        if window is not None and forced and len(view.seats_of(PERSON % view.sides)) == 1:
            return Decline()  # alone and with nothing to answer: the window closes at once
        if window is None or not forced:
            self.show_table(view)
        self.show_stakes(view)
        while True:
            intention = read(self.screen.ask(self.question(view)), view, self.names)
            move = self.carry_out(intention, view)
            if move is not None and self.is_sure(view, move):
                return move

    def question(self, view: View) -> str:
        if isinstance(view.awaiting, Window):
            if view.legal_moves == (Decline(),):
                return self.words.say("ask_continue")
            return self.words.say("ask_coup_fourre")
        if isinstance(view.awaiting, ExtensionChoice):
            return self.words.say("ask_extension")
        return self.words.say("ask_move")

    def carry_out(self, intention: Intention, view: View) -> Move | None:
        """Answer the person; the move, if it comes to one."""
        match intention:
            case Make(move):
                return move
            case ChooseTarget(card, sides):
                return self.choose_target(card, sides, view)
            case Refused(reasons):
                self.say(*dict.fromkeys(self.words.reason(r, self.names) for r in reasons))
            case Explain(card, reasons):
                if any(isinstance(m, Play) and m.card is card for m in view.legal_moves):
                    self.say(self.words.say("can_be_played", card=self.words.card(card)))
                self.say(*dict.fromkeys(self.words.reason(r, self.names) for r in reasons))
            case Do(command):
                self.obey(command, view)
            case Unclear():
                self.say(self.say_unclear(intention, view))
        return None

    def choose_target(self, card: Card, sides: tuple[int, ...], view: View) -> Move | None:
        listed = ", ".join(f"{side} {self.names.sides[side]}" for side in sides)
        question = self.words.say("ask_target", card=self.words.card(card), names=listed)
        while True:
            answer = self.screen.ask(question)
            if not answer.strip():
                self.say(self.words.say("nothing_done"))
                return None
            command = read_command(answer)
            if command is not None:
                self.obey(command, view)
                continue
            side = read_target(answer, view, self.names, sides)
            if side is not None:
                return Play(card, side)

    def is_sure(self, view: View, move: Move) -> bool:
        kind = doubt(view, move)
        if kind is None:
            return True
        if kind == "safety":
            edition = view.edition
            assert isinstance(move, rules.Discard)
            question = self.words.say(
                "sure_safety",
                card=self.words.card(move.card),
                points=edition.safety_points,
                more=edition.coup_fourre_points,
            )
        else:
            winning = winning_card(view)
            assert winning is not None
            question = self.words.say("sure_winning", card=self.words.card(winning))
        while True:
            text = self.screen.ask(question)
            if read_command(text) == "quit":
                raise _Leave
            answer = read_yes_or_no(text)
            if answer is not None:
                return answer

    def wait_for_next_hand(self) -> None:
        hand = self.match.hand
        assert hand is not None
        while True:
            text = self.screen.ask(self.words.say("ask_next_hand"))
            if not text.strip():
                return
            command = read_command(text)
            if command is None:
                self.say(self.words.say("unclear_next_hand"))
            else:
                self.obey(command, rules.view(self.match, PERSON))

    # Telling

    def say(self, *sentences: str) -> None:
        for sentence in sentences:
            self.screen.show(paragraph(sentence, self.screen.width))

    def say_unclear(self, unclear: Unclear, view: View) -> str:
        words = self.words
        if isinstance(view.awaiting, ExtensionChoice):
            return words.say("unclear_extension")
        if isinstance(view.awaiting, Window):
            if view.legal_moves == (Decline(),):
                return words.say("unclear_continue")
            return words.say("unclear_coup_fourre")
        if unclear.problem == "ambiguous":
            cards = ", ".join(words.card(card) for card in unclear.cards)
            return words.say("ambiguous", text=unclear.text, cards=cards)
        if unclear.problem == "which_card":
            return words.say("which_card")
        if unclear.problem == "whom":
            others = [n for side, n in enumerate(self.names.sides) if side != view.side]
            return words.say("whom", text=unclear.text, names=", ".join(others))
        if unclear.problem == "no_number":
            return words.say("no_number", text=unclear.text, count=len(view.hand))
        if unclear.problem == "unknown":
            return words.say("unknown", text=unclear.text)
        return words.say("empty_line")

    def obey(self, command: Command, view: View) -> None:
        width = self.screen.width
        if command == "quit":
            raise _Leave
        if command == "help":
            self.screen.show(draw_help(view, self.words, width))
        elif command == "score":
            self.show_score(view)
        elif command == "log":
            told = self.words.events(_worth_telling(view.history), self.names)
            self.say(*told)
        elif command == "rules":
            self.screen.show(draw_edition(view.edition, self.words, width))
        else:
            self.show_table(view)

    def show_table(self, view: View) -> None:
        width = self.screen.width
        self.screen.show([""])
        self.screen.show(draw_table(view, self.names, self.words, width))
        if view.hand:
            self.screen.show(draw_hand(view, self.names, self.words, width))

    def show_stakes(self, view: View) -> None:
        self.screen.show(draw_stakes(view, self.names, self.words, self.screen.width))

    def show_score(self, view: View) -> None:
        if view.sheets is not None:
            sheet = draw_sheet(view.sheets, view.forward, self.names, self.words, self.screen.width)
            self.screen.show(sheet)
            return
        goal = view.edition.hands
        if goal:
            self.say(self.words.say("score_hands", number=view.number, hands=goal))
        else:
            self.say(self.words.say("score_target", target=view.edition.target))
        for side, total in enumerate(view.totals):
            miles = view.tableaux[side].miles
            name = self.names.sides[side]
            self.say(self.words.say("score_side", side=name, points=total, miles=miles))

    def tell(self, events: Sequence[Event], attacked: Awaiting | None = None) -> None:
        """What happened, as the person may know it.

        That an attack was not answered is news only to a person who made it.
        """
        own_attack = isinstance(attacked, Window) and attacked.attacker == PERSON
        seen = _worth_telling([rules.cut(event, PERSON) for event in events])
        told = [
            event
            for event in seen
            if not isinstance(event, MatchEnded) and (own_attack or not isinstance(event, Passed))
        ]
        self.say(*self.words.events(told, self.names))
        if any(isinstance(event, HandEnded) for event in events):
            self.screen.show([""])
            self.show_score(rules.view(self.match, PERSON))
            self.screen.show([""])

    def greet(self, *, resumed: bool) -> None:
        words, edition = self.words, self.match.edition
        self.say(
            words.say(
                "greeting",
                edition=edition.name,
                players=self.match.players,
                trip=self.match.trip,
            ),
            words.say("goal_hands", hands=edition.hands)
            if edition.hands
            else words.say("goal_target", target=edition.target),
            words.say("resumed")
            if resumed
            else words.say("seed_said", seed=self.record.seed or ""),
            words.say("help_hint"),
        )
        if resumed and self.match.hand is not None:
            seen = rules.view(self.match, PERSON).history
            latest = _worth_telling(seen)[-_REMINDERS:]
            self.say(*words.events([e for e in latest if not isinstance(e, Passed)], self.names))

    def say_farewell(self) -> None:
        hand = self.match.hand
        assert hand is not None
        ended = [event for event in hand.history if isinstance(event, MatchEnded)]
        self.say(*self.words.events(ended, self.names))
        self.screen.show([self.words.say("saved_over", file=shlex.quote(str(self.path)))])

    def say_how_to_resume(self) -> None:
        self.save()  # Ctrl-C may have come between a move and its saving
        file = shlex.quote(str(self.path))
        self.screen.show(["", self.words.say("saved_resume", file=file)])


def _names(record: Game, words: Words) -> Names:
    """The names as recorded; a person who gave none is simply "you"."""
    sides = record.edition.sides_at(record.players)
    seats = list(record.seats or words.numbered(record.players, sides).seats)
    if not record.seats or seats[PERSON] in default_names():
        seats[PERSON] = words.you
    return words.named(seats, sides, PERSON)


def _worth_telling(events: Sequence[Event]) -> list[Event]:
    """That others draw is no news."""
    return [e for e in events if not isinstance(e, Drawn) or e.seat == PERSON]
