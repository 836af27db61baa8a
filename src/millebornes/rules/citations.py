"""Where each printed text has the rule behind a refusal, or that it is silent.

A refusal that depends on a field of the edition takes the place from the source of that field
(`editions.py`). The others have their places here, written in the same way.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, NamedTuple

from .edition import Edition
from .reason import Code, Reason

__all__ = ["HOUSE_RULE", "NOT_RULES", "RULES", "Place", "PlaceCode", "place_of", "place_of_source"]

PlaceCode = Literal[
    "says",
    "silent_as",
    "silent_ours",
    "silent_others",
    "read_otherwise",
    "lacks",
    "house",
    "option",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a printed text: a stable `code`, and `params` that fill in its sentence.

    `title` is the text and `where` the section or page, both as that text has them. `other` is
    the text that a silent one follows.
    """

    section: ClassVar = "places"
    code: PlaceCode
    params: tuple[tuple[str, str], ...] = ()


HOUSE_RULE = Place("house")


class _Rule(NamedTuple):
    """Where to look for the rule behind one code."""

    field: str | None = None
    """The field of the edition that decides it."""
    places: Mapping[str, str] = MappingProxyType({})
    """Places by edition id, more exact than the source of the field."""
    allowing: str | None = None
    """The field that allows the move where other editions refuse it, if not `field`."""


_TITLES = {
    "parker-1988": "Parker 1988",
    "winning-moves": "Winning Moves",
    "article": "Article",
    "encyclopedia": "Encyclopedia",
    "dujardin-2019": "Dujardin 2019",
}
_HOUSE = "house rule"
_OURS = ": silent; our decision for all editions"
_AS_ARTICLE = ": silent; borrowed from the Article"
_AS_ENCYCLOPEDIA = ": silent; borrowed from the Encyclopedia"
_OTHERWISE = ": read otherwise; our decision for all editions"


def _at(parker: str, winning_moves: str, article: str, encyclopedia: str, dujardin: str) -> _Rule:
    """A rule that every edition has; a place that begins with a colon is a remark."""
    places = (parker, winning_moves, article, encyclopedia, dujardin)
    return _Rule(places=dict(zip(_TITLES, places, strict=True)))


_ANSWER = _at("How to Play the Cards, E", "§7", "Coup Fourré", "Legal actions: Safety", "p. 12")
"""A coup fourré answers a hazard at once, with the safety that belongs to it."""

RULES: Mapping[Code, _Rule] = MappingProxyType(
    {
        "window_open": _ANSWER,
        "no_window": _ANSWER,
        "not_a_safety": _ANSWER,
        "wrong_safety": _ANSWER,
        "no_extension": _Rule("extension_at"),
        "own_side": _at(
            "How to Play the Cards, A", "§6.A", "Hazards", "Legal actions: Hazard", "p. 10"
        ),
        "stopped": _at(
            "How to Play the Cards, A", "§6.A", "Hazards", "Legal actions: Distance", "p. 9"
        ),
        "needs_roll": _at(
            "How to Play the Cards, C", "§6.A", "Distance Cards", "Legal actions: Distance", "p. 9"
        ),
        "speed_limit": _at(
            "How to Play the Cards, A", "§6.A", "Distance Cards", "Legal actions: Distance", "p. 9"
        ),
        "too_far": _at(
            "How to Play the Cards, C",
            "§6.C",
            "Rules for Four Players",
            "Legal actions: Distance",
            "p. 9",
        )._replace(allowing="trip"),
        "no_more_200s": _Rule("max_200s"),
        "already_rolling": _at(
            _AS_ENCYCLOPEDIA, "§2", _AS_ENCYCLOPEDIA, "Legal actions: Roll", _AS_ENCYCLOPEDIA
        ),
        "right_of_way_rolls": _Rule(
            "row_replaces_roll", {"encyclopedia": "Legal actions: Roll" + _OTHERWISE}
        ),
        "cure_first": _at(
            "How to Play the Cards, B", "§6.A", "Remedies", "Legal actions: Roll", "p. 10"
        ),
        "no_hazard": _at(
            "How to Play the Cards, B",
            "§2",
            "Rules for Four Players",
            "Legal actions: Remedy",
            "p. 10",
        ),
        "other_hazard": _at(
            "How to Play the Cards, B", "§6.A", "Remedies", "Legal actions: Remedy", "p. 10"
        ),
        "safety_cured_it": _at(_OURS, _OURS, _OURS, "Legal actions: Remedy" + _OTHERWISE, _OURS),
        "not_limited": _at(
            "How to Play the Cards, B", "§6.A", "Remedies", "Legal actions: Remedy", "p. 6"
        ),
        "right_of_way_lifts": _at(
            _AS_ARTICLE, _AS_ARTICLE, "Remedies", "Legal actions: Right of Way", _AS_ARTICLE
        ),
        "safety_protects": _at(
            "How to Play the Cards, D.2", "§6.B", "Safety Cards", "Legal actions: Hazard", "p. 12"
        ),
        "autoroute_protects": _Rule("autoroute_cards", {"dujardin-2019": "p. 13"}),
        "not_started": _at("Playing, C", "§2", "Hazards", "Legal actions: Hazard", "p. 11"),
        # Parker's Special Notes, G, speaks of hazards on hazards only.
        "not_rolling": _Rule("battle_hazard_on", {"parker-1988": "How to Play the Cards, A"}),
        "already_stopped": _Rule("battle_hazard_on", {"winning-moves": "§2"}),
        "already_limited": _Rule("limit_on_limit"),
        "must_play_out": _Rule("must_play_out"),
    }
)
"""Every code that is a rule of the printed texts, and where to look for it."""

NOT_RULES: frozenset[Code] = frozenset(
    {
        # the order of turns and answers, which the program keeps
        "no_such_seat",
        "no_hand_dealt",
        "match_over",
        "not_your_turn",
        "answer_first",
        "already_answered",
        "extension_awaited",
        # what was typed, or left out
        "not_in_hand",
        "not_named",
        "unknown_card",
        "no_unknown_card",
        "needs_target",
        "no_target",
        "no_such_side",
    }
)
"""The other codes: no printed text is needed to refuse these moves."""

_SOURCE = re.compile(r"(?P<title>[^,:;]+)(?:, (?P<where>.+?))?(?:: (?P<remark>[a-z0-9“].*))?")
_BORROWED = re.compile(r"silent; borrowed from (?:the )?(.+)")


def place_of(edition: Edition, reason: Reason | Code, *, allowed: bool = False) -> Place | None:
    """Where the text of this edition has the rule behind a refusal; None if it is no rule.

    `allowed`: where the text allows what this code refuses in other editions. A field that house
    rules have changed is a house rule; for all others the parent's text counts.
    """
    code = reason.code if isinstance(reason, Reason) else reason
    rule = RULES.get(code)
    if rule is None:
        return None
    if allowed and rule.allowing is not None:
        rule = _Rule(rule.allowing)
    if rule.field is not None and edition.sources[rule.field] == _HOUSE:
        return HOUSE_RULE
    root = edition.parent or edition.id
    where = rule.places.get(root)
    if where is None:
        assert rule.field is not None, f"{code} has no place in {root}"
        return place_of_source(edition.sources[rule.field])
    return place_of_source(_TITLES[root] + (where if where.startswith(":") else f", {where}"))


def place_of_source(source: str) -> Place:
    """The place that the source of a field names, without its remark."""
    if source == _HOUSE:
        return HOUSE_RULE
    if source.startswith("our option"):
        return Place("option")
    found = _SOURCE.fullmatch(source)
    assert found is not None, source
    title, where, remark = found["title"], found["where"], found["remark"] or ""
    if where is None:
        borrowed = _BORROWED.fullmatch(remark)
        if borrowed:
            return Place("silent_as", (("title", title), ("other", borrowed[1])))
        if remark.startswith("silent; our decision"):
            return Place("silent_ours", (("title", title),))
        if remark.startswith("silent"):
            return Place("silent_others", (("title", title),))
        return Place("lacks", (("title", title),))
    code: PlaceCode = "read_otherwise" if remark.startswith("read otherwise") else "says"
    return Place(code, (("title", title), ("where", where)))
