"""The pages of the players: import of a list, a merge, a correction, and how they look on a phone."""

from __future__ import annotations

import itertools
import re
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TABLET,
    address,
    no_violations,
    no_violations_in_any_language,
)
from tests.support.outbox import Club
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.read_pages import HEAVIEST_PAGE, Reader
from tests.support.servers.served import Served

LIST = "nombre;apodo;club\nIñaki Ruiz;;Norte\nPilar Gómez;La Pili;\n"
PAIRS = "/jugadores/parejas"
TOO_SMALL = """(all) => all.filter((one) => one.getBoundingClientRect().height < 48)
  .map((one) => one.outerHTML)"""


def press(page: PageInNode, name: str) -> None:
    page.get_by_role("button", name=name).click()


def names(page: PageInNode) -> list[str]:
    """Those of the table, without the initials beside them."""
    linked = page.locator("tbody th a span:last-child").all_inner_texts()
    return linked or page.locator("tbody th").all_inner_texts()


def test_a_secretary_brings_a_list_as_a_file(browser: Browser, served: Served) -> None:
    with kept_page(
        browser, served, "/jugadores/traer", signed_in=True, refusals=1, **TABLET
    ) as page:
        page.fill("#text", LIST + ";sin nombre\n")
        page.get_by_role("button", name="Ver qué entraría", exact=True).click()
        wrong = page.locator(".wrong[role=alert]")
        expect_in_browser(wrong).to_contain_text("Línea 4, columna 1")
        expect_in_browser(page.locator("#text")).to_have_value(LIST + ";sin nombre\n")
        no_violations(page)
        content: Any = {"name": "socios.csv", "mimeType": "", "buffer": LIST.encode("utf-8-sig")}
        page.set_input_files("#file", content)
        page.get_by_role("button", name="Ver qué entraría", exact=True).click()
        expect_in_browser(page.locator("[role=status]")).to_have_text("nuevo: 2")
        assert page.locator("tbody th").all_inner_texts() == ["Iñaki Ruiz", "Pilar Gómez"]
        no_violations(page)
        page.get_by_role("button", name="Traer", exact=True).click()
        expect_in_browser(page.locator(".said")).to_have_text("Hecho. Nuevos: 2. Cambiados: 0.")


def test_who_is_there_twice_is_joined_and_a_pair_gets_its_name(served: Served) -> None:
    Club(served).ask("POST", "/api/v1/players/file", {"text": LIST})
    with page_in_node(served, "/jugadores/", signed_in=True) as page:
        page.fill("#new-name", "Inaki Ruiz")
        page.fill("#new-nickname", "El Zurdo")
        press(page, "Añadir")
        assert page.status == 422
        page.get_by_label("Es otra persona").check()
        press(page, "Añadir")
        expect(page.locator(".said")).to_have_text("Añadido.")
        assert names(page) == ["Inaki Ruiz", "Iñaki Ruiz", "Pilar Gómez"]
        page.fill("#q", "iñaki")
        press(page, "Buscar")
        page.locator("tbody a").filter(has_text="Iñaki").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        page.get_by_role("link", name="Ver qué se une: Inaki Ruiz").click()
        expect(page.locator("main")).to_contain_text("Esto no se puede deshacer")
        press(page, "Unir las dos")
        expect(page.locator(".said")).to_have_text("Unidos.")
        expect(page.locator(".lead").first).to_contain_text("El Zurdo · Norte")
        page.fill("#q", "pili")
        press(page, "Buscar")
        page.locator("summary").filter(has_text="Pilar Gómez").click()
        page.fill("#name-1", "Los Zurdos")
        page.locator("details[open] button").click()
        expect(page.locator(".cases b").first).to_have_text("Los Zurdos")


def test_a_player_is_corrected_and_erased_and_the_list_is_exported(served: Served) -> None:
    with page_in_node(served, "/jugadores/?q=iñaki", signed_in=True) as page:
        page.locator("tbody a").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        page.fill("#edit-name", "Iñaki Ruiz Gil")
        press(page, "Guardar")
        expect(page.locator("h1")).to_have_text("Iñaki Ruiz Gil")
        page.goto("/jugadores/parejas")
        expect(page.locator(".cases").first).to_contain_text("Los Zurdos")
        page.get_by_role("link", name="Iñaki Ruiz Gil").click()
        page.get_by_role("link", name="Cambiar los datos").click()
        page.get_by_role("link", name="Borrar a esta persona").click()
        press(page, "Sí, borrar para siempre")
        expect(page.locator(".said")).to_have_text("Borrado.")
        assert names(page) == ["Pilar Gómez"]
        export = page.locator("main a").filter(has_text="Descargar la lista").get_attribute("href")
        answer, content = Reader(served, signed_in=True).get(str(export))
        disposition = str(answer.headers["Content-Disposition"])
        assert re.fullmatch('attachment; filename="?jugadores.csv"?', disposition)
        text = content.decode("utf-8-sig")
        assert text == '"nombre";"apodo";"club"\r\n"Pilar Gómez";"La Pili";""\r\n'


def test_a_name_that_is_too_long_is_reported_and_nothing_typed_is_lost(served: Served) -> None:
    with page_in_node(served, "/jugadores/", signed_in=True) as page:
        page.fill("#new-name", "Eva")
        page.fill("#new-nickname", "x" * 81)
        press(page, "Añadir")
        expect(page.locator(".wrong")).to_contain_text(re.compile("Apodo: .*80"))
        expect(page.locator("#new-name")).to_have_value("Eva")
        assert page.status == 422


def test_players_fit_a_phone_with_contrast_and_targets_for_a_finger(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    both = club.ask("POST", "/api/v1/players/file", {"text": "Ana Mar\nAna Sol"})["players"]
    club.ask("POST", "/api/v1/pairs", {"players": both, "name": "Las Anas"})
    club.ask("GET", "/api/v1/pairs")  # the pages have followed
    player, other = both
    paths = (
        *("/jugadores/", f"/jugadores/{player}", f"/jugadores/{player}/union/{other}"),
        *("/jugadores/traer", PAIRS),
    )
    with kept_page(browser, served, "/", signed_in=True, refusals=3, **PHONE) as page:
        for lang, path in itertools.product(LOOKED_AT, paths):
            page.goto(address(served, f"{path}?lang={lang}"))
            is_for_a_phone(page, path)
        page.goto(address(served, "/jugadores/?lang=es"))
        page.evaluate("document.querySelector('#new-nickname').removeAttribute('maxlength')")
        add = page.get_by_role("button", name="Añadir", exact=True)
        page.fill("#new-name", "Eva")
        page.fill("#new-nickname", "x" * 81)
        add.click()
        expect_in_browser(page.locator(".wrong")).to_contain_text(re.compile("Apodo: .*80"))
        is_for_a_phone(page, "a nickname that is too long")
        page.fill("#new-name", "Ana Mar")
        page.fill("#new-nickname", "")
        add.click()
        expect_in_browser(page.get_by_label("Es otra persona")).to_be_visible()
        is_for_a_phone(page, "a name that is there already")
        page.goto(address(served, PAIRS))
        page.fill("#text", "Zoe - Uno\nZoe - Dos = Los Dos")
        page.locator("#many + form button").click()
        expect_in_browser(page.locator("button[name=sure]")).to_be_visible()
        is_for_a_phone(page, "pairs that are unclear")


def is_for_a_phone(page: Page, what: str) -> None:
    no_violations_in_any_language(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
    targets = page.locator("main button:visible, main .ways a:visible")
    assert targets.evaluate_all(TOO_SMALL) == [], what


def test_pages_of_two_thousand_players_are_light(served: Served) -> None:
    lines = [f"Ana María Íñiguez {n};Apodo {n};Club {n % 30}" for n in range(2_000)]
    club = Club(served)
    player = club.ask("POST", "/api/v1/players/file", {"text": "\n".join(lines)})["players"][0]
    owner = Reader(served, signed_in=True)
    for path in ("/jugadores/", f"/jugadores/{player}", "/jugadores/?q=ana"):
        assert owner.weight(path) < HEAVIEST_PAGE
