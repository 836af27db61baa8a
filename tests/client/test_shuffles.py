"""A seat checks each shuffle it took part in, and says what does not hold."""

from typing import Any

import pytest

from millebornes.client import Client, Seat
from millebornes.client.client import _Shuffle
from millebornes.fair.fault import Fault
from millebornes.fair.protocol import (
    Contribution,
    Transcript,
    client_commit,
    context,
    deck_order,
    server_commit,
)
from millebornes.table.messages_out import FairRevealed

CTX = context("g", 3, "article", ["25"] * 101)
SEED, ENTROPY = bytes(range(64)), b"e" * 32
COMMIT = server_commit(CTX, SEED)


def transcript(entropy: bytes | None = ENTROPY, seed: bytes = SEED) -> Transcript:
    commit = server_commit(CTX, seed)
    own = Contribution(0, client_commit(CTX, 0, commit, entropy or b""), entropy)
    order = deck_order(CTX, seed, (own,), 101)
    return Transcript(CTX, seed, commit, (own,), order)


def faults(told: dict[str, Any]) -> list[tuple[int, Fault]]:
    seat = Seat(Client("http://table.test"), "table")
    own = seat._shuffles[3] = _Shuffle(CTX, COMMIT, 0, ENTROPY)
    own.revealed = True
    seat._check_shuffle(FairRevealed(3, told))
    return seat.faults


def test_the_shuffle_that_was_promised_is_sound() -> None:
    assert faults(transcript().to_json()) == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (transcript(seed=bytes(64)).to_json(), Fault.of("other_shuffle")),
        (transcript(b"f" * 32).to_json(), Fault.of("own_part_missing")),
        (transcript(None).to_json(), Fault.of("own_part_missing")),
        ({}, Fault.of("transcript_clients")),
    ],
    ids=["another seed", "another entropy", "entropy withheld", "nothing"],
)
def test_another_shuffle_than_the_one_promised_is_found(told: dict[str, Any], fault: Fault) -> None:
    assert faults(told) == [(3, fault)]
