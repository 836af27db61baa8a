"""The commands, one module each. They read input, call the layers below and print the result."""

from .app import app, run

__all__ = ["app", "run"]
