"""Plant each known bug in a copy of the tree and show which tests catch it.

    python -m tests.planted.run [NAME ...]

A patch begins with a sentence about the bug and one line `Caught by:` for each test that must
fail with it. The working tree is only read. The exit code is 1 if any of these tests passes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent
PATIENCE = 240
_COPIED = ("src", "tests", "docs", "pyproject.toml", "README.md")
_CAUGHT_BY = "Caught by:"
_ENDS = {0: "PASSES: not caught", 1: "caught"}


class Planted(NamedTuple):
    """A bug, and the tests that catch it."""

    path: Path
    about: str
    tests: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path.stem


def planted() -> list[Planted]:
    """Every bug that is kept here."""
    return [_read(path) for path in sorted(FOLDER.glob("*.patch"))]


def _read(path: Path) -> Planted:
    head = path.read_text(encoding="utf-8").split("\ndiff --git ")[0].splitlines()
    tests = [line.removeprefix(_CAUGHT_BY).strip() for line in head if line.startswith(_CAUGHT_BY)]
    about = " ".join(line for line in head if line and not line.startswith(_CAUGHT_BY))
    return Planted(path, about, tuple(tests))


def apply(bug: Planted, tree: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    """Put a bug into a tree."""
    return subprocess.run(
        ["git", "apply", *more, str(bug.path)],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )


def outcomes(bug: Planted) -> Iterator[tuple[str, str]]:
    """What each of its tests says with the bug in place."""
    with tempfile.TemporaryDirectory(prefix="millebornes-planted-") as folder:
        tree = Path(folder)
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                ignore = shutil.ignore_patterns("__pycache__", ".*")
                shutil.copytree(source, tree / name, ignore=ignore)
            elif source.exists():
                shutil.copy2(source, tree / name)
        applied = apply(bug, tree)
        if applied.returncode:
            yield str(bug.path), f"DOES NOT APPLY: {applied.stderr.strip()}"
            return
        for test in bug.tests:
            yield test, _outcome(tree, test)


def _outcome(tree: Path, test: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", test]
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "HANGS"
    return _ENDS.get(done.returncode, f"DOES NOT RUN: {done.stdout[-500:]}{done.stderr[-500:]}")


def main() -> int:
    """Try them all, or those that are named."""
    wanted = sys.argv[1:]
    is_well = True
    for bug in planted():
        if wanted and bug.name not in wanted:
            continue
        print(f"{bug.name}: {bug.about}", flush=True)  # noqa: T201
        for test, outcome in outcomes(bug):
            print(f"  {outcome}: {test}", flush=True)  # noqa: T201
            is_well = is_well and outcome == "caught"
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
