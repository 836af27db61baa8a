"""What will happen at a practice table: the rules play it through before a browser does.

The decks come from the seed and bots are as good as their word, so a table that is played by the
same moves goes the same way.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from millebornes.bots import Bot, SundayDriver
from millebornes.fair import key_from_seed, shuffled
from millebornes.records.tokens import to_text
from millebornes.rules import (
    CoupFourre,
    Decline,
    Match,
    apply,
    awaited_seats,
    deal,
    house_rules,
    legal_moves,
    new_match,
    view,
)
from millebornes.rules.state import Deal, ExtensionChoice, Over, Window

__all__ = [
    "SHORT",
    "Decision",
    "Rehearsed",
    "holds_answer",
    "is_extension",
    "is_window",
    "rehearse",
]

SEEDS = 250
SHORT = """
parent = "winning-moves"
name = "Short"
trip = {2 = 200}
target = 25
"""
"""A match of one hand, that ends when somebody has driven 200."""


class Decision(NamedTuple):
    """The first seat is asked, and will answer so."""

    match: Match
    move: str


class Rehearsed(NamedTuple):
    """The settings of a table, and what its first seat does there, one hand long."""

    settings: dict[str, Any]
    decisions: tuple[Decision, ...]

    def until(self, is_it: Callable[[Match], bool]) -> int:
        """How many moves are made before it is so."""
        return next(at for at, now in enumerate(self.decisions) if is_it(now.match))


def is_window(match: Match) -> bool:
    """Is the first seat attacked?"""
    return isinstance(match.awaiting, Window)


def holds_answer(match: Match) -> bool:
    """Is it attacked, and holds the safety?"""
    return is_window(match) and any(isinstance(move, CoupFourre) for move in legal_moves(match, 0))


def is_extension(match: Match) -> bool:
    """Does it choose whether to extend the trip?"""
    return isinstance(match.awaiting, ExtensionChoice)


def rehearse(
    rules: str,
    *moments: Callable[[Match], bool],
    seeds: int = SEEDS,
    rival: Callable[[], Bot] = SundayDriver,
) -> Rehearsed:
    """The shortest of many hands for two, against this bot, in which all these moments come."""
    found = [
        Rehearsed({"practice": True, "seed": str(seed), "house_rules": rules}, decisions)
        for seed in range(seeds)
        if (decisions := tuple(_decisions(rules, str(seed), rival())))
        and all(any(is_it(now.match) for now in decisions) for is_it in moments)
    ]
    return min(found, key=lambda rehearsed: len(rehearsed.decisions))


def _decisions(rules: str, seed: str, rival: Bot) -> Iterator[Decision]:
    """The first hand, if a Sunday driver sits at the first seat."""
    bots = (SundayDriver(), rival)
    edition = house_rules(rules)
    match = new_match(edition, 2, dealer=1)
    match, _ = deal(match, shuffled(key_from_seed(seed, 1), len(edition.deck(2))))
    while not isinstance(match.awaiting, Deal | Over):
        (seat,) = awaited_seats(match)
        move = bots[seat].choose(view(match, seat))
        # What leaves no choice passes by itself.
        if seat == 0 and legal_moves(match, 0) != (Decline(),):
            yield Decision(match, to_text(move))
        match, _ = apply(match, seat, move)
