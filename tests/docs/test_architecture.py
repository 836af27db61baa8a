"""The page on the architecture names every file of the browser client, and no file that is gone.

Its tables of Python modules are generated.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILES = TEXT.partition("\n## Files\n")[2].partition("\n## ")[0]
SOURCE = ROOT / "src" / "millebornes"
WEB = ROOT / "web" / "src"
_TOKEN = re.compile(r"`([^`\s]+)`")


def rows(prefix: str) -> str:
    """The rows of the tables whose first column names something below a folder."""
    return "\n".join(line for line in FILES.splitlines() if line.startswith(f"| `{prefix}"))


def web_files() -> list[Path]:
    kinds = (".svelte", ".ts", ".css")
    found = [path for path in WEB.rglob("*") if path.suffix in kinds and "test." not in path.name]
    return sorted(path.relative_to(WEB) for path in found)


def test_every_file_of_the_browser_client_is_named() -> None:
    files = web_files()
    assert len(files) > 100
    for path in files:
        # A component is named without its ending where its folder is described.
        name = rf"[`/]{re.escape(path.stem)}(\.svelte)?`|[`/]{re.escape(path.name)}`"
        folder = "" if path.parent == Path() else f"{path.parent.as_posix()}/"
        assert re.search(name, rows(f"web/src/{folder}")), path


def test_every_path_on_the_page_exists() -> None:
    folders = (ROOT, SOURCE, WEB, SOURCE / "cli")
    files = [*SOURCE.rglob("*"), *WEB.rglob("*"), *(ROOT / "tools").rglob("*")]
    for token in _TOKEN.findall(FILES):
        if token.endswith("/"):
            assert any((folder / token).is_dir() for folder in folders), token
        elif re.search(r"\.(py|ts|svelte|css|txt)$", token):
            if "/" in token:
                assert any((folder / token).is_file() for folder in folders), token
            else:
                assert any(path.name == token for path in files), token
