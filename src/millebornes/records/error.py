"""Text that cannot be read: where, what was found, what was expected."""

from typing import TYPE_CHECKING

from millebornes.words import DEFAULT_LANGUAGE, words

if TYPE_CHECKING:
    from millebornes.rules.ending import Impossible
    from millebornes.rules.reason import Reason

__all__ = ["RecordError"]


class RecordError(ValueError):
    """A position, a game or a move that cannot be read."""

    def __init__(
        self,
        line: int,
        column: int,
        found: str,
        expected: str,
        refused: "tuple[int, Reason] | None" = None,
        *,
        impossible: "Impossible | None" = None,
    ) -> None:
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.refused = refused
        """If the rules refuse a move: the seat that made it, and why."""
        self.impossible = impossible
        """If the rules or the cards contradict what was found: what cannot be."""
        said = f"expected {expected}"
        if impossible is not None:
            said = f"which cannot be. {words(DEFAULT_LANGUAGE).sentence(impossible)}"
        super().__init__(f"line {line}, column {column}: found {found}, {said}")
