"""A progress bar for commands that take long, on the terminal of standard error."""

from typing import TYPE_CHECKING

from .screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["progress_bar"]


def progress_bar(screen: Screen) -> "Progress":
    """A bar that vanishes when the work is done; nothing if there is no terminal."""
    from rich.progress import (  # noqa: PLC0415 (few commands need it)
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=screen.errors,
        transient=True,
        disable=not screen.errors.is_terminal,
    )
