"""The arena from Python: one call plays a contest and returns its figures."""

from collections.abc import Sequence
from concurrent.futures import Executor

from millebornes.plugins import Entrant
from millebornes.rules import Edition, edition_named

from .contest import Contest
from .result import Result, Scores

__all__ = ["play"]


def play(
    edition: Edition | str,
    bots: Sequence[str | Entrant],
    *,
    pairs: int,
    players: int = 2,
    seed: int = 1954,
    short_trip: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Result:
    """Play a contest: `pairs` sets of decks, each once in every rotation of the seats.

    `edition` is an edition or its id. Work goes to `executor`, or else to `jobs` threads or
    processes; processes are spawned, so the main module must be importable: see Python's
    `multiprocessing`. Whoever plays it, the same seed gives the same figures, except for the
    measured times.
    """
    contest = Contest.of(
        bots,
        edition=edition_named(edition) if isinstance(edition, str) else edition,
        players=players,
        seed=seed,
        short_trip=short_trip,
    )
    contest.prepare()
    scores = Scores(contest)
    for part in contest.run(pairs, jobs=jobs, executor=executor):
        scores.add(part)
    return scores.result()
