"""Simulations: the same figures by the kernel and by the readable rules, on any machine."""

from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from millebornes.arena import Simulation, setup
from millebornes.bots import BOTS
from millebornes.fast import Engine
from millebornes.plugins import UnknownBot
from millebornes.rules import EDITIONS, Extend, Move, View
from tests.strategies import TABLES, Table, table_id


def rows(simulation: Simulation, count: int, jobs: int = 1) -> NDArray[np.void]:
    return np.concatenate(list(simulation.run(count, jobs=jobs)))


@pytest.mark.parametrize("of_matches", [False, True], ids=["hands", "matches"])
@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_kernel_and_readable_rules_give_the_same_rows(table: Table, of_matches: bool) -> None:
    edition, players = table
    simulation = Simulation(
        edition=edition, players=players, bots=("greedy",), seed=7, of_matches=of_matches
    )
    assert simulation.is_fast
    count = 2 if of_matches else 6
    assert np.array_equal(rows(simulation, count), simulation.rows(range(count)))


def test_a_short_trip_is_simulated() -> None:
    dujardin = EDITIONS["dujardin-2019"]
    simulation = Simulation(edition=dujardin, players=4, bots=("greedy",), short_trip=True)
    played = rows(simulation, 50)
    assert np.array_equal(played[:4], simulation.rows(range(4)))
    assert played["lines"][:, :, 0].max() == 700


def test_other_bots_play_the_same_in_any_number_of_processes() -> None:
    simulation = Simulation(
        edition=EDITIONS["winning-moves"], players=2, bots=("sunday-driver", "random"), seed=3
    )
    assert not simulation.is_fast
    alone = rows(simulation, 20)
    assert np.array_equal(alone, rows(simulation, 20, jobs=2))
    assert alone["total"][:, 0].mean() > alone["total"][:, 1].mean()


@pytest.mark.parametrize("bots", [("greedy",), ("sunday-driver", "random")])
def test_any_executor_plays_the_same(bots: tuple[str, ...]) -> None:
    simulation = Simulation(edition=EDITIONS["article"], players=2, bots=bots, seed=5)
    with ThreadPoolExecutor(2) as executor:
        elsewhere = np.concatenate(list(simulation.run(20, executor=executor)))
    assert np.array_equal(elsewhere, rows(simulation, 20))


@pytest.mark.parametrize("bots", ["greedy", "sunday-driver"])
@pytest.mark.parametrize("jobs", [0, 257])
def test_a_number_of_jobs_that_cannot_be_is_refused(bots: str, jobs: int) -> None:
    simulation = Simulation(edition=EDITIONS["article"], players=2, bots=(bots,))
    with pytest.raises(ValueError, match=f"jobs = {jobs}: must be a whole number from 1 to 256"):
        rows(simulation, 1, jobs)


class Listening(Engine):
    """An engine that remembers what it chose by, and what it chose."""

    chosen: ClassVar[list[tuple[tuple[int, int], Move]]] = []

    def choose(self, view: View, policy: str, *, seed: int = 0, index: int = 0) -> Move:
        move = super().choose(view, policy, seed=seed, index=index)
        self.chosen.append(((seed, index), move))
        return move


def test_every_choice_is_left_to_a_chance_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "Engine", Listening)
    edition = EDITIONS["winning-moves"]
    for seed in range(3):  # neighbours
        simulation = Simulation(edition=edition, players=2, bots=("random",), seed=seed)
        simulation.rows(range(24))
    words, moves = zip(*Listening.chosen, strict=True)
    assert Extend() in moves
    assert len(set(words)) == len(words)


def test_the_bots_take_the_seats_in_turn() -> None:
    simulation = Simulation(edition=EDITIONS["article"], players=4, bots=("greedy", "random"))
    assert simulation.seats == ("greedy", "random", "greedy", "random")


def test_a_bot_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UnknownBot, match="no bot 'nobody': ") as caught:
        Simulation(edition=EDITIONS["article"], players=2, bots=("nobody",))
    assert all(name in str(caught.value) for name in BOTS)


@pytest.mark.parametrize("count", [0, 3])
def test_more_bots_than_seats_are_refused_and_none_at_all(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} bots: must be from 1 to 2"):
        Simulation(edition=EDITIONS["article"], players=2, bots=("greedy",) * count)
