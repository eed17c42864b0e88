"""How the tasks of the director of a tournament are done, on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.help.manual.newcomer import SHARP_PHONE, Newcomer, done

PAIRS = "Ana Gil y Luis Pardo\nEva Sanz y Raúl Mur\nMarta Bel y Íñigo Ros\nPilar Abad y Juan Laín"


def new_tournament(one: Newcomer) -> None:
    """From the home page to a new tournament with four pairs."""
    page = one.page
    one.main_way("way.tournaments")
    one.go("desk.new")
    one.write("Nombre", "Torneo de Navidad")
    one.tap(page.get_by_label("Eliminatoria", exact=True))


def with_pairs(one: Newcomer) -> None:
    """The same with four pairs, at the desk."""
    new_tournament(one)
    one.press_key("desk.open")
    one.write("Una pareja por línea", PAIRS)
    one.press_key("desk.look")
    one.tap(one.page.locator("section:has(#looked) form button"))


@done("torneo-nuevo", 9)
def tournament(one: Newcomer) -> None:
    page = one.page
    new_tournament(one)
    one.picture("formato", page.locator("fieldset", has=page.locator("[name=format]")))
    one.press_key("desk.open")
    one.sees("desk.enter_one", "desk.enter_many")
    one.write("Una pareja por línea", PAIRS)
    one.picture(
        "inscribir-muchas",
        page.locator("#many"),
        page.get_by_role("button", name="Ver quiénes son"),
    )
    one.press_key("desk.look")
    one.tap(page.locator("section:has(#looked) form button"))
    expect(page.locator("main")).to_contain_text("Marta Bel")


@done("sorteo", 16)
def draw(one: Newcomer) -> None:
    page = one.page
    with_pairs(one)
    one.go("desk.title")
    one.picture(
        "preparar-el-sorteo",
        page.locator("#draw"),
        page.get_by_role("button", name="Preparar el sorteo"),
    )
    one.fill("#word_from", "el primer número de la rifa")
    one.press_key("desk.commit")
    one.fill("input[name=word]", "04862")
    one.press_key("desk.reveal")
    expect(page.locator("main")).to_contain_text("Semifinales")
    one.tap(page.locator(".crumbs a", has_text="Torneo de Navidad"))
    one.go("tournament_page.draw")


@done("rondas-y-mesas", 14, unmet=("desk.do.knock_out",))
def rounds(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.tournaments")
    one.tap(page.locator("main a", has_text="Torneo de otoño").first)
    one.go("desk.title")
    for pair in ("Hilario Escos", "Pilar Gracia", "Blas Artal"):
        one.tap(page.locator("main a", has_text=pair).first)
        one.tap(page.get_by_role("button", name="2–0").first)
    one.sees("desk.next")
    one.picture("lo-siguiente", page.locator("main"))
    one.press_key("desk.do.round")
    one.press_key("desk.do.tables")
    one.press_key("desk.do.call")
    one.press_key("desk.do.start_clock")
    one.sees("desk.do.stop_clock")
    one.picture("ronda-en-juego", page.locator("main h2").first, page.locator("main table").first)


@done("corregir-en-torneo", 6)
def corrected(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.tournaments")
    one.tap(page.locator("main a", has_text="Torneo de otoño").first)
    one.go("desk.title")
    one.tap(page.locator("main a", has_text="Jorge Marco").first)
    one.sees("desk.correct")
    one.picture("corregir-en-torneo", page.locator("#result"), page.get_by_text("Otro resultado"))
    one.tap(page.get_by_role("button", name="2–1").last)
    expect(page.locator("main")).to_contain_text("1–2")


@done("pared-y-web", 7)
def wall(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.tournaments")
    one.tap(page.locator("main a", has_text="Torneo de otoño").first)
    one.go("board.wall")
    page.set_viewport_size({"width": 768, "height": 432})
    one.picture("pared", page.locator("body"), around=0)
    page.set_viewport_size(SHARP_PHONE["viewport"])
    page.go_back()
    one.go("tournament_page.files")
    page.go_back()
    one.go("desk.title")
    one.go("embed.title")


@done("liga-por-equipos", 27)
def league(one: Newcomer) -> None:
    page = one.page
    one.main_way("way.leagues")
    one.go("league.new")
    one.fill("#name", "Liga de invierno")
    one.press_key("league.new_do")
    for bar in ("Bar Ana", "Bar Blas"):
        one.unfold("league.team_add")
        one.fill("#name", bar)
        one.press_key("league.team_add")
    one.unfold("league.calendar_make")
    one.press_key("league.calendar_make")
    one.tap(page.locator("main .days a", has_text="Bar Ana"))
    one.unfold("league.register")
    one.fill("#names", "Ana Gil\nLuis Pardo")
    one.press_key("league.register")
    one.unfold("league.captain_address")
    one.tap(page.locator(".crumbs a").last)
    one.sees("league.to_key")
    one.tap(page.locator("main .matches a").first)
    for won in page.locator(".keyed fieldset").all():
        one.tap(won.locator("label").first)
    one.press_key("league.save")
    expect(page.locator("main")).to_contain_text("Corregir el resultado")
