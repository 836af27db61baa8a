"""What a visitor loads: `/` and a first table together at most 110 KiB of script, compressed with
brotli, in the larger language; every other page adds at most 30 KiB, its words included.
"""

from playwright.sync_api import Response, expect

from millebornes.server.pages import SCREENS
from millebornes.words import languages

from .conftest import Visit
from .player import said
from .visitor import Visitor

FIRST_TABLE = 110 * 1024
PAGE = 30 * 1024
OTHERS = sorted(set(SCREENS) - {"home", "table"})


class Scripts:
    """The scripts that a browser has loaded, with their compressed sizes."""

    def __init__(self, visitor: Visitor) -> None:
        self.sizes: dict[str, int] = {}
        visitor.page.on("response", self._note)

    def _note(self, response: Response) -> None:
        if response.request.resource_type == "script":
            size = int(response.headers["content-length"])
            # The smallest files are not worth compressing.
            assert response.headers.get("content-encoding") == "br" or size < 1024
            self.sizes[response.url.rpartition("/")[2]] = size


def test_the_first_page_and_a_first_table_load_at_most_110_kib_of_script(visit: Visit) -> None:
    for language in languages():
        visitor = visit(language=language)
        scripts = Scripts(visitor)
        page = visitor.open("/")
        play = said(language)["web"]["home"]["play"]
        page.get_by_role("button", name=play, exact=True).click()
        page.get_by_role("log").wait_for(state="attached")
        assert 0 < sum(scripts.sizes.values()) <= FIRST_TABLE, scripts.sizes


def test_every_other_page_adds_at_most_30_kib_of_script_with_its_words(visit: Visit) -> None:
    for language in languages():
        # The page for an unknown address has what all pages have, and nothing else.
        common = loaded(visit, language, "/nowhere")
        for screen in OTHERS:
            found = loaded(visit, language, SCREENS[screen])
            added = {
                name: size
                for name, size in found.items()
                # The table, if the page loads it ahead, is part of the first table.
                if name not in common and not name.startswith("AtTable-")
            }
            assert sum(added.values()) <= PAGE, (screen, added)


def loaded(visit: Visit, language: str, path: str) -> dict[str, int]:
    visitor = visit(language=language)
    visitor.forgive("404")
    scripts = Scripts(visitor)
    visitor.open(path)
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    return scripts.sizes
