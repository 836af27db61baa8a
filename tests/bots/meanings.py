"""What each hint says, asked of the table a second time: of its piles, and of what the move does.

Nothing here uses the predicates of `millebornes.bots.reasons`, so the two can be compared.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile
from types import MappingProxyType

from millebornes.rules import (
    Card,
    CoupFourre,
    Discard,
    Extend,
    Finish,
    Match,
    Play,
    legal_moves,
)
from millebornes.rules.cards import COPIES
from millebornes.rules.state import Over
from tests.bots.hint import Hint
from tests.properties.random_positions import (
    ANSWERS,
    LENGTHS,
    SAFETIES,
    STOPPING,
    can_land,
    can_play,
    is_slowed,
    miles_of,
    rolls,
    stopped_by,
    top_of,
)

__all__ = ["MEANINGS"]

BATTLE_REMEDIES = (Card.REP, Card.GAS, Card.SPARE)
REMEDY_FOR = {remedy: hazard for hazard, (remedy, _) in ANSWERS.items()}


# Answers


def coup_fourre(told: Hint) -> bool:
    scores = told.match.edition.coup_fourre_points > 0
    given = {"both": (True, True), "points": (True, False), "turn": (False, True)}
    answers = told.card is ANSWERS[told.hazard][1] and told.advice.move == CoupFourre(told.card)
    says_points, says_turn = given.get(str(told["gives"]), (False, False))
    return answers and says_points == scores and (not says_turn or told.plays_again)


def nothing_to_answer(told: Hint) -> bool:
    return told["safety"] == ANSWERS[told.hazard][1] and told["safety"] not in told.held


def is_extend(told: Hint) -> bool:
    return told.advice.move == Extend() and told.left == 0


def is_finish(told: Hint) -> bool:
    return told.advice.move == Finish() and told.left == 0


def to_come(told: Hint) -> bool:
    """It names what a trip of 1000 adds."""
    return told["left"] == 1000 - miles_of(told.own)


# Distances


def ends_match_for(after: Match, side: int) -> bool:
    return after.awaiting == Over(side)


def drive_fits_next(told: Hint) -> bool:
    left = told.left_to(told.own_after)
    can_follow = [
        card
        for card in told.kept
        if LENGTHS.get(card) == left
        and not (
            card is Card.D200 and told.own_after.distance.count(card) >= told.match.edition.max_200s
        )
    ]
    return told.is_play() and told["left"] == left > 0 and bool(can_follow)


def is_longest(told: Hint) -> bool:
    return told.is_play() and LENGTHS[told.card] == max(LENGTHS[one] for one in told.playable())


def drive_takes_lead(told: Hint) -> bool:
    now = miles_of(told.own_after) - miles_of(told.target)
    return told.is_play() and told.lead() <= 0 < now and told.names_the_front()


# Attacks


def stops(told: Hint) -> bool:
    can_stop = can_land(told.match.edition, told.target, told.card)
    return (
        told.is_attack() and told.card in STOPPING and can_stop and stopped_by(told.target) is None
    )


def slows(told: Hint) -> bool:
    can_slow = can_land(told.match.edition, told.target, Card.LIM)
    return told.is_attack() and told.card is Card.LIM and can_slow and not is_slowed(told.target)


def ahead_of_you(told: Hint) -> bool:
    return told["ahead"] == miles_of(told.target) - miles_of(told.own) > 0


def leads_opponents(told: Hint) -> bool:
    others = [miles_of(one) for side, one in told.rivals() if side != told.other]
    return told["miles"] == miles_of(told.target) > max(others)


def attack_shut_out(told: Hint) -> bool:
    edition = told.match.edition
    alone = edition.shut_out != "all" or not any(one.distance for _, one in told.rivals())
    is_worth_it = told["points"] == edition.shut_out_points > 0
    return stops(told) and is_worth_it and alone and not told.target.distance


def attack_few_remedies(told: Hint) -> bool:
    count = told.unseen(told.remedy)
    is_few = told["count"] == count <= COPIES[told.remedy] / 3
    return stops(told) and told.remedy is ANSWERS[told.card][0] and is_few


# Remedies and safeties


def cure(told: Hint) -> bool:
    ended = stopped_by(told.own) is told.hazard and stopped_by(told.own_after) is None
    rolls_now = rolls(told.match.edition, told.own_after)
    then = "rolls" if rolls_now else "held" if Card.ROLL in told.held else "needed"
    return told.is_play() and ended and told["then"] == then


def roll(told: Hint) -> bool:
    return told.is_play() and told.is_at_rest() and rolls(told.match.edition, told.own_after)


def end_limit(told: Hint) -> bool:
    return told.is_play() and is_slowed(told.own) and not is_slowed(told.own_after)


def end_limit_for(told: Hint) -> bool:
    fits = [LENGTHS[one] for one in told.held if 0 < LENGTHS.get(one, 0) <= told.left]
    return end_limit(told) and told["miles"] == max(fits) > 50


def safety_cures(told: Hint) -> bool:
    hurts = stopped_by(told.own) is told.hazard or (told.hazard is Card.LIM and is_slowed(told.own))
    ends = stopped_by(told.own_after) is not told.hazard and not (
        told.hazard is Card.LIM and is_slowed(told.own_after)
    )
    protected = told.card is ANSWERS[told.hazard][1]
    # If nobody else has a card, the turn comes back: that is not playing again.
    is_again = told["again"] == "no" or told.plays_again
    return hurts and ends and protected and is_again


def guarded(told: Hint) -> int:
    """How many hazards that the safety guards against may still come."""
    return told.unseen(*(hazard for hazard, (_, safety) in ANSWERS.items() if safety is told.card))


def is_safety(told: Hint) -> bool:
    return told.is_play() and told.card in SAFETIES


# Discards


def holds_up(told: Hint, hazard: Card) -> bool:
    """Does this hazard stop or slow the car, or might it when others are cured?"""
    piled = takewhile(lambda card: card in STOPPING, reversed(told.own.battle))
    return hazard in piled or (hazard is Card.LIM and is_slowed(told.own))


def is_idle_remedy(told: Hint) -> bool:
    answers = told.card is ANSWERS[told.hazard][0]
    return told.is_discard() and answers and not holds_up(told, told.hazard)


def discard_protected(told: Hint) -> bool:
    safety = ANSWERS[REMEDY_FOR[told.card]][1]
    shown = (*told.own.safeties, *told.held)
    return told.is_discard() and told["safety"] == safety and safety in shown


def discard_shortest(told: Hint) -> bool:
    lengths = sorted({LENGTHS[one] for one in told.held if one in LENGTHS})
    return told.is_discard() and LENGTHS[told.card] == lengths[0] < lengths[-1]


def discard_not_to_lose(told: Hint) -> bool:
    is_another = told.advice.move != Play(told.card) and told.other != told.side
    return is_another and ends_match_for(told.then(Play(told.card)), told.other)


def discard_only_slows(told: Hint) -> bool:
    return told.is_discard() and told.card is Card.LIM and told.hazard in STOPPING


def discard_keeps_safeties(told: Hint) -> bool:
    return told.is_discard() and told["safety"] in SAFETIES and told["safety"] in told.kept


MEANINGS: Mapping[str, Callable[[Hint], bool]] = MappingProxyType(
    {
        # answers
        "coup_fourre": coup_fourre,
        "nothing_to_answer": nothing_to_answer,
        "finish_wins": lambda told: is_finish(told) and ends_match_for(told.after, told.side),
        "extend_not_lost": lambda told: (
            is_extend(told)
            and told.other != told.side
            and ends_match_for(told.then(Finish()), told.other)
        ),
        "extend_far_ahead": lambda told: (
            is_extend(told)
            and told["ahead"] == told.lead() >= 300
            and told["pile"] == len(told.hand.pile) >= 10 * told.match.players
        ),
        "extend_safe": lambda told: (
            is_extend(told)
            and told["count"] == len({*told.own.safeties, *told.held} & set(SAFETIES)) > 1
        ),
        "extend_standing": lambda told: (
            is_extend(told)
            and told.names_the_front()
            and not rolls(told.match.edition, told.target)
        ),
        "extend_holding": lambda told: (
            is_extend(told)
            and to_come(told)
            and told["miles"] == sum(LENGTHS.get(one, 0) for one in told.held)
        ),
        "extend": lambda told: (
            is_extend(told) and to_come(told) and told["pile"] == len(told.hand.pile)
        ),
        "finish_few_cards": lambda told: (
            is_finish(told)
            and to_come(told)
            and told["pile"] == len(told.hand.pile) < 10 * told.match.players
        ),
        "finish_close_race": lambda told: (
            is_finish(told) and told.names_the_front() and told["behind"] == told.lead() < 300
        ),
        "finish": is_finish,
        # distances
        "wins_match": lambda told: (
            told.is_play()
            and told.left_to(told.own_after) == 0
            and told["trip"] == told.hand.trip
            and ends_match_for(told.after, told.side)
        ),
        "completes_trip": lambda told: (
            told.is_play() and miles_of(told.own_after) == told.hand.trip == told["trip"]
        ),
        "drive_fits_next": drive_fits_next,
        "drive_saves_200": lambda told: (
            told.is_play()
            and Card.D200 in told.playable()
            and Card.D200 not in told.own_after.distance
            and told["points"] == told.match.edition.safe_trip_points > 0
        ),
        "drive_another_200": lambda told: (
            told.is_play()
            and told.own_after.distance.count(Card.D200) > told.own.distance.count(Card.D200) > 0
        ),
        "drive_first": lambda told: (
            told.is_play()
            and len(told.own_after.distance) == 1
            and told["points"] == told.match.edition.shut_out_points > 0
        ),
        "drive_limited": lambda told: (
            is_longest(told) and is_slowed(told.own) and told.hazard is Card.LIM
        ),
        "drive_late": lambda told: told.is_play() and told.is_low_on_cards(),
        "drive_pressed": lambda told: (
            told.is_play()
            and told.other != told.side
            and told["left"] == told.left_to(told.target) <= 200
        ),
        "drive_takes_lead": drive_takes_lead,
        "drive_longest": is_longest,
        "drive_catches_up": lambda told: (
            told.is_play() and told.names_the_front() and told["behind"] == -told.lead() > 0
        ),
        "drive_away": lambda told: (
            told.is_play()
            and told.names_the_front()
            and told["ahead"] == miles_of(told.own_after) - miles_of(told.target)
            and told.lead() > 0
        ),
        "drive": lambda told: (
            told.is_play()
            and told["miles"] == miles_of(told.own_after) <= told.hand.trip == told["trip"]
        ),
        # attacks
        "attack_about_to_finish": lambda told: (
            stops(told) and told["left"] == told.left_to(told.target) <= 200
        ),
        "attack_shut_out": attack_shut_out,
        "attack_leader": lambda told: stops(told) and leads_opponents(told),
        "attack_few_remedies": attack_few_remedies,
        "attack_ahead": lambda told: stops(told) and ahead_of_you(told),
        "attack_while_standing": lambda told: stops(told) and told.is_at_rest(),
        "attack_points": lambda told: (
            stops(told)
            and told["points"] == told.match.totals[told.other] - told.match.totals[told.side]
            and told.match.totals[told.other] > told.match.totals[told.side]
        ),
        "attack_stays_ahead": lambda told: (
            stops(told)
            and told["ahead"] == miles_of(told.own) - miles_of(told.target)
            and miles_of(told.own) > miles_of(told.target)
        ),
        "attack": lambda told: stops(told) and told.remedy is ANSWERS[told.card][0],
        "limit_leader": lambda told: slows(told) and leads_opponents(told),
        "limit_ahead": lambda told: slows(told) and ahead_of_you(told),
        "limit": lambda told: slows(told) and told["left"] == told.left_to(told.target),
        "must_play": lambda told: (
            told.match.edition.must_play_out
            and not told.hand.pile
            and not any(isinstance(one, Discard) for one in legal_moves(told.match, told.seat))
        ),
        "one_more_hazard": lambda told: (
            told.is_attack()
            and (is_slowed(told.target) if told.card is Card.LIM else bool(stopped_by(told.target)))
        ),
        # remedies
        "cure": cure,
        "roll_starts": lambda told: roll(told) and top_of(told.own) is None,
        "roll_ends_stop": lambda told: (
            roll(told) and stopped_by(told.own) is told.hazard is Card.STOP
        ),
        "roll_goes_on": lambda told: (
            roll(told) and top_of(told.own) is told.remedy and told.remedy in BATTLE_REMEDIES
        ),
        "roll": roll,
        "end_limit_for": end_limit_for,
        "end_limit": end_limit,
        "autoroute_clears": lambda told: (
            told.is_play()
            and (stopped_by(told.own) is not None or is_slowed(told.own))
            and stopped_by(told.own_after) is None
            and not is_slowed(told.own_after)
        ),
        "autoroute_near": lambda told: told.is_play() and told["left"] == told.left <= 300,
        "autoroute": lambda told: told.is_play() and told.own_after.autoroute is not None,
        # safeties
        "safety_cures": safety_cures,
        "safety_fourth": lambda told: (
            is_safety(told)
            and len(set(told.own_after.safeties)) == 4
            and told["points"] == told.match.edition.all_four_points > 0
        ),
        "safety_unneeded": lambda told: is_safety(told) and guarded(told) <= 0,
        "safety_late": lambda told: is_safety(told) and told.is_low_on_cards(),
        "safety_ends_soon": lambda told: (
            is_safety(told) and told["left"] == min(map(told.left_to, told.hand.tableaux)) <= 200
        ),
        "safety_starts": lambda told: (
            told.card is Card.ROW
            and Card.ROLL not in told.held
            and told.is_at_rest()
            and told.match.edition.row_replaces_roll
            and told.plays_again
        ),
        "safety_guards": lambda told: (
            is_safety(told) and told["count"] == guarded(told) > 0 and told.plays_again
        ),
        "safety": is_safety,
        # discards
        "discard_unknown": lambda told: told.advice.move == Discard(Card.UNKNOWN),
        "discard_not_to_lose": discard_not_to_lose,
        "discard_too_far": lambda told: (
            told.is_discard() and LENGTHS[told.card] > told.left == told["left"]
        ),
        "discard_no_more_200s": lambda told: (
            told.is_discard()
            and told["most"] == told.match.edition.max_200s <= told.own.distance.count(Card.D200)
        ),
        "discard_no_target": lambda told: (
            told.is_discard()
            and all(ANSWERS[told.card][1] in one.safeties for _, one in told.rivals())
        ),
        "discard_roll": lambda told: (
            told.is_discard()
            and told["safety"] == Card.ROW in told.own.safeties
            and told.match.edition.row_replaces_roll
        ),
        "discard_protected": discard_protected,
        "discard_no_more_hazards": lambda told: (
            is_idle_remedy(told) and told.unseen(told.hazard) <= 0
        ),
        "discard_spare": lambda told: told.is_discard() and told.card in told.kept,
        "discard_one_hazard": lambda told: is_idle_remedy(told) and told.unseen(told.hazard) == 1,
        "discard_shortest": discard_shortest,
        "discard_too_fast": lambda told: (
            told.is_discard()
            and LENGTHS[told.card] > 50
            and is_slowed(told.own)
            and told.hazard is Card.LIM
        ),
        "discard_only_slows": discard_only_slows,
        "discard_no_target_now": lambda told: (
            told.is_discard()
            and told.card in ANSWERS
            and not can_play(told.match, told.side, told.card)
        ),
        "discard_common": lambda told: (
            told.is_discard() and told.is_at_rest() and told["count"] == told.unseen(told.card) > 3
        ),
        "discard_late": lambda told: (
            told.is_discard()
            and told.is_low_on_cards()
            and told.card in (*ANSWERS, *REMEDY_FOR)
            and not (told.card is Card.ROLL and told.is_at_rest())
            and not (told.card in REMEDY_FOR and holds_up(told, REMEDY_FOR[told.card]))
        ),
        "discard_in_no_need": lambda told: (
            is_idle_remedy(told) and told["count"] == told.unseen(told.hazard)
        ),
        "discard_rolling": lambda told: (
            told.is_discard() and told.card is Card.ROLL and not told.is_at_rest()
        ),
        "discard_standing": lambda told: (
            told.is_discard() and told.card in LENGTHS and told.is_at_rest()
        ),
        "discard_keeps_safeties": discard_keeps_safeties,
        "discard_least": Hint.is_discard,
    }
)
"""What the sentence of each code says."""
