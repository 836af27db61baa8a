"""The `bot` command: runs a bot on this machine, at a table on any server."""

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

import typer

from millebornes.plugins import BotFailure, Entrant, Player
from millebornes.rules import Edition
from millebornes.rules.quote import shortened
from millebornes.table import Refused, messages_in, messages_out
from millebornes.words import Words

from .command import terminal
from .errors import CommandError
from .options import BOT_NAMES, Json, Lang, bot_named, failure_told, usable_name
from .screen import Screen

__all__ = ["bot"]

_FAREWELL = 2.0  # seconds that leaving the table may take
_PATH = re.compile(r"(?P<before>.*?)/(?:t|api/tables)/(?P<table>[A-Za-z0-9_-]{1,64})(?:/.*)?")


def bot(
    level: Annotated[str, typer.Argument(metavar="NAME", help=f"Bot to seat: {BOT_NAMES}.")],
    *,
    join: Annotated[
        str,
        typer.Option("--join", metavar="URL", help="Link to the table: http://host:port/t/ID."),
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the bot at the table.")
    ] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Stay for rematches until the table closes.")
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Run a bot here and seat it at a table on any server.

    It plays one match, and knows only what its seat may see.
    """
    with terminal(lang) as (screen, words):
        entrant = bot_named(level, words)
        shown = usable_name(name or _title(entrant), words)
        link = _parse_link(join)
        if link is None:
            raise CommandError(words.say("bad_link", url=shortened(join, 100)))
        _run(entrant, link, shown, screen, words, stay=stay, as_json=as_json)


def _title(entrant: Entrant) -> str:
    """The name of a bot that was given none: that of its level, its class or its file."""
    name = entrant.name.rpartition(":")[2]
    if entrant.kind == "program":
        name = Path(entrant.command()[-1]).stem
    return name if entrant.kind == "class" else re.sub(r"[-_]", " ", name).title()


class _TableLink(NamedTuple):
    server: str
    table: str


def _parse_link(url: str) -> _TableLink | None:
    """The server and table of a link such as http://host:8954/t/ID, or None if it is not one."""
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return None
    found = _PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        return None
    return _TableLink(f"{parts.scheme}://{parts.netloc}{found['before']}", found["table"])


# Only this command needs the network: the others start faster without loading it.


def _run(
    entrant: Entrant,
    link: _TableLink,
    name: str,
    screen: Screen,
    words: Words,
    *,
    stay: bool,
    as_json: bool,
) -> None:
    """Seat the bot, and print how the match ended."""
    import asyncio  # noqa: PLC0415

    from millebornes.client import ClientError  # noqa: PLC0415

    def on_seated(edition: Edition, seat: int) -> None:
        if not as_json:
            screen.show(
                [words.say("bot_seated", name=name, seat=seat, edition=words.edition_name(edition))]
            )

    player = None
    try:
        player = entrant.start()
        player.get_ready()
        last = asyncio.run(_play(player, link, name, stay=stay, on_seated=on_seated))
    except ClientError as error:
        raise CommandError(words.say("bot_refused", problem=str(error))) from None
    except BotFailure as failure:
        raise CommandError(words.say("bot_failed", problem=failure_told(failure, words))) from None
    finally:
        if player is not None:
            player.close()
    if last is None:
        raise CommandError(words.say("bot_no_seat"))
    if last.sent_away:
        raise CommandError(words.say("bot_refused", problem=words.sentence(Refused("sent_away"))))
    totals = [] if last.hand is None else [side.points for side in last.hand.sides]
    over = last.phase == "over"
    if as_json:
        winner = last.asked.winner if last.asked is not None else None
        screen.json({"over": over, "seat": last.you, "totals": totals, "winner": winner})
    elif over:
        screen.show([words.say("bot_over", totals=", ".join(map(str, totals)))])
    else:
        screen.show([words.say("bot_closed")])


async def _play(
    player: Player,
    link: _TableLink,
    name: str,
    *,
    stay: bool,
    on_seated: Callable[[Edition, int], None],
) -> messages_out.TableView | None:
    """Join, play and leave. Return the last state of the table, or None if no seat was free.

    Raises `ClientError` if the server cannot be reached or refuses.
    """
    import asyncio  # noqa: PLC0415

    from millebornes.client import Client, ClientError, play_seat  # noqa: PLC0415

    async with Client(link.server) as client:
        edition = await client.edition(link.table)
        seat = await client.join(link.table, name)
        assert seat.table is not None
        own = seat.table.you
        async with seat:
            try:
                if own is None:
                    return None
                on_seated(edition, own)
                return await play_seat(seat, edition, player.choose, stay=stay)
            finally:
                # If the match is not over, a bot of the server takes the seat at once.
                with contextlib.suppress(ClientError, TimeoutError):
                    async with asyncio.timeout(_FAREWELL):
                        await seat.say(messages_in.Leave())
