"""Printing for the person what happened at the table, and how the game stands."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from rich.text import Text

from millebornes import rules
from millebornes.bots import LEVELS, MEASURED
from millebornes.cli.draw.edition import draw_rules
from millebornes.cli.draw.hand import draw_hand
from millebornes.cli.draw.layout import paragraph
from millebornes.cli.draw.score_sheet import draw_score_sheet
from millebornes.cli.draw.table import draw_table
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
from millebornes.rules.quote import shortened
from millebornes.rules.state import Awaiting, ExtensionChoice, Window
from millebornes.table.messages_out import BotEmoted
from millebornes.words import Names, Words

from .help import draw_stakes
from .intention import Unclear
from .setup import PERSON

__all__ = ["Narrator", "Screen", "without_draws"]

_REMINDERS = 6  # events repeated for a person who resumes a game


class Screen(Protocol):
    """The part of a screen that the game uses."""

    @property
    def width(self) -> int:
        """Columns to draw in."""
        ...

    def show(self, lines: Sequence[Text | str]) -> None:
        """Print lines."""
        ...

    def ask(self, question: str) -> str:
        """Ask, and read one line. Raises EOFError at the end of the input."""
        ...


class Narrator:
    """Prints one table for one person, in one language."""

    def __init__(self, screen: Screen, words: Words, names: Names) -> None:
        self.screen = screen
        self.words = words
        self.names = names
        self.hears_bots = True

    def say(self, *sentences: str) -> None:
        """Print sentences, each as a paragraph."""
        for sentence in sentences:
            self.screen.show(paragraph(sentence, self.screen.width))

    def greet(self, match: Match, level: str, seed: str | None, *, resumed: bool) -> None:
        """Print which edition is played, to which goal, against whom, and from which seed."""
        words, edition = self.words, match.edition
        in_hand = match.hand is not None and match.hand.sheets is None
        trip = match.hand.trip if match.hand is not None and in_hand else match.trip
        self.say(
            words.say(
                "greeting",
                edition=words.edition_name(edition),
                players=match.players,
                trip=trip,
            ),
            words.say("goal_hands", hands=edition.hands)
            if edition.hands
            else words.say("goal_target", target=edition.target),
            self._introduce_bots(level),
            words.say("resumed") if resumed else words.say("seed_said", seed=seed or ""),
            words.say("help_hint"),
        )

    def _introduce_bots(self, level: str) -> str:
        words = self.words
        bots = [name for seat, name in enumerate(self.names.seats) if seat != PERSON]
        said = [words.say("bots_are", names=", ".join(bots), level=words.level(level))]
        if level in LEVELS:
            said.append(words.level_line(level))
        if level in MEASURED:
            said.append(words.measured(*MEASURED[level]))
        return " ".join(said)

    def remind(self, match: Match) -> None:
        """Print the latest events, for a person who resumes a game."""
        seen = rules.view(match, PERSON).history
        latest = without_draws(seen)[-_REMINDERS:]
        told = [event for event in latest if not isinstance(event, Passed)]
        self.say(*self.words.events(told, self.names))

    def tell(self, events: Sequence[Event], match: Match, before: Awaiting | None) -> None:
        """Print the events as the person may see them; `match` is the state after them.

        An attack that nobody answered is mentioned only if the person made it.
        """
        own_attack = isinstance(before, Window) and before.attacker == PERSON
        seen = without_draws([rules.cut(event, PERSON) for event in events])
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

    def tell_reactions(self, events: Sequence[object]) -> None:
        """Print what bots show by emotes, unless the person has muted them."""
        if self.hears_bots:
            emoted = [event for event in events if isinstance(event, BotEmoted)]
            words = self.words
            self.say(
                *(words.say("bot_emote", name=e.name, emote=words.emote(e.emote)) for e in emoted)
            )

    def mute_bots(self) -> None:
        """Mute the bots, or hear them again."""
        self.hears_bots = not self.hears_bots
        words = self.words
        self.say(words.say("bots_heard") if self.hears_bots else words.say("bots_muted"))

    def say_unclear(self, unclear: Unclear, view: View) -> None:
        """Print that a line was not understood, and what could be typed instead."""
        self.say(self._unclear(unclear, view))

    def _unclear(self, unclear: Unclear, view: View) -> str:
        words, typed = self.words, shortened(unclear.text)
        if isinstance(view.awaiting, ExtensionChoice):
            return words.say("unclear_extension")
        if isinstance(view.awaiting, Window):
            if view.legal_moves == (Decline(),):
                return words.say("unclear_continue")
            return words.say("unclear_coup_fourre")
        if unclear.problem == "ambiguous":
            cards = ", ".join(words.card(card) for card in unclear.cards)
            return words.say("ambiguous", text=typed, cards=cards)
        if unclear.problem == "which_card":
            return words.say("which_card")
        if unclear.problem == "whom":
            others = [n for side, n in enumerate(self.names.sides) if side != view.side]
            return words.say("whom", text=typed, names=", ".join(others))
        if unclear.problem == "no_number":
            return words.say("no_number", text=typed, count=len(view.hand))
        if unclear.problem == "unknown":
            return words.say("unknown", text=typed)
        return words.say("empty_line")

    def name_move(self, move: Move) -> str:
        """The move as a piece of advice."""
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
        """Print the table and the person's hand."""
        width = self.screen.width
        self.screen.show([""])
        self.screen.show(draw_table(view, self.names, self.words, width))
        if view.hand:
            self.screen.show(draw_hand(view, self.names, self.words, width))

    def show_stakes(self, view: View) -> None:
        """Print what the person's answer decides."""
        self.screen.show(draw_stakes(view, self.names, self.words, self.screen.width))

    def show_score(self, view: View) -> None:
        """Print the score sheet, or during a hand the score so far."""
        if view.sheets is not None:
            width = self.screen.width
            sheet = draw_score_sheet(view.sheets, view.forward, self.names, self.words, width)
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

    def show_rules(self, view: View) -> None:
        """Print the rules of the edition, and where every field of it is explained."""
        edition = view.edition
        self.screen.show(draw_rules(edition, self.words, self.screen.width))
        printed = edition.parent or edition.id
        self.screen.show(["", self.words.rule_book("more", edition=printed)])

    def say_winner(self, match: Match) -> None:
        """Print who won."""
        hand = match.hand
        assert hand is not None
        ended = [event for event in hand.history if isinstance(event, MatchEnded)]
        self.say(*self.words.events(ended, self.names))

    def offer_level(self, level: str, wins: int, stronger: str) -> None:
        """Print that the next level is worth a try."""
        words = self.words
        name, beaten = words.level(stronger), words.level_against(level)
        self.say(words.say("next_level", wins=wins, beaten=beaten, level=name))
        self.screen.show([_command(f"--bot {stronger}")])

    def say_where_saved(self, path: Path) -> None:
        """Print where the record is."""
        self.screen.show([self.words.say("saved_over", file=shlex.quote(str(path)))])

    def say_how_to_resume(self, path: Path) -> None:
        """Print how to continue the game later."""
        command = _command(f"--resume {shlex.quote(str(path))}")
        self.screen.show(["", self.words.say("saved_resume", command=command)])


def without_draws(events: Sequence[Event]) -> list[Event]:
    """The events without the draws of others."""
    return [e for e in events if not isinstance(e, Drawn) or e.seat == PERSON]


def _command(options: str) -> str:
    """The command that plays with these options. With `make`, `millebornes` is not on the path."""
    if os.environ.get("MILLEBORNES_VIA") == "make":
        return f'make play-terminal ARGS="{options}"'
    return f"millebornes play {options}"
