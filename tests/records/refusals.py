"""The error for a text that cannot be read."""

from collections.abc import Callable

import pytest

from millebornes.records import RecordError
from millebornes.words import words


def refusal(read: Callable[[str], object], text: str) -> tuple[int, int, str, str]:
    """The line and column of the error, what was found and what was expected."""
    with pytest.raises(RecordError) as refused:
        read(text)
    error = refused.value
    where = f"line {error.line}, column {error.column}: "
    assert error.impossible is None
    assert str(error) == f"{where}found {error.found}, expected {error.expected}"
    return error.line, error.column, error.found, error.expected


def contradiction(read: Callable[[str], object], text: str) -> tuple[int, int, str, str]:
    """The line and column of what cannot be, what was found there, and the code of the refusal."""
    with pytest.raises(RecordError) as refused:
        read(text)
    error = refused.value
    assert error.impossible is not None
    where = f"line {error.line}, column {error.column}: "
    sentence = words("en").sentence(error.impossible)
    assert str(error) == f"{where}found {error.found}, which cannot be. {sentence}"
    return error.line, error.column, error.found, error.impossible.code
