"""What a refused text says."""

from collections.abc import Callable

import pytest

from millebornes.records import RecordError


def refusal(read: Callable[[str], object], text: str) -> tuple[int, int, str, str]:
    """Line, column, what was found, what was expected."""
    with pytest.raises(RecordError) as refused:
        read(text)
    error = refused.value
    where = f"line {error.line}, column {error.column}: "
    assert str(error) == f"{where}found {error.found}, expected {error.expected}"
    return error.line, error.column, error.found, error.expected
