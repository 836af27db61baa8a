"""The `millebornes` command: its subcommands, in the order in which the help lists them."""

from typing import Annotated

import typer

from millebornes import __version__

from .bot import bot
from .bots import bots
from .editions import edition, editions
from .judge import judge
from .play import play
from .replay import replay
from .screen import Screen, degrade_gracefully
from .serve import serve
from .simulate import simulate
from .verify import verify

__all__ = ["app", "run"]

app = typer.Typer(
    name="millebornes",
    help="Mille Bornes, the French road-race card game.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _command in (play, replay, verify, judge, editions, edition, simulate, serve, bots, bot):
    app.command()(_command)


def run() -> None:
    """Run the command line. `__main__` has already answered a plain `--version`."""
    degrade_gracefully()
    app(prog_name="millebornes")


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Mille Bornes, the French road-race card game."""
    if version:
        Screen().show([f"millebornes {__version__}"])
        raise typer.Exit
    if context.invoked_subcommand is None:
        Screen().show([context.get_help()])
