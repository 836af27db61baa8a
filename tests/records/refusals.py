"""The error for a text that cannot be read."""

from collections.abc import Callable

import pytest

from millebornes.records import RecordError


def refusal(read: Callable[[str], object], text: str) -> tuple[int, int, str, str]:
    """The line and column of the error, what was found and what was expected."""
    with pytest.raises(RecordError) as refused:
        read(text)
    error = refused.value
    where = f"line {error.line}, column {error.column}: "
    assert str(error) == f"{where}found {error.found}, expected {error.expected}"
    return error.line, error.column, error.found, error.expected
