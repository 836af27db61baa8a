"""Whatever one seat says over the wire, the proof of the hand is sound for every verifier.

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

from .sitting import QUICK, Sitting, entropy_of, server_seed, table_settings

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


def wire(sitting: Sitting, guest: str, message: dict[str, Any]) -> bool:
    """Say something as a connection takes it; whether it was accepted."""
    try:
        said = _in.decode(json.dumps(message).encode("utf-8", "surrogatepass"))
    except (msgspec.MsgspecError, UnicodeError):
        return False
    asked = admitted(sitting.table, guest, said, sitting.now)
    return not isinstance(asked, Refused) and sitting.put(guest, asked).refused is None


def join(sitting: Sitting, guest: str, name: str) -> None:
    if not wire(sitting, guest, {"type": "join", "name": name}):
        assert wire(sitting, guest, {"type": "join", "name": guest})


def published(sitting: Sitting) -> out.FairRevealed:
    (told,) = [
        event
        for outcome in sitting.outcomes
        for event in outcome.happened
        if isinstance(event, out.FairRevealed)
    ]
    return told


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_a_seat_says_every_verifier_finds_the_hand_sound(data: st.DataObject) -> None:
    sitting = Sitting(table_settings(QUICK))
    for guest in ("ann", "bob"):
        join(sitting, guest, data.draw(st.text(min_size=1, max_size=30), label=guest))
    assert wire(sitting, "ann", {"type": "start"})
    sitting.drive(inputs.Seed(1, server_seed(1)))
    fair = sitting.table.fair
    assert fair is not None

    # Ann is honest, and Bob says what he likes, more than once.
    entropies = [entropy_of("ann", 1), entropy_of("bob", 1)]
    commits = [client_commit(fair.ctx, seat, fair.commit, entropies[seat]) for seat in (0, 1)]
    own = _Shuffle(fair.ctx, fair.commit, 0, entropies[0])
    for _ in range(2):
        commit = data.draw(like(commits[1]), label="commit")
        wire(sitting, "bob", {"type": "commit", "hand": 1, "commit": commit})
    assert wire(sitting, "ann", {"type": "commit", "hand": 1, "commit": commits[0]})
    if sitting.table.fair is not None and sitting.table.fair.stage == "commit":
        sitting.wait(FAIR_WAIT)
    for _ in range(2):
        entropy = data.draw(like(entropies[1].hex()), label="entropy")
        wire(sitting, "bob", {"type": "reveal", "hand": 1, "entropy": entropy})
    own.revealed = wire(
        sitting, "ann", {"type": "reveal", "hand": 1, "entropy": entropies[0].hex()}
    )
    assert own.revealed
    sitting.wait(FAIR_WAIT)

    id_ = data.draw(like("m-1"), label="id")
    move = {
        "type": "move",
        "decision": sitting.table.decision,
        "id": id_,
        "move": sitting.choice(0),
    }
    wire(sitting, "ann", move)
    sitting.play_to_the_end()
    check(sitting, own)


def check(sitting: Sitting, own: _Shuffle) -> None:
    told = published(sitting)
    assert Transcript.from_json(told.transcript).faults() == []

    assert sitting.table.game is not None
    record = game.from_text(game.to_text(sitting.table.game))
    assert [(finding.hand, finding.fault) for finding in check_record(record)] == [(1, None)]

    # The async client, from the very bytes that it gets.
    seat = Seat(Client("http://table.test"), "table")
    seat._shuffles[1] = own
    for data in sitting.frames("ann"):
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
