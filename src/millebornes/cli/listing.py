"""The editions, and every rule of one of them."""

from typing import Any

from rich.text import Text

from millebornes.rules import DEFAULT_EDITION, EDITIONS, Edition
from millebornes.rules.edition import rule_fields, toml_value
from millebornes.words import Words

from .layout import paragraph

__all__ = ["draw_edition", "draw_editions", "edition_json", "editions_json"]


def draw_editions(words: Words, width: int) -> list[Text]:
    """The printed editions, with their character and player counts."""
    lines: list[Text] = []
    for edition in EDITIONS.values():
        heading = Text(edition.id, "bold")
        players = ", ".join(map(str, edition.player_counts))
        heading.append(
            f"  {words.say('edition_line', name=words.edition_name(edition), players=players)}", ""
        )
        lines.append(heading)
        character = words.edition(edition.id)
        if edition is DEFAULT_EDITION:
            character = f"{character} {words.say('edition_default')}"
        lines += map(Text, paragraph(character, width, "    "))
    return lines


def editions_json(words: Words) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "id": edition.id,
            "name": edition.name,
            "character": words.edition(edition.id),
            "players": list(edition.player_counts),
            "default": edition is DEFAULT_EDITION,
        }
        for edition in EDITIONS.values()
    ]


def draw_edition(edition: Edition, words: Words, width: int) -> list[Text]:
    """Every rule: its value, what it means, where it comes from."""
    lines = [Text(f"{edition.id}  {words.edition_name(edition)}", "bold")]
    if edition.parent is not None:
        lines.append(Text(words.say("house_of", parent=edition.parent)))
    for name in rule_fields():
        lines.append(Text(f"{name} = {toml_value(edition.toml_ready(name))}", "bold"))
        lines += map(Text, paragraph(words.field(name), width, "    "))
        source = words.say("source", source=edition.sources.get(name, "-"))
        lines += [Text(line, "dim") for line in paragraph(source, width, "    ")]
    return lines


def edition_json(edition: Edition, words: Words) -> dict[str, Any]:
    """The same for programs."""
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
