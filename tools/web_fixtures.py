"""Test fixtures of the browser client: texts and results that must equal Python's."""

import json
import string
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from millebornes.bots import Advice
from millebornes.fair.fault import BadTranscript
from millebornes.fair.protocol import (
    ENTROPY_SIZE,
    SERVER_SEED_SIZE,
    Contribution,
    Transcript,
    client_commit,
    context,
    deck_order,
    server_commit,
)
from millebornes.rules import EDITIONS, Card, Decline, ScoreSheet, events
from millebornes.rules.cards import ALL_CARDS
from millebornes.rules.reason import Code, Reason
from millebornes.table import Refused, frames, messages_out
from millebornes.table import messages_in as says
from millebornes.words import Names, words
from millebornes.words.elision import elided
from tests.table.driven_table import QUICK, DrivenTable, table_settings

_TABLES = (
    (("Ann", "élodie"), 2, 0),
    (("Ann", "élodie", "3CV"), 3, None),
    (("Ann", "Bob", "Cem", "zoé"), 2, 1),
)
"""Names, number of sides, and the seat addressed. Some names begin with a lower-case letter."""
_VALUES: dict[str, str | int] = {
    "card": "100",
    "hazard": "FLAT",
    "remedy": "SPARE",
    "safety": "PROOF",
    "seat": 1,
    "side": 1,
    "first": 0,
    "line": "safe_trip",
    "levels": "sunday-driver",
    "detail": "…",
}
"""Values of placeholders; all others are numbers."""
_NAMES = (
    *("Inès", "élodie", "E\u0301lodie", "Ömer", "Œdipe", "Æon", "Hugo", "Yves", "Yann", "y"),
    *("Zoé", "Łucja", "3CV", "42", "🚗 Ada", "🚗", "Ирина", "李", "'Ada'", " Ada", ""),
)
"""Names before which French words may be shortened, or may not."""
_NUMBER = 42
_DECK = 12
"""Cards in the deck of a transcript: enough to tell two orders apart."""
_LANGUAGES = ("en", "fr")
"""Enough to compare the two programs; a new language does not change the fixtures."""


def sentences() -> str:
    """Sentences of all kinds in two languages, each with its input."""
    tables = [
        {"seats": seats, "teams": sides < len(seats), "you": you} for seats, sides, you in _TABLES
    ]
    return _lines({"tables": tables, "cases": list(_cases()), "elisions": list(_elisions())})


def _cases() -> Iterator[dict[str, Any]]:
    for number, (seats, sides, you) in enumerate(_TABLES):
        for event in _events(len(seats), sides):
            # A sentence to a viewer never has what the event hides from that viewer.
            sent = msgspec.to_builtins(frames.event_for(event, you))
            yield {
                "table": number,
                "event": sent,
                **_sentences("events", seats, sides, you, [event]),
            }
        for code in get_args(Code):
            for params in _params("reasons", code):
                reason = Reason.of(code, **params)
                texts = _sentences("sentence", seats, sides, you, reason)
                yield {"table": number, "reason": {"code": code, "params": params}, **texts}
        for kind, make in (
            ("hint", _advice),
            ("stake", messages_out.Stake),
            ("fact", messages_out.Fact),
        ):
            section = f"{kind}s"
            for code in words().data[section]:
                for params in _params(section, code):
                    texts = _sentences("sentence", seats, sides, you, make(code, params))
                    yield {"table": number, kind: {"code": code, "params": params}, **texts}
    for code in words().data["table"]:
        for params in _params("table", code):
            refused = Refused(code, params)
            texts = {language: words(language).sentence(refused) for language in _LANGUAGES}
            yield {"table": 0, "refusal": {"code": code, "params": params}, **texts}


def _elisions() -> Iterator[dict[str, str]]:
    """French words before names of all kinds."""
    for template in (
        "Au tour de {name}.",
        "On attend que {name} joue.",
        "La {name}",
        "édile {name}",
    ):
        for name in _NAMES:
            yield {"template": template, "name": name, "elided": elided(template, {"name": name})}


def _advice(code: str, params: dict[str, str | int]) -> Advice:
    """The reason of a hint. Its sentence does not mention the move."""
    return Advice(Decline(), code, params)


def _sentences(
    method: str, seats: tuple[str, ...], sides: int, you: int | None, said: object
) -> dict[str, Any]:
    """The sentence in each language."""
    texts = {}
    for language in _LANGUAGES:
        own_words = words(language)
        names: Names = own_words.named(seats, sides, you)
        texts[language] = getattr(own_words, method)(said, names)
    return texts


def _params(section: str, code: str) -> Iterator[dict[str, str | int]]:
    """A value for every placeholder, and every case of a sentence that depends on a card."""
    template = words().data[section][code]
    if isinstance(template, str):
        yield _values(template)
        return
    by = template["by"]
    for choice, text in template.items():
        if choice != "by":
            yield {**_values(text), by: choice}


def _values(template: str) -> dict[str, str | int]:
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}
    return {name: _VALUES.get(name, _NUMBER) for name in sorted(names)}


def _events(players: int, sides: int) -> Iterator[events.Event]:
    sheet = ScoreSheet(*range(len(ScoreSheet._fields)))
    hands = tuple((Card.ROLL, Card.D100) for _ in range(players))
    for seat in range(players):
        yield events.Dealt(seat + 1, seat, hands, 94)
        yield events.Drawn(seat, Card.ACE)
        yield events.Discarded(seat, Card.D25)
        yield events.Countered(seat, Card.ROW, Card.LIM, seat % sides, ())
        yield events.Countered(seat, Card.ROW, Card.STOP, seat % sides, (Card.LIM, Card.STOP))
        yield events.Extended(seat)
        for side in range(sides):
            yield events.Played(seat, Card.FLAT, side)
        yield events.Played(seat, Card.ROW, seat % sides, (Card.STOP, Card.LIM))
    for card in ALL_CARDS:
        yield events.Played(0, card, 1)
    yield events.Passed(1, Card.STOP)
    for winner in (None, *range(sides)):
        totals = tuple(1000 * (side + 1) for side in range(sides))
        yield events.HandEnded(winner, (sheet,) * sides, totals)
        yield events.MatchEnded(totals, winner)
    for side in range(sides):
        yield events.Expired(side)


def shuffle() -> str:
    """A hand that two people and a bot shuffled and played, and the canonical decks.

    The hand is given as one of the people and a spectator saw it: the part of each frame that a
    client needs to take part in the shuffle and to check it, with `fair` only if it has changed.
    """
    sitting = DrivenTable(table_settings(QUICK, 3)).join("ann", "bob").bots(2)
    sitting.say("cem", says.Join("Cem", watch=True))
    sitting.start().play_to_the_end()
    decks = [
        {"ctx": context("game", 1, edition.id, deck), "deck": " ".join(deck)}
        for edition in EDITIONS.values()
        for deck in dict.fromkeys(edition.deck(players) for players in edition.player_counts)
    ]
    return _lines(
        {
            "decks": decks,
            "person": list(_fair_and_events(sitting, "ann")),
            "watcher": list(_fair_and_events(sitting, "cem")),
        }
    )


def _fair_and_events(sitting: DrivenTable, guest: str) -> Iterator[dict[str, Any]]:
    before = None
    for data in sitting.frames(guest):
        frame = json.loads(data)
        fair = frame["table"]["fair"]
        shown = {"you": frame["table"]["you"], "events": frame["events"]}
        yield shown if fair == before else {**shown, "fair": fair}
        before = fair


def transcripts() -> str:
    """Sound and faulty transcripts: every verifier must reach the same verdict."""
    return _lines({"cases": list(_transcripts())})


def _transcripts() -> Iterator[dict[str, Any]]:
    ctx = context("game", 1, "article", EDITIONS["article"].deck(2))
    seed = bytes(range(SERVER_SEED_SIZE))
    server = server_commit(ctx, seed)
    both = []
    for seat in (0, 1):
        entropy = bytes([seat] * ENTROPY_SIZE)
        both.append(Contribution(seat, client_commit(ctx, seat, server, entropy), entropy))
    ann, bob = both
    brought = {
        "both seats took part": (ann, bob),
        "a seat was silent": (ann, Contribution(1, "", None)),
        "a seat did not reveal": (ann, bob._replace(entropy=None)),
        "a seat committed to what nobody knows": (ann, Contribution(1, "0" * 64, None)),
        "nobody took part": (),
        "a commitment ends with a line break": (ann, Contribution(1, bob.commit + "\n", None)),
        "a commitment in capitals": (ann, Contribution(1, "AB" * 32, None)),
        "a commitment of an odd length": (ann, Contribution(1, bob.commit[1:], None)),
        "a commitment with a blank before it": (ann, Contribution(1, " " + bob.commit, None)),
        "entropy that does not open the commitment": (ann, bob._replace(entropy=bytes(32))),
        "a seat twice": (ann, ann),
        "seats in the wrong order": (bob, ann),
    }
    for about, clients in brought.items():
        order = deck_order(ctx, seed, clients, _DECK)
        yield _judged(about, Transcript(ctx, seed, server, clients, order).to_json())
    right = Transcript(ctx, seed, server, (ann, bob), deck_order(ctx, seed, (ann, bob), _DECK))
    for name in ("server_seed", "server_commit", "ctx"):
        data = right.to_json()
        yield _judged(f"{name} ends with a line break", {**data, name: data[name] + "\n"})
    for name, value in (
        *(("seat", seat) for seat in ("0\n", "00", " 0", "0.0", "", 0)),
        *(("entropy", f"{bytes(ENTROPY_SIZE).hex()}{end}") for end in ("\n", " ", "00")),
    ):
        data = right.to_json()
        data["clients"][0][name] = value
        yield _judged(f"the {name} {value!r}", data)
    for deck in (right.deck[::-1], right.deck[:-1], (*right.deck[:-1], 0)):
        yield _judged(f"the deck {deck}", {**right.to_json(), "deck": deck, "deck_size": len(deck)})


def _judged(about: str, data: dict[str, Any]) -> dict[str, Any]:
    """A transcript as sent, with the expected verdict."""
    sent = json.loads(json.dumps(data))
    try:
        sound = not Transcript.from_json(sent).faults()
    except BadTranscript:
        sound = False
    return {"about": about, "sound": sound, "transcript": sent}


def _lines(parts: dict[str, list[Any]]) -> str:
    """JSON with one entry per line, for readable diffs."""
    blocks = ['"generated": "by make regenerate from tools/web_fixtures.py: do not edit"']
    for name, entries in parts.items():
        lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
        blocks.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(blocks) + "\n}\n"
