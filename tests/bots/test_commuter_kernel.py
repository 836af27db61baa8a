"""The commuter plays by the compiled engine, which it loads only when it plays."""

import subprocess
import sys

import pytest

from millebornes.bots import Commuter
from millebornes.bots.commuter import _engine_for
from millebornes.fast import Engine
from millebornes.rules import EDITIONS, View, deal_cards, new_match, view

LOADED = """
import sys
import millebornes.bots
print("numba" in sys.modules, "numpy" in sys.modules)
"""

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from millebornes.bots import Commuter
from millebornes.rules import EDITIONS, deal_cards, new_match, view
edition = EDITIONS["winning-moves"]
match, _ = deal_cards(new_match(edition, 2), edition.deck(2)[::-1])
seen = view(match, match.awaiting.seat)
try:
    Commuter().choose(seen)
except RuntimeError as error:
    print(error)
"""


def output(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


def dealt(edition: str, players: int, *, short_trip: bool = False) -> View:
    chosen = EDITIONS[edition]
    match = new_match(chosen, players, dealer=players - 1, short_trip=short_trip)
    return view(deal_cards(match, chosen.deck(players)[::-1])[0], 0)


def test_importing_the_bots_does_not_load_numba() -> None:
    assert output(LOADED).split() == ["False", "False"]


def test_without_numba_the_commuter_says_what_is_missing() -> None:
    told = output(WITHOUT_NUMBA)
    assert "needs Numba" in told
    assert "another level" in told


@pytest.mark.parametrize("short_trip", [False, True])
def test_one_engine_is_kept_for_each_game(short_trip: bool) -> None:
    seen = dealt("dujardin-2019", 4, short_trip=short_trip)
    engine = _engine_for(seen)
    assert engine is _engine_for(dealt("dujardin-2019", 4, short_trip=short_trip))
    assert engine is not _engine_for(dealt("dujardin-2019", 2))
    assert engine.short_trip == short_trip
    chosen = Engine(seen.edition, 4, short_trip=short_trip).choose(seen, "commuter")
    assert Commuter().choose(seen) == chosen


def test_a_view_without_history_is_enough() -> None:
    seen = dealt("winning-moves", 3)
    assert seen.history
    assert Commuter().choose(seen._replace(history=())) == Commuter().choose(seen)
