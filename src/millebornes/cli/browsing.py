"""Showing a page in the person's browser, where there is one."""

import contextlib
import os
import sys
import threading
import webbrowser

__all__ = ["show_in_browser"]


def show_in_browser(url: str, *, wait: bool = False) -> None:
    """Open the address, if this machine has a screen to show it on.

    Where it has none, nothing happens: the address has been printed. Some browsers keep their
    caller waiting, so nobody waits for them but who would end the process otherwise.
    """
    if not _has_screen():
        return
    opening = threading.Thread(target=_open, args=(url,), daemon=True)
    opening.start()
    if wait:
        opening.join()


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def _has_screen() -> bool:
    # Without one, Python would start a browser for the terminal and take it over.
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
