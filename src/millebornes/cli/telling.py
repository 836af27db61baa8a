"""Telling the person at the terminal what happened, and how things stand."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from rich.text import Text

from millebornes import rules
from millebornes.rules import (
    CoupFourre,
    Decline,
    Discard,
    Event,
    Extend,
    Match,
    Move,
    Play,
    View,
)
from millebornes.rules.events import Drawn, HandEnded, MatchEnded, Passed
from millebornes.rules.state import Awaiting, ExtensionChoice, Window
from millebornes.words import Names, Words

from .advice import draw_stakes
from .drawing import draw_hand, draw_table
from .layout import paragraph
from .reading import Unclear
from .setup import PERSON
from .sheets import draw_sheet

__all__ = ["Screen", "Teller", "worth_telling"]

_REMINDERS = 6  # events told again to a person who comes back


class Screen(Protocol):
    """What the game needs of a screen."""

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


class Teller:
    """Tells one person, in one language, about one table."""

    def __init__(self, screen: Screen, words: Words, names: Names) -> None:
        self.screen = screen
        self.words = words
        self.names = names

    def say(self, *sentences: str) -> None:
        """Sentences, each a paragraph."""
        for sentence in sentences:
            self.screen.show(paragraph(sentence, self.screen.width))

    def greet(self, match: Match, seed: str | None, *, resumed: bool) -> None:
        """What is played, and for how long."""
        words, edition = self.words, match.edition
        self.say(
            words.say(
                "greeting",
                edition=words.edition_name(edition),
                players=match.players,
                trip=match.trip,
            ),
            words.say("goal_hands", hands=edition.hands)
            if edition.hands
            else words.say("goal_target", target=edition.target),
            words.say("resumed") if resumed else words.say("seed_said", seed=seed or ""),
            words.say("help_hint"),
        )

    def remind(self, match: Match) -> None:
        """What happened last, to a person who comes back."""
        seen = rules.view(match, PERSON).history
        latest = worth_telling(seen)[-_REMINDERS:]
        told = [event for event in latest if not isinstance(event, Passed)]
        self.say(*self.words.events(told, self.names))

    def tell(self, events: Sequence[Event], match: Match, before: Awaiting | None) -> None:
        """What happened, as the person may know it; `match` is how it stands now.

        That an attack was not answered is news only to a person who made it.
        """
        own_attack = isinstance(before, Window) and before.attacker == PERSON
        seen = worth_telling([rules.cut(event, PERSON) for event in events])
        told = [
            event
            for event in seen
            if not isinstance(event, MatchEnded) and (own_attack or not isinstance(event, Passed))
        ]
        self.say(*self.words.events(told, self.names))
        if any(isinstance(event, HandEnded) for event in events):
            self.screen.show([""])
            self.show_score(rules.view(match, PERSON))
            self.screen.show([""])

    def say_unclear(self, unclear: Unclear, view: View) -> None:
        """That a line was not understood, and what would be."""
        self.say(self._unclear(unclear, view))

    def _unclear(self, unclear: Unclear, view: View) -> str:
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

    def name_move(self, move: Move) -> str:
        """A move as advice."""
        words = self.words
        match move:
            case Play(card, None):
                return words.say("hint_play", card=words.card(card))
            case Play(card, int() as side):
                return words.say("hint_attack", card=words.card(card), side=self.names.sides[side])
            case Discard(card):
                return words.say("hint_discard", card=words.card(card))
            case CoupFourre():
                return words.say("hint_coup_fourre")
            case Decline():
                return words.say("hint_decline")
            case Extend():
                return words.say("hint_extend")
        return words.say("hint_finish")

    def show_table(self, view: View) -> None:
        """The table and the person's hand."""
        width = self.screen.width
        self.screen.show([""])
        self.screen.show(draw_table(view, self.names, self.words, width))
        if view.hand:
            self.screen.show(draw_hand(view, self.names, self.words, width))

    def show_stakes(self, view: View) -> None:
        """What hangs on the answer that is awaited."""
        self.screen.show(draw_stakes(view, self.names, self.words, self.screen.width))

    def show_score(self, view: View) -> None:
        """The score sheet, or how the match stands while a hand is played."""
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

    def say_farewell(self, match: Match, path: Path) -> None:
        """Who has won, and where the record is."""
        hand = match.hand
        assert hand is not None
        ended = [event for event in hand.history if isinstance(event, MatchEnded)]
        self.say(*self.words.events(ended, self.names))
        self.screen.show([self.words.say("saved_over", file=shlex.quote(str(path)))])

    def say_how_to_resume(self, path: Path) -> None:
        """How to go on later."""
        self.screen.show(["", self.words.say("saved_resume", command=_resume_command(path))])


def worth_telling(events: Sequence[Event]) -> list[Event]:
    """That others draw is no news."""
    return [e for e in events if not isinstance(e, Drawn) or e.seat == PERSON]


def _resume_command(path: Path) -> str:
    """How to go on, as this player started: `make` puts no command on the path."""
    file = shlex.quote(str(path))
    if os.environ.get("MILLEBORNES_VIA") == "make":
        return f'make play-terminal ARGS="--resume {file}"'
    return f"millebornes play --resume {file}"
