"""Entering in a browser: the first admin's link, an invitation, a paired phone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from referee.rules.profile.profile import profile
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.keying import Keying, opened, played
from tests.support.browser.pages import PHONE, TABLET, address, no_violations, visiting
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.servers.served import Served

PASSWORD = "caballo de copas"


@contextmanager
def joined(
    browser: Browser, served: Served, name: str, role: str, device: dict[str, Any]
) -> Iterator[Page]:
    """A page of an account that was just opened with an invitation of the owner."""
    with visiting(browser, served, "/casa", signed_in=True, **TABLET) as page:
        page.select_option("#account-role", role)
        page.get_by_role("button", name="Hacer el enlace").click()
        link = page.locator(".offer a").inner_text()
    with visiting(browser, served, link.replace(address(served, ""), ""), **device) as page:
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        page.get_by_role("button", name="Abrir la cuenta").click()
        yield page


def test_from_an_invitation_to_a_paired_phone(browser: Browser, served: Served) -> None:
    with visiting(browser, served, "/casa", signed_in=True, **TABLET) as page:
        no_violations(page)
        page.select_option("#account-role", "arbiter")
        page.get_by_role("button", name="Hacer el enlace").click()
        link = page.locator(".offer a").inner_text()
        no_violations(page)
    with visiting(browser, served, link.replace(address(served, ""), ""), **TABLET) as page:
        expect(page.locator("#invitation")).to_have_value(link.rpartition("#")[2])
        assert "#" not in page.url
        no_violations(page)
        page.fill("#name", "Pilar")
        page.fill("#password", PASSWORD)
        page.get_by_role("button", name="Abrir la cuenta").click()
        page.locator("details.menu > summary").click()
        page.locator(".menu").get_by_role("link", name="Personas y tabletas").click()
        page.select_option("#device-role", "arbiter")
        page.get_by_role("button", name="Dar un código").click()
        code = page.locator(".offer .code").inner_text()
        assert re.fullmatch(r"\w{6}", code)
        expect(page.locator(".offer svg")).to_be_visible()
        no_violations(page)
    with visiting(browser, served, "/p", **PHONE) as page:
        no_violations(page)
        page.fill("#code", code.lower())
        page.get_by_role("button", name="Entrar").click()
        page.wait_for_url("**/arbitro/**")
        page.goto(address(served, "/cuenta"))
        expect(page.locator("main")).to_contain_text("Árbitro")
        no_violations(page)


@pytest.mark.parametrize("path", ["/entrar", "/alta", "/p", "/casa", "/cuenta"])
def test_everybody_can_use_them_on_a_phone(browser: Browser, served: Served, path: str) -> None:
    signed_in = path in ("/casa", "/cuenta")
    with kept_page(browser, served, path, signed_in=signed_in, **PHONE) as page:
        no_violations_in_any_scheme(page)
        for button in page.locator(
            "main button:visible, main input:visible, main select:visible"
        ).all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44, button.evaluate("one => one.outerHTML")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_tablet_paired_as_scorer_keys_in_its_table(browser: Browser, served: Served) -> None:
    club = Club(served)
    options = profile("club").options(4, 40)
    encuentro, other = (opened(club, "club", options, "B2") for _ in range(2))
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 3)
    club.ask("GET", f"{ENCUENTROS}/{encuentro}")  # the page finds the table in the views
    acts, _ = played()
    with visiting(browser, served, "/casa", signed_in=True, **TABLET) as page:
        page.select_option("#device-role", "scorer")
        page.select_option("#device-table", encuentro)
        page.get_by_role("button", name="Dar un código").click()
        link = page.locator(".offer a").inner_text()
    with visiting(browser, served, link.replace(address(served, ""), ""), **TABLET) as page:
        page.get_by_role("button", name="Entrar").click()
        page.wait_for_url("**/arbitro/**")
        expect(page.locator(f'a[href*="{encuentro}"]')).to_be_visible()
        expect(page.locator(f'a[href*="{other}"]')).to_have_count(0)
        page.goto(address(served, f"/arbitro/#/mesa/{encuentro}"))
        expect(page.locator(".table .bar")).to_be_visible()
        keying = Keying(page, club, encuentro)
        keying.acts(acts[:12])
        seen = keying.view()
        assert seen["deals"][0]["pinta"]
        assert seen["version"] >= len(acts[:12]) - 4
        no_violations(page)


def test_who_is_revoked_goes_with_those_whom_they_let_in(browser: Browser, served: Served) -> None:
    tablets = []
    with joined(browser, served, "Rosario", "admin", TABLET) as page:
        for _ in range(2):
            page.goto(address(served, "/casa"))
            page.select_option("#device-role", "arbiter")
            page.get_by_role("button", name="Dar un código").click()
            form = {"code": page.locator(".offer .code").inner_text()}
            tablet = browser.new_context()
            tablet.request.post(address(served, "/p"), form=form, max_redirects=0)
            tablets.append(tablet)
        page.get_by_role("button", name="Dar un código").click()
    with visiting(browser, served, "/casa", signed_in=True, **PHONE) as page:
        page.get_by_role("link", name="Dar de baja: Rosario").click()
        boxes = page.locator('input[name="also"]')
        expect(boxes).to_have_count(2)
        assert [one.is_checked() for one in boxes.all()] == [True, True]
        expect(page.locator("main")).to_contain_text("dejan de valer")
        no_violations(page)
        boxes.nth(1).uncheck()
        page.get_by_role("button", name="Dar de baja").click()
        page.wait_for_url("**/casa")
        expect(page.locator("main")).not_to_contain_text("Rosario")
    answers = [one.request.get(address(served, ENCUENTROS)).status for one in tablets]
    assert answers == [401, 200]
    for tablet in tablets:
        tablet.close()


def test_a_second_step_is_set_up_and_asked_for(browser: Browser, served: Served) -> None:
    with joined(browser, served, "Encarna", "director", PHONE) as page:
        page.goto(address(served, "/cuenta"))
        no_violations(page)
        page.fill("#second-old", PASSWORD)
        page.get_by_role("button", name="Poner el segundo paso").click()
        expect(page.locator(".offer svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        no_violations(page)
        shown = page.locator(".offer a").get_attribute("href")
        authenticator = pyotp.parse_uri(shown or "")
        assert isinstance(authenticator, pyotp.TOTP)
        page.fill("#code", authenticator.at(int(time.time()) - 30))
        page.get_by_role("button", name="Comprobar y poner").click()
        expect(page.locator("code")).to_have_count(10)
        codes = page.locator("code").all_inner_texts()
        no_violations(page)
    with visiting(browser, served, "/entrar", **PHONE) as page:
        page.fill("#name", "Encarna")
        page.fill("#password", PASSWORD)
        page.get_by_role("button", name="Entrar", exact=True).click()
        page.fill("#code", authenticator.now())
        no_violations(page)
        page.get_by_role("button", name="Entrar", exact=True).click()
        page.goto(address(served, "/cuenta"))
        expect(page.locator("main")).to_contain_text("sin usar: 10.")
        no_violations(page)
        page.get_by_role("link", name="Cerrar la cuenta en todas partes").click()
        page.fill("#old", PASSWORD)
        page.fill("#old-code", codes[0])
        no_violations(page)
        page.get_by_role("button", name="Cerrar la cuenta en todas partes").click()
        page.wait_for_url("**/entrar")
