"""The cache folder of the compiled kernel.

Numba checks only the source file of a function, so a constant from another file could go stale
unnoticed. That is why the folder is named after a digest of all sources of the kernel. It is in
the user's cache folder, because the package itself may not be writable. If that is not writable
either, every run compiles the kernel.
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
"""How many folders of other versions to keep, newest first."""


@cache
def folder() -> Path | None:
    """Our cache folder, created if missing; None if it is not writable."""
    try:
        # A user without a home folder, as in some containers, is a RuntimeError.
        base = Path(
            os.environ.get("NUMBA_CACHE_DIR")
            or platformdirs.user_cache_path("millebornes", appauthor=False)
        )
        own = base / f"{_PREFIX}{_digest()}"
        if not own.exists():
            _delete_old(base)
            own.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=own):
            pass
    except (OSError, RuntimeError):
        return None
    return own


@contextmanager
def own_folder() -> Iterator[bool]:
    """Make Numba use our folder inside the block; False if there is none."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder() or "")
    try:
        yield folder() is not None
    finally:
        numba.config.CACHE_DIR = before


def _digest() -> str:
    """A digest of all sources that go into the compiled code: the engine and the rules."""
    digest = hashlib.sha256()
    for package in (Path(__file__).parent, Path(rules.__file__).parent):
        for source in sorted(package.rglob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _delete_old(base: Path) -> None:
    others = sorted(base.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
    for path in others[:-_KEPT]:
        shutil.rmtree(path, ignore_errors=True)
