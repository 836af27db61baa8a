"""The turns of a hand, found again in its history."""

import pytest

from millebornes.rules import Edition
from millebornes.rules.state import Tableau
from millebornes.table.hindsight import past_of

from .played_hands import EDITIONS_PLAYED, played_hands


def plain(tableau: Tableau) -> Tableau:
    """Without what hindsight leaves out."""
    return tableau._replace(autoroute=None, crosswise=())


@pytest.mark.parametrize("edition", EDITIONS_PLAYED, ids=lambda one: one.id[:20])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_is_found_with_its_cards_and_its_car(edition: Edition, players: int) -> None:
    for number, played in enumerate(played_hands(edition, players, 6, seed=players)):
        found, held = past_of(played.match)
        assert len(found) == len(played.turns), number
        assert held == [
            [
                turn.match.hand.hands[seat]
                for turn in played.turns
                if turn.seat == seat and turn.match.hand is not None
            ]
            for seat in range(players)
        ]
        for turn, seen in zip(found, played.turns, strict=True):
            hand = seen.match.hand
            assert hand is not None
            assert turn.seat == seen.seat
            assert turn.used == seen.used
            assert turn.tableau == plain(hand.tableaux[seen.match.side_of(seen.seat)])
