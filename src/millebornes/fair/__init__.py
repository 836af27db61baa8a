"""Shuffles that can be repeated and checked."""

from .deck import key_from_seed, shuffled

__all__ = ["key_from_seed", "shuffled"]
