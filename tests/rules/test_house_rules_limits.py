"""House rules are bounded before they are parsed: whatever somebody sends takes little work."""

import pytest

from millebornes.rules import EDITIONS, EditionError, house_rules
from tests.abuse.slow_rules import MOST, answer_to, fields_in_full, hunt, known_shapes, lines_run

FEW = 110_000
"""Lines of Python that a text may take. Time is no test: it depends on the machine."""


@pytest.mark.parametrize(
    ("text", "what", "found", "most"),
    [
        ("x" * 8001, "characters", 8001, 8000),
        ("\n" * 500, "lines", 501, 500),
        ("a = 1\n# " + "x" * 499, "characters in one line", 501, 500),
        ("x = [" + "1,\n" * 299 + "]", "symbols such as = and [", 301, 300),
        ("x = 1.5\n" * 150 + "y = 1.5\n" * 151, "symbols such as = and [", 301, 300),
        ("a.b.c.d = 1\n" * 51, "dots", 153, 150),
        ("a" + ".a" * 13 + " = 1", "dots in one line", 13, 12),
        ("[a" + ".a" * 13 + "]", "dots in one line", 13, 12),
        ('x = ["""\n# """' + ",1" * 240 + ",\n" * 59 + "]", "symbols such as = and [", 301, 300),
        ("x = ['''\n# '''" + ", a.b" * 20 + "]", "dots in one line", 20, 12),
    ],
)
def test_a_text_that_is_too_much_is_refused_by_what_is_too_much(
    text: str, what: str, found: int, most: int
) -> None:
    with pytest.raises(EditionError) as refusal:
        house_rules(text)
    error = refusal.value
    assert (error.key, error.value, error.allowed) == (what, found, f"at most {most}")
    assert str(error) == f"{what} = {found}: expected at most {most}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_field_may_be_written_out_and_explained_at_length(edition: str) -> None:
    text = fields_in_full(edition)
    rule = "# " + "=" * 70 + "\n# " + "." * 70 + "\n"
    explained = text.replace("\ntrip", f"\n{rule}# Le trajet, p. ex. 700 bornes, etc. ...\ntrip")
    assert explained.count("\n") > text.count("\n")
    assert house_rules(explained) == EDITIONS[edition]


def test_a_name_may_have_dots_and_a_trip_dotted_keys() -> None:
    text = 'parent = "article"\nname = "M. et Mme. J.-P. R. S. T. U. V., etc."\n'
    edition = house_rules(text + "trip.2 = 500\ntrip.3 = 525\n")
    assert dict(edition.trip) == {2: 500, 3: 525, 4: 1000}


def test_nesting_that_is_too_deep_for_python_is_refused_like_any_other_fault() -> None:
    def call(depth: int) -> None:
        if depth:
            call(depth - 1)
        else:
            house_rules('parent = "article"\nx = ' + "[" * 290 + "]" * 200)

    with pytest.raises(
        EditionError, match=r"^depth of brackets = 290: expected at most 1, as in \[2, 3\]$"
    ):
        call(600)


def test_what_is_too_much_never_comes_to_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def loads(text: str) -> dict[str, object]:
        parsed.append(text)
        return {}

    monkeypatch.setattr("tomllib.loads", loads)
    for shape in ("a" + ".a" * 3000 + "=1", "[a" + ".a" * 200 + "]\n" + "a=1\n" * 400, "x" * 10**6):
        with pytest.raises(EditionError, match="at most"):
            house_rules(shape)
    assert parsed == []


@pytest.mark.parametrize("text", known_shapes(), ids=lambda text: text[19:40])
def test_shapes_that_make_a_parser_slow_take_little_work(text: str) -> None:
    assert len(text) <= MOST
    assert lines_run(text) <= FEW


def test_no_text_that_a_search_finds_takes_much_work() -> None:
    *_, worst = hunt(seed=1954, rounds=250, cost=lines_run)
    assert worst.cost <= FEW, worst.text
    assert answer_to(worst.text) == worst.answer


def test_the_search_finds_what_costs_more() -> None:
    first, *_, last = hunt(seed=1954, rounds=250, cost=lambda text: text.count("}"))
    assert last.cost > 2 * first.cost
