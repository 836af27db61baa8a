"""The pages on the rules, generated from the editions and the texts in `tools/texts`."""

from collections import Counter

from millebornes.rules import DEFAULT_EDITION, EDITIONS, Edition, EditionError, house_rules
from millebornes.rules.cards import COPIES, HAZARDS_OF, REMEDY_OF, Card
from millebornes.rules.edition import rule_fields, toml_value
from millebornes.rules.score_sheet import POINTS_RULES, ScoreSheet
from millebornes.rules.state import HAND_SIZE
from millebornes.words import words

from .markdown import bullets, hand_written, listed, page, table

_EDITIONS = "src/millebornes/rules/editions.py"
_FIELDS = "src/millebornes/rules/edition.py"
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
    return {"README.md": index(), "house-rules.md": house_rules_page(), **editions}


def edition_page(edition: Edition) -> str:
    """The page of one printed edition; all share this template."""
    parts = [
        f"# {edition.name}",
        f"`{edition.id}`",
        hand_written(edition.id),
        "## Players, sides, trip",
        players_table(edition),
        "## The deck",
        deck_table(edition),
        "## What a hazard may land on",
        bullets(attack_rules(edition)),
        "## Scoring",
        scoring_table(edition),
        match_rules(edition),
        "## Differences from the default",
        differences(edition),
        "## Every field and its source",
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
    # Not str.format: the examples are full of braces.
    text = hand_written("house-rules").replace("{fields}", fields).replace("{mistakes}", mistakes)
    return page([text], "house-rules", _FIELDS)


def mistake(toml: str) -> str:
    """A house-rules file that is rejected, and the error message."""
    try:
        house_rules(toml)
    except EditionError as error:
        return f"```toml-error\n{toml}```\n\n```error\n{error}\n```"
    raise AssertionError(f"not a mistake: {toml}")


# Parts of an edition's page


def players_table(edition: Edition) -> str:
    """A row for each player count."""
    rows = []
    for players in edition.player_counts:
        deck = len(edition.deck(players))
        trip = str(edition.trip_at(players))
        if players in edition.short_trip_at:
            trip += ", or 700 by agreement"
        if players in edition.extension_at:
            trip += ", may be extended to 1000"
        sides = edition.sides_at(players)
        rows.append(
            (
                str(players),
                f"{sides} teams of two" if edition.has_teams(players) else f"{sides} individuals",
                trip,
                str(deck),
                str(deck - HAND_SIZE * players),
            )
        )
    heads = ("players", "sides", "trip", "cards in the deck", "draw pile after the deal")
    return table(heads, rows)


def deck_table(edition: Edition) -> str:
    """How many of each card, by player count where it matters."""
    english, french = words("en"), words("fr")
    decks: dict[tuple[Card, ...], list[int]] = {}
    for players in edition.player_counts:
        decks.setdefault(edition.deck(players), []).append(players)
    heads = [f"with {listed(counts)} players" for counts in decks.values()]
    copies = [Counter(deck) for deck in decks]
    if len(decks) == 1:
        heads = ["copies"]
    rows = [
        (f"`{card}`", english.card(card), french.card(card), *(str(c[card]) for c in copies))
        for card in Card
        if any(c[card] for c in copies)
    ]
    rows.append(("", "total", "", *(str(c.total()) for c in copies)))
    return table(("code", "English", "French", *heads), rows)


def attack_rules(edition: Edition) -> list[str]:
    """What may be attacked."""
    rules = []
    if edition.battle_hazard_on == "rolling":
        rules.append(
            "Accident, Out of Gas, Flat Tire and Stop land only on a **rolling** car: one with "
            "a Roll on top, or with Right of Way and no active hazard. Hazards do not pile up."
        )
    else:
        rules.append(
            "Accident, Out of Gas, Flat Tire and Stop land on any car that has **started**: one "
            "with a battle card of any kind, or with Right of Way. Hazards may pile up."
        )
    rules.append(
        "A car with Right of Way and no battle card "
        + ("can be hit." if edition.row_empty_attackable else "cannot be hit.")
    )
    rules.append(
        "A Speed Limit lands on any opposing side, whether started or not, stopped or not."
    )
    rules.append(
        "A Speed Limit may be played on a Speed Limit."
        if edition.limit_on_limit
        else "A Speed Limit cannot be played on a Speed Limit."
    )
    protection = "No hazard lands on a side that has the matching safety on the table"
    protection += ", or on one on the Autoroute." if edition.autoroute_cards else "."
    rules.append(protection)
    rules.append(
        "When Right of Way is played, a Stop and a Speed Limit on top of their piles are discarded."
        if edition.right_of_way_discards
        else "When Right of Way is played, a Stop or a Speed Limit on top of its pile stays, inert."
    )
    return rules


def meaning(line: str) -> str:
    """The meaning of a line's rule, for lines without their own text here."""
    return "" if line == "miles" else rule_fields()[POINTS_RULES[line]].means


def scoring_table(edition: Edition) -> str:
    """The score sheet, line by line."""
    english = words("en")
    by_miles = edition.exhaustion_winner == "most_miles"
    trip = "to the side that completes the trip"
    if by_miles:
        trip += "; if the cards run out, to the side with the most miles, or to nobody in a tie"
    delayed = "trip completed with the draw pile empty"
    if edition.delayed_action_needs_empty_start:
        delayed += " before the turn's first draw"
    when = {
        "miles": "for each mile travelled",
        "safeties": "for each safety on the table",
        "all_four": "for all four safeties on one side",
        "coups_fourres": "for each, in addition to the safety's points",
        "trip": trip,
        "delayed_action": delayed,
        "safe_trip": "hand won without a 200" if by_miles else "trip completed without a 200",
        "shut_out": SHUT_OUT[edition.shut_out],
        "extension": extension_rule(edition),
    }
    points = {line: getattr(edition, rule) for line, rule in POINTS_RULES.items()}
    points["miles"] = 1
    return table(
        ("line", "points", "when"),
        (
            (
                english.score_line(line),
                str(points[line] or "–"),
                when.get(line, meaning(line)) if points[line] else "not scored",
            )
            for line in ScoreSheet._fields
        ),
    )


SHUT_OUT = {
    "all": "once, to the side that completes the trip, if no opponent has a distance card",
    "each": "to the side that completes the trip, for each opponent without a distance card",
    "any": "every side without a distance card gives it to every other side, trip completed or not",
}
EXTENSION_GOES_TO = {
    "caller": "the caller",
    "completer": "the side that completed it",
    "each_opponent": "each opponent of the caller",
    "nobody": "nobody",
}


def extension_rule(edition: Edition) -> str:
    """Who scores the extension."""
    cases = (
        ("caller completes", edition.extension_if_caller_completes),
        ("another side completes", edition.extension_if_other_completes),
        ("nobody completes", edition.extension_if_nobody_completes),
    )
    return "; ".join(f"{case}: {EXTENSION_GOES_TO[goes]}" for case, goes in cases)


def match_rules(edition: Edition) -> str:
    """How a match ends."""
    if edition.hands:
        end = f"A match is {edition.hands} hands."
    else:
        end = f"A match is played to {edition.target:,} points."
    tie = {
        "another_hand": "If the leaders are tied, another hand is played.",
        "drawn": "If the leaders are tied, the match is drawn.",
    }[edition.tie]
    return f"{end} {tie} Each side may play at most {edition.max_200s} of the 200s in a hand."


def differences(edition: Edition) -> str:
    """The fields that differ from the default edition."""
    if edition is DEFAULT_EDITION:
        return "This is the default edition."
    rows = [
        (f"`{name}`", value(edition, name), value(DEFAULT_EDITION, name), rule.means)
        for name, rule in rule_fields().items()
        if getattr(edition, name) != getattr(DEFAULT_EDITION, name)
    ]
    return table(("field", "here", f"`{DEFAULT_EDITION.id}`", "meaning"), rows)


def fields_of(edition: Edition) -> str:
    """Every field with its value, meaning and source."""
    return table(
        ("field", "value", "meaning", "source"),
        (
            (f"`{name}`", value(edition, name), rule.means, edition.sources[name])
            for name, rule in rule_fields().items()
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
