"""The sections `web` and `pages`, and the sources of the browser client: what is said is there,
what is there is said.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest

from millebornes.bots import BOTS
from millebornes.records.arguments import ARGUMENTS
from millebornes.rules import EDITIONS, PRESETS, ScoreSheet
from millebornes.rules.cards import Card
from millebornes.table import messages_out
from millebornes.table.settings import EMOTES
from millebornes.words import words

ROOT = Path(__file__).resolve().parents[2] / "web" / "src"
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ROOT.rglob("*"))
    if path.suffix in (".ts", ".svelte") and not path.name.endswith((".test.ts", "testing.ts"))
}
PAGES: dict[str, dict[str, dict[str, str]]] = words().data["pages"]
EVERYWHERE: dict[str, dict[str, str]] = words().data["web"]
AREAS = EVERYWHERE | {area: texts for page in PAGES.values() for area, texts in page.items()}
FOLDERS = {
    words: folder
    for folder, words in re.findall(
        r"chunk\(\s*\(\) => import\('\./(\w+)/\w+\.svelte'\),\s*'([\w-]+)'", SOURCES["App.svelte"]
    )
}
"""The folder of each page that has words of its own, as App.svelte fetches them."""

TOLD = next(
    get_args(field.type)
    for field in msgspec.structs.fields(messages_out.Told)
    if field.name == "code"
)
ENUMERATED = {
    "told": {*TOLD, "fair_revealed", "fair_verified", "fair_wrong"},
    "emotes": set(EMOTES),
    "levels": set(BOTS),
    "level_lines": set(BOTS),
    "level_against": set(BOTS),
    "editions": {*EDITIONS, *PRESETS},
    "short": {card.value for card in Card},
    "arguments": {argument.id for argument in ARGUMENTS},
    "explanations": {argument.id for argument in ARGUMENTS},
}
"""Areas whose keys come from the server: they must be just what it may send."""


class Said(NamedTuple):
    """One call of `say`, or of `knows`."""

    file: str
    area: str
    key: str
    """What stands there for the key: a text, a choice between texts, or anything else."""


def calls() -> Iterator[Said]:
    for file, text in SOURCES.items():
        for found in re.finditer(r"\b(?:say|knows)\(\s*'(\w+)',\s*", text):
            yield Said(file, found[1], argument(text, found.end()))


def argument(text: str, start: int) -> str:
    """The source of one argument, to its comma or the closing bracket."""
    depth = 0
    quote = ""
    for place in range(start, len(text)):
        char = text[place]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'`":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}" and depth:
            depth -= 1
        elif char in ",)" and not depth:
            return text[start:place].strip()
    raise AssertionError(f"no end of: {text[start : start + 80]}")


def texts(key: str) -> set[str]:
    """The keys that stand there as they are: `'a'`, or `x === 'b' ? 'a' : 'c'`."""
    chosen = re.sub(r"[!=]==\s*'[^']*'", "", re.sub(r"`[^`]*`", "", key))
    return set(re.findall(r"'([^']*)'", chosen))


def patterns(key: str) -> set[str]:
    """What templates such as `theme_${theme}` can come to."""
    found = re.findall(r"`((?:[^`$]|\$\{(?:[^`{}]|`[^`]*`)*\})*)`", key)
    return {re.sub(r"\\\$\\\{.*?\\\}", r"\\w+", re.escape(template)) for template in found}


CALLS = list(calls())


def is_said(area: str, key: str) -> bool:
    for said in CALLS:
        if said.area != area:
            continue
        if key in texts(said.key) or any(re.fullmatch(p, key) for p in patterns(said.key)):
            return True
        # A variable: then the key is named elsewhere in that file.
        is_open = not texts(said.key) and not patterns(said.key)
        if is_open and is_named(key, SOURCES[said.file]):
            return True
        # Or it goes through the lines of the score sheet.
        if is_open and key in ScoreSheet._fields and "SCORE_LINES" in SOURCES[said.file]:
            return True
    return False


def is_named(key: str, text: str) -> bool:
    """Does it stand there, whole or as a beginning and an end that are put together?"""
    if re.search(rf"\b{re.escape(key)}\b", text):
        return True
    if any(
        re.fullmatch(p, key) for p in patterns(text) if re.search(r"[a-z]", p.replace("w+", ""))
    ):
        return True
    quoted = texts(text)
    ends = [end for end in quoted if end.startswith("_") and key.endswith(end)]
    return any(key.removesuffix(end) in quoted for end in ends)


def test_the_client_speaks() -> None:
    assert len(CALLS) > 100


def test_everything_said_is_in_the_files() -> None:
    missing = {
        (said.file, said.area, key)
        for said in CALLS
        for key in texts(said.key)
        if key not in AREAS.get(said.area, {})
    }
    assert missing == set()


def test_every_template_can_come_to_something() -> None:
    empty = {
        (said.file, said.area, pattern)
        for said in CALLS
        for pattern in patterns(said.key)
        if not any(re.fullmatch(pattern, key) for key in AREAS.get(said.area, {}))
    }
    assert empty == set()


def test_every_page_with_words_is_fetched_with_them() -> None:
    assert set(FOLDERS) == set(PAGES)


def test_an_area_has_one_place() -> None:
    """`say` names an area alone, so no two pages may have one of the same name."""
    assert len(AREAS) == len(EVERYWHERE) + sum(map(len, PAGES.values()))


@pytest.mark.parametrize("page", sorted(PAGES))
def test_the_words_of_a_page_are_said_on_that_page_only(page: str) -> None:
    elsewhere = {
        (said.file, said.area)
        for said in CALLS
        if said.area in PAGES[page] and not said.file.startswith(f"{FOLDERS[page]}/")
    }
    assert elsewhere == set()


@pytest.mark.parametrize("area", sorted(set(AREAS) - set(ENUMERATED)))
def test_every_key_is_said_somewhere(area: str) -> None:
    assert {key for key in AREAS[area] if not is_said(area, key)} == set()


@pytest.mark.parametrize("area", sorted(ENUMERATED))
def test_what_the_server_may_send_has_its_words(area: str) -> None:
    keys = {key.removesuffix("_you") for key in AREAS[area]}
    assert keys == ENUMERATED[area]
    assert any(said.area == area for said in CALLS)
