"""The `play` command: a game in the terminal. The game itself is in `game/`."""

from pathlib import Path
from typing import Annotated

import typer

from .command import terminal
from .game import PlayOptions, play_game
from .options import BOT_LEVELS, EditionOption, Lang, ShortTrip

__all__ = ["play"]


def play(
    file: Annotated[
        Path | None, typer.Argument(help="With --resume: record of the game to continue.")
    ] = None,
    *,
    edition: EditionOption = None,
    players: Annotated[
        int | None, typer.Option("--players", help="Number of players, including you.")
    ] = None,
    short_trip: ShortTrip = False,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Any text. The same seed deals the same cards.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Your name.")] = None,
    bot: Annotated[
        str | None, typer.Option("--bot", help=f"Bot to play against: {BOT_LEVELS}.")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands", help="Number of hands to play instead of playing to a target score."
        ),
    ] = None,
    target: Annotated[
        int | None, typer.Option("--target", help="Score to play to, in points.")
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue the game in FILE, or the latest unfinished one."),
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="File to save the record to. Defaults to a new one in your data folder."
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Play against bots in the terminal.

    The bots are of the level that you played last, at first of the gentlest one. The command
    `bots` lists the levels.

    The game is saved after every move, in your data folder. Set MILLEBORNES_DATA to use another
    folder.
    """
    with terminal(lang) as (screen, words):
        options = PlayOptions(
            edition=edition,
            players=players,
            short_trip=short_trip,
            seed=seed,
            name=name,
            bot=bot,
            hands=hands,
            target=target,
            resume=resume,
            file=file,
            save=save,
        )
        code = play_game(options, screen, words)
        if code:
            raise typer.Exit(code)
