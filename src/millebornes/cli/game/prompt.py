"""Asking the person for a move, and for confirmation of one that is probably a mistake."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from millebornes.rules import Discard, Move, Play, View
from millebornes.rules.moves import Decline
from millebornes.rules.state import Deal, ExtensionChoice, Window
from millebornes.table.doubts import doubt, winning_card

from .help import draw_help
from .intention import (
    ChooseTarget,
    Command,
    Explain,
    Intention,
    Make,
    Refused,
    RunCommand,
    Unclear,
)
from .narrator import Narrator, without_draws
from .parse import parse_command, parse_line, parse_target, parse_yes_or_no

__all__ = ["Prompt", "Quit", "Request"]

Request = Literal["next", "back"]
"""What a person may ask for instead of a move: the next hand, or an earlier decision."""


class Quit(Exception):  # noqa: N818 (quitting is no error)
    """The person wants to stop here."""


@dataclass(frozen=True)
class Prompt:
    """Asks the person, as often as it takes to get a usable answer."""

    narrator: Narrator
    hint: Callable[[], str]
    """A move to make now, and the reason; or a sentence that there is nothing to decide."""

    def ask(self, view: View, *, can_go_back: bool) -> Move | Request:
        """The person's answer to what the view awaits."""
        if isinstance(view.awaiting, Deal):
            return self._ask_next_hand(view, can_go_back=can_go_back)
        is_forced = view.legal_moves == (Decline(),)
        if not isinstance(view.awaiting, Window) or not is_forced:
            self.narrator.show_table(view)
        self.narrator.show_stakes(view)
        while True:
            line = self.narrator.screen.ask(self._question(view))
            answer = self._carry_out(parse_line(line, view, self.narrator.names), view, can_go_back)
            if answer == "back" or (answer is not None and self._is_sure(view, answer)):
                return answer

    def _question(self, view: View) -> str:
        words = self.narrator.words
        if isinstance(view.awaiting, Window):
            if view.legal_moves == (Decline(),):
                return words.say("ask_continue")
            return words.say("ask_coup_fourre")
        if isinstance(view.awaiting, ExtensionChoice):
            return words.say("ask_extension")
        return words.say("ask_move")

    def _carry_out(
        self, intention: Intention, view: View, can_go_back: bool
    ) -> Move | Literal["back"] | None:
        """Do what the person meant. The move, if it was one."""
        say, words, names = self.narrator.say, self.narrator.words, self.narrator.names
        match intention:
            case Make(move):
                return move
            case ChooseTarget():
                return self._choose_target(intention, view, can_go_back)
            case Refused(reasons):
                say(*dict.fromkeys(words.sentence(r, names) for r in reasons))
            case Explain(card, reasons):
                if any(isinstance(m, Play) and m.card is card for m in view.legal_moves):
                    say(words.say("can_be_played", card=words.card(card)))
                say(*dict.fromkeys(words.sentence(r, names) for r in reasons))
            case RunCommand(command):
                return self._run(command, view, can_go_back)
            case Unclear():
                self.narrator.say_unclear(intention, view)
        return None

    def _choose_target(
        self, asked: ChooseTarget, view: View, can_go_back: bool
    ) -> Move | Literal["back"] | None:
        words, names = self.narrator.words, self.narrator.names
        listed = ", ".join(f"{side} {names.sides[side]}" for side in asked.sides)
        question = words.say("ask_target", card=words.card(asked.card), names=listed)
        while True:
            answer = self.narrator.screen.ask(question)
            if not answer.strip():
                self.narrator.say(words.say("nothing_done"))
                return None
            command = parse_command(answer)
            if command is not None:
                if self._run(command, view, can_go_back):
                    return "back"
                continue
            intention = parse_target(answer.strip(), view, names, asked)
            move = self._carry_out(intention, view, can_go_back)
            if move is not None:
                return move

    def _is_sure(self, view: View, move: Move) -> bool:
        kind = doubt(view, move)
        if kind is None:
            return True
        words = self.narrator.words
        if kind == "safety":
            edition = view.edition
            assert isinstance(move, Discard)
            question = words.say(
                "sure_safety",
                card=words.card(move.card),
                points=edition.safety_points,
                more=edition.coup_fourre_points,
            )
        else:
            winning = winning_card(view)
            assert winning is not None
            question = words.say("sure_winning", card=words.card(winning))
        while True:
            text = self.narrator.screen.ask(question)
            if parse_command(text) == "quit":
                raise Quit
            answer = parse_yes_or_no(text)
            if answer is not None:
                return answer

    def _ask_next_hand(self, view: View, *, can_go_back: bool) -> Request:
        words = self.narrator.words
        while True:
            text = self.narrator.screen.ask(words.say("ask_next_hand"))
            if not text.strip():
                return "next"
            command = parse_command(text)
            if command is None:
                self.narrator.say(words.say("unclear_next_hand"))
            elif self._run(command, view, can_go_back):
                return "back"

    def _run(self, command: Command, view: View, can_go_back: bool) -> Literal["back"] | None:
        narrator = self.narrator
        if command == "quit":
            raise Quit
        if command == "back":
            if can_go_back:
                return "back"
            narrator.say(narrator.words.say("nowhere_back"))
        elif command == "hint":
            narrator.say(self.hint())
        elif command == "mute":
            narrator.mute_bots()
        elif command == "help":
            narrator.screen.show(draw_help(view, narrator.words, narrator.screen.width))
        elif command == "score":
            narrator.show_score(view)
        elif command == "log":
            narrator.say(*narrator.words.events(without_draws(view.history), narrator.names))
        elif command == "rules":
            narrator.show_rules(view)
        else:
            narrator.show_table(view)
        return None
