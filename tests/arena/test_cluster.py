"""Contests on a Dask cluster: the same result, also if it loses a worker."""

import os
import signal
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from millebornes.arena import Contest, Scores, Simulation
from millebornes.arena.cluster import ClusterError, cluster
from millebornes.rules import DEFAULT_EDITION

from .dask_cluster import DaskCluster, dask_cluster

PAIRS = 12


@pytest.fixture
def two_workers() -> Iterator[DaskCluster]:
    with dask_cluster(2) as started:
        yield started


def test_a_cluster_that_loses_a_worker_gives_what_one_process_gives(
    two_workers: DaskCluster,
) -> None:
    contest = Contest.of(["sunday-driver", "greedy"], edition=DEFAULT_EDITION, seed=11)
    contest.prepare()  # so that the workers find the kernel already compiled
    alone, together = Scores(contest), Scores(contest)
    with cluster(two_workers.address) as executor:
        for part in contest.run(PAIRS, executor=executor):
            if not together.pairs:
                two_workers.workers[0].kill()
                two_workers.workers[0].wait()
            together.add(part)
        rows = list(simulation().run(10_000, executor=executor))
    for part in contest.run(PAIRS):
        alone.add(part)
    assert np.array_equal(alone.result().rows, together.result().rows)
    for one, other in zip(alone.result().bots, together.result().bots, strict=True):
        assert one._replace(ms_per_decision=0) == other._replace(ms_per_decision=0)
    assert np.array_equal(np.concatenate(rows), np.concatenate(list(simulation().run(10_000))))


def lose_the_scheduler() -> None:
    contest = Contest.of(["sunday-driver", "greedy"], edition=DEFAULT_EDITION, seed=11)
    with dask_cluster(1) as started, cluster(started.address) as executor:
        for _ in contest.run(10_000, executor=executor):
            started.scheduler.kill()


def test_a_scheduler_that_is_lost_is_a_clear_error() -> None:
    with pytest.raises(ClusterError) as caught:
        lose_the_scheduler()
    assert caught.value.code == "lost"


class Lost:
    """Ends the scheduler when somebody fetches it from a worker."""

    def __init__(self, scheduler: int) -> None:
        self._scheduler = scheduler

    def __reduce__(self) -> tuple[type[str], tuple[()]]:
        os.kill(self._scheduler, signal.SIGKILL)
        return str, ()


def wait_for_a_result_that_is_lost() -> None:
    with dask_cluster(1) as started, cluster(started.address) as executor:
        executor.submit(Lost, started.scheduler.pid).result()


def test_nobody_waits_for_a_result_that_was_lost_on_its_way() -> None:
    with pytest.raises(ClusterError) as caught:
        wait_for_a_result_that_is_lost()
    assert caught.value.code == "lost"


def simulation() -> Simulation:
    return Simulation(edition=DEFAULT_EDITION, players=3, bots=("greedy", "random"), seed=4)


def test_without_dask_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError) as caught, cluster("tcp://127.0.0.1:8786"):
        pass
    assert caught.value.code == "not_installed"


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense://127.0.0.1:1", "127.0.0.1:x", "x"]
)
def test_a_scheduler_that_cannot_be_reached_is_a_clear_error(address: str) -> None:
    with pytest.raises(ClusterError) as caught, cluster(address, seconds=0.5):
        pass
    assert caught.value.code == "unreachable"
    assert caught.value.detail


def test_a_cluster_without_workers_is_a_clear_error() -> None:
    with (
        dask_cluster(0) as empty,
        pytest.raises(ClusterError) as caught,
        cluster(empty.address, seconds=0.5),
    ):
        pass
    assert caught.value.code == "no_workers"
