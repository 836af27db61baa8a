"""Numbers and percentages as each language writes them."""

import math

from millebornes.words import Words

__all__ = ["draw_number", "draw_percent"]


def draw_number(value: float, decimals: int, words: Words) -> str:
    """The number in this language, with separators; a dash for NaN."""
    if math.isnan(value):
        return "–"
    text = f"{value:,.{decimals}f}"
    signs = {",": words.say("thousands"), ".": words.say("decimal")}
    return "".join(signs.get(sign, sign) for sign in text)


def draw_percent(share: float, words: Words) -> str:
    """The share as a percentage in this language."""
    return words.say("percent", figure=draw_number(100 * share, 1, words))
