"""The same rules on packed integers, in a kernel that Numba compiles.

`Engine` simulates hands and matches, plays rollouts from a view, and steps batches of games.
"""

from .convert import canonical, settled
from .engine import POLICIES, Batch, Engine

__all__ = ["POLICIES", "Batch", "Engine", "canonical", "settled"]
