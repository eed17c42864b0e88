"""The page of parts, and the bar: the same for a role on every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from api.html.pages import VARIABLE
from api.http.folders import static_file_path, static_folders
from tests.support.browser.pages import PHONE, no_violations, visiting
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

WAYS = re.compile(r'<nav class="main-ways".*?</nav>', re.DOTALL)
PATHS = ("/", "/torneos/", "/reglas", "/entrar", "/llave", "/contrasena", "/buscar", "/ayuda")
DARK = {"color_scheme": "dark"}
HEADER = 60
"""Pixels that the bar may take of a phone's height, at most."""


def test_the_page_of_parts_is_readable_on_each_screen_and_there_in_development(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    served = Served(tmp_path, is_forked=True)
    served.start()
    try:
        for theme in ({}, {**PHONE, **DARK}):
            with visiting(browser, served, "/estilo", **theme) as page:
                no_violations(page)
                for part in ("dialog[open]", ".spaces", ".avatar"):
                    expect(page.locator(part).first).to_be_visible()
                assert page.evaluate("document.fonts.check('1rem Figtree')"), theme
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), theme
    finally:
        served.kill_all()


def test_every_sheet_has_the_family_of_the_program() -> None:
    sheets = [one for folder in static_folders() for one in folder.rglob("*.css")]
    assert len(sheets) > 20
    own = static_file_path("html/guinote.css")
    assert "--type:" in own.read_text("utf-8")
    assert [one for one in sheets if one != own and "system-ui" in one.read_text("utf-8")] == []


def test_it_is_not_there_for_a_club(tmp_path: Path) -> None:
    assert HttpTable(tmp_path).client.get("/estilo").status_code == 404


def test_the_bar_is_the_same_on_every_page_for_a_role(tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    table.client.post("/entrar", data={"token": table.token})
    for client in (table.client, table.app.test_client()):
        opened = [client.get(path).text for path in PATHS]
        lost = client.get("/nada", headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
        shown = {
            re.sub(r' aria-current="true"', "", WAYS.findall(page)[0])
            for page in (*opened, lost.text)
        }
        assert len(shown) == 1
        assert lost.status_code == 404


def test_a_wrong_address_is_answered_with_ways_on_that_fit_a_phone(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/", refusals=1, **PHONE) as page:
        page.goto(page.url + "nada")
        no_violations(page)
        assert page.locator("header.top").bounding_box()["height"] <= HEADER
        page.locator("main").get_by_role("link", name="Torneos").click()
        expect(page.locator("h1")).to_have_text("Torneos")


def test_the_menu_closes_with_a_key_and_a_tap_beside_it(browser: Browser, served: Served) -> None:
    with visiting(browser, served, "/reglas", signed_in=True, **PHONE) as page:
        menu = page.locator("details.menu")
        for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(5, 800)):
            menu.locator("summary").click()
            expect(menu.get_by_role("link", name="Torneos")).to_be_visible()
            no_violations(page)
            close()
            expect(menu.get_by_role("link", name="Torneos")).to_be_hidden()


def test_the_bar_with_the_name_of_a_club_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, is_forked=True)
    served.start()
    try:
        with visiting(browser, served, "/casa/marca", signed_in=True, **PHONE) as page:
            page.fill("#name", "Peña El Arrastre de Zaragoza")
            page.check("#own")
            page.fill("#colour", "#ffd800")
            page.get_by_role("button", name="Guardar").click()
            expect(page.locator("a.brand")).to_have_text("Peña El Arrastre de Zaragoza")
            no_violations(page)
            assert page.locator("header.top").bounding_box()["height"] <= HEADER
    finally:
        served.kill_all()
