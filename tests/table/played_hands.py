"""Hands played by bots, with every state on the way: what hindsight has to find again."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from millebornes.bots import Learner, SundayDriver
from millebornes.rules import (
    EDITIONS,
    Card,
    Edition,
    Match,
    Play,
    apply_legal,
    awaited_seats,
    deal,
    events,
    new_match,
    view,
)
from millebornes.rules.cards import SAFETIES
from millebornes.rules.state import Deal, Over, Turn

EDITIONS_PLAYED = (
    EDITIONS["winning-moves"],
    EDITIONS["dujardin-2019"],
    EDITIONS["winning-moves"].house({"safety_restores_roll": True, "autoroute_cards": 2}),
    EDITIONS["winning-moves"].house(
        {"replay_on_empty_pile": False, "row_replaces_roll": False, "safety_points": 0}
    ),
    EDITIONS["winning-moves"].house({"remedy_restores_roll": True, "autoroute_is_safety": True}),
)


class SeenTurn(NamedTuple):
    """The match at the beginning of a turn, and the cards used in it."""

    match: Match
    seat: int
    used: tuple[Card, ...]


class PlayedHand(NamedTuple):
    """A hand that has ended."""

    match: Match
    turns: tuple[SeenTurn, ...]


def played_hands(edition: Edition, players: int, count: int, seed: int) -> Iterator[PlayedHand]:
    """So many hands, each the first of a match."""
    chance = random.Random(seed)
    for _ in range(count):
        match = new_match(edition, players, dealer=chance.randrange(players))
        order = list(range(len(edition.deck(players))))
        chance.shuffle(order)
        match, _ = deal(match, order)
        yield _played(match, chance)


def _played(match: Match, chance: random.Random) -> PlayedHand:
    # None makes any legal move, sensible or not.
    bots = [chance.choice((SundayDriver(), Learner(), None)) for _ in range(match.players)]
    turns: list[SeenTurn] = []
    ended = True
    while not isinstance(match.awaiting, Deal | Over):
        seat = awaited_seats(match)[0]
        if isinstance(match.awaiting, Turn) and ended:
            turns.append(SeenTurn(match, seat, ()))
        bot, seen = bots[seat], view(match, seat)
        move = chance.choice(seen.legal_moves) if bot is None else bot.choose(seen)
        match, happened = apply_legal(match, seat, move)
        for event in happened:
            if isinstance(event, events.Played | events.Discarded):
                turns[-1] = turns[-1]._replace(used=(*turns[-1].used, event.card))
        # Only a safety, or what counts as one, lets the same seat play again in the same turn.
        is_safety = isinstance(move, Play) and (
            move.card in SAFETIES or (move.card is Card.AUTO and match.edition.autoroute_is_safety)
        )
        drew = any(isinstance(event, events.Drawn) and event.seat == seat for event in happened)
        ended = not (is_safety and (drew or match.edition.replay_on_empty_pile))
    return PlayedHand(match, tuple(turns))
