"""The bugs kept in `tests/planted` still fit the tree, and name tests that are there.

Running them takes a while: `python -m tests.planted.run` does it.
"""

import pytest

from tests.planted.run import ROOT, Planted, apply, planted

KEPT = {bug.name: bug for bug in planted()}


def test_the_bugs_that_must_be_caught_are_kept() -> None:
    assert KEPT.keys() >= {
        "acknowledge-before-commit",
        "send-before-commit",
        "no-fsync",
        "accept-a-duplicate-id",
        "skip-the-decision-check",
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
