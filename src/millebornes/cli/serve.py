"""The `serve` command: starts a server. Every setting of the server is an option."""

import inspect
import os
from collections.abc import Callable
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millebornes.server.config import Config, ConfigError, load_config
from millebornes.words import Words

from .command import terminal
from .errors import CommandError
from .options import Json, Lang
from .screen import Screen

if TYPE_CHECKING:
    from socket import socket

__all__ = ["serve"]

_LAST_PORT = 65535
_HEALTH_TIMEOUT = 2.0
"""Seconds that a server on this machine may take to answer a health check."""


def _with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one option for every setting of the server."""
    types: dict[type, Any] = {int: int | None, bool: bool | None}
    options = []
    for setting in fields(Config):
        flag = "--" + setting.name.replace("_", "-")
        if isinstance(setting.default, bool):
            flag += f"/--no-{flag[2:]}"
        kind = types.get(type(setting.default), str | None)
        options.append(
            inspect.Parameter(
                setting.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=typer.Option(None, flag, help=_help_of(setting)),
                annotation=list[str] | None if setting.metadata["repeats"] else kind,
            )
        )
    own = inspect.signature(command)
    kept = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = own.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    command.__annotations__ |= {option.name: option.annotation for option in options}
    return command


def _help_of(setting: Field[Any]) -> str:
    """The meaning of a setting, the values it may have, and its default."""
    text, allowed = setting.metadata["means"], setting.metadata["allowed"]
    if isinstance(setting.default, bool):
        return f"{text} {'On' if setting.default else 'Off'} by default."
    text += f" Allowed: {allowed}."
    return f"{text} Default: {setting.default}." if setting.default not in ("", ()) else text


@_with_settings
def serve(
    *,
    config: Annotated[
        Path | None, typer.Option("--config", help="TOML file with settings.")
    ] = None,
    opens: Annotated[bool, typer.Option("--open", help="Open the game in a browser.")] = False,
    next_free_port: Annotated[
        bool,
        typer.Option(
            "--next-free-port",
            help="If the port is in use, use the next free one. If a millebornes server is "
            "already running there, do not start another.",
        ),
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
    **flags: Any,
) -> None:
    """Host tables for people and bots, over HTTP and WebSocket.

    Every setting can also be given in a TOML file (--config), or in the environment as
    MILLEBORNES_ followed by its name in capitals. Options override the environment, and the
    environment overrides the file.
    """
    with terminal(lang) as (screen, words):
        try:
            settings = load_config(flags, os.environ, config)
        except ConfigError as error:
            raise CommandError(words.say("cannot_serve", problem=str(error))) from None
        _run(settings, screen, words, opens=opens, next_free_port=next_free_port, as_json=as_json)


# Only this command needs the server: the others start faster without loading it.


def _run(
    config: Config,
    screen: Screen,
    words: Words,
    *,
    opens: bool,
    next_free_port: bool,
    as_json: bool,
) -> None:
    """Serve until the process is stopped."""
    from millebornes.server import run  # noqa: PLC0415

    from .browser import open_in_browser  # noqa: PLC0415

    try:
        # The port first: this check is the fastest.
        listener = _listen(config, next_free_port)
        if listener is None:
            url = run.url_of(config.host, config.port)
            _show_running(url, screen, words, as_json=as_json)
            if opens:
                open_in_browser(url, wait=True)
            return
        with listener:
            server = run.prepare(config)

            def greet() -> None:
                addresses = run.addresses(listener)
                if as_json:
                    screen.json({"addresses": addresses, "database": server.store.place})
                else:
                    port = listener.getsockname()[1]
                    if config.port not in (0, port):
                        screen.show([words.say("port_taken", port=config.port, other=port)])
                    screen.show(_greeting(addresses, server.store.place, words))
                screen.console.file.flush()
                if opens:
                    open_in_browser(addresses[0])

            run.serve(server, listener, greet)
    except run.StartError as error:
        raise CommandError(words.say("cannot_serve", problem=str(error))) from None


def _listen(config: Config, next_free_port: bool) -> "socket | None":
    """Bind the port, or the next free one. None if a millebornes server already has the first.

    A second server on the same database would get in its way.
    """
    from millebornes.server.run import PortInUse, bind, url_of  # noqa: PLC0415

    port = config.port
    while True:
        try:
            return bind(config.host, port)
        except PortInUse:
            if not next_free_port or port == _LAST_PORT:
                raise
            if port == config.port and _is_millebornes(url_of(config.host, port)):
                return None
            port += 1


def _is_millebornes(url: str) -> bool:
    """Does a millebornes server answer at this address?"""
    import httpx  # noqa: PLC0415

    try:
        answer = httpx.get(f"{url}/api/health", timeout=_HEALTH_TIMEOUT, trust_env=False)
        health = answer.json()
        return isinstance(health, dict) and health.get("program") == "millebornes"
    except (httpx.HTTPError, ValueError):
        return False


def _show_running(url: str, screen: Screen, words: Words, *, as_json: bool) -> None:
    if as_json:
        screen.json({"addresses": [url], "database": None})
    else:
        screen.show([words.say("serving_already", url=url)])


def _greeting(addresses: list[str], database: str, words: Words) -> list[str]:
    lines = [words.say("serving", url=addresses[0])]
    lines += [words.say("serving_network", url=url) for url in addresses[1:]]
    return [*lines, words.say("serving_kept", file=database), words.say("serving_stop")]
