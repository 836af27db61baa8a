"""Mutation testing of the rules: small faults are put in, one at a time; do the tests notice?

    python -m tests.mutation.run [--sample N] [--seed S] [--workers W] [--json]

Works on copies of the tree in a temporary folder, one for each worker; the working tree
is only read. Faults inside type annotations are left out: they change no behaviour.
"""

import argparse
import ast
import importlib
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from queue import Queue

ROOT = Path(__file__).resolve().parents[2]
CONFIG = Path("tests/mutation/cosmic-ray.toml")
_COPIED = ("src", "tests", "pyproject.toml", "README.md")


class Mutant(NamedTuple):
    """One fault: an operator of cosmic-ray and which of its places in a file."""

    path: str
    operator: str
    occurrence: int
    arguments: dict[str, Any]
    line: int
    column: int
    definition: str


class Outcome(NamedTuple):
    """Whether the tests noticed a mutant."""

    mutant: Mutant
    outcome: str
    diff: str


def main() -> int:
    """Run the sample and report. Survivors are findings, not failures: the exit code is 0."""
    options = _options()
    config = tomllib.loads((ROOT / CONFIG).read_text(encoding="utf-8"))["cosmic-ray"]
    command = _with_this_python(config["test-command"])
    with tempfile.TemporaryDirectory(prefix="millebornes-mutation-") as folder:
        copies = [_copy(Path(folder) / f"copy-{n}") for n in range(options.workers)]
        problem = _baseline(copies[0], command)
        if problem:
            sys.stderr.write(f"The tests fail before anything is broken:\n{problem}\n")
            return 1
        mutants, left_out = _all_mutants(copies[0])
        sample = mutants
        if 0 < options.sample < len(mutants):
            sample = random.Random(options.seed).sample(mutants, options.sample)
        outcomes = list(_try_all(sample, copies, command, config["timeout"]))
    _report(options, outcomes, total=len(mutants), left_out=left_out)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--sample", type=int, default=200, help="how many mutants; 0 is all")
    parser.add_argument("--seed", type=int, default=1954, help="which sample")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    return parser.parse_args()


def _with_this_python(command: str) -> str:
    words = shlex.split(command)
    return shlex.join([sys.executable if words[0] == "python" else words[0], *words[1:]])


def _copy(target: Path) -> Path:
    target.mkdir()
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target / name)
    return target


def _environment(copy: Path) -> dict[str, str]:
    # The copy must win over an editable install of the working tree, and no compiled file
    # may outlive the fault it was compiled from.
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(copy / "src"), str(copy)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _run(copy: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=copy, env=_environment(copy), capture_output=True, text=True, check=False
    )


def _baseline(copy: Path, command: str) -> str:
    """Errors before any mutation; empty if there are none."""
    where = "import millebornes; print(millebornes.__file__)"
    found = _run(copy, [sys.executable, "-c", where]).stdout.strip()
    if not Path(found).is_relative_to(copy.resolve()) and not Path(found).is_relative_to(copy):
        return f"the package under test is {found}, not the copy"
    tests = _run(copy, shlex.split(command))
    return "" if tests.returncode == 0 else tests.stdout + tests.stderr


def _all_mutants(copy: Path) -> tuple[list[Mutant], int]:
    """Every mutant in a fixed order, and how many were left out."""
    tool = [sys.executable, "-m", "cosmic_ray.cli"]
    made = _run(copy, [*tool, "init", CONFIG.as_posix(), "session.sqlite"])
    if made.returncode != 0:
        raise RuntimeError(made.stdout + made.stderr)
    dump = _run(copy, [*tool, "dump", "session.sqlite"])
    found: list[Mutant] = []
    for line in dump.stdout.splitlines():
        item = json.loads(line)[0]
        (mutation,) = item["mutations"]
        found.append(
            Mutant(
                path=Path(mutation["module_path"]).as_posix(),
                operator=mutation["operator_name"],
                occurrence=mutation["occurrence"],
                arguments=mutation["operator_args"],
                line=mutation["start_pos"][0],
                column=mutation["start_pos"][1],
                definition=mutation["definition_name"] or "",
            )
        )
    spans = {path: list(_annotations(copy / path)) for path in {m.path for m in found}}
    kept = [m for m in found if not any(a <= (m.line, m.column) < b for a, b in spans[m.path])]
    kept.sort(key=lambda m: (m.path, m.line, m.column, m.operator, m.occurrence))
    return kept, len(found) - len(kept)


def _annotations(path: Path) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the annotations of a file begin and end."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef):
            found.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
        for annotation in found:
            if annotation is not None:
                start = annotation.lineno, annotation.col_offset
                yield start, (annotation.end_lineno or 0, annotation.end_col_offset or 0)


def _try_all(
    sample: Sequence[Mutant], copies: Sequence[Path], command: str, timeout: float
) -> Iterator[Outcome]:
    context = get_context("spawn")
    with context.Manager() as manager:
        free: Queue[str] = manager.Queue()
        for copy in copies:
            free.put(str(copy))
        with ProcessPoolExecutor(len(copies), context, _enter, (free,)) as pool:
            jobs = [pool.submit(_try, mutant, command, timeout) for mutant in sample]
            for done, job in enumerate(jobs, start=1):
                yield job.result()
                if done % 10 == 0 or done == len(jobs):
                    sys.stderr.write(f"{done} of {len(jobs)} mutants tried\n")


def _enter(free: "Queue[str]") -> None:
    """Each worker process works in its own copy."""
    copy = Path(free.get())
    os.chdir(copy)
    os.environ.update(_environment(copy))


def _try(mutant: Mutant, command: str, timeout: float) -> Outcome:
    # Imported by name: cosmic-ray belongs to a dependency group of its own.
    mutating: Any = importlib.import_module("cosmic_ray.mutating")
    work_item: Any = importlib.import_module("cosmic_ray.work_item")
    spec = work_item.MutationSpec(
        module_path=mutant.path,
        operator_name=mutant.operator,
        occurrence=mutant.occurrence,
        start_pos=(mutant.line, mutant.column),
        end_pos=(mutant.line, mutant.column + 1),
        operator_args=mutant.arguments,
    )
    result = mutating.mutate_and_test([spec], command, timeout)
    outcome = result.test_outcome.value if result.test_outcome else result.worker_outcome.value
    diff = "\n".join((result.diff or result.output or "").splitlines()[1:])
    return Outcome(mutant, outcome, diff)


def _report(
    options: argparse.Namespace, outcomes: Sequence[Outcome], total: int, left_out: int
) -> None:
    survivors = [outcome for outcome in outcomes if outcome.outcome != "killed"]
    killed = len(outcomes) - len(survivors)
    if options.json:
        report = {
            "killed": killed,
            "sampled": len(outcomes),
            "total": total,
            "in_annotations": left_out,
            "seed": options.seed,
            "survivors": [
                {
                    "file": mutant.path,
                    "line": mutant.line,
                    "definition": mutant.definition,
                    "operator": mutant.operator,
                    "outcome": outcome,
                    "diff": diff,
                }
                for mutant, outcome, diff in survivors
            ],
        }
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
        return
    for mutant, outcome, diff in survivors:
        sys.stdout.write(f"{outcome}: {mutant.path}:{mutant.line} {mutant.operator}\n{diff}\n\n")
    sys.stdout.write(
        f"{killed} killed of {len(outcomes)} sampled of {total} in all "
        f"({left_out} in type annotations left out)\n"
    )


if __name__ == "__main__":
    sys.exit(main())
