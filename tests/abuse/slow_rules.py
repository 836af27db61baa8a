"""Hunt for a text of house rules that takes long, by changing texts that took long before.

    python -m tests.abuse.slow_rules --seed 1 --rounds 20000

prints the slowest text that was found and its CPU time, as JSON.
"""

import argparse
import contextlib
import json
import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from millebornes.rules import EDITIONS, EditionError, house_rules
from millebornes.rules.edition import rule_fields, toml_value

MOST = 8000
"""Characters of a text that a request can bring."""
_KEPT = 30
"""How many of the slowest texts go on being changed."""
_SIGNS = [
    *(".", ",", "=", "[", "]", "{", "}", "[[", "]]", "\n", "\r\n", " ", "\t", '"', "'", "\\"),
    *('"""', "'''", "#", "a", "a.", "a=1\n", "1,", "{a=1},", "[a]\n", "[[a]]\n", "\\u0041"),
    *("0x", "1_", "9", "e9", "1.5", "inf", "2020-01-01", "T00:00:00Z", "true", "\ud800", "\0"),
]


def fields_in_full(edition: str = "dujardin-2019") -> str:
    """Every field written out, with what it means above it and what it allows beside it."""
    printed = EDITIONS[edition]
    return f'parent = "{edition}"\nname = "Chez nous, etc. : à Paris"\n' + "".join(
        f"# {rule.means}\n{name} = {toml_value(printed.toml_ready(name))} # {rule.allowed}\n"
        for name, rule in rule_fields().items()
    )


def known_shapes() -> list[str]:
    """Texts that make a TOML parser slow: as large as a request may be, and as rules may be."""
    deep = ".a" * 12
    shapes = [
        shape
        for keys, dots in ((MOST, MOST), (290, 12), (100, 12))
        for shape in (
            "a" + ".a" * dots + " = 1\n",
            "[" + "a." * dots + "a]\n",
            "[" + "a." * dots + "a]\n" + "".join(f"a{n}=1\n" for n in range(keys)),
            "[a]\n" + "".join("a" + deep[: 2 * dots] + f".b{n}=1\n" for n in range(keys)),
            "".join(f"[a{n}.b]\n" for n in range(keys)),
            "".join(f"a{n}=1\n" for n in range(keys)),
            "[[a]]\n[[a.b]]\n" * (keys // 3),
            "x = " + "[" * (keys // 2) + "]" * (keys // 2),
            "x = " + "{a=" * (keys // 8) + "1" + "}" * (keys // 8),
            "x = [" + "1,\n" * keys + "]",
            "x = [" + "{a=1},\n" * (keys // 3) + "]",
            "x = [" + "2020-01-01T00:00:00+01:00,\n" * keys + "]",
            "x = [" + "1.5e9,\n" * keys + "]",
            "x = 0x" + "f" * keys,
            "#\n" * keys,
            "\n" * keys,
        )
    ]
    shapes += [
        "[" + "a." * 11 + "a]\n" + "".join(f"a.b{n}=1\n" for n in range(135)),
        "[" + "a." * 11 + "a]\n" + ("a" + deep[2:] + "=1\n") * 20 + "b=1\n" * 300,
        'x = """\n' + ("\\n" * 240 + "\n") * 16 + '"""',
        'x = ["""\n#""",' + "1," * MOST,
    ]
    return [_cut('parent = "article"\n' + shape) for shape in shapes] + [fields_in_full()]


def _cut(text: str) -> str:
    """As much of a text as there may be, whole lines where it has lines."""
    if len(text) <= MOST:
        return text
    head, cut, _ = text[:MOST].rpartition("\n")
    return head + cut if "\n" in head else text[:MOST]


class Found(NamedTuple):
    """A text, and what it costs."""

    cost: int
    text: str
    answer: str


def answer_to(text: str) -> str:
    """Parse a text as house rules: the result is an edition or one of two errors, nothing else."""
    try:
        return house_rules(text).id
    except (EditionError, tomllib.TOMLDecodeError) as error:
        return str(error)[:200]


def cpu_time(text: str) -> int:
    """Nanoseconds of CPU time, the least of three."""
    return min(map(_timed, [text] * 3))


def _timed(text: str) -> int:
    began = time.process_time_ns()
    answer_to(text)
    return time.process_time_ns() - began


def lines_run(text: str) -> int:
    """Number of Python lines executed: the same on every machine.

    Whatever the lines call that is not Python (regular expressions, lists) is not counted.
    """
    count = 0

    def trace(_frame: FrameType, event: str, _arg: Any) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        answer_to(text)
    finally:
        sys.settrace(before)
    return count


def hunt(seed: int, rounds: int, cost: Callable[[str], int]) -> Iterator[Found]:
    """The slowest texts, each slower than the one before."""
    chance = random.Random(seed)
    kept = [Found(cost(text), text, answer_to(text)) for text in known_shapes()]
    best = max(kept)
    yield best
    for _ in range(rounds):
        one, other = chance.choice(kept), chance.choice(kept)
        text = _changed(one.text, other.text, chance)
        found = Found(cost(text), text, answer_to(text))
        kept = sorted([*kept, found], reverse=True)[:_KEPT]
        if found.cost > best.cost:
            # Chance makes a figure large once, a slow text makes it large again.
            found = found._replace(cost=min(found.cost, cost(text)))
            if found.cost > best.cost:
                best = found
                yield best


def _changed(text: str, other: str, chance: random.Random) -> str:
    """A text after one to four changes."""
    for _ in range(chance.randint(1, 4)):
        start, end = sorted(chance.randint(0, len(text)) for _ in range(2))
        part = text[start : min(end, start + 200)]
        match chance.randrange(6):
            case 0:
                text = text[:start] + part * chance.randint(2, 50) + text[start + len(part) :]
            case 1:
                sign = chance.choice(_SIGNS) * chance.choice((1, 1, 2, 12, 100))
                text = text[:start] + sign + text[start:]
            case 2:
                text = text[:start] + text[start + len(part) :]
            case 3:
                at = chance.randint(0, len(other))
                text = text[:start] + other[at : at + chance.randint(1, 2000)] + text[start:]
            case 4:
                lines = text.split("\n")
                chance.shuffle(lines)
                text = "\n".join(lines)
            case _:
                line = chance.choice(text.split("\n")) + "\n"
                text += line * chance.randint(1, 100)
    return _cut(text)


def main() -> None:
    """Hunt, and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20_000)
    given = parser.parse_args()
    best = Found(0, "", "")
    with contextlib.suppress(KeyboardInterrupt):
        for best in hunt(given.seed, given.rounds, cpu_time):
            print(f"{best.cost / 1e6:.2f} ms: {best.answer}", file=sys.stderr)  # noqa: T201
    told = {
        "seed": given.seed,
        "rounds": given.rounds,
        "cpu_ms": best.cost / 1e6,
        "answer": best.answer,
        "text": best.text,
    }
    print(json.dumps(told))  # noqa: T201


if __name__ == "__main__":
    main()
