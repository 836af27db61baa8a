"""The table as text: everything needed for a decision, within 80 columns and 24 lines."""

import pytest
from rich.cells import cell_len

from millebornes.cli.advice import draw_help, draw_stakes
from millebornes.cli.drawing import draw_hand, draw_table, hand_in_order
from millebornes.cli.sheets import draw_sheet
from millebornes.records import position
from millebornes.rules import Card, ScoreSheet, View, view
from millebornes.words import Names, languages, words

LONG = ("Maximilienne-Alexandrine", "Léa", "Hugo", "Chloé", "Louis", "Manon", "Jules", "Inès")


def seen(text: str, language: str = "en", seat: int | None = 0) -> tuple[View, Names]:
    match = position.from_text(text)
    return view(match, seat), words(language).named(LONG[: match.players], match.sides, seat)


def picture(text: str, language: str = "en", seat: int | None = 0) -> str:
    return "\n".join(
        line.plain for line in draw_table(*seen(text, language, seat), words(language), 80)
    )


def crowded(edition: str, players: int, sides: int) -> str:
    """As much on the table as there can be."""
    text = f"edition: {edition}\nplayers: {players}\nscores: {' '.join(['4975'] * sides)}\n"
    text += "discard: EOL\n"
    for side in range(sides):
        hazard = ("OUT", "ACC", "FLAT", "STOP")[side % 4]
        text += f"battle {side}: ROLL {hazard}\n" if side < 5 else ""
        text += f"speed {side}: LIM\n" if side < 4 else ""
        text += f"distance {side}: 25 50 75 100\n"
    safeties = ("ACE!", "TANK!", "PROOF!", "ROW!")
    for side in range(min(sides, 4)):
        text += f"safeties {side}: {safeties[side]}\n"
    if edition == "dujardin-2019":
        for side in range(4):
            text += f"autoroute {side}: 2\n"
    return text + "hand 0: ROLL REP GAS SPARE EOL EOL 200\n"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("edition", "players", "sides"),
    [
        ("winning-moves", 2, 2),
        ("winning-moves", 3, 3),
        ("winning-moves", 4, 2),
        ("winning-moves", 6, 3),
        ("dujardin-2019", 4, 4),
        ("dujardin-2019", 8, 4),
    ],
)
def test_the_decision_fits_on_a_screen(
    edition: str, players: int, sides: int, language: str
) -> None:
    known = seen(crowded(edition, players, sides), language)
    spoken = words(language)
    lines = draw_table(*known, spoken, 80) + draw_hand(*known, spoken, 80)
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert len(lines) + 2 <= 24  # a blank line above, the question below


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("width", [50, 60, 75, 76, 100])
def test_narrow_and_wide_terminals(width: int, language: str) -> None:
    known = seen(crowded("dujardin-2019", 4, 4), language)
    spoken = words(language)
    lines = draw_table(*known, spoken, width) + draw_hand(*known, spoken, width)
    assert max(cell_len(line.plain) for line in lines) <= width


@pytest.mark.parametrize("players", [6, 8])
@pytest.mark.parametrize("language", languages())
def test_a_crowd_of_single_players_is_compact(players: int, language: str) -> None:
    text = crowded("dujardin-2019", players, players)
    text = text.replace("players:", "rule: teams_at = []\nplayers:")
    known = seen(text, language)
    lines = draw_table(*known, words(language), 80)
    assert len(lines) == players + 1
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert "LIM · TANK! · AUTO 2" in lines[2].plain


@pytest.mark.parametrize(
    ("pile", "said"),
    [
        ("", "Not started: needs Roll"),
        ("battle 0: ROLL", "Roll: rolling"),
        ("battle 0: ROLL STOP", "Stop: needs Roll"),
        ("battle 0: ROLL ACC", "Accident: needs Repairs"),
        ("battle 0: ROLL ACC REP", "Repairs: now needs Roll"),
        ("battle 0: ROLL ACC\nsafeties 0: ACE", "Accident: now needs Roll"),
        ("safeties 0: ROW", "Right of Way: rolling"),
        ("battle 0: ROLL STOP\nsafeties 0: ROW", "Stop, rolling by Right of Way"),
        ("speed 0: LIM", "Speed Limit: 25 or 50"),
        ("speed 0: LIM EOL", "no limit"),
        ("speed 0: LIM\nsafeties 0: ROW", "Speed Limit lifted"),
        ("distance 0: 25 100 25", "2×25 100"),
        ("safeties 0: ACE! TANK", "Driving Ace!, Extra Tank"),
        ("edition: dujardin-2019\nautoroute 0: 2", "Autoroute, turns left: 2"),
    ],
)
def test_what_lies_before_a_side_is_said(pile: str, said: str) -> None:
    assert said in picture(pile + "\nplayers: 2").splitlines()[2]


def test_the_road_shows_who_rolls_and_how_far() -> None:
    lines = picture("players: 2\nbattle 0: ROLL\nmiles 0: 350\nmiles 1: 700").splitlines()
    assert "━━━━━━━━━━━━━▶╌" in lines[1]
    assert "━■┃" in lines[3]
    assert " 350 " in lines[1]


def test_a_spectator_sees_the_table() -> None:
    assert "Léa" in picture("players: 2", seat=None)


def test_the_hand_is_numbered_and_marked() -> None:
    known = seen("players: 2\nbattle 1: ROLL\nhand 0: ROLL STOP 25")
    assert hand_in_order(known[0])[:3] == (Card.D25, Card.STOP, Card.ROLL)
    text = "\n".join(line.plain for line in draw_hand(*known, words(), 80))
    assert " 1   25 miles" in text
    assert " 2 * Stop on Léa" in text
    assert " 3 * Roll" in text


def test_targets_are_numbers_where_names_are_too_long() -> None:
    text = "edition: dujardin-2019\nplayers: 8\nhand 0: LIM"
    shown = "\n".join(line.plain for line in draw_hand(*seen(text), words(), 80))
    assert "Speed Limit on 1, 2, 3" in shown


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("sides", [2, 4, 8])
def test_the_score_sheet_fits(sides: int, language: str) -> None:
    names = words(language).named(LONG[:sides], sides)
    sheet = ScoreSheet(1000, 400, 300, 1200, 400, 300, 300, 500, 200)
    lines = draw_sheet([sheet] * sides, [4975] * sides, names, words(language), 80)
    assert max(cell_len(line.plain) for line in lines) <= 80
    assert len(lines) <= 16
    assert lines[-1].plain.split()[-1] == str(4975 + 4600)


@pytest.mark.parametrize("language", languages())
def test_the_help_holds_the_memo(language: str) -> None:
    lines = draw_help(seen("edition: dujardin-2019\nplayers: 2")[0], words(language), 80)
    text = "\n".join(line.plain for line in lines)
    assert len(lines) <= 23
    for card in (Card.ACC, Card.REP, Card.ACE, Card.EOL, Card.ROW):
        assert words(language).card(card) in text
    assert max(cell_len(line.plain) for line in lines) <= 80


def stakes(text: str) -> str:
    return " ".join(line.plain for line in draw_stakes(*seen(text), words(), 80))


def test_a_turn_has_no_stakes() -> None:
    assert stakes("players: 2") == ""


def test_the_extension_says_what_is_at_stake() -> None:
    base = (
        "players: 2\nextension: 0\ndistance 0: 100 100 100 100 100 100 100\nmiles 1: 225\npile: 40"
    )
    said = stakes(base)
    assert "you score 700 points" in said  # the trip, and no 200s
    assert "scores 200 points more" in said
    assert "Léa with 225 miles, 475 behind you. Cards in the pile: 40." in said
    assert "or nobody does, each of your opponents scores 200 points" in said
    parker = stakes("edition: parker-1988\n" + base)
    assert "gets there first, it scores 200 points for the extension" in parker  # there is one
    three = base.replace("players: 2", "players: 3")
    each = "gets there first, each of your opponents scores 200 points"
    assert each in stakes("edition: parker-1988\n" + three)
    assert "it scores 200 points for the extension" in stakes("edition: article\n" + three)
    assert "gets there first" not in stakes("edition: encyclopedia\n" + base)
    assert "you score 400 points" in stakes(base.replace("0: 100 100", "0: 200"))
    assert "you score 1200 points" in stakes(base.replace("miles 1: 225\n", ""))


def test_the_window_says_what_a_coup_fourre_is_worth() -> None:
    base = "players: 2\nwindow: ACC 1>0\nbattle 0: ROLL ACC\nhand 0: "
    assert "worth 400 points" in stakes(base + "ACE")
    assert "Only Driving Ace could answer Accident" in stakes(base + "only 25")
