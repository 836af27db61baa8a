"""The rules of an edition, as text: the tables of its page, and every field with its source."""

from rich.text import Text

from millebornes.rules import DEFAULT_EDITION, Edition
from millebornes.rules.edition import rule_fields, toml_value
from millebornes.words import Words, rule_book
from millebornes.words.rule_book import Table

from .layout import grid, paragraph

__all__ = ["draw_edition", "draw_rules"]

_INDENT = "    "
_EQUALS = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"  # a line may not end within 2 = 700


def draw_edition(edition: Edition, words: Words, width: int) -> list[Text]:
    """The rules, then every field: its value, its meaning and its source."""
    words = words.of(edition)
    lines = [*draw_rules(edition, words, width), *_title("fields", words)]
    for name in rule_fields():
        lines.append(Text(f"{name} = {toml_value(edition.toml_ready(name))}", "bold"))
        lines += map(Text, paragraph(words.field(name), width, _INDENT))
        source = words.say("source", source=edition.sources.get(name, "-"))
        lines += [Text(line, "dim") for line in paragraph(source, width, _INDENT)]
    return lines


def draw_rules(edition: Edition, words: Words, width: int) -> list[Text]:
    """Players, deck, hazards, scoring, and what differs from another edition."""
    words = words.of(edition)
    name = words.edition_name(edition)
    # The id of house rules is a hash, which nobody types.
    lines = [Text(name if edition.parent else f"{edition.id}  {name}", "bold")]
    if edition.parent is not None:
        lines.append(Text(words.say("house_of", parent=edition.parent)))
    lines += _title("players", words) + _table(rule_book.players_table(edition, words), width)
    lines += _title("deck", words) + _table(rule_book.deck_table(edition, words), width)
    lines += _title("attacks", words)
    for sentence in rule_book.attack_rules(edition, words):
        lines += map(Text, _item(sentence, width))
    lines += _title("scoring", words) + _table(rule_book.scoring_table(edition, words), width)
    lines += map(Text, paragraph(" ".join(rule_book.match_rules(edition, words)), width))
    return lines + _differences(edition, words, width)


def _title(key: str, words: Words, **params: str) -> list[Text]:
    return [Text(), Text(words.rule_book(key, **params), "bold underline")]


def _table(table: Table, width: int) -> list[Text]:
    return [line for row in grid(table.heads, table.rows, width) for line in row]


def _item(sentence: str, width: int) -> list[str]:
    first, *more = paragraph(sentence, width - 2)
    return ["- " + first, *("  " + line for line in more)]


def _differences(edition: Edition, words: Words, width: int) -> list[Text]:
    """The fields that differ, each with its meaning beneath."""
    if edition is DEFAULT_EDITION:
        return [*_title("differences", words), Text(words.rule_book("no_differences"))]
    other = rule_book.compared_with(edition)
    lines = _title("differences_from", words, edition=other.id)
    table = rule_book.differences(edition, words)
    values = [tuple(cell.replace(" = ", _EQUALS) for cell in row[:-1]) for row in table.rows]
    head, *rows = grid(table.heads[:-1], values, width)
    lines += head
    for row, (*_, meaning) in zip(rows, table.rows, strict=True):
        lines += row
        lines += [Text(line, "dim") for line in paragraph(meaning, width, _INDENT)]
    return lines
