"""Asking the person at the terminal: what to play, and whether that is really meant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from millebornes.rules import Discard, Move, Play, View
from millebornes.rules.moves import Decline
from millebornes.rules.state import Deal, ExtensionChoice, Window
from millebornes.table.guard import doubt, winning_card

from .advice import draw_help
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
from .telling import Teller, worth_telling

__all__ = ["Asker", "Leave", "Wish"]

Wish = Literal["next", "back"]
"""What a person may want instead of a move: the next hand, or an earlier decision."""


class Leave(Exception):  # noqa: N818 (leaving is no error)
    """The person wants to stop here."""


@dataclass(frozen=True)
class Asker:
    """Asks one person until an answer comes of it."""

    teller: Teller
    hint: Callable[[], str]
    """What to play now, and why; or that there is nothing to decide."""

    def ask(self, view: View, *, can_go_back: bool) -> Move | Wish:
        """The person's answer to what the view awaits."""
        if isinstance(view.awaiting, Deal):
            return self._ask_next_hand(view, can_go_back=can_go_back)
        is_forced = view.legal_moves == (Decline(),)
        if not isinstance(view.awaiting, Window) or not is_forced:
            self.teller.show_table(view)
        self.teller.show_stakes(view)
        while True:
            line = self.teller.screen.ask(self._question(view))
            answer = self._carry_out(read(line, view, self.teller.names), view, can_go_back)
            if answer == "back" or (answer is not None and self._is_sure(view, answer)):
                return answer

    def _question(self, view: View) -> str:
        words = self.teller.words
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
        """Answer the person; the move, if it comes to one."""
        say, words, names = self.teller.say, self.teller.words, self.teller.names
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
            case Do(command):
                return self._obey(command, view, can_go_back)
            case Unclear():
                self.teller.say_unclear(intention, view)
        return None

    def _choose_target(
        self, asked: ChooseTarget, view: View, can_go_back: bool
    ) -> Move | Literal["back"] | None:
        words, names = self.teller.words, self.teller.names
        listed = ", ".join(f"{side} {names.sides[side]}" for side in asked.sides)
        question = words.say("ask_target", card=words.card(asked.card), names=listed)
        while True:
            answer = self.teller.screen.ask(question)
            if not answer.strip():
                self.teller.say(words.say("nothing_done"))
                return None
            command = read_command(answer)
            if command is not None:
                if self._obey(command, view, can_go_back):
                    return "back"
                continue
            read = read_target(answer.strip(), view, names, asked)
            move = self._carry_out(read, view, can_go_back)
            if move is not None:
                return move

    def _is_sure(self, view: View, move: Move) -> bool:
        kind = doubt(view, move)
        if kind is None:
            return True
        words = self.teller.words
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
            text = self.teller.screen.ask(question)
            if read_command(text) == "quit":
                raise Leave
            answer = read_yes_or_no(text)
            if answer is not None:
                return answer

    def _ask_next_hand(self, view: View, *, can_go_back: bool) -> Wish:
        words = self.teller.words
        while True:
            text = self.teller.screen.ask(words.say("ask_next_hand"))
            if not text.strip():
                return "next"
            command = read_command(text)
            if command is None:
                self.teller.say(words.say("unclear_next_hand"))
            elif self._obey(command, view, can_go_back):
                return "back"

    def _obey(self, command: Command, view: View, can_go_back: bool) -> Literal["back"] | None:
        teller = self.teller
        if command == "quit":
            raise Leave
        if command == "back":
            if can_go_back:
                return "back"
            teller.say(teller.words.say("nowhere_back"))
        elif command == "hint":
            teller.say(self.hint())
        elif command == "help":
            teller.screen.show(draw_help(view, teller.words, teller.screen.width))
        elif command == "score":
            teller.show_score(view)
        elif command == "log":
            teller.say(*teller.words.events(worth_telling(view.history), teller.names))
        elif command == "rules":
            teller.screen.show(draw_edition(view.edition, teller.words, teller.screen.width))
        else:
            teller.show_table(view)
        return None
