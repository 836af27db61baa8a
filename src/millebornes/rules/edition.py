"""The `Edition` value: every difference between rule texts is a field.

Each field declares its meaning and its allowed values. House rules, their error messages
and the documentation all come from these declarations.
"""

import difflib
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from .cards import ALL_CARDS, COPIES, Card
from .quote import shortened

__all__ = [
    "PLAYER_COUNTS",
    "SHORT_TRIP",
    "Edition",
    "EditionError",
    "Kind",
    "Rule",
    "Values",
    "Worth",
    "rule_fields",
]

PLAYER_COUNTS = (2, 3, 4, 6, 8)
_COUNT_KEYS = tuple(str(count) for count in PLAYER_COUNTS)
EXTENDED_TRIP = 1000
_LEAST_TRIP = 100
_STEP = 25
"""Miles and points come in steps of the smallest distance card."""
SHORT_TRIP = 700
_FAULTS_TOLD = 5
HOUSE_RULE = "house rule"
"""The source of a field that house rules change."""
_REMOVED = (Card.STOP, Card.ACC, Card.OUT, Card.FLAT, Card.LIM)


class EditionError(ValueError):
    """An invalid rule or setting: its key, its value (None: missing), and what is allowed."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        self.key = key
        self.value = value
        self.allowed = allowed
        found = "is missing" if value is None else f"= {shown(value)}"
        super().__init__(f"{shortened(key)} {found}: expected {allowed}")


Kind = Literal["switch", "choice", "number", "points", "counts", "trips"]
"""What a form shows for a field. `counts` is a list of player counts; `trips` is miles for each."""


class Values(NamedTuple):
    """The values that a field allows, for forms: the same that `Rule.check` accepts."""

    kind: Kind
    choices: tuple[str, ...] = ()
    """Of a choice."""
    least: int = 0
    """Of numbers, points and trips: the least, the most, and the steps between."""
    most: int = 0
    step: int = 1


class Rule(NamedTuple):
    """The meaning of one field of an edition, and the values it allows."""

    means: str
    allowed: str
    check: Callable[[object], Any]
    """Returns the value in the field's type; raises ValueError if it is not allowed."""
    values: Values


def toml_value(value: object) -> str:
    """A value in TOML notation, or as close to it as possible."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**4000:
        return hex(value)  # Python refuses to convert longer numbers to decimal
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return str(value)


def shown(value: object) -> str:
    """A value as error messages quote it: in TOML notation, shortened if long."""
    try:
        text = toml_value(value)
    except RecursionError:
        return "a deeply nested value"
    return shortened(text)


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError
    return value


def _counts(means: str, default: Any = MISSING) -> Any:
    def check(value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError
        counts = tuple(sorted(_integer(count) for count in value))
        if len(set(counts)) < len(counts) or not set(counts) <= set(PLAYER_COUNTS):
            raise ValueError
        return counts

    allowed = "a list of player counts (2, 3, 4, 6, 8)"
    return _rule(means, allowed, check, Values("counts"), default)


def _trips(means: str) -> Any:
    def check(value: object) -> tuple[tuple[int, int], ...]:
        if isinstance(value, Mapping):
            pairs = list(value.items())
        elif isinstance(value, tuple):
            pairs = list(value)
        else:
            raise ValueError
        trips: dict[int, int] = {}
        for players, miles in pairs:
            if str(players) not in _COUNT_KEYS or _integer(miles) % _STEP:
                raise ValueError
            if not _LEAST_TRIP <= miles <= EXTENDED_TRIP:
                raise ValueError
            trips[int(players)] = miles
        return tuple(sorted(trips.items()))

    allowed = "a table from player counts (2, 3, 4, 6, 8) to miles (100 to 1000, in steps of 25)"
    values = Values("trips", least=_LEAST_TRIP, most=EXTENDED_TRIP, step=_STEP)
    return _rule(means, allowed, check, values)


def _number(
    means: str,
    low: int,
    high: int,
    step: int = 1,
    *,
    default: Any = MISSING,
    kind: Kind = "number",
) -> Any:
    def check(value: object) -> int:
        number = _integer(value)
        if not low <= number <= high or number % step:
            raise ValueError
        return number

    steps = "" if step == 1 else f", in steps of {step}"
    allowed = f"a whole number from {low} to {high}{steps}"
    return _rule(means, allowed, check, Values(kind, (), low, high, step), default)


def _points(means: str, default: Any = MISSING) -> Any:
    return _number(means, 0, 5000, _STEP, default=default, kind="points")


def _choice(means: str, *choices: str, default: Any = MISSING) -> Any:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value

    allowed = " or ".join(f'"{choice}"' for choice in choices)
    return _rule(means, allowed, check, Values("choice", choices), default)


def _switch(means: str, default: Any = MISSING) -> Any:
    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    return _rule(means, "true or false", check, Values("switch"), default)


def _rule(
    means: str,
    allowed: str,
    check: Callable[[object], Any],
    values: Values,
    default: Any = MISSING,
) -> Any:
    return field(default=default, metadata={"rule": Rule(means, allowed, check, values)})


class Worth(NamedTuple):
    """The points for what lies in front of a side."""

    safety: int
    all_four: int
    coup_fourre: int


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The rules of one printed box, or of one house."""

    id: str
    name: str | None = field(compare=False)
    """The title on the box; for house rules, the name they were given, if any."""
    parent: str | None = field(default=None, compare=False)
    """The printed edition that house rules start from."""
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The source of each field's value, by the name of the field."""

    player_counts: tuple[int, ...] = _counts("how many can play")
    teams_at: tuple[int, ...] = _counts("player counts that play in teams of two")
    hazards_removed_at: tuple[int, ...] = _counts(
        "player counts at which one each of Stop, Accident, Out of Gas, Flat Tire and "
        "Speed Limit is removed from the deck"
    )
    autoroute_cards: int = _number("Autoroute cards in the deck", 0, 4)
    trip: tuple[tuple[int, int], ...] = _trips("length of the trip in miles, by player count")
    short_trip_at: tuple[int, ...] = _counts(
        "player counts at which a trip of 700 may be chosen before the match", default=()
    )
    extension_at: tuple[int, ...] = _counts(
        "player counts at which the first to complete the trip may extend it to 1000"
    )
    extension_if_caller_completes: Literal["caller", "nobody"] = _choice(
        "who scores the extension if its caller completes the trip", "caller", "nobody"
    )
    extension_if_other_completes: Literal["each_opponent", "completer", "nobody"] = _choice(
        "who scores the extension if another side completes the trip",
        "each_opponent",
        "completer",
        "nobody",
    )
    extension_if_nobody_completes: Literal["each_opponent", "nobody"] = _choice(
        "who scores the extension if nobody completes the trip", "each_opponent", "nobody"
    )
    battle_hazard_on: Literal["rolling", "started"] = _choice(
        "the cars a battle hazard may land on: only rolling ones, or any that has a battle "
        "card or Right of Way",
        "rolling",
        "started",
    )
    limit_on_limit: bool = _switch("may a Speed Limit land on a Speed Limit?")
    right_of_way_discards: bool = _switch(
        "does Right of Way discard a Stop and a Speed Limit on top of their piles? "
        "Otherwise they stay, inert"
    )
    max_200s: int = _number("200s each side may play in a hand", 0, 4)
    exhaustion_winner: Literal["nobody", "most_miles"] = _choice(
        "who wins a hand that ends because the cards are gone", "nobody", "most_miles"
    )
    trip_points: int = _points("points for completing the trip (or winning the hand)")
    safety_points: int = _points("points for each safety")
    coup_fourre_points: int = _points("points for each coup fourré, besides the safety's")
    all_four_points: int = _points("points for all four safeties")
    delayed_action_points: int = _points("points for completing the trip with the pile empty")
    safe_trip_points: int = _points("points for completing the trip without 200s")
    shut_out: Literal["all", "each", "any"] = _choice(
        "who scores the shut-out: the side that completes the trip, once, if no opponent has a "
        "distance card; that side, for each such opponent; or every other side, for any side "
        "without a distance card",
        "all",
        "each",
        "any",
    )
    shut_out_points: int = _points("points for a shut-out")
    extension_points: int = _points("points for the extension")
    tie: Literal["another_hand", "drawn"] = _choice(
        "what follows if the leaders are tied at the end of the match", "another_hand", "drawn"
    )
    target: int = _number("points to win the match", 25, 100_000, _STEP, kind="points")
    hands: int = _number("hands in a match; 0: play to the target", 0, 100, default=0)
    dealer: Literal["rotates", "fixed"] = _choice(
        "does the deal pass left after each hand?", "rotates", "fixed", default="rotates"
    )
    row_replaces_roll: bool = _switch("does Right of Way replace a Roll?", default=True)
    replay_on_empty_pile: bool = _switch(
        "does a safety played on your turn give another play when the pile is empty?",
        default=True,
    )
    row_empty_attackable: bool = _switch(
        "may a car with Right of Way and no battle card be hit?", default=True
    )
    safety_restores_roll: bool = _switch(
        "does a safety played on your turn discard the hazard it cures?", default=False
    )
    must_play_out: bool = _switch(
        "with the pile empty, is a discard refused while a card can be played?", default=False
    )
    delayed_action_needs_empty_start: bool = _switch(
        "must the pile be empty before the turn's first draw for a delayed action?", default=False
    )
    autoroute_is_safety: bool = _switch(
        "does an Autoroute give another turn, as safeties do?", default=False
    )
    coup_fourre_for_third_party: bool = _switch(
        "may any opponent of the attacker call the coup fourré?", default=False
    )
    start_rolling: bool = _switch(
        "does an empty battle pile count as a Roll, so that the car drives and can be hit?",
        default=False,
    )
    remedy_restores_roll: bool = _switch(
        "does Repairs, Gasoline or a Spare Tire on top of the battle pile count as a Roll?",
        default=False,
    )

    def __post_init__(self) -> None:
        for name, rule in rule_fields().items():
            value = getattr(self, name)
            try:
                checked = rule.check(value)
            except ValueError:
                raise EditionError(name, value, rule.allowed) from None
            object.__setattr__(self, name, checked)
        _check_consistency(self)

    def has_teams(self, players: int) -> bool:
        """Do this many players play in teams of two?"""
        return players in self.teams_at

    def sides_at(self, players: int) -> int:
        """The number of sides with this many players."""
        return players // 2 if players in self.teams_at else players

    def trip_at(self, players: int) -> int:
        """The miles of a trip with this many players."""
        return dict(self.trip)[players]

    @cached_property
    def worth(self) -> Worth:
        """The points for what lies in front of a side."""
        return Worth(self.safety_points, self.all_four_points, self.coup_fourre_points)

    def deck(self, players: int) -> tuple[Card, ...]:
        """The unshuffled deck in canonical order."""
        return _deck(self.autoroute_cards, players in self.hazards_removed_at)

    def deck_fault(self, players: int, cards: Sequence[Card]) -> str | None:
        """Why these are not the cards of the deck; None if they can be. A `?` is any card."""
        deck, found = Counter(self.deck(players)), Counter(cards)
        del found[Card.UNKNOWN]
        wrong = [f"{count}× {card} too many" for card, count in (found - deck).items()]
        if len(cards) != deck.total():
            wrong.append(f"{len(cards)} cards in all")
        if not wrong:
            return None
        if Card.UNKNOWN not in cards:
            wrong += [f"{count}× {card} missing" for card, count in (deck - found).items()]
        if len(wrong) > _FAULTS_TOLD:
            wrong[_FAULTS_TOLD:] = ["and so on"]
        not_these = f"these are not the {deck.total()} cards of {self.id} with {players} players"
        return f"{not_these}: {', '.join(wrong)}"

    def house(self, overrides: Mapping[str, object], name: str | None = None) -> "Edition":
        """These rules with some fields changed: a house edition with its own id.

        `trip` is merged by player count; every other field is replaced. A player count that
        is added needs a trip, and `teams_at` where it could play in teams. House rules based
        on house rules keep their name, unless they get a new one.
        """
        rules = rule_fields()
        for key in overrides:
            if key not in rules:
                raise EditionError(key, overrides[key], _keys_like(key))
        values: dict[str, Any] = {}
        for key, value in overrides.items():
            try:
                values[key] = rules[key].check(value)
            except ValueError:
                raise EditionError(key, value, rules[key].allowed) from None
        if "trip" in values:
            values["trip"] = tuple(sorted({**dict(self.trip), **dict(values["trip"])}.items()))
        if "player_counts" in values:
            added = [n for n in values["player_counts"] if n not in self.player_counts]
            if any(n % 2 == 0 and n > 2 for n in added) and "teams_at" not in values:
                raise EditionError(
                    "player_counts",
                    overrides["player_counts"],
                    "teams_at as well, to say whether the added counts play in teams",
                )
        root = self.parent or self.id
        changed = {key for key in values if values[key] != getattr(self, key)}
        if not changed:
            return self
        sources = {**self.sources, **dict.fromkeys(changed, HOUSE_RULE)}
        edition = replace(
            self,
            **values,
            parent=root,
            sources=sources,
            name=name or (self.name if self.parent is not None else None),
        )
        digest = hashlib.sha256(edition.to_toml().encode()).hexdigest()[:16]
        return replace(edition, id=f"house-{digest}")

    def to_toml(self) -> str:
        """The canonical text: every rule on its own line, in the order of the fields.

        Fields in `LATER` are omitted while they have their default. So the ids of older house
        rules, which are hashes of this text, do not change.
        """
        return "".join(
            f"{name} = {toml_value(self.toml_ready(name))}\n"
            for name in rule_fields()
            if name not in LATER or getattr(self, name) != _default(name)
        )

    @classmethod
    def from_toml(cls, root: "Edition", text: str, name: str | None = None) -> "Edition":
        """The edition that `to_toml` wrote; `root` is the printed edition it is based on."""
        rules = {later: _default(later) for later in LATER} | tomllib.loads(text)
        return root.house(rules, name)

    def toml_ready(self, name: str) -> object:
        """A field's value in types that TOML and JSON have."""
        value = getattr(self, name)
        if name == "trip":
            return {str(players): miles for players, miles in value}
        return list(value) if isinstance(value, tuple) else value


LATER: tuple[str, ...] = ("start_rolling", "remedy_restores_roll")
"""Fields added after version 0.1.0, oldest first. Each has a default."""


def _keys_like(key: str) -> str:
    """The keys there are, the one that may be meant first."""
    near = difflib.get_close_matches(key[:60], _RULE_FIELDS, 1)
    meant = f"{near[0]}, or another " if near else "one "
    return f"{meant}of the keys " + ", ".join(_RULE_FIELDS)


def _default(name: str) -> object:
    default = next(f.default for f in fields(Edition) if f.name == name)
    assert default is not MISSING, f"{name} was added later and has no default"
    return default


def rule_fields() -> Mapping[str, Rule]:
    """The fields of `Edition` that are rules, by name."""
    return _RULE_FIELDS


_RULE_FIELDS: Mapping[str, Rule] = MappingProxyType(
    {f.name: f.metadata["rule"] for f in fields(Edition) if "rule" in f.metadata}
)


@cache  # at most ten decks, which simulations ask for all the time
def _deck(autoroutes: int, is_reduced: bool) -> tuple[Card, ...]:
    copies = {**COPIES, Card.AUTO: autoroutes}
    if is_reduced:
        for card in _REMOVED:
            copies[card] -= 1
    return tuple(card for card in ALL_CARDS for _ in range(copies[card]))


def _check_consistency(edition: Edition) -> None:
    """Check what the checks of single fields cannot."""
    if not edition.player_counts:
        raise EditionError("player_counts", [], "at least one player count")
    trips = dict(edition.trip)
    for players in edition.player_counts:
        if players not in trips:
            raise EditionError(
                "trip", edition.toml_ready("trip"), f"a trip for {players} players as well"
            )
    for players in edition.teams_at:
        if players % 2 or players < 4:
            raise EditionError(
                "teams_at", list(edition.teams_at), "teams of two at 4, 6 or 8 players"
            )
    for players in edition.extension_at:
        if trips.get(players, 0) >= EXTENDED_TRIP:
            raise EditionError(
                "extension_at",
                list(edition.extension_at),
                f"player counts with a trip below {EXTENDED_TRIP}",
            )
