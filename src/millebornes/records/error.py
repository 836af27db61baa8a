"""Text that cannot be read: where, what was found, what was expected."""

__all__ = ["RecordError"]


class RecordError(ValueError):
    """A position, a game or a move that cannot be read."""

    def __init__(self, line: int, column: int, found: str, expected: str) -> None:
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        super().__init__(f"line {line}, column {column}: found {found}, expected {expected}")
