"""Ending a hand: its score sheets, and whether the match is over."""

import numpy as np

from .bits import count_bits
from .compiling import inner
from .constants import (
    CROSSWISE,
    DEAL,
    DISTANCE,
    LINE,
    LINES,
    MILES,
    NOBODY,
    ONE,
    OVER,
    SAFETY,
    SEVEN,
    TWO,
    ZERO,
    U,
)


@inner
def end_hand(game, rules, completed):
    """Score the hand, and check whether the match is over."""
    game.completed = completed
    sides = rules.sides
    winner = completed
    if completed < 0 and rules.most_miles_wins:
        winner = in_front_by_miles(game, sides)
    blank = ZERO
    for side in range(ZERO, sides):
        if game.car[side] >> DISTANCE == ZERO:
            blank += ONE
    for side in range(ZERO, sides):
        score_side(game, rules, side, winner, blank)
    best = game.total[ZERO]
    leader = 0
    alone = True
    for side in range(ONE, sides):
        if game.total[side] > best:
            best = game.total[side]
            leader = np.int64(side)
            alone = True
        elif game.total[side] == best:
            alone = False
    is_over = game.number >= U(rules.hands) if rules.hands else best >= rules.target_points
    game.winner = leader if alone else -1
    game.awaiting = OVER if is_over and (alone or rules.tie_is_drawn) else DEAL
    game.seat = game.dealer
    if rules.dealer_rotates:
        game.seat = game.dealer + ONE if game.dealer + ONE < rules.players else ZERO


@inner
def winner_if_ended(game, rules, side, added):
    """The side that wins the match if this side completes the trip; -1 if the match goes on.

    `added` is what its last card adds to its car. The hand ends on trial: everything that
    counts in a running hand is then as before.
    """
    car, seat, awaiting = game.car[side], game.seat, game.awaiting
    game.car[side] = car + added
    end_hand(game, rules, np.int64(side))
    winner = game.winner if game.awaiting == OVER else NOBODY
    game.car[side] = car
    game.seat, game.awaiting = seat, awaiting
    game.completed = NOBODY
    for other in range(ZERO, rules.sides):
        game.total[other] = game.forward[other]
    return winner


@inner
def in_front_by_miles(game, sides):
    """The side with the most miles; -1 if there is a tie."""
    best = ZERO
    leader = -1
    for side in range(ZERO, sides):
        miles = (game.car[side] >> MILES) + ONE
        if miles > best:
            best = miles
            leader = np.int64(side)
        elif miles == best:
            leader = -1
    return leader


@inner
def score_side(game, rules, side, winner, blank):
    """Fill the score sheet of one side."""
    car = game.car[side]
    number = np.int64(side)
    sheet = game.sheet[side]
    points = rules.points
    completed = game.completed == number
    won = winner == number
    safeties = (car >> SAFETY) & U(15)
    crosswise = (car >> CROSSWISE) & U(15)
    delayed = game.left == ZERO and (game.began_empty or not rules.delayed_needs_empty_start)
    shut_outs = ZERO
    if rules.shut_out == TWO or completed:
        shut_outs = blank if car >> DISTANCE else blank - ONE
        if rules.shut_out == ZERO:
            shut_outs = ONE if shut_outs == rules.sides - ONE else ZERO
    sheet[LINE.miles] = points[LINE.miles] * np.int32(car >> MILES)
    sheet[LINE.safeties] = points[LINE.safeties] * np.int32(count_bits(safeties))
    sheet[LINE.all_four] = points[LINE.all_four] if safeties == U(15) else 0
    sheet[LINE.coups_fourres] = points[LINE.coups_fourres] * np.int32(count_bits(crosswise))
    sheet[LINE.trip] = points[LINE.trip] if won else 0
    sheet[LINE.delayed_action] = points[LINE.delayed_action] if completed and delayed else 0
    sheet[LINE.safe_trip] = points[LINE.safe_trip] if won and not (car >> DISTANCE) & SEVEN else 0
    sheet[LINE.shut_out] = points[LINE.shut_out] * np.int32(shut_outs)
    sheet[LINE.extension] = points[LINE.extension] if scores_extension(game, rules, number) else 0
    total = game.forward[side]
    for line in range(LINES):
        total += sheet[line]
    game.total[side] = total


@inner
def scores_extension(game, rules, side):
    """Whether this side scores the extension."""
    caller = game.caller
    if caller < 0:
        return False
    if game.completed == caller:
        return side == caller and rules.if_caller == ONE
    if game.completed < 0:
        return side != caller and rules.if_nobody == ONE
    if rules.if_other == TWO:
        return side == game.completed
    return side != caller and rules.if_other == ONE
