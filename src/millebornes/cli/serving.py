"""The `serve` command: settings from all sources, the address, clear errors at the start."""

import os
from collections.abc import Mapping
from pathlib import Path

from millebornes.server.config import ConfigError, load_config
from millebornes.server.run import StartError, addresses, bind, prepare, serve
from millebornes.words import Words

from .screen import Screen
from .trouble import Trouble

__all__ = ["run_server"]


def run_server(
    flags: Mapping[str, object], file: Path | None, screen: Screen, words: Words, as_json: bool
) -> None:
    """Serve until the process is told to stop."""
    try:
        config = load_config(flags, os.environ, file)
        # The port first: it is the quickest thing to find taken.
        with bind(config.host, config.port) as listener:
            server = prepare(config)
            found = addresses(listener)
            if as_json:
                screen.json({"addresses": found, "database": config.database})
            else:
                screen.show(_greeting(found, config.database, words))
            screen.console.file.flush()
            serve(server, listener)
    except (ConfigError, StartError) as error:
        raise Trouble(words.say("cannot_serve", problem=str(error))) from None


def _greeting(found: list[str], database: str, words: Words) -> list[str]:
    lines = [words.say("serving", url=found[0])]
    lines += [words.say("serving_network", url=url) for url in found[1:]]
    return [*lines, words.say("serving_kept", file=database), words.say("serving_stop")]
