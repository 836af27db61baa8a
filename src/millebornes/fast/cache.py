"""Where compiled code is kept between runs.

Numba looks only at the file of a function, and a constant from another file would go stale
unnoticed: so the folder is named after everything the kernel is made from. It lies with the
user's other caches, for the package itself may not be writable; if that is not possible
either, every run compiles anew.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numba
import platformdirs

from millebornes import rules

__all__ = ["folder", "own_folder"]

_PREFIX = "millebornes-kernel-"
_KEPT = 3
"""Folders of other versions that are kept, the newest ones."""


@cache
def folder() -> Path | None:
    """Our folder, made if need be; None if nothing can be written there."""
    try:
        # A user without a home, as in some containers, has no caches: that is a RuntimeError.
        base = Path(
            os.environ.get("NUMBA_CACHE_DIR")
            or platformdirs.user_cache_path("millebornes", appauthor=False)
        )
        own = base / f"{_PREFIX}{_digest()}"
        if not own.exists():
            _forget_old(base)
            own.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=own):
            pass
    except (OSError, RuntimeError):
        return None
    return own


@contextmanager
def own_folder() -> Iterator[bool]:
    """Let Numba use our folder for what is compiled meanwhile; False: it has none."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder() or "")
    try:
        yield folder() is not None
    finally:
        numba.config.CACHE_DIR = before


def _digest() -> str:
    """Of all sources that compiled code is made from: the engine and the rules."""
    digest = hashlib.sha256()
    for package in (Path(__file__).parent, Path(rules.__file__).parent):
        for source in sorted(package.rglob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _forget_old(base: Path) -> None:
    others = sorted(base.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
    for path in others[:-_KEPT]:
        shutil.rmtree(path, ignore_errors=True)
