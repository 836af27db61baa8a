"""The `serve` command: settings from all sources, the address, clear errors at the start."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import httpx

from millebornes.server.config import Config, ConfigError, load_config
from millebornes.server.run import PortInUse, StartError, addresses, bind, prepare, serve, url_of
from millebornes.words import Words

from .browsing import show_in_browser
from .screen import Screen
from .trouble import Trouble

__all__ = ["Serving", "run_server"]

_LAST_PORT = 65535
_PATIENCE = 2.0
"""Seconds in which a server on this machine says what it is."""


class Serving(NamedTuple):
    """How a person wants to serve."""

    flags: Mapping[str, object]
    file: Path | None
    opens: bool = False
    """Show the game in a browser."""
    next_free_port: bool = False


def run_server(wishes: Serving, screen: Screen, words: Words, as_json: bool) -> None:
    """Serve until the process is told to stop."""
    try:
        config = load_config(wishes.flags, os.environ, wishes.file)
        # The port first: it is the quickest thing to find taken.
        listener = _listen(config, wishes.next_free_port)
        if listener is None:
            _show_running(url_of(config.host, config.port), wishes, screen, words, as_json)
            return
        with listener:
            server = prepare(config)

            def greet() -> None:
                found = addresses(listener)
                if as_json:
                    screen.json({"addresses": found, "database": server.store.place})
                else:
                    port = listener.getsockname()[1]
                    if config.port not in (0, port):
                        screen.show([words.say("port_taken", port=config.port, other=port)])
                    screen.show(_greeting(found, server.store.place, words))
                screen.console.file.flush()
                if wishes.opens:
                    show_in_browser(found[0])

            serve(server, listener, greet)
    except (ConfigError, StartError) as error:
        raise Trouble(words.say("cannot_serve", problem=str(error))) from None


def _listen(config: Config, next_free_port: bool) -> socket.socket | None:
    """Take the port, or the next free one; None if a server of ours has the first already.

    Two servers on one database would be in each other's way.
    """
    port = config.port
    while True:
        try:
            return bind(config.host, port)
        except PortInUse:
            if not next_free_port or port == _LAST_PORT:
                raise
            if port == config.port and _is_ours(url_of(config.host, port)):
                return None
            port += 1


def _is_ours(url: str) -> bool:
    try:
        answer = httpx.get(f"{url}/api/health", timeout=_PATIENCE, trust_env=False)
        said = answer.json()
        return isinstance(said, dict) and said.get("program") == "millebornes"
    except (httpx.HTTPError, ValueError):
        return False


def _show_running(url: str, wishes: Serving, screen: Screen, words: Words, as_json: bool) -> None:
    if as_json:
        screen.json({"addresses": [url], "database": None})
    else:
        screen.show([words.say("serving_already", url=url)])
    if wishes.opens:
        show_in_browser(url, wait=True)


def _greeting(found: list[str], database: str, words: Words) -> list[str]:
    lines = [words.say("serving", url=found[0])]
    lines += [words.say("serving_network", url=url) for url in found[1:]]
    return [*lines, words.say("serving_kept", file=database), words.say("serving_stop")]
