"""The game on packed integers, compiled by Numba.

`entries` is what Python calls. What the kernel needs to know of an edition comes to it as an
argument; everything else is a constant, and the folder of the compiled code is named after
all sources, so none can go stale.
"""

from .entries import advise, deal, rollouts, run, settle, step

__all__ = ["advise", "deal", "rollouts", "run", "settle", "step"]
