"""The browser of a sign-in, in a word or two: enough to tell one's own sessions apart."""

from __future__ import annotations

from typing import Final

_BROWSERS: Final = (
    ("Firefox/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("FxiOS/", "Firefox"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def agent_name(header: str) -> str:
    """Browser and system of a ``User-Agent``; only words of these tables, empty if none fits.

    >>> agent_name("Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    'Firefox · Android'
    >>> agent_name("<script>")
    ''
    """
    return " · ".join(filter(None, (_first(_BROWSERS, header), _first(_SYSTEMS, header))))


def _first(known: tuple[tuple[str, str], ...], header: str) -> str:
    return next((name for mark, name in known if mark in header), "")
