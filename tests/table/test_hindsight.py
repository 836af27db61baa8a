"""The turns of a hand, found again in its history."""

import pytest

from millebornes.rules import Edition
from millebornes.rules.state import Tableau
from millebornes.table.hindsight import seen_by, turns

from .played_hands import EDITIONS_PLAYED, played_hands


def plain(tableau: Tableau) -> Tableau:
    """Without what hindsight leaves out."""
    return tableau._replace(autoroute=None, crosswise=())


@pytest.mark.parametrize("edition", EDITIONS_PLAYED, ids=lambda one: one.id[:20])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_is_found_with_its_cards_and_its_car(edition: Edition, players: int) -> None:
    for number, played in enumerate(played_hands(edition, players, 6, seed=players)):
        viewer = number % players
        found = seen_by(viewer, turns(played.match))
        assert len(found) == len(played.turns), number
        for turn, seen in zip(found, played.turns, strict=True):
            hand = seen.match.hand
            assert hand is not None
            assert turn.seat == seen.seat
            held = hand.hands[seen.seat]
            if turn.seat == viewer:
                assert turn.held == held
            else:
                assert turn.held == ()
            assert turn.used == seen.used
            assert turn.tableau == plain(hand.tableaux[seen.match.side_of(seen.seat)])
