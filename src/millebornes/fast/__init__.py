"""The same rules on packed integers, in a kernel that Numba compiles.

`Engine` simulates hands and matches, plays rollouts from a view, compares moves by them, and steps
batches of games.
"""

from .batch import Batch
from .comparison import Comparison, Estimate
from .convert import canonical, settled
from .engine import POLICIES, Engine
from .packing import MOVES
from .weighing import Weighing

__all__ = [
    "MOVES",
    "POLICIES",
    "Batch",
    "Comparison",
    "Engine",
    "Estimate",
    "Weighing",
    "canonical",
    "settled",
]
