"""Whose move it is, as a sentence."""

from millebornes.rules import Match
from millebornes.rules.state import Deal, ExtensionChoice, Over, Turn, Window
from millebornes.words import Names, Words

__all__ = ["describe_awaiting"]


def describe_awaiting(match: Match, names: Names, words: Words) -> str:
    """The sentence that says who is to move, or who has won."""
    match match.awaiting:
        case Turn(seat):
            return words.say("awaiting_turn", seat=names.seats[seat])
        case Window(_, _, hazard) as window:
            seats = ", ".join(names.seats[seat] for seat in window.open_to)
            return words.say("awaiting_window", seats=seats, hazard=words.card(hazard))
        case ExtensionChoice(seat):
            return words.say("awaiting_extension", seat=names.seats[seat])
        case Deal(dealer):
            return words.say("awaiting_deal", seat=names.seats[dealer])
        case Over(None):
            return words.say("over_drawn")
        case Over(int() as winner):
            return words.say("over_won", side=names.sides[winner])
    raise TypeError(f"nothing is awaited: {match.awaiting!r}")
