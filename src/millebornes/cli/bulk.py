"""What `simulate` and `arena` share: options, numbers to check, workers elsewhere."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millebornes.bots import has_kernel
from millebornes.rules.quote import shortened
from millebornes.words import Words

from .errors import CommandError
from .options import failure_told

if TYPE_CHECKING:
    from millebornes.arena import BrokenOff
    from millebornes.arena.cluster import ClusterError

__all__ = [
    "INTERRUPTED",
    "LARGEST",
    "Cluster",
    "Csv",
    "Jobs",
    "Seed",
    "bad_option",
    "broken_off",
    "check_kernel",
    "check_numbers",
    "jobs_or_default",
    "workers_elsewhere",
    "writing",
]

LARGEST = (1 << 64) - 1
"""The engine counts hands, and seeds, in 64 bits."""
INTERRUPTED = 130

Seed = Annotated[
    int, typer.Option("--seed", help="A number. The same seed gives the same figures.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", help="Number of parallel workers. Defaults to one per core."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Address of the scheduler of a Dask distributed cluster that does the work, such as "
        "tcp://127.0.0.1:8786. Needs the extra [cluster].",
    ),
]
Csv = Annotated[
    Path | None,
    typer.Option("--csv", help="CSV file to write, with one line per hand or match."),
]


def bad_option(option: str, value: str | int, allowed: str, words: Words) -> CommandError:
    """The error for an option whose value is not allowed."""
    given = shortened(str(value))
    return CommandError(words.say("bad_option", option=option, value=given, allowed=allowed))


def check_numbers(options: list[tuple[str, int | None, int, int]], words: Words) -> None:
    """Refuse a number outside its bounds: option, value, least, most."""
    for option, value, least, most in options:
        if value is not None and not least <= value <= most:
            allowed = words.say("allowed_whole", least=least, most=most)
            raise bad_option(option, value, allowed, words)


def check_kernel(words: Words) -> None:
    """Refuse a command that needs the compiled engine where it cannot run."""
    if not has_kernel():
        raise CommandError(words.say("no_numba"))


def jobs_or_default(jobs: int | None) -> int:
    """The number of workers: one per core, unless another is given."""
    from millebornes.fast.arguments import MOST_JOBS  # noqa: PLC0415

    return jobs or min(os.cpu_count() or 1, MOST_JOBS)


@contextmanager
def workers_elsewhere(address: str | None, words: Words) -> Iterator[Executor | None]:
    """The executor of a cluster, if its address is given."""
    if address is None:
        yield None
        return
    from millebornes.arena.cluster import ClusterError, cluster  # noqa: PLC0415

    try:
        with cluster(address) as executor:
            yield executor
    except ClusterError as error:
        raise CommandError(_cluster_error(error, shortened(address), words)) from None


def _cluster_error(error: "ClusterError", address: str, words: Words) -> str:
    if error.code == "not_installed":
        return words.say("cluster_not_installed")
    if error.code == "no_workers":
        return words.say("cluster_no_workers", address=address)
    detail = shortened(error.detail)
    if error.code == "other_release":
        return words.say("cluster_other_release", address=address, found=detail)
    if error.code == "lost":
        return words.say("cluster_lost", address=address, problem=detail)
    return words.say("cluster_unreachable", address=address, problem=detail)


def broken_off(error: "BrokenOff", bot: str, words: Words) -> CommandError:
    """The error for a bot that fails where no match can go on without it."""
    what = failure_told(error.failure, words)
    if not error.hand:
        return CommandError(words.say("bot_not_started", bot=shortened(bot), what=what))
    facts = {"index": error.index, "seat": error.seat, "hand": error.hand}
    return CommandError(words.say("sim_bot_failed", bot=shortened(bot), what=what, **facts))


@contextmanager
def writing(path: Path, words: Words) -> Iterator[None]:
    """Errors of a file that is written name the file."""
    try:
        yield
    except OSError as error:
        problem = error.strerror or str(error)
        sentence = words.say("cannot_write_file", file=str(path), problem=problem)
        raise CommandError(sentence) from None
