"""French elision: "le tour d'Inès", not "de Inès".

Names and cards are filled into sentences, so whether the word before them is shortened shows only
then. `web/src/lib/elision.ts` does the same for the browser client.
"""

import re
import unicodedata
from collections.abc import Mapping

__all__ = ["elided"]

_SHORTENED = re.compile(
    r"\b((?:d|l|n|s|m|t|j|(?:jus|lors|puis|quoi)?qu)e|la) \{(\w+)\}", re.IGNORECASE
)
"""A word that loses its last letter before a vowel, and what is filled in after it."""
_VOWEL = re.compile(r"[aeiouhœæ]|y(?![aeiouy])", re.IGNORECASE)
"""H counts as silent, as in most French names; Y before a vowel does not (Yves, but Yann)."""


def elided(template: str, params: Mapping[str, object]) -> str:
    """The template with those words shortened that stand before a vowel of these parameters."""

    def shorten(found: re.Match[str]) -> str:
        word, name = found.groups()
        value = unicodedata.normalize("NFD", str(params.get(name, "")))
        return f"{word[:-1]}'{{{name}}}" if _VOWEL.match(value) else found[0]

    return _SHORTENED.sub(shorten, template)
