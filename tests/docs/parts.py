"""What the generated pages are put together from."""

from collections.abc import Iterable, Sequence
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"


def listed(items: Sequence[object]) -> str:
    """a, b and c."""
    *first, last = map(str, items)
    return f"{', '.join(first)} and {last}" if first else last


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def hand_written(name: str) -> str:
    return (TEXTS / f"{name}.md").read_text(encoding="utf-8").strip()


def page(parts: Iterable[str]) -> str:
    note = "<!-- Written by `make regenerate`. The texts are in tests/docs/texts. -->"
    return "\n\n".join([*parts, note]) + "\n"
