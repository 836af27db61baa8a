"""What it is worth to extend the trip: the points to expect, as weights.

Wherever a hand asks for the choice, it is played to its end with both answers. Least squares then
fit the features of the choice to the difference. So the sum that decides is an expected value: the
points that extending gains, in tenths. Everything is computed with whole numbers and fractions, so
the result is the same on every machine.

The hands go on with the cards that the others really hold, not with cards dealt anew: somebody who
could not stop the car so far holds fewer hazards than chance would deal. Only training may look at
them; the policy knows the features and nothing else.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from millebornes.fast import Engine
from millebornes.fast.decks import deck_of
from millebornes.fast.kernel.policies.commuter.features import FEATURES
from millebornes.rules import (
    Extend,
    Finish,
    Match,
    View,
    apply,
    awaited_seats,
    deal_cards,
    new_match,
    view,
)
from millebornes.rules.state import Awaiting, Deal, ExtensionChoice, Over

from .contest import Contest

__all__ = ["fitted", "valued"]

Weights = Mapping[str, int]

VALUED = tuple(name for name in FEATURES if name.split("_")[0] == "extend")
"""The features that the choice depends on, besides the end of the match."""
PER_POINT = 10
"""The unit of the weights: a tenth of a point."""


def valued(contests: Sequence[Contest], weights: Weights, *, hands: int, seed: int) -> Weights:
    """These weights, with those of the extension fitted to hands that they play.

    They stay as they are if none of the games offers the choice.
    """
    asking = [contest for contest in contests if contest.players in contest.edition.extension_at]
    shares = sum(contest.share for contest in asking)
    rows, gains = [], []
    for number, contest in enumerate(asking):
        engine = Engine(contest.edition, contest.players, weights=[weights] * contest.players)
        for index in range(max(1, hands * contest.share // shares)):
            choice = _played(engine, _dealt(engine, index, seed + number), ExtensionChoice)
            if isinstance(choice.awaiting, ExtensionChoice):
                seat = choice.awaiting.seat
                rows.append(_features(engine, view(choice, seat, brief=True)))
                leads = [_lead(engine, apply(choice, seat, answer)[0], seat) for answer in _ANSWERS]
                gains.append((leads[0] - leads[1]) // (engine.sides - 1))
    if not rows:
        return weights
    found = dict(zip(VALUED, fitted(rows, gains), strict=True))
    return {name: found.get(name, weight) for name, weight in weights.items()}


_ANSWERS = (Extend(), Finish())


def _dealt(engine: Engine, index: int, seed: int) -> Match:
    match = new_match(engine.edition, engine.players, dealer=index % engine.players)
    return deal_cards(match, deck_of(engine.edition, engine.players, seed=seed, index=index))[0]


def _played(engine: Engine, match: Match, *until: type[Awaiting]) -> Match:
    """The hand played on by the policy until something is awaited, at the latest to its end."""
    while not isinstance(match.awaiting, (Deal, Over, *until)):
        seat = awaited_seats(match)[0]
        seen = view(match, seat, brief=True)
        match, _ = apply(match, seat, engine.choose(seen, "commuter"))
    return match


def _features(engine: Engine, choice: View) -> list[int]:
    """The features of extending, less those of finishing."""
    found = engine.features(choice)
    extending, finishing = (
        dict(zip(found.names, found.features[found.moves.index(answer)].tolist(), strict=True))
        for answer in _ANSWERS
    )
    return [extending[name] - finishing[name] for name in VALUED]


def _lead(engine: Engine, match: Match, seat: int) -> int:
    """By how much a seat's side leads all others together at the end of the hand."""
    points = _played(engine, match).totals
    return len(points) * points[seat % len(points)] - sum(points)


def fitted(rows: Sequence[Sequence[int]], gains: Sequence[int]) -> list[int]:
    """The weights whose sums come closest to the gains, by least squares.

    A one is added to the diagonal: a feature that never changes anything gets no weight.
    """
    size = len(rows[0])
    matrix = [
        [Fraction(sum(row[i] * row[j] for row in rows) + (i == j)) for j in range(size)]
        + [Fraction(sum(row[i] * gain for row, gain in zip(rows, gains, strict=True)))]
        for i in range(size)
    ]
    for i in range(size):  # the matrix is positive definite, so no pivot is zero
        matrix[i] = [value / matrix[i][i] for value in matrix[i]]
        for j in range(size):
            if j != i:
                factor = matrix[j][i]
                matrix[j] = [
                    value - factor * other
                    for value, other in zip(matrix[j], matrix[i], strict=True)
                ]
    return [round(PER_POINT * line[-1]) for line in matrix]
