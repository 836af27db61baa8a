"""The registry of policies: what the engine can play by itself.

A policy is one module of this package, named as the policy is, and its name in `POLICIES`. The
module has

- `choose(game, rules)`: compiled, it returns the number of a legal move for the seat that is
  awaited: on its turn, when it may extend the trip, or when it holds the safety that answers an
  attack. A policy always calls its coup fourré. `hot` makes it part of the loop of a whole
  hand, `inner` leaves it a function.
- If the policy needs tables: `TABLES`, the fields of a record, and `fill(tables, match)`, which
  fills one for a new match. `choose` finds the record in `rules`, under the policy's name.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from millebornes.fast.kernel.compiling import hot
from millebornes.fast.packing import Record
from millebornes.rules import Match

__all__ = ["MODULES", "POLICIES", "TABLES", "chain", "choose", "fill_tables", "number_of"]

POLICIES: tuple[str, ...] = (
    "random",
    "greedy",
)
"""What the engine can play by itself: the place of a name is its number in the kernel."""

MODULES: dict[str, ModuleType] = {name: import_module(f".{name}", __name__) for name in POLICIES}

TABLES = [
    (name, np.dtype(module.TABLES, align=True))
    for name, module in MODULES.items()
    if hasattr(module, "TABLES")
]
"""Fields of the rules record: one record for each policy that has tables."""


def fill_tables(rules: Record, match: Match) -> None:
    """Fill the tables of every policy in a rules record, for a new match."""
    for name, _ in TABLES:
        MODULES[name].fill(rules[name], match)


def number_of(name: str) -> np.uint64:
    """The number by which the kernel knows a policy: the kernel itself checks none."""
    if name not in POLICIES:
        allowed = ", ".join(POLICIES)
        raise ValueError(f"{name} is no policy of the engine: allowed is {allowed}")
    return np.uint64(POLICIES.index(name))


def chain(functions: Sequence[Callable[..., Any]], first: int = 0) -> Any:
    """Compile a choice among functions by number: comparisons one after the other.

    Numba knows each function, so it can make it part of the caller, which it cannot do with
    functions in a list. Whoever calls brings the number of one of them.
    """
    own, *others = functions
    number = np.uint64(first)
    rest = chain(others, first + 1) if others else None

    def choose(game, rules, policy):
        """The decision of a policy for the seat that is awaited."""
        if policy == number:
            return own(game, rules)
        return rest(game, rules, policy)

    def choose_last(game, rules, policy):  # noqa: ARG001
        return own(game, rules)

    link = choose if others else choose_last
    # Numba builds the names of compiled functions from this: each link needs its own.
    link.__qualname__ = f"{link.__name__}_{first}"
    return hot(link)


choose = chain([module.choose for module in MODULES.values()])
