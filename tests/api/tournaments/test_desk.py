"""A director runs whole tournaments through the pages, from the opening to the champion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    address,
    no_violations_in_any_language,
)
from tests.support.outbox import Club
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.servers.club_tables import Director
from tests.support.servers.served import Served

SMALLEST_PX = 48
_TOO_SMALL = """(all, px) => all.filter((one) => one.getBoundingClientRect().height < px)
  .map((one) => one.outerHTML)"""


@pytest.fixture(scope="module")
def opened_page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as page:
        yield page


@pytest.fixture
def page(opened_page: PageInNode) -> Iterator[PageInNode]:
    """The page of a new tournament, for the owner."""
    yield opened_page.visit("/torneos/nuevo", signed_in=True)
    opened_page.is_well()


def press(page: PageInNode, name: str, within: str = "main") -> None:
    page.locator(within).get_by_role("button", name=name).click()


def desk_of(page: PageInNode) -> str:
    found = re.search(r"/torneos/[0-9a-f-]{36}/direccion", page.url)
    assert found, page.url
    return found[0]


def view(served: Served, page: PageInNode) -> Any:
    """The public view of the tournament."""
    path = desk_of(page).replace("/direccion", "")
    status, answer = served.ask("GET", f"/api/v1{path.replace('torneos', 'tournaments')}?wait=0")
    assert status == 200
    return answer


def opened(page: PageInNode, kind: str, **more: str) -> None:
    """A tournament, opened by its form."""
    page.fill("#name", f"Torneo {kind}")
    page.locator(f"[name=format][value={kind}]").check()
    for name, value in more.items():
        page.fill(f"#{name}", value)
    press(page, "Abrir el torneo")
    page.wait_for_url("**/direccion/parejas**")


def entered(page: PageInNode, lines: str) -> None:
    """Pairs that are pasted, looked at, and enter."""
    page.fill("#text", lines)
    press(page, "Ver quiénes son")
    press(page, f"Apuntarlas ({len(lines.splitlines())})")
    expect(page.locator("tbody tr")).to_have_count(len(lines.splitlines()))


def drawn(page: PageInNode, heads: int) -> None:
    """The draw, committed to and revealed."""
    page.goto(desk_of(page))
    page.fill("#heads", str(heads))
    press(page, "Preparar el sorteo")
    expect(page.locator("code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    press(page, "Sortear")
    expect(page.locator(".lead").first).to_contain_text("En juego")


def open_cruce(page: PageInNode, pattern: str) -> None:
    """The first cruce that is seen with these pairs."""
    links = page.locator("main").get_by_role("link")
    texts = links.all_inner_texts()
    links.nth(next(at for at, text in enumerate(texts) if re.search(pattern, text))).click()


def won(page: PageInNode, winner: str, loser: str, result: str = "2–0") -> None:
    """A result from paper: two taps, on the cruce and on how it ended."""
    open_cruce(page, rf"\b{winner} .*{loser}|\b{loser} .*{winner}")
    decided(page, winner, result)


def decided(page: PageInNode, winner: str, result: str) -> None:
    """A tap on how a cruce ended."""
    winners = page.locator("h3").all_inner_texts()
    place = next(at for at, one in enumerate(winners) if one.startswith(f"Gana la {winner} "))
    page.locator("h3 + div").nth(place).get_by_role("button", name=result).click()


PAIRS = "Ana Gil / Blas Ruiz / 40\nCelia; Diego; 30\nEva, Fermín, 20\nGema - Hugo\n"


def test_a_knock_out_from_the_opening_to_the_champion(page: PageInNode, served: Served) -> None:
    Club(served).ask("POST", "/api/v1/players", {"name": "Ana Gil", "club": "Norte"})
    opened(page, "knock_out")
    page.fill("#text", PAIRS)
    press(page, "Ver quiénes son")
    expect(page.locator(".tag").first).to_have_text("del club")
    expect(page.locator(".tag.live")).to_have_count(7)
    press(page, "Apuntarlas (4)")
    drawn(page, heads=4)
    press(page, "Repartir las mesas")
    press(page, "Llamar a todas las mesas")
    expect(page.locator(".tag").filter(has_text="A la mesa")).to_have_count(2)
    press(page, "Poner el reloj")
    clock = page.locator(".lead").filter(has_text="Quedan")
    expect(clock).to_contain_text(re.compile("Quedan (59|60) minutos"))
    won(page, "4", "1", "2–1")
    won(page, "2", "3")
    expect(page.locator("h2").filter(has_text="Final")).to_be_visible()
    won(page, "4", "2", "2–1")
    expect(page.locator(".said")).to_have_text("Ganan el torneo: 4 Gema · Hugo")
    press(page, "Cerrar el torneo")
    expect(page.locator(".lead").first).to_contain_text("Terminado")
    found = view(served, page)
    assert (found["champion"], found["stage"]) == ("4", "over")
    final = found["rounds"][-1]["meetings"][0]
    assert final["cotos"] == ([2, 1] if final["pairs"][0] == "4" else [1, 2])
    listed = Club(served).ask("GET", "/api/v1/players")["items"]
    assert sorted(one["name"] for one in listed) == [
        *("Ana Gil", "Blas Ruiz", "Celia", "Diego", "Eva", "Fermín", "Gema", "Hugo"),
    ]


def corrected_too_late(page: PageInNode, served: Served) -> None:
    """Change the first result of pair 1 to a win of pair 3, and draw the next round again."""
    desk = desk_of(page)
    first = next(one for one in view(served, page)["rounds"][0]["meetings"] if "1" in one["pairs"])
    page.goto(f"{desk}/cruces/{first['id']}")
    decided(page, "3", "2–0")
    expect(page.locator("h1")).to_have_text("Corrección por decidir")
    assert view(served, page)["pending"][0]["now"]["winner"] == "3"
    press(page, "Sortear otra vez la ronda 2")
    page.wait_for_url(f"**{desk}[?]*")


def test_a_swiss_one_with_a_late_pair_an_absence_and_a_result_corrected_too_late(
    page: PageInNode, served: Served
) -> None:
    opened(page, "swiss", rounds="2")
    entered(page, "Iris / Jon / 40\nKoldo / Lola / 30\nMar / Nil / 20\nOlga / Paco / 10")
    drawn(page, heads=4)
    press(page, "Sortear la ronda")
    won(page, "1", "3")
    won(page, "2", "4")
    page.locator("main a").filter(has_text="Parejas").first.click()
    page.fill("#player-1", "Quim")
    page.fill("#player-2", "Rosa")
    press(page, "Apuntar")
    expect(page.locator("tbody tr")).to_have_count(5)
    page.get_by_role("link", name="Olga · Paco").click()
    page.wait_for_url("**/direccion/parejas/*")
    press(page, "Apuntar que no ha venido")
    press(page, "Sortear la ronda")
    corrected_too_late(page, served)
    found = view(served, page)
    assert found["pending"] == []
    assert found["rounds"][0]["meetings"][0]["winner"] in ("2", "3")
    again = [set(one["pairs"]) for one in found["rounds"][1]["meetings"]]
    assert {"2", "3"} in again
    for one in found["rounds"][1]["meetings"]:
        if one["winner"] is None:
            best = "3" if "3" in one["pairs"] else min(one["pairs"], key=int)
            won(page, best, next(pair for pair in one["pairs"] if pair != best))
    press(page, "Cerrar el torneo")
    expect(page.locator(".lead").first).to_contain_text("Terminado")
    assert view(served, page)["champion"] == "3"


def test_a_result_from_elsewhere_comes_to_the_desk_by_itself(
    page: PageInNode, served: Served
) -> None:
    opened(page, "knock_out")
    entered(page, "Wanda / Xavi\nYago / Zoe")
    drawn(page, heads=2)
    expect(page.locator(".tag").filter(has_text="Pendiente")).to_have_count(1)
    expect(page.locator("#state [data-when=live]")).to_be_visible()
    found = view(served, page)
    meeting = found["rounds"][0]["meetings"][0]["id"]
    path = f"/api/v1/tournaments/{found['id']}/meetings/{meeting}/result"
    Club(served).ask("POST", path, {"winner": "2", "cotos": [1, 2]}, found["version"])
    expect(page.locator(".said")).to_have_text("Ganan el torneo: 2 Yago · Zoe")
    press(page, "Cerrar el torneo")  # at the version that came with it
    expect(page.locator(".lead").first).to_contain_text("Terminado")


def test_a_cruce_is_played_in_the_program(page: PageInNode) -> None:
    opened(page, "round_robin")
    entered(page, "Sara / Tomás\nUrsula / Víctor")
    drawn(page, heads=0)
    press(page, "Sortear la ronda")
    open_cruce(page, "Sara")
    press(page, "Apuntarlo en la tableta")
    page.wait_for_url("**/e/*")
    expect(page.locator("main")).to_contain_text("Víctor")


def late_correction(club: Club) -> tuple[str, str, str]:
    """A cup whose first result was put right after the final: its id, the cruce, the final."""
    body = {"name": "Copa", "profile": {"id": "club"}, "plan": {"format": "knock_out"}}
    tournament = club.ask("POST", "/api/v1/tournaments", body)
    path = f"/api/v1/tournaments/{tournament['id']}"

    def do(what: str, body: Any = None) -> None:
        tournament.update(club.ask("POST", f"{path}/{what}", body or {}, tournament["version"]))

    def open_now() -> list[str]:
        rounds = club.ask("GET", f"{path}?wait={tournament['position']}")["rounds"]
        return [one["id"] for drawn in rounds for one in drawn["meetings"] if not one["winner"]]

    names = [("Ada", "Bea"), ("Caín", "Dora"), ("Eloy", "Flor"), ("Gil", "Hada")]
    do("pairs", {"pairs": [{"players": [{"name": one} for one in pair]} for pair in names]})
    do("draw", {"heads": 4})
    do("lots")
    first, second = open_now()
    do(f"meetings/{first}/result", {"winner": "1", "cotos": [2, 0]})
    do(f"meetings/{second}/result", {"winner": "2", "cotos": [2, 1]})
    (final,) = open_now()
    do(f"meetings/{final}/result", {"winner": "1", "cotos": [2, 0]})
    do(f"meetings/{first}/result", {"winner": "4", "cotos": [0, 2]})
    club.ask("GET", f"{path}?wait={tournament['position']}")
    return tournament["id"], first, final


def test_a_correction_after_the_next_draw_is_taken_back(page: PageInNode, served: Served) -> None:
    """The director typed the result of another cruce: two taps, and nothing has changed."""
    tournament, first, _ = late_correction(Club(served))
    desk = f"/torneos/{tournament}/direccion"
    page.goto(desk)
    before = view(served, page)
    assert [one["meeting"] for one in before["pending"]] == [first]
    page.locator("#pending ~ ul a").click()
    page.wait_for_url("**/correccion")
    assert page.locator("main h2").all_inner_texts()[0] == "Me he equivocado"
    press(page, "Quitar el cambio")
    page.wait_for_url(f"**{desk}[?]*")
    expect(page.locator("#pending")).to_have_count(0)
    expect(page.locator(".said")).to_have_text("Ganan el torneo: 1 Ada · Bea")
    after = view(served, page)
    assert after["pending"] == []
    kept = ("rounds", "standings", "bracket", "champion")
    assert [after[part] for part in kept] == [before[part] for part in kept]


def called(served: Served) -> str:
    """Id of a cup whose tables are called and whose clock runs."""
    director = Director(served)
    tournament = director.tournament(4, format="knock_out", minutes=60)
    director.do("tables", {})
    for one in director.open():
        director.do(f"meetings/{one['id']}/call")
    director.do("rounds/1/clock", {})
    director.read(director.path)
    return tournament


def test_the_desk_fits_a_phone_with_contrast_and_targets_for_a_finger(
    browser: Browser, served: Served
) -> None:
    club = Club(served)
    tournament, first, final = late_correction(club)
    desk = f"/torneos/{tournament}/direccion"
    late = f"{desk}/cruces/{first}/correccion"
    running = (desk, f"{desk}/parejas", f"{desk}/parejas/2", f"{desk}/cruces/{final}", late)
    empty = club.ask(
        "POST",
        "/api/v1/tournaments",
        {"name": "Liga", "profile": {"id": "club"}, "plan": {"format": "knock_out"}},
    )
    club.ask("GET", f"/api/v1/tournaments/{empty['id']}")
    entering = f"/torneos/{empty['id']}/direccion/parejas"
    paths = ("/torneos/nuevo", *running, f"/torneos/{called(served)}/direccion", entering)
    with kept_page(browser, served, "/torneos/nuevo", signed_in=True, **PHONE) as page:
        for lang in LOOKED_AT:
            for path in paths:
                page.goto(address(served, f"{path}?lang={lang}"))
                is_for_everybody(page, path)
            page.fill("#text", PAIRS)
            page.locator("#many ~ form button").click()
            expect_in_browser(page.locator("#looked")).to_be_visible()
            is_for_everybody(page, "pairs that were looked at")


def is_for_everybody(page: Page, what: str) -> None:
    """Assert contrast, a width within the screen, and targets that are large enough for a finger."""
    no_violations_in_any_language(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
    page.wait_for_load_state("load")
    targets = page.locator("main button:visible, main a.button:visible")
    assert targets.evaluate_all(_TOO_SMALL, SMALLEST_PX) == [], what
