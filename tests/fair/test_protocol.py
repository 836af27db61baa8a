"""MB-FAIR-1, against its test vector."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.fair.fault import BadTranscript
from millebornes.fair.protocol import (
    Contribution,
    Transcript,
    client_commit,
    context,
    deck_order,
    server_commit,
)
from millebornes.rules import EDITIONS
from millebornes.words import words

VECTOR: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "mb-fair-1.json").read_text(encoding="utf-8")
)
PLAYERS = {len(edition.deck(n)): n for edition in (EDITIONS["winning-moves"],) for n in (4, 6)}
SEED = bytes(range(64))


def changed(*path: str | int, to: object) -> dict[str, Any]:
    """The vector with one value changed."""
    data = copy.deepcopy(VECTOR)
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != to
    place[path[-1]] = to
    return data


def test_the_test_vector_is_sound() -> None:
    assert Transcript.from_json(VECTOR).faults() == []


def test_a_transcript_comes_back_as_it_was() -> None:
    written = Transcript.from_json(VECTOR).to_json()
    assert written == {key: VECTOR[key] for key in written}
    assert list(written) == [
        "ctx",
        "server_seed",
        "server_commit",
        "clients",
        "deck_size",
        "deck",
    ]


def test_the_deck_of_the_vector_is_that_of_its_edition() -> None:
    deck = EDITIONS["winning-moves"].deck(PLAYERS[VECTOR["deck_size"]])
    assert [deck[index] for index in VECTOR["deck"]] == VECTOR["cards"]
    assert context("g7f3a", 1, "winning-moves", deck) == VECTOR["ctx"]


def test_both_commitments_are_those_of_the_vector() -> None:
    transcript = Transcript.from_json(VECTOR)
    assert server_commit(transcript.ctx, transcript.seed) == VECTOR["server_commit"]
    for seat, commit, entropy in transcript.clients:
        if entropy is not None:
            assert client_commit(transcript.ctx, seat, transcript.commit, entropy) == commit


def other_hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def swapped_deck() -> list[int]:
    deck = list(VECTOR["deck"])
    deck[0], deck[1] = deck[1], deck[0]
    return deck


CLIENT = next(i for i, one in enumerate(VECTOR["clients"]) if one["entropy"] is not None)
CHANGES: dict[str, Callable[[], dict[str, Any]]] = {
    "game": lambda: changed("ctx", to=VECTOR["ctx"].replace("g7f3a", "g7f3b")),
    "hand": lambda: changed("ctx", to=VECTOR["ctx"].replace("|1|", "|2|")),
    "edition": lambda: changed("ctx", to=VECTOR["ctx"].replace("winning-moves", "article")),
    "seed": lambda: changed("server_seed", to=other_hex(VECTOR["server_seed"])),
    "short seed": lambda: changed("server_seed", to=VECTOR["server_seed"][2:]),
    "commit": lambda: changed("server_commit", to=other_hex(VECTOR["server_commit"])),
    "seat": lambda: changed("clients", CLIENT, "seat", to="7"),
    "client's commit": lambda: changed(
        "clients", CLIENT, "commit", to=other_hex(VECTOR["clients"][CLIENT]["commit"])
    ),
    "entropy": lambda: changed(
        "clients", CLIENT, "entropy", to=other_hex(VECTOR["clients"][CLIENT]["entropy"])
    ),
    "long entropy": lambda: changed(
        "clients", CLIENT, "entropy", to=VECTOR["clients"][CLIENT]["entropy"] + "00"
    ),
    "entropy withheld": lambda: changed("clients", CLIENT, "entropy", to=None),
    "a client left out": lambda: changed("clients", to=VECTOR["clients"][1:]),
    "a client twice": lambda: changed("clients", to=VECTOR["clients"] + VECTOR["clients"][-1:]),
    "clients in another order": lambda: changed("clients", to=VECTOR["clients"][::-1]),
    "deck": lambda: changed("deck", to=swapped_deck()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_single_change_is_found(change: Callable[[], dict[str, Any]]) -> None:
    assert Transcript.from_json(change()).faults() != []


def test_no_two_changes_of_the_deck_go_unseen() -> None:
    for i in range(1, VECTOR["deck_size"]):
        deck = list(VECTOR["deck"])
        deck[0], deck[i] = deck[i], deck[0]
        assert Transcript.from_json(changed("deck", to=deck)).faults() != []


MALFORMED: dict[str, object] = {
    "nothing": None,
    "a list": [],
    "an empty object": {},
    "clients missing": {**VECTOR, "clients": None},
    "a client that is none": {**VECTOR, "clients": [1]},
    "a seat as a number": changed("clients", 0, "seat", to=0),
    "a seat with a zero in front": changed("clients", 0, "seat", to="00"),
    "a seat in other digits": changed("clients", 0, "seat", to="١"),
    "entropy in capitals": changed("clients", 0, "entropy", to="AB"),
    "half a byte": changed("server_seed", to="abc"),
    "a commit that is no text": changed("server_commit", to=1),
    "a deck that is none": changed("deck", to="0 1 2"),
    "an index twice": changed("deck", to=[0, 0]),
    "an index too high": changed("deck", to=[0, 2]),
    "a truth in the deck": {**VECTOR, "deck": [0, True], "deck_size": 2},
    "a fraction in the deck": {**VECTOR, "deck": [0, 1.0], "deck_size": 2},
    "another size": changed("deck_size", to=105),
    "a size that is a truth": {**VECTOR, "deck": [0], "deck_size": True},
    "a context that is no text": changed("ctx", to=5),
    "a context with half a character": changed("ctx", to="MB-FAIR-1|\ud800"),
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_transcript_is_refused_with_a_reason(data: object) -> None:
    with pytest.raises(BadTranscript, match=r"^transcript_\w+\(") as found:
        Transcript.from_json(data)
    assert words().sentence(found.value.fault)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(key=st.sampled_from(sorted(VECTOR)), value=JSON)
@settings(max_examples=150)
def test_whatever_stands_in_a_field_is_refused_or_found(key: str, value: object) -> None:
    data = {**VECTOR, key: value}
    try:
        transcript = Transcript.from_json(data)
    except ValueError:
        return
    # The faces are there for people only, and an equal value is no change.
    assert key == "cards" or value == VECTOR[key] or transcript.faults() != []


def brought(*entropies: bytes | None, ctx: str, commit: str) -> tuple[Contribution, ...]:
    return tuple(
        Contribution(seat, "" if e is None else client_commit(ctx, seat, commit, e), e)
        for seat, e in enumerate(entropies)
    )


def test_seats_that_did_not_open_count_as_empty_and_are_told() -> None:
    ctx = context("g", 1, "article", ["25"] * 101)
    commit = server_commit(ctx, SEED)
    committed = client_commit(ctx, 1, commit, b"e" * 32)
    clients = (
        Contribution(0, "", None),
        Contribution(1, committed, None),
        *brought(None, None, b"x" * 32, ctx=ctx, commit=commit)[2:],
    )
    transcript = Transcript(ctx, SEED, commit, clients, deck_order(ctx, SEED, clients, 101))
    assert transcript.faults() == []
    told = transcript.to_json()["clients"]
    assert [one["entropy"] is None for one in told] == [True, True, False]
    assert Transcript.from_json(transcript.to_json()) == transcript
    # A commitment that was made counts, opened or not.
    never = (Contribution(0, "", None), Contribution(1, "", None), clients[2])
    assert deck_order(ctx, SEED, never, 101) != transcript.deck


def test_every_contribution_moves_the_deck() -> None:
    ctx = context("g", 1, "article", ["25"] * 101)
    commit = server_commit(ctx, SEED)
    decks = {
        deck_order(ctx, SEED, brought(*entropies, ctx=ctx, commit=commit), 101)
        for entropies in ((), (b"a" * 32,), (b"b" * 32,), (b"a" * 32, b"b" * 32), (None,))
    }
    assert len(decks) == 5


def test_bots_alone_shuffle_by_the_servers_seed() -> None:
    ctx = context("g", 1, "article", ["25"] * 101)
    order = deck_order(ctx, SEED, (), 101)
    assert sorted(order) == list(range(101))
    assert Transcript(ctx, SEED, server_commit(ctx, SEED), (), order).faults() == []


def test_the_order_in_which_seats_are_given_does_not_matter() -> None:
    ctx = context("g", 1, "article", ["25"] * 101)
    clients = brought(b"a" * 32, b"b" * 32, ctx=ctx, commit=server_commit(ctx, SEED))
    assert deck_order(ctx, SEED, clients, 101) == deck_order(ctx, SEED, clients[::-1], 101)


@pytest.mark.parametrize(
    ("game", "edition"),
    [("", "article"), ("a|b", "article"), ("g" * 65, "x"), ("g", "A"), ("g", "")],
)
def test_ids_that_could_be_mistaken_are_refused(game: str, edition: str) -> None:
    with pytest.raises(ValueError, match="id is"):
        context(game, 1, edition, ["25"])
