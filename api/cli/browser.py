"""The browser of this computer, opened on the house as soon as it is served."""

from __future__ import annotations

import threading
import time
import urllib.request
import webbrowser
from http import HTTPStatus
from typing import Final

import click

AWAITED_S: Final = 60.0
_ASKED_EVERY_S: Final = 0.2
_PATIENCE_S: Final = 2.0


def is_house(root: str) -> bool:
    """Whether a house is served at an address; one with HTTPS is not asked."""
    if not root.startswith("http:"):
        return False
    try:
        with urllib.request.urlopen(f"{root}/livez", timeout=_PATIENCE_S) as answer:  # noqa: S310 - our own
            return bool(answer.status == HTTPStatus.OK)
    except (OSError, ValueError):
        return False


def show(page: str) -> None:
    """Open a page in the browser of this computer; where there is none a line has the address."""
    if not webbrowser.open(page):
        click.echo(f"open this in a browser: {page}", err=True)


def open_when_served(root: str, page: str) -> None:
    """Open a page once a house is served; nothing is opened if none is for a minute."""

    def look() -> None:
        until = time.monotonic() + AWAITED_S
        while time.monotonic() < until:
            if is_house(root):
                show(page)
                return
            time.sleep(_ASKED_EVERY_S)

    threading.Thread(target=look, name="browser", daemon=True).start()
