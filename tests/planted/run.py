"""Plant each known bug in a copy of the tree and show that the tests named for it catch it.

    python -m tests.planted.run [NAME ...]

A patch begins with a sentence about the bug and one line `Caught by:` for each test that must
fail with it. Exactly these tests are run: first without any bug, where all must pass; then
with each bug, where an assertion of the test must fail. A test that cannot be imported, or
dies of anything else, has caught nothing. The working tree is only read. The exit code is 1
if a bug gets through.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from .witness import FILE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent
PATIENCE = 600
_JOBS = 2
"""Runs at the same time: the longest tests wait for disks and processes, not for a core."""
_COPIED = ("src", "tests", "tools", "docs", "pyproject.toml", "README.md")
_CAUGHT_BY = "Caught by:"
_COLUMNS = "{:<26} {:<8} {:<52} {:>4}  {}"


class Planted(NamedTuple):
    """A bug, and the tests that catch it."""

    path: Path
    about: str
    tests: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path.stem


class Verdict(NamedTuple):
    """How a test ended."""

    said: str
    passed: bool = False
    caught: bool = False
    seconds: float = 0.0


def planted() -> list[Planted]:
    """Every bug that is kept here."""
    return [read(path) for path in sorted(FOLDER.glob("*.patch"))]


def read(path: Path) -> Planted:
    """A bug from its patch."""
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


@contextlib.contextmanager
def _copy() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="millebornes-planted-") as folder:
        tree = Path(folder).resolve()
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                # Compiled sources come along, so that only what a bug changes is compiled anew.
                # Not those of tests: pytest's own would name the files of the working tree.
                stays = (".*",) if name == "src" else (".*", "__pycache__")
                ignore = shutil.ignore_patterns(*stays)
                shutil.copytree(source, tree / name, ignore=ignore)
            elif source.exists():
                shutil.copy2(source, tree / name)
        yield tree


def without(test: str) -> Verdict:
    """How a test ends while there is no bug."""
    with _copy() as tree:
        return _run(tree, test)


def verdicts(bug: Planted) -> list[Verdict]:
    """How each of its tests ends with the bug in place."""
    with _copy() as tree:
        applied = apply(bug, tree)
        if applied.returncode:
            return [Verdict(f"DOES NOT APPLY: {applied.stderr.strip()}")] * len(bug.tests)
        return [_run(tree, test) for test in bug.tests]


def _run(tree: Path, test: str) -> Verdict:
    began = time.monotonic()
    with tempfile.NamedTemporaryFile(prefix="millebornes-witness-") as told:
        said = _pytest(tree, test, told.name)
        lines = [json.loads(line) for line in Path(told.name).read_text("utf-8").splitlines()]
    verdict = said or judge(lines, tree)
    return verdict._replace(seconds=time.monotonic() - began)


def _pytest(tree: Path, test: str, told: str) -> Verdict | None:
    """Run one test, up to its first failure; a verdict only if it does not come to an end."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), FILE: told}
    plugins = ["-p", "no:cacheprovider", "-p", "tests.planted.witness"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *plugins, test]
    try:
        subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return Verdict("HANGS")
    return None


def judge(lines: Sequence[dict[str, Any]], tree: Path) -> Verdict:
    """The verdict of the witness: only a failed assertion of the tests themselves catches a bug."""
    packages = [Path(line["package"]) for line in lines if "package" in line]
    if not all(package.is_relative_to(tree) for package in packages):
        return Verdict("TESTS ANOTHER TREE")
    steps = [line for line in lines if "test" in line]
    if not any(step["when"] == "call" for step in steps):
        return Verdict("DOES NOT RUN")
    failed = [step for step in steps if step["error"] is not None]
    if not failed:
        return Verdict("passes", passed=True)
    first = failed[0]
    where = Path(first["file"])
    place = f"{where.name}:{first['line']}"
    is_of_tests = where.is_relative_to(tree / "tests")
    if first["when"] == "call" and first["asserts"] and is_of_tests:
        return Verdict(f"caught, {first['error']} at {place}", caught=True)
    return Verdict(f"FAILS OTHERWISE, {first['error']} at {place}")


def main(wanted: Sequence[str]) -> int:
    """Try them all, or those that are named; a table of what happened."""
    bugs = [bug for bug in planted() if not wanted or bug.name in wanted]
    unknown = set(wanted) - {bug.name for bug in bugs}
    if unknown:
        known = ", ".join(bug.name for bug in planted())
        _print(f"there is no bug {', '.join(sorted(unknown))}; there are {known}")
        return 2
    began = time.monotonic()
    tests = sorted({test for bug in bugs for test in bug.tests})
    with ThreadPoolExecutor(_JOBS) as pool:
        sound = dict(zip(tests, pool.map(without, tests), strict=True))
        _print(_COLUMNS.format("bug", "without", "with", "s", "test"))
        caught = 0
        for bug, found in zip(bugs, pool.map(verdicts, bugs), strict=True):
            for test, verdict in zip(bug.tests, found, strict=True):
                before = "passes" if sound[test].passed else sound[test].said
                seconds = f"{verdict.seconds:.0f}"
                _print(_COLUMNS.format(bug.name, before, verdict.said, seconds, test))
                caught += sound[test].passed and verdict.caught
    asked = sum(len(bug.tests) for bug in bugs)
    took = time.monotonic() - began
    _print(f"{len(bugs)} bugs: {caught} of {asked} tests catch theirs; {took:.0f} s")
    return 0 if caught == asked else 1


def _print(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
