"""The `arena` command: how strong bots are, measured on the same decks with seats rotated."""

import shlex
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from millebornes.plugins import BotFailure
from millebornes.rules import EditionError, new_match
from millebornes.rules.quote import shortened
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
from .files import edition_or_default
from .options import (
    BOT_NAMES,
    EditionOption,
    Json,
    Lang,
    ShortTrip,
    bot_named,
    check_players,
    failure_told,
    option_error,
)
from .progress import progress_bar
from .screen import Screen

if TYPE_CHECKING:
    from millebornes.arena import Contest, Failure, Result, Scores

__all__ = ["arena"]

_FAST_PAIRS, _SLOW_PAIRS = 10_000, 200
"""How many pairs to play by default: with policies of the engine alone, and with other bots."""
_MOST_PAIRS = 1_000_000
_MOST_FAILURES_TOLD = 5
_SECONDS_BETWEEN_ESTIMATES = 0.5


def arena(
    *,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT...",
            help="Different bots, at most one per side: a policy of the engine (random, greedy), "
            f"the sparring partner (sparring), {BOT_NAMES}.",
        ),
    ],
    edition: EditionOption = None,
    players: Annotated[int, typer.Option("--players", help="Number of players.")] = 2,
    short_trip: ShortTrip = False,
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            help="Number of sets of decks, each of which is played once in every rotation of "
            "the seats.",
        ),
    ] = None,
    seed: Seed = 1954,
    jobs: Jobs = None,
    cluster: Cluster = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            help="File that keeps what has been played. If it exists, the contest goes on there.",
        ),
    ] = None,
    csv: Csv = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Let bots play each other on the same decks, and measure how strong they are.

    Ctrl-C stops the contest and prints the figures so far.
    """
    with terminal(lang) as (screen, words):
        options = _Options(
            bots=tuple(bots),
            edition=edition,
            players=players,
            short_trip=short_trip,
            pairs=pairs,
            seed=seed,
            jobs=jobs,
            cluster=cluster,
            resume=resume,
            csv=csv,
        )
        code = _run(options, screen, words, as_json=as_json)
        if code:
            raise typer.Exit(code)


@dataclass(frozen=True, kw_only=True)
class _Options:
    """The options of `arena`, as given."""

    bots: tuple[str, ...]
    edition: str | None
    players: int
    short_trip: bool
    pairs: int | None
    seed: int
    jobs: int | None
    cluster: str | None
    resume: Path | None
    csv: Path | None


# Only some commands need the compiled engine: the others start faster without loading it.


def _run(options: _Options, screen: Screen, words: Words, *, as_json: bool) -> int:
    """Play, and print the figures. Return the exit code."""
    check_kernel(words)
    from .draw.contest import draw_contest  # noqa: PLC0415

    contest = _contest(options, words)
    pairs = options.pairs or (_FAST_PAIRS if contest.is_fast else _SLOW_PAIRS)
    played = _play(contest, pairs, options, screen, words)
    result = played.scores.result()
    if played.was_stopped:
        screen.complain(_says_stopped(result, options, words))
    _tell_failures(result.failures, screen, words)
    if as_json:
        screen.json({**result.as_json(), "command": _command(options, contest, pairs)})
    elif result.matches:
        screen.show(draw_contest(result, words, speed=played.speed, width=screen.width))
    return INTERRUPTED if played.was_stopped else 0


class _Played(NamedTuple):
    """The pairs of a contest that have been played, now or before."""

    scores: "Scores"
    was_stopped: bool
    speed: float
    """Matches per second."""


def _play(
    contest: "Contest", pairs: int, options: _Options, screen: Screen, words: Words
) -> _Played:
    from millebornes.arena import BrokenOff, Scores  # noqa: PLC0415

    from .contest_files import open_csv, open_journal  # noqa: PLC0415

    scores = Scores(contest)
    jobs = jobs_or_default(options.jobs)
    with (
        open_journal(options.resume, contest, words) as journal,
        open_csv(options.csv, contest, words) as write,
        workers_elsewhere(options.cluster, words) as executor,
        progress_bar(screen) as progress,
    ):
        task = progress.add_task(words.say("sim_preparing"), total=None)
        try:
            contest.prepare()
        except BrokenOff as broken:
            raise broken_off(broken, contest.names[broken.seat], words) from None
        for part in journal.played[:pairs]:
            scores.add(part)
            write(part)
        before, started = scores.matches, time.monotonic()
        running = _Estimate(words)
        progress.update(task, description=words.say("sim_playing"), total=pairs)
        was_stopped = False
        parts = contest.run(pairs, first=scores.pairs, jobs=jobs, executor=executor)
        with closing(parts):
            try:
                for part in parts:
                    journal.add(part)
                    scores.add(part)
                    write(part)
                    estimate = running.after(scores)
                    progress.update(task, completed=scores.pairs, description=estimate)
            except KeyboardInterrupt:
                was_stopped = True
        seconds = max(time.monotonic() - started, 1e-3)
    return _Played(scores, was_stopped, (scores.matches - before) / seconds)


class _Estimate:
    """The running estimate, which takes some milliseconds: not after every match."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._told = time.monotonic()

    def after(self, scores: "Scores") -> str | None:
        """What to show after these matches; None: what is shown already."""
        from .draw.contest import draw_estimate  # noqa: PLC0415

        now = time.monotonic()
        if now - self._told < _SECONDS_BETWEEN_ESTIMATES or not scores.matches:
            return None
        self._told = now
        return draw_estimate(scores.result().bots[0], self._words)


def _contest(options: _Options, words: Words) -> "Contest":
    from millebornes.arena import Contest  # noqa: PLC0415
    from millebornes.fast.arguments import MOST_JOBS  # noqa: PLC0415

    edition = edition_or_default(options.edition, words)
    check_players(options.players, edition, words)
    try:
        new_match(edition, options.players, short_trip=options.short_trip)
    except EditionError as error:
        raise option_error(error, words) from None
    check_numbers(
        [
            ("--pairs", options.pairs, 1, _MOST_PAIRS),
            ("--jobs", options.jobs, 1, MOST_JOBS),
            ("--seed", options.seed, 0, LARGEST),
        ],
        words,
    )
    entrants = [bot_named(name, words, in_arena=True) for name in options.bots]
    sides = edition.sides_at(options.players)
    if len(set(entrants)) < len(entrants) or not 2 <= len(entrants) <= sides:
        allowed = words.say("arena_bots_allowed", sides=sides)
        raise bad_option("BOT", " ".join(options.bots), allowed, words)
    return Contest.of(
        entrants,
        edition=edition,
        players=options.players,
        seed=options.seed,
        short_trip=options.short_trip,
    )


def _says_stopped(result: "Result", options: _Options, words: Words) -> str:
    facts = {"pairs": result.pairs, "matches": result.matches}
    if options.resume is None:
        return words.say("arena_stopped", **facts)
    return words.say("arena_stopped_file", file=str(options.resume), **facts)


def _tell_failures(failures: "tuple[Failure, ...]", screen: Screen, words: Words) -> None:
    for failure in failures[:_MOST_FAILURES_TOLD]:
        what = failure_told(BotFailure(failure.fault, failure.detail), words)
        facts = {"pair": failure.pair, "rotation": failure.rotation}
        place = {"seat": failure.seat, "hand": failure.hand}
        bot = shortened(failure.bot)
        screen.complain(words.say("arena_failed", bot=bot, what=what, **facts, **place))
    more = len(failures) - _MOST_FAILURES_TOLD
    if more > 0:
        screen.complain(words.say("arena_more_failed", count=more))


def _command(options: _Options, contest: "Contest", pairs: int) -> str:
    """The command that repeats the contest."""
    edition = options.edition or contest.edition.id
    parts = ["millebornes", "arena", *contest.names, "--edition", edition]
    parts += ["--players", str(contest.players), *["--short-trip"] * contest.short_trip]
    return shlex.join([*parts, "--pairs", str(pairs), "--seed", str(contest.seed)])
