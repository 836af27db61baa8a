"""What an extension is worth: least squares on whole numbers, and the weights of a set."""

from random import Random

from millebornes.rules import EDITIONS
from millebornes.training.contest import Contest
from millebornes.training.extension import PER_POINT, VALUED, fitted, valued
from millebornes.training.start import START


def test_a_fit_finds_the_weights_that_made_the_gains() -> None:
    rng = Random(1954)
    true = [-300, 40, 7, 0]
    rows = [[1, rng.randrange(20), rng.randrange(40), 0] for _ in range(500)]
    noisy = [
        sum(weight * value for weight, value in zip(true, row, strict=True))
        + rng.randrange(-50, 51)
        for row in rows
    ]
    found = fitted(rows, noisy)
    assert abs(found[0] - PER_POINT * true[0]) < 120
    assert abs(found[1] - PER_POINT * true[1]) < 10
    assert abs(found[2] - PER_POINT * true[2]) < 5
    assert found[3] == 0  # a feature that never changes anything


def test_only_the_weights_of_the_extension_change_and_the_same_in_every_run() -> None:
    contest = Contest(EDITIONS["winning-moves"], 2)
    found = valued([contest], START, hands=20, seed=7)
    assert found == valued([contest], START, hands=20, seed=7)
    changed = {name for name in START if found[name] != START[name]}
    assert changed
    assert changed <= set(VALUED)


def test_games_without_an_extension_leave_the_weights_as_they_are() -> None:
    contest = Contest(EDITIONS["dujardin-2019"], 4)
    assert valued([contest], START, hands=20, seed=7) == START
