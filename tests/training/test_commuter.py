"""The training of the commuter, in small."""

import json
from pathlib import Path

import pytest

from millebornes.fast.kernel.policies.commuter.features import DECIDING, FEATURES
from millebornes.fast.kernel.policies.commuter.weights import SETS as USED
from millebornes.fast.kernel.policies.commuter.weights import set_for
from millebornes.rules import EDITIONS
from millebornes.training import commuter
from millebornes.training.commuter import SETS, Effort, trained
from millebornes.training.contest import Contest, leads
from millebornes.training.start import START

DUEL = Contest(EDITIONS["winning-moves"], 2)
SMALL = Effort(generations=4, candidates=16, best=4, decks=100)


def test_a_small_run_can_be_repeated_and_improves_on_its_start() -> None:
    found = trained([DUEL], START, SMALL, 1954)
    assert found == trained([DUEL], START, SMALL, 1954)
    assert found != trained([DUEL], START, SMALL, 1955)
    assert tuple(found) == tuple(FEATURES)
    assert DECIDING.items() <= found.items()
    before, after = (leads(DUEL, weights, None, decks=1000, seed=7) for weights in (START, found))
    assert after.sum() > before.sum()


def test_every_set_is_trained_for_tables_that_use_it() -> None:
    assert tuple(SETS) == USED
    for name, contests in SETS.items():
        for contest in contests:
            assert set_for(contest.players, contest.sides) == name


def test_nobody_leads_himself() -> None:
    for contests in SETS.values():
        for contest in contests:
            assert leads(contest, START, START, decks=20, seed=1).sum() == 0


def test_the_program_writes_all_sets_and_how_they_were_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commuter, "_MEASURED", 20)
    file = tmp_path / "weights.json"
    small = {"seed": 3, "generations": 2, "candidates": 4, "best": 2, "decks": 20, "hands": 8}
    arguments = [word for name, value in small.items() for word in (f"--{name}", str(value))]
    commuter.main([*arguments, "--output", str(file)])
    printed = capsys.readouterr()
    made = json.loads(file.read_text(encoding="utf-8"))
    assert list(made["weights"]) == list(SETS) == list(made["measured"])
    assert made["made_by"]["command"].endswith(" ".join(arguments))
    told = [json.loads(line) for line in printed.err.splitlines()]
    assert {"generation": 2, "of": 2}.items() <= told[1].items()
    assert [line["set"] for line in told if "set" in line] == list(SETS)
    commuter.main(arguments)
    assert json.loads(capsys.readouterr().out) == made


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--decks", "0"], "--decks must be a whole number, 1 or more"),
        (["--best", "81"], "--best must be at most the number of candidates, 80"),
        (["--seed", "luck"], "--seed"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        commuter.main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
