"""A case made by pointing: from the tablet or the replay to the acta, without a line number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import expect as expect_in_browser

from api.http.languages import say
from tests.api.cases.test_actas import is_one_sheet_of_paper
from tests.api.cases.test_cases import of
from tests.api.cases.test_pages import Desk
from tests.support.browser.disputed import BREACH, PROOF, disputed_acts, disputed_encuentro
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import PHONE, TABLET, address, no_violations, visiting
from tests.support.outbox import Club
from tests.support.page_in_node import Found, PageInNode, expect, page_in_node
from tests.support.servers.accounts import PASSWORD, CookieJar, joined
from tests.support.servers.cookies import cookie_given
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.served import Served

MOST_TAPS = 8
PRINTED = 1
"""The tap that prints is of the browser."""


class Arbiter:
    """Somebody at a page who writes nothing; their taps are counted."""

    def __init__(self, page: PageInNode) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Found) -> None:
        target.tap()
        self.taps += 1

    def press(self, name: str) -> None:
        """A tap on the button of this name."""
        self.tap(self.page.get_by_role("button", name=name))

    def follow(self, name: str) -> None:
        """A tap on the link of this name."""
        self.tap(self.page.get_by_role("link", name=name))

    def sign_in(self, served: Served) -> str:
        """As an arbiter who was just invited; the name of the account."""
        owner, name = CookieJar(), f"Julia {uuid4().hex[:8]}"
        owner.ask(served, "/entrar", token=served.token)
        secret = owner.offered(served, "invitaciones", role="arbiter")
        account = {"invitation": secret, "name": name, "password": PASSWORD}
        self.page.ask("signIn", cookie_given(served, "/alta", account))
        return name


def no_line_is_asked_for(page: PageInNode) -> None:
    """No field for the number of a line, on the page or hidden in a part that opens."""
    assert page.locator("input[name=line], input[type=text][name=lines]").count() == 0


def ruled_by_pointing(arbiter: Arbiter) -> None:
    """From the form that is filled in to the acta: who complains, the ruling, its confirmation."""
    page = arbiter.page
    expect(page.locator(".exhibit .disputed")).to_have_count(1)
    expect(page.locator(".exhibit .disputed")).to_contain_text("Blas")
    expect(page.locator(".exhibit .proof").last).to_contain_text("Blas")
    expect(page.get_by_label("Motivo")).to_have_value(re.compile("asistir.*tres de espadas"))
    no_line_is_asked_for(page)
    arbiter.press("Ana")
    expect(page.locator("h1")).to_contain_text("Caso 1")
    no_line_is_asked_for(page)
    arbiter.tap(page.locator("button[name=likely]").first)
    expect(page.locator("#preview")).to_be_visible()
    arbiter.press("Sí, apuntarlo así")
    no_line_is_asked_for(page)
    arbiter.follow("Acta del caso, para firmar")


def is_whole(page: PageInNode, name: str) -> None:
    """The acta: the tricks as cards, the proof and why, who ruled."""
    acta = page.locator(".acta")
    expect(acta.locator(".exhibit")).to_have_count(2)
    expect(acta.locator(".disputed")).to_contain_text("se discute")
    expect(acta.locator(".acts")).to_contain_text("Debía asistir al palo de salida.")
    expect(acta).to_contain_text(name)


def on_the_tablet(arbiter: Arbiter, encuentro: str) -> None:
    """The card is pointed at in the record of the tablet."""
    arbiter.page.goto(f"/arbitro/#/mesa/{encuentro}")
    arbiter.press("Bazas")
    arbiter.tap(arbiter.page.locator(f'dialog.sheet[open] .acts [data-line="{BREACH}"]'))
    arbiter.follow("Abrir caso")


def in_the_replay(arbiter: Arbiter, encuentro: str) -> None:
    """The card is pointed at in the tricks of the replay."""
    arbiter.page.goto(f"/repeticion/{encuentro}/1?linea=3")
    arbiter.tap(arbiter.page.locator(f'.sheet .pointed[data-line="{BREACH}"]'))
    expect(arbiter.page.locator(".beside .act")).to_contain_text("tres de espadas")
    arbiter.follow(say("case.open_play", "es"))


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as one:
        yield one


@pytest.mark.parametrize("pointed", [on_the_tablet, in_the_replay])
def test_a_card_of_trick_6_goes_to_the_printed_acta_in_eight_taps(
    page: PageInNode, served: Served, pointed: Callable[[Arbiter, str], None]
) -> None:
    encuentro = disputed_encuentro(Club(served))
    arbiter = Arbiter(page.visit("/"))
    name = arbiter.sign_in(served)
    pointed(arbiter, encuentro)
    ruled_by_pointing(arbiter)
    is_whole(page, name)
    assert arbiter.taps + PRINTED <= MOST_TAPS


def test_only_what_the_chosen_effect_needs_is_visible_without_javascript(
    browser: Browser, served: Served
) -> None:
    encuentro = disputed_encuentro(Club(served))
    pointed = f"/e/{encuentro}/c?partida=1&lineas={BREACH}"
    settings = {**PHONE, "java_script_enabled": False}
    with visiting(browser, served, pointed, signed_in=True, **settings) as page:
        page.fill("[name=by]", "Julia")
        page.get_by_role("button", name="Celia").click()
        page.locator(".other summary").click()
        points = page.get_by_label("Tantos", exact=True).locator("visible=true")
        expect_in_browser(points).to_have_count(0)
        page.get_by_label("Tantos para Ana y Celia").check()
        page.get_by_role("spinbutton", name="Tantos", exact=True).fill("-5")
        page.locator("#rule-by").fill("Julia")
        page.get_by_role("button", name=say("case.look", "es")).click()
        expect_in_browser(page.locator("#preview + .said")).to_contain_text(": -5.")
        page.get_by_role("link", name=say("case.leave", "es")).click()
        page.locator(".other summary").click()
        page.get_by_label("La partida, para Blas y Diego").check()
        number = page.get_by_role("spinbutton", name="Tantos", exact=True)
        expect_in_browser(number).to_have_count(0)


def test_everybody_can_point_by_touch_in_both_schemes_and_prints_the_acta_on_one_paper(
    browser: Browser, served: Served
) -> None:
    encuentro = disputed_encuentro(Club(served))
    pointed = f"/e/{encuentro}/c?partida=1&lineas={BREACH}"
    for scheme, size in (("light", TABLET), ("dark", PHONE)):
        with kept_page(
            browser, served, pointed, signed_in=True, color_scheme=scheme, **size
        ) as page:
            no_violations(page)
            page.get_by_role("button", name="Ana").click()
            page.locator(".other summary").click()
            no_violations(page)
            for target in page.locator("section.act button, section.act .effect label").all():
                box = target.bounding_box()
                assert box is None or box["height"] >= 48, (scheme, target.inner_text())
            page.goto(address(served, f"/repeticion/{encuentro}/1?linea={BREACH}"))
            expect_in_browser(page.locator(".open-case")).to_be_visible()
            no_violations(page)
    with kept_page(browser, served, f"/e/{encuentro}/c/1", signed_in=True, **TABLET) as page:
        page.fill("#rule-by", "Julia")
        page.locator("button[name=likely]").first.click()
        page.get_by_role("button", name="Sí, apuntarlo así", exact=True).click()
        page.get_by_role("link", name="Acta del caso, para firmar", exact=True).click()
        expect_in_browser(page.locator(".acta .exhibit")).to_have_count(2)
        is_one_sheet_of_paper(page)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with kept_table(tmp_path) as table:
        found = Desk(table)
        found.partida = table.partida(table.encuentro("sin-mazo"))
        table.record(found.partida, 0, *disputed_acts())
        found.api = of(found.partida)
        found.cases = f"/e/{found.api.rpartition('/')[2]}/c"
        found.case = f"{found.cases}/1"
        table.get(found.partida)
        yield found


def test_a_denunciation_of_a_known_renuncio_fills_everything_in(desk: Desk) -> None:
    said = {"kind": "denounce", "by": "A2", "against": "B1", "trick": 6}
    desk.table.record(desk.partida, PROOF, said)
    desk.table.get(desk.partida)
    for pointed in (BREACH, PROOF + 1):
        page = desk.text(f"{desk.cases}?partida=1&lineas={pointed}")
        assert f'name="lines" value="{BREACH}, {PROOF + 1}"' in page
        assert re.findall(r'name="who" value="(\w+)"', page)[0] == "A2"
        assert say("case.why.denounce", "es") in page
        assert "Debía asistir al palo de salida." in page
    findings = desk.text(f"{desk.cases.removesuffix('/c')}/p/1")
    assert f"/c?partida=1&amp;lineas={BREACH}" in findings


def test_who_is_signed_in_signs_and_the_breach_names_its_article(desk: Desk) -> None:
    arbiter = joined(desk.table, "Julia Juez", role="arbiter")
    asked = desk.text(f"{desk.cases}?partida=1&lineas={BREACH}")
    data = {**desk.form(asked, desk.cases), "because": "Renuncio.", "who": "A1"}
    desk.follow(desk.post(desk.cases, data))
    desk.table.client = arbiter
    page = desk.text(desk.case)
    form = re.search(r'action="[^"]*/resolucion">(.*?)</form>', page, re.DOTALL)
    assert form
    assert 'name="by"' not in form[1]
    chosen = re.search(r'value="article:(\w+)" selected', form[1])
    assert chosen
    evidence = desk.table.client.get(f"{desk.partida}/evidence").json["acts"]
    breach = next(one for one in evidence if one["line"] == BREACH)
    assert chosen[1] == breach["article"]["option"]
    assert re.findall(r'name="likely" value="([\w:]+)"', form[1]) == [
        f"renuncio:{BREACH}",
        "partida:A",
        "warning:B",
        "none",
    ]
    values = {"likely": "warning:B", "ground": f"article:{chosen[1]}", "because": "Visto."}
    action = f"{desk.case}/resolucion"
    seen = desk.send(action, **values, appeal_minutes="30")
    desk.confirm(seen, action)
    view = desk.table.client.get(f"{desk.api}/cases/1").json
    ruled = view["ruled"]
    assert (ruled["verdict"]["effect"], ruled["verdict"]["side"]) == ("warning", "B")
    assert ruled["verdict"]["ground"]["option"] == chosen[1]
    assert view["names"][ruled["by"]] == "Julia Juez"
    assert (view["names"][view["by"]], view["side"]) == ("Ana", "A")


CHOICES = [
    ({"ruling": "dealer:B1"}, {"effect": "dealer", "seat": "B1"}),
    ({"ruling": f"annul_act:{PROOF}"}, {"effect": "annul_act", "line": PROOF}),
    ({"ruling": "points:A", "points": "5"}, {"effect": "points", "side": "A", "points": 5}),
    ({"ruling": "points:A", "likely": "none", "points": "5"}, {"effect": "none", "points": 0}),
    ({"effect": "warning", "side": "B"}, {"effect": "warning", "side": "B"}),
]


@pytest.mark.parametrize(("choice", "expected"), CHOICES)
def test_a_choice_is_the_effect_with_what_it_is_about(
    desk: Desk, choice: dict[str, str], expected: dict[str, object]
) -> None:
    desk.open(lines=str(PROOF))
    action = f"{desk.case}/resolucion"
    values = {"by": "Julia", "ground": "sovereign", "because": "Visto.", "appeal_minutes": "0"}
    desk.confirm(desk.send(action, **values, **choice), action)
    found = desk.view()["ruled"]["verdict"]
    assert {name: found[name] for name in expected} == expected


def test_what_was_undone_at_once_stands_in_the_appendix_of_the_acta(desk: Desk) -> None:
    for version in (PROOF, PROOF + 1):
        undone = desk.table.post(f"{desk.partida}/undo", {}, version)
        assert undone.status_code == 200, undone.text
    again = {"kind": "card", "seat": "A1", "card": "4O"}
    desk.table.record(desk.partida, PROOF + 2, again)
    late = {"line": BREACH, "how": "withdraw"}
    desk.table.post(f"{desk.partida}/amendments", {"changes": [late]}, PROOF + 3)
    desk.table.get(desk.partida)
    (one,) = desk.table.get(f"{desk.api}/acta").json["partidas"]
    assert [made["at_once"] for made in one["amendments"]] == [True, True, False]
    page = desk.text(f"{desk.cases.removesuffix('/c')}/acta")
    body, appendix = page.split('<section class="appendix"')
    assert "rey de bastos" in appendix
    assert "tres de espadas" in body
    assert "rey de bastos" not in body
