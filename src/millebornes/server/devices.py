"""Labels and ids of devices in a guest's device list."""

import hashlib

from starlette.datastructures import Headers

__all__ = ["device_id", "is_browser", "label_of"]

# The first match wins: many browsers also name the ones they are compatible with.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def is_browser(headers: Headers) -> bool:
    """Is this a browser? Browsers send these headers, and scripts cannot suppress them."""
    return "origin" in headers or any(name.startswith("sec-fetch-") for name in headers)


def label_of(headers: Headers) -> str:
    """A label such as "Firefox, Linux", in our own words only; empty: a program, or unknown."""
    agent = headers.get("user-agent", "") if is_browser(headers) else ""
    found = [
        next((name for mark, name in names.items() if mark in agent), None)
        for names in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))


def device_id(token_hash: str) -> str:
    """The public id of a device, which reveals nothing about its token."""
    return hashlib.sha256(token_hash.encode()).hexdigest()[:16]
