"""Writes the pages on architecture, bots, protocols and rules, and the web client's files.

    python -m tools.generate

A test fails if a generated file is out of date.
"""

import sys
from pathlib import Path

from .architecture_page import architecture_page
from .bot_protocol_page import bot_protocol_page
from .bots_page import MEASURED, bots_page, measured
from .protocol_page import protocol_page
from .rules_pages import rules_pages
from .typescript import typescript
from .web_fixtures import sentences, shuffle, transcripts

ROOT = Path(__file__).resolve().parents[1]


def files() -> dict[Path, str]:
    """Every generated file, by its path in the project."""
    docs, client = Path("docs"), Path("web/src/lib")
    return {
        **{docs / "rules" / name: text for name, text in rules_pages().items()},
        docs / "architecture.md": architecture_page(),
        docs / "bots" / "README.md": bots_page(),
        MEASURED: measured(),
        docs / "protocol.md": protocol_page(),
        docs / "bots" / "protocol.md": bot_protocol_page(),
        client / "protocol.ts": typescript(),
        client / "fixtures" / "sentences.json": sentences(),
        client / "fixtures" / "shuffle.json": shuffle(),
        client / "fixtures" / "transcripts.json": transcripts(),
    }


def main() -> None:
    """Write the files that have changed."""
    for path, text in files().items():
        target = ROOT / path
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"{path.as_posix()}\n")


if __name__ == "__main__":
    main()
