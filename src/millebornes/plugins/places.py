"""Positions that a bot must be able to play: all kinds of decisions, by all kinds of rules.

They do not depend on the bot that is checked, and are the same in every run.
"""

from collections.abc import Iterator
from random import Random

from millebornes.bots import SundayDriver
from millebornes.rules import (
    EDITIONS,
    PRESETS,
    Edition,
    Match,
    View,
    apply_legal,
    awaited_seats,
    deal,
    new_match,
    view,
)
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn

__all__ = ["places", "tables"]

_HOUSE_RULES: tuple[tuple[str, dict[str, object]], ...] = (
    # What is played at tables, but in no box; between them, every field that adds moves.
    (
        "parker-1988",
        {"coup_fourre_for_third_party": True, "must_play_out": True, "limit_on_limit": True},
    ),
    (
        "winning-moves",
        {"autoroute_cards": 4, "autoroute_is_safety": True, "safety_restores_roll": True},
    ),
    ("dujardin-2019", {"battle_hazard_on": "started", "start_rolling": True, "max_200s": 0}),
)
_LIVELINESS = 0.15
"""How often a seat makes any legal move instead of a sensible one."""
_MOST_HANDS = 4
_EVERY = 4
"""One turn in so many is asked about; of windows and extensions, every one."""
_MOST_WINDOWS = 8


def tables(edition: Edition | None = None) -> list[tuple[Edition, int]]:
    """The editions and numbers of players to check: all, or those of one edition."""
    house = [EDITIONS[parent].house(rules) for parent, rules in _HOUSE_RULES]
    editions = [*EDITIONS.values(), *PRESETS.values(), *house] if edition is None else [edition]
    return [(rules, players) for rules in editions for players in rules.player_counts]


def places(edition: Edition, players: int) -> Iterator[View]:
    """Decisions of one match. If the extension can be called, it is asked about."""
    # Chance that repeats: nobody's secret depends on it.
    chance = Random(f"{edition.id} {players}")  # noqa: S311
    match = new_match(edition, players, dealer=chance.randrange(players))
    wants_extension = players in edition.extension_at
    for number in range(_MOST_HANDS):
        turns = windows = 0
        for seen in _hand(match, chance):
            match = seen
            for seat in awaited_seats(match):
                awaiting = match.awaiting
                if isinstance(awaiting, ExtensionChoice):
                    wants_extension = False
                    yield view(match, seat)
                elif isinstance(awaiting, Turn):
                    turns += 1
                    if number == 0 and turns % _EVERY == 0:
                        yield view(match, seat)
                elif windows < _MOST_WINDOWS:
                    windows += 1
                    yield view(match, seat)
        if not wants_extension or isinstance(match.awaiting, Over):
            return


def _hand(match: Match, chance: Random) -> Iterator[Match]:
    """The states of the next hand: mostly sensible moves, so that much happens."""
    size = len(match.edition.deck(match.players))
    match, _ = deal(match, chance.sample(range(size), size))
    driver = SundayDriver()
    while not isinstance(match.awaiting, Deal | Over):
        yield match
        seat = awaited_seats(match)[0]
        seen = view(match, seat)
        move = driver.choose(seen)
        if chance.random() < _LIVELINESS:
            move = chance.choice(seen.legal_moves)
        match, _ = apply_legal(match, seat, move)
    yield match
