"""Every policy of the kernel over hands of every table, and of house rules drawn at random.

    python -m tests.fast.legality [--hands N] [--seed S]

The hands are spread evenly over all tables. Exits with an error at the first illegal move.
"""

import argparse
import random

import numpy as np

from millebornes.fast import POLICIES, Batch, Engine, kernel
from millebornes.fast.kernel.policies import number_of
from tests.strategies import TABLES

from .equality import house_tables, say

HOUSES = 10
"""Tables with house rules, for every thousand hands."""


def advised(batch: Batch, policy: str, *, seed: int, index: int, at: int = 0) -> int:
    """The number of the move that a policy chooses in one game of a batch, which stays as it is."""
    game = batch.games[at : at + 1].copy()
    word, start = np.uint64(seed), np.uint64(index)
    return int(kernel.advise(game, batch.engine.rules, number_of(policy), word, start))


def played(policy: str, hands: int, seed: int) -> int:
    """Play at least so many hands by one policy; an illegal move is a ValueError."""
    rng = random.Random(seed)
    tables = [*TABLES, *house_tables(max(1, HOUSES * hands // 1000), rng)]
    each = -(-hands // len(tables))
    for table in tables:
        batch = Engine(*table).batch(each, seed=rng.getrandbits(32))
        moves = np.zeros(each, np.uint64)
        asked = 0
        going = np.flatnonzero(~batch.ended)
        while going.size:
            for at in going.tolist():
                moves[at] = advised(batch, policy, seed=seed, index=asked, at=at)
            # A game whose hand has ended would be dealt the next one: it is left out.
            batch.games, batch.legal, moves = batch.games[going], batch.legal[going], moves[going]
            batch.step(moves)
            asked += 1
            going = np.flatnonzero(~batch.ended)
    return each * len(tables)


def main() -> None:
    """Play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000, help="for each policy")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args()
    for policy in POLICIES:
        hands = played(policy, options.hands, options.seed)
        say(f"{policy}: {hands} hands, no illegal move (seed {options.seed})")


if __name__ == "__main__":
    main()
