"""The languages: one JSON file for each, beside this module."""

import json
from functools import cache
from importlib import resources

from .words import Words

__all__ = ["DEFAULT_LANGUAGE", "languages", "words"]

DEFAULT_LANGUAGE = "en"


def languages() -> tuple[str, ...]:
    """The languages there are, the default first."""
    found = sorted(
        entry.name.removesuffix(".json")
        for entry in resources.files(__package__).iterdir()
        if entry.name.endswith(".json")
    )
    return tuple(sorted(found, key=lambda language: language != DEFAULT_LANGUAGE))


@cache
def words(language: str = DEFAULT_LANGUAGE) -> Words:
    """The words of a language."""
    if language not in languages():
        known = ", ".join(languages())
        raise ValueError(f"no words for the language {language!r}: there are {known}")
    text = resources.files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return Words(language, json.loads(text))
