"""The rules of an edition as tables and sentences, for the terminal and for the pages in `docs`.

Every sentence must be true of house rules, too, so it follows the fields, not the edition.
"""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from millebornes.rules.cards import Card
from millebornes.rules.edition import Edition, rule_fields, toml_value
from millebornes.rules.editions import DEFAULT_EDITION, EDITIONS
from millebornes.rules.score_sheet import POINTS_RULES, ScoreSheet
from millebornes.rules.state import HAND_SIZE

from .words import Words

__all__ = [
    "Table",
    "attack_rules",
    "compared_with",
    "deck_table",
    "differences",
    "match_rules",
    "players_table",
    "scoring_table",
]


class Table(NamedTuple):
    """A table of plain text."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def players_table(edition: Edition, words: Words) -> Table:
    """Sides, trip and cards: a row for each player count."""
    say = words.rule_book
    heads = ("players", "sides", "trip", "cards", "pile")
    rows = []
    for players in edition.player_counts:
        deck, sides = len(edition.deck(players)), edition.sides_at(players)
        trip = [say("trip_usual", trip=edition.trip_at(players))]
        if players in edition.short_trip_at:
            trip.append(say("trip_short"))
        if players in edition.extension_at:
            trip.append(say("trip_extended"))
        side = say("teams" if edition.has_teams(players) else "individuals", count=sides)
        pile = str(deck - HAND_SIZE * players)
        rows.append((str(players), side, ", ".join(trip), str(deck), pile))
    return Table(tuple(say(f"head_{head}") for head in heads), tuple(rows))


def deck_table(edition: Edition, words: Words) -> Table:
    """How many of each card, by player count where it matters."""
    say = words.rule_book
    decks: dict[tuple[Card, ...], list[int]] = {}
    for players in edition.player_counts:
        decks.setdefault(edition.deck(players), []).append(players)
    heads = [say("head_with", counts=_listed(counts, words)) for counts in decks.values()]
    if len(decks) == 1:
        heads = [say("head_copies")]
    copies = [Counter(deck) for deck in decks]
    rows = [
        (card.value, words.card(card), *(str(found[card]) for found in copies))
        for card in Card
        if any(found[card] for found in copies)
    ]
    rows.append(("", say("total"), *(str(found.total()) for found in copies)))
    return Table((say("head_code"), say("head_card"), *heads), tuple(rows))


def attack_rules(edition: Edition, words: Words) -> tuple[str, ...]:
    """What a hazard may land on, in sentences."""
    say = words.rule_book
    return (
        _battle_hazards(edition, words),
        say("row_hit" if _can_hit_right_of_way(edition) else "row_not_hit"),
        say("limit_any"),
        say("limit_on_limit" if edition.limit_on_limit else "no_limit_on_limit"),
        say("protected_autoroute" if edition.autoroute_cards else "protected"),
        _right_of_way(edition, words),
    )


def scoring_table(edition: Edition, words: Words) -> Table:
    """The score sheet, line by line."""
    say = words.rule_book
    rows = []
    for line in ScoreSheet._fields:
        points = 1 if line == "miles" else getattr(edition, POINTS_RULES[line])
        if line == "extension" and not edition.extension_at:
            points = 0
        when = _when(line, edition, words) if points else say("not_scored")
        rows.append((words.score_line(line), str(points or "–"), when))
    return Table((say("head_line"), say("head_points"), say("head_when")), tuple(rows))


def match_rules(edition: Edition, words: Words) -> tuple[str, ...]:
    """How a match ends, and how many 200s a side may play."""
    say = words.rule_book
    thousands = words.say("thousands")
    target = f"{edition.target:,}".replace(",", thousands)
    return (
        say("hands", hands=edition.hands) if edition.hands else say("target", points=target),
        say(f"tie_{edition.tie}"),
        say("max_200s", count=edition.max_200s),
    )


def compared_with(edition: Edition) -> Edition:
    """The edition that `differences` compares with: the parent of house rules, or the default."""
    return EDITIONS[edition.parent] if edition.parent else DEFAULT_EDITION


def differences(edition: Edition, words: Words) -> Table:
    """The fields that differ from those of `compared_with`: name, both values, meaning."""
    other = compared_with(edition)
    say = words.rule_book
    return Table(
        (say("head_field"), say("head_here"), other.id, say("head_meaning")),
        tuple(
            (name, _value(edition, name), _value(other, name), words.field(name))
            for name in rule_fields()
            if getattr(edition, name) != getattr(other, name)
        ),
    )


def _battle_hazards(edition: Edition, words: Words) -> str:
    say = words.rule_book
    if edition.battle_hazard_on == "started":
        return say("hits_any" if edition.start_rolling else "hits_started")
    ways = [say("way_roll")]
    if edition.start_rolling:
        ways.append(say("way_start"))
    if edition.remedy_restores_roll:
        ways.append(say("way_remedy"))
    if edition.row_replaces_roll:
        ways.append(say("way_row"))
    return say("hits_rolling", ways=_listed(ways, words, "or"))


def _can_hit_right_of_way(edition: Edition) -> bool:
    """Can a car with Right of Way and no battle card be hit, by what it does not guard against?"""
    if edition.start_rolling:
        return True
    started = edition.battle_hazard_on == "started"
    return edition.row_empty_attackable and (started or edition.row_replaces_roll)


def _right_of_way(edition: Edition, words: Words) -> str:
    """What becomes of a Stop and a Speed Limit under Right of Way."""
    say = words.rule_book
    if edition.right_of_way_discards:
        return say("row_discards")
    return say("row_discards_on_turn" if edition.safety_restores_roll else "row_leaves")


def _when(line: str, edition: Edition, words: Words) -> str:
    """When a line of the score sheet is scored."""
    say = words.rule_book
    by_miles = edition.exhaustion_winner == "most_miles"
    match line:
        case "trip":
            return say("when_trip_or_most" if by_miles else "when_trip")
        case "delayed_action":
            empty_start = edition.delayed_action_needs_empty_start
            return say("when_delayed_action_start" if empty_start else "when_delayed_action")
        case "safe_trip":
            return say("when_safe_hand" if by_miles else "when_safe_trip")
        case "shut_out":
            return say(f"when_shut_out_{edition.shut_out}")
        case "extension":
            cases = {
                "caller_completes": edition.extension_if_caller_completes,
                "other_completes": edition.extension_if_other_completes,
                "nobody_completes": edition.extension_if_nobody_completes,
            }
            told = [say(case, who=say(f"to_{who}")) for case, who in cases.items()]
            return reduce(lambda first, last: say("next_case", first=first, last=last), told)
    return say(f"when_{line}")


def _value(edition: Edition, name: str) -> str:
    return toml_value(edition.toml_ready(name))


def _listed(items: Sequence[object], words: Words, how: str = "and") -> str:
    """a, b and c."""
    *first, last = map(str, items)
    return words.rule_book(how, first=", ".join(first), last=last) if first else last
