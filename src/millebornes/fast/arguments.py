"""Checks the arguments of the engine, and converts seeds."""

import numpy as np

__all__ = ["MOST_JOBS", "check_jobs", "check_number", "seed_word"]

MOST_JOBS = 256
"""More threads do not help, and some thousands bring a machine down."""


def check_jobs(jobs: int) -> int:
    """The number of threads or processes, if it is a valid one."""
    if not 1 <= jobs <= MOST_JOBS:
        raise ValueError(f"jobs = {jobs}: must be a whole number from 1 to {MOST_JOBS}")
    return jobs


def check_number(name: str, value: int, least: int) -> int:
    """The value, if it is not too small."""
    if value < least:
        raise ValueError(f"{name} = {value}: must be a whole number, {least} or more")
    return value


def seed_word(seed: int) -> np.uint64:
    """A seed for the kernel: its lowest 64 bits."""
    return np.uint64(seed & 0xFFFF_FFFF_FFFF_FFFF)
