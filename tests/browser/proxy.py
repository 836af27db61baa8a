"""A proxy between one browser and the server, whose connections can be cut."""

import contextlib
import socket
import threading
from collections.abc import Iterator

__all__ = ["Proxy", "proxy_to"]


class Proxy:
    """Forwards everything to a port of this machine; it has its own address."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: list[socket.socket] = []
        self._is_whole = True
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection breaks, and each new one does at once."""
        with self._lock:
            self._is_whole = False
            ends, self._ends = self._ends, []
        for end in ends:
            _close(end)

    def mend(self) -> None:
        """New connections hold again."""
        with self._lock:
            self._is_whole = True

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                if not self._is_whole:
                    _close(near)
                    continue
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=ends, daemon=True).start()

    def close(self) -> None:
        self.cut()
        _close(self._listening)


def _pass_on(here: socket.socket, there: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := here.recv(65536):
            there.sendall(data)
    _close(here)
    _close(there)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def proxy_to(port: int) -> Iterator[Proxy]:
    """A proxy that holds until the end."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
