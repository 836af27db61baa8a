"""No message of a seat can spoil the proof of a hand: every verifier finds it sound.

The browser's verifier is held to the same verdicts by `web/src/lib/fixtures/transcripts.json`.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.client import Client, Seat
from millebornes.client.client import _Shuffle
from millebornes.fair.protocol import Transcript, client_commit
from millebornes.records import game
from millebornes.table import In, Out, Refused, admitted, inputs
from millebornes.table import messages_out as out
from millebornes.table.proof import check_record
from millebornes.table.table import FAIR_WAIT

from .driven_table import QUICK, DrivenTable, entropy_of, server_seed, table_settings

ROOT = Path(__file__).parents[2]
_in, _out = msgspec.json.Decoder(In), msgspec.json.Decoder(Out)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
ENDS = st.sampled_from(
    ["\n", "\r\n", "\r", " ", "\t", "\x00", "\u2028", "\u0660", "0", "=", "\n\n"]
)


def like(right: str) -> st.SearchStrategy[str]:
    """The right text, or one that is nearly right, or anything."""
    return st.one_of(
        st.just(right),
        st.just(right + "\n"),
        ENDS.map(lambda end: right + end),
        ENDS.map(lambda end: right[: -len(end)] + end),
        ENDS.map(lambda end: end + right),
        st.sampled_from([right.upper(), right[:-1], right[:-2], "", "\n", "0x" + right[2:]]),
        HEX,
        st.text(max_size=70),
    )


def wire(driven: DrivenTable, guest: str, message: dict[str, Any]) -> bool:
    """Say something as a connection takes it; whether it was accepted."""
    try:
        said = _in.decode(json.dumps(message).encode("utf-8", "surrogatepass"))
    except (msgspec.MsgspecError, UnicodeError):
        return False
    asked = admitted(driven.table, guest, said, driven.now)
    return not isinstance(asked, Refused) and driven.put(guest, asked).refused is None


def join(driven: DrivenTable, guest: str, name: str) -> None:
    if not wire(driven, guest, {"type": "join", "name": name}):
        assert wire(driven, guest, {"type": "join", "name": guest})


def published(driven: DrivenTable) -> out.FairRevealed:
    (told,) = [
        event
        for outcome in driven.outcomes
        for event in outcome.happened
        if isinstance(event, out.FairRevealed)
    ]
    return told


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_a_seat_says_every_verifier_finds_the_hand_sound(data: st.DataObject) -> None:
    driven = DrivenTable(table_settings(QUICK))
    for guest in ("ann", "bob"):
        join(driven, guest, data.draw(st.text(min_size=1, max_size=30), label=guest))
    assert wire(driven, "ann", {"type": "start"})
    driven.drive(inputs.Seed(1, server_seed(1)))
    fair = driven.table.fair
    assert fair is not None

    # Ann is honest, and Bob says what he likes, more than once.
    entropies = [entropy_of("ann", 1), entropy_of("bob", 1)]
    commits = [client_commit(fair.ctx, seat, fair.commit, entropies[seat]) for seat in (0, 1)]
    own = _Shuffle(fair.ctx, fair.commit, 0, entropies[0])
    for _ in range(2):
        commit = data.draw(like(commits[1]), label="commit")
        wire(driven, "bob", {"type": "commit", "hand": 1, "commit": commit})
    assert wire(driven, "ann", {"type": "commit", "hand": 1, "commit": commits[0]})
    if driven.table.fair is not None and driven.table.fair.stage == "commit":
        driven.wait(FAIR_WAIT)
    for _ in range(2):
        entropy = data.draw(like(entropies[1].hex()), label="entropy")
        wire(driven, "bob", {"type": "reveal", "hand": 1, "entropy": entropy})
    own.revealed = wire(driven, "ann", {"type": "reveal", "hand": 1, "entropy": entropies[0].hex()})
    assert own.revealed
    driven.wait(FAIR_WAIT)

    id_ = data.draw(like("m-1"), label="id")
    move = {
        "type": "move",
        "decision": driven.table.decision,
        "id": id_,
        "move": driven.choice(0),
    }
    wire(driven, "ann", move)
    driven.play_to_the_end()
    check(driven, own)


def check(driven: DrivenTable, own: _Shuffle) -> None:
    told = published(driven)
    assert Transcript.from_json(told.transcript).faults() == []

    assert driven.table.game is not None
    record = game.from_text(game.to_text(driven.table.game))
    assert [(finding.hand, finding.fault) for finding in check_record(record)] == [(1, None)]

    # The async client, from the very bytes that it gets.
    seat = Seat(Client("http://table.test"), "table")
    seat._shuffles[1] = own
    for data in driven.frames("ann"):
        seat._note(_out.decode(data))
    assert 1 not in seat._shuffles, "it has not been checked"
    assert seat.faults == []


def test_the_verdicts_that_the_browser_is_held_to_are_these() -> None:
    path = ROOT / "web/src/lib/fixtures/transcripts.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    assert [case["about"] for case in cases if case["sound"]] == [
        "both seats took part",
        "a seat was silent",
        "a seat did not reveal",
        "a seat committed to what nobody knows",
        "nobody took part",
    ]
    assert len(cases) > 20
