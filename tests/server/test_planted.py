"""The bugs kept in `tests/planted` still apply to the tree, and name tests that exist.

Running them takes a while: `python -m tests.planted.run` does it.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.planted.run import ROOT, Planted, apply, judge, planted, read, verdicts

KEPT = {bug.name: bug for bug in planted()}


def test_the_bugs_that_must_be_caught_are_kept() -> None:
    assert KEPT.keys() >= {
        "acknowledge-before-commit",
        "send-before-commit",
        "no-fsync",
        "accept-a-duplicate-id",
        "skip-the-decision-check",
        "leak-view",
        "leak-event",
        "leak-rejection",
        "leak-record",
        "leak-log",
        "leak-spectator",
        "leak-thinking-time",
        "pattern-with-dollar",
        "bucket-per-connection",
        "backlog-read-whole",
    }


@pytest.mark.parametrize("bug", KEPT.values(), ids=KEPT)
def test_a_planted_bug_still_fits_the_tree(bug: Planted) -> None:
    done = apply(bug, ROOT, "--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("bug", KEPT.values(), ids=KEPT)
def test_a_planted_bug_says_what_it_is_and_which_tests_catch_it(bug: Planted) -> None:
    assert bug.about
    assert bug.tests
    for test in bug.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), test
        assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8"), test


# The runner: a failing test has not caught a bug unless its own assertion fails

TREE = Path("/tree")
PACKAGE = {"package": "/tree/src/millebornes/__init__.py"}


def step(when: str = "call", error: str | None = None, **more: Any) -> dict[str, Any]:
    place = {"file": "/tree/tests/test_it.py", "line": 7}
    return {"test": "it", "when": when, "error": error, "asserts": False, **place, **more}


PASSED = [PACKAGE, step("setup"), step(), step("teardown")]
CAUGHT = [PACKAGE, step("setup"), step(error="AssertionError", asserts=True)]
OTHERWISE = {
    "an error of the test": [PACKAGE, step("setup"), step(error="TypeError")],
    "an assertion of the source": [
        PACKAGE,
        step(error="AssertionError", asserts=True, file="/tree/src/millebornes/x.py"),
    ],
    "an assertion while it is set up": [
        PACKAGE,
        step("setup", "AssertionError", asserts=True),
    ],
    "nothing was collected": [PACKAGE],
    "nothing was imported": [],
    "another tree was tested": [{"package": "/elsewhere/millebornes/__init__.py"}, *CAUGHT[1:]],
}


def test_a_test_that_passes_has_caught_nothing() -> None:
    verdict = judge(PASSED, TREE)
    assert (verdict.passed, verdict.caught) == (True, False)


def test_a_failed_assertion_of_a_test_has_caught_the_bug() -> None:
    verdict = judge(CAUGHT, TREE)
    assert (verdict.passed, verdict.caught) == (False, True)


@pytest.mark.parametrize("lines", OTHERWISE.values(), ids=OTHERWISE)
def test_whatever_else_goes_wrong_has_neither_passed_nor_caught(
    lines: list[dict[str, Any]],
) -> None:
    verdict = judge(lines, TREE)
    assert (verdict.passed, verdict.caught) == (False, False)


BROKEN_IMPORT = """A source that cannot be imported.

Caught by: tests/server/store/test_sqlite.py::test_every_connection_waits_for_the_disk

diff --git a/src/millebornes/server/store/store.py b/src/millebornes/server/store/store.py
--- a/src/millebornes/server/store/store.py
+++ b/src/millebornes/server/store/store.py
@@ -1,1 +1,2 @@
+import no_such_module
 \"\"\"The interface of every store, whichever database it uses.
"""


def test_a_source_that_cannot_be_imported_is_not_caught_by_any_test(tmp_path: Path) -> None:
    path = tmp_path / "broken.patch"
    path.write_text(BROKEN_IMPORT, encoding="utf-8")
    (verdict,) = verdicts(read(path))
    assert verdict.said == "DOES NOT RUN"


def test_a_planted_bug_is_caught_by_its_test_in_a_copy_of_the_tree() -> None:
    bug = KEPT["no-fsync"]
    (verdict,) = verdicts(bug._replace(tests=bug.tests[-1:]))
    assert verdict.caught, verdict
    assert "test_sqlite.py" in verdict.said
