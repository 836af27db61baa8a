"""Golden playthroughs: whole games, step by step, so that any rule change shows as a diff.

    python -m tools.golden

rewrites `tests/fixtures/<edition>/<players>.txt`. Each file begins with the record of its game.
Then it shows every move: the events, what changed on the table, and for each seat that is to
act, its legal moves and, after `not`, the refused plays and why.

Decks and choices come from the keyed shuffle, so every machine writes the same files.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from millebornes.bots import SundayDriver
from millebornes.fair import key_from_seed, shuffled
from millebornes.records import Game, Token, game, position
from millebornes.records.tokens import to_text
from millebornes.rules import (
    EDITIONS,
    Card,
    Edition,
    Event,
    Match,
    Move,
    ScoreSheet,
    apply,
    awaited_seats,
    deal_cards,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.events import (
    Countered,
    Dealt,
    Discarded,
    Drawn,
    Expired,
    Extended,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
)
from millebornes.rules.state import Deal, ExtensionChoice, Over, Tableau, Turn, Window

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
PLAYTHROUGH = "--- playthrough\n"

# One choice in this many is random (1: every choice), so that rare things happen, too.
_CHANCE = {2: 4, 3: 3, 4: 5, 6: 2, 8: 1}
# Matches that are played to the end; two hands of the others are enough.
_WHOLE = (("winning-moves", 2), ("dujardin-2019", 4))


def tables() -> list[tuple[str, int]]:
    return [(name, count) for name, edition in EDITIONS.items() for count in edition.player_counts]


def path_of(edition: str, players: int) -> Path:
    return FIXTURES / edition / f"{players}.txt"


def playthrough(edition: str, players: int) -> str:
    """The whole text of one file."""
    return _Playthrough(EDITIONS[edition], players).text()


class _Playthrough:
    def __init__(self, edition: Edition, players: int) -> None:
        self.edition = edition
        self.seed = f"golden {edition.id} {players}"
        short = players in edition.short_trip_at and players == 8
        self.match = new_match(edition, players, dealer=players - 1, short_trip=short)
        self.record = Game(
            edition=edition, players=players, dealer=players - 1, short_trip=short, seed=self.seed
        )
        self.chance = _CHANCE[players]
        self.choices = 0
        self.lines: list[str] = []

    def text(self) -> str:
        whole = (self.edition.id, self.match.players) in _WHOLE
        number = 0
        while not isinstance(self.match.awaiting, Over) and (whole or number < 2):
            number += 1
            self.play_hand(number)
        return game.to_text(self.record) + PLAYTHROUGH + "".join(f"{x}\n" for x in self.lines)

    def play_hand(self, number: int) -> None:
        deck = self.edition.deck(self.match.players)
        order = shuffled(key_from_seed(self.seed, number), len(deck))
        cards = [deck[index] for index in order]
        self.match, events = deal_cards(self.match, cards)
        self.record = self.record.with_deal(cards)
        self.write_position()
        self.write_step(None, events)
        step = 0
        while not isinstance(self.match.awaiting, Deal | Over):
            step += 1
            seat, move = self.choose()
            before = self.match
            self.match, events = apply(before, seat, move)
            self.record = self.record.with_move(before, seat, move, self.match, events)
            self.lines.append(f"{number}.{step} {Token(move, seat)}")
            self.write_step(before, events)
        self.write_position()

    def choose(self) -> tuple[int, Move]:
        """The Sunday driver's choice, or sometimes a random one."""
        seats = awaited_seats(self.match)
        seat = seats[self.below(len(seats))]
        moves = legal_moves(self.match, seat)
        at_random = self.below(self.chance) == 0
        if at_random or isinstance(self.match.awaiting, ExtensionChoice):
            return seat, moves[self.below(len(moves))]
        return seat, SundayDriver().choose(view(self.match, seat))

    def below(self, count: int) -> int:
        self.choices += 1
        return shuffled(key_from_seed(f"{self.seed} choice", self.choices), count)[0]

    # Writing

    def write_position(self) -> None:
        self.lines += ["", *position.to_text(self.match).splitlines(), ""]

    def write_step(self, before: Match | None, events: tuple[Event, ...]) -> None:
        self.lines += [f"    {line}" for event in events for line in event_lines(event)]
        if before is not None:
            self.lines += [f"    {line}" for line in changes(before, self.match)]
        self.lines += [f"  {line}" for line in awaited(self.match)]


def event_lines(event: Event) -> Iterator[str]:
    match event:
        case Dealt(number, dealer, _, pile):
            yield f"hand {number} dealt by {dealer}, {pile} cards left"
        case Drawn(seat, card):
            yield f"{seat} draws {card}"
        case Played(seat, card, side, cleared):
            yield f"{seat} lays {card} on side {side}{_to_discard(cleared)}"
        case Discarded(seat, card):
            yield f"{seat} discards {card}"
        case Passed(side, hazard):
            yield f"window passed: {hazard} on side {side}"
        case Countered(seat, card, hazard, side, cleared):
            yield f"coup fourré: {seat} lays {card}, {hazard} on side {side}{_to_discard(cleared)}"
        case Expired(side):
            yield f"the Autoroute of side {side} ends"
        case Extended(seat):
            yield f"{seat} extends the trip"
        case HandEnded(completed_by, sheets, totals):
            ended = "cards exhausted" if completed_by is None else f"completed by {completed_by}"
            yield f"hand ended: {ended}"
            for side, sheet in enumerate(sheets):
                yield f"side {side}: {_sheet(sheet)}; {totals[side]} in all"
        case MatchEnded(_, winner):
            yield "match drawn" if winner is None else f"match won by side {winner}"


def _to_discard(cards: tuple[Card, ...]) -> str:
    return ", to the discard: " + " ".join(cards) if cards else ""


def _sheet(sheet: ScoreSheet) -> str:
    scored = [f"{line} {points}" for line, points in sheet._asdict().items() if points]
    return " + ".join(scored or ["nothing"]) + f" = {sheet.total}"


def changes(before: Match, after: Match) -> Iterator[str]:
    """The parts of the table that have changed."""
    assert before.hand is not None
    assert after.hand is not None
    for side, (old, new) in enumerate(zip(before.hand.tableaux, after.hand.tableaux, strict=True)):
        if old != new:
            yield f"side {side}: {_tableau(new)}"
    if before.hand.trip != after.hand.trip:
        yield f"trip {after.hand.trip}"


def _tableau(tableau: Tableau) -> str:
    safeties = [s + "!" if s in tableau.crosswise else s for s in tableau.safeties]
    parts = [
        f"{tableau.miles} miles",
        "battle " + (" ".join(tableau.battle[-2:]) or "-"),
        "speed " + (" ".join(tableau.speed[-1:]) or "-"),
    ]
    if safeties:
        parts.append("safeties " + " ".join(safeties))
    if tableau.autoroute is not None:
        seat, turns = tableau.autoroute
        parts.append(f"Autoroute {turns} turns of {seat}")
    return ", ".join(parts)


def awaited(match: Match) -> Iterator[str]:
    """What is awaited, and the legal moves of each seat that is to act."""
    assert match.hand is not None
    what: str
    match match.awaiting:
        case Turn():
            what = f"turn, pile {len(match.hand.pile)}"
        case Window(attacker, side, hazard):
            what = f"window {hazard} {attacker}>{side}"
        case ExtensionChoice():
            what = "extension"
        case Deal(dealer):
            yield f"deal by {dealer}"
            return
        case _:
            yield "over"
            return
    for seat in awaited_seats(match):
        seen = view(match, seat)
        legal = " ".join(to_text(move) for move in seen.legal_moves)
        refused = ""
        if isinstance(match.awaiting, Turn) and seen.refused:
            reasons = [f"{to_text(play)} {reason.code}" for play, reason in seen.refused]
            refused = " not " + ", ".join(reasons)
        yield f"{seat} {what}: {legal}{refused}"


def write() -> None:
    for edition, players in tables():
        path = path_of(edition, players)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough(edition, players), encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path.relative_to(FIXTURES)}\n")


if __name__ == "__main__":
    write()
