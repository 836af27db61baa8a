"""Does a bot ever choose an illegal move, or fail to bring a hand to its end?

    python -m tests.bots.legality --hands 2000

lets every bot play so many hands against itself: every edition and player count in turn, and every
fifth hand by house rules drawn at random. One move in ten is random, so that the bot also meets
what it would not bring about. It prints JSON; the exit code is 1 if a move was illegal.
"""

import argparse
import json
import random
import sys
from collections import Counter

from millebornes.bots import Bot
from millebornes.rules import Move, View
from tests.bots.played import ALL, dealt, hand_of_bots, table_of

_CHANCE = 0.1
_SEED = 1954


class Watched:
    """A bot whose choices are checked; instead of an illegal move it makes a legal one."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.found = Counter[str](hands=0, decisions=0, illegal=0)

    def choose(self, view: View) -> Move:
        move = self.bot.choose(view)
        is_legal = move in view.legal_moves
        self.found["decisions"] += 1
        self.found["illegal"] += not is_legal
        return move if is_legal else view.legal_moves[-1]


def play(bot: Bot, hands: int, seed: int = _SEED) -> Counter[str]:
    """Play hands, each to its end; how many hands, decisions and illegal moves there were."""
    rng, watched = random.Random(seed), Watched(bot)
    for number in range(hands):
        match = dealt(table_of(number, rng), rng)
        for _ in hand_of_bots(match, [watched] * match.players, rng, _CHANCE):
            pass
        watched.found["hands"] += 1
    return watched.found


def main() -> None:
    parser = argparse.ArgumentParser(description="Let bots play, and look for illegal moves.")
    parser.add_argument("--hands", type=int, default=2000, help="hands for each bot")
    parser.add_argument("--seed", type=int, default=_SEED)
    chosen = parser.parse_args()
    found = {name: play(make(), chosen.hands, chosen.seed) for name, make in ALL.items()}
    print(json.dumps({"seed": chosen.seed, "bots": found}, indent=2))  # noqa: T201
    sys.exit(1 if any(bot["illegal"] for bot in found.values()) else 0)


if __name__ == "__main__":
    main()
