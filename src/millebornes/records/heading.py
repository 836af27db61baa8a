"""The heading of positions and games: the edition, its house rules, the players."""

import tomllib
from collections.abc import Iterable, Mapping

from millebornes.rules.edition import (
    SHORT_TRIP,
    Edition,
    EditionError,
    rule_fields,
    shown,
    toml_value,
)
from millebornes.rules.editions import DEFAULT_EDITION, EDITIONS
from millebornes.rules.quote import shortened

from .entries import Entry, integer, quote, unexpected
from .error import RecordError

__all__ = ["by_key", "heading_text", "read_edition", "read_players", "read_short_trip"]

_REPEATED = ("rule",)


def by_key(
    entries: Iterable[Entry], plain: Iterable[str], numbered: Mapping[str, int]
) -> dict[str, Entry]:
    """The entries by label. Raises `RecordError` for unknown or repeated keys and bad numbers.

    `numbered` maps the keys that need a seat or a side to the number of seats or sides.
    """
    plain = tuple(plain)
    found: dict[str, Entry] = {}
    for entry in entries:
        if not entry.key.islower():
            lower = entry.label.lower()
            raise RecordError(entry.line, 1, quote(entry.label), f"{lower}, in small letters")
        if entry.key in numbered:
            if entry.number is None or entry.number >= numbered[entry.key]:
                raise RecordError(
                    entry.line,
                    1,
                    quote(entry.label),
                    f"{entry.key} with a number from 0 to {numbered[entry.key] - 1}",
                )
        elif entry.key not in plain:
            keys = ", ".join((*plain, *(f"{key} N" for key in numbered)))
            raise RecordError(entry.line, 1, quote(entry.label), f"one of the keys {keys}")
        elif entry.number is not None:
            raise RecordError(entry.line, 1, quote(entry.label), f"{entry.key} without a number")
        if entry.label in found and entry.key not in _REPEATED:
            raise RecordError(entry.line, 1, f"'{entry.label}' again", f"only one {entry.label}")
        found[entry.label] = entry
    return found


def read_edition(entries: Iterable[Entry], override: Edition | None = None) -> Edition:
    """The named edition, changed by the `rule` entries.

    `override` replaces the edition that the text names; its `rule` entries still apply.
    """
    edition = DEFAULT_EDITION
    rules: dict[str, object] = {}
    places: dict[str, Entry] = {}
    for entry in entries:
        if entry.key == "edition":
            expected = "an edition: one of " + ", ".join(EDITIONS)
            word = entry.single(expected)
            if word.text not in EDITIONS:
                raise unexpected(word, expected)
            edition = EDITIONS[word.text]
        elif entry.key == "rule":
            key, value = _read_rule(entry)
            rules[key] = value
            places[key] = entry
    try:
        return (override or edition).house(rules)
    except EditionError as error:
        at = places.get(error.key) or next(iter(places.values()))
        raise RecordError(
            at.line, at.column, f"{shortened(error.key)} = {shown(error.value)}", error.allowed
        ) from None


def _read_rule(entry: Entry) -> tuple[str, object]:
    try:
        table = tomllib.loads(entry.raw())
    except (ValueError, RecursionError):  # not TOML, or beyond Python's own limits
        table = {}
    if len(table) != 1:
        raise RecordError(
            entry.line, entry.column, entry.found(), "one rule as TOML, such as: max_200s = 4"
        )
    return next(iter(table.items()))


def read_players(entries: Mapping[str, Entry], edition: Edition) -> int:
    """The number of players; defaults to two if the edition allows that."""
    counts = edition.player_counts
    entry = entries.get("players")
    if entry is None:
        return 2 if 2 in counts else counts[0]
    expected = f"a player count of {edition.id}: one of {', '.join(map(str, counts))}"
    word = entry.single(expected)
    if word.text not in map(str, counts):
        raise unexpected(word, expected)
    return int(word.text)


def read_short_trip(entries: Mapping[str, Entry], edition: Edition, players: int) -> bool:
    """Whether the text chooses the short trip."""
    entry = entries.get("trip")
    if entry is None:
        return False
    trip = edition.trip_at(players)
    word = entry.single("the length of the trip in miles")
    if word.text == str(trip):
        return False
    if players not in edition.short_trip_at:
        integer(word, trip, trip, "a trip of")
    integer(word, SHORT_TRIP, SHORT_TRIP, f"a trip of {trip} or")
    return True


def heading_text(edition: Edition, players: int, trip: int) -> str:
    """The first lines of a position or a game."""
    root = EDITIONS[edition.parent or edition.id]
    changed = {name for name in rule_fields() if getattr(edition, name) != getattr(root, name)}
    if "player_counts" in changed:
        changed.add("teams_at")  # an added count must come with its teams
    lines = [f"edition: {root.id}"]
    lines += [
        f"rule: {name} = {toml_value(edition.toml_ready(name))}"
        for name in rule_fields()
        if name in changed
    ]
    lines.append(f"players: {players}")
    if trip != edition.trip_at(players):
        lines.append(f"trip: {trip}")
    return "".join(line + "\n" for line in lines)
