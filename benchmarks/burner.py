"""A server with one level more: the burner, which stands in for a level that searches.

    python benchmarks/burner.py [--SETTING VALUE]...

Each of its thoughts burns 200 ms of CPU. Its base policy is the Commuter. `bots.py` starts this.
"""

import json
import sys
import time

from millebornes.bots import LEVELS, Advice, Commuter, Level, playable
from millebornes.rules import Move, View
from millebornes.server import run
from millebornes.server.bot_workers import ProcessThinkers
from millebornes.server.config import load_config

BURNER = "burner"
_SEARCH = 0.2
"""CPU seconds of one thought."""


class Burner(Commuter):
    """Takes its time, and then plays like the Commuter."""

    def choose(self, view: View) -> Move:
        """The Commuter's move."""
        _burn()
        return super().choose(view)

    def explain(self, view: View) -> Advice:
        """The Commuter's advice."""
        _burn()
        return super().explain(view)


def _burn() -> None:
    end = time.process_time() + _SEARCH
    while time.process_time() < end:
        pass


def main() -> None:
    """Serve until stopped; print the address as JSON first, as `serve --json` does."""
    given = [option for option in sys.argv[1:] if option != "--json"]
    named = [name.removeprefix("--").replace("-", "_") for name in given[::2]]
    config = load_config(dict(zip(named, given[1::2], strict=True)), {}, None)
    levels = {name: LEVELS[name] for name in playable()}
    levels[BURNER] = Level(Burner, needs_kernel=LEVELS["commuter"].needs_kernel, base=Commuter)
    listener = run.bind(config.host, config.port)
    server = run.prepare(config, thinkers=ProcessThinkers(config.bot_workers, levels=levels))
    greeting = json.dumps({"addresses": run.addresses(listener)})
    run.serve(server, listener, lambda: print(greeting, flush=True))


if __name__ == "__main__":
    from burner import main as serve  # worker processes know the level by this module

    serve()
