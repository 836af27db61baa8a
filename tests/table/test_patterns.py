"""A pattern holds to the very end of a text: not even a line break may stand behind it."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect as types

import millebornes
from millebornes.table import inputs, messages_in, messages_out, rest
from tools.protocol_page import operations

SOURCE = Path(millebornes.__file__).parent
STRUCTS = [
    *get_args(messages_in.In),
    *get_args(inputs.Driver),
    *get_args(messages_out.Out),
    *[
        one
        for one in vars(rest).values()
        if inspect.isclass(one) and one.__module__ == rest.__name__
    ],
]


def patterns(type_: Any, seen: set[type]) -> Iterator[str]:
    """Every pattern in a type and in whatever it is made of."""
    if isinstance(type_, types.StrType) and type_.pattern is not None:
        yield type_.pattern
    elif isinstance(type_, types.StructType):
        if type_.cls in seen:
            return
        seen.add(type_.cls)
        for field in type_.fields:
            yield from patterns(field.type, seen)
    elif isinstance(type_, types.UnionType):
        for one in type_.types:
            yield from patterns(one, seen)
    elif isinstance(type_, types.CollectionType):
        yield from patterns(type_.item_type, seen)
    elif isinstance(type_, types.DictType):
        yield from patterns(type_.key_type, seen)
        yield from patterns(type_.value_type, seen)


PATTERNS = sorted({one for cls in STRUCTS for one in patterns(types.type_info(cls), set())})


def test_the_patterns_of_messages_are_found() -> None:
    assert set(PATTERNS) >= {
        r"^[0-9a-f]{64}\Z",
        r"^[0-9a-f]{128}\Z",
        r"^[A-Za-z0-9_-]+\Z",
    }


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data(), end=st.sampled_from(["\n", "\r", "\r\n", "\u2028", " ", "\x00"]))
def test_nothing_may_stand_behind_what_a_pattern_means(
    pattern: str, data: st.DataObject, end: str
) -> None:
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert re.search(pattern, text)
    assert not re.search(pattern, text + end)
    assert not re.search(pattern, end + text)


def dollars(tree: ast.AST) -> Iterator[str]:
    """Regular expressions that end with a dollar sign, which lets a line break stand behind."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given_ = [*node.args, *[one.value for one in node.keywords if one.arg == "pattern"]]
        is_regex = ast.unparse(node.func).startswith("re.") or ast.unparse(node.func) == "Meta"
        for value in given_ if is_regex else ():
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and re.search(r"(?<!\\)\$", text):
                yield text


def test_no_regular_expression_of_the_package_ends_with_a_dollar_sign() -> None:
    assert list(dollars(ast.parse('re.compile(r"a$")'))) == ["a$"]
    assert list(dollars(ast.parse('Meta(pattern=r"a$")'))) == ["a$"]
    found = {
        path.name: list(dollars(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    assert {name: ones for name, ones in found.items() if ones} == {}


def test_no_anchor_of_python_is_told_to_programs_in_other_languages() -> None:
    assert r"\\Z" not in json.dumps(operations())
