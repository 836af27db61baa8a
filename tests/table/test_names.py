"""Names at a table: honest ones pass; names that hide or impersonate do not."""

import unicodedata
from importlib import resources

import pytest

from millebornes.table import Refused, admitted
from millebornes.table import messages_in as says
from millebornes.table.lookalikes import lookalike
from millebornes.table.names import NAME_LENGTH, is_shown
from tools.confusables import lines_of

from .driven_table import DrivenTable, replayed, table_settings

HONEST = [
    *("Max", "Zoé", "Anne-Marie", "O'Neil", "d’Artagnan", "Ægir", "Ðorđe", "Łukasz", "İpek"),
    *("Nguyễn Thị Bưởi", unicodedata.normalize("NFD", "Nguyễn Thị Bưởi"), "Ọláyínká", "Ǫ́shdii"),
    *("Мария", "Ђорђе", "Αθηνά", "Գոհար", "ნინო", "ⴰⵎⴰⵣⵉⵖ"),
    *("محمد", "مُحَمَّد", "فاطمه‌زهرا", "שרה", "שָׁלוֹם", "רִבְקָה", "ܝܫܘܥ"),
    *("अदिति", "श्रीकृष्ण", "क्षितिज़", "সৌম্যদীপ", "ਗੁਰਪ੍ਰੀਤ", "தமிழ்ச்செல்வி", "ശ്രീലക്ഷ്മി", "සුභාෂිණී"),
    *("สมศักดิ์", "น้ำผึ้ง", "ວຽງຈັນ", "မြို့မြို့", "សុវណ្ណារ៉ា", "བསྒྲུབས་རྒྱ"),
    *("김민준", unicodedata.normalize("NFD", "김민준"), "さくら", "ガブリエル", "渡邊", "王小明"),
    *("Zoé 🚗", "❤️", "👩‍🚀 Mia", "1️⃣", "🇫🇷", "👍🏽", "x", "42", "!!", "R2-D2", "辻\U000e0100"),
]
UNSEEN = [
    *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u3164 \u2800", "\U0001d159"),
    *("Ma\u034fx", "M\u3164ax", "Max\u2800", "M\u115fa\u1160x", "Ma\uffa0x", "Ma\u17b4x"),
    *("\u0301", "\u0301\u0302", "Max \u0336", "\u0903"),
    *(
        "M\u0336\u0337\u0338ax",
        "x\u0300\u0301\u0302",
        "a\u0489\u0489",
        "ก" + "\u0e34\u0e31" * 3,
    ),
]
EMPTY = ["\ufe0f", "\U000e0100 \u180b", "\u200b\u2060", "\u00a0\u3000", "\U000e0041"]


def asked(driven: DrivenTable, name: str, guest: str = "new") -> says.In | Refused:
    """What becomes of a name at the door."""
    admitted_ = admitted(driven.table, guest, says.Join(name), driven.now)
    assert isinstance(admitted_, says.Join | Refused)
    return admitted_


def among(*names: str) -> DrivenTable:
    """A table with these people."""
    driven = DrivenTable(table_settings(players=2))
    for number, name in enumerate(names):
        driven.say(f"g{number}", says.Join(name))
    return driven


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_name_of_any_script_passes(name: str) -> None:
    driven = among("Host")
    join = asked(driven, name)
    assert isinstance(join, says.Join)
    driven.say("new", join)
    shown = driven.table.members[-1].name
    assert shown == join.name
    assert is_shown(shown)


def test_honest_names_are_told_from_each_other() -> None:
    names = {unicodedata.normalize("NFC", name) for name in HONEST}
    for name in names:
        assert lookalike(name, names - {name}) is None


@pytest.mark.parametrize("name", UNSEEN)
def test_a_name_that_hides_something_is_refused(name: str) -> None:
    assert asked(among(), name) == asked(among("Max"), name) == Refused("name_not_shown")


@pytest.mark.parametrize("name", EMPTY)
def test_a_name_with_nothing_in_it_is_refused(name: str) -> None:
    assert asked(among(), name) == Refused("bad_name", {"most": NAME_LENGTH})


def test_what_only_chooses_a_shape_is_left_out_and_does_not_make_another_name() -> None:
    driven = among("Max")
    join = asked(driven, "M\ufe0fa\U000e01efx\u180b")
    assert join == says.Join("Max")
    driven.say("new", join)
    assert driven.table.members[-1].name == "Max 2"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("Мах", "Max"),  # Cyrillic
        ("МАХ", "max"),
        ("Μax", "Max"),  # a Greek capital
        ("Ｍａｘ", "Max"),
        ("𝓜𝓪𝔁", "Max"),
        ("Rnax", "Max"),
        ("lvan", "Ivan"),
        ("1VAN", "Ivan"),
        ("I\u0474an", "IVan"),
        ("0tto", "Otto"),
        ("Zo\u0435\u0301", "Zoé"),
        ("d'Artagnan", "d’Artagnan"),
        ("Léа", "Léa"),  # a bot, below
    ],
)
def test_a_name_that_looks_like_another_one_is_refused(name: str, taken: str) -> None:
    assert asked(among("Host", taken), name) == Refused("name_looks_like", {"name": taken})
    assert asked(among("Host", name), taken) == Refused("name_looks_like", {"name": name})
    assert asked(among("Host"), name) == says.Join(name)


@pytest.mark.parametrize(
    ("name", "taken"),
    [("ivan", "lvan"), ("Zoe", "Zoé"), ("Lea", "Léa"), ("Max 2", "Max"), ("Max3", "Max 3")],
)
def test_names_that_can_be_told_apart_are_both_allowed(name: str, taken: str) -> None:
    assert asked(among(taken), name) == says.Join(name)
    assert asked(among(name), taken) == says.Join(taken)


def test_a_name_that_looks_like_a_bots_is_refused() -> None:
    driven = among("Host")
    driven.say("g0", says.AddBot(1, "sunday-driver"))
    bot = driven.table.seat_name(1)
    assert bot == "Léa"
    assert asked(driven, "L\u00e9\u0430") == Refused("name_looks_like", {"name": bot})


def test_the_same_name_gets_a_number_that_looks_like_nobody_elses() -> None:
    assert asked(among("Max"), "MAX") == says.Join("MAX")
    assert asked(among("Max", "Мах 2"), "Max") == Refused("name_looks_like", {"name": "Мах 2"})


def test_whoever_is_there_under_such_a_name_comes_back_under_it() -> None:
    driven = among("Max", "\u3164", "Мах")  # as older servers let them in
    for number, name in enumerate(("Max", "\u3164", "Мах")):
        assert asked(driven, name, f"g{number}") == says.Join(name)
    assert replayed(driven).table == driven.table


def test_prototypes_look_like_nothing_else() -> None:
    text = resources.files("millebornes.table").joinpath("confusables.txt").read_text("utf-8")
    lines = [line.split(": ") for line in text.splitlines() if not line.startswith("#")]
    prototypes = {code for prototype, _ in lines for code in prototype.split()}
    sources = [code for _, alike in lines for code in alike.split()]
    assert len(sources) == len(set(sources)) > 2000
    assert not prototypes & set(sources)


def test_the_table_is_made_from_unicodes_own() -> None:
    text = """\ufeff# Version: 1.0
0430 ;\t0061 ;\tMA\t# а → a
237A ;\t0251 ;\tMA\t# by way of another
0251 ;\t0061 ;\tMA
FF41 ;\t0061 ;\tMA\t# normalised before it is compared
1D48E ;\t0072 006E ;\tMA
006D ;\t0072 006E ;\tMA\t# m → rn
200B ;\t0061 ;\tMA\t# never in a name
"""
    assert lines_of(text) == ["0061: 0251 0430 237A\n", "0072 006E: 006D\n"]
