"""The pages stay small: the compressed size of what a first visit loads."""

from pathlib import Path

import pytest

from millebornes.server import pages
from millebornes.words import languages

MOST = 125 * 1024
BUILT = Path(str(pages.BUILT)) / "assets"


@pytest.mark.parametrize("suffix", [".br", ".gz"])
def test_all_scripts_with_one_language_are_small(suffix: str) -> None:
    sizes = {path.name: path.stat().st_size for path in BUILT.glob(f"*.js{suffix}")}
    spoken = {
        language: sum(size for name, size in sizes.items() if name.startswith(f"{language}-"))
        for language in languages()
    }
    assert all(spoken.values()), "run: make test"
    code = sum(sizes.values()) - sum(spoken.values())
    assert code + max(spoken.values()) <= MOST, sizes
