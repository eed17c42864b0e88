"""The arbiter's part of the manual on the tablet: there without network, one "?" away from each view."""

from __future__ import annotations

from urllib.request import urlopen

from playwright.sync_api import Browser, Page

from api.help.pages import task_page
from api.help.tasks import TASKS, task_names_of_reader
from api.html.topics import help_path_of_finding_rule
from api.http.folders import static_file_path
from api.http.languages import LANGUAGES, texts_of_language
from referee.events import CanteAnnounced, CardPlayed, DealStarted, PintaTurned
from referee.rules.articles import ABOUT
from tests.support.browser.keying import expect, table
from tests.support.browser.pages import (
    PHONE,
    address,
    cut_off,
    kept_offline,
    no_violations_in_any_language,
    visiting,
)
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served

MANUAL = "/arbitro/ayuda/"
OPENED = [DealStarted("B2"), PintaTurned("7O"), CanteAnnounced("A1", "O"), CardPlayed("A1", "2C")]
_TASK_OF = """(rules) => import("/static/tablet/help.js").then(({ taskOfRule }) => rules.map(taskOfRule))"""
_FINDINGS = [rule.value for rule, about in ABOUT.items() if about.kind in ("duty", "finding")]


def shown(page: Page) -> str:
    """Title of the only task that is shown."""
    sheets = page.locator(".manual > .sheet:visible")
    expect(sheets).to_have_count(1)
    return str(sheets.locator("h2").inner_text())


def test_every_task_of_the_arbiter_opens_without_network_in_every_language(
    browser: Browser, served: Served
) -> None:
    with visiting(browser, served, "/arbitro/", signed_in=True, **PHONE) as page:
        kept_offline(page)
        cut_off(page)
        for lang in LANGUAGES:
            page.goto(address(served, f"{MANUAL}?lang={lang}"))
            assert page.get_attribute("html", "lang") == lang
            no_violations_in_any_language(page)
            titles = page.locator(".manual nav a").all_inner_texts()
            assert titles == [
                task_page(name, lang).title for name in task_names_of_reader("arbitro")
            ]
            page.locator(".manual nav a").nth(3).tap()
            assert shown(page) == titles[3]
        page.get_by_role("link", name=texts_of_language(LANGUAGES[-1])["tablet.help.back"]).tap()
        page.wait_for_selector("button.sync")


def test_the_question_mark_leads_to_what_is_shown(tablet: PageInNode, served: Served) -> None:
    mark = tablet.locator("header a.help").first
    expect(mark).to_have_attribute("href", f"{MANUAL}#abrir-mesa")
    with table(tablet, served, OPENED) as keying:
        expect(mark).to_have_attribute("href", f"{MANUAL}#apuntar-cartas")
        keying.tap(keying.laid("2C"))
        expect(mark).to_have_attribute("href", f"{MANUAL}#deshacer-y-corregir")
        keying.tap(keying.button(texts_of_language("es")["tablet.table.cancel"]))
        keying.tap(keying.page.locator(".bar button").last)
        in_sheet = keying.sheet("header a.help")
        expect(in_sheet).to_have_attribute("href", f"{MANUAL}#deshacer-y-corregir")
        keying.tap(keying.button("Cerrar"))
        keying.tap(keying.page.locator('.bar [data-sheet="findings"]'))
        found = keying.page.get_by_role(
            "link", name=texts_of_language("es")["tablet.help.finding"]
        ).first
        expect(found).to_have_attribute("href", f"{MANUAL}#cantes-y-siete")


def test_a_finding_leads_to_a_task_of_the_arbiter(tablet: PageInNode) -> None:
    found = dict(zip(_FINDINGS, tablet.evaluate(_TASK_OF, _FINDINGS), strict=True))
    assert {*found.values()} <= {*task_names_of_reader("arbitro")}
    assert {rule: f"/ayuda/{task}" for rule, task in found.items()} == {
        rule: help_path_of_finding_rule(rule) for rule in _FINDINGS
    }
    assert found["follow"] == "renuncio-y-caso"
    assert found["cante-late"] == "cantes-y-siete"
    assert found["wrong-draw"] == "deshacer-y-corregir"


def test_the_pictures_of_its_tasks_are_kept_with_it(served: Served) -> None:
    with urlopen(address(served, "/arbitro/sw.js")) as answer:
        script = answer.read().decode()
    for task in task_names_of_reader("arbitro"):
        for one in TASKS[task].pictures:
            name = f"help/pictures/{one}.webp"
            assert static_file_path(name).is_file()
            assert f"/static/{name}" in script
