"""Entering by pages: the first admin's link, an invitation, a paired phone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyotp
from playwright.sync_api import Browser, Page, expect

from referee.rules.profile.profile import profile
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.keying import Keying, opened, played
from tests.support.browser.pages import PHONE, TABLET, address, no_violations, visiting
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.page_in_node import PageInNode, page_in_node
from tests.support.page_in_node import expect as expect_in_node
from tests.support.servers.cookies import cookie_given
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
        link = page.locator(".offer a:not(.row)").inner_text()
    with visiting(browser, served, link.replace(address(served, ""), ""), **device) as page:
        page.fill("#name", name)
        page.fill("#password", PASSWORD)
        page.get_by_role("button", name="Abrir la cuenta").click()
        yield page


def test_from_an_invitation_to_a_paired_phone_all_is_readable_on_its_screen(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/casa", signed_in=True, **TABLET) as page:
        no_violations(page)
        page.select_option("#account-role", "arbiter")
        page.get_by_role("button", name="Hacer el enlace").click()
        link = page.locator(".offer a:not(.row)").inner_text()
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
        assert re.fullmatch(r"\w{8}", code)
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


PATHS = ("/entrar", "/alta", "/p", "/casa", "/cuenta")
FIELDS = "main button:visible, main input:visible, main select:visible"


def test_fields_and_buttons_fit_fingers_and_a_phone(browser: Browser, served: Served) -> None:
    for path in PATHS:
        signed_in = path in ("/casa", "/cuenta")
        with kept_page(browser, served, path, signed_in=signed_in, **PHONE) as page:
            no_violations_in_any_scheme(page)
            heights = page.locator(FIELDS).evaluate_all(
                "all => all.map((one) => [one.getBoundingClientRect().height, one.outerHTML])"
            )
            assert heights or path == "/cuenta", path
            assert [one for one in heights if one[0] < 44] == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_tablet_paired_as_scorer_keys_in_its_table(served: Served) -> None:
    club = Club(served)
    options = profile("club").options(4, 40)
    encuentro, other = (opened(club, "club", options, "B2") for _ in range(2))
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 3)
    club.ask("GET", f"{ENCUENTROS}/{encuentro}")  # the page finds the table in the views
    acts, _ = played()
    with page_in_node(served, "/casa", signed_in=True) as page:
        page.select_option("#device-role", "scorer")
        page.select_option("#device-table", encuentro)
        page.get_by_role("button", name="Dar un código").click()
        page.visit(page.locator(".offer a:not(.row)").inner_text())
        page.get_by_role("button", name="Entrar").click()
        page.wait_for_url("*/arbitro/*")
        expect_in_node(page.locator(f'a[href*="{encuentro}"]')).to_be_visible()
        expect_in_node(page.locator(f'a[href*="{other}"]')).to_have_count(0)
        page.goto(f"/arbitro/#/mesa/{encuentro}")
        expect_in_node(page.locator(".table .bar")).to_be_visible()
        keying = Keying(page, club, encuentro)
        keying.acts(acts[:12])
        seen = keying.view()
        assert seen["deals"][0]["pinta"]
        assert seen["version"] >= len(acts[:12]) - 4


def test_who_is_revoked_goes_with_those_whom_they_let_in(served: Served) -> None:
    with page_in_node(served, "/casa", signed_in=True) as page:
        open_account(page, "Rosario", "admin")
        tablets = [paired(page, served) for _ in range(2)]
        page.get_by_role("button", name="Dar un código").click()
        page.visit("/casa", signed_in=True)
        page.get_by_role("link", name="Dar de baja: Rosario").click()
        boxes = page.locator('input[name="also"]')
        expect_in_node(boxes).to_have_count(2)
        for box in boxes.all():
            expect_in_node(box).to_be_checked()
        expect_in_node(page.locator("main")).to_contain_text("dejan de valer")
        boxes.nth(1).uncheck()
        page.get_by_role("button", name="Dar de baja").click()
        page.wait_for_url("*/casa")
        expect_in_node(page.locator("main")).not_to_contain_text("Rosario")
    answers = [served.ask("GET", ENCUENTROS, headers={"Cookie": one})[0] for one in tablets]
    assert answers == [401, 200]


def open_account(page: PageInNode, name: str, role: str) -> None:
    """Open an account with an invitation, which the page of the owner gives."""
    page.select_option("#account-role", role)
    page.get_by_role("button", name="Hacer el enlace").click()
    page.visit(page.locator(".offer a:not(.row)").inner_text())
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="Abrir la cuenta").click()


def paired(page: PageInNode, served: Served) -> str:
    """Cookie of a tablet that was paired with a code of this person."""
    page.goto("/casa")
    page.select_option("#device-role", "arbiter")
    page.get_by_role("button", name="Dar un código").click()
    return cookie_given(served, "/p", {"code": page.locator(".offer .code").inner_text()})


def test_a_second_step_is_set_up_and_asked_for_on_a_phone(browser: Browser, served: Served) -> None:
    with joined(browser, served, "Encarna", "director", PHONE) as page:
        page.goto(address(served, "/cuenta"))
        no_violations(page)
        page.fill("#second-old", PASSWORD)
        page.get_by_role("button", name="Poner el segundo paso").click()
        expect(page.locator(".offer svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        no_violations(page)
        shown = page.locator(".offer a:not(.row)").get_attribute("href")
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
