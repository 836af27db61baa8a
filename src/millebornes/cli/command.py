"""What every command runs in: a screen, a language, and errors reported in one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from millebornes.words import Words

from .errors import CommandError
from .language import words_for
from .screen import Screen

__all__ = ["terminal"]


@contextmanager
def terminal(lang: str | None) -> Iterator[tuple[Screen, Words]]:
    """A screen and a language. A `CommandError` is printed and ends the command with 2."""
    screen = Screen()
    try:
        words = words_for(lang)
        try:
            yield screen, words
        except OSError as error:
            # Errors of files are CommandErrors by now: this is an output that cannot be written.
            screen.close_output()
            problem = error.strerror or str(error)
            raise CommandError(words.say("cannot_write", problem=problem)) from None
    except CommandError as error:
        screen.complain(str(error))
        raise typer.Exit(2) from None
