"""Programs in a fresh Python, with a cache of compiled code that no other test has filled."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import millebornes

PACKAGE = Path(millebornes.__file__).parent


def run(
    program: str,
    base: Path,
    *,
    package: Path = PACKAGE,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """The output of a fresh Python with its own cache."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("NUMBA")},
        "NUMBA_CACHE_DIR": str(base),
        "PYTHONPATH": str(package.parent),
        **settings,
    }
    command = [sys.executable, "-W", "error", "-c", program]
    printed = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True, timeout=300
    )
    return printed.stdout.splitlines()
