"""Options that several commands share, and the checks of their values."""

from typing import Annotated

import typer

from millebornes.bots import BOTS
from millebornes.plugins import BotFailure, Entrant, UnknownBot, find_bot
from millebornes.rules import Edition, EditionError
from millebornes.rules.edition import shown
from millebornes.table import Refused
from millebornes.table.names import checked_name
from millebornes.words import Words

from .errors import CommandError

__all__ = [
    "BOT_LEVELS",
    "BOT_NAMES",
    "EDITION_HELP",
    "EditionOption",
    "Json",
    "Lang",
    "RecordFile",
    "ShortTrip",
    "bot_named",
    "check_players",
    "failure_told",
    "option_error",
    "usable_name",
]

BOT_LEVELS = ", ".join(BOTS)
BOT_NAMES = f"{BOT_LEVELS}, or your own: package.module:Class, an entry point, or cmd:PROGRAM"
EDITION_HELP = "Edition id, a preset (family, quick), or path to a house-rules TOML file."

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Lang = Annotated[
    str | None, typer.Option("--lang", help="Language: en or fr. Defaults to your locale.")
]
EditionOption = Annotated[str | None, typer.Option("--edition", help=EDITION_HELP)]
ShortTrip = Annotated[
    bool,
    typer.Option("--short-trip", help="Play a trip of 700, if the edition offers the choice."),
]
RecordFile = Annotated[str, typer.Argument(help="Record of a game; - reads standard input.")]


def check_players(players: int, edition: Edition, words: Words) -> None:
    """Refuse a number of players that the edition does not know."""
    counts = edition.player_counts
    if players not in counts:
        listed = ", ".join(map(str, counts))
        raise CommandError(
            words.say(
                "bad_players", edition=words.edition_name(edition), counts=listed, asked=players
            )
        )


def bot_named(name: str, words: Words, *, in_arena: bool = False) -> Entrant:
    """The bot of this name."""
    try:
        return find_bot(name, in_arena=in_arena)
    except UnknownBot as unknown:
        raise CommandError(words.sentence(unknown)) from None


def failure_told(failure: BotFailure, words: Words) -> str:
    """What is wrong with a bot, for its owner."""
    told = words.sentence(failure)
    return f"{told} ({failure.detail})" if failure.detail else told


def usable_name(name: str, words: Words) -> str:
    """The name as a table shows it, if a table accepts it."""
    checked = checked_name(name)
    if isinstance(checked, Refused):
        raise CommandError(words.sentence(checked))
    return checked


def option_error(error: EditionError, words: Words) -> CommandError:
    """The error for an option whose value the edition or the table refuses."""
    return CommandError(
        words.say(
            "bad_option",
            option="--" + error.key.replace("_", "-"),
            value=shown(error.value),
            allowed=error.allowed,
        )
    )
