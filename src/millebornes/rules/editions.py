"""The five printed rule texts as `Edition` values, with a source for each field; the presets.

Where a text is silent, the source names the text whose rule is borrowed, or says that the
decision is ours. House rules in TOML are read here, too.
"""

import tomllib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from .edition import Edition, EditionError, rule_fields
from .quote import shortened

__all__ = [
    "DEFAULT_EDITION",
    "EDITIONS",
    "PRESETS",
    "TOML_LENGTH",
    "edition_named",
    "house_rules",
    "preset_of",
    "preset_with",
]


def _printed(id_: str, name: str, **rules: tuple[object, str]) -> Edition:
    """An edition from (value, source) pairs."""
    values: dict[str, Any] = {key: value for key, (value, _) in rules.items()}
    sources = {key: source for key, (_, source) in rules.items()}
    for key in rule_fields():
        sources.setdefault(key, "our option; the printed rules do not have it")
    return Edition(id=id_, name=name, sources=sources, **values)


PARKER_1988 = _printed(
    "parker-1988",
    "Parker Brothers 1988",
    player_counts=((2, 3, 4, 6), "Parker 1988, title page"),
    teams_at=((4, 6), "Parker 1988, introduction; Rules for 6 Players, A"),
    hazards_removed_at=((2, 3), "Parker 1988, Rules for 2 or 3 Players, A"),
    autoroute_cards=(0, "Parker 1988, The Cards: has none"),
    trip=(
        {2: 700, 3: 700, 4: 1000, 6: 700},
        "Parker 1988, Object; Rules for 2 or 3 Players, B; Rules for 6 Players, B",
    ),
    short_trip_at=((), "Parker 1988: has no such choice"),
    extension_at=((2, 3, 6), "Parker 1988, Rules for 2 or 3 Players, C; for 6 Players, C"),
    extension_if_caller_completes=("caller", "Parker 1988, Rules for 2 or 3 Players, C.2"),
    extension_if_other_completes=("each_opponent", "Parker 1988, Rules for 2 or 3 Players, C.2"),
    extension_if_nobody_completes=(
        "nobody",
        "Parker 1988, Rules for 2 or 3 Players, C: gives it only when someone else arrives",
    ),
    battle_hazard_on=("started", "Parker 1988, Special Notes, G"),
    limit_on_limit=(True, "Parker 1988, Special Notes, G"),
    right_of_way_discards=(
        False,
        "Parker 1988, How to Play the Cards, D: the Speed Limit goes on showing",
    ),
    max_200s=(2, "Parker 1988, How to Play the Cards, C"),
    exhaustion_winner=("nobody", "Parker 1988, Ending a Hand"),
    trip_points=(400, "Parker 1988, Scoring"),
    safety_points=(100, "Parker 1988, Scoring"),
    coup_fourre_points=(300, "Parker 1988, Scoring"),
    all_four_points=(300, "Parker 1988, Scoring"),
    delayed_action_points=(300, "Parker 1988, Scoring"),
    safe_trip_points=(300, "Parker 1988, Scoring"),
    shut_out=("all", "Parker 1988, Scoring: “before opponents have played”"),
    shut_out_points=(500, "Parker 1988, Scoring"),
    extension_points=(200, "Parker 1988, Rules for 2 or 3 Players, C.2"),
    tie=("another_hand", "Parker 1988: silent; borrowed from the Article"),
    target=(5000, "Parker 1988, Winning"),
    dealer=("rotates", "Parker 1988: silent; our decision for all editions"),
    row_replaces_roll=(True, "Parker 1988, How to Play the Cards, D"),
    replay_on_empty_pile=(True, "Parker 1988, How to Play the Cards, D.3: makes no exception"),
    row_empty_attackable=(True, "Parker 1988: silent; our decision for all editions"),
    safety_restores_roll=(False, "Parker 1988, How to Play the Cards, E.1: only a coup fourré"),
    must_play_out=(False, "Parker 1988, Ending a Hand: “must try” read as an aim"),
    delayed_action_needs_empty_start=(False, "Parker 1988, Scoring: only the pile counts"),
    coup_fourre_for_third_party=(
        False,
        "Parker 1988, How to Play the Cards, E.1: the hazard leaves your own pile",
    ),
    start_rolling=(False, "Parker 1988, How to Play the Cards, C: “when a Roll Card is on top”"),
    remedy_restores_roll=(False, "Parker 1988, How to Play the Cards, B: Roll"),
)

WINNING_MOVES = _printed(
    "winning-moves",
    "Winning Moves Classic",
    player_counts=((2, 3, 4, 6), "Winning Moves, About the Theme"),
    teams_at=((4, 6), "Winning Moves, §3; §11.A"),
    hazards_removed_at=((2, 3), "Winning Moves, §10.A"),
    autoroute_cards=(0, "Winning Moves, §2: has none"),
    trip=({2: 700, 3: 700, 4: 1000, 6: 700}, "Winning Moves, §1; §10.B; §11.B"),
    short_trip_at=((), "Winning Moves: has no such choice"),
    extension_at=((2, 3, 6), "Winning Moves, §10.C; §11.C"),
    extension_if_caller_completes=("caller", "Winning Moves, §10.C"),
    extension_if_other_completes=("each_opponent", "Winning Moves, §10.C"),
    extension_if_nobody_completes=("each_opponent", "Winning Moves, §10.C: “If he fails”"),
    battle_hazard_on=("rolling", "Winning Moves, §2; §6.B"),
    limit_on_limit=(True, "Winning Moves, §12.H"),
    right_of_way_discards=(False, "Winning Moves, §6.B: the Speed Limit stays exposed"),
    max_200s=(2, "Winning Moves, §6.C"),
    exhaustion_winner=("nobody", "Winning Moves, §8"),
    trip_points=(400, "Winning Moves, §8"),
    safety_points=(100, "Winning Moves, §8"),
    coup_fourre_points=(300, "Winning Moves, §8"),
    all_four_points=(300, "Winning Moves, §8"),
    delayed_action_points=(300, "Winning Moves, §8"),
    safe_trip_points=(300, "Winning Moves, §8"),
    shut_out=("all", "Winning Moves, §8: “before opponents have played”"),
    shut_out_points=(500, "Winning Moves, §8"),
    extension_points=(200, "Winning Moves, §10.C"),
    tie=("another_hand", "Winning Moves: silent; borrowed from the Article"),
    target=(5000, "Winning Moves, §1; §9"),
    dealer=("rotates", "Winning Moves: silent; our decision for all editions"),
    row_replaces_roll=(True, "Winning Moves, §6.B"),
    replay_on_empty_pile=(True, "Winning Moves, §5.B: “at any time during the game”"),
    row_empty_attackable=(True, "Winning Moves, §6.B: “may, of course, stop you”"),
    safety_restores_roll=(False, "Winning Moves, §7: only a coup fourré removes the hazard"),
    must_play_out=(False, "Winning Moves, §6.C: “play out or discard”"),
    delayed_action_needs_empty_start=(False, "Winning Moves, §8: only the pile counts"),
    coup_fourre_for_third_party=(False, "Winning Moves, §7: “from your Battle Pile”"),
    start_rolling=(False, "Winning Moves, §6.A; §6.C"),
    remedy_restores_roll=(False, "Winning Moves, §6.A: “and then a ROLL! Card”"),
)

ARTICLE = _printed(
    "article",
    "Web article",
    player_counts=((2, 3, 4), "Article, Rules for Four Players; for two or three Players"),
    teams_at=((4,), "Article, Rules for Four Players"),
    hazards_removed_at=((2, 3), "Article, Rules for two or three Players"),
    autoroute_cards=(0, "Article, Four Types of Cards: has none"),
    trip=({2: 700, 3: 700, 4: 1000}, "Article, Rules for two or three Players; Four Players"),
    short_trip_at=((), "Article: has no such choice"),
    extension_at=((2, 3), "Article, Rules for two or three Players"),
    extension_if_caller_completes=("caller", "Article, Rules for two or three Players"),
    extension_if_other_completes=("completer", "Article, Rules for two or three Players"),
    extension_if_nobody_completes=("nobody", "Article, Rules for two or three Players"),
    battle_hazard_on=("rolling", "Article, Hazards: “while a car has a green light”"),
    limit_on_limit=(True, "Article, Hazards: the Speed Limit is “the only exception”"),
    right_of_way_discards=(False, "Article: silent; borrowed from Parker 1988"),
    max_200s=(2, "Article: silent; borrowed from Parker 1988"),
    exhaustion_winner=("nobody", "Article, Scoring"),
    trip_points=(400, "Article, Scoring"),
    safety_points=(100, "Article, Scoring"),
    coup_fourre_points=(300, "Article, Scoring"),
    all_four_points=(300, "Article, Scoring"),
    delayed_action_points=(300, "Article, Scoring"),
    safe_trip_points=(300, "Article, Scoring"),
    shut_out=("all", "Article, Scoring: “before the other team”; with three as Parker 1988"),
    shut_out_points=(500, "Article, Scoring"),
    extension_points=(200, "Article, Rules for two or three Players"),
    tie=("another_hand", "Article, Scoring: “play an additional round”"),
    target=(5000, "Article, Scoring"),
    dealer=("rotates", "Article: silent; our decision for all editions"),
    row_replaces_roll=(True, "Article: silent; borrowed from Parker 1988"),
    replay_on_empty_pile=(True, "Article, Safety Cards: “whenever you play a safety card”"),
    row_empty_attackable=(True, "Article: silent; our decision for all editions"),
    safety_restores_roll=(False, "Article: silent; borrowed from Parker 1988"),
    must_play_out=(False, "Article, Rules for Four Players: “playing or discarding”"),
    delayed_action_needs_empty_start=(False, "Article, Scoring: only the pile counts"),
    coup_fourre_for_third_party=(False, "Article, Coup Fourré: “onto your battle pile”"),
    start_rolling=(False, "Article, Distance Cards"),
    remedy_restores_roll=(False, "Article, Remedies: “play another green light”"),
)

ENCYCLOPEDIA = _printed(
    "encyclopedia",
    "Encyclopedia article",
    player_counts=((2, 3, 4, 6), "Encyclopedia, With larger or smaller groups"),
    teams_at=((4, 6), "Encyclopedia, With larger or smaller groups"),
    hazards_removed_at=((), "Encyclopedia, List of cards: 106 for any number"),
    autoroute_cards=(0, "Encyclopedia, List of cards: has none"),
    trip=(
        {2: 700, 3: 700, 4: 1000, 6: 700},
        "Encyclopedia, Ending conditions: at 6 by its perfect score of 5,100",
    ),
    short_trip_at=((), "Encyclopedia: has no such choice"),
    extension_at=(
        (2, 3, 6),
        "Encyclopedia, Ending conditions: at 6 by its perfect score of 5,100",
    ),
    extension_if_caller_completes=("caller", "Encyclopedia, Scoring: Extension"),
    extension_if_other_completes=("nobody", "Encyclopedia, Scoring: Extension"),
    extension_if_nobody_completes=("nobody", "Encyclopedia, Scoring: Extension"),
    battle_hazard_on=("started", "Encyclopedia, Legal actions: Hazard"),
    limit_on_limit=(False, "Encyclopedia, Legal actions: Hazard"),
    right_of_way_discards=(True, "Encyclopedia, Legal actions: Right of Way"),
    max_200s=(2, "Encyclopedia, Legal actions: Distance"),
    exhaustion_winner=("nobody", "Encyclopedia, Scoring"),
    trip_points=(400, "Encyclopedia, Scoring"),
    safety_points=(100, "Encyclopedia, Scoring"),
    coup_fourre_points=(300, "Encyclopedia, Scoring"),
    all_four_points=(300, "Encyclopedia, Scoring"),
    delayed_action_points=(300, "Encyclopedia, Scoring"),
    safe_trip_points=(300, "Encyclopedia, Scoring"),
    shut_out=("each", "Encyclopedia, Scoring: “two shutout bonuses are achievable”"),
    shut_out_points=(500, "Encyclopedia, Scoring"),
    extension_points=(200, "Encyclopedia, Scoring"),
    tie=("drawn", "Encyclopedia, Scoring: “possible for the game to end in a tie”"),
    target=(5000, "Encyclopedia, Scoring"),
    dealer=("rotates", "Encyclopedia: silent; our decision for all editions"),
    row_replaces_roll=(True, "Encyclopedia, Legal actions: Right of Way"),
    replay_on_empty_pile=(True, "Encyclopedia, Legal actions: “Whenever a safety is played”"),
    row_empty_attackable=(
        True,
        "Encyclopedia, Legal actions: “still vulnerable to any hazard”",
    ),
    safety_restores_roll=(False, "Encyclopedia, Legal actions: “a Roll must still be played”"),
    must_play_out=(False, "Encyclopedia, Legal actions: Discard"),
    delayed_action_needs_empty_start=(False, "Encyclopedia, Ending conditions"),
    coup_fourre_for_third_party=(False, "Encyclopedia, Legal actions: “that was attacked”"),
    start_rolling=(False, "Encyclopedia, Legal actions: Distance"),
    remedy_restores_roll=(False, "Encyclopedia, Legal actions: Remedy"),
)

DUJARDIN_2019 = _printed(
    "dujardin-2019",
    "Dujardin Collector 2019",
    player_counts=((2, 3, 4, 6, 8), "Dujardin 2019, p. 4"),
    teams_at=((6, 8), "Dujardin 2019, p. 4"),
    hazards_removed_at=((), "Dujardin 2019: removes none"),
    autoroute_cards=(4, "Dujardin 2019, p. 13; p. 15: 110 cards less 106, a guess"),
    trip=({2: 1000, 3: 1000, 4: 1000, 6: 1000, 8: 1000}, "Dujardin 2019, p. 4; p. 9"),
    short_trip_at=((4, 8), "Dujardin 2019, p. 4"),
    extension_at=((), "Dujardin 2019: has no extension"),
    extension_if_caller_completes=("nobody", "Dujardin 2019: has no extension"),
    extension_if_other_completes=("nobody", "Dujardin 2019: has no extension"),
    extension_if_nobody_completes=("nobody", "Dujardin 2019: has no extension"),
    battle_hazard_on=("rolling", "Dujardin 2019, p. 11: “qui roule”"),
    limit_on_limit=(False, "Dujardin 2019, p. 10: only with “chacune des 4 autres attaques”"),
    right_of_way_discards=(False, "Dujardin 2019, p. 14: discarding belongs to the Coup-Fourré"),
    max_200s=(2, "Dujardin 2019, p. 9"),
    exhaustion_winner=("most_miles", "Dujardin 2019, p. 6"),
    trip_points=(400, "Dujardin 2019, p. 8"),
    safety_points=(100, "Dujardin 2019, p. 8"),
    coup_fourre_points=(300, "Dujardin 2019, p. 8"),
    all_four_points=(0, "Dujardin 2019, p. 8: has none"),
    delayed_action_points=(0, "Dujardin 2019, p. 8: has none"),
    safe_trip_points=(200, "Dujardin 2019, p. 8"),
    shut_out=("any", "Dujardin 2019, p. 8: “tous les autres joueurs marquent”"),
    shut_out_points=(500, "Dujardin 2019, p. 8"),
    extension_points=(0, "Dujardin 2019: has no extension"),
    tie=("another_hand", "Dujardin 2019: silent; borrowed from the Article"),
    target=(5000, "Dujardin 2019, p. 8"),
    dealer=("rotates", "Dujardin 2019: silent; our decision for all editions"),
    row_replaces_roll=(True, "Dujardin 2019, p. 12: “dispense de Feu Vert”"),
    replay_on_empty_pile=(True, "Dujardin 2019, p. 13: “il faut rejouer ensuite”"),
    row_empty_attackable=(True, "Dujardin 2019, p. 12: such a car rolls"),
    safety_restores_roll=(False, "Dujardin 2019, p. 14: discarding belongs to the Coup-Fourré"),
    must_play_out=(False, "Dujardin 2019: silent; as in the other texts"),
    delayed_action_needs_empty_start=(False, "Dujardin 2019: has no delayed action"),
    autoroute_is_safety=(False, "Dujardin 2019, p. 13: never called a Botte"),
    coup_fourre_for_third_party=(False, "Dujardin 2019, p. 12: “un adversaire vous attaque”"),
    start_rolling=(False, "Dujardin 2019, p. 9"),
    remedy_restores_roll=(False, "Dujardin 2019, p. 10: “puis par un Feu Vert”"),
)

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        edition.id: edition
        for edition in (PARKER_1988, WINNING_MOVES, ARTICLE, ENCYCLOPEDIA, DUJARDIN_2019)
    }
)
DEFAULT_EDITION = WINNING_MOVES

_FAMILY = WINNING_MOVES.house(
    # Whatever stopped the car, one card gets it moving again.
    {"start_rolling": True, "remedy_restores_roll": True, "safety_restores_roll": True},
    "Family",
)
_QUICK = _FAMILY.house({"hands": 1, "trip": {"4": 700}, "extension_at": []}, "Quick")

PRESETS: Mapping[str, Edition] = MappingProxyType({"family": _FAMILY, "quick": _QUICK})
"""House rules that come with the program, by the name that selects them. No box has them."""

_NAMES = ", ".join([*EDITIONS, *PRESETS])


def edition_named(name: str) -> Edition:
    """A printed edition by its id, or a preset by its name."""
    found = EDITIONS.get(name) or PRESETS.get(name)
    if found is None:
        raise EditionError("edition", name, f"one of {_NAMES}")
    return found


def preset_of(edition: Edition) -> str | None:
    """The name of the preset with these rules; None if they have another name, or there is none."""
    return preset_with(edition.id, edition.name)


def preset_with(edition_id: str, edition_name: str | None) -> str | None:
    """The same for the id and the name of an edition, where its rules are not at hand."""
    for name, preset in PRESETS.items():
        if preset.id == edition_id and edition_name in (None, preset.name):
            return name
    return None


def house_rules(toml: str) -> Edition:
    """House rules from TOML: a `parent`, an optional `name`, and the fields that differ.

    Raises `tomllib.TOMLDecodeError`, with line and column, if the text is not TOML, and
    `EditionError` if a rule is invalid or the text exceeds the size limits.
    """
    _check_size(toml)
    try:
        overrides = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise tomllib.TOMLDecodeError(_with_place(str(error), toml)) from None
    except RecursionError:  # the depth at which this happens depends on the caller's stack
        raise EditionError("depth of brackets", _depth(toml), "at most 1, as in [2, 3]") from None
    parent = overrides.pop("parent", None)
    if not isinstance(parent, str) or (parent not in EDITIONS and parent not in PRESETS):
        example = f'parent = "{DEFAULT_EDITION.id}"'
        raise EditionError("parent", parent, f"one of {_NAMES}, as in: {example}")
    name = overrides.pop("name", None)
    if name is not None and (not isinstance(name, str) or not 1 <= len(name.strip()) <= 60):
        raise EditionError("name", name, "a name of 1 to 60 characters")
    base = edition_named(parent)
    edition = base.house(overrides, name)
    _check_counts(edition, base, overrides)
    return edition


_COUNTED = ("teams_at", "hazards_removed_at", "trip", "short_trip_at", "extension_at")


def _check_counts(edition: Edition, parent: Edition, written: Mapping[str, object]) -> None:
    """Refuse a player count that was written into a rule, but that nobody can play.

    Only here, where people write rules: `Edition` accepts it, because older records and logs may
    have it, and because whoever plays with fewer people need not shorten every list of the parent.
    """
    for key in _COUNTED:
        if key in written:
            known = {*edition.player_counts, *_counts_in(parent, key)}
            added = [count for count in _counts_in(edition, key) if count not in known]
            if added:
                counts = ", ".join(map(str, edition.player_counts))
                raise EditionError(
                    key,
                    written[key],
                    f"only player counts of these rules ({counts}), "
                    f"or player_counts with {added[0]} as well",
                )


def _counts_in(edition: Edition, key: str) -> tuple[int, ...]:
    """The player counts for which a rule says something."""
    if key == "trip":
        return tuple(count for count, _ in edition.trip)
    counts: tuple[int, ...] = getattr(edition, key)
    return counts


def _depth(toml: str) -> int:
    """How many brackets are open at once, at most, for a message: it counts those in texts, too."""
    depth = deepest = 0
    for sign in toml:
        depth += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, depth)
    return deepest


TOML_LENGTH = 8000
_LINES = 500
_LINE_LENGTH = 500
_SYMBOLS = 300
_DOTS = 150
_DOTS_IN_LINE = 12
"""Size limits for the text of house rules. All 38 fields, with two comments each, need 5,000
characters, 80 lines, 100 symbols and 5 dots. The parser's time grows with the number of keys and
items (each has a symbol) times the depth of the keys (their dots): 8,000 characters of dots took
0.4 s. Within these limits, parsing takes a few milliseconds at most.
"""


def _check_size(toml: str) -> None:
    """Refuse text that would take long to parse, before parsing it."""
    for what, found, limit in _sizes(toml):
        if found > limit:
            raise EditionError(what, found, f"at most {limit}")


def _sizes(toml: str) -> Iterator[tuple[str, int, int]]:
    """What is limited, its count in this text, and the limit: the cheapest to count first."""
    yield "characters", len(toml), TOML_LENGTH
    yield "lines", toml.count("\n") + 1, _LINES
    lines = toml.split("\n")
    yield "characters in one line", max(map(len, lines)), _LINE_LENGTH
    # Comments cost no time to parse, and people like to draw lines of dots or = in them.
    parsed = [line for line in lines if not _is_comment(line)]
    yield "symbols such as = and [", sum(line.count(s) for line in parsed for s in "=,[{"), _SYMBOLS
    dots = [line.count(".") for line in parsed]
    yield "dots", sum(dots), _DOTS
    yield "dots in one line", max(dots, default=0), _DOTS_IN_LINE


def _is_comment(line: str) -> bool:
    """Is the whole line a comment? Not if a multi-line string may end in it."""
    return line.lstrip().startswith("#") and not ('"""' in line or "'''" in line)


def _with_place(message: str, toml: str) -> str:
    """The parser's message, with a line and column in place of "end of document".

    It may quote a long key: what it says first and the place at its end are enough.
    """
    lines = toml.split("\n")
    place = f"at line {len(lines)}, column {len(lines[-1]) + 1}"
    message = message.replace("at end of document", place)
    said, bracket, place = message.rpartition(" (at line ")
    return f"{shortened(said, 100)}{bracket}{place}"
