"""Pages that one test after another goes on with: a new browser context costs three times as much."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Cookie, Page

from tests.support.browser.pages import TABLET, Visit, address, no_violations_in_any_language
from tests.support.servers.served import Served

SCHEMES = ("light", "dark")
_kept: dict[str, tuple[Visit, list[Cookie]]] = {}
"""Pages and the cookies that they began with, by address, sign-in and settings."""


@contextmanager
def kept_page(
    browser: Browser,
    served: Served,
    path: str,
    *,
    signed_in: bool = False,
    color_scheme: str = "light",
    refusals: int = 0,
    **settings: Any,
) -> Iterator[Page]:
    """``visiting``, in a page that another test of the file has left; after a failure in a new one.

    Cookies and storage are as in a new page; files that were fetched are in the browser's cache.
    """
    kind = repr((served.port, signed_in, sorted(settings.items())))
    visit, cookies = _kept.pop(kind, (None, []))
    if visit is None or visit.page.is_closed():
        visit = Visit(browser, served, signed_in=signed_in, **settings)
        cookies = visit.context.cookies()
    try:
        visit.page.emulate_media(color_scheme=color_scheme)
        visit.open(path)
        yield visit.page
        visit.check(refusals)
        visit.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        visit.page.goto("about:blank")
        visit.context.clear_cookies()
        visit.context.add_cookies(cookies)
    except BaseException:
        visit.context.close()
        raise
    _kept[kind] = visit, cookies


_kept_tablets: dict[str, Visit] = {}
"""Tablets that the next test of a file goes on with, by address and settings."""


@contextmanager
def kept_tablet(browser: Browser, served: Served, path: str, **settings: Any) -> Iterator[Page]:
    """A view of a signed-in tablet; ``path`` has a ``#``.

    One page shows a table after another, as in a club; after a failure there is a new page.
    """
    kind = repr((address(served, path.partition("#")[0]), sorted(settings.items())))
    visit = _kept_tablets.pop(kind, None)
    if visit is None or visit.page.is_closed():
        visit = Visit(browser, served, signed_in=True, **{**TABLET, **settings})
    try:
        visit.open(path)
        yield visit.page
        visit.check()
        visit.page.evaluate("location.hash = '#/'")
        visit.page.locator("main .club").wait_for()
    except BaseException:
        visit.context.close()
        raise
    _kept_tablets[kind] = visit


def no_violations_in_any_scheme(page: Page) -> None:
    """``no_violations_in_any_language`` with the light colours and with the dark ones."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        no_violations_in_any_language(page)
