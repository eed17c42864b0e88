"""The home page: the steps from it to each main job, and how it looks everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from api.demo.content import NAMES
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    READ,
    TABLET,
    TELEVISION,
    address,
    no_violations_in_any_language,
    site,
)
from tests.support.demonstrated import demonstrated
from tests.support.html import text_of
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.accounts import joined
from tests.support.servers.served import Served

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP, "wall": TELEVISION}
JOBS = {
    "admin": ("Abrirla como la última vez", r"/jornadas/nueva\?como=misma"),
    "director": ("Llevar el torneo", r"/torneos/[\w-]+/direccion"),
    "arbiter": ("Abrir el caso", r"/e/[\w-]+/c/1"),
    "scorer": ("Apuntar en ella", r"/arbitro/#/mesa/[\w-]+"),
    "spectator": ("Tu página", r"/jugador/\w+"),
    "visitor": ("Liga de los jueves", r"/temporadas/[\w-]+"),
}
"""The step of each role from the home page to its main job, and where it then is."""


class Home(NamedTuple):
    """A site with data, and a cookie of each role."""

    served: Served
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    table = demonstrated(folder, is_league_public=True)
    where = {"scorer": table.encuentro().rpartition("/")[2]}
    roles: tuple[Any, ...] = ("admin", "director", "arbiter", "scorer")
    signed = {role: table.signed_in(role, where.get(role, "")) for role in roles}
    cookies = {role: one["Authorization"].partition(" ")[2] for role, one in signed.items()}
    player = joined(table, NAMES[0], role="spectator").get_cookie("guinote")
    table.close()
    with site(folder) as served:
        yield Home(served, {**cookies, "spectator": player.value})


def test_each_role_reaches_its_main_job_in_one_step(home: Home) -> None:
    for role, (name, goal) in JOBS.items():
        cookie = home.cookies.get(role, "")
        reader = Reader(home.served, cookie=f"guinote={cookie}" if cookie else "")
        links = [one for one in reader.page("/").all("main a[href]") if text_of(one) == name]
        (path,) = {str(one.attributes["href"]) for one in links}
        assert re.fullmatch(goal, path), role
        assert reader.page(path.partition("#")[0]).count("main") == 1, role


def is_for_everybody(page: Page, what: object) -> None:
    """Nothing is wider than the window, and axe has no complaint."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), what
    no_violations_in_any_language(page)


def test_home_fits_every_screen_and_has_contrast(
    browser: Browser, home: Home, served: Served
) -> None:
    """Of a house with data, and of a new one."""
    for signed_in in (True, False):
        for size, settings in SIZES.items():
            with kept_page(browser, home.served, "/", signed_in=signed_in, **settings) as page:
                is_for_everybody(page, (size, signed_in))
                assert page.locator("h1").count() == 1
        with kept_page(browser, served, "/", signed_in=signed_in, **PHONE) as page:
            for lang in LOOKED_AT:
                page.goto(address(served, f"/?lang={lang}"))
                assert page.locator("ol.first > li").count() == 3 * signed_in
                is_for_everybody(page, ("a new house", signed_in, lang))
    with kept_page(browser, home.served, "/", signed_in=True, **PHONE) as page:
        for lang in READ:
            page.emulate_media(color_scheme="dark")
            page.goto(address(home.served, f"/?lang={lang}"))
            is_for_everybody(page, ("in the dark", lang))
            page.emulate_media(color_scheme="light")
            page.goto(address(home.served, f"/mesas/?lang={lang}"))
            is_for_everybody(page, ("tables", lang))


def test_the_home_page_is_light(home: Home) -> None:
    for signed_in in (True, False):
        assert 1_000 < Reader(home.served, signed_in=signed_in).weight("/") < HEAVIEST_PAGE
