"""What decided for the Commuter becomes the reason that is tried first."""

from collections.abc import Mapping
from dataclasses import dataclass

from millebornes.bots.commuter_reasons import REASONS_OF, deciding
from millebornes.bots.reasons import REASONS
from millebornes.rules import Card, Discard, Move, Play


@dataclass(frozen=True)
class Weights:
    """Moves and what each is worth, by feature."""

    worth: Mapping[Move, Mapping[str, int]]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.worth)

    def parts(self, move: Move) -> Mapping[str, int]:
        return self.worth[move]


LONG, SHORT, THROW = Play(Card.D100), Play(Card.D25), Discard(Card.GAS)


def test_every_feature_speaks_by_reasons_that_exist() -> None:
    assert {code for codes in REASONS_OF.values() for code in codes} <= set(REASONS)


def test_what_adds_most_to_the_lead_over_the_best_other_move_comes_first() -> None:
    worth: dict[Move, dict[str, int]] = {
        LONG: {"drive": 900, "drive_miles": 40, "drive_leaves_held": 60},
        SHORT: {"drive": 900, "drive_miles": 10},
        THROW: {"discard": 5},
    }
    assert deciding(Weights(worth), LONG)[:2] == ["drive_fits_next", "drive_longest"]


def test_what_speaks_against_the_best_other_move_counts_as_well() -> None:
    worth: dict[Move, dict[str, int]] = {
        SHORT: {"drive": 500},
        Play(Card.D200): {"drive": 500, "drive_first_200": -60},
    }
    assert deciding(Weights(worth), SHORT) == ["drive_saves_200"]


def test_what_speaks_against_the_move_is_no_reason_for_it() -> None:
    worth: dict[Move, dict[str, int]] = {
        LONG: {"drive": 900, "drive_first": -50},
        THROW: {"discard": 5},
    }
    assert deciding(Weights(worth), LONG) == []
    only: dict[Move, dict[str, int]] = {LONG: {"drive_first": 5}}
    assert deciding(Weights(only), LONG) == ["drive_first"]
