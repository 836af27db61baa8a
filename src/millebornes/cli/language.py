"""The language of the output: the one asked for, else that of the locale, else English."""

import os

from millebornes.rules.quote import shortened
from millebornes.words import DEFAULT_LANGUAGE, Words, languages, words

from .errors import CommandError

__all__ = ["words_for"]

# In the order of POSIX; an empty variable counts as unset.
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def words_for(asked: str | None) -> Words:
    """The words of the language asked for, or of the locale."""
    if asked is None:
        return words(_of_locale())
    language = asked.strip().lower()
    if language not in languages():
        known, given = ", ".join(languages()), shortened(asked)
        raise CommandError(words(_of_locale()).say("no_language", language=given, languages=known))
    return words(language)


def _of_locale() -> str:
    for variable in _LOCALE_VARIABLES:
        value = os.environ.get(variable)
        if value:
            language = value.partition(".")[0].partition("_")[0].lower()
            return language if language in languages() else DEFAULT_LANGUAGE
    return DEFAULT_LANGUAGE
