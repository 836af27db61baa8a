"""Inputs as the store keeps them, those of older servers included."""

import json

import msgspec
import pytest

from millebornes.server.codec import (
    decode_input,
    decode_settings,
    encode_input,
    encode_settings,
)
from millebornes.server.log_replay import fold
from millebornes.server.store import LogRow
from millebornes.table import In, inputs
from millebornes.table import messages_in as says
from millebornes.table.table import FAIR_WAIT
from tests.table.driven_table import QUICK, DrivenTable, server_seed, table_settings

OLD = [
    says.Commit(1, "ab" * 32 + "\n"),
    says.Reveal(1, "ab" * 32 + "\n"),
    says.Move(3, "m1\n", "ROLL"),
]
"""Inputs that an older server accepted and wrote."""


@pytest.mark.parametrize("message", OLD, ids=lambda one: type(one).__name__)
def test_what_an_older_server_wrote_is_read_as_it_was(message: In) -> None:
    data = encode_input(message)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=In)
    assert decode_input("guest", data) == message


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "commit", "hand": 1, "commit": "ab" * 32 + "\n\n"},
        {"type": "commit", "hand": 1, "commit": "AB" * 32 + "\n"},
        {"type": "commit", "hand": "1\n", "commit": "ab" * 32},
        {"type": "commit\n", "hand": 1, "commit": "ab" * 32},
        {"type": "sit", "seat": 9},
        ["no", "object"],
    ],
)
def test_what_no_server_ever_took_is_not_read(wrong: object) -> None:
    with pytest.raises((msgspec.ValidationError, TypeError, AttributeError)):
        decode_input("guest", json.dumps(wrong).encode())


def test_a_log_with_a_spoilt_commitment_replays_to_the_deck_that_was_dealt() -> None:
    driven = DrivenTable(table_settings(QUICK)).join("ann", "bob")
    driven.say("ann", says.Start())
    driven.drive(inputs.Seed(1, server_seed(1)))
    driven.say("bob", says.Commit(1, "ab" * 32 + "\n"))
    driven.shuffle()
    driven.wait(FAIR_WAIT)
    assert driven.table.dealt_fair is not None
    assert driven.table.dealt_fair.clients[1].commit == "ab" * 32 + "\n"
    driven.play_to_the_end()
    rows = [
        LogRow(seq, guest, now, encode_input(message))
        for seq, (guest, message, now) in enumerate(driven.log, start=1)
    ]
    *_, last = fold(rows, driven.first)
    assert last.table == driven.table


def test_the_settings_of_an_older_table_keep_its_clocks() -> None:
    settings = table_settings(QUICK)
    assert settings.patient
    assert decode_settings(encode_settings(settings)) == settings
    values = json.loads(encode_settings(settings))
    del values["patient"]
    assert not decode_settings(json.dumps(values).encode()).patient
