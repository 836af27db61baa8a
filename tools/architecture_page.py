"""The page on the architecture: a hand-written text, with the files of some packages listed."""

import ast
from collections.abc import Iterator
from pathlib import Path

from .markdown import hand_written, page, table

SOURCE = Path(__file__).resolve().parents[1] / "src" / "millebornes"
LISTED = ("table", "plugins", "server", "client", "cli")
"""The packages whose files are listed one by one, each with the first line of its docstring."""


def architecture_page() -> str:
    """How the code is organised, and why."""
    text = hand_written("architecture")
    for package in LISTED:
        mark = f"{{{package}}}"
        assert text.count(mark) == 1, mark
        text = text.replace(mark, table(("file", "what it does"), rows(package)))
    return page([text], "architecture", "src/millebornes")


def rows(package: str) -> Iterator[tuple[str, str]]:
    """Every module of a package: those at its top first."""
    folder = SOURCE / package
    modules = [path for path in folder.rglob("*.py") if path.stem != "__init__"]
    for path in sorted(modules, key=lambda path: (path.parent, path.name)):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path
        yield f"`{path.relative_to(SOURCE).as_posix()}`", docstring.splitlines()[0].rstrip(".")
