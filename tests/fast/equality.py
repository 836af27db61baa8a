"""Both engines over very many decisions of every edition and number of players.

    python -m tests.fast.equality [--decisions N] [--seed S] [--jobs J] [--house H]

Prints one line for each table, and the seed that repeats it. `--house` adds this number of
tables with house rules drawn at random. States are compared as packed words after every decision,
and as readable values now and then and at the end of every hand. Exits with 1 at the first
difference, and shows it.
"""

import argparse
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from millebornes.rules import EDITIONS, Edition
from millebornes.rules.edition import PLAYER_COUNTS
from tests.strategies import TABLES

from .duel import quick_hands
from .options import CHOICES


def play(edition: Edition, players: int, decisions: int, seed: int) -> tuple[int, int, float]:
    """Play hands until this number of decisions is reached; returns decisions, hands, seconds."""
    started = time.monotonic()
    made = hands = 0
    for decisions_of_hand in quick_hands(edition, players, seed):
        made += decisions_of_hand
        hands += 1
        if made >= decisions:
            break
    return made, hands, time.monotonic() - started


def house_tables(count: int, rng: random.Random) -> list[tuple[Edition, int]]:
    """House rules with every option drawn at random."""
    tables = []
    for _ in range(count):
        overrides = {name: rng.choice(values) for name, values in CHOICES.items()}
        parent = rng.choice(list(EDITIONS.values()))
        overrides["player_counts"] = list(PLAYER_COUNTS)
        overrides["trip"] = {str(n): rng.choice([500, 700, 725]) for n in PLAYER_COUNTS}
        tables.append((parent.house(overrides), rng.choice(PLAYER_COUNTS)))
    return tables


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def main() -> None:
    """Play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000, help="for each table")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--house", type=int, default=0, help="tables with house rules")
    options = parser.parse_args()
    tables = [*TABLES, *house_tables(options.house, random.Random(options.seed))]
    total = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        running = [
            pool.submit(play, edition, players, options.decisions, options.seed + number)
            for number, (edition, players) in enumerate(tables)
        ]
        for (edition, players), result in zip(tables, running, strict=True):
            try:
                made, hands, seconds = result.result()
            except AssertionError as difference:
                say(f"{edition.id} with {players}: DIFFERENT\n{difference}")
                pool.shutdown(cancel_futures=True)
                sys.exit(1)
            total += made
            say(f"{edition.id} with {players}: {made} decisions, {hands} hands, {seconds:.0f} s")
    say(f"{total} decisions, 0 differences (seed {options.seed})")


if __name__ == "__main__":
    main()
