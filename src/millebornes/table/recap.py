"""True sentences about a hand and a match that have ended: why they were won or lost.

A fact is a code with parameters. Each is stated only if it holds, whatever else happened.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import islice

from millebornes.rules import Match, Play, ScoreSheet, apply_legal, why_not
from millebornes.rules.car import active_hazard, is_limited, is_rolling
from millebornes.rules.cards import REMEDIES, SAFETIES, Card
from millebornes.rules.edition import Edition
from millebornes.rules.state import Tableau, Turn

from .hindsight import PastTurn, past_of
from .messages_out import Fact

__all__ = ["moments", "recaps"]

_MOST = 2
"""As many sentences as people read before they go on."""
_LONG = 2
"""Fewer turns than this are not worth a sentence."""
_ANSWERS = REMEDIES | SAFETIES
"""Cards that can let a car drive, or cure it."""
_FAR_BEHIND = 500
"""Points that a winner must have made up to be called a comeback."""


def recaps(match: Match) -> tuple[tuple[Fact, ...], ...]:
    """One or two facts about the hand that has ended, for each seat, and last for spectators."""
    hand = match.hand
    if hand is None or hand.sheets is None:
        return ()
    turns, held = past_of(match)
    totals = [sheet.total for sheet in hand.sheets]
    first, second = sorted(range(match.sides), key=lambda side: -totals[side])[:2]
    return (
        *(_recap(match, hand.sheets, seat, turns, held[seat]) for seat in range(match.players)),
        (_margin(hand.sheets, first, second, is_yours=False),),
    )


def _recap(
    match: Match,
    sheets: Sequence[ScoreSheet],
    seat: int,
    past: Sequence[PastTurn],
    held: Sequence[tuple[Card, ...]],
) -> tuple[Fact, ...]:
    """The facts for a seat, from what it saw and what it held at each of its turns."""
    totals = [sheet.total for sheet in sheets]
    own = match.side_of(seat)
    rival = max((side for side in range(match.sides) if side != own), key=totals.__getitem__)
    if totals[own] < totals[rival]:
        # That the winner had trouble, too, does not tell why the others lost.
        found = _lost(match, [turn for turn in past if turn.seat == seat], held)
    else:
        found = _won(match, past, own, rival)
    return (_margin(sheets, own, rival, is_yours=True), *islice(found, _MOST - 1))


def _margin(sheets: Sequence[ScoreSheet], one: int, other: int, *, is_yours: bool) -> Fact:
    """By how much a side is ahead of another, and in which line it gained the most.

    If it would not be ahead without that line, the line has decided.
    """
    by = sheets[one].total - sheets[other].total
    ahead, behind = (one, other) if by >= 0 else (other, one)
    more = {
        line: getattr(sheets[ahead], line) - getattr(sheets[behind], line)
        for line in ScoreSheet._fields
    }
    line = max(more, key=more.__getitem__)
    params: dict[str, str | int] = {"side": other} if is_yours else {"first": one, "side": other}
    if by == 0:
        code = "level"
    else:
        code = "ahead" if by > 0 else "behind"
        params |= {"points": abs(by), "line": line, "more": more[line]}
        if more[line] >= abs(by):
            code += "_by_line"
    if not is_yours:
        code += "_of"
    return Fact(code, params)


def _lost(
    match: Match, own: Sequence[PastTurn], held: Sequence[tuple[Card, ...]]
) -> Iterator[Fact]:
    """What kept a seat from more points."""
    yield from _held(match, own, held)
    yield from _stopped(own)
    limited = _limited(own)
    if limited >= _LONG:
        yield Fact("limited", {"turns": limited, "of": len(own)})


def _won(match: Match, past: Sequence[PastTurn], own: int, rival: int) -> Iterator[Fact]:
    """What kept another side from more points.

    What the winner has suffered as much from does not tell why they won.
    """
    theirs = [turn for turn in past if match.side_of(turn.seat) == rival]
    ours = [turn for turn in past if match.side_of(turn.seat) == own]

    def is_telling(count: int, of_ours: int) -> bool:
        return count >= _LONG and count * len(ours) > of_ours * len(theirs)

    stopped = _causes(theirs).total()
    if is_telling(stopped, _causes(ours).total()):
        yield Fact("rival_stopped", {"side": rival, "turns": stopped, "of": len(theirs)})
    limited = _limited(theirs)
    if is_telling(limited, _limited(ours)):
        yield Fact("rival_limited", {"side": rival, "turns": limited, "of": len(theirs)})


def _causes(past: Sequence[PastTurn]) -> Counter[Card]:
    """How many turns began with a car that could not drive, by the cause."""
    return Counter([turn.cause for turn in past if turn.cause is not None])


def _limited(past: Sequence[PastTurn]) -> int:
    """How many turns began under a Speed Limit."""
    return sum(is_limited(turn.tableau) for turn in past)


def _stopped(own: Sequence[PastTurn]) -> Iterator[Fact]:
    causes = _causes(own)
    if causes.total() < _LONG:
        return
    cause, count = causes.most_common(1)[0]
    params: dict[str, str | int] = {"turns": causes.total(), "of": len(own)}
    if count == 1:
        yield Fact("stopped_variously", params)
        return
    if cause is Card.ROLL:
        code = "stopped_without"
        params["remedy"] = cause.value
    else:
        code = "stopped"
        params["hazard"] = cause.value
    if count < causes.total():
        code += "_partly"
        params["count"] = count
    yield Fact(code, params)


def _held(
    match: Match, own: Sequence[PastTurn], held: Sequence[tuple[Card, ...]]
) -> Iterator[Fact]:
    """The card that the seat held longest while it stood still and that would have helped."""
    kept: defaultdict[Card, list[PastTurn]] = defaultdict(list)
    for turn, cards in zip(own, held, strict=True):
        if turn.cause is not None:
            for card in _ANSWERS.intersection(cards).difference(turn.used):
                kept[card].append(turn)
    helps = cache(partial(_helps, match))
    driving: Counter[Card] = Counter()
    curing: Counter[tuple[Card, Card]] = Counter()
    for card, stopped in kept.items():
        if len(stopped) < _LONG:
            continue
        for turn in stopped:
            assert turn.cause is not None
            help_ = helps(turn.seat, turn.tableau, card, turn.cause)
            if help_ == "drive":
                driving[card] += 1
            elif help_ == "cure":
                curing[card, turn.cause] += 1
    if driving and max(driving.values()) >= _LONG:
        card, count = max(driving.items(), key=lambda item: item[::-1])
        yield Fact("held_to_drive", {"card": card.value, "turns": count})
    elif curing and max(curing.values()) >= _LONG:
        (card, hazard), count = max(curing.items(), key=lambda item: item[::-1])
        yield Fact("held_to_cure", {"card": card.value, "hazard": hazard.value, "turns": count})


def _helps(match: Match, seat: int, tableau: Tableau, card: Card, cause: Card) -> str | None:
    """What a card would have done for this car: let it drive, or cure it."""
    side, hand = match.side_of(seat), match.hand
    assert hand is not None
    tableaux = (*hand.tableaux[:side], tableau, *hand.tableaux[side + 1 :])
    hands = (*hand.hands[:seat], (card,), *hand.hands[seat + 1 :])
    then = match._replace(
        awaiting=Turn(seat),
        hand=hand._replace(tableaux=tableaux, hands=hands, completed_by=None, sheets=None),
    )
    if why_not(then, seat, Play(card)) is not None:
        return None
    after, _ = apply_legal(then, seat, Play(card))
    assert after.hand is not None
    changed = after.hand.tableaux[side]
    if is_rolling(changed, match.edition):
        return "drive"
    # It does not roll, and nothing holds it up any more: only a Roll is missing.
    return "cure" if cause is not Card.ROLL and active_hazard(changed) is None else None


def moments(edition: Edition, sheets: Sequence[Sequence[ScoreSheet]]) -> tuple[Fact, ...]:
    """The best moments of a match, from the score sheets of its hands."""
    if not sheets:
        return ()
    return (
        *_most_coups(edition, sheets),
        *_biggest(sheets),
        *_shut_out(sheets),
        *_comeback(sheets),
    )


def _most_coups(edition: Edition, sheets: Sequence[Sequence[ScoreSheet]]) -> Iterator[Fact]:
    worth = edition.coup_fourre_points
    if not worth:
        return  # the sheets do not show them
    of_sides = zip(*sheets, strict=True)
    counts = [sum(sheet.coups_fourres for sheet in hands) // worth for hands in of_sides]
    best = max(counts)
    if best and counts.count(best) == 1:
        code = "coup" if best == 1 else "coups"
        yield Fact(code, {"side": counts.index(best), "count": best})
    elif best:
        yield Fact("coups_shared", {"count": sum(counts)})


def _biggest(sheets: Sequence[Sequence[ScoreSheet]]) -> Iterator[Fact]:
    totals = [
        (sheet.total, number, side)
        for number, hand in enumerate(sheets, start=1)
        for side, sheet in enumerate(hand)
    ]
    points, number, side = max(totals)
    if points and [one[0] for one in totals].count(points) == 1 and len(sheets) > 1:
        yield Fact("biggest", {"side": side, "points": points, "hand": number})


def _shut_out(sheets: Sequence[Sequence[ScoreSheet]]) -> Iterator[Fact]:
    for number, hand in enumerate(sheets, start=1):
        for side, sheet in enumerate(hand):
            if sheet.shut_out:
                yield Fact("shut_out", {"side": side, "hand": number})
                return


def _comeback(sheets: Sequence[Sequence[ScoreSheet]]) -> Iterator[Fact]:
    sums = [0] * len(sheets[0])
    after: list[list[int]] = []
    for hand in sheets:
        sums = [so_far + sheet.total for so_far, sheet in zip(sums, hand, strict=True)]
        after.append(sums)
    if sums.count(max(sums)) > 1:
        return
    winner = sums.index(max(sums))
    behind, number = max((max(then) - then[winner], number) for number, then in enumerate(after, 1))
    if behind >= _FAR_BEHIND:
        yield Fact("comeback", {"side": winner, "points": behind, "hand": number})
