"""What a device is called in the list of somebody's devices, and how the list names it."""

import hashlib

from starlette.datastructures import Headers

__all__ = ["device_id", "is_browser", "label_of"]

# The first that is found counts: many of them also name others, whose pages they can show.
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
    """Does a page ask, and not a program? Browsers say so, and no script can keep them from it."""
    return "origin" in headers or any(name.startswith("sec-fetch-") for name in headers)


def label_of(headers: Headers) -> str:
    """Such as "Firefox, Linux", of our own words only; empty: a program, or not known."""
    agent = headers.get("user-agent", "") if is_browser(headers) else ""
    found = [
        next((name for mark, name in names.items() if mark in agent), None)
        for names in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))


def device_id(token_hash: str) -> str:
    """What a device is named by: it tells nothing about the token."""
    return hashlib.sha256(token_hash.encode()).hexdigest()[:16]
