"""Bots that are Python classes: one that plays, and others that go wrong."""

import os
import sys

from millebornes.rules import Move, View


class First:
    """Plays the first legal move."""

    def choose(self, view: View) -> Move:
        return view.legal_moves[0]


class Chatty:
    """Prints on everything that it can reach, and reads what it can."""

    def choose(self, view: View) -> Move:
        sys.stdout.write("thinking\n")
        os.write(1, b"{}\n")
        assert sys.stdin.read() == ""
        return view.legal_moves[-1]


class Forgetful:
    """Returns no move."""

    def choose(self, _: View) -> Move:
        return None  # type: ignore[return-value]


class Raising:
    """Fails at every move."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError(f"no idea for seat {view.seat}")


class Needy:
    """Cannot be made without an argument."""

    def __init__(self, engine: str) -> None:
        self.engine = engine

    def choose(self, view: View) -> Move:
        return view.legal_moves[0]


class NoBot:
    """Has no method `choose`."""


a_function = len
