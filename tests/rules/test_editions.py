"""Editions are values, and errors in house rules are reported."""

import dataclasses
import re
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import (
    DEFAULT_EDITION,
    EDITIONS,
    PRESETS,
    Card,
    Edition,
    EditionError,
    edition_named,
    house_rules,
    new_match,
)
from millebornes.rules.edition import LATER, Rule, rule_fields, toml_value
from millebornes.rules.editions import preset_of
from tests import strategies
from tests.strategies import bad_texts, house_editions, house_overrides

KEYS = "one of the keys " + ", ".join(rule_fields())
PARENTS = "one of parker-1988, winning-moves, article, encyclopedia, dujardin-2019, family, quick"
COUNTS = "a list of player counts (2, 3, 4, 6, 8)"
TRIPS = "a table from player counts (2, 3, 4, 6, 8) to miles (100 to 1000, in steps of 25)"


def refusal(toml: str) -> tuple[str, object, str]:
    with pytest.raises(EditionError) as refused:
        house_rules(toml)
    error = refused.value
    assert error.key in str(error)
    assert error.allowed in str(error)
    return error.key, error.value, error.allowed


# The five printed ones


def test_there_are_five_printed_editions_and_winning_moves_is_the_default() -> None:
    ids = ["parker-1988", "winning-moves", "article", "encyclopedia", "dujardin-2019"]
    assert list(EDITIONS) == ids
    assert DEFAULT_EDITION is EDITIONS["winning-moves"]
    for name in ids:
        assert edition_named(name) is EDITIONS[name]


def test_an_unknown_edition_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(EditionError) as refused:
        edition_named("hasbro")
    assert (refused.value.key, refused.value.value) == ("edition", "hasbro")
    assert refused.value.allowed == PARENTS


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_rule_of_a_printed_edition_cites_its_source(edition: Edition) -> None:
    assert set(edition.sources) == set(rule_fields())
    assert all(edition.sources.values())


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_canonical_text_of_an_edition_gives_it_back(edition: Edition) -> None:
    values = tomllib.loads(edition.to_toml())
    assert [*FIRST_FIELDS.split()] == [name for name in values if name not in LATER]
    assert edition.house(values) is edition
    # Upon any other parent the same rules result, but for trips of counts that nobody plays.
    for parent in EDITIONS.values():
        again = parent.house(values)
        assert all(
            getattr(again, name) == getattr(edition, name) for name in values if name != "trip"
        )
        for players in edition.player_counts:
            assert again.trip_at(players) == edition.trip_at(players)


def test_every_field_says_what_it_means_and_what_is_allowed() -> None:
    for name, rule in rule_fields().items():
        assert rule.means, name
        assert rule.allowed, name


def test_every_field_tells_forms_just_the_values_that_it_accepts() -> None:
    for name, rule in rule_fields().items():
        kind, choices, least, most, step = rule.values
        accepted: list[object] = []
        refused: list[object] = []
        match kind:
            case "switch":
                accepted, refused = [True, False], [0, "yes"]
            case "choice":
                accepted, refused = [*choices], ["other"]
            case "number" | "points":
                accepted = [least, least + step, most]
                refused = [least - step, most + step, *([least + 1] if step > 1 else [])]
            case "counts":
                accepted, refused = [[], [2], [2, 3, 4, 6, 8]], [[5], 2]
            case "trips":
                accepted = [{"2": least, "8": most}, {"3": least + step}]
                refused = [{"2": least - step}, {"2": most + step}, {"2": least + 1}, {"5": most}]
        assert all(accepts(rule, value) for value in accepted), name
        assert not any(accepts(rule, value) for value in refused), name


def accepts(rule: Rule, value: object) -> bool:
    try:
        rule.check(value)
    except ValueError:
        return False
    return True


def test_an_edition_made_by_hand_is_checked_as_well() -> None:
    with pytest.raises(EditionError) as refused:
        dataclasses.replace(EDITIONS["article"], max_200s=9)
    error = refused.value
    assert (error.key, error.value, error.allowed) == ("max_200s", 9, "a whole number from 0 to 4")


# A match at a table that cannot be


@pytest.mark.parametrize(
    ("edition", "players", "options", "key", "value", "allowed"),
    [
        ("article", 6, {}, "players", 6, "one of 2, 3, 4 in article"),
        ("article", 2, {"dealer": 2}, "dealer", 2, "a seat from 0 to 1"),
        ("article", 2, {"dealer": -1}, "dealer", -1, "a seat from 0 to 1"),
        (
            "article",
            2,
            {"short_trip": True},
            "short_trip",
            True,
            "no short trip in article",
        ),
        (
            "dujardin-2019",
            2,
            {"short_trip": True},
            "short_trip",
            True,
            "4 or 8 players in dujardin-2019",
        ),
    ],
)
def test_a_match_that_the_edition_does_not_have_is_refused(
    edition: str, players: int, options: dict[str, int], key: str, value: object, allowed: str
) -> None:
    with pytest.raises(EditionError) as refused:
        new_match(EDITIONS[edition], players, **options)  # type: ignore[arg-type]
    error = refused.value
    assert (error.key, error.value, error.allowed) == (key, value, allowed)


# House rules


def test_house_rules_name_a_parent_and_what_differs() -> None:
    edition = house_rules('parent = "article"\nname = "Chez nous"\nmax_200s = 4\ntie = "drawn"\n')
    parent = EDITIONS["article"]
    assert (edition.parent, edition.name) == ("article", "Chez nous")
    assert (edition.max_200s, edition.tie) == (4, "drawn")
    changed = {name for name in rule_fields() if getattr(edition, name) != getattr(parent, name)}
    assert changed == {"max_200s", "tie"}
    assert edition.sources["max_200s"] == "house rule"
    assert edition.sources["trip"] == parent.sources["trip"]
    assert edition.id.startswith("house-")
    assert len(edition.id) == len("house-") + 16


def test_the_id_of_house_rules_depends_on_the_rules_alone() -> None:
    one = house_rules('parent = "article"\nmax_200s = 4\ntie = "drawn"\n')
    two = house_rules('name = "x"\nparent = "article"\ntie = "drawn"\nmax_200s = 4\nhands = 0\n')
    other = house_rules('parent = "article"\nmax_200s = 3\ntie = "drawn"\n')
    assert one == two
    assert one.id == two.id != other.id
    assert one.house({"max_200s": 3}).id == other.id


def test_house_rules_that_change_nothing_are_the_parent() -> None:
    assert house_rules('parent = "article"\nmax_200s = 2\n') is EDITIONS["article"]


def test_house_rules_upon_house_rules_keep_their_root() -> None:
    edition = house_rules('parent = "encyclopedia"\nmax_200s = 4\n').house({"hands": 3})
    assert edition.parent == "encyclopedia"
    assert edition.name is None


def test_house_rules_upon_house_rules_keep_their_name() -> None:
    edition = house_rules('parent = "encyclopedia"\nname = "Chez nous"\nmax_200s = 4\n')
    assert edition.house({"hands": 3}).name == "Chez nous"
    assert edition.house({"hands": 3}, "Short").name == "Short"


def test_a_trip_is_merged_count_by_count() -> None:
    edition = house_rules('parent = "article"\n[trip]\n2 = 500\n')
    assert edition.trip == ((2, 500), (3, 700), (4, 1000))


def test_an_added_count_comes_with_its_trip_and_its_teams() -> None:
    text = 'parent = "article"\nplayer_counts = [2, 3, 4, 6]\nteams_at = [4, 6]\ntrip = {6 = 700}\n'
    edition = house_rules(text)
    assert edition.sides_at(6) == 3
    assert edition.trip_at(6) == 700
    assert edition.has_teams(6)
    assert not edition.has_teams(3)


def test_removed_hazards_and_autoroutes_change_the_deck() -> None:
    edition = house_rules('parent = "dujardin-2019"\nautoroute_cards = 1\nhazards_removed_at = [4]')
    assert len(edition.deck(2)) == 107
    assert len(edition.deck(4)) == 102
    assert edition.deck(4).count(Card.STOP) == 4
    assert edition.deck(4).count(Card.AUTO) == 1


@pytest.mark.parametrize(
    ("line", "key", "value", "allowed"),
    [
        ("max_201s = 4", "max_201s", 4, KEYS.replace("one", "max_200s, or another", 1)),
        ('id = "x"', "id", "x", KEYS),
        ("sources = {}", "sources", {}, KEYS),
        ("max_200s = 5", "max_200s", 5, "a whole number from 0 to 4"),
        ("max_200s = -1", "max_200s", -1, "a whole number from 0 to 4"),
        ("max_200s = true", "max_200s", True, "a whole number from 0 to 4"),
        ("max_200s = 2.0", "max_200s", 2.0, "a whole number from 0 to 4"),
        ('max_200s = "2"', "max_200s", "2", "a whole number from 0 to 4"),
        ("hands = 101", "hands", 101, "a whole number from 0 to 100"),
        ("target = 5010", "target", 5010, "a whole number from 25 to 100000, in steps of 25"),
        ("target = 0", "target", 0, "a whole number from 25 to 100000, in steps of 25"),
        ("trip_points = 10", "trip_points", 10, "a whole number from 0 to 5000, in steps of 25"),
        ("must_play_out = 1", "must_play_out", 1, "true or false"),
        ('tie = "win"', "tie", "win", '"another_hand" or "drawn"'),
        ("tie = 1", "tie", 1, '"another_hand" or "drawn"'),
        ("teams_at = 4", "teams_at", 4, COUNTS),
        ("teams_at = [5]", "teams_at", [5], COUNTS),
        ("teams_at = [4, 4]", "teams_at", [4, 4], COUNTS),
        ("teams_at = [true]", "teams_at", [True], COUNTS),
        ('teams_at = ["4"]', "teams_at", ["4"], COUNTS),
        ("teams_at = [2]", "teams_at", [2], "teams of two at 4, 6 or 8 players"),
        ("teams_at = [3]", "teams_at", [3], "teams of two at 4, 6 or 8 players"),
        ("trip = 700", "trip", 700, TRIPS),
        ("trip = { 5 = 700 }", "trip", {"5": 700}, TRIPS),
        ("trip = { two = 700 }", "trip", {"two": 700}, TRIPS),
        ("trip = { 2 = 710 }", "trip", {"2": 710}, TRIPS),
        ("trip = { 2 = 75 }", "trip", {"2": 75}, TRIPS),
        ("trip = { 2 = 1025 }", "trip", {"2": 1025}, TRIPS),
        ("trip = { 2 = true }", "trip", {"2": True}, TRIPS),
        ("trip = [[2, 700]]", "trip", [[2, 700]], TRIPS),
        ("player_counts = []", "player_counts", [], "at least one player count"),
        (
            "player_counts = [2, 6]",
            "player_counts",
            [2, 6],
            "teams_at as well, to say whether the added counts play in teams",
        ),
        (
            "player_counts = [2, 6]\nteams_at = [6]",
            "trip",
            {"2": 700, "3": 700, "4": 1000},
            "a trip for 6 players as well",
        ),
        (
            "extension_at = [2, 4]",
            "extension_at",
            [2, 4],
            "player counts with a trip below 1000",
        ),
        ("name = 3", "name", 3, "a name of 1 to 60 characters"),
        ('name = " "', "name", " ", "a name of 1 to 60 characters"),
        (f'name = "{"x" * 61}"', "name", "x" * 61, "a name of 1 to 60 characters"),
        ("max_200s = 1979-05-27", "max_200s", None, "a whole number from 0 to 4"),
    ],
)
def test_a_bad_house_rule_names_the_key_the_value_and_what_is_allowed(
    line: str, key: str, value: object, allowed: str
) -> None:
    found = refusal(f'parent = "article"\n{line}\n')
    assert (found[0], found[2]) == (key, allowed)
    assert value is None or found[1] == value


@pytest.mark.parametrize(
    ("toml", "value"),
    [("", None), ("parent = 3", 3), ('parent = "hasbro"', "hasbro"), ("max_200s = 4", None)],
)
def test_house_rules_need_a_parent(toml: str, value: object) -> None:
    assert refusal(toml) == ("parent", value, f'{PARENTS}, as in: parent = "winning-moves"')


def test_a_parent_that_is_missing_is_called_missing() -> None:
    with pytest.raises(EditionError, match=r"^parent is missing: expected one of parker-1988, "):
        house_rules("max_200s = 4\n")


PLAYABLE = "only player counts of these rules ({}), or player_counts with {} as well"


@pytest.mark.parametrize(
    ("rules", "key", "value", "counts", "added"),
    [
        ("extension_at = [8]", "extension_at", [8], "2, 3, 4", 8),
        ("extension_at = [2, 3, 6]", "extension_at", [2, 3, 6], "2, 3, 4", 6),
        ("teams_at = [4, 8]", "teams_at", [4, 8], "2, 3, 4", 8),
        ("short_trip_at = [6]", "short_trip_at", [6], "2, 3, 4", 6),
        ("hazards_removed_at = [2, 8]", "hazards_removed_at", [2, 8], "2, 3, 4", 8),
        ("trip = { 8 = 700 }", "trip", {"8": 700}, "2, 3, 4", 8),
        ("player_counts = [2]\nshort_trip_at = [4]", "short_trip_at", [4], "2", 4),
    ],
)
def test_a_rule_for_a_player_count_that_nobody_can_play_is_refused(
    rules: str, key: str, value: object, counts: str, added: int
) -> None:
    assert refusal(f'parent = "article"\n{rules}') == (key, value, PLAYABLE.format(counts, added))


def test_who_plays_with_fewer_need_not_shorten_the_lists_of_the_parent() -> None:
    edition = house_rules('parent = "winning-moves"\nplayer_counts = [2, 4]\n')
    assert edition.teams_at == (4, 6)
    same = house_rules('parent = "winning-moves"\nplayer_counts = [2, 4]\nteams_at = [4, 6]\n')
    assert same == edition


def test_stored_house_rules_are_read_whatever_counts_they_list() -> None:
    article = EDITIONS["article"]
    stored = article.house({"extension_at": [2, 8], "hazards_removed_at": [6]})
    assert Edition.from_toml(article, stored.to_toml()).id == stored.id


def test_text_that_is_not_toml_says_where() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match=r"line 2, column"):
        house_rules('parent = "article"\nmax_200s == 4\n')


@pytest.mark.parametrize(
    ("value", "toml"),
    [
        (True, "true"),
        (False, "false"),
        (4, "4"),
        ("a", '"a"'),
        ([1, [2]], "[1, [2]]"),
        ((), "[]"),
        ({"2": 700, "3": "x"}, '{ 2 = 700, 3 = "x" }'),
    ],
)
def test_values_are_shown_as_toml(value: object, toml: str) -> None:
    assert toml_value(value) == toml


@pytest.mark.parametrize("value", ["x" * 1000, 10**400, [[1]] * 90, {"k" * 90: 1}, [[[]]] * 90])
def test_a_long_value_is_shown_in_part(value: object) -> None:
    assert len(str(EditionError("name", value, "less"))) < 100
    assert len(str(EditionError("k" * 1000, value, "less"))) < 160


def test_a_huge_number_is_shown_as_it_was_written() -> None:
    assert str(EditionError("hands", 10**30, "less")) == f"hands = 1{'0' * 30}: expected less"
    assert toml_value(10**5000).startswith("0x")  # Python does not write it in decimal


@pytest.mark.parametrize("key", ["k" * 400, '"' + "é " * 200 + '"'])
def test_what_the_parser_quotes_is_shown_in_part(key: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as refused:
        house_rules(f"{key} = 1\n[{key}]\n")
    said = str(refused.value)
    assert len(said) < 150
    assert re.search(r"\(at line 2, column \d+\)$", said)


@given(house_editions())
@settings(max_examples=200)
def test_any_house_edition_is_given_back_by_its_canonical_text(edition: Edition) -> None:
    parent = edition.parent or edition.id
    again = Edition.from_toml(EDITIONS[parent], edition.to_toml())
    assert again == edition
    assert again.id == edition.id
    assert set(again.sources) == set(rule_fields())


def house_texts() -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(sorted(EDITIONS)), house_overrides()).map(
        lambda pair: (
            f'parent = "{pair[0]}"\nname = "Chez nous"\n'
            + "".join(f"{key} = {toml_value(value)}\n" for key, value in pair[1].items())
        )
    )


@given(bad_texts(house_texts()))
@settings(max_examples=700)
def test_any_text_is_an_edition_an_edition_error_or_not_toml(text: str) -> None:
    try:
        edition = house_rules(text)
    except (EditionError, tomllib.TOMLDecodeError):
        return
    assert edition.id in EDITIONS or edition.id.startswith("house-")


@pytest.mark.parametrize(
    "line",
    [
        "x = " + "[" * 100_000,
        "x = " + "[" * 300 + "]" * 300,
        "x = " + "{a=" * 5000,
        "a." * 5000 + "a = 1",
        "[" + "a." * 5000 + "a]",
        "trip" + ".2" * 5000 + " = 700",
        "max_200s = " + "9" * 5000,
        "max_200s = 0x" + "f" * 5000,
        "max_200s = [0b" + "1" * 50_000 + "]",
        "x = 0o" + "7" * 5000,
        "target = inf",
        "target = nan",
        "target = 1e999",
        "target = 9999-99-99",
        "target = 1979-05-27T07:32:00Z",
        'name = "\0"',
        'name = "\ud800"\nmax_200s = 9',
        '"\ud800" = 1',
        'tie = "\ud800"',
        "trip = { \ud800 = 700 }",
        '"" = 1',
    ],
)
def test_absurd_house_rules_are_refused_as_any_other(line: str) -> None:
    with pytest.raises((EditionError, tomllib.TOMLDecodeError)):
        house_rules('parent = "article"\n' + line)


FIRST_FIELDS = """
player_counts teams_at hazards_removed_at autoroute_cards trip short_trip_at extension_at
extension_if_caller_completes extension_if_other_completes extension_if_nobody_completes
battle_hazard_on limit_on_limit right_of_way_discards max_200s exhaustion_winner trip_points
safety_points coup_fourre_points all_four_points delayed_action_points safe_trip_points shut_out
shut_out_points extension_points tie target hands dealer row_replaces_roll replay_on_empty_pile
row_empty_attackable safety_restores_roll must_play_out delayed_action_needs_empty_start
autoroute_is_safety coup_fourre_for_third_party
"""
"""The fields of version 0.1.0: the ids of its house rules hash them all."""


def test_a_field_that_came_later_says_so() -> None:
    assert FIRST_FIELDS.split() == [name for name in rule_fields() if name not in LATER]


def test_house_rules_are_drawn_at_random_from_every_field() -> None:
    assert {*strategies._CHOICES, *strategies.TOGETHER} == set(rule_fields())


def test_the_canonical_text_gives_the_same_edition_again() -> None:
    for printed in EDITIONS.values():
        house = printed.house({"max_200s": 1, "target": 3000}, "Ours")
        assert Edition.from_toml(printed, printed.to_toml()) == printed
        again = Edition.from_toml(printed, house.to_toml(), "Ours")
        assert (again, again.id, again.name) == (house, house.id, "Ours")


def test_a_later_field_changes_no_id_of_rules_that_keep_its_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = EDITIONS["winning-moves"]
    field = "safety_restores_roll"
    with monkeypatch.context() as later:
        later.setattr("millebornes.rules.edition.LATER", (field,))
        old = printed.house({"max_200s": 1, field: False})
        new = printed.house({"max_200s": 1, field: True})
        assert field not in old.to_toml()
        assert f"{field} = true" in new.to_toml()
        assert old.id != new.id
        # Older than the field: its default counts, whatever a printed edition says today.
        changed = dataclasses.replace(printed, safety_restores_roll=True)
        assert getattr(Edition.from_toml(changed, old.to_toml()), field) is False
        assert getattr(Edition.from_toml(printed, new.to_toml()), field) is True


@pytest.mark.parametrize(
    ("parent", "rules", "id_"),
    [
        ("winning-moves", {"max_200s": 4, "target": 3000}, "house-a727d465cc0fdfbe"),
        ("parker-1988", {"hands": 1, "tie": "drawn", "max_200s": 1}, "house-33fb03a1b292b699"),
        ("article", {"row_replaces_roll": False}, "house-e24d617efd8f2d23"),
        (
            "encyclopedia",
            {"row_empty_attackable": False, "safety_restores_roll": True},
            "house-87d9fbc45acebcb8",
        ),
        (
            "dujardin-2019",
            {
                "autoroute_cards": 2,
                "trip": {"4": 700},
                "autoroute_is_safety": True,
                "coup_fourre_for_third_party": True,
            },
            "house-ce27ee255b5f3916",
        ),
    ],
)
def test_house_rules_have_the_id_that_version_0_1_0_gave_them(
    parent: str, rules: dict[str, object], id_: str
) -> None:
    printed = EDITIONS[parent]
    edition = printed.house(rules)
    assert edition.id == id_
    assert Edition.from_toml(printed, edition.to_toml()).id == id_
    assert not any(name in edition.to_toml() for name in LATER)
    # Saying that a younger field has its default says nothing new.
    assert printed.house({**rules, **dict.fromkeys(LATER, False)}).id == id_
    for name in LATER:
        younger = printed.house({**rules, name: True})
        assert younger.id != id_
        assert f"{name} = true\n" in younger.to_toml()
        assert Edition.from_toml(printed, younger.to_toml()) == younger


# The presets


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_house_rules_and_no_printed_edition(name: str) -> None:
    preset = edition_named(name)
    assert preset is PRESETS[name]
    assert name not in EDITIONS
    assert preset.parent == "winning-moves"
    assert preset.id.startswith("house-")
    assert "house rule" in preset.sources.values()
    assert preset.start_rolling
    assert preset.remedy_restores_roll
    assert house_rules(f'parent = "winning-moves"\n{preset.to_toml()}').id == preset.id


def test_family_is_the_parent_but_for_what_sets_a_car_rolling() -> None:
    family, printed = PRESETS["family"], EDITIONS["winning-moves"]
    changed = {name for name in rule_fields() if getattr(family, name) != getattr(printed, name)}
    assert changed == {"start_rolling", "remedy_restores_roll", "safety_restores_roll"}


def test_quick_is_the_family_rules_in_one_short_hand() -> None:
    quick, family = PRESETS["quick"], PRESETS["family"]
    assert quick == family.house({"hands": 1, "trip": {"4": 700}, "extension_at": []})
    assert {quick.trip_at(players) for players in quick.player_counts} == {700}


def test_a_preset_is_known_by_its_rules_unless_they_have_another_name() -> None:
    family = PRESETS["family"]
    assert preset_of(family) == "family"
    assert preset_of(PRESETS["quick"]) == "quick"
    assert preset_of(EDITIONS["winning-moves"]) is None
    assert preset_of(dataclasses.replace(family, name=None)) == "family"
    assert preset_of(dataclasses.replace(family, name="Chez nous")) is None


def test_house_rules_may_start_from_a_preset() -> None:
    ours = house_rules('parent = "family"\nname = "Ours"\nmax_200s = 4\n')
    assert ours == PRESETS["family"].house({"max_200s": 4})
    assert (ours.name, ours.parent) == ("Ours", "winning-moves")
    assert house_rules('parent = "quick"\n') is PRESETS["quick"]
