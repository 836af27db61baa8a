"""The rules and the bots: editions, house rules, levels."""

import tomllib

from starlette.requests import Request
from starlette.responses import Response

from millebornes.bots import BOTS
from millebornes.rules import EDITIONS, Edition, EditionError, house_rules
from millebornes.rules.edition import rule_fields
from millebornes.server.requests import ApiError, as_json, body, compressed, words_of
from millebornes.table.rest import BotInfo, EditionInfo, FieldInfo, HouseRules
from millebornes.words import Words

from .openapi import Operation

__all__ = ["Rules", "edition_info", "read_rules"]


class Rules:
    """`/api/editions`, `/api/house-rules` and `/api/bots`."""

    def operations(self) -> list[Operation]:
        """What can be asked for."""
        return [
            Operation("GET", "/api/editions", self.get_editions, list[EditionInfo]),
            Operation("GET", "/api/editions/{edition}", self.get_edition, EditionInfo),
            Operation("POST", "/api/house-rules", self.post_house_rules, EditionInfo, HouseRules),
            Operation("GET", "/api/bots", self.get_bots, list[BotInfo]),
        ]

    async def get_editions(self, request: Request) -> Response:
        """The printed editions."""
        spoken = words_of(request)
        return compressed(request, [edition_info(one, spoken) for one in EDITIONS.values()])

    async def get_edition(self, request: Request) -> Response:
        """One printed edition."""
        edition = EDITIONS.get(request.path_params["edition"])
        if edition is None:
            raise ApiError(404, "not_found")
        return as_json(edition_info(edition, words_of(request)))

    async def post_house_rules(self, request: Request) -> Response:
        """Are these house rules sound? The whole edition if they are."""
        toml = (await body(request, HouseRules)).toml
        return as_json(edition_info(read_rules(toml), words_of(request)))

    async def get_bots(self, _request: Request) -> Response:
        """The bots there are."""
        return as_json([BotInfo(level) for level in BOTS])


def read_rules(toml: str) -> Edition:
    """House rules; an error that names what is wrong."""
    try:
        return house_rules(toml)
    except (EditionError, tomllib.TOMLDecodeError) as error:
        raise ApiError(400, "bad_rules", {"detail": str(error)[:500]}) from None


def edition_info(edition: Edition, spoken: Words) -> EditionInfo:
    """An edition as REST tells it."""
    return EditionInfo(
        id=edition.id,
        name=edition.name,
        character=spoken.edition(edition.parent or edition.id),
        parent=edition.parent,
        player_counts=edition.player_counts,
        teams_at=edition.teams_at,
        short_trip_at=edition.short_trip_at,
        rules=tuple(
            FieldInfo(name, edition.toml_ready(name), rule.means, edition.sources[name])
            for name, rule in rule_fields().items()
        ),
    )
