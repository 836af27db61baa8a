"""The pages on the rules, generated from the editions and the texts in `tools/texts`."""

from millebornes.rules import (
    DEFAULT_EDITION,
    EDITIONS,
    PRESETS,
    Edition,
    EditionError,
    house_rules,
)
from millebornes.rules.cards import COPIES, HAZARDS_OF, REMEDY_OF, Card
from millebornes.rules.edition import rule_fields, toml_value
from millebornes.words import rule_book, words
from millebornes.words.rule_book import Table

from .markdown import bullets, hand_written, listed, page, table

_EDITIONS = "src/millebornes/rules/editions.py"
_FIELDS = "src/millebornes/rules/edition.py"
_CARDS = "src/millebornes/words"
SAID = {
    Card.ACC: "ak-see-DAHN",
    Card.OUT: "pan dess-AHNSS",
    Card.FLAT: "kruh-VAY",
    Card.STOP: "fuh roozh",
    Card.LIM: "lee-MEET duh vee-TESS",
    Card.REP: "ray-pa-ra-SYON",
    Card.GAS: "ess-AHNSS",
    Card.SPARE: "roo duh suh-KOOR",
    Card.ROLL: "fuh vair",
    Card.EOL: "fan duh lee-MEET duh vee-TESS",
    Card.ACE: "ahss dü vo-LAHN",
    Card.TANK: "see-TAIRN dess-AHNSS",
    Card.PROOF: "an-kruh-VAH-bl",
    Card.ROW: "vay-ee-KÜL pree-or-ee-TAIR",
    Card.AUTO: "oh-toh-ROOT",
}
"""How to say the French names."""
MISTAKES = (
    'parent = "winning-moves"\nmax_200s = 5\n',
    'parent = "parker-1988"\nteams_at = [3]\n',
    'parent = "article"\ntie = "coin toss"\n',
    'parent = "parker-1988"\nextension_at = [2, 8]\n',
    "target = 3000\n",
)


def rules_pages() -> dict[str, str]:
    """Every page of `docs/rules`, by its name."""
    editions = {f"{edition.id}.md": edition_page(edition) for edition in EDITIONS.values()}
    others = {"README.md": index(), "house-rules.md": house_rules_page(), "names.md": names_page()}
    return {**others, **editions}


def edition_page(edition: Edition) -> str:
    """The page of one printed edition; all share this template."""
    english = words("en").of(edition)
    title = english.rule_book
    parts = [
        f"# {edition.name}",
        f"`{edition.id}`",
        hand_written(edition.id),
        f"## {title('players')}",
        plain(rule_book.players_table(edition, english)),
        f"## {title('deck')}",
        deck_table(edition),
        f"## {title('attacks')}",
        bullets(rule_book.attack_rules(edition, english)),
        f"## {title('scoring')}",
        plain(rule_book.scoring_table(edition, english)),
        " ".join(rule_book.match_rules(edition, english)),
        f"## {title('differences')}",
        differences(edition),
        f"## {title('fields')}",
        fields_of(edition),
    ]
    return page(parts, edition.id, _EDITIONS)


def index() -> str:
    """The first page: the editions, the rules they share, all fields side by side."""
    english, french = words("en"), words("fr")
    editions = table(
        ("id", "name", "character"),
        (
            (
                f"[`{edition.id}`]({edition.id}.md)" + default_mark(edition),
                english.edition_name(edition),
                english.edition(edition.id),
            )
            for edition in EDITIONS.values()
        ),
    )
    cards = table(
        ("code", "English", "French", "copies", ""),
        (
            (
                f"`{card}`",
                english.card(card),
                french.card(card),
                str(COPIES.get(card, "0 to 4")),
                what_a_card_does(card),
            )
            for card in Card
            if card is not Card.UNKNOWN
        ),
    )
    comparison = table(
        ("field", *(f"`{edition}`" for edition in EDITIONS)),
        (
            (f"`{name}`", *(value(edition, name) for edition in EDITIONS.values()))
            for name in rule_fields()
        ),
    )
    text = hand_written("index").format(editions=editions, cards=cards, comparison=comparison)
    return page([text], "index", _EDITIONS)


def house_rules_page() -> str:
    """How to write house rules."""
    fields = table(
        ("field", "meaning", "allowed", "default"),
        (
            (f"`{name}`", rule.means, rule.allowed, value(DEFAULT_EDITION, name))
            for name, rule in rule_fields().items()
        ),
    )
    mistakes = "\n\n".join(mistake(text) for text in MISTAKES)
    text = hand_written("house-rules")
    # Not str.format: the examples are full of braces.
    for part, written in (("presets", presets()), ("fields", fields), ("mistakes", mistakes)):
        text = text.replace(f"{{{part}}}", written)
    return page([text], "house-rules", _FIELDS)


def names_page() -> str:
    """The names of the cards, how to say them, and where the game comes from."""
    english, french = words("en"), words("fr")
    cards = table(
        ("code", "English", "French", "say", "also"),
        (
            (
                f"`{card}`",
                english.card(card),
                french.card(card),
                SAID[card],
                ", ".join(f"*{name}*" for name in (*english.also(card), *french.also(card))),
            )
            for card in SAID
        ),
    )
    return page([hand_written("names").replace("{cards}", cards)], "names", _CARDS)


def presets() -> str:
    """The presets, with the rules that make them."""
    english = words("en")
    return table(
        ("name", "character", "based on", "rules"),
        (
            (
                f"`{name}`",
                english.character(preset),
                f"`{preset.parent}`",
                ", ".join(changes(preset, EDITIONS[str(preset.parent)])),
            )
            for name, preset in PRESETS.items()
        ),
    )


def changes(edition: Edition, parent: Edition) -> list[str]:
    """The rules that differ from the parent's, as a house-rules file has them."""
    return [
        f"`{name} = {toml_value(edition.toml_ready(name))}`"
        for name in rule_fields()
        if getattr(edition, name) != getattr(parent, name)
    ]


def mistake(toml: str) -> str:
    """A house-rules file that is rejected, and the error message."""
    try:
        house_rules(toml)
    except EditionError as error:
        return f"```toml-error\n{toml}```\n\n```error\n{error}\n```"
    raise AssertionError(f"not a mistake: {toml}")


# Parts of an edition's page


def plain(found: Table) -> str:
    """A table as it is."""
    return table(found.heads, found.rows)


def deck_table(edition: Edition) -> str:
    """How many of each card, with its names in both languages."""
    english = rule_book.deck_table(edition, words("en").of(edition))
    french = rule_book.deck_table(edition, words("fr").of(edition))
    code, _, *heads = english.heads
    return table(
        (code, "English", "French", *heads),
        (
            (f"`{code}`" if code else "", name, other[1] if code else "", *copies)
            for (code, name, *copies), other in zip(english.rows, french.rows, strict=True)
        ),
    )


def differences(edition: Edition) -> str:
    """The fields that differ from the default edition."""
    english = words("en").of(edition)
    if edition is DEFAULT_EDITION:
        return english.rule_book("no_differences")
    found = rule_book.differences(edition, english)
    field, here, other, meaning = found.heads
    rows = ((f"`{name}`", f"`{ours}`", f"`{theirs}`", m) for name, ours, theirs, m in found.rows)
    return table((field, here, f"`{other}`", meaning), rows)


def fields_of(edition: Edition) -> str:
    """Every field with its value, meaning and source."""
    english = words("en").of(edition)
    return table(
        ("field", "value", "meaning", "source"),
        (
            (f"`{name}`", value(edition, name), english.field(name), edition.sources[name])
            for name in rule_fields()
        ),
    )


# Small helpers


def what_a_card_does(card: Card) -> str:
    """What a hazard needs and what a safety protects from."""
    english = words("en")
    if card in REMEDY_OF:
        return f"answered by {english.card(REMEDY_OF[card])}"
    if card in HAZARDS_OF:
        return "protects from " + listed([english.card(hazard) for hazard in HAZARDS_OF[card]])
    if card is Card.AUTO:
        return "`dujardin-2019` and house rules only"
    return ""


def value(edition: Edition, name: str) -> str:
    """A field's value as TOML writes it."""
    return f"`{toml_value(edition.toml_ready(name))}`"


def default_mark(edition: Edition) -> str:
    return " (default)" if edition is DEFAULT_EDITION else ""
