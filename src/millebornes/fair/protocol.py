"""MB-FAIR-1: a shuffle that nobody at the table, not even the server, can control alone.

The server commits to a secret, each person commits to their own entropy, then all reveal.
The deck is derived from all of it, and can be checked offline afterwards. The limits: the
server sees the cards, and could treat one late reveal as missing.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from .deck import shuffled
from .fault import BadTranscript, Fault

__all__ = [
    "ENTROPY_SIZE",
    "SERVER_SEED_SIZE",
    "Contribution",
    "Transcript",
    "client_commit",
    "context",
    "deck_order",
    "server_commit",
]

NAME = "MB-FAIR-1"
SERVER_SEED_SIZE = 64
ENTROPY_SIZE = 32
_EDITION_ID = re.compile(r"[a-z0-9-]{1,40}")
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")


class Contribution(NamedTuple):
    """What one person's seat contributed to a shuffle."""

    seat: int
    commit: str
    """K in hex; empty if none arrived in time."""
    entropy: bytes | None
    """E; None if it was not revealed in time, or does not open the commitment."""


def context(game: str, hand: int, edition_id: str, deck: Sequence[str]) -> str:
    """What the shuffle is for: a public game id, the hand from 1, the edition, the deck."""
    if not _GAME_ID.fullmatch(game):
        raise ValueError(f"a game id must be 1 to 64 letters, digits, - or _, not {game!r}")
    if not _EDITION_ID.fullmatch(edition_id):
        raise ValueError(f"an edition id must be 1 to 40 of a-z, 0-9 and -, not {edition_id!r}")
    deck_hash = hashlib.sha256(" ".join(deck).encode()).hexdigest()
    return f"{NAME}|{game}|{hand}|{edition_id}|{deck_hash}"


def server_commit(ctx: str, seed: bytes) -> str:
    """C: published before anyone else commits."""
    return _hash(b"server", ctx.encode(), seed)


def client_commit(ctx: str, seat: int, commit: str, entropy: bytes) -> str:
    """K: what a person's seat sends before it reveals its entropy. `commit` is C."""
    return _hash(b"client", ctx.encode(), str(seat).encode(), commit.encode(), entropy)


def deck_order(
    ctx: str, seed: bytes, contributions: Sequence[Contribution], size: int
) -> tuple[int, ...]:
    """The order of the deck, once everything is revealed."""
    items = [b"key", ctx.encode()]
    for seat, commit, entropy in sorted(contributions, key=lambda one: one.seat):
        items += [str(seat).encode(), commit.encode(), entropy or b""]
    return shuffled(hmac.digest(seed, _length_prefixed(*items), "sha512"), size)


class Transcript(NamedTuple):
    """Everything that went into one shuffle, as a record stores it."""

    ctx: str
    seed: bytes
    commit: str
    clients: tuple[Contribution, ...]
    deck: tuple[int, ...]
    """Indices into the canonical deck; the first card dealt comes first."""

    def to_json(self) -> dict[str, Any]:
        """The transcript as plain JSON values."""
        return {
            "ctx": self.ctx,
            "server_seed": self.seed.hex(),
            "server_commit": self.commit,
            "clients": [
                {
                    "seat": str(seat),
                    "commit": commit,
                    "entropy": None if entropy is None else entropy.hex(),
                }
                for seat, commit, entropy in self.clients
            ],
            "deck_size": len(self.deck),
            "deck": list(self.deck),
        }

    @classmethod
    def from_json(cls, data: object) -> "Transcript":
        """A transcript from plain JSON values. Raises `BadTranscript` with what is wrong."""
        if not isinstance(data, dict):
            raise BadTranscript(Fault.of("transcript_no_object"))
        clients = data.get("clients")
        if not isinstance(clients, list) or not all(isinstance(one, dict) for one in clients):
            raise BadTranscript(Fault.of("transcript_clients"))
        deck = data.get("deck")
        if not isinstance(deck, list) or not all(type(index) is int for index in deck):
            raise BadTranscript(Fault.of("transcript_deck"))
        if sorted(deck) != list(range(len(deck))):
            raise BadTranscript(Fault.of("transcript_indices"))
        size = data.get("deck_size")
        if type(size) is not int or size != len(deck):
            raise BadTranscript(Fault.of("transcript_deck_size", size=len(deck)))
        ctx = data.get("ctx")
        if not isinstance(ctx, str) or not ctx.isascii():
            raise BadTranscript(Fault.of("transcript_ctx"))
        return cls(
            ctx=ctx,
            seed=_from_hex(data.get("server_seed"), "server_seed"),
            commit=_hex(data.get("server_commit"), "server_commit"),
            clients=tuple(_contribution(one) for one in clients),
            deck=tuple(deck),
        )

    def faults(self) -> list[Fault]:
        """Every failed check of this transcript; empty if it is sound."""
        faults: list[Fault] = []
        if len(self.seed) != SERVER_SEED_SIZE:
            faults.append(Fault.of("seed_size", size=len(self.seed), needed=SERVER_SEED_SIZE))
        if server_commit(self.ctx, self.seed) != self.commit:
            faults.append(Fault.of("seed_does_not_open"))
        seats = [one.seat for one in self.clients]
        if sorted(set(seats)) != seats:
            faults.append(Fault.of("seats_out_of_order"))
        for seat, commit, entropy in self.clients:
            if entropy is None:
                continue
            if len(entropy) != ENTROPY_SIZE:
                size = len(entropy)
                faults.append(Fault.of("entropy_size", seat=seat, size=size, needed=ENTROPY_SIZE))
            if client_commit(self.ctx, seat, self.commit, entropy) != commit:
                faults.append(Fault.of("entropy_does_not_open", seat=seat))
        if deck_order(self.ctx, self.seed, self.clients, len(self.deck)) != self.deck:
            faults.append(Fault.of("deck_not_from_shuffle"))
        return faults


def _contribution(data: dict[str, Any]) -> Contribution:
    seat = data.get("seat")
    if not isinstance(seat, str) or not re.fullmatch(r"[0-9]|[1-9][0-9]", seat):
        raise BadTranscript(Fault.of("transcript_seat"))
    entropy = data.get("entropy")
    return Contribution(
        int(seat),
        _hex(data.get("commit"), "commit"),
        None if entropy is None else _from_hex(entropy, "entropy"),
    )


def _hex(value: object, name: str) -> str:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise BadTranscript(Fault.of("transcript_hex", name=name))
    return value


def _from_hex(value: object, name: str) -> bytes:
    return bytes.fromhex(_hex(value, name))


def _length_prefixed(*items: bytes) -> bytes:
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def _hash(*items: bytes) -> str:
    return hashlib.sha256(_length_prefixed(*items)).hexdigest()
