"""The pages of the players in a browser: import of a list, and a merge."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    LOOKED_AT,
    PHONE,
    TABLET,
    address,
    no_violations,
    no_violations_in_any_language,
    weight,
)
from tests.support.browser.tablets import Club
from tests.support.servers.served import Served

LIST = "nombre;apodo;club\nIñaki Ruiz;;Norte\nPilar Gómez;La Pili;\n"
TOO_SMALL = """(all) => all.filter((one) => one.getBoundingClientRect().height < 48)
  .map((one) => one.outerHTML)"""


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def names(page: Page) -> list[str]:
    """Those of the table, without the initials beside them."""
    said = "(all) => all.map((one) => (one.querySelector('a span:last-child') ?? one).innerText)"
    return list(page.locator("tbody th").evaluate_all(said))


def test_a_secretary_brings_a_list(browser: Browser, served: Served) -> None:
    with kept_page(
        browser, served, "/jugadores/traer", signed_in=True, refusals=1, **TABLET
    ) as page:
        page.fill("#text", LIST + ";sin nombre\n")
        press(page, "Ver qué entraría")
        expect(page.locator(".wrong[role=alert]")).to_contain_text("Línea 4, columna 1")
        expect(page.locator("#text")).to_have_value(LIST + ";sin nombre\n")
        no_violations(page)
        content = {"name": "socios.csv", "mimeType": "", "buffer": LIST.encode("utf-8-sig")}
        page.set_input_files("#file", content)
        press(page, "Ver qué entraría")
        expect(page.locator("[role=status]")).to_have_text("nuevo: 2")
        assert names(page) == ["Iñaki Ruiz", "Pilar Gómez"]
        no_violations(page)
        press(page, "Traer")
        expect(page.locator(".said")).to_have_text("Hecho. Nuevos: 2. Cambiados: 0.")


def test_who_is_there_twice_is_joined_and_a_pair_gets_its_name(
    browser: Browser, served: Served
) -> None:
    Club(served).ask("POST", "/api/v1/players/file", {"text": LIST})
    with kept_page(browser, served, "/jugadores/", signed_in=True, refusals=1, **TABLET) as page:
        page.fill("#new-name", "Inaki Ruiz")
        page.fill("#new-nickname", "El Zurdo")
        press(page, "Añadir")
        no_violations(page)
        page.get_by_label("Es otra persona").check()
        press(page, "Añadir")
        expect(page.locator(".said")).to_have_text("Añadido.")
        assert names(page) == ["Inaki Ruiz", "Iñaki Ruiz", "Pilar Gómez"]
        page.fill("#q", "iñaki")
        press(page, "Buscar")
        page.locator("tbody a", has_text="Iñaki").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        no_violations(page)
        page.get_by_role("link", name="Ver qué se une: Inaki Ruiz").click()
        expect(page.locator("main")).to_contain_text("Esto no se puede deshacer")
        no_violations(page)
        press(page, "Unir las dos")
        expect(page.locator(".said")).to_have_text("Unidos.")
        expect(page.locator(".lead").first).to_contain_text("El Zurdo · Norte")
        page.fill("#q", "pili")
        press(page, "Buscar")
        page.locator("summary", has_text="Pilar Gómez").click()
        page.fill("#name-1", "Los Zurdos")
        page.locator("details[open] button").click()
        expect(page.locator(".cases b").first).to_have_text("Los Zurdos")


def test_a_player_is_corrected_and_erased_and_the_list_is_exported(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/jugadores/?q=iñaki", signed_in=True, **TABLET) as page:
        page.locator("tbody a").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        page.fill("#edit-name", "Iñaki Ruiz Gil")
        press(page, "Guardar")
        expect(page.locator("h1")).to_have_text("Iñaki Ruiz Gil")
        page.goto(address(served, "/jugadores/parejas"))
        expect(page.locator(".cases")).to_contain_text("Los Zurdos")
        page.get_by_role("link", name="Iñaki Ruiz Gil").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        page.locator("summary", has_text="Borrar a esta persona").click()
        press(page, "Sí, borrar para siempre")
        expect(page.locator(".said")).to_have_text("Borrado.")
        assert names(page) == ["Pilar Gómez"]
        with page.expect_download() as download:
            page.get_by_role("link", name="Descargar la lista").click()
        assert download.value.suggested_filename == "jugadores.csv"
        content = download.value.path().read_text("utf-8-sig")
        assert content == '"nombre";"apodo";"club"\n"Pilar Gómez";"La Pili";""\n'


def test_a_name_that_is_too_long_is_reported_and_nothing_typed_is_lost(
    browser: Browser, served: Served
) -> None:
    with kept_page(browser, served, "/jugadores/", signed_in=True, refusals=1, **PHONE) as page:
        page.evaluate("document.querySelector('#new-nickname').removeAttribute('maxlength')")
        page.fill("#new-name", "Eva")
        page.fill("#new-nickname", "x" * 81)
        press(page, "Añadir")
        expect(page.locator(".wrong")).to_contain_text(re.compile("Apodo: .*80"))
        expect(page.locator("#new-name")).to_have_value("Eva")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("lang", LOOKED_AT)
def test_everybody_can_use_them(browser: Browser, served: Served, lang: str) -> None:
    club = Club(served)
    added = club.ask("POST", "/api/v1/players", {"name": "Ana"})
    player = added["players"][0]
    club.ask("GET", f"/api/v1/players?wait={added['position']}")
    paths = ("/jugadores/", f"/jugadores/{player}", "/jugadores/traer", "/jugadores/parejas")
    with kept_page(browser, served, paths[0], signed_in=True, **PHONE) as page:
        for path in paths:
            page.goto(address(served, f"{path}?lang={lang}"))
            no_violations_in_any_language(page)
            assert "players." not in page.locator("main").inner_text()
            targets = page.locator("main button:visible, main .ways a:visible")
            assert targets.evaluate_all(TOO_SMALL) == []


def test_pages_of_two_thousand_players_are_light(browser: Browser, served: Served) -> None:
    lines = [f"Ana María Íñiguez {n};Apodo {n};Club {n % 30}" for n in range(2_000)]
    club = Club(served)
    player = club.ask("POST", "/api/v1/players/file", {"text": "\n".join(lines)})["players"][0]
    for path in ("/jugadores/", f"/jugadores/{player}", "/jugadores/?q=ana"):
        assert weight(browser, served, path, signed_in=True) < HEAVIEST_PAGE
