"""The `bot` command: a bot of this machine at a table of any server."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from millebornes.bots import Bot
from millebornes.client import Client, ClientError, play_seat
from millebornes.rules import Edition
from millebornes.table import Refused, messages_in, messages_out
from millebornes.words import Words

from .screen import Screen
from .trouble import Trouble

__all__ = ["TableLink", "read_link", "run_bot", "seat_bot"]

_FAREWELL = 2.0  # seconds that saying goodbye may take

_PATH = re.compile(r"(?P<before>.*?)/(?:t|api/tables)/(?P<table>[A-Za-z0-9_-]{1,64})(?:/.*)?")


class TableLink(NamedTuple):
    """A table's link, taken apart."""

    server: str
    table: str


def read_link(url: str) -> TableLink | None:
    """The server and the table of a link such as http://host:8954/t/ID; None if it is none."""
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        return None
    found = _PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        return None
    return TableLink(f"{parts.scheme}://{parts.netloc}{found['before']}", found["table"])


async def seat_bot(
    bot: Bot, link: TableLink, name: str, *, stay: bool, on_seated: Callable[[Edition, int], None]
) -> messages_out.TableView | None:
    """Join, play and leave; the table as last seen, None if there was no seat.

    Raises `ClientError` where the server cannot be reached, or refuses.
    """
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
                return await play_seat(seat, edition, bot.choose, stay=stay)
            finally:
                # Another bot plays on at once if this one goes in the middle of a match.
                with contextlib.suppress(ClientError, TimeoutError):
                    async with asyncio.timeout(_FAREWELL):
                        await seat.say(messages_in.Leave())


def run_bot(
    bot: Bot,
    link: TableLink,
    name: str,
    screen: Screen,
    words: Words,
    *,
    stay: bool = False,
    as_json: bool = False,
) -> None:
    """Seat a bot, and tell how it went."""

    def tell_seat(edition: Edition, seat: int) -> None:
        if not as_json:
            screen.show(
                [words.say("bot_seated", name=name, seat=seat, edition=words.edition_name(edition))]
            )

    try:
        last = asyncio.run(seat_bot(bot, link, name, stay=stay, on_seated=tell_seat))
    except ClientError as error:
        raise Trouble(words.say("bot_refused", problem=str(error))) from None
    if last is None:
        raise Trouble(words.say("bot_no_seat"))
    if last.sent_away:
        raise Trouble(words.say("bot_refused", problem=words.sentence(Refused("sent_away"))))
    totals = [] if last.hand is None else [side.points for side in last.hand.sides]
    over = last.phase == "over"
    if as_json:
        winner = last.asked.winner if last.asked is not None else None
        screen.json({"over": over, "seat": last.you, "totals": totals, "winner": winner})
    elif over:
        screen.show([words.say("bot_over", totals=", ".join(map(str, totals)))])
    else:
        screen.show([words.say("bot_closed")])
