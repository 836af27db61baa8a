"""A person at a table: finds controls by their names, and reads the messages of the page."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Locator, WebSocket, expect

from .visitor import ROOT, Visitor

__all__ = ["Player", "said"]

WORDS = ROOT / "src" / "millebornes" / "words"


def said(language: str) -> dict[str, Any]:
    """Every text of a language."""
    words: dict[str, Any] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return words


class Player:
    """Plays through one page. The legal moves come from the messages that the page received."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.messages: list[dict[str, Any]] = []
        """Everything that came over the socket."""
        self._socket: WebSocket | None = None
        self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self._socket = socket
        socket.on("framereceived", lambda text: self.messages.append(json.loads(text)))

    @property
    def words(self) -> dict[str, Any]:
        """The texts of the language that the page speaks."""
        return said(self.page.locator("html").get_attribute("lang") or "en")

    @property
    def _told(self) -> dict[str, Any] | None:
        """The last message that showed the table."""
        return next((said for said in reversed(self.messages) if said.get("table")), None)

    @property
    def table(self) -> dict[str, Any] | None:
        """The table in the last message."""
        return self._told["table"] if self._told else None

    @property
    def asked(self) -> str | None:
        """What this person is asked now."""
        table = self.table
        if self._told is None or not table or not table["asked"]:
            return None
        asked = table["asked"]
        if asked["what"] in ("next", "over"):
            return str(asked["what"])
        moves = table["hand"]["legal_moves"] if table["you"] in asked["seats"] else []
        # The page of a person alone with bots continues by itself if there is no answer.
        is_alone = asked["what"] == "window" and asked["deadline"] is None
        is_mine = moves and not (is_alone and moves == ["-"])
        return str(asked["what"]) if is_mine else None

    def until(self, is_so: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        while not is_so():
            socket = self._socket
            if socket is None or socket.is_closed():
                self.page.wait_for_event("websocket")
                continue
            try:
                socket.wait_for_event("framereceived")
            except Error:
                # Another page has another socket.
                if socket is self._socket and not socket.is_closed():
                    raise

    @property
    def decision(self) -> int:
        """The number of the decision that is asked now."""
        return int(self.table["asked"]["decision"]) if self.table and self.table["asked"] else 0

    def catch_up(self, decision: int) -> None:
        """Listen until the table is as far as this."""
        self.until(lambda: self.decision >= decision)

    @property
    def hand(self) -> list[str]:
        """The cards in hand."""
        assert self.table is not None
        cards: list[str] = self.table["hand"]["cards"]
        return cards

    @property
    def moves(self) -> list[str]:
        """What may be done now."""
        assert self.table is not None
        moves: list[str] = self.table["hand"]["legal_moves"]
        return moves

    @property
    def doubts(self) -> dict[str, str]:
        """Moves that the page makes only if they are meant, and why."""
        assert self.table is not None
        doubts: dict[str, str] = self.table["hand"]["doubts"]
        return doubts

    # Actions

    def sit_down(self, **settings: Any) -> str:
        """Open a table, fill it with bots as rehearsals have them, and start; its id."""
        self.visitor.know("sunday-driver")
        # Time enough to answer an attack, however slow the machine is.
        table = self.visitor.new_table(**{"window": 60_000, **settings})
        self.visitor.open(f"/t/{table}")
        self.page.get_by_role("button", name=self.words["web"]["lobby"]["start_fill"]).click()
        self.until(lambda: self.table and self.table["hand"])
        return table

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def card(self, card: str) -> Locator:
        """A card in hand that may be laid or discarded now: its name says more than itself then."""
        name = re.compile(f"^{re.escape(self.words['cards'][card])} — ")
        return self.page.get_by_role("listitem").get_by_role("button", name=name).first

    def play(self, move: str) -> None:
        """Make a move, and wait until the table has it."""
        before = self.decision
        texts = self.words["web"]["table"]
        if move == "-":
            is_chance = any(one.endswith("!") for one in self.moves)
            self.button(texts["let_it_stand" if is_chance else "continue"]).click()
        elif move in ("end", "ext"):
            self.button(texts[{"end": "finish", "ext": "extend"}[move]]).click()
        elif move.endswith("!"):
            card = self.words["cards"][move[:-1]]
            self.button(texts["coup_fourre_with"].format(card=card)).click()
        elif move.startswith("x"):
            self._lay(move[1:], self.button(texts["discard"]))
        else:
            card, _, side = move.partition(">")
            self._lay(card, self._target(card, side) if side else self.button(texts["play"]))
        self.catch_up(before + 1)

    def _lay(self, card: str, onto: Locator) -> None:
        # The page may still be showing the last turn, where a tap on a card does nothing.
        expect(self.page.locator("[data-place=hand].turn")).to_be_visible()
        self.card(card).click()
        onto.click()

    def _target(self, card: str, side: str) -> Locator:
        assert self.table is not None
        sides = len(self.table["hand"]["sides"])
        seats = self.table["seats"]
        names = [seat["name"] for at, seat in enumerate(seats) if at % sides == int(side)]
        text = self.words["web"]["table"]["play_on"]
        told = text.format(card=self.words["cards"][card], side=" ".join(names))
        # Names may be joined by a word, and spaces of all kinds are spaces.
        pattern = r"\s(?:.*\s)?".join(map(re.escape, told.split()))
        return self.page.get_by_role("button", name=re.compile(pattern))

    def step(self) -> None:
        """Do something sensible of what may be done now: lay what can be laid."""
        assert self.table is not None
        hand = self.table["hand"]
        self.play(next(move for move in hand["legal_moves"] if move not in hand["doubts"]))

    def go_along(self, turns: int) -> None:
        """Take this number of turns, or fewer if the hand ends."""
        while turns > 0:
            self.until(lambda: self.asked)
            if self.asked in ("next", "over"):
                return
            turns -= self.asked == "turn"
            self.step()

    def is_shown(self, text: str) -> None:
        """Wait until the page shows it."""
        expect(self.page.get_by_text(text, exact=True).first).to_be_visible()
