"""The commands. Each reads, asks the layers below, and shows; none knows a rule."""

from .app import app, run

__all__ = ["app", "run"]
