"""The functions that Python calls: compiled, on arrays of packed games."""

import numpy as np

from .bits import count_bits
from .chance import seeded, start
from .compiling import entry, inner
from .constants import (
    COUP_FOURRE,
    CROSSWISE,
    DEAL,
    DECLINE,
    DISCARD,
    EXTEND,
    EXTENSION,
    FINISH,
    LINE,
    LINES,
    MOVES,
    ONE,
    OVER,
    SIX,
    TURN,
    WINDOW,
    ZERO,
    U,
)
from .dealing import begin_match, deal_hidden, deal_next
from .play import held_kinds, legal_discards, legal_plays, make_move, renew_cars
from .policies import choose, commuter


@entry
def deal(games, places, rules_array, seed, stride, legal):
    """Deal the next hand of some games; if a match is over, start a new one."""
    rules = rules_array[0]
    for at in places:
        deal_one(games[at], rules, seed, stride)
        write_legal(games[at], rules, legal[at])


@inner
def deal_one(game, rules, seed, stride):
    if game.awaiting == OVER:
        begin_match(game, rules, seed, game.index)
        game.index += stride
    deal_next(game, rules)


@entry
def settle(games, rules_array, seed, first, legal):
    """Deal the hidden cards, and write the legal moves."""
    rules = rules_array[0]
    for at in range(games.size):
        game = games[at]
        game.source = seeded(seed, first + U(at))
        start(game, game.source)
        renew_cars(game, rules)
        deal_hidden(game, rules)
        write_legal(game, rules, legal[at])


@entry
def step(games, rules_array, moves, seed, stride, legal):
    """Make one decision in each game, or deal at random if its hand has ended.

    `legal` holds the legal moves, and is updated. Returns the number of games, or the index of
    the first illegal move; in that case nothing has changed.
    """
    rules = rules_array[0]
    for at in range(games.size):
        move = moves[at]
        is_legal = move < MOVES and (legal[at, move >> SIX] >> (move & U(63))) & ONE
        if games[at].awaiting < DEAL and not is_legal:
            return at
    for at in range(games.size):
        game = games[at]
        if game.awaiting < DEAL:
            move_once(game, rules, moves[at])
        else:
            game.lazy = ONE
            deal_one(game, rules, seed, stride)
        write_legal(game, rules, legal[at])
    return games.size


@entry
def advise(games, rules_array, policy, seed, index):
    """The move that a built-in policy chooses for the seat to decide in the first game."""
    game = games[0]
    start(game, seeded(seed, index))
    renew_cars(game, rules_array[0])
    return choose(game, rules_array[0], policy)


@entry
def weigh(games, rules_array, units, moves, sums):
    """What `commuter` finds each move worth in the first game, by move and by set of weights.

    With weights that are all zero except one, that is the feature with this weight.
    """
    game, rules = games[0], rules_array[0]
    renew_cars(game, rules)
    for number in range(moves.size):
        move = moves[number]
        here = ONE << (move & U(63))
        plays, discards, answers = ZERO, ZERO, ZERO
        if game.awaiting == EXTENSION:
            answers = here
        elif move < DISCARD:
            plays = here
        else:
            discards = here
        for unit in range(units.size):
            found = commuter.best_of(game, rules, units[unit], plays, discards, answers)
            sums[number, unit] = found[1]


@entry
def run(games, rules_array, seed, first, rows, is_match):
    """Play a hand, or a match, for each row, in the first game, by the policies of its seats."""
    rules = rules_array[0]
    game = games[0]
    game.lazy = ONE
    for at in range(rows.size):
        row = rows[at]
        clear_row(row, rules)
        begin_match(game, rules, seed, first + U(at))
        while True:
            deal_next(game, rules)
            play_out(game, rules)
            add_to_row(row, game, rules)
            if not is_match or game.awaiting == OVER:
                break
        row.winner = game.winner


@inner
def play_out(game, rules):
    """Play the hand to its end, each seat by its policy."""
    while game.awaiting < DEAL:
        make_move(game, rules, choose(game, rules, game.policy[game.seat]))


@inner
def clear_row(row, rules):
    row.hands = 0
    row.decisions = 0
    row.extended = 0
    row.extension_made = 0
    for side in range(ZERO, rules.sides):
        row.completed[side] = 0
        row.coups_fourres[side] = 0
        row.shut_outs[side] = 0
        for line in range(LINES):
            row.lines[side, line] = 0


@inner
def add_to_row(row, game, rules):
    """Add a hand that has ended to its row."""
    row.hands += 1
    row.decisions += np.int32(game.decisions)
    if game.caller >= 0:
        row.extended += 1
        if game.completed == game.caller:
            row.extension_made += 1
    if game.completed >= 0:
        row.completed[game.completed] += 1
    for side in range(ZERO, rules.sides):
        row.coups_fourres[side] += np.int32(count_bits((game.car[side] >> CROSSWISE) & U(15)))
        if game.sheet[side, LINE.shut_out] > 0:
            row.shut_outs[side] += 1
        row.total[side] = game.total[side]
        for line in range(LINES):
            row.lines[side, line] += game.sheet[side, line]


@entry
def rollouts(games, rules_array, moves, seed, first, points):
    """Play the first game to the end of its hand, on copies in the two other places.

    `points` has a row for each rollout, and in it one for each move. Every rollout deals the
    hidden cards anew, the same for all moves. A number that is no move makes none.
    """
    rules = rules_array[0]
    renew_cars(games[0], rules)
    last = moves.size - 1
    for at in range(points.shape[0]):
        games[1] = games[0]
        start(games[1], seeded(seed, first + U(at)))
        deal_hidden(games[1], rules)
        for number in range(moves.size):
            if number < last:
                games[2] = games[1]
            # The last move needs no copy: nothing comes after it.
            game = games[2] if number < last else games[1]
            if moves[number] < MOVES:
                move_once(game, rules, moves[number])
            play_out(game, rules)
            for side in range(ZERO, rules.sides):
                points[at, number, side] = game.total[side] - game.forward[side]


@inner
def move_once(game, rules, move):
    make_move(game, rules, move)


@inner
def write_legal(game, rules, legal):
    """The legal moves as 128 bits, one for each move."""
    legal[0] = ZERO
    legal[1] = ZERO
    if game.awaiting == TURN:
        held = held_kinds(game.hand[game.seat])
        legal[0] = legal_plays(game, rules, game.seat, held)
        legal[1] = legal_discards(game, rules, held, legal[0])
    elif game.awaiting == WINDOW:
        legal[0] = (ONE << COUP_FOURRE) | (ONE << DECLINE)
    elif game.awaiting == EXTENSION:
        legal[0] = (ONE << EXTEND) | (ONE << FINISH)
