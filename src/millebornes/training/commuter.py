"""Makes the weights of the commuter: `python -m millebornes.training.commuter --seed 1954`.

The same arguments give the same weights on every machine. The file that the package brings along
is written with `--output src/millebornes/fast/weights/commuter.json`. Progress goes to standard
error, one JSON object a line.
"""

import argparse
import json
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numba
import numpy as np

from millebornes import __version__
from millebornes.fast.kernel.policies.commuter.features import DECIDING, FEATURES
from millebornes.rules import EDITIONS

from .contest import Contest, leads
from .cross_entropy import Cloud, average, next_cloud
from .extension import valued
from .start import START

__all__ = ["SETS", "Effort", "main", "trained"]

Weights = Mapping[str, int]

_TRAINED = tuple(name for name in FEATURES if name not in DECIDING)
_SPREAD = 1000
"""How far a feature that is one or zero is changed at first, twice; larger ones less."""
_LEAST_SPREAD = 8
_MEASURED = 4000
"""Decks on which the result is measured."""


def _contests(*shares: tuple[str, int, int]) -> tuple[Contest, ...]:
    return tuple(Contest(EDITIONS[edition], players, share) for edition, players, share in shares)


SETS: Mapping[str, tuple[Contest, ...]] = {
    "duel": _contests(
        ("winning-moves", 2, 6),
        ("dujardin-2019", 2, 2),
        ("parker-1988", 2, 1),
        ("encyclopedia", 2, 1),
    ),
    "teams": _contests(("winning-moves", 4, 3), ("parker-1988", 4, 1), ("encyclopedia", 4, 1)),
    "many": _contests(
        ("winning-moves", 3, 2),
        ("winning-moves", 6, 2),
        ("dujardin-2019", 4, 2),
        ("dujardin-2019", 6, 1),
        ("encyclopedia", 3, 1),
    ),
}
"""The sets of weights, and the games that each is trained for, with their shares of the decks."""


class Effort(NamedTuple):
    """How long to train."""

    generations: int = 150
    """For the first set; the others, which start from it, take half as many."""
    candidates: int = 80
    best: int = 20
    decks: int = 1500
    """Decks of each generation, which all candidates play from every side; this is the number
    for two sides, with more there are fewer."""
    hands: int = 16_000
    """Hands of each set that are played with and without an extension, to learn its worth."""


def trained(
    contests: Sequence[Contest], start: Weights, effort: Effort, seed: int, *, halvings: int = 0
) -> Weights:
    """Weights for some games, from a start; `halvings` makes the first steps smaller."""
    rng = Random(seed)  # noqa: S311 (not for secrets)
    spread = [
        max(_LEAST_SPREAD, _SPREAD // (FEATURES[name].most + 1)) >> halvings for name in _TRAINED
    ]
    cloud = Cloud.around([start[name] for name in _TRAINED], spread)
    last: list[Cloud] = []
    for generation in range(effort.generations):
        decks = rng.getrandbits(32)
        middle = _weights(cloud.weights())

        def judge(drawn: Sequence[tuple[int, ...]], decks: int = decks) -> list[int]:
            rivals = (None, middle)  # noqa: B023 (called before the next generation)
            return [_points(contests, _weights(one), rivals, effort.decks, decks) for one in drawn]

        cloud = next_cloud(cloud, rng, judge, candidates=effort.candidates, best=effort.best)
        # One generation is noisy: the result is the mean of the last quarter.
        if 4 * (generation + 1) > 3 * effort.generations:
            last.append(cloud)
        _tell(generation=generation + 1, of=effort.generations, width=sum(cloud.spread))
    return _weights(average(last))


def _weights(values: Sequence[int]) -> Weights:
    found = {**dict(zip(_TRAINED, values, strict=True)), **DECIDING}
    return {name: found[name] for name in FEATURES}


def _points(
    contests: Sequence[Contest],
    own: Weights,
    rivals: Sequence[Weights | None],
    decks: int,
    seed: int,
) -> int:
    """The points by which some weights lead all rivals, in all contests."""
    shares = len(rivals) * sum(contest.share for contest in contests)
    total = 0
    for number, contest in enumerate(contests):
        count = max(1, 2 * decks * contest.share // (shares * contest.sides))
        for place, others in enumerate(rivals):
            own_seed = seed + len(rivals) * number + place
            found = leads(contest, own, others, decks=count, seed=own_seed)
            total += int(found.sum()) // contest.scale
    return total


def measured(contests: Sequence[Contest], weights: Weights, seed: int) -> list[dict[str, Any]]:
    """By how many points a hand some weights lead `greedy` on fresh decks, with 95 % intervals."""
    rows = []
    for contest in contests:
        found = leads(contest, weights, None, decks=_MEASURED, seed=seed) / contest.scale
        error = 1.96 * float(found.std()) / sqrt(len(found))
        rows.append(
            {
                "edition": contest.edition.id,
                "players": contest.players,
                "against": "greedy",
                "points_per_hand": round(float(found.mean()), 1),
                "interval": round(error, 1),
            }
        )
    return rows


def make(effort: Effort, seed: int) -> dict[str, Any]:
    """All sets. The first starts from what a person would choose, the others from the first."""
    rough: dict[str, Weights] = {}
    sets: dict[str, Weights] = {}
    figures = {}
    for number, (name, contests) in enumerate(SETS.items()):
        if not rough:
            rough[name] = trained(contests, START, effort, seed)
        else:
            less = effort._replace(generations=-(-effort.generations // 2))
            rough[name] = trained(contests, rough["duel"], less, seed + number, halvings=1)
        sets[name] = valued(contests, rough[name], hands=effort.hands, seed=seed + number)
        figures[name] = measured(contests, sets[name], seed + len(SETS))
        _tell(set=name, measured=figures[name])
    return {"measured": figures, "weights": sets}


def _tell(**said: object) -> None:
    sys.stderr.write(json.dumps(said) + "\n")


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m millebornes.training.commuter", description=__doc__
    )
    default = Effort()
    parser.add_argument("--seed", type=int, default=1954, help="default: %(default)s")
    for name, value in default._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=value, help="default: %(default)s")
    parser.add_argument("--output", type=Path, help="file to write; default: standard output")
    found = parser.parse_args(arguments)
    for name in default._fields:
        if getattr(found, name) < 1:
            parser.error(f"--{name} must be a whole number, 1 or more")
    if found.best > found.candidates:
        parser.error(f"--best must be at most the number of candidates, {found.candidates}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    found = _arguments(arguments)
    effort = Effort(**{name: getattr(found, name) for name in Effort._fields})
    command = ["python", "-m", "millebornes.training.commuter", "--seed", str(found.seed)]
    for name, value in effort._asdict().items():
        command += [f"--{name}", str(value)]
    made_by = {
        "command": shlex.join(command),
        "seed": found.seed,
        "versions": {
            "millebornes": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
        },
    }
    text = json.dumps({"made_by": made_by, **make(effort, found.seed)}, indent=1) + "\n"
    if found.output is None:
        sys.stdout.write(text)
    else:
        found.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
