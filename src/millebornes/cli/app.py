"""The commands and their options."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from millebornes import __version__
from millebornes.bots import BOTS
from millebornes.records import game as games
from millebornes.records import judge as judge_text
from millebornes.records import replay as replay_game
from millebornes.rules import RULES_VERSION
from millebornes.server.config import Config
from millebornes.table.proof import check_record
from millebornes.words import Words

from .driver import play_game
from .files import load_edition, read_text, shown_name
from .judging import draw_judgement, judgement_json
from .language import words_for
from .listing import draw_edition, draw_editions, edition_json, editions_json
from .replaying import draw_game, draw_step, game_json
from .screen import Screen, degrade_gracefully
from .setup import Wishes, bot_for, checked_name
from .trouble import Trouble, reading_from
from .verifying import draw_findings, findings_json, is_sound

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


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="The record of a game; - is standard input.")],
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Check a record offline: each deck against its shuffle, and every draw against the deck.

    Exit code 0: all is well; 1: something is wrong; 2: the file cannot be read.
    """
    with _speaking(lang) as (screen, words):
        text = read_text(file, words)
        with reading_from(shown_name(file, words), words):
            game = games.from_text(text)
        findings = check_record(game)
        if as_json:
            screen.json(findings_json(findings, words))
        else:
            screen.show(draw_findings(game, findings, words))
    if not is_sound(findings):
        raise typer.Exit(1)


@app.command()
def bot(
    level: Annotated[
        str, typer.Argument(metavar="NAME", help=f"The bot's level: {', '.join(BOTS)}.")
    ],
    *,
    join: Annotated[
        str, typer.Option("--join", metavar="URL", help="The table's link: http://host:port/t/ID.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="What it is called at the table.")
    ] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Stay for rematches, until the table closes.")
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Seat a bot at a table on any server. It plays a match from its own view alone."""
    with _speaking(lang) as (screen, words):
        _, make_bot = bot_for(level, words)
        called = checked_name(name or level.replace("-", " ").title(), words)
        from .seating import read_link, run_bot  # noqa: PLC0415 (only this needs the network)

        link = read_link(join)
        if link is None:
            raise Trouble(words.say("bad_link", url=join))
        run_bot(make_bot(), link, called, screen, words, stay=stay, as_json=as_json)


@app.command()
def simulate(
    *,
    edition: EditionOption = None,
    players: Annotated[int, typer.Option("--players", help="How many play.")] = 2,
    short_trip: Annotated[
        bool, typer.Option("--short-trip", help="A trip of 700, where the edition lets you choose.")
    ] = False,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="Who plays: names with commas, for the seats in turn. Policies of the engine, as "
            f"random and greedy, play at full speed; {', '.join(BOTS)} by the readable rules.",
        ),
    ] = "greedy",
    hands: Annotated[int | None, typer.Option("--hands", help="Play so many single hands.")] = None,
    matches: Annotated[
        int | None, typer.Option("--matches", help="Play so many whole matches.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", help="A number: the same seed gives the same figures.")
    ] = 1954,
    jobs: Annotated[
        int | None, typer.Option("--jobs", help="How many at a time. Default: one for each core.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the figures of every hand or match to this file."),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Play very many hands or matches, and tell what an edition is like.

    Ctrl-C stops it, and what has been played until then is told.
    """
    with _speaking(lang) as (screen, words):
        from .simulating import Simulating, run_simulation  # noqa: PLC0415 (needs the compiler)

        wishes = Simulating(
            edition=edition,
            players=players,
            short_trip=short_trip,
            bots=bots,
            hands=hands,
            matches=matches,
            seed=seed,
            jobs=jobs,
            csv=csv,
        )
        code = run_simulation(wishes, screen, words, as_json=as_json)
        if code:
            raise typer.Exit(code)


def _with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for every setting of the server."""
    kinds: dict[type, Any] = {int: int | None, bool: bool | None}
    options = []
    for setting in fields(Config):
        means, allowed = setting.metadata["means"], setting.metadata["allowed"]
        flag = "--" + setting.name.replace("_", "-")
        if isinstance(setting.default, bool):
            flag += f"/--no-{flag[2:]}"
        option = typer.Option(None, flag, help=f"{means} Allowed: {allowed}.")
        options.append(
            inspect.Parameter(
                setting.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=option,
                annotation=kinds.get(type(setting.default), str | None),
            )
        )
    own = inspect.signature(command)
    kept = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    command.__signature__ = own.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    command.__annotations__ |= {option.name: option.annotation for option in options}
    return command


@app.command()
@_with_settings
def serve(
    *,
    config: Annotated[
        Path | None, typer.Option("--config", help="A TOML file with settings.")
    ] = None,
    opens: Annotated[bool, typer.Option("--open", help="Show the game in a browser.")] = False,
    next_free_port: Annotated[
        bool,
        typer.Option(
            "--next-free-port",
            help="Take the next free port if the port is in use; a server that runs there "
            "already is not started again.",
        ),
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
    **flags: Any,
) -> None:
    """Host tables for people and bots, over HTTP and WebSocket.

    Every setting can also stand in a TOML file (--config), or in the environment as
    MILLEBORNES_ and its name in capitals. An option beats the environment, which beats the file.
    """
    with _speaking(lang) as (screen, words):
        from .serving import Serving, run_server  # noqa: PLC0415 (only this needs the server)

        origins = flags["origins"]
        if origins is not None:
            flags["origins"] = tuple(part.strip() for part in origins.split(",") if part.strip())
        wishes = Serving(flags, config, opens=opens, next_free_port=next_free_port)
        run_server(wishes, screen, words, as_json)
