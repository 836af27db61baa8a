"""Work on several machines: the executor of a Dask distributed cluster, by its address.

Dask runs a task again elsewhere if its worker is lost. The parts of a contest depend on nothing
but their numbers, so that changes no result.
"""

import contextlib
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from millebornes import __version__

from .choosers import dismiss_idle

__all__ = ["ClusterError", "cluster"]

_T = TypeVar("_T")
_SECONDS = 10
"""How long to wait for the scheduler and its first worker."""


class ClusterError(Exception):
    """The cluster cannot be used: a stable code, and what is known about the cause."""

    def __init__(
        self,
        code: Literal["not_installed", "unreachable", "no_workers", "other_release", "lost"],
        detail: str = "",
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


@contextmanager
def cluster(address: str, *, seconds: float = _SECONDS) -> Iterator[Executor]:
    """The executor of the cluster whose scheduler has this address. Raises `ClusterError`.

    Its workers need the same release of this package.
    """
    try:
        import distributed  # noqa: PLC0415 (an extra)
    except ImportError:
        raise ClusterError("not_installed") from None
    try:
        _knock(address, seconds)
        client = distributed.Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # a timeout is an OSError
        raise ClusterError("unreachable", getattr(error, "strerror", None) or str(error)) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise ClusterError("no_workers") from None
        others = set(client.run(release).values()) - {__version__}
        if others:
            raise ClusterError("other_release", ", ".join(sorted(others)))
        try:
            yield _Tasks(client)
        except distributed.KilledWorker as error:
            raise ClusterError("lost", str(error)) from None
        if client.status == "running":
            client.run(dismiss_idle, on_error="ignore")


class _Tasks(Executor):
    """Runs functions as tasks of a Dask cluster.

    The executor of Dask's client waits for ever if the scheduler is lost while a result is on its
    way. Here every future ends, if need be with a `ClusterError`.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, function: Callable[..., _T], /, *args: Any, **kwargs: Any) -> "Future[_T]":
        if self._client.status != "running":
            raise _lost()
        # Not pure: it is run even if the same call has a result already.
        task = self._client.submit(function, *args, pure=False, **kwargs)
        future: Future[_T] = Future()

        def give_up(future: "Future[_T]") -> None:
            if future.cancelled() and self._client.status == "running":
                with contextlib.suppress(OSError):  # the scheduler is lost just now
                    task.cancel()

        future.add_done_callback(give_up)
        task.add_done_callback(lambda done: _pass_on(done, future))
        return future


def _pass_on(task: Any, future: "Future[_T]") -> None:
    """Give a future the outcome of its task. Runs in a thread of Dask's client."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(task.result())
    except BaseException as error:
        # Either the function has raised it, or the result could not be had.
        future.set_exception(error if task.status == "error" else _lost())


def _lost() -> ClusterError:
    return ClusterError("lost", "the scheduler does not answer any more")


def _knock(address: str, seconds: float) -> None:
    """Raise OSError or ValueError if nobody listens there. Dask would try for all the time."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme not in ("tcp", "tls") or not parts.hostname or not parts.port:
        raise ValueError("the address must be tcp://HOST:PORT or tls://HOST:PORT")
    socket.create_connection((parts.hostname, parts.port), timeout=seconds).close()


def release() -> str:
    """The release of this package on a worker."""
    return __version__
