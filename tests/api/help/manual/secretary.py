"""How the tasks of the secretary are done, on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.api.help.manual.newcomer import Newcomer, done

FOUR = "Ana Gil\nLuis Pardo\nEva Sanz\nRaúl Mur"
SPREADSHEET = """fecha;mesa;pareja 1;tanteo 1;pareja 2;tanteo 2
12/11/2026;1;Pilar Gracia · Elena Bielsa;2;Fermín Calvo · Óscar Lacasa;1
12/11/2026;2;Jorge Marco · Gloria Domec;0;Marta Bel · Íñigo Ros;2"""
LIST = "Marta Bel;La Rubia\nÍñigo Ros\nPilar Abad"


@done("primera-jornada", 15, is_new_house=True)
def first_evening(one: Newcomer) -> None:
    page = one.page
    one.sees("home.first.title")
    one.picture("tres-pasos", page.locator("main h1"), page.locator("ol.first"))
    one.go("home.first.people")
    one.go("players.import")
    one.fill("#text", FOUR)
    one.press_key("players.look")
    one.press_key("players.take")
    one.home()
    one.go("home.first.rules")
    one.home()
    one.go("home.first.evening")
    for name in FOUR.split("\n"):
        one.tap(page.locator(".chip:visible", has_text=name))
    one.press_key("season.draw_tables")
    one.press_key("season.go")
    expect(page.locator(".playing li")).to_have_count(1)


@done("abrir-jornada", 5)
def evening(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.sessions")
    one.sees("season.other")
    one.go("season.again")
    one.picture("la-misma", page.locator("main h1"), page.locator("main form .bar"))
    one.press_key("season.draw_tables")
    one.picture("mesas-sorteadas", page.locator(".drawn h2"), page.locator(".drawn"))
    one.press_key("season.go")
    expect(page.locator(".told").first).to_be_visible()


@done("quien-ha-venido", 9)
def who_came(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.sessions")
    one.go("season.again")
    one.press_key("season.draw_tables")
    one.unfold("season.here")
    one.press_key("season.same")
    one.write(one.words("season.search"), "glo")
    one.tap(page.locator(".chip:visible", has_text="Gloria Domec"))
    one.picture("quien-ha-venido", page.locator(".who"))
    one.sees("season.save_here")
    one.press_key("season.draw_tables")
    expect(page.locator("details.here > summary")).to_contain_text("13 personas")


def with_tables(one: Newcomer) -> None:
    """To an evening with three tables that play."""
    one.main_way("way.sessions")
    one.go("season.again")
    one.press_key("season.draw_tables")
    one.press_key("season.go")
    expect(one.page.locator(".told")).to_have_count(3)


@done("resultado", 6)
def result(one: Newcomer) -> None:
    page = one.page
    with_tables(one)
    one.picture("resultado", page.locator(".playing li").first)
    one.tap(page.locator(".told").first.get_by_role("button").first)
    expect(page.locator(".tag.official")).to_have_count(1)
    one.sees("season.enter")


@done("corregir-resultado", 9)
def corrected(one: Newcomer) -> None:
    page = one.page
    with_tables(one)
    one.tap(page.locator(".told").first.get_by_role("button").first)
    expect(page.locator(".tag.official")).to_have_count(1)
    one.unfold("score.correct")
    one.picture("corregir-resultado", page.locator(".playing li").first, without="form.undo")
    one.tap(page.locator(".told details").get_by_role("button").first)
    one.tap(page.get_by_role("button", name="Cambiarlo a 2–1"))
    expect(page.locator(".playing li").first).to_contain_text("2")


@done("temporada", 6)
def season(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.seasons")
    one.sees("season.season_new")
    one.write("Nombre", "Liga de invierno")
    one.date("Desde", "2026-12-01")
    one.date("Hasta", "2027-03-31")
    one.picture("reglas-de-puntos", page.locator("fieldset", has=page.locator("#encuentro_won")))
    one.press_key("season.season_open")
    one.sees("season.calendar", "season.season_close")


@done("cuotas-y-premios", 8)
def fees(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.sessions")
    one.tap(page.locator("main .cases a").first)
    one.go("fees.title")
    one.fill("#fee", "5 €")
    one.fill("#prizes", "1.º 60 €\n2.º un jamón")
    one.press_key("fees.do")
    one.sees("fees.pay")
    one.tap(page.locator(".payers button").first)
    one.sees("fees.take_back", "fees.file")
    expect(page.locator(".figures")).to_contain_text("5\u00a0€")


@done("traer-resultados", 6)
def brought(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.sessions")
    one.go("results_file.link")
    one.sees("results_file.text")
    one.fill("#text", SPREADSHEET)
    one.press_key("results_file.look")
    one.picture(
        "traer-resultados",
        page.locator("main form h2"),
        page.get_by_role("button", name="Apuntarlo", exact=True),
    )
    one.press_key("results_file.take")
    expect(page.locator(".said")).to_contain_text("Resultados apuntados: 2")


@done("jugadores-y-parejas", 13)
def players(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.players")
    one.sees("players.pairs", "players.add")
    one.fill("#new-name", "Teresa Royo")
    one.picture("jugador-nuevo", page.locator("#add"), page.get_by_role("button", name="Añadir"))
    one.press_key("players.add_do")
    one.go("players.import")
    one.fill("#text", LIST)
    one.press_key("players.look")
    one.picture(
        "traer-una-lista",
        page.locator("main form h2"),
        page.get_by_role("button", name="Traer", exact=True),
    )
    one.press_key("players.take")
    one.main_way("way.players")
    one.go("players.pairs")
    one.fill("#text", "Teresa Royo y Marta Bel")
    one.press_key("players.pairs_do")


@done("normas-del-club", 5)
def rules(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.rules")
    one.sees("rulebook.club")
    one.go("own.make")
    one.picture("normas-propias", page.locator("main form"))
    one.write("¿Cómo se llaman?", "Las de casa")
    one.press_key("own.save")


@done("clasificacion-entre-clubes", 14)
def published(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.access")
    one.go("publication.title")
    one.press_key("publication.open")
    one.go("players.title")
    one.tap(page.locator("main tbody a.row").first)
    one.go("career.edit")
    one.go("publication.address")
    expect(page.locator("main")).to_contain_text("/yo/")
    one.main_way("way.tournaments")
    one.go("ranking.all")
    one.go("ranking.new")
    one.fill("#name", "Provincia")
    one.press_key("ranking.new_do")
    one.sees("ranking.admit")


@done("ajustes-del-club", 7)
def settings(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.settings")
    one.sees("settings.four_eyes", "settings.time_zone", "settings.league_audience")
    one.tap(page.locator("[name=four_eyes][value=required]"))
    one.press_key("settings.save")
    one.go("brand.title")
    one.fill("#name", "Peña El Guiñote")
    first, last = page.locator("label[for=name]"), page.locator(".brand-form button")
    one.picture("marca", first, last, without="#logo")
    one.press_key("settings.save")
    expect(page.locator("header.top .brand")).to_contain_text("Peña El Guiñote")


@done("quien-ha-hecho-que", 5, unmet=("security.older",))
def security(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.access")
    one.go("security.title")
    one.sees("security.what")
    one.choose("#kind", "Ajuste cambiado")
    one.press_key("security.show")
    expect(page.locator("main h2")).to_have_text("Ajuste cambiado")


@done("aplicaciones", 6)
def app(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.access")
    one.go("apps.title")
    one.fill("#name", "Marcador de la tele")
    one.sees("apps.origins")
    one.tap(page.locator('[name=scopes][value="read:public"]'))
    one.press_key("apps.make")
    expect(page.locator("#secret")).to_have_value(re.compile(r"guinote_[0-9a-f]{64}"))
    one.sees("access.revoke", "access.last_use")


@done("invitar-personas-y-aparatos", 4)
def invited(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.access")
    one.sees("access.pair_device", "access.invite")
    one.choose("#account-role", "Árbitro")
    one.picture("invitar", page.locator("section", has=page.locator("#account-role")))
    one.press_key("access.make_link")
    expect(page.locator(".offer")).to_be_visible()


@done("avisos-a-otras-webs", 8)
def webhook(one: Newcomer) -> None:
    one.main_way("way.access")
    one.go("webhooks.title")
    one.fill("#name", "Web del club")
    one.fill("#address", "https://club.example/avisos")
    one.press_key("webhooks.add_do")
    expect(one.page.locator(".offer code")).to_contain_text("whsec_")
    one.go("webhooks.secret_kept")
    one.press_key("webhooks.ask.test")
    expect(one.page.locator("main h1")).to_have_text("Web del club")


@done("problema-de-la-semana", 11)
def puzzle(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.settings")
    one.sees("settings.puzzle_audience")
    one.tap(page.locator("[name=puzzle_audience][value=everybody]"))
    one.press_key("settings.save")
    one.main_way("way.puzzle")
    cards = page.locator(".lay:not([disabled])")
    expect(cards.first).to_be_visible()
    one.picture("problema", page.locator(".puzzle .felt"), page.locator(".puzzle .said"))
    one.tap(cards.first)
    expect(page.locator(".puzzle .said")).to_have_attribute(
        "data-told", re.compile("good|slip|won")
    )
    one.press_key("puzzle.again")
    one.press_key("puzzle.solution")
    expect(page.locator(".puzzle .said")).to_have_attribute("data-told", "solved")
    one.main_way("way.hall")


@done("suerte-del-reparto", 8)
def luck(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.settings")
    one.sees("settings.deal_luck")
    one.tap(page.locator("[name=deal_luck][value=shown]"))
    one.press_key("settings.save")
    one.main_way("way.seasons")
    one.follow("Liga de los jueves")
    one.go("season_luck.tab")
    one.sees("season_luck.dealt", "season_luck.made", "season_luck.beyond")
    one.picture("suerte", page.locator("main h2").first, page.locator("main tbody tr").nth(3))
