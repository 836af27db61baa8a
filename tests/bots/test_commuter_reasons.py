"""What decided for the Commuter becomes the reason that is tried first."""

from collections.abc import Mapping
from dataclasses import dataclass

from millebornes.bots import Commuter
from millebornes.bots.commuter_reasons import REASONS_OF, deciding
from millebornes.bots.reasons import REASONS
from millebornes.fast import Engine
from millebornes.fast.kernel.policies.commuter import FEATURES
from millebornes.rules import Card, Discard, Match, Move, Play
from millebornes.rules.state import Turn
from tests.bots.played import positions


@dataclass(frozen=True)
class Weights:
    """Moves and what each is worth, by feature."""

    worth: Mapping[Move, Mapping[str, int]]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self.worth)

    def parts(self, move: Move) -> Mapping[str, int]:
        return self.worth[move]


def is_short(match: Match) -> bool:
    return match.trip != match.edition.trip_at(match.players)


LONG, SHORT, THROW = Play(Card.D100), Play(Card.D25), Discard(Card.GAS)


def test_features_that_exist_speak_by_reasons_that_exist() -> None:
    assert set(REASONS_OF) <= set(FEATURES)
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


def test_the_reason_is_what_decided() -> None:
    """Wherever a feature with a reason that holds speaks for the move, such a reason is given."""
    decided = 0
    for here in positions(300, 1958):
        seen = here.view
        if len(seen.legal_moves) == 1 or not isinstance(seen.awaiting, Turn):
            continue
        told = Commuter().explain(seen)
        engine = Engine(seen.edition, seen.players, short_trip=is_short(here.match))
        speaking = deciding(engine.features(seen), told.move)
        true = [code for code in speaking if REASONS[code](seen, told.move) is not None]
        decided += bool(true)
        assert not true or told.code == true[0]
    assert decided > 150
