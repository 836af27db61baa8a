"""Every rule of an edition, as text."""

from rich.text import Text

from millebornes.rules import Edition
from millebornes.rules.edition import rule_fields, toml_value
from millebornes.words import Words

from .layout import paragraph

__all__ = ["draw_edition"]


def draw_edition(edition: Edition, words: Words, width: int) -> list[Text]:
    """Every rule: its value, its meaning and its source."""
    lines = [Text(f"{edition.id}  {words.edition_name(edition)}", "bold")]
    if edition.parent is not None:
        lines.append(Text(words.say("house_of", parent=edition.parent)))
    for name in rule_fields():
        lines.append(Text(f"{name} = {toml_value(edition.toml_ready(name))}", "bold"))
        lines += map(Text, paragraph(words.field(name), width, "    "))
        source = words.say("source", source=edition.sources.get(name, "-"))
        lines += [Text(line, "dim") for line in paragraph(source, width, "    ")]
    return lines
