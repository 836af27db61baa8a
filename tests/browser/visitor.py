"""A person with a browser: what it shows, and everything that goes wrong in it."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, WebSocket

from tests.server_process import ServerProcess

__all__ = ["DEVICES", "FAST", "Device", "Visitor"]

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
FAST = {"window": 1000, "bot_window": 0, "pace": 0}
"""A table where nobody waits longer than needed."""

Device = Literal["phone", "small", "desktop", "wide"]
DEVICES: dict[Device, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 3,
        "is_mobile": True,
        "has_touch": True,
    },
    "small": {
        "viewport": {"width": 360, "height": 640},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "wide": {"viewport": {"width": 2560, "height": 1440}},
}


class Visitor:
    """One person: a separate browser context with its own cookies, and one page at a time.

    Whatever the page complains about, whatever it fails to load and whatever it asks of other
    machines is noted. A test that has good reason for some of it says so with `forgive`.
    """

    def __init__(
        self,
        browser: Browser,
        server: ServerProcess,
        *,
        device: Device = "desktop",
        language: Literal["en", "fr"] = "en",
        theme: Literal["light", "dark"] = "light",
        still: bool = True,
    ) -> None:
        self.server = server
        self.language = language
        self.troubles: list[str] = []
        self._forgiven: list[re.Pattern[str]] = []
        self.context = browser.new_context(
            base_url=server.url,
            locale=LOCALES[language],
            color_scheme=theme,
            reduced_motion="reduce" if still else "no-preference",
            **DEVICES[device],
        )
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another tab of the same person."""
        page = self.context.new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._note(f"error: {error}"))
        page.on("request", self._on_request)
        page.on("requestfailed", self._on_request_failed)
        page.on("response", self._on_response)
        page.on("websocket", self._on_socket)
        return page

    def open(self, path: str = "/") -> Page:
        """Go to an address of the server."""
        self.page.goto(path)
        return self.page

    def new_table(self, **settings: Any) -> str:
        """Open a table as this person, without the pages' help; its id."""
        self._post("/api/guests", {})
        created = self._post("/api/tables", {"name": "Zoé", **FAST, **settings})
        return str(created["table"])

    def know(self, level: str, **more: Any) -> None:
        """This device has played before: against bots of this level, which it suggests again."""
        kept = json.dumps({"lastBots": [level], **more})
        self.context.add_init_script(
            f"""(() => {{
              const kept = JSON.parse(localStorage.getItem('millebornes') ?? '{{}}');
              if (kept.lastBots?.length) return;
              localStorage.setItem('millebornes', JSON.stringify({{ ...kept, ...{kept} }}));
            }})()"""
        )

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        # As our own pages do: with the cookie and the origin.
        answer = self.context.request.post(
            self.server.url + path, data=body, headers={"Origin": self.server.url}
        )
        assert answer.ok, answer.text()
        return answer.json()

    # What must be right on every page

    def check(self) -> None:
        """Nothing that axe finds, no scrolling sideways, and the page ends with its content."""
        self.check_width()
        self.check_end()
        self.check_access()

    def check_access(self) -> None:
        """axe-core finds nothing."""
        # Evaluated by the browser's tools, not by the page: its security policy stays in force.
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        told = [_told(violation) for violation in found["violations"]]
        assert not told, "\n".join(told)

    def check_width(self) -> None:
        """Nothing is wider than the screen."""
        wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{wide} px too wide"

    def check_end(self) -> None:
        """There is nothing to scroll to below what the page shows."""
        empty = self.page.evaluate(
            "document.documentElement.scrollHeight - Math.max("
            "document.documentElement.clientHeight,"
            "Math.ceil(document.body.getBoundingClientRect().bottom + scrollY))"
        )
        assert empty <= 0, f"{empty} px below the end of the page"

    # Errors

    def forgive(self, pattern: str) -> None:
        """Complaints like this are expected from now on."""
        self._forgiven.append(re.compile(pattern))

    @contextlib.contextmanager
    def without_server(self) -> Iterator[None]:
        """While the server is away, failing to reach it is no fault of the page's."""
        lost = re.compile(
            r"ERR_(CONNECTION_|EMPTY_RESPONSE|SOCKET_)|WebSocket connection to|status of 50[23]"
        )
        self._forgiven.append(lost)
        yield
        self._forgiven.remove(lost)

    def _note(self, trouble: str) -> None:
        if not any(pattern.search(trouble) for pattern in self._forgiven):
            self.troubles.append(trouble)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"console {message.type}: {message.text}")

    def _on_request(self, request: Request) -> None:
        self._check_origin(request.url)

    def _on_socket(self, socket: WebSocket) -> None:
        self._check_origin(socket.url.replace("ws://", "http://", 1))

    def _check_origin(self, url: str) -> None:
        if not url.startswith((f"{self.server.url}/", "data:", "blob:")):
            self._note(f"a request to another machine: {url}")

    def _on_request_failed(self, request: Request) -> None:
        # Leaving a page cancels its requests; that is not an error.
        if request.failure != "net::ERR_ABORTED":
            self._note(f"{request.method} {request.url}: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.request.method} {response.url}: {response.status}")


def _told(violation: dict[str, Any]) -> str:
    nodes = "; ".join(f"{node['target']} {node['html'][:200]}" for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']} at {nodes}"
