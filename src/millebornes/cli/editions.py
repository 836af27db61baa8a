"""The commands `editions` and `edition`: the printed rules, and every rule of one of them."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.text import Text

from millebornes.rules import DEFAULT_EDITION, EDITIONS, PRESETS, Edition
from millebornes.rules.edition import rule_fields
from millebornes.words import Words

from .command import terminal
from .draw.edition import draw_edition
from .draw.layout import paragraph
from .files import load_edition
from .options import EDITION_HELP, Json, Lang

__all__ = ["edition", "editions"]


def editions(as_json: Json = False, lang: Lang = None) -> None:
    """List the editions: the printed rules that you can play by, and the presets."""
    with terminal(lang) as (screen, words):
        if as_json:
            screen.json(_editions_json(words))
        else:
            screen.show(_draw_editions(words, screen.width))


def edition(
    name: Annotated[str, typer.Argument(help=EDITION_HELP)],
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show every rule of an edition, with its meaning and its source."""
    with terminal(lang) as (screen, words):
        found = load_edition(name, words)
        if as_json:
            screen.json(_edition_json(found, words))
        else:
            screen.show(draw_edition(found, words, screen.width))


def _draw_editions(words: Words, width: int) -> list[Text]:
    """The printed editions, then the presets: name, player counts and character."""
    lines = _draw_each(EDITIONS, words, width)
    lines += [Text(), *map(Text, paragraph(words.say("presets"), width))]
    return lines + _draw_each(PRESETS, words, width)


def _draw_each(editions: Mapping[str, Edition], words: Words, width: int) -> list[Text]:
    lines: list[Text] = []
    for key, edition in editions.items():
        heading = Text(key, "bold")
        players = ", ".join(map(str, edition.player_counts))
        heading.append(
            f"  {words.say('edition_line', name=words.edition_name(edition), players=players)}", ""
        )
        lines.append(heading)
        character = words.character(edition)
        if edition is DEFAULT_EDITION:
            character = f"{character} {words.say('edition_default')}"
        lines += map(Text, paragraph(character, width, "    "))
    return lines


def _editions_json(words: Words) -> list[dict[str, Any]]:
    return [
        {
            "id": key,
            "name": words.edition_name(edition),
            "character": words.character(edition),
            "players": list(edition.player_counts),
            "default": edition is DEFAULT_EDITION,
            "printed": edition.parent is None,
        }
        for key, edition in (*EDITIONS.items(), *PRESETS.items())
    ]


def _edition_json(edition: Edition, words: Words) -> dict[str, Any]:
    return {
        "id": edition.id,
        "name": edition.name,
        "parent": edition.parent,
        "rules": {
            name: {
                "value": edition.toml_ready(name),
                "means": words.field(name),
                "allowed": rule.allowed,
                "source": edition.sources.get(name),
            }
            for name, rule in rule_fields().items()
        },
    }
