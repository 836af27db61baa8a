"""Every refusal is true: what its sentence says holds at the table, under any house rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

import pytest

from millebornes.records import position
from millebornes.rules import Card, CoupFourre, Discard, Match, Move, Play, Reason, why_not
from millebornes.rules.moves import move_space
from millebornes.rules.reason import Code
from millebornes.rules.state import Deal, ExtensionChoice, Hand, Over, Tableau, Turn, Window
from millebornes.words import languages, words

from .random_positions import (
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
    shows_limit,
    stopped_by,
    top_of,
)

POSITIONS = 900
# Moves that no position allows.
NEVER = (
    Play(Card.STOP),
    Play(Card.ROLL, 0),
    Play(Card.ACC, 99),
    Play(Card.LIM, -1),
    Play(Card.UNKNOWN),
    CoupFourre(Card.ROLL),
)


@dataclass(frozen=True)
class Refusal:
    """A move that was refused, and the table at which it was."""

    match: Match
    seat: int
    move: Move
    reason: Reason

    @property
    def hand(self) -> Hand:
        assert self.match.hand is not None
        return self.match.hand

    @property
    def held(self) -> tuple[Card, ...]:
        return self.hand.hands[self.seat]

    @property
    def own(self) -> Tableau:
        return self.hand.tableaux[self.match.side_of(self.seat)]

    @property
    def target(self) -> Tableau:
        assert isinstance(self.move, Play)
        assert self.move.onto == self["side"]
        return self.hand.tableaux[self.move.onto]

    @property
    def card(self) -> Card:
        assert isinstance(self.move, Play | Discard | CoupFourre)
        return self.move.card

    def __getitem__(self, name: str) -> str | int:
        return self.reason[name]


def is_play(told: Refusal, *cards: Card) -> bool:
    return isinstance(told.move, Play) and told.move.card in cards


def lands(told: Refusal, *hazards: Card) -> set[Card]:
    """Which of these hazards may be played on the target."""
    return {card for card in hazards if can_land(told.match.edition, told.target, card)}


def window(told: Refusal) -> Window:
    assert isinstance(told.match.awaiting, Window)
    return told.match.awaiting


def is_window_open(told: Refusal) -> bool:
    now = window(told)
    if told.seat in now.asked or told["hazard"] != now.hazard:
        return False
    sides = {told.match.side_of(seat) for seat in now.asked}
    if told["open_to"] == "side":
        return sides == {told["side"]} == {now.side}
    return told["seat"] == now.attacker and told.match.side_of(now.attacker) not in sides


def needs_roll(told: Refusal) -> bool:
    own, edition = told.own, told.match.edition
    top = top_of(own)
    if rolls(edition, own) or stopped_by(own) is not None or told["top"] != (top or ""):
        return False
    if top is Card.STOP:  # "Right of Way lifts the Stop, but does not replace a Roll"
        return Card.ROW in own.safeties and not edition.row_replaces_roll
    if top in STOPPING:  # "Driving Ace undid the Accident"
        return ANSWERS[top][1] in own.safeties
    return True


def would_do_nothing(told: Refusal) -> bool:
    """Would a Roll on top change nothing about driving?"""
    with_roll = told.own._replace(battle=(*told.own.battle, Card.ROLL))
    return rolls(told.match.edition, told.own) == rolls(told.match.edition, with_roll)


def right_of_way_rolls(told: Refusal) -> bool:
    without = told.own._replace(safeties=())
    return (
        Card.ROW in told.own.safeties
        and told.match.edition.row_replaces_roll
        and rolls(told.match.edition, told.own)
        and not rolls(told.match.edition, without)
        and would_do_nothing(told)
    )


def not_started(told: Refusal) -> bool:
    target = told.target
    if target.battle:
        return False
    if told["shows"] == Card.ROW:  # "no hazard can be played on it"
        return Card.ROW in target.safeties and not lands(told, *ANSWERS)
    if rolls(told.match.edition, target):
        return False
    if told["shows"] == Card.LIM:  # "no other hazard can be played on it"
        return shows_limit(target) and not lands(told, *ANSWERS)
    return lands(told, *ANSWERS) == {Card.LIM}  # "only a Speed Limit can be played on it"


def must_play_out(told: Refusal) -> bool:
    card = Card(str(told["card"]))
    playable = can_play(told.match, told.match.side_of(told.seat), card)
    is_ruled = told.match.edition.must_play_out and not told.hand.pile
    return isinstance(told.move, Discard) and card in told.held and playable and is_ruled


def too_far(told: Refusal) -> bool:
    miles, trip = miles_of(told.own), told.hand.trip
    said = (told["miles"], told["trip"], told["left"])
    return said == (miles, trip, trip - miles) and miles + LENGTHS[told.card] > trip


TRUE: dict[str, Callable[[Refusal], bool]] = {
    "no_such_seat": lambda told: (
        told.seat not in range(told.match.players)
        and (told["number"], told["seats"]) == (told.seat, told.match.players)
    ),
    "no_hand_dealt": lambda told: told.match.awaiting == Deal(int(told["seat"])),
    "match_over": lambda told: isinstance(told.match.awaiting, Over),
    "not_your_turn": lambda told: told.match.awaiting == Turn(int(told["seat"])) != Turn(told.seat),
    "window_open": is_window_open,
    "answer_first": lambda told: (
        told.seat in window(told).open_to and told["hazard"] == window(told).hazard
    ),
    "already_answered": lambda told: told.seat in window(told).declined,
    "extension_awaited": lambda told: told.match.awaiting == ExtensionChoice(int(told["seat"])),
    "no_window": lambda told: not isinstance(told.match.awaiting, Window),
    "no_extension": lambda told: (
        not isinstance(told.match.awaiting, ExtensionChoice)
        and (told["possible"] == "yes") == (told.match.players in told.match.edition.extension_at)
    ),
    "not_in_hand": lambda told: told["card"] == told.card not in told.held,
    "no_unknown_card": lambda told: told.card is Card.UNKNOWN not in told.held,
    "not_named": lambda told: (
        told["card"] == told.card not in told.held and Card.UNKNOWN in told.held
    ),
    "unknown_card": lambda told: is_play(told, Card.UNKNOWN),
    "needs_target": lambda told: (
        is_play(told, *ANSWERS) and told.move == Play(Card(str(told["card"])), None)
    ),
    "no_target": lambda told: isinstance(told.move, Play) and told["card"] not in ANSWERS,
    "no_such_side": lambda told: (
        told.move == Play(told.card, int(told["number"]))
        and told["number"] not in range(told.match.sides)
        and told["sides"] == told.match.sides
    ),
    "own_side": lambda told: (
        told.move == Play(Card(str(told["card"])), told.match.side_of(told.seat))
        and told["card"] in ANSWERS
    ),
    "not_a_safety": lambda told: told["card"] == told.card not in SAFETIES,
    "wrong_safety": lambda told: (
        told["card"] == told.card != ANSWERS[window(told).hazard][1] == told["safety"]
        and told["hazard"] == window(told).hazard
    ),
    "stopped": lambda told: (
        is_play(told, *LENGTHS)
        and told["hazard"] == stopped_by(told.own)
        and told["remedy"] == ANSWERS[Card(str(told["hazard"]))][0]
    ),
    "needs_roll": needs_roll,
    "speed_limit": lambda told: is_slowed(told.own) and LENGTHS[Card(str(told["card"]))] > 50,
    "too_far": too_far,
    "no_more_200s": lambda told: (
        told["most"] == told.match.edition.max_200s <= told.own.distance.count(Card.D200)
    ),
    "already_rolling": lambda told: rolls(told.match.edition, told.own) and would_do_nothing(told),
    "right_of_way_rolls": right_of_way_rolls,
    "cure_first": lambda told: (
        is_play(told, Card.ROLL)
        and told["hazard"] == stopped_by(told.own) != Card.STOP
        and told["remedy"] == ANSWERS[Card(str(told["hazard"]))][0]
    ),
    "no_hazard": lambda told: (
        told["card"] == ANSWERS[Card(str(told["hazard"]))][0]
        and told["hazard"] != stopped_by(told.own)
    ),
    "other_hazard": lambda told: (
        told["hazard"] == stopped_by(told.own)
        and told["remedy"] == ANSWERS[Card(str(told["hazard"]))][0] != told["card"]
    ),
    "safety_cured_it": lambda told: (
        told["hazard"] == top_of(told.own)
        and (told["card"], told["safety"]) == ANSWERS[Card(str(told["hazard"]))]
        and told["safety"] in told.own.safeties
    ),
    "not_limited": lambda told: not shows_limit(told.own),
    "right_of_way_lifts": lambda told: (
        shows_limit(told.own) and Card.ROW in told.own.safeties and not is_slowed(told.own)
    ),
    "safety_protects": lambda told: (
        told["safety"] == ANSWERS[told.card][1]
        and told["safety"] in told.target.safeties
        and told["hazard"] == told.card
        and not lands(told, told.card)
    ),
    "autoroute_protects": lambda told: (
        told.target.autoroute is not None and not lands(told, *ANSWERS)
    ),
    "not_started": not_started,
    "not_rolling": lambda told: (
        not rolls(told.match.edition, told.target)
        and told.match.edition.battle_hazard_on == "rolling"
    ),
    "already_stopped": lambda told: (
        told["hazard"] == stopped_by(told.target) and not lands(told, *STOPPING)
    ),
    "already_limited": lambda told: (
        is_slowed(told.target) and not told.match.edition.limit_on_limit
    ),
    "must_play_out": must_play_out,
}
"""What each sentence says, asked of the table. None of them asks the judge of the rules."""


def refusals() -> Iterator[Refusal]:
    for number, match in enumerate(matches(POSITIONS, 1954)):
        seats = {number % match.players, match.players if number % 50 == 0 else 0}
        if isinstance(match.awaiting, Turn | ExtensionChoice):
            seats.add(match.awaiting.seat)
        elif isinstance(match.awaiting, Window):
            seats.update(match.awaiting.asked[:3])
        for seat in sorted(seats):
            for move in (*move_space(match.sides), *NEVER):
                reason = why_not(match, seat, move)
                if reason is not None:
                    yield Refusal(match, seat, move, reason)


def test_every_reason_has_a_meaning_that_can_be_asked_of_the_table() -> None:
    assert TRUE.keys() == set(get_args(Code))


def test_every_reason_is_true_of_the_position_under_any_house_rules() -> None:
    seen: dict[str, set[Reason]] = {code: set() for code in TRUE}
    for told in refusals():
        assert TRUE[told.reason.code](told), told
        seen[told.reason.code].add(told.reason)
    assert {code for code, reasons in seen.items() if not reasons} == set()
    for language in languages():
        spoken = words(language)
        for code, reasons in seen.items():
            template = spoken.data["reasons"][code]
            for reason in reasons:
                assert "{" not in spoken.sentence(reason)
            if not isinstance(template, str):  # every sentence has been said, and was true
                said = {str(reason[template["by"]]) for reason in reasons}
                # There are four 200s: nobody can hold one more.
                never = {"by", "4"} if code == "no_more_200s" else {"by"}
                assert said == template.keys() - never, code


ROW_SENTENCE = (
    "The car of side 1 has Right of Way and no battle card: "
    "by these rules no hazard can be played on it."
)
LIMIT_SENTENCE = (
    "The car of side 1 has not started, and it has its Speed Limit: "
    "by these rules no other hazard can be played on it."
)


@pytest.mark.parametrize(
    ("rule", "piles", "sentence"),
    [
        (
            "row_empty_attackable",
            "safeties 1: ROW",
            ROW_SENTENCE,
        ),
        (
            "row_replaces_roll",
            "safeties 1: ROW",
            ROW_SENTENCE,
        ),
        (
            "limit_on_limit",
            "speed 1: LIM",
            LIMIT_SENTENCE,
        ),
        (
            "limit_on_limit",
            "",
            "The car of side 1 has not started: only a Speed Limit can be played on it.",
        ),
    ],
)
def test_only_what_can_be_played_on_a_car_is_said_to_be(
    rule: str, piles: str, sentence: str
) -> None:
    match = position.from_text(f"rule: {rule} = false\n{piles}\nhand 0: ACC\n")
    reason = why_not(match, 0, Play(Card.ACC, 1))
    assert reason is not None
    assert words("en").sentence(reason) == sentence
