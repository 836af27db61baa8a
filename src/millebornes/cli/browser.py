"""Opening a page in the person's browser, if there is one."""

import contextlib
import os
import sys
import threading
import webbrowser

__all__ = ["open_in_browser"]


def open_in_browser(url: str, *, wait: bool = False) -> None:
    """Open the address in a browser. Without a display, do nothing: the address is printed anyway.

    Some browsers block their caller until they are closed. So `wait` is only for a process that
    would otherwise end before the browser has started.
    """
    if not _has_display():
        return
    opening = threading.Thread(target=_open, args=(url,), daemon=True)
    opening.start()
    if wait:
        opening.join()


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def _has_display() -> bool:
    # Without a display, Python would start a text browser, which takes over the terminal.
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
