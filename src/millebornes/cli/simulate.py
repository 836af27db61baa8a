"""The `simulate` command: statistics of an edition and its bots, from very many games."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millebornes.plugins import UnknownBot
from millebornes.rules import EditionError
from millebornes.words import Words

from .bulk import (
    INTERRUPTED,
    LARGEST,
    Cluster,
    Csv,
    Jobs,
    Seed,
    bad_option,
    broken_off,
    check_kernel,
    check_numbers,
    jobs_or_default,
    workers_elsewhere,
)
from .command import terminal
from .errors import CommandError
from .files import edition_or_default
from .options import (
    EditionOption,
    Json,
    Lang,
    ShortTrip,
    check_players,
    option_error,
)
from .progress import progress_bar
from .screen import Screen

if TYPE_CHECKING:
    from millebornes.arena import Simulation, Tally

__all__ = ["simulate"]

_FAST_HANDS, _SLOW_HANDS = 100_000, 400
"""How many hands to play by default: with policies of the engine alone, and with other bots."""


def simulate(
    *,
    edition: EditionOption = None,
    players: Annotated[int, typer.Option("--players", help="Number of players.")] = 2,
    short_trip: ShortTrip = False,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="Bots, separated by commas; they are assigned to the seats in turn. The engine's "
            "own policies (random, greedy, commuter) play at full speed. Any other bot, and "
            "everybody at a table with it, is about a thousand times slower.",
        ),
    ] = "greedy",
    hands: Annotated[
        int | None, typer.Option("--hands", help="Number of single hands to play.")
    ] = None,
    matches: Annotated[
        int | None, typer.Option("--matches", help="Number of whole matches to play.")
    ] = None,
    seed: Seed = 1954,
    jobs: Jobs = None,
    cluster: Cluster = None,
    csv: Csv = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Play many hands or matches, and print statistics.

    Ctrl-C stops the simulation and prints the statistics so far.
    """
    with terminal(lang) as (screen, words):
        options = _Options(
            edition=edition,
            players=players,
            short_trip=short_trip,
            bots=bots,
            hands=hands,
            matches=matches,
            seed=seed,
            jobs=jobs,
            cluster=cluster,
            csv=csv,
        )
        code = _run(options, screen, words, as_json=as_json)
        if code:
            raise typer.Exit(code)


@dataclass(frozen=True, kw_only=True)
class _Options:
    """The options of `simulate`, as given."""

    edition: str | None
    players: int
    short_trip: bool
    bots: str
    hands: int | None
    matches: int | None
    seed: int
    jobs: int | None
    cluster: str | None
    csv: Path | None


# Only this command needs the compiled engine: the others start faster without loading it.


def _run(options: _Options, screen: Screen, words: Words, *, as_json: bool) -> int:
    """Play, and print the figures. Return the exit code."""
    check_kernel(words)
    from millebornes.arena import BrokenOff, Tally  # noqa: PLC0415

    from .draw.numbers import draw_number  # noqa: PLC0415
    from .draw.simulation import draw_simulation  # noqa: PLC0415
    from .simulation_csv import open_csv  # noqa: PLC0415

    simulation, count, jobs = _prepare(options, words)
    sides = simulation.sides
    labels = [_label(simulation, side, sides) for side in range(sides)]
    groups = {
        label: tuple(side for side in range(sides) if labels[side] == label) for label in labels
    }
    tally = Tally(sides, tuple(groups.values()))
    was_stopped = False
    with ExitStack() as stack:
        csv_file = None
        if options.csv is not None:
            csv_file = stack.enter_context(open_csv(options.csv, sides, words))
        executor = stack.enter_context(workers_elsewhere(options.cluster, words))
        progress = stack.enter_context(progress_bar(screen))
        task = progress.add_task(words.say("sim_preparing"), total=None)
        simulation.prepare()
        started = time.monotonic()
        progress.update(task, description=words.say("sim_playing"), total=count)
        try:
            for rows in simulation.run(count, jobs=jobs, executor=executor):
                if csv_file is not None:
                    csv_file.add(rows)
                tally.add(rows)
                progress.update(task, completed=tally.rows)
        except KeyboardInterrupt:
            was_stopped = True
        except BrokenOff as broken:
            raise broken_off(broken, simulation.seats[broken.seat], words) from None
        seconds = time.monotonic() - started
    if was_stopped:
        screen.complain(words.say("sim_stopped", count=draw_number(tally.rows, 0, words)))
    if as_json:
        screen.json(_as_json(simulation, tally))
    elif tally.rows:
        names, width = list(groups), screen.width
        screen.show(draw_simulation(simulation, tally, names, words, seconds=seconds, width=width))
    return INTERRUPTED if was_stopped else 0


def _prepare(options: _Options, words: Words) -> "tuple[Simulation, int, int]":
    """The simulation, how many hands or matches to play, and the number of workers."""
    from millebornes.arena import Simulation  # noqa: PLC0415
    from millebornes.fast.arguments import MOST_JOBS  # noqa: PLC0415

    edition = edition_or_default(options.edition, words)
    bots = tuple(name.strip() for name in options.bots.split(","))
    check_players(options.players, edition, words)
    if len(bots) > options.players:
        allowed = words.say("sim_bots_allowed", players=options.players)
        raise bad_option("--bots", options.bots, allowed, words)
    if options.hands is not None and options.matches is not None:
        raise CommandError(words.say("sim_hands_or_matches"))
    check_numbers(
        [
            ("--hands", options.hands, 1, LARGEST),
            ("--matches", options.matches, 1, LARGEST),
            ("--jobs", options.jobs, 1, MOST_JOBS),
            ("--seed", options.seed, 0, LARGEST),
        ],
        words,
    )
    try:
        simulation = Simulation(
            edition=edition,
            players=options.players,
            bots=bots,
            seed=options.seed,
            short_trip=options.short_trip,
            of_matches=options.matches is not None,
        )
    except UnknownBot as unknown:
        raise CommandError(words.sentence(unknown)) from None
    try:
        simulation.engine()
    except EditionError as error:
        raise option_error(error, words) from None
    count = options.matches or options.hands or (_FAST_HANDS if simulation.is_fast else _SLOW_HANDS)
    return simulation, count, jobs_or_default(options.jobs)


def _label(simulation: "Simulation", side: int, sides: int) -> str:
    """The bots that play a side."""
    return " + ".join(dict.fromkeys(simulation.seats[side::sides]))


def _as_json(simulation: "Simulation", tally: "Tally") -> dict[str, Any]:
    return {
        "edition": simulation.edition.id,
        "edition_name": simulation.edition.name,
        "players": simulation.players,
        "short_trip": simulation.short_trip,
        "bots": list(simulation.seats),
        "seed": simulation.seed,
        "matches": tally.rows if simulation.of_matches else None,
        **tally.as_json(),
    }
