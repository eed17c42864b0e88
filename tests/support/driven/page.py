"""A page of a browser that is driven by a protocol of the W3C, whichever that is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from abc import ABC, abstractmethod
from typing import Any

from tests.support.waiting import wait_for

NO_FIREFOX = "NO FIREFOX: the main ways were not walked in it; install firefox-esr"
NO_WEBKIT = "NO WEBKIT: the main ways were not walked in it; install webkit2gtk-driver and xvfb"
_SOON_S = 50
_SEEN = """(selector, text) => [...document.querySelectorAll(selector)].some((one) =>
  one.getClientRects().length > 0 && one.textContent.includes(text))"""

_DRAWN = """() => document.readyState === "complete" && new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""
"""A browser loses what is pressed on a page that it has not drawn yet."""


class NotDriven(Exception):
    """What the browser said in place of an answer: no such element, or a page on its way."""


def as_text(function: str) -> str:
    """A function of JSON as text that gives its result as such a text, and awaits it."""
    return f"async (given) => JSON.stringify((await ({function})(...JSON.parse(given))) ?? null)"


def ended(process: subprocess.Popen[Any]) -> None:
    """End a process that leads a group of its own, and the group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class DrivenPage(ABC):
    """The one page of a browser: opened, asked by functions of JavaScript, tapped, written in."""

    @abstractmethod
    def open(self, address: str) -> None:
        """Open an address; returns when it is loaded."""

    @abstractmethod
    def said(self, function: str, given: str) -> str:
        """Text that a function returns for a text.

        :raises NotDriven: it failed, or the page went away
        """

    @abstractmethod
    def tapped(self, selector: str) -> None:
        """Press the first element of a selector."""

    @abstractmethod
    def typed(self, selector: str, text: str) -> None:
        """Type into the first element of a selector."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def ask(self, function: str, *given: Any) -> Any:
        """JSON that a function of the page returns; a promise is awaited."""
        return json.loads(self.said(as_text(function), json.dumps(given)))

    def wait(self, function: str, *given: Any) -> Any:
        """The same, once it is true."""
        return wait_for(lambda: self.ask(function, *given), function, NotDriven)

    def sees(self, selector: str, text: str = "") -> None:
        """Wait until an element is shown with this text; a failure tells what is shown instead."""
        try:
            wait_for(
                lambda: self.ask(_SEEN, selector, text), selector, NotDriven, at_most_s=_SOON_S
            )
        except AssertionError as late:
            late.add_note(str(self.ask("() => [location.href, document.body.innerText]")))
            raise

    def tap(self, selector: str) -> None:
        """Press the first element of a selector, once it is shown."""
        self.sees(selector)
        self.wait(_DRAWN)
        self.tapped(selector)

    def write(self, selector: str, text: str) -> None:
        """Type into the first element of a selector, once it is shown."""
        self.sees(selector)
        self.typed(selector, text)
