"""The first page: immediate, complete, and for everybody."""

from typing import Literal

import pytest

from .conftest import Visit
from .visitor import DEVICES, Device


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("device", DEVICES)
def test_the_first_page_is_whole(
    visit: Visit,
    device: Device,
    language: Literal["en", "fr"],
    theme: Literal["light", "dark"],
) -> None:
    visitor = visit(device=device, language=language, theme=theme)
    page = visitor.open("/")
    page.locator("h1").first.wait_for()
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("html").get_attribute("data-theme") == theme
    visitor.check()


def test_what_goes_wrong_on_a_page_is_noticed(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/")
    page.locator("h1").first.wait_for()
    assert visitor.troubles == []
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
    page.evaluate("fetch('/api/nope').then(() => 0)")
    page.evaluate("setTimeout(() => { throw new Error('planted') })")
    with page.expect_event("requestfailed"):
        page.evaluate("location.href = 'http://127.0.0.1:9/'")
    noted = "\n".join(visitor.troubles)
    for sign in ("inline style", "connect-src", "/api/nope: 404", "planted", "another machine"):
        assert sign in noted
    visitor.troubles.clear()


def test_axe_finds_what_is_wrong(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/")
    page.locator("h1").first.wait_for()
    page.evaluate("document.body.append(document.createElement('button'))")
    with pytest.raises(AssertionError, match="button-name"):
        visitor.check_access()
    page.evaluate("document.body.lastChild.style.width = '5000px'")
    with pytest.raises(AssertionError, match="too wide"):
        visitor.check_width()
