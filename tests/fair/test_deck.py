"""The keyed shuffle: the same key gives the same order everywhere, and every order alike."""

import hashlib
import hmac
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millebornes.fair import key_from_seed, shuffled
from millebornes.fair.deck import _below, _words
from millebornes.rules import EDITIONS

VECTOR = Path(__file__).parent.parent / "fixtures" / "mb-fair-1.json"


@pytest.mark.parametrize(
    ("key", "size", "order"),
    [
        (b"key", 10, (4, 2, 6, 8, 3, 0, 5, 7, 9, 1)),
        (b"", 7, (3, 4, 0, 1, 5, 2, 6)),
        (b"x", 1, (0,)),
        (b"x", 0, ()),
    ],
)
def test_known_keys_give_known_orders(key: bytes, size: int, order: tuple[int, ...]) -> None:
    assert shuffled(key, size) == order


def test_a_known_seed_gives_a_known_key_and_order() -> None:
    key = key_from_seed("28", 1)
    assert key == hashlib.sha512(b"millebornes seed|1|28").digest()
    assert key.hex().startswith("79bc6f372f67329643105b766f491998")
    assert shuffled(key, 20) == (
        *(16, 6, 1, 8, 4, 11, 5, 13, 7, 10),
        *(12, 0, 17, 2, 14, 3, 9, 18, 19, 15),
    )


def test_every_hand_and_every_seed_has_a_key_of_its_own() -> None:
    keys = {key_from_seed(seed, hand) for seed in ("", "1", "é", "1|1") for hand in range(1, 20)}
    assert len(keys) == 4 * 19


@given(st.binary(max_size=100), st.integers(0, 130))
def test_a_shuffle_is_a_permutation_and_the_same_each_time(key: bytes, size: int) -> None:
    order = shuffled(key, size)
    assert sorted(order) == list(range(size))
    assert shuffled(key, size) == order


@given(st.binary(max_size=40), st.integers(2, 120))
def test_the_shuffle_is_fisher_yates_from_the_top_on_hmac_blocks(key: bytes, size: int) -> None:
    """Written once more, as the page on the fair shuffle words it."""
    stream = b"".join(
        hmac.new(key, n.to_bytes(8, "big"), hashlib.sha512).digest() for n in range(10)
    )
    numbers = (int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4))
    deck = list(range(size))
    for i in reversed(range(1, size)):
        x = next(numbers)
        while x >= 2**32 - 2**32 % (i + 1):
            x = next(numbers)
        j = x % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert shuffled(key, size) == tuple(deck)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_of_a_small_deck_is_equally_likely(size: int) -> None:
    tries = 12_000
    seen = Counter(shuffled(n.to_bytes(4, "big"), size) for n in range(tries))
    orders = list(itertools.permutations(range(size)))
    expected = tries / len(orders)
    chi_square = sum((seen[order] - expected) ** 2 / expected for order in orders)
    # The 99.9 % points for 1, 5 and 23 degrees of freedom.
    assert chi_square < {2: 10.83, 3: 20.52, 4: 49.73}[size]


def test_a_word_that_would_favour_small_results_is_rejected() -> None:
    # 2**32 % 3 == 1: the one word too many is 2**32 - 1.
    words = iter([2**32 - 1, 2**32 - 1, 7])
    assert _below(3, words) == 1
    assert next(words, None) is None
    # A power of two divides evenly: nothing is rejected.
    assert _below(4, iter([2**32 - 1])) == 3
    assert _below(3, iter([2**32 - 2])) == (2**32 - 2) % 3
    for bound in (3, 5, 106, 2**31 + 1):
        limit = 2**32 - 2**32 % bound
        assert _below(bound, iter([limit, limit - 1])) == bound - 1


def test_the_stream_goes_on_past_one_block() -> None:
    words = list(itertools.islice(_words(b"key"), 33))
    second = hmac.digest(b"key", (1).to_bytes(8, "big"), "sha512")
    assert words[16] == int.from_bytes(second[:4], "big")
    third = hmac.digest(b"key", (2).to_bytes(8, "big"), "sha512")
    assert words[32] == int.from_bytes(third[:4], "big")


# MB-FAIR-1


@pytest.fixture
def vector() -> Any:
    return json.loads(VECTOR.read_text(encoding="utf-8"))


def framed(*items: str | bytes) -> bytes:
    """Each item as four bytes of length and its bytes."""
    raw = [item.encode("ascii") if isinstance(item, str) else item for item in items]
    return b"".join(len(item).to_bytes(4, "big") + item for item in raw)


def test_the_vector_gives_its_deck_from_its_key(vector: Any) -> None:
    items: list[str | bytes] = ["key", vector["ctx"]]
    for client in vector["clients"]:
        items += [client["seat"], client["commit"], bytes.fromhex(client["entropy"] or "")]
    key = hmac.digest(bytes.fromhex(vector["server_seed"]), framed(*items), "sha512")
    order = shuffled(key, vector["deck_size"])
    assert list(order) == vector["deck"]
    deck = EDITIONS["winning-moves"].deck(4)
    assert [deck[index] for index in order] == vector["cards"]


def test_the_vector_names_the_hash_of_the_canonical_deck(vector: Any) -> None:
    name, _, hand, edition, deckhash = vector["ctx"].split("|")
    assert (name, hand, edition) == ("MB-FAIR-1", "1", "winning-moves")
    deck = EDITIONS[edition].deck(4)
    assert len(deck) == vector["deck_size"]
    assert hashlib.sha256(" ".join(deck).encode("ascii")).hexdigest() == deckhash


def test_the_commitments_of_the_vector_hold(vector: Any) -> None:
    server = framed("server", vector["ctx"], bytes.fromhex(vector["server_seed"]))
    commit = hashlib.sha256(server).hexdigest()
    assert commit == vector["server_commit"]
    for client in vector["clients"]:
        if client["entropy"] is not None:
            entropy = bytes.fromhex(client["entropy"])
            said = framed("client", vector["ctx"], client["seat"], commit, entropy)
            assert hashlib.sha256(said).hexdigest() == client["commit"]
