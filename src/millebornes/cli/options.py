"""Options that several commands share, and the checks of their values."""

from collections.abc import Collection
from typing import Annotated

import typer

from millebornes.bots import BOTS, LEVELS, playable
from millebornes.rules import Edition, EditionError
from millebornes.rules.edition import shown
from millebornes.rules.quote import shortened
from millebornes.table import Refused
from millebornes.table.names import checked_name
from millebornes.words import Words

from .errors import CommandError

__all__ = [
    "BOT_LEVELS",
    "EDITION_HELP",
    "EditionOption",
    "Json",
    "Lang",
    "RecordFile",
    "ShortTrip",
    "check_bot",
    "check_level",
    "check_players",
    "option_error",
    "usable_name",
]

BOT_LEVELS = ", ".join(BOTS)
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


def check_bot(name: str, names: Collection[str], words: Words) -> None:
    """Refuse a bot that is none of these."""
    if name not in names:
        raise CommandError(words.say("no_bot", name=shortened(name), bots=", ".join(names)))


def check_level(level: str, words: Words) -> None:
    """Refuse a level of ours that cannot play on this machine. Any other bot may try."""
    if level in LEVELS and level not in playable():
        levels = ", ".join(playable())
        raise CommandError(words.say("level_needs_numba", level=words.level(level), levels=levels))


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
