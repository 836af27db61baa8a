"""How strong each level is: one measured figure each, from contests in the arena."""

import json
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["MEASURED", "Measured"]


class Measured(NamedTuple):
    """The share of matches that a level wins against its neighbour, two players each."""

    against: str
    wins: float


def _read() -> dict[str, Measured]:
    text = resources.files(__package__).joinpath("measured.json").read_text(encoding="utf-8")
    return {level: Measured(**figures) for level, figures in json.loads(text)["levels"].items()}


MEASURED: Mapping[str, Measured] = MappingProxyType(_read())
"""The figures by level. The file is generated from the results in `docs/bots/results/`."""
