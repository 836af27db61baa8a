"""Every hint is true: what its sentence says holds at the table, under any house rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import get_args

import pytest

from millebornes.bots import Advice, SundayDriver
from millebornes.bots.sunday_driver import Code
from millebornes.records import position
from millebornes.rules import (
    PRESETS,
    Card,
    CoupFourre,
    Discard,
    Match,
    Play,
    apply,
    awaited_seats,
    view,
)
from millebornes.rules.cards import COPIES
from millebornes.rules.state import Hand, Tableau, Turn
from millebornes.words import languages, words
from tests.properties.random_positions import (
    ANSWERS,
    LENGTHS,
    SAFETIES,
    STOPPING,
    can_land,
    can_play,
    is_slowed,
    matches,
    miles_of,
    rolls,
    stopped_by,
)

POSITIONS = 3000


@dataclass(frozen=True)
class Hint:
    """A hint, and the table at which it was given."""

    match: Match
    seat: int
    advice: Advice

    @property
    def hand(self) -> Hand:
        assert self.match.hand is not None
        return self.match.hand

    @property
    def held(self) -> tuple[Card, ...]:
        return self.hand.hands[self.seat]

    @property
    def side(self) -> int:
        return self.match.side_of(self.seat)

    @property
    def own(self) -> Tableau:
        return self.hand.tableaux[self.side]

    @property
    def card(self) -> Card:
        return Card(str(self["card"]))

    @property
    def hazard(self) -> Card:
        return Card(str(self["hazard"]))

    @cached_property
    def after(self) -> Match:
        """The table after the move."""
        after, _ = apply(self.match, self.seat, self.advice.move)
        return after

    @property
    def own_after(self) -> Tableau:
        assert self.after.hand is not None
        return self.after.hand.tableaux[self.side]

    @property
    def plays_again(self) -> bool:
        return self.after.awaiting == Turn(self.seat)

    def __getitem__(self, name: str) -> str | int:
        return self.advice.params[name]

    def rivals(self) -> list[tuple[int, Tableau]]:
        return [(side, one) for side, one in enumerate(self.hand.tableaux) if side != self.side]

    def race(self, side: int) -> int:
        return 4 * miles_of(self.hand.tableaux[side]) + self.match.totals[side]

    def unseen(self, *hazards: Card) -> int:
        """How many of these hazards may still come."""
        seen = [*self.hand.discard, *self.held]
        for tableau in self.hand.tableaux:
            seen += tableau.battle + tableau.speed
        removed = self.match.players in self.match.edition.hazards_removed_at
        return sum(COPIES[hazard] - removed - seen.count(hazard) for hazard in hazards)


def is_play(told: Hint) -> bool:
    return told.advice.move == Play(told.card)


def is_discard(told: Hint) -> bool:
    return told.advice.move == Discard(told.card)


def coup_fourre(told: Hint) -> bool:
    scores = told.match.edition.coup_fourre_points > 0
    given = {"both": (True, True), "points": (True, False), "turn": (False, True)}
    answers = told.card is ANSWERS[told.hazard][1] and told.advice.move == CoupFourre(told.card)
    says_points, says_turn = given.get(str(told["gives"]), (False, False))
    return answers and says_points == scores and (not says_turn or told.plays_again)


def safety_cures(told: Hint) -> bool:
    hurts = stopped_by(told.own) is told.hazard or (told.hazard is Card.LIM and is_slowed(told.own))
    ends = stopped_by(told.own_after) is not told.hazard and not (
        told.hazard is Card.LIM and is_slowed(told.own_after)
    )
    protected = told.card is ANSWERS[told.hazard][1]
    # If nobody else has a card, the turn comes back: that is not playing again.
    is_again = told["again"] == "no" or told.plays_again
    return hurts and ends and protected and is_again


def safety_late(told: Hint) -> bool:
    is_close = any(told.hand.trip - miles_of(one) <= 100 for one in told.hand.tableaux)
    return is_play(told) and (is_close or len(told.hand.pile) < 3 * told.match.players)


def drive(told: Hint) -> bool:
    longer = [card for card in told.held if LENGTHS.get(card, 0) > LENGTHS[told.card]]
    return is_play(told) and not any(can_play(told.match, told.side, card) for card in longer)


def autoroute(told: Hint) -> bool:
    is_held_up = stopped_by(told.own) is not None or is_slowed(told.own)
    is_near = told.hand.trip - miles_of(told.own) <= 300
    return (told["clears"] == "yes") == is_held_up and (is_held_up or is_near)


def attack(told: Hint) -> bool:
    """It stops the most dangerous car that you can stop now."""
    edition, side = told.match.edition, int(told["side"])
    hazards = [card for card in told.held if card in STOPPING]
    targets = [
        other
        for other, tableau in told.rivals()
        if stopped_by(tableau) is None
        and any(can_land(edition, tableau, hazard) for hazard in hazards)
    ]
    return side in targets and told.race(side) == max(map(told.race, targets))


def limit(told: Hint) -> bool:
    edition, side = told.match.edition, int(told["side"])
    targets = [
        other
        for other, tableau in told.rivals()
        if not is_slowed(tableau) and can_land(edition, tableau, Card.LIM)
    ]
    return side in targets and told.race(side) == max(map(told.race, targets))


def no_more_hazards(told: Hint) -> bool:
    piled = takewhile(lambda card: card in STOPPING, reversed(told.own.battle))
    may_hurt = told.hazard in piled or (told.hazard is Card.LIM and is_slowed(told.own))
    answers = told.card is ANSWERS[told.hazard][0]
    return answers and not may_hurt and told.unseen(told.hazard) == 0


def protected(told: Hint) -> bool:
    hazard = next(hazard for hazard, (remedy, _) in ANSWERS.items() if remedy is told.card)
    safety = ANSWERS[hazard][1]
    return told["safety"] == safety and safety in (*told.own.safeties, *told.held)


TRUE: dict[str, Callable[[Hint], bool]] = {
    "coup_fourre": coup_fourre,
    "nothing_to_answer": lambda told: (
        told["safety"] == ANSWERS[told.hazard][1] and told["safety"] not in told.held
    ),
    "extend": lambda told: (
        told["pile"] == len(told.hand.pile)
        and told["ahead"] == miles_of(told.own) - max(miles_of(one) for _, one in told.rivals())
    ),
    "finish": lambda told: miles_of(told.own) == told.hand.trip,
    "safety_late": safety_late,
    "safety_cures": safety_cures,
    "safety_starts": lambda told: (
        Card.ROLL not in told.held
        and not rolls(told.match.edition, told.own)
        and told.match.edition.row_replaces_roll
        and told.plays_again
    ),
    "safety_unneeded": lambda told: (
        told.unseen(*(hazard for hazard, (_, safety) in ANSWERS.items() if safety is told.card))
        == 0
    ),
    "completes_trip": lambda told: (
        is_play(told) and miles_of(told.own) + LENGTHS[told.card] == told.hand.trip == told["trip"]
    ),
    "drive": drive,
    "autoroute": autoroute,
    "attack": attack,
    "limit": limit,
    "cure": lambda told: stopped_by(told.own) is told.hazard and stopped_by(told.own_after) is None,
    "roll": lambda told: not rolls(told.match.edition, told.own),
    "end_limit": lambda told: is_slowed(told.own) and not is_slowed(told.own_after),
    "must_play": lambda told: told.match.edition.must_play_out and not told.hand.pile,
    "discard_unknown": lambda told: told.advice.move == Discard(Card.UNKNOWN),
    "discard_too_far": lambda told: (
        is_discard(told)
        and LENGTHS[told.card] > int(told["left"]) == told.hand.trip - miles_of(told.own)
    ),
    "discard_no_more_200s": lambda told: (
        told["most"] == told.match.edition.max_200s <= told.own.distance.count(Card.D200)
    ),
    "discard_no_target": lambda told: all(
        ANSWERS[told.card][1] in one.safeties for _, one in told.rivals()
    ),
    "discard_roll": lambda told: (
        told["safety"] == Card.ROW in told.own.safeties and told.match.edition.row_replaces_roll
    ),
    "discard_protected": protected,
    "discard_no_more_hazards": no_more_hazards,
    "discard_spare": lambda told: told.held.count(told.card) > 1,
    "discard_least": is_discard,
}
"""What each sentence says, asked of the table."""


def hints() -> Iterator[Hint]:
    driver = SundayDriver()
    for match in matches(POSITIONS, 1955):
        for seat in awaited_seats(match)[:1]:
            yield Hint(match, seat, driver.explain(view(match, seat, brief=True)))


def test_every_hint_has_a_meaning_that_can_be_asked_of_the_table() -> None:
    assert TRUE.keys() == set(get_args(Code))


def test_every_hint_is_true_of_the_position_under_any_house_rules() -> None:
    seen: dict[str, set[str]] = {code: set() for code in TRUE}
    for told in hints():
        code = told.advice.code
        assert TRUE[code](told), told
        for language in languages():
            assert "{" not in words(language).sentence(told.advice)
        template = words("en").data["hints"][code]
        seen[code].add("" if isinstance(template, str) else str(told[template["by"]]))
    assert {code for code, said in seen.items() if not said} == set()
    assert seen["safety_cures"] == seen["autoroute"] == {"yes", "no"}


def advice(text: str) -> Advice:
    return SundayDriver().explain(view(position.from_text(text), 0))


@pytest.mark.parametrize(
    ("rule", "cards", "sentence"),
    [
        ("300", "ROW 25", "a coup fourré scores extra and gives you the turn."),
        ("300", "ROW", "a coup fourré scores extra."),
        ("0", "ROW 25", "a coup fourré gives you the turn."),
    ],
)
def test_a_coup_fourre_is_advised_for_what_it_gives(rule: str, cards: str, sentence: str) -> None:
    text = f"rule: coup_fourre_points = {rule}\npile: 0\nwindow: STOP 1>0\n"
    told = advice(text + f"battle 0: ROLL STOP\nhand 0: only {cards}\n")
    assert words("en").sentence(told) == f"Right of Way answers Stop: {sentence}"


def test_a_last_safety_is_not_said_to_give_another_turn() -> None:
    text = "pile: 0\nbattle 0: ROLL STOP\nhand 0: only ROW{more}\n"
    assert words("en").sentence(advice(text.format(more=""))) == "Right of Way ends Stop for good."
    again = words("en").sentence(advice(text.format(more=" 25")))
    assert again == "Right of Way ends Stop for good, and you play again."
    none = advice("rule: replay_on_empty_pile = false\n" + text.format(more=" 25"))
    assert words("en").sentence(none) == "Right of Way ends Stop for good."


def test_a_roll_is_kept_where_right_of_way_does_not_replace_it() -> None:
    text = "safeties 0: ROW\nbattle 0: ROLL\nhand 0: only ROLL GAS 200\ndistance 0: 200 200\n"
    assert advice(text).code == "discard_no_more_200s"
    text = "safeties 0: ROW\nbattle 0: ROLL\nhand 0: only ROLL GAS\n"
    assert advice(text).code == "discard_roll"
    kept = advice("rule: row_replaces_roll = false\n" + text)
    assert (kept.move, kept.code) == (Discard(Card.GAS), "discard_least")


@pytest.mark.parametrize("safety", SAFETIES)
def test_right_of_way_is_not_spent_on_a_start_that_it_does_not_give(safety: Card) -> None:
    text = f"hand 0: only {safety} 25 25 50\n"
    starts = safety is Card.ROW
    assert (advice(text).code == "safety_starts") == starts
    for rule in ("row_replaces_roll = false", "start_rolling = true"):
        assert advice(f"rule: {rule}\n{text}").code != "safety_starts"


def test_a_remedy_is_kept_for_a_hazard_that_may_be_uncovered_again() -> None:
    text = "edition: encyclopedia\nbattle 0: ROLL OUT STOP\ndiscard: OUT OUT FLAT FLAT FLAT\n"
    found = advice(text + "hand 0: only GAS SPARE 100\n")
    assert (found.move, found.code) == (Discard(Card.SPARE), "discard_no_more_hazards")


def test_spare_rolls_are_thrown_away_where_only_a_stop_needs_one() -> None:
    hand = "hand 0: only ROLL ROLL ROLL 100 75 REP\nspeed 0: LIM\n"
    match = position.from_text(hand, PRESETS["family"])
    found = SundayDriver().explain(view(match, 0))
    assert (found.move, found.code) == (Discard(Card.ROLL), "discard_spare")
