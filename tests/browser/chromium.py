"""The browser of this machine: found, or put there, or asked for. None is ever downloaded.

python -m tests.browser.chromium
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ASK = (
    "The browser tests need Chromium or Chrome, and none was found. Install it (on Debian: sudo "
    "apt-get install chromium), or say where it is: make test CHROMIUM=/path/to/it. All the "
    "other tests: make test-core"
)


def find() -> str | None:
    """The program, as CHROMIUM in the environment names it or as it is usually called."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


def is_debian_and_ours() -> bool:
    """May we install packages here without asking?"""
    release = Path("/etc/os-release")
    is_debian = release.exists() and "ID=debian" in release.read_text().splitlines()
    return is_debian and hasattr(os, "geteuid") and os.geteuid() == 0


def install() -> None:
    sys.stderr.write("Installing Chromium for the browser tests.\n")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"],
    ):
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=900
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}\n{ASK}")


def main() -> None:
    if find() is None and "CHROMIUM" not in os.environ and is_debian_and_ours():
        install()
    if find() is None:
        sys.exit(ASK)


if __name__ == "__main__":
    main()
