"""Whatever a table or a server refuses with has a sentence, and no sentence is never said."""

import re
from pathlib import Path

import pytest

import millebornes
from millebornes.table import Refused
from millebornes.words import languages, words

SOURCE = Path(millebornes.__file__).parent
PYTHON = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("table", "server")
    for path in sorted((SOURCE / folder).rglob("*.py"))
)
REFUSED = set(re.findall(r'Refused\(\s*"(\w+)"', PYTHON))


@pytest.mark.parametrize("language", languages())
def test_every_refusal_of_a_table_has_a_sentence(language: str) -> None:
    assert REFUSED - set(words(language).data["table"]) == set()
    assert len(REFUSED) > 30


@pytest.mark.parametrize("language", languages())
def test_every_sentence_of_refusal_is_used(language: str) -> None:
    unused = [code for code in words(language).data["table"] if f'"{code}"' not in PYTHON]
    assert unused == []


@pytest.mark.parametrize("language", languages())
def test_a_refusal_with_parameters_is_a_whole_sentence(language: str) -> None:
    spoken = words(language)
    for code, params in (
        ("seat_taken", {"seat": 2}),
        ("seat_empty", {"seat": 2}),
        ("bad_name", {"most": 24}),
        ("no_such_level", {"levels": "sunday-driver"}),
        ("stale_decision", {"decision": 3}),
    ):
        assert "{" not in spoken.sentence(Refused(code, params))
