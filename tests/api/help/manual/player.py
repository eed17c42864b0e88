"""How the tasks of players are done, on a phone and without an account."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.help.manual.newcomer import Newcomer, done
from tests.api.help.manual.secretary import with_tables
from tests.support.browser.pages import address
from tests.support.servers.accounts import PASSWORD

NAME = "Teresa Royo"


@done("decir-el-resultado", 4)
def told(one: Newcomer) -> None:
    page = one.page
    with_tables(one)
    page.goto(page.url.partition("?")[0] + "/tarjetas")
    card = page.locator(".address").first.inner_text()
    page.context.clear_cookies()
    page.goto(card)
    one.taps = 0  # whoever scans the card of the table begins here
    one.tap(page.locator("a.pick").first)
    one.picture("decir-el-resultado", page.locator("main"))
    one.tap(page.locator("form.scores button").first)
    expect(page.locator(".said")).to_be_visible()
    page.goto(card)
    one.tap(page.locator("a.pick").last)
    one.picture("de-acuerdo-en-el-movil", page.locator("main"))
    one.press_key("mine.agree")
    expect(page.locator(".done")).to_be_visible()


@done("mi-pagina", 7, is_signed_in=False)
def own_page(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.seasons")
    one.follow("Liga de los jueves")
    one.follow("Elena Bielsa")
    expect(page.locator("main")).to_contain_text("Puesto")
    one.unfold("bar.menu")
    seek = page.get_by_role("searchbox", name=one.words("bar.find")).locator("visible=true")
    one.tap(seek)
    one.type("elena")
    seek.press("Enter")
    one.tap(page.locator("main").get_by_role("link", name="Elena Bielsa").first)
    address_with_port = ".subscribe label, .subscribe p:has(input)"
    one.picture(
        "mi-pagina", page.locator("main h1"), page.locator("main"), without=address_with_port
    )


@done("calendario-en-el-movil", 5, is_signed_in=False)
def calendar(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.seasons")
    one.follow("Liga de los jueves")
    one.sees("season.calendar", "subscribe.do")
    one.picture(
        "suscribirse", page.locator(".subscribe .ways"), page.locator(".subscribe p").nth(1)
    )
    one.press_key("page.copy")
    one.sees("page.copied")
    with page.expect_download() as taken:
        one.go("subscribe.download")
    assert "BEGIN:VCALENDAR" in taken.value.path().read_text()


@done("seguir-en-directo", 3, is_signed_in=False)
def followed(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.hall")
    one.tap(page.locator("main a[href^='/mesa/']").last)
    expect(page.locator("main")).to_contain_text("De vueltas")
    one.picture("mesa-en-directo", page.locator("main"))


@done("ver-la-repeticion", 9)
def replayed(one: Newcomer) -> None:
    page = one.page
    one.tap(page.locator("main a[href='/mesas/']"))
    one.tap(page.locator("main a[href^='/e/']").last)
    one.tap(page.locator("main a[href$='/p/1']").first)
    one.go("page.replay")
    one.tap(
        page.locator(".acts button:has(.took)", has_text="Óscar Lacasa juega el cinco de copas")
    )
    expect(page.locator(".candidate")).to_have_count(6)
    one.picture("el-arrastre", one.text("analysis.title"), page.locator(".candidate").last)
    one.tap(page.locator(".candidate:not(.shown)").first)
    expect(page.locator(".not-played [aria-live=polite]")).to_contain_text("No se jugó así")
    one.press_key("analysis.back")
    one.press_key("analysis.show_line")
    one.press_key("analysis.back")
    one.sees("replay.file")


@done("comprobar-una-prueba", 7)
def proof(one: Newcomer) -> None:
    page = one.page
    one.tap(page.locator("main a[href^='/e/']").last)
    one.go("proof.title")
    one.picture("descargar-la-prueba", page.locator("main h1"), page.locator("main .take").last)
    with page.expect_download() as taken:
        one.go("proof.file")
    one.home()
    one.go("way.verifier")
    with page.expect_file_chooser() as chooser:
        one.tap(page.locator("#drop"))
    chooser.value.set_files(taken.value.path())
    one.fill("#key", one.house.key)
    one.sees("verifier.verdict_unaltered")


@done("entrar-y-contrasena", 13)
def account(one: Newcomer) -> None:
    page = one.page
    page.goto(address(one.served, "/casa"))
    page.locator("#account-role").select_option(label="Público")
    page.get_by_role("button", name="Hacer el enlace").click()
    link = page.locator(".offer a:not(.row)").get_attribute("href") or ""
    page.context.clear_cookies()
    page.goto(link)
    one.taps = 0  # the newcomer begins with the link that the club gave them
    one.fill("#name", NAME)
    one.fill("#password", PASSWORD)
    one.picture(
        "abrir-una-cuenta",
        page.locator("label[for=name]"),
        page.get_by_role("button", name="Abrir la cuenta"),
    )
    one.press_key("access.open_account")
    one.main_way("way.account")
    one.sees("access.second")
    one.unfold("bar.menu")
    one.press("Salir")
    page.wait_for_url("**/entrar")  # the page of the way out leads on by itself
    one.home()
    one.main_way("way.enter")
    one.fill("#name", NAME)
    one.fill("#password", PASSWORD)
    one.press("Entrar")
