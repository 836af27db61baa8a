"""Editions, house rules and bots."""

import gzip
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from millebornes.bots import MEASURED
from millebornes.rules import EDITIONS, PRESETS, Edition, EditionError, edition_named, house_rules
from millebornes.rules.edition import rule_fields
from millebornes.server.admission import Admission
from millebornes.server.bot_workers import State, Thinkers
from millebornes.server.requests import ApiError, accepted, as_json, body, words_of
from millebornes.table.names import checked_title
from millebornes.table.rest import (
    BotInfo,
    EditionInfo,
    FieldInfo,
    HouseRules,
    PresetInfo,
    RuleChoice,
    RuleGroup,
    RuleInfo,
)
from millebornes.words import RuleForm, Words

from .openapi import Operation

__all__ = ["Rules", "bad_rules", "edition_info", "read_rules"]


class Rules:
    """`/api/editions`, `/api/presets`, `/api/rules`, `/api/house-rules` and `/api/bots`."""

    def __init__(self, admission: Admission, thinkers: Thinkers) -> None:
        self._admission = admission
        self._thinkers = thinkers

    def operations(self) -> list[Operation]:
        """The operations of these paths."""
        return [
            Operation("GET", "/api/editions", self.get_editions, list[EditionInfo]),
            Operation("GET", "/api/editions/{edition}", self.get_edition, EditionInfo),
            Operation("GET", "/api/presets", self.get_presets, list[PresetInfo]),
            Operation("GET", "/api/rules", self.get_rules, list[RuleGroup]),
            Operation("POST", "/api/house-rules", self.post_house_rules, EditionInfo, HouseRules),
            Operation("GET", "/api/bots", self.get_bots, list[BotInfo]),
        ]

    async def get_editions(self, request: Request) -> Response:
        """List the printed editions."""
        return _constant(request, _editions)

    async def get_edition(self, request: Request) -> Response:
        """Get one printed edition, or one preset by its name."""
        try:
            edition = edition_named(request.path_params["edition"])
        except EditionError:
            raise ApiError(404, "not_found") from None
        return as_json(edition_info(edition, words_of(request)))

    async def get_presets(self, request: Request) -> Response:
        """List the presets: house rules that come with the program, and that no box has."""
        return _constant(request, _presets)

    async def get_rules(self, request: Request) -> Response:
        """List every rule that house rules can change, as a form asks for it."""
        return _constant(request, _rules)

    async def post_house_rules(self, request: Request) -> Response:
        """Validate house rules, and return the whole edition if they are valid."""
        guest = await self._admission.need_guest(request)
        toml = (await body(request, HouseRules)).toml
        self._admission.count_house_rules(request, guest)
        return as_json(edition_info(read_rules(toml), words_of(request)))

    async def get_bots(self, _request: Request) -> Response:
        """List the bots, weakest first, then those of the operator."""
        return as_json([_bot_info(*level) for level in self._thinkers.levels.items()])


def _bot_info(level: str, state: State) -> BotInfo:
    measured = MEASURED.get(level)
    if measured is None:
        return BotInfo(level, state.is_ready, outside=state.is_outside)
    return BotInfo(level, state.is_ready, measured.against, round(100 * measured.wins))


def _constant(request: Request, encoded: Callable[[Words, bool], bytes]) -> Response:
    """A response that changes only with the program; its bodies are cached."""
    is_compressed = "gzip" in accepted(request.headers.get("accept-encoding", ""))
    content = encoded(words_of(request), is_compressed)
    headers = {"Vary": "Accept-Encoding, Accept-Language"}
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type="application/json")


@cache
def _editions(spoken: Words, is_compressed: bool) -> bytes:
    encoded = msgspec.json.encode([edition_info(edition, spoken) for edition in EDITIONS.values()])
    return gzip.compress(encoded) if is_compressed else encoded


@cache
def _presets(spoken: Words, is_compressed: bool) -> bytes:
    presets = [PresetInfo(name, edition_info(preset, spoken)) for name, preset in PRESETS.items()]
    encoded = msgspec.json.encode(presets)
    return gzip.compress(encoded) if is_compressed else encoded


@cache
def _rules(spoken: Words, is_compressed: bool) -> bytes:
    groups = [
        RuleGroup(
            group,
            about["title"],
            tuple(_rule_info(name, form) for name, form in about["rules"].items()),
        )
        for group, about in spoken.rule_forms.items()
    ]
    encoded = msgspec.json.encode(groups)
    return gzip.compress(encoded) if is_compressed else encoded


def _rule_info(name: str, form: RuleForm) -> RuleInfo:
    values = rule_fields()[name].values
    return RuleInfo(
        name,
        values.kind,
        form["label"],
        form["means"],
        tuple(RuleChoice(value, form["choices"][value]) for value in values.choices),
        values.least,
        values.most,
        values.step,
    )


def read_rules(toml: str) -> Edition:
    """Parse house rules; `ApiError` names what is wrong with them.

    Their name is shown to everybody at the table and in the lobby, so it is cleaned like others.
    """
    try:
        edition = house_rules(toml)
    except (EditionError, tomllib.TOMLDecodeError) as error:
        raise bad_rules(error) from None
    if edition.name is None or edition.parent is None:
        return edition
    name = checked_title(edition.name)
    if name is None:
        raise ApiError(400, "name_not_shown", rule="name")
    return replace(edition, name=name)


def bad_rules(error: EditionError | tomllib.TOMLDecodeError) -> ApiError:
    """The answer to rules that are not valid."""
    key = error.key if isinstance(error, EditionError) else None
    rule = key if key in rule_fields() or key in ("name", "parent") else None
    return ApiError(400, "bad_rules", {"detail": str(error)[:500]}, rule=rule)


def edition_info(edition: Edition, spoken: Words) -> EditionInfo:
    """An edition as the REST type."""
    return EditionInfo(
        id=edition.id,
        name=None if edition.name is None else spoken.edition_name(edition),
        character=spoken.character(edition),
        parent=edition.parent,
        player_counts=edition.player_counts,
        teams_at=edition.teams_at,
        short_trip_at=edition.short_trip_at,
        rules=tuple(
            FieldInfo(name, edition.toml_ready(name), rule.means, edition.sources[name])
            for name, rule in rule_fields().items()
        ),
    )
