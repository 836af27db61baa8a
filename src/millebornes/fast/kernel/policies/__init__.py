"""The registry of policies, which choose moves inside the kernel.

A policy is one module of this package, with the policy's name, listed in `POLICIES`. The module
has

- `choose(game, rules)`: compiled, it returns the number of a legal move for the seat that is to
  decide: on its turn, when it may extend the trip, or when it holds the safety that answers an
  attack. A policy always calls its coup fourré. `hot` inlines it into the loop of a whole hand,
  `inner` keeps it as a function.
- If the policy needs tables: `TABLES`, the fields of a record, and `fill(tables, match)`, which
  fills such a record for a new match. `choose` finds it in `rules`, under the policy's name.
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
    "commuter",
)
"""All policies. The index of a name is its number in the kernel."""

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
    """The number of a policy in the kernel, which does not check numbers itself."""
    if name not in POLICIES:
        allowed = ", ".join(POLICIES)
        raise ValueError(f"{name} is not a policy of the engine: must be one of {allowed}")
    return np.uint64(POLICIES.index(name))


def chain(functions: Sequence[Callable[..., Any]]) -> Any:
    """Compile a dispatch by number: a chain of comparisons.

    Numba knows each function here, so it can inline it, which it cannot do with functions in a
    list. The last number is compared first: every link compiles the rest of the chain once more,
    and the policies that came last are the longest. The caller must pass the number of one.
    """
    *others, own = functions
    number = np.uint64(len(others))
    rest = chain(others) if others else None

    def choose(game, rules, policy):
        """The decision of a policy for the seat that is to decide."""
        if policy == number:
            return own(game, rules)
        return rest(game, rules, policy)

    def choose_first(game, rules, policy):  # noqa: ARG001
        return own(game, rules)

    link = choose if others else choose_first
    # Numba derives the names of compiled functions from this, so each link needs its own.
    link.__qualname__ = f"{link.__name__}_{len(others)}"
    return hot(link)


choose = chain([module.choose for module in MODULES.values()])
