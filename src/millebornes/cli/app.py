"""The commands and their options."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from millebornes import __version__
from millebornes.bots import BOTS
from millebornes.records import game as games
from millebornes.records import judge as judge_text
from millebornes.records import replay as replay_game
from millebornes.rules import RULES_VERSION
from millebornes.words import Words

from .driver import play_game
from .files import load_edition, read_text, shown_name
from .judging import draw_judgement, judgement_json
from .language import words_for
from .listing import draw_edition, draw_editions, edition_json, editions_json
from .replaying import draw_game, draw_step, game_json
from .screen import Screen, degrade_gracefully
from .setup import Wishes
from .trouble import Trouble, reading_from

__all__ = ["app", "run"]

app = typer.Typer(
    name="millebornes",
    help="Mille Bornes, the French road race card game.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")]
Lang = Annotated[
    str | None,
    typer.Option("--lang", help="The language: en or fr. Default: as the locale says."),
]
EditionOption = Annotated[
    str | None,
    typer.Option("--edition", help="An edition's id, or the path of a house-rules TOML file."),
]


def run() -> None:
    """The entry point, once `--version` has had its chance."""
    degrade_gracefully()
    app(prog_name="millebornes")


@contextmanager
def _speaking(lang: str | None) -> Iterator[tuple[Screen, Words]]:
    """A screen and a language; trouble with the input is told there and ends the command."""
    screen = Screen()
    try:
        words = words_for(lang)
        try:
            yield screen, words
        except OSError as error:
            # Files have their own sentences: what is left is an output that takes no more.
            screen.close_output()
            problem = error.strerror or str(error)
            raise Trouble(words.say("cannot_write", problem=problem)) from None
    except Trouble as trouble:
        screen.complain(str(trouble))
        raise typer.Exit(2) from None


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Mille Bornes, the French road race card game."""
    if version:
        Screen().show([f"millebornes {__version__}"])
        raise typer.Exit
    if context.invoked_subcommand is None:
        Screen().show([context.get_help()])


@app.command()
def editions(as_json: Json = False, lang: Lang = None) -> None:
    """List the editions: the printed rules that can be played."""
    with _speaking(lang) as (screen, words):
        if as_json:
            screen.json(editions_json(words))
        else:
            screen.show(draw_editions(words, screen.width))


@app.command()
def edition(
    name: Annotated[
        str, typer.Argument(help="An edition's id, or the path of a house-rules TOML file.")
    ],
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show every rule of an edition: its value, what it means, where it comes from."""
    with _speaking(lang) as (screen, words):
        found = load_edition(name, words)
        if as_json:
            screen.json(edition_json(found, words))
        else:
            screen.show(draw_edition(found, words, screen.width))


@app.command()
def judge(
    file: Annotated[str, typer.Argument(help="Positions and their moves; - is standard input.")],
    edition: EditionOption = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Settle an argument: say of each move whether it is legal, why not, and what follows.

    --edition stands in for the edition that the file names. With --json one object, or an
    array of them for a file of several positions.
    """
    with _speaking(lang) as (screen, words):
        override = None if edition is None else load_edition(edition, words)
        text = read_text(file, words)
        with reading_from(shown_name(file, words), words):
            judgements = judge_text(text, override)
        if as_json:
            answers = [judgement_json(judgement, words) for judgement in judgements]
            screen.json(answers if len(answers) > 1 else answers[0])
            return
        for number, judgement in enumerate(judgements):
            if number:
                screen.show([""])
            screen.show(draw_judgement(judgement, words, screen.width))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="The record of a game; - is standard input.")],
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            help="Show the table after this step. Step 0 is the first deal; each move, each "
            "attack that passed and each later deal is one step more.",
        ),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Tell a recorded game again, with the score sheet of every hand."""
    with _speaking(lang) as (screen, words):
        shown = shown_name(file, words)
        text = read_text(file, words)
        with reading_from(shown, words):
            game = games.from_text(text)
            if game.rules_version != RULES_VERSION:
                screen.complain(words.say("other_rules_version", version=game.rules_version))
            steps = list(replay_game(game))
        if at is not None and not 0 <= at < len(steps):
            raise Trouble(words.say("no_such_step", step=at, last=len(steps) - 1))
        last = len(steps) - 1 if at is None else at
        if as_json:
            screen.json(game_json(game, steps, last))
        elif at is None:
            screen.show(draw_game(game, steps, words, screen.width))
        else:
            screen.show(draw_step(game, steps, at, words, screen.width))


@app.command()
def play(
    file: Annotated[
        Path | None, typer.Argument(help="With --resume: the record of the game to go on with.")
    ] = None,
    *,
    edition: EditionOption = None,
    players: Annotated[
        int | None, typer.Option("--players", help="How many play, you included.")
    ] = None,
    short_trip: Annotated[
        bool, typer.Option("--short-trip", help="A trip of 700, where the edition lets you choose.")
    ] = False,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Any text: the same seed deals the same cards.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Your name.")] = None,
    bot: Annotated[
        str | None, typer.Option("--bot", help=f"The opponents' level: {', '.join(BOTS)}.")
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", help="Play so many hands instead of to a target.")
    ] = None,
    target: Annotated[int | None, typer.Option("--target", help="Points to play to.")] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with FILE, or with the latest unfinished game."),
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Where to keep the record. Default: your data folder."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Play in the terminal against bots. The game is saved after every move.

    Games are kept in your data folder, or in the one that MILLEBORNES_DATA names.
    """
    with _speaking(lang) as (screen, words):
        wishes = Wishes(
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
        code = play_game(wishes, screen, words)
        if code:
            raise typer.Exit(code)
