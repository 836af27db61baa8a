"""Bits are found in one step where the processor can, and the same bits on any other."""

import random
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest

from millebornes.fast.kernel import bits, processor
from millebornes.fast.packing import TARGET_SHIFT, kinds
from millebornes.rules.cards import ALL_CARDS, HAZARDS

from .fresh_python import run

U = np.uint64


# Which way

on_zen_4 = pytest.mark.usefixtures("zen_4")


@pytest.fixture
def zen_4(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor that has the instruction, whatever runs this test."""
    monkeypatch.setattr(llvm, "get_process_triple", lambda: "x86_64-unknown-linux-gnu")
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "znver4")
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {"bmi2": True, "avx2": True})
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None)


@on_zen_4
def test_a_processor_with_the_instruction_uses_it() -> None:
    assert processor.deposits_bits()


@on_zen_4
def test_a_processor_without_the_instruction_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {"bmi2": False, "avx2": True})
    assert not processor.deposits_bits()


@on_zen_4
def test_a_processor_that_llvm_does_not_know_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> None:
        raise RuntimeError("failed to get host cpu features.")

    monkeypatch.setattr(llvm, "get_host_cpu_features", unknown)
    assert not processor.deposits_bits()


@on_zen_4
@pytest.mark.parametrize("triple", ["aarch64-apple-darwin", "i686-pc-linux-gnu", "riscv64-linux"])
def test_another_kind_of_processor_does_without(
    triple: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llvm, "get_process_triple", lambda: triple)
    assert not processor.deposits_bits()


@on_zen_4
@pytest.mark.parametrize("name", ["bdver4", "znver1", "znver2"])
@pytest.mark.parametrize("chosen", [False, True], ids=["the host", "chosen"])
def test_a_processor_that_is_slow_at_it_does_without(
    name: str, chosen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chosen:
        monkeypatch.setattr(numba.config, "CPU_NAME", name)
    else:
        monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: name)
    assert not processor.deposits_bits()


FEATURES = {
    "+bmi2": True,
    "+avx2,+bmi2,-sse4a": True,
    "+avx2, +bmi2": False,  # LLVM does not know this name
    "-bmi2,+bmi2": True,
    "+bmi2,-bmi2": False,
    "-bmi2": False,
    "+bmi": False,
    "bmi2": False,
    "": False,
}


@on_zen_4
@pytest.mark.parametrize(("features", "expected"), FEATURES.items(), ids=FEATURES)
def test_chosen_features_count_instead_of_the_host(
    features: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CPU_FEATURES", features)
    assert processor.deposits_bits() == expected


# The same bits, by the way of this processor and by that of any other


@pytest.mark.parametrize("way", ["nth_bit", "nth_by_steps"])
def test_the_nth_bit_is_found_in_any_word(way: str) -> None:
    find = found_by(way)
    rng = random.Random(1954)
    words = [1, 1 << 63, (1 << 64) - 1, *(rng.getrandbits(64) | 1 << 7 for _ in range(200))]
    for word in words:
        places = [place for place in range(64) if word >> place & 1]
        assert [find(U(word), U(n)) for n in range(len(places))] == places


@pytest.mark.parametrize("way", ["nth_kind", "nth_by_counting"])
def test_the_nth_kind_is_found_in_the_plays_of_any_hand(way: str) -> None:
    find = found_by(way)
    rng = random.Random(1954)
    for _ in range(300):
        cards = rng.sample(ALL_CARDS, rng.randrange(1, 8))
        word = kinds(*cards)
        places = [place for place in range(64) if word >> place & 1]
        assert [find(U(word), U(n)) for n in range(len(places))] == places


def found_by(way: str) -> Any:
    """The function as Python can call it."""
    function = getattr(bits, way)
    return numba.njit(function.py_func)


def test_hazards_for_all_targets_leave_the_bits_of_other_cards_free() -> None:
    """Otherwise the n-th bit of a set of plays would not be one play."""
    own = kinds(*set(ALL_CARDS) - HAZARDS)
    for shift in TARGET_SHIFT:
        assert not own & kinds(*HAZARDS) << shift
        own |= kinds(*HAZARDS) << shift


# The same hands

PLAY = """
import hashlib
from millebornes.fast import Engine
from millebornes.fast.kernel import bits
from millebornes.rules import EDITIONS
print(bits.CAN_DEPOSIT)
for edition, players in (("winning-moves", 2), ("parker-1988", 3), ("dujardin-2019", 8)):
    rows = Engine(EDITIONS[edition], players).hands(2000, seed=7, bots=["random"])
    print(hashlib.sha256(rows.tobytes()).hexdigest())
"""


def test_a_processor_without_the_instruction_starts_and_plays_the_same_hands(
    tmp_path: Path,
) -> None:
    """LLVM ends the process if it meets an instruction that the processor does not have."""
    as_it_is = run(PLAY, tmp_path)
    without = run(PLAY, tmp_path, settings={"NUMBA_CPU_FEATURES": "-bmi2"})
    again = run(PLAY, tmp_path)
    assert without[0] == "False"
    assert as_it_is[0] == again[0] == str(bits.CAN_DEPOSIT)
    assert as_it_is[1:] == without[1:] == again[1:]
    assert len(set(without)) == 4


def test_a_processor_of_which_nothing_is_known_plays(tmp_path: Path) -> None:
    generic = run(PLAY, tmp_path, settings={"NUMBA_CPU_NAME": "generic"})
    assert generic[0] == "False"
    assert len(set(generic)) == 4
