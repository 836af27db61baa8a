"""Every generated file is what its generator writes, and says that it is generated."""

from pathlib import Path

import pytest

from tools.generate import ROOT, files

FILES = files()


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_generated_file_is_up_to_date(path: Path) -> None:
    written = (ROOT / path).read_text(encoding="utf-8")
    assert written == FILES[path], "run: make regenerate"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_generated_file_says_so_at_its_beginning(path: Path) -> None:
    beginning = FILES[path].splitlines()[: 2 if path.suffix == ".json" else 1]
    assert "make regenerate" in beginning[-1]
    assert "do not edit" in beginning[-1]


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=str)
def test_a_generated_page_names_sources_that_exist(path: Path) -> None:
    comment = FILES[path].splitlines()[0]
    assert comment.startswith("<!-- ")
    assert comment.endswith(" -->")
    sources = [word.strip(":,") for word in comment.split() if "/" in word]
    assert len(sources) >= 2
    assert all((ROOT / source).exists() for source in sources)


def test_no_other_page_says_that_it_is_generated() -> None:
    pages = [page.relative_to(ROOT) for page in (ROOT / "docs").rglob("*.md")]
    said = {page for page in pages if (ROOT / page).read_text("utf-8").startswith("<!-- Generated")}
    assert said == {path for path in FILES if path.suffix == ".md"}
