"""The game on packed integers, compiled by Numba.

`entries` holds the functions that Python calls. Everything about an edition is an argument;
everything else is a constant. The cache folder of the compiled code is named after all sources,
so no constant can go stale.
"""

from .entries import advise, deal, rollouts, run, settle, step, weigh

__all__ = ["advise", "deal", "rollouts", "run", "settle", "step", "weigh"]
