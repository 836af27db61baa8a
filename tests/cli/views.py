"""Views of written positions, for the tests of drawing and typing."""

from millebornes.records import position
from millebornes.rules import View, view
from millebornes.words import Names, words

LONG = ("Maximilienne-Alexandrine", "Léa", "Hugo", "Chloé", "Louis", "Manon", "Jules", "Inès")


def seen(
    text: str, language: str = "en", seat: int | None = 0, called: tuple[str, ...] = LONG
) -> tuple[View, Names]:
    """What a seat sees of this position, and the names at the table."""
    match = position.from_text(text)
    return view(match, seat), words(language).named(called[: match.players], match.sides, seat)
