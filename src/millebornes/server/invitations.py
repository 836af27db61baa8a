"""The page of a table, with the title and text that messengers show beside a link to it.

It tells no more than the page of the invitation tells everybody who has the link. For a table that
is closed it is the same page as for one that never was.
"""

import re
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from millebornes.table import Table
from millebornes.words import Words, languages, words

from .hub import Hub
from .pages import Pages
from .requests import words_of

__all__ = ["Invitations"]

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION = re.compile(r'\s*<meta name="description"[^>]*>')
_LANGUAGE = re.compile(r'<html lang="\w+">')
_NAME = "Mille Bornes"


class Invitations:
    """`/t/{table}`: the index page with a head of its own."""

    def __init__(self, pages: Pages, hub: Hub) -> None:
        self._pages = pages
        self._hub = hub
        index = _DESCRIPTION.sub("", pages.index_text, count=1)
        self._parts = {
            language: _TITLE.split(_LANGUAGE.sub(f'<html lang="{language}">', index), maxsplit=1)
            for language in languages()
        }
        """The page before and after its title, in every language."""
        self._general = {
            language: self._page(words(language), _NAME, words(language).invitation("general"))
            for language in languages()
        }

    async def get_table(self, request: Request) -> Response:
        """The page of a table, in the language of the link."""
        if not self._pages.are_built:
            return await self._pages.get_index(request)
        spoken = words_of(request)
        room = self._hub.find(request.path_params["table"])
        if room is None or room.table.phase == "closed":
            page = self._general[spoken.language]
        else:
            page = self._page(spoken, *_said(room.table, spoken))
        return self._pages.made(request, page)

    def _page(self, spoken: Words, title: str, text: str) -> str:
        before, *after = self._parts[spoken.language]
        facts = {
            "og:type": "website",
            "og:site_name": _NAME,
            "og:locale": spoken.invitation("locale"),
            "og:title": title,
            "og:description": text,
        }
        head = [
            f"<title>{escape(title)}</title>",
            f'<meta name="description" content="{escape(text)}" />',
            *(
                f'<meta property="{name}" content="{escape(said)}" />'
                for name, said in facts.items()
            ),
            '<meta name="twitter:card" content="summary" />',
            # Links to tables are for the people who get them, not for search engines.
            '<meta name="robots" content="noindex" />',
        ]
        return "\n    ".join(head).join([before, *after]) if after else before


def _said(table: Table, spoken: Words) -> tuple[str, str]:
    """The title and the text. The page is not rate-limited, so no whole picture is made for it."""
    settings = table.settings
    free = table.seats.count(None)
    can_sit = table.phase == "lobby" and not settings.practice and free > 0
    seat = table.seat_of(table.host)
    if seat is None:
        title = spoken.joining("title_empty")
    else:
        title = spoken.joining("title" if can_sit else "title_full", host=table.seat_name(seat))
    edition = spoken.edition_name(settings.edition)
    if can_sit:
        seats = "seats" if free > 1 else "seat"
        text = spoken.invitation(seats, players=settings.players, free=free, edition=edition)
    else:
        about = spoken.invitation("full", players=settings.players, edition=edition)
        text = f"{about} {spoken.joining(_situation(table))}"
    return spoken.invitation("title", said=title), text


def _situation(table: Table) -> str:
    if table.settings.practice:
        return "practice"
    return "full" if table.phase == "lobby" else "playing"
