"""The policy `commuter`: its features, its weights, and what it does with them."""

import json
import pickle
import random
from importlib import resources

import numpy as np
import pytest

from millebornes.bots import Commuter
from millebornes.fast import Batch, Engine, kernel
from millebornes.fast.kernel.policies.commuter.features import DECIDING, FEATURES, MOST, WEIGHTS
from millebornes.fast.kernel.policies.commuter.weights import SETS, weights_of, weights_record
from millebornes.rules import (
    EDITIONS,
    Card,
    Discard,
    Extend,
    Finish,
    Move,
    Play,
    View,
    view,
)
from millebornes.rules.cards import SAFETIES
from millebornes.rules.state import Turn, Window
from tests.bots.test_bots import exchange_sides
from tests.strategies import TABLES, Table, table_id

from .equality import house_tables
from .legality import advised
from .test_policies import ROLLING, seen_by

every_table = pytest.mark.parametrize("table", TABLES, ids=table_id)
WINNING_MOVES = EDITIONS["winning-moves"]


def commuter(text: str, seat: int = 0) -> Move:
    return Commuter().choose(seen_by(seat, text))


def decided(batch: Batch) -> list[View]:
    """Views of all decisions of a hand that the commuter plays, except coups fourrés."""
    found = []
    while not batch.ended[0]:
        seen = view(batch.state(), int(batch.games[0]["seat"]), brief=True)
        if not isinstance(seen.awaiting, Window):
            found.append(seen)
        batch.step([advised(batch, "commuter", seed=0, index=0)])
    return found


# Features


@every_table
def test_the_move_with_the_highest_sum_is_chosen(table: Table) -> None:
    engine = Engine(*table)
    for seen in decided(engine.batch(1, seed=5)):
        found = engine.features(seen)
        assert found.moves == seen.legal_moves
        assert found.names == tuple(FEATURES)
        best = found.sums[found.moves.index(engine.choose(seen, "commuter"))]
        assert best == found.sums.max()


def test_every_feature_occurs_and_stays_within_its_bound() -> None:
    largest = np.zeros(len(FEATURES), np.int64)
    houses = house_tables(10, random.Random(3))
    for table in (*TABLES, *houses):
        engine = Engine(*table)
        # An extension while a Speed Limit lasts is rare.
        for index in range(60 if table == (WINNING_MOVES, 2) else 1):
            for seen in decided(engine.batch(1, seed=8, first=index)):
                largest = np.maximum(largest, np.abs(engine.features(seen).features).max(axis=0))
    for name, size in zip(FEATURES, largest.tolist(), strict=True):
        assert size <= FEATURES[name].most, name
        assert size or name in DECIDING, f"{name} never occurred"


def test_no_sum_can_overflow() -> None:
    assert sum(MOST * feature.most for feature in FEATURES.values()) < 2**62
    huge = {name: MOST * (-1) ** place for place, name in enumerate(FEATURES)}
    engine = Engine(WINNING_MOVES, 2, weights=[huge])
    for seen in decided(engine.batch(1, seed=6)):
        found = engine.features(seen)
        exact = [
            sum(value * huge[name] for name, value in zip(found.names, row, strict=True))
            for row in found.features.tolist()
        ]
        assert found.sums.tolist() == exact
        assert exact[found.moves.index(engine.choose(seen, "commuter"))] == max(exact)


def test_the_parts_of_a_sum_are_told_by_name() -> None:
    engine = Engine(WINNING_MOVES, 2)
    seen = seen_by(0, ROLLING + "hand 0: only 100 200 GAS\n")
    found = engine.features(seen)
    parts = found.parts(Play(Card.D200))
    assert {"drive", "drive_miles", "drive_first_200", "drive_first"} <= parts.keys()
    assert parts["drive_miles"] == 8 * weights_of("duel")["drive_miles"]
    assert sum(parts.values()) == found.sums[found.moves.index(Play(Card.D200))]
    with pytest.raises(ValueError, match="not a legal move"):
        found.parts(Play(Card.D25))


def test_an_answer_to_an_attack_has_no_features() -> None:
    text = "window: STOP 0>1\nbattle 1: ROLL STOP\nhand 1: ROW 25 25 25 25 25\n"
    found = Engine(WINNING_MOVES, 2).features(seen_by(1, text))
    assert not found.features.any()


def test_whoever_has_nothing_to_decide_gets_no_features() -> None:
    engine = Engine(WINNING_MOVES, 2)
    batch = engine.batch(1)
    waiting = view(batch.state(), 1 - int(batch.games[0]["seat"]))
    with pytest.raises(ValueError, match="no decision"):
        engine.features(waiting)


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].sides_at(t[1]) > 2], ids=table_id)
def test_exchanging_two_opponents_exchanges_what_attacks_on_them_are_worth(table: Table) -> None:
    """Targets depend on the race alone, never on who sits there."""
    engine = Engine(*table)
    batch = engine.batch(1, seed=9)
    attacks = 0
    while not batch.ended[0]:
        match = batch.state()
        if isinstance(match.awaiting, Turn):
            seat = match.awaiting.seat
            # Points of their own, so that nobody is level in the race.
            match = match._replace(forward=tuple(7 * side for side in range(match.sides)))
            own = match.side_of(seat)
            a, b = [side for side in range(match.sides) if side != own][-2:]
            here = sums(engine, view(match, seat))
            there = sums(engine, view(exchange_sides(match, a, b), seat))
            for move, total in here.items():
                if isinstance(move, Play) and move.onto in (a, b):
                    attacks += 1
                    assert there[Play(move.card, b if move.onto == a else a)] == total
                else:
                    assert there[move] == total
        batch.step([advised(batch, "commuter", seed=0, index=0)])
    assert attacks


def sums(engine: Engine, seen: View) -> dict[Move, int]:
    found = engine.features(seen)
    return dict(zip(found.moves, found.sums.tolist(), strict=True))


# Weights


def test_the_file_tells_how_the_weights_were_made_and_how_strong_they_are() -> None:
    folder = resources.files("millebornes.fast").joinpath("weights")
    made = json.loads(folder.joinpath("commuter.json").read_text(encoding="utf-8"))
    assert set(made["weights"]) == set(SETS) == set(made["measured"])
    by = made["made_by"]
    assert f"--seed {by['seed']}" in by["command"]
    assert by["versions"].keys() == {"millebornes", "python", "numpy", "numba"}
    for name in SETS:
        assert tuple(weights_of(name)) == tuple(FEATURES)
        assert all(type(weight) is int for weight in weights_of(name).values())
        assert DECIDING.items() <= weights_of(name).items()
        assert all(row["points_per_hand"] > row["interval"] for row in made["measured"][name])


def test_every_seat_can_have_weights_of_its_own() -> None:
    tuned = weights_of("duel")
    lazy = {**dict.fromkeys(FEATURES, 0), "discard": 1}
    engine = Engine(WINNING_MOVES, 2, weights=[tuned, lazy])
    rows = engine.hands(50, bots=["commuter"])
    assert (rows["lines"][:, 1, 0] == 0).all()
    assert (rows["lines"][:, 0, 0] > 0).mean() > 0.9
    again = pickle.loads(pickle.dumps(engine)).hands(50, bots=["commuter"])
    assert (again == rows).all()
    assert (Engine(WINNING_MOVES, 2).hands(50, bots=["commuter"]) != rows).any()


def test_other_weights_compile_nothing() -> None:
    Engine(WINNING_MOVES, 2).hands(1)
    before = len(kernel.run.signatures)
    Engine(WINNING_MOVES, 2, weights=[weights_of("many")]).hands(1)
    assert len(kernel.run.signatures) == before == 1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "one weight for each feature.*discard"),
        ({**weights_of("duel"), "luck": 1}, "one weight for each feature.*luck"),
        ({**weights_of("duel"), "drive": MOST + 1}, f"drive = {MOST + 1}: must be .* {MOST}"),
        ({**weights_of("duel"), "drive": 0.5}, "drive = 0.5: must be a whole number"),
    ],
)
def test_wrong_weights_are_refused(weights: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Engine(WINNING_MOVES, 2, weights=[weights])


def test_a_record_holds_the_weights_in_the_order_of_the_features() -> None:
    ordered = {name: place for place, name in enumerate(FEATURES)}
    record = weights_record(dict(reversed(ordered.items())))
    assert record.dtype == WEIGHTS
    assert record.view(np.int64).tolist() == list(range(len(FEATURES)))
    assert record[0]["keep"][-1] == ordered["keep_autoroute"]


# Choices

COMMUTER: dict[str, tuple[str, Move]] = {
    "it completes the trip": (
        ROLLING + "called: 0\nmiles 0: 900\nhand 0: only 100 75 GAS\n",
        Play(Card.D100),
    ),
    "it ends a match that it wins": (
        ROLLING
        + "called: 0\nscores: 4500 1000\nmiles 0: 975\nmiles 1: 975\nhand 0: only 25 STOP\n",
        Play(Card.D25),
    ),
    "it does not end a match that it loses": (
        ROLLING
        + "called: 0\nscores: 1000 4900\nmiles 0: 900\nmiles 1: 500\nhand 0: only 100 STOP\n",
        Play(Card.STOP, 1),
    ),
    "it finishes if that wins the match": (
        (
            "extension: 0\nbattle 0: ROLL\nscores: 4500 0\nmiles 0: 700\n"
            "hand 0: 200 200 100 ROLL ACE ROW\n"
        ),
        Finish(),
    ),
    "it extends if to finish would lose the match": (
        (
            "extension: 0\nbattle 0: ROLL\nbattle 1: ROLL\nscores: 0 4900\nmiles 0: 700\n"
            "miles 1: 675\nhand 0: GAS REP SPARE EOL 25 25\n"
        ),
        Extend(),
    ),
    "it cures what stops it": (
        "battle 0: ROLL OUT\nhand 0: only GAS STOP 100\n",
        Play(Card.GAS),
    ),
    "it starts to roll": ("hand 0: only ROLL 100 25\n", Play(Card.ROLL)),
    "it stops whoever is in front": (
        (
            "players: 3\nbattle 0: ROLL\nbattle 1: ROLL\nbattle 2: ROLL\nmiles 1: 100\n"
            "miles 2: 500\nhand 0: only STOP 25\n"
        ),
        Play(Card.STOP, 2),
    ),
    "it discards a distance that is too far": (
        "miles 0: 600\nhand 0: only 200 GAS ROLL\nbattle 0: ROLL\n",
        Discard(Card.D200),
    ),
}


@pytest.mark.parametrize(("text", "move"), COMMUTER.values(), ids=COMMUTER)
def test_commuter_play(text: str, move: Move) -> None:
    assert commuter(text) == move


def test_a_safety_is_never_discarded_while_there_is_another_card() -> None:
    for table in TABLES:
        engine = Engine(*table)
        for seen in decided(engine.batch(1, seed=12)):
            move = engine.choose(seen, "commuter")
            if isinstance(move, Discard) and move.card in SAFETIES:
                assert set(seen.hand) <= SAFETIES


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_commuter_play_beats_greedy_play_on_the_same_decks(table: Table) -> None:
    engine = Engine(*table)
    won = 0.0
    for place in range(engine.sides):
        is_own = [seat % engine.sides == place for seat in range(engine.players)]
        bots = ["commuter" if own else "greedy" for own in is_own]
        won += float((engine.matches(300, seed=3, bots=bots)["winner"] == place).mean())
    assert won > 1
