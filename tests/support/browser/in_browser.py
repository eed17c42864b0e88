"""The browser of the machine, what its pages show when a test fails, and the verifier in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from api.audit.bundle import verifier_html
from dev import browser
from tests.support.waiting import LONGEST_MS

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
HOST = "club.test"
"""A name of this machine that is none of its loopback names; a service knows it if it is told."""
FLAGS += [f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
SHOWN, SHOWN_MS = 2000, 2000
expect.set_options(timeout=LONGEST_MS)


_saved = TemporaryDirectory(prefix="verifier")


@cache
def verifier_address() -> str:
    """Address of the verifier as somebody saves it: a file."""
    file = Path(_saved.name, "verificador.html")
    file.write_text(verifier_html(), "utf-8")
    return file.as_uri()


def program() -> str:
    """The browser of the machine."""
    found = browser()
    assert found, "no browser: python3 dev.py test installs one"
    return found


_drivers: list[Playwright] = []
"""The driver of this process, while there is one: a thread can have no second."""


@contextmanager
def driver() -> Iterator[Playwright]:
    """The Playwright driver."""
    if _drivers:
        yield _drivers[0]
        return
    with sync_playwright() as playwright:
        _drivers.append(playwright)
        try:
            yield playwright
        finally:
            _drivers.clear()


@contextmanager
def running(*flags: str, path: str = "") -> Iterator[Browser]:
    """The browser of the machine, without a window; ``path``: of a program that starts it."""
    with driver() as playwright:
        path = path or program()
        started = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        _make_patient(started)
        yield started
        started.close()


def _make_patient(browser: Browser) -> None:
    """Every context of the browser waits as long as ``wait_for``: a busy machine fails no test."""
    made = browser.new_context

    def new_context(**settings: Any) -> BrowserContext:
        context = made(**settings)
        context.set_default_timeout(LONGEST_MS)
        return context

    browser.new_context = new_context


@contextmanager
def described(context: BrowserContext) -> Iterator[None]:
    """If the test fails, what its pages show is printed, and stands in the report."""
    try:
        yield
    except BaseException:
        for page in context.pages:
            with suppress(PlaywrightError):
                print(page.url, page.locator("body").inner_text(timeout=SHOWN_MS)[:SHOWN], sep="\n")
        raise


@contextmanager
def opened(browser: Browser, address: str = "", **settings: Any) -> Iterator[Page]:
    """The page at an address, or the verifier as a file; it must have no errors, and make no other requests.

    A Worker that it makes of its own text has a ``blob:`` address, and asks nobody.
    """
    address = address or verifier_address()
    context = browser.new_context(**{"locale": "es-ES", **settings})
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield page
    assert complaints == []
    assert [url for url in asked if not url.startswith("blob:")] == [address]
    context.close()


def bring(page: Page, content: bytes, key: str = "", paper: str = "") -> None:
    """Give the page the proof file, the public key, and the resguardo."""
    page.evaluate("document.getElementById('more').open = true")
    for field, text in (("#key", key), ("#paper", paper)):
        if page.input_value(field) != text:  # each change verifies the file of before once more
            page.fill(field, text)
    page.evaluate("document.getElementById('verdict').hidden = true")
    page.set_input_files("#files", {"name": "prueba.json", "mimeType": "", "buffer": content})
    page.wait_for_selector("#verdict:not([hidden])")


def found(page: Page) -> tuple[str, list[dict[str, str]]]:
    """The verdict of the page, and each difference that it shows."""
    differences = page.eval_on_selector_all(
        "#differences li", "all => all.map(one => ({...one.dataset}))"
    )
    return str(page.get_attribute("#verdict", "data-verdict")), differences


def codes(page: Page) -> set[str]:
    """Codes of the differences that the page shows."""
    return {one["what"] for one in found(page)[1]}
