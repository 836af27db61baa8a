"""The page on the protocol says everything, and its examples are real messages."""

import re
from typing import get_args

import msgspec

from millebornes.server import connection
from millebornes.table import In, messages_in, messages_out
from millebornes.table.close_codes import CloseCode
from tools.generate import ROOT

from .blocks import blocks_of

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_message_event_and_part_is_described() -> None:
    headings = set(re.findall(r"^### (\w+)$", TEXT, re.MULTILINE))
    known = {*get_args(messages_in.In), *get_args(messages_out.Out), *get_args(messages_out.Event)}
    assert {cls.__name__ for cls in known} <= headings
    assert {"TableView", "HandView", "SeatView", "SideView", "Asked", "Fair"} <= headings


def test_no_message_or_event_is_described_that_is_never_said() -> None:
    package = ROOT / "src" / "millebornes"
    sources = [*(package / "table").glob("*.py"), *(package / "server").glob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    for cls in {*get_args(messages_out.Out), *get_args(messages_out.Event)}:
        assert re.search(rf"(?<!class ){cls.__name__}\(", code), cls


def test_every_link_on_the_page_leads_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings
    }
    assert set(re.findall(r"\(#([\w-]+)\)", TEXT)) <= anchors


def test_every_example_is_a_message() -> None:
    examples = [block for block in blocks_of(PAGE) if block.kind == "json"]
    assert examples
    for example in examples:
        msgspec.json.decode(example.text, type=In)


def test_every_close_code_is_explained_and_no_other() -> None:
    explained = [int(code) for code in re.findall(r"^\| (\d{4}) \|", TEXT, re.MULTILINE)]
    assert explained == list(CloseCode)


def test_every_close_code_is_sent() -> None:
    package = ROOT / "src" / "millebornes" / "server"
    code = "".join(path.read_text(encoding="utf-8") for path in package.glob("*.py"))
    assert [one for one in CloseCode if f"CloseCode.{one.name}" not in code] == []


def test_the_version_is_said() -> None:
    assert f"Version {messages_in.PROTOCOL_VERSION};" in TEXT


def test_the_longest_message_is_said() -> None:
    assert f"at most {connection.MAX_MESSAGE} bytes" in TEXT
