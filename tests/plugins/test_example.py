"""The example bot: short, sensible, and independent of ours."""

import ast
import random
import subprocess
import sys
from pathlib import Path

from millebornes.plugins import find_bot
from millebornes.plugins.conformance import check_bot
from millebornes.plugins.places import places, tables
from millebornes.rules import DEFAULT_EDITION, apply, awaited_seats, deal, new_match, view
from millebornes.rules.state import Deal, Over

from .outside import started

EXAMPLE = Path(__file__).parents[2] / "docs" / "bots" / "example_bot.py"
NAME = f"cmd:{sys.executable} {EXAMPLE}"


def test_it_is_short_and_imports_nothing_of_ours() -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 60
    names = {
        alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert names <= sys.stdlib_module_names


def test_it_runs_without_our_package() -> None:
    said = '{"type": "hello", "protocol": 1, "seconds": 5}\n{"type": "bye"}\n'
    command = [sys.executable, "-I", "-S", str(EXAMPLE)]
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=True)
    assert done.stdout == '{"type": "ready", "protocol": 1}\n'


def test_it_passes_the_conformance_test() -> None:
    asked = [seen for table in tables() for seen in places(*table)]
    found = check_bot(find_bot(NAME), asked, patience=30.0, start_patience=30.0)
    assert {one.result for one in found} == {"passed"}


def test_it_beats_a_bot_that_plays_at_random() -> None:
    rng = random.Random("example")
    wins, matches = 0, 6
    with started(find_bot(NAME)) as player:
        for number in range(matches):
            match = new_match(DEFAULT_EDITION.house({"hands": 2}), 2, dealer=number % 2)
            while not isinstance(match.awaiting, Over):
                if isinstance(match.awaiting, Deal):
                    size = len(match.edition.deck(2))
                    match, _ = deal(match, rng.sample(range(size), size))
                    continue
                seat = awaited_seats(match)[0]
                seen = view(match, seat)
                move = player.choose(seen) if seat == 0 else rng.choice(seen.legal_moves)
                match, _ = apply(match, seat, move)
            wins += match.awaiting.winner == 0
    assert wins == matches
