"""Pages that one test after another goes on with: a new browser context costs three times as much."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from tests.support.browser.in_browser import described
from tests.support.browser.pages import (
    TABLET,
    Visit,
    address,
    enough_contrast,
    is_looked_at,
    no_violations_in_any_language,
)
from tests.support.servers.served import Served

_kept: dict[str, Visit] = {}
"""Visits that the next test of a file goes on with, by what makes them alike."""


@contextmanager
def _kept_visit(
    alike: tuple[Any, ...], made: Callable[[], Visit], leave: Callable[[Visit], None]
) -> Iterator[Visit]:
    """A visit that another test has left, or a new one; it is left after a success only."""
    kind = repr(alike)
    visit = _kept.pop(kind, None)
    if visit is None or visit.page.is_closed():
        visit = made()
    try:
        with described(visit.context):
            yield visit
            leave(visit)
    except BaseException:
        visit.context.close()
        raise
    _kept[kind] = visit


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

    def made() -> Visit:
        return Visit(browser, served, signed_in=signed_in, **settings)

    alike = (served.port, signed_in, sorted(settings.items()))
    with _kept_visit(alike, made, Visit.reset) as visit:
        visit.page.emulate_media(media="null", color_scheme=color_scheme)
        visit.open(path)
        yield visit.page
        visit.check(refusals)


@contextmanager
def kept_tablet(browser: Browser, served: Served, path: str, **settings: Any) -> Iterator[Page]:
    """A view of a signed-in tablet; ``path`` has a ``#``.

    One page shows a table after another, as in a club; after a failure there is a new page.
    """

    def made() -> Visit:
        return Visit(browser, served, signed_in=True, **{**TABLET, **settings})

    alike = (address(served, path.partition("#")[0]), sorted(settings.items()))
    with _kept_visit(alike, made, _leave_table) as visit:
        visit.open(path)
        yield visit.page
        visit.check()


def _leave_table(visit: Visit) -> None:
    """Go to the list of tables."""
    visit.page.evaluate("location.hash = '#/'")
    visit.page.locator("main .club").wait_for()


def no_violations_in_any_scheme(page: Page) -> None:
    """``no_violations_in_any_language`` with the light colours, enough contrast with the dark ones."""
    page.emulate_media(color_scheme="light")
    no_violations_in_any_language(page)
    page.emulate_media(color_scheme="dark")
    if is_looked_at(page):
        enough_contrast(page)
