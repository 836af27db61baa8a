"""The registry of policies: every name reaches its own function, and nothing else does."""

import pkgutil
import shutil
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from millebornes.arena import bot_names
from millebornes.fast import POLICIES, Engine
from millebornes.fast.kernel import policies
from millebornes.fast.packing import RULES_FIELDS
from millebornes.fast.tables import RULES
from millebornes.rules import EDITIONS, view

from .fresh_python import PACKAGE, run

DUJARDIN = EDITIONS["dujardin-2019"]
HANDS = 12


def test_every_module_is_registered_under_its_own_name() -> None:
    files = {module.name for module in pkgutil.iter_modules(policies.__path__)}
    assert files == set(POLICIES) == set(policies.MODULES)
    assert len(set(POLICIES)) == len(POLICIES)


def test_every_name_has_a_number_of_its_own() -> None:
    assert [int(policies.number_of(name)) for name in POLICIES] == list(range(len(POLICIES)))


@pytest.mark.parametrize("name", ["clever", "", "Greedy", 0, 1, len(POLICIES), -1, None])
def test_what_is_no_name_of_a_policy_is_refused_with_those_that_are(name: Any) -> None:
    engine = Engine(DUJARDIN, 2)
    message = f"^{name} is not a policy of the engine: must be one of {', '.join(POLICIES)}$"
    with pytest.raises(ValueError, match=message):
        policies.number_of(name)
    with pytest.raises(ValueError, match=message):
        engine.hands(1, bots=["greedy", name])
    seen = view(engine.batch(1).state(), 0)
    with pytest.raises(ValueError, match=message):
        engine.choose(seen, name)
    with pytest.raises(ValueError, match=message):
        engine.rollouts(seen, 1, bots=[name])


# Each its own function


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_chain_calls_the_function_with_the_number(count: int) -> None:
    def probe(answer: int) -> Any:
        return numba.njit(lambda game, rules: game * 1000 + rules * 100 + answer)

    chain = policies.chain([probe(answer) for answer in range(count)])
    ask = numba.njit(lambda policy: chain(7, 4, policy))
    answers = [ask(np.uint64(number)) for number in range(count)]
    assert answers == [7400 + number for number in range(count)]


@cache
def own_function(name: str) -> Any:
    """The function of one policy alone, compiled without the registry's chain."""
    choose = policies.MODULES[name].choose
    return numba.njit(lambda games, rules: choose(games[0], rules[0]))


def played_by_their_own(engine: Engine, bots: tuple[str, ...], hand: int) -> NDArray[np.void]:
    """A hand in which each decision is asked of the function of the seat's policy itself."""
    batch = engine.batch(1, seed=11, first=hand)
    while not batch.ended[0]:
        seat = int(batch.games[0]["seat"])
        chosen = own_function(bots[seat % len(bots)])(batch.games, engine.rules)
        batch.step([int(chosen)])
    return batch.games


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("bots", list(product(POLICIES, repeat=2)), ids="-".join)
def test_every_seat_is_played_by_the_function_of_its_policy(
    bots: tuple[str, ...], players: int
) -> None:
    engine = Engine(DUJARDIN, players)
    rows = engine.hands(HANDS, seed=11, bots=bots)
    for hand in range(HANDS):
        (game,) = played_by_their_own(engine, bots, hand)
        assert (rows[hand]["decisions"], *rows[hand]["total"]) == (
            game["decisions"],
            *game["total"],
        )
        assert (rows[hand]["lines"][: engine.sides] == game["sheet"][: engine.sides]).all()


def test_no_two_policies_play_the_same_hands() -> None:
    """Otherwise a policy that another's function plays would not show."""
    engine = Engine(DUJARDIN, 2)
    played = {engine.hands(HANDS, seed=11, bots=[name]).tobytes() for name in POLICIES}
    assert len(played) == len(POLICIES)


# Their tables


def test_the_tables_of_a_policy_are_a_record_of_the_rules_record() -> None:
    own = {name for name, module in policies.MODULES.items() if hasattr(module, "TABLES")}
    assert RULES.names is not None
    assert set(RULES.names) == {field[0] for field in RULES_FIELDS} | own
    rules = Engine(DUJARDIN, 2).rules[0]
    for name in own:
        fields = [field[0] for field in policies.MODULES[name].TABLES]
        assert RULES[name].names == tuple(fields)
        for field in fields:
            assert any(rules[name][field].tobytes()), f"{name}.{field} is empty"


NEW_POLICY = '''
"""Throws away what its table says, and never drives."""

from millebornes.fast.kernel.bits import lowest_bit
from millebornes.fast.kernel.compiling import hot
from millebornes.fast.kernel.constants import COUP_FOURRE, DISCARD, FINISH, TURN, WINDOW
from millebornes.fast.kernel.play import held_kinds

TABLES = [("thrown", "u8")]


def fill(tables, match):
    tables["thrown"] = DISCARD


@hot
def choose(game, rules):
    if game.awaiting == TURN:
        return rules.thrower.thrown + lowest_bit(held_kinds(game.hand[game.seat]))
    return COUP_FOURRE if game.awaiting == WINDOW else FINISH
'''
PLAY_IT = """
from millebornes.arena import Simulation, bot_names
from millebornes.fast import Engine
from millebornes.rules import EDITIONS
engine = Engine(EDITIONS["winning-moves"], 2)
print(*bot_names())
rows = engine.hands(50, bots=["thrower", "greedy"])
print(rows["lines"][:, :2, 0].max(axis=0).tolist())
print(Simulation(edition=EDITIONS["winning-moves"], players=2, bots=("thrower",)).is_fast)
"""


def test_a_new_policy_is_one_file_and_one_line(tmp_path: Path) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "copy" / "millebornes", symlinks=True)
    folder = copy / "fast" / "kernel" / "policies"
    (folder / "thrower.py").write_text(NEW_POLICY)
    registry = folder / "__init__.py"
    text = registry.read_text(encoding="utf-8")
    last = f'    "{POLICIES[-1]}",\n'
    assert text.count(last) == 1
    registry.write_text(text.replace(last, f'{last}    "thrower",\n'))
    names, miles, is_fast = run(PLAY_IT, tmp_path / "cache", package=copy)
    assert names.split() == [*POLICIES, "thrower", *bot_names()[len(POLICIES) :]]
    assert miles == "[0, 1000]"
    assert is_fast == "True"
