"""Reads the weights that the package brings along."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from .features import FEATURES, MOST, WEIGHTS

__all__ = ["SETS", "set_for", "weights_of", "weights_record"]

SETS = ("duel", "teams", "many")
"""The sets of weights: for two players, for two teams, for three sides and more."""


def set_for(players: int, sides: int) -> str:
    """The set of weights for a table."""
    if sides > 2:
        return "many"
    return "duel" if players == 2 else "teams"


@cache
def weights_of(name: str) -> Mapping[str, int]:
    """One of the sets, by feature."""
    folder = resources.files("millebornes.fast").joinpath("weights")
    made = json.loads(folder.joinpath("commuter.json").read_text(encoding="utf-8"))
    return MappingProxyType(made["weights"][name])


def weights_record(weights: Mapping[str, int]) -> NDArray[np.void]:
    """The weights as a record for the kernel: an array of one."""
    if set(weights) != set(FEATURES):
        odd = ", ".join(sorted(set(weights) ^ set(FEATURES)))
        raise ValueError(f"there must be one weight for each feature, which is not so for {odd}")
    for name, weight in weights.items():
        if not isinstance(weight, int) or not -MOST <= weight <= MOST:
            raise ValueError(f"{name} = {weight}: must be a whole number from {-MOST} to {MOST}")
    return np.array([weights[name] for name in FEATURES], np.int64).view(WEIGHTS)
