"""The learner: plays to teach, for somebody's first games.

It does what the rules invite to: it starts, cures, drives, and calls every coup fourré, so that
whoever plays against it sees each of them done. What it does wrong is what beginners do:

- It drives the longest card first, 200s too, and never looks at what will be left to drive.
- It drives whenever it can, and attacks only when it cannot, and only cars that have come far.
- It keeps hazards for later, and remedies in case, even spare ones and those that a safety has
  made useless. It discards short distances, though the end of the trip will need them.
- It waits with every safety for a coup fourré until the pile is all but gone, and may be too late.
- It never extends the trip.

It is friendly, too: with several opponents it never attacks the one furthest behind.
"""

from collections.abc import Iterator

from millebornes.rules import Card, Discard, Finish, Move, Play, View
from millebornes.rules.cards import DISTANCES, HAZARDS, HAZARDS_OF, MILES, SAFETIES
from millebornes.rules.state import ExtensionChoice, Window

from .bot import Advice
from .reading import (
    call_if_possible,
    completes,
    harms,
    is_held_up,
    own_of,
    race_of,
    rivals_of,
    suffers,
)
from .reasons import why

__all__ = ["Learner"]

_THOUGHTS = ("completes_trip", "drive_longest")
"""The reasons that come first to its mind."""


class Learner:
    """Plays as somebody does who has just read the rules."""

    def choose(self, view: View) -> Move:
        """The move of a beginner."""
        if isinstance(view.awaiting, Window):
            return call_if_possible(view)
        if isinstance(view.awaiting, ExtensionChoice):
            return Finish()
        plays = [move for move in view.legal_moves if isinstance(move, Play)]
        tempting = [play for play in plays if _is_tempting(view, play)]
        if tempting:
            return max(tempting, key=lambda play: _appeal(view, play))
        discards = [move for move in view.legal_moves if isinstance(move, Discard)]
        if discards:
            return min(discards, key=lambda discard: _keep(view, discard.card))
        return max(plays, key=lambda play: _appeal(view, play))  # a house rule forbids discards

    def explain(self, view: View) -> Advice:
        """The same move, and the reason for it."""
        return why(view, self.choose(view), _THOUGHTS)


def _is_tempting(view: View, play: Play) -> bool:
    if play.card in SAFETIES:
        cures = any(suffers(own_of(view), hazard) for hazard in HAZARDS_OF[play.card])
        return cures or view.pile < view.players
    if play.onto is not None:
        return play.onto in _targets(view) and harms(view, play)
    return play.card is not Card.AUTO or is_held_up(own_of(view))


def _targets(view: View) -> Iterator[int]:
    """The sides that it would attack: far on their way and, if there are several, not the last."""
    rivals = dict(rivals_of(view))
    for side, tableau in rivals.items():
        if tableau.miles < view.trip // 2:
            continue
        # Level with the last is last, too, in miles or in the race.
        if len(rivals) == 1 or (
            tableau.miles > min(other.miles for other in rivals.values())
            and race_of(view, side) > min(race_of(view, other) for other in rivals)
        ):
            yield side


def _appeal(view: View, play: Play) -> tuple[int, int]:
    """What it would rather do, then how much of it."""
    card = play.card
    if card in MILES:
        return (9 if completes(view, card) else 5), MILES[card]
    if play.onto is not None:
        return (3 if card is not Card.LIM else 2), race_of(view, play.onto)
    if card in SAFETIES:
        return 6, 0
    return (8 if card is not Card.AUTO else 7), 0


def _keep(view: View, card: Card) -> int:
    """How dearly it holds a card; it discards the lowest."""
    if card is Card.UNKNOWN:
        return -1
    if card in SAFETIES:
        return 1000
    own = own_of(view)
    if card in DISTANCES:
        is_dead = MILES[card] > view.trip - own.miles or (
            card is Card.D200 and own.distance.count(card) >= view.edition.max_200s
        )
        return 0 if is_dead else MILES[card]
    return 300 if card in HAZARDS else 400
