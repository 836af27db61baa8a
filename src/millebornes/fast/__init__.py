"""The same rules near the speed of C: packed integers and a kernel compiled by Numba.

`Engine` simulates hands and matches, plays rollouts from a view, and steps batches of games.
"""

from .convert import canonical, settled
from .engine import POLICIES, Batch, Engine, Policy

__all__ = ["POLICIES", "Batch", "Engine", "Policy", "canonical", "settled"]
