"""The home page in a browser: the steps from it to each main job, and how it looks everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from api.demo.filling import NAMES
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    LOOKED_AT,
    PHONE,
    READ,
    TABLET,
    TELEVISION,
    Visit,
    address,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
    weight,
)
from tests.support.demonstrated import demonstrate
from tests.support.servers.accounts import joined
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
DARK_PHONE = {**PHONE, "color_scheme": "dark"}
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP, "wall": TELEVISION}
JOBS = {
    "admin": (("Abrirla como la última vez",), r"/jornadas/nueva\?como=misma"),
    "director": (("Llevar el torneo",), r"/torneos/[\w-]+/direccion"),
    "arbiter": (("Abrir el caso",), r"/e/[\w-]+/c/1"),
    "scorer": (("Apuntar en ella",), r"/arbitro/#/mesa/[\w-]+"),
    "spectator": (("Tu página",), r"/jugador/\w+"),
    "visitor": (("Liga de los jueves",), r"/temporadas/[\w-]+"),
}
"""The steps of each role from the home page to its main job, and where it then is."""


class Home(NamedTuple):
    """A site with data, and a cookie of each role."""

    served: Served
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    table = HttpTable(folder)
    demonstrate(table, is_league_public=True)
    where = {"scorer": table.encuentro().rpartition("/")[2]}
    roles: tuple[Any, ...] = ("admin", "director", "arbiter", "scorer")
    signed = {role: table.signed_in(role, where.get(role, "")) for role in roles}
    cookies = {role: one["Authorization"].partition(" ")[2] for role, one in signed.items()}
    player = joined(table, NAMES[0], role="spectator").get_cookie("guinote")
    table.close()
    with site(folder) as served:
        yield Home(served, {**cookies, "spectator": player.value})


def opened_as(browser: Any, home: Home, role: str, **settings: Any) -> Visit:
    visit = Visit(browser, home.served, **settings)
    if role in home.cookies:
        cookie = {"name": "guinote", "value": home.cookies[role], "url": address(home.served, "/")}
        visit.context.add_cookies([cookie])
    visit.open("/")
    return visit


@pytest.mark.parametrize("role", JOBS)
def test_each_role_reaches_its_main_job_in_one_step(browser, home: Home, role: str) -> None:
    steps, goal = JOBS[role]
    visit = opened_as(browser, home, role, **PHONE)
    for name in steps:
        visit.page.locator("main").get_by_role("link", name=name, exact=True).click()
    expect(visit.page).to_have_url(re.compile(re.escape(address(home.served, "")) + goal + "$"))
    assert len(steps) == 1
    visit.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_and_axe_has_no_complaint(browser, home: Home, size: str) -> None:
    for role in ("admin", "visitor"):
        visit = opened_as(browser, home, role, **SIZES[size])
        assert is_within(visit.page)
        assert visit.page.locator("h1").count() == 1
        no_violations(visit.page)
        visit.check()
        visit.context.close()


@pytest.mark.parametrize("lang", READ)
def test_everybody_can_read_it_in_the_dark_too(browser, home: Home, lang: str) -> None:
    path = f"/?lang={lang}"
    with visiting(browser, home.served, path, signed_in=True, **DARK_PHONE) as page:
        no_violations(page)
    with visiting(browser, home.served, "/mesas/" + path[1:], signed_in=True, **PHONE) as page:
        no_violations_in_any_language(page)


@pytest.mark.parametrize("lang", LOOKED_AT)
@pytest.mark.parametrize("signed_in", [True, False])
def test_a_new_house_can_be_read(browser, served: Served, lang: str, signed_in: bool) -> None:
    with visiting(browser, served, f"/?lang={lang}", signed_in=signed_in, **PHONE) as page:
        assert is_within(page)
        assert page.locator("ol.first > li").count() == 3 * signed_in
        no_violations_in_any_language(page)


def test_the_home_page_is_light(browser, home: Home) -> None:
    for signed_in in (True, False):
        assert 1_000 < weight(browser, home.served, "/", signed_in=signed_in) < HEAVIEST_PAGE


def is_within(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    found = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return bool(found)
