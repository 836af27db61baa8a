"""`Words`: the sentences and names of one language."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NotRequired, Protocol, TypedDict

from millebornes.rules.cards import HAZARDS, Card
from millebornes.rules.edition import Edition
from millebornes.rules.editions import EDITIONS, preset_of, preset_with
from millebornes.rules.events import (
    Countered,
    Dealt,
    Discarded,
    Drawn,
    Event,
    Expired,
    Extended,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
)

from .elision import elided

__all__ = ["Coded", "Names", "RuleForm", "RuleGroup", "Words"]

_BEGINNING = re.compile(r"(?:^|! )\w")
_CARD_PARAMETERS = ("card", "hazard", "remedy", "safety")
_NAMING_SECTIONS = ("reasons", "endings", "hints", "stakes", "facts")
"""Sections whose sentences name cards, seats and sides. Others insert parameters unchanged."""
_MOST_SEATS = 8
_IN_KILOMETRES = ("dujardin-2019",)


class Coded(Protocol):
    """A stable code with the parameters of its sentence: a `Reason`, a `Fault`, a hint, …"""

    @property
    def section(self) -> str:
        """The section of the language files that holds its sentence."""
        ...

    @property
    def code(self) -> str:
        """The key in that section."""
        ...

    @property
    def params(self) -> Mapping[str, str | int] | Sequence[tuple[str, str | int]]:
        """The values to insert into the sentence."""
        ...


class Names(NamedTuple):
    """The names of the seats and sides at one table, and which seat is "you"."""

    seats: tuple[str, ...]
    sides: tuple[str, ...]
    you: int | None = None
    """The seat that the sentences address."""
    plural: bool = False
    """Does a side's name stand for several people, as in "Léa & Max win"? "Side 0" does not."""

    @property
    def your_side(self) -> int | None:
        """The side of the seat that the sentences address."""
        return None if self.you is None else self.you % len(self.sides)


class RuleForm(TypedDict):
    """A rule as a form asks for it."""

    label: str
    means: str
    choices: NotRequired[Mapping[str, str]]
    """Of a choice: the text of each value."""


class RuleGroup(TypedDict):
    """Rules that stand together in a form, in the order of the form."""

    title: str
    rules: Mapping[str, RuleForm]


class Words:
    """The names and sentences of one language."""

    def __init__(self, language: str, data: Mapping[str, Any]) -> None:
        self.language = language
        self.data = data

    def card(self, card: str) -> str:
        """A card's name."""
        return str(self.data["cards"][card])

    def score_line(self, line: str) -> str:
        """The name of a line of the score sheet."""
        return str(self.data["score"][line])

    def edition(self, edition_id: str) -> str:
        """A printed edition, described in one line."""
        return str(self.data["editions"][edition_id])

    def character(self, edition: Edition) -> str:
        """An edition in one line; house rules other than a preset have that of their parent."""
        preset = preset_of(edition)
        if preset is not None:
            return str(self.data["presets"][preset]["character"])
        return self.edition(edition.parent or edition.id)

    def edition_name(self, edition: Edition) -> str:
        """An edition's name; house rules without one are named after their printed edition."""
        preset = preset_of(edition)
        if preset is not None:
            return str(self.data["presets"][preset]["name"])
        if edition.name is not None:
            return edition.name
        assert edition.parent is not None
        return self.say("house_name", edition=str(EDITIONS[edition.parent].name))

    def house_name(self, edition_id: str, name: str | None) -> str | None:
        """The name of an edition by its id, and the name it was given, in lists."""
        preset = preset_with(edition_id, name)
        if preset is not None:
            return str(self.data["presets"][preset]["name"])
        printed = EDITIONS.get(edition_id)
        return name if printed is None else printed.name

    @property
    def rule_forms(self) -> Mapping[str, RuleGroup]:
        """Every rule for forms: in groups, the common ones before the rare ones."""
        forms: Mapping[str, RuleGroup] = self.data["rule_forms"]
        return forms

    def field(self, name: str) -> str:
        """What a rule field of an edition means."""
        return str(self.data["fields"][name])

    def level(self, level: str) -> str:
        """The name of a bot's level; other people's bots keep their own."""
        return str(self.data["web"]["levels"].get(level, level))

    def level_line(self, level: str) -> str:
        """How a level plays, in a sentence."""
        return str(self.data["web"]["level_lines"][level])

    def level_against(self, level: str) -> str:
        """A level as an opponent: "the Learner"."""
        return str(self.data["web"]["level_against"][level])

    def measured(self, against: str, wins: float) -> str:
        """How strong a level is, in a sentence: its share of wins against another."""
        template = str(self.data["web"]["bots"]["measured"])
        level = self.level_against(against)
        said = self._filled(template, {"wins": round(100 * wins), "level": level})
        return f"{_capitalised(said)}."

    def emote(self, emote: str) -> str:
        """What an emote says."""
        return str(self.data["web"]["emotes"][emote])

    def rule_book(self, key: str, /, **params: str | int) -> str:
        """A heading, a cell or a sentence of an edition's rules."""
        return self._filled(self.data["rule_book"][key], params)

    def of(self, edition: Edition) -> "Words":
        """The same words with the distances of this edition: some boxes count in kilometres."""
        if (edition.parent or edition.id) not in _IN_KILOMETRES:
            return self
        changes = self.data["kilometres"]
        return Words(
            self.language,
            {
                key: {**part, **changes[key]} if key in changes else part
                for key, part in self.data.items()
            },
        )

    def command(self, name: str) -> tuple[str, ...]:
        """What a player may type for a command of the terminal game."""
        return tuple(self.data["commands"][name])

    def also(self, card: str) -> tuple[str, ...]:
        """Other names for a card."""
        return tuple(self.data["also"].get(card, ()))

    def printed(self, card: str) -> tuple[str, ...]:
        """Names that some boxes and texts have for a card; they are not abbreviated."""
        return tuple(self.data["printed"].get(card, ()))

    @property
    def you(self) -> str:
        """The word for "you" in a list of names."""
        return str(self.data["names"]["you"])

    def say(self, key: str, /, **params: str | int) -> str:
        """A sentence of the user interface."""
        return self._filled(self.data["ui"][key], params)

    def invitation(self, key: str, /, **params: str | int) -> str:
        """What a messenger shows with the link to a table."""
        return self._filled(self.data["invitations"][key], params)

    def joining(self, key: str, /, **params: str | int) -> str:
        """What somebody with a link reads before they join."""
        return self._filled(self.data["web"]["join"][key], params)

    def numbered(self, seats: int, sides: int) -> Names:
        """Names for a table without names: seat 0, side 0."""
        name = self.data["names"]
        return Names(
            tuple(name["seat"].format(number=seat) for seat in range(seats)),
            tuple(name["side"].format(number=side) for side in range(sides)),
        )

    def named(self, seats: Sequence[str], sides: int, you: int | None = None) -> Names:
        """Names for a table of people and bots; partners are named together."""
        teams: list[str] = []
        for side in range(sides):
            members = list(seats[side::sides])
            name = members[0]
            if len(members) > 1:
                name = self.data["names"]["team"].format(first=members[0], second=members[1])
            teams.append(name)
        return Names(tuple(seats), tuple(teams), you, plural=len(seats) > sides)

    def sentence(self, coded: Coded, names: Names | None = None) -> str:
        """The sentence for a code with its parameters."""
        template = self.data[coded.section][coded.code]
        params = dict(coded.params)
        if not isinstance(template, str):
            template = template[str(params[template["by"]])]
        if coded.section not in _NAMING_SECTIONS:
            return self._filled(template, params)
        known = names or self.numbered(_MOST_SEATS, _MOST_SEATS)
        shown = {key: self._shown(key, value, known) for key, value in params.items()}
        return _capitalised(self._filled(template, shown))

    def events(self, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, as sentences addressed to the seat that is "you"."""
        return [sentence for event in events for sentence in self._event(event, names)]

    def _filled(self, template: object, params: Mapping[str, str | int]) -> str:
        text = str(template)
        if self.language == "fr":
            text = elided(text, params)
        return text.format(**params)

    def _shown(self, key: str, value: str | int, names: Names) -> str:
        if key in _CARD_PARAMETERS:
            return self.card(str(value))
        if key == "seat":
            return names.seats[int(value)]
        if key in ("side", "first"):
            return names.sides[int(value)]
        if key == "line":
            return self.score_line(str(value))
        return str(value)

    def _event(self, event: Event, names: Names) -> list[str]:
        def tell(key: str, yours: bool = False, **params: str | int) -> str:
            template = self.data["events"][f"{key}_you" if yours else key]
            shown = {name: self._shown(name, value, names) for name, value in params.items()}
            return _capitalised(self._filled(template, shown))

        def cleared(cards: Sequence[Card]) -> list[str]:
            listed = ", ".join(self.card(card) for card in cards)
            return [tell("cleared", cards=listed)] if cards else []

        you = names.you
        team = "_team" if names.plural else ""
        match event:
            case Dealt(number, dealer):
                return [tell("dealt", dealer == you, number=number, seat=dealer)]
            case Drawn(seat, card):
                return [tell("drawn", seat == you, seat=seat, card=card)]
            case Played(seat, card, side, gone):
                if card not in HAZARDS:
                    return [tell("played", seat == you, seat=seat, card=card), *cleared(gone)]
                if side == names.your_side:
                    return [tell("attack_on_you", seat=seat, card=card)]
                return [tell("attack", seat == you, seat=seat, card=card, side=side)]
            case Discarded(seat, card):
                return [tell("discarded", seat == you, seat=seat, card=card)]
            case Passed():
                return [tell("passed")]
            case Countered(seat, card, hazard, _, gone):
                called = tell("countered", seat == you, seat=seat, card=card, hazard=hazard)
                return [called, *cleared(gone)]
            case Expired(side):
                return [tell("expired", side == names.your_side, side=side)]
            case Extended(seat):
                return [tell("extended", seat == you, seat=seat)]
            case HandEnded(None):
                return [tell("exhausted")]
            case HandEnded(int() as side):
                if side == names.your_side:
                    return [tell("completed", True, side=side)]
                return [tell(f"completed{team}", side=side)]
            case MatchEnded(_, None):
                return [tell("drawn_match")]
            case MatchEnded(totals, int() as side):
                points = totals[side]
                if side == names.your_side:
                    return [tell("won", True, side=side, points=points)]
                return [tell(f"won{team}", side=side, points=points)]
        raise TypeError(f"not an event: {event!r}")


def _capitalised(text: str) -> str:
    """The text with capitals at the start of sentences, which may be a name such as "seat 0"."""
    return _BEGINNING.sub(lambda found: found[0].upper(), text)
