"""The score pad over very many hands, possible and impossible.

    python -m tests.table.score_pads [--hands N] [--seed S]

The fast engine plays this number of hands, as many for each edition and number of players. What
people would say of each must give exactly its score sheets, which that engine computes by a
scoring of its own. Then as many impossible hands are refused by the pad and by the judge, with the
same code. Exits with 1 at the first difference, and shows it.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from millebornes.fast import Engine, convert, kernel
from millebornes.fast.packing import GAME, RESULT
from millebornes.records import RecordError, position
from millebornes.rules import Edition, Match, new_match, score_sheet
from millebornes.rules.cards import COPIES, Card
from millebornes.rules.distance_cards import Distance, distance_cards
from millebornes.rules.ending import Impossible
from millebornes.rules.state import Hand
from millebornes.table.rest import PadHand, PadSafety
from millebornes.table.score_pad import play_told
from tests.strategies import TABLES

SAFETIES: tuple[Literal["ACE", "TANK", "PROOF", "ROW"], ...] = ("ACE", "TANK", "PROOF", "ROW")
_POLICIES = (("greedy",), ("greedy", "random"), ("random", "greedy"), ("random",))
_UNWRITABLE = "too_short_for_200"
"""The judge names the cards of a side with a 200, so their miles cannot contradict them. Such a
hand is not counted among those that both refuse."""


class Differ(AssertionError):  # noqa: N818 (says it best)
    """The pad does not agree with the engine, or with the judge."""


class Box(NamedTuple):
    """What people play with: an edition, a number of players and perhaps a short trip."""

    edition: Edition
    players: int
    short_trip: bool = False

    def __str__(self) -> str:
        return f"{self.edition.id} with {self.players}" + ", short trip" * self.short_trip

    def match(self) -> Match:
        return new_match(self.edition, self.players, short_trip=self.short_trip)


BOXES = tuple(
    Box(edition, players, short_trip)
    for edition, players in TABLES
    for short_trip in (False, True)
    if not short_trip or players in edition.short_trip_at
)


# Hands that were played


def finished_hands(box: Box, count: int, seed: int) -> Iterator[Match]:
    """Matches whose first hand has ended, played by all kinds of players."""
    engine = Engine(box.edition, box.players, short_trip=box.short_trip)
    for number in range(count):
        game, row = np.zeros(1, GAME), np.zeros(1, RESULT)
        game["policy"] = engine._policies(_POLICIES[number % len(_POLICIES)])
        kernel.run(game, engine.rules, np.uint64(seed), np.uint64(number), row, is_match=False)
        yield convert.to_state(game[0], box.edition, box.players, short_trip=box.short_trip)


def told(match: Match, *, everything: bool) -> PadHand:
    """What people say of a hand that has ended: what they are asked, or everything."""
    edition, hand = match.edition, hand_of(match)
    miles = tuple(tableau.miles for tableau in hand.tableaux)
    won = hand.completed_by
    if won is None and edition.exhaustion_winner == "most_miles" and miles.count(max(miles)) == 1:
        won = miles.index(max(miles))
    with_200s = [side for side, one in enumerate(hand.tableaux) if Card.D200 in one.distance]
    needs_start = edition.delayed_action_needs_empty_start
    return PadHand(
        miles,
        hand.completed_by,
        tuple(side for side in with_200s if everything or side == won),
        hand.began_empty if needs_start else not hand.pile,
        hand.caller,
        tuple(
            PadSafety(card, side, card in tableau.crosswise)
            for side, tableau in enumerate(hand.tableaux)
            for card in SAFETIES
            if card in tableau.safeties
        ),
    )


def hand_of(match: Match) -> Hand:
    assert match.hand is not None
    return match.hand


def check_played(box: Box, played: Match, entry: PadHand) -> None:
    """The pad and the judge score what is told exactly as it was played."""
    expected = hand_of(played).sheets
    scored = play_told(box.match(), entry)
    if isinstance(scored, Impossible) or score_sheet(scored) != expected:
        raise Differ(f"{box}\n{entry}\nexpected {expected}\nfound    {scored}")
    check_alike(box, entry)


# Hands that cannot be

Change = Callable[[Box, PadHand, random.Random], PadHand]


def _short_of_the_trip(box: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Completed, but with other miles."""
    side = rng.randrange(len(entry.miles))
    trip = box.match().trip
    miles = _with(entry.miles, side, rng.randrange(0, trip, 25))
    return replace(entry, completed_by=side, miles=miles)


def _two_at_the_trip(box: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Two sides have completed the trip."""
    trip = 1000 if entry.caller is not None else box.match().trip
    one, two = rng.sample(range(len(entry.miles)), 2)
    miles = _with(_with(entry.miles, one, trip), two, trip)
    return replace(entry, completed_by=rng.choice((one, two, None)), miles=miles)


def _past_the_trip(_: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Farther than any trip goes."""
    side = rng.randrange(len(entry.miles))
    return replace(entry, miles=_with(entry.miles, side, rng.randrange(1025, 2000, 25)))


def _extended_by_nobody(_: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """A trip of 1000 that is completed twice, or completed in a hand that ran out."""
    side = rng.randrange(len(entry.miles))
    return replace(entry, completed_by=None, caller=None, miles=_with(entry.miles, side, 1000))


def _odd_miles(_: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Miles that no cards make."""
    side = rng.randrange(len(entry.miles))
    miles = rng.choice([n for n in range(700) if n % 25])
    return replace(entry, miles=_with(entry.miles, side, miles))


def _called_too_early(box: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Called before the short trip was completed, or where nothing can be called."""
    side = rng.randrange(len(entry.miles))
    miles = _with(entry.miles, side, rng.randrange(0, box.match().trip, 25))
    return replace(entry, caller=side, miles=miles)


def _a_safety_twice(_: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """The same safety with two sides, or twice with one."""
    card = rng.choice(SAFETIES)
    sides = [rng.randrange(len(entry.miles)) for _ in range(2)]
    others = tuple(safety for safety in entry.safeties if safety.card != card)
    twice = tuple(PadSafety(card, side, rng.random() < 0.5) for side in sides)
    return replace(entry, safeties=others + twice)


def _close_race(box: Box, entry: PadHand, rng: random.Random) -> PadHand:
    """Four sides near 1000 miles, for which the deck has too few distance cards."""
    trip = box.match().trip
    miles = tuple(trip - rng.choice([25, 50, 75, 100]) for _ in entry.miles)
    safeties = tuple({safety.card: safety for safety in entry.safeties}.values())
    return PadHand(miles, safeties=safeties)


CHANGES: tuple[Change, ...] = (
    _short_of_the_trip,
    _two_at_the_trip,
    _past_the_trip,
    _extended_by_nobody,
    _odd_miles,
    _called_too_early,
    _a_safety_twice,
)
"""Each makes any hand impossible."""


def changes(box: Box) -> tuple[Change, ...]:
    """Those that suit a box: only four sides can travel farther than the deck has cards for."""
    match = box.match()
    has_too_few = match.sides * (match.trip - 100) > 3500
    return (*CHANGES, _close_race) if has_too_few else CHANGES


def anything(box: Box, rng: random.Random) -> PadHand:
    """A hand that people might say by mistake: most are impossible."""
    match = box.match()
    sides = range(match.sides)
    trips = [match.trip, match.trip, 1000, match.trip - 25]
    miles = tuple(
        rng.choice([*trips, rng.randrange(0, 1050, 25), rng.randrange(0, 400, 25)]) for _ in sides
    )
    if rng.random() < 0.2:  # a close race, for which it may take 200s
        miles = tuple(match.trip - rng.choice([25, 50, 75, 100]) for _ in sides)
    some = tuple(side for side in sides if rng.random() < 0.3)
    return PadHand(
        miles,
        rng.choice([None, *sides, *sides]),
        some,
        rng.random() < 0.2,
        rng.choice([None, None, None, *sides]),
        tuple(PadSafety(card, rng.choice(sides), rng.random() < 0.3) for card in SAFETIES),
    )


def impossible_hands(box: Box, count: int, rng: random.Random) -> Iterator[PadHand]:
    """Hands that cannot be: half of them changed from hands that were played."""
    played = list(finished_hands(box, (count + 1) // 2, rng.getrandbits(32)))
    for match in played:
        change = rng.choice(changes(box))
        entry = change(box, told(match, everything=rng.random() < 0.5), rng)
        scored = play_told(box.match(), entry)
        if not isinstance(scored, Impossible):
            raise Differ(f"{box}, {change.__name__}\n{entry} was not refused")
        # A 200 may have been told of a side whose miles are now fewer.
        yield replace(entry, with_200s=()) if scored.code == _UNWRITABLE else entry
    left = count - len(played)
    while left:
        entry = anything(box, rng)
        scored = play_told(box.match(), entry)
        if not isinstance(scored, Impossible):
            check_alike(box, entry)
        elif scored.code != _UNWRITABLE:
            left -= 1
            yield entry


def _with(miles: tuple[int, ...], side: int, own: int) -> tuple[int, ...]:
    return (*miles[:side], own, *miles[side + 1 :])


# The judge


def check_alike(box: Box, entry: PadHand) -> str | None:
    """The pad and the judge score alike or refuse alike; returns the code of a refusal."""
    scored = play_told(box.match(), entry)
    text = judge_text(box, entry)
    try:
        judged = position.from_text(text, box.edition)
    except RecordError as error:
        if not isinstance(scored, Impossible) or error.impossible != scored:
            raise Differ(f"{box}\n{entry}\n{text}\npad   {scored}\njudge {error}") from None
        return scored.code
    if isinstance(scored, Impossible) or score_sheet(judged) != score_sheet(scored):
        raise Differ(f"{box}\n{entry}\n{text}\npad   {scored}\njudge {judged}")
    return None


def judge_text(box: Box, entry: PadHand) -> str:
    """The same hand in the judge's notation."""
    by = entry.completed_by
    lines = [f"players: {box.players}"]
    lines += ["trip: 700"] if box.short_trip else []
    lines.append("ended: exhausted" if by is None else f"ended: completed {by}")
    lines += [] if entry.caller is None else [f"called: {entry.caller}"]
    lines += ["pile: 0"] if entry.pile_empty else []
    lines += [_distance(side, cards) for side, cards in _cards_with_200s(box, entry).items()]
    named = _cards_with_200s(box, entry)
    lines += [f"miles {side}: {n}" for side, n in enumerate(entry.miles) if side not in named]
    for side in range(len(entry.miles)):
        shown = [safety for safety in entry.safeties if safety.side == side]
        marked = [f"{safety.card}{'!' * safety.crosswise}" for safety in shown]
        lines += [f"safeties {side}: {' '.join(marked)}"] if marked else []
    return "\n".join(lines) + "\n"


def _distance(side: int, cards: tuple[Card, ...]) -> str:
    return f"distance {side}: {' '.join(cards)}"


def _cards_with_200s(box: Box, entry: PadHand) -> dict[int, tuple[Card, ...]]:
    """Cards for each side with a 200, as far as the deck has them."""
    if any(miles % 25 for miles in entry.miles):
        return {}
    sides = sorted(set(entry.with_200s))
    left, most = Counter(COPIES), box.edition.max_200s
    safe = None if entry.completed_by in sides else entry.completed_by
    wanted = [
        Distance(miles, True if side in sides else False if side == safe else None)
        for side, miles in enumerate(entry.miles)
    ]
    together = distance_cards(wanted, left, most)
    if together is not None:
        return {side: together[side] for side in sides}
    found: dict[int, tuple[Card, ...]] = {}
    for side in sides:
        cards = distance_cards([Distance(entry.miles[side], has_200=True)], left, most)
        if cards is not None:
            found[side] = cards[0]
            left.subtract(cards[0])
    return found


# All of it


def shares(hands: int) -> list[tuple[Box, int]]:
    """So many hands, spread evenly over every edition and number of players."""
    each, more = divmod(hands, len(BOXES))
    return [(box, each + (number < more)) for number, box in enumerate(BOXES)]


def check_all_played(hands: int, seed: int) -> Counter[str]:
    """Score this number of hands; counts what happened in them."""
    seen: Counter[str] = Counter()
    for number, (box, share) in enumerate(shares(hands)):
        for at, match in enumerate(finished_hands(box, share, seed + number)):
            check_played(box, match, told(match, everything=at % 2 == 0))
            for sheet in hand_of(match).sheets or ():
                seen.update(line for line, points in sheet._asdict().items() if points)
            seen["hands"] += 1
            seen["called"] += hand_of(match).caller is not None
            seen["exhausted"] += hand_of(match).completed_by is None
    return seen


def check_all_impossible(hands: int, seed: int) -> Counter[str]:
    """Refuse this number of hands; counts why."""
    seen: Counter[str] = Counter()
    rng = random.Random(seed)
    for box, share in shares(hands):
        for entry in impossible_hands(box, share, rng):
            code = check_alike(box, entry)
            assert code is not None
            seen[code] += 1
    return seen


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Check, and print what was seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=10_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args()
    started = time.monotonic()
    try:
        say(f"played: {dict(check_all_played(options.hands, options.seed))}")
        refused = check_all_impossible(options.hands, options.seed)
    except Differ as difference:
        say(f"DIFFERENT (seed {options.seed})\n{difference}")
        sys.exit(1)
    say(f"refused: {refused.total()} {dict(refused)}")
    say(f"0 differences, {time.monotonic() - started:.0f} s (seed {options.seed})")


if __name__ == "__main__":
    main()
