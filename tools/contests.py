"""Plays the contests behind every figure of strength, and keeps their results in the project.

    python -m tools.contests [--only TEXT] [--jobs N]

Each contest is one call of `millebornes arena`. Its result, with the command that repeats it, is
one file of `docs/bots/results/`. `make regenerate` then writes the cross table and the measured
line of each level.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

from millebornes.bots import LEVELS, YARDSTICKS

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "bots" / "results"
SEED = 1954
FAST = {"greedy", "commuter"}
"""Bots that the compiled engine plays: many more matches take no longer."""


@dataclass(frozen=True)
class Contest:
    """A contest between two bots."""

    bots: tuple[str, str]
    edition: str
    players: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return "-".join((self.edition, str(self.players), *self.bots))

    @property
    def pairs(self) -> int:
        """How many pairs: enough for an interval of 2 % or less."""
        return 20_000 if set(self.bots) <= FAST else 1_500

    @property
    def command(self) -> list[str]:
        """The command that plays it."""
        options = {"edition": self.edition, "players": self.players, "pairs": self.pairs}
        given = [word for key, value in options.items() for word in (f"--{key}", str(value))]
        return ["millebornes", "arena", *self.bots, *given, "--seed", str(SEED), "--json"]


def contests() -> Iterator[Contest]:
    """All contests: everybody against everybody with two players, neighbours in other games."""
    bots = ["greedy", *YARDSTICKS, *LEVELS]
    for weaker, stronger in combinations(bots, 2):
        yield Contest((stronger, weaker), "winning-moves", 2)
    for edition, players in OTHER_GAMES:
        for weaker, stronger in pairwise(LEVELS):
            yield Contest((stronger, weaker), edition, players)


OTHER_GAMES = (
    ("winning-moves", 3),
    ("winning-moves", 4),
    ("winning-moves", 6),
    ("dujardin-2019", 4),
)
"""Editions and numbers of players in which only neighbouring levels meet."""


def play(contest: Contest, jobs: int | None) -> None:
    """Play a contest, and keep its result."""
    own = [sys.executable, "-m", *contest.command]
    if jobs is not None:
        own += ["--jobs", str(jobs)]
    done = subprocess.run(own, stdout=subprocess.PIPE, check=True)  # noqa: S603 (our own words)
    result = {**json.loads(done.stdout), "command": shlex.join(contest.command)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    text = json.dumps(result, indent=2, ensure_ascii=False) + "\n"
    (RESULTS / f"{contest.name}.json").write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Play all contests, or those whose name contains a text."""
    parser = argparse.ArgumentParser(description="Measure how strong the bots are.")
    parser.add_argument("--only", default="", help="only contests whose name contains this")
    parser.add_argument("--jobs", type=int, help="number of parallel workers")
    asked = parser.parse_args()
    for contest in contests():
        if asked.only in contest.name:
            sys.stderr.write(f"{contest.name}\n")
            play(contest, asked.jobs)


if __name__ == "__main__":
    main()
