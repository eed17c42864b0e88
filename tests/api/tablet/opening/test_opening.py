"""Opening a table in under a minute: players, seats, rules; faults beside their field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.opening_page import (
    ENCUENTROS,
    NEW,
    Club,
    at,
    on_tablet,
    opened,
    shown,
    typed,
)
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    PHONE,
    TABLET,
    in_each_language,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
    weight,
)
from tests.support.days import today
from tests.support.servers.served import Served

FOUR = ("Ana", "Blas", "Celia", "Diego")
SMALLEST_PX = 48


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with site(tmp_path) as one:
        yield one


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with visiting(browser, served, NEW, signed_in=True, **TABLET) as found:
        yield found


@pytest.mark.parametrize("players", [4, 3, 2])
def test_a_table_is_opened_by_typing(page: Page, club: Club, players: int) -> None:
    names = ("Íñigo Peña", "Blas", "Celia", "Diego")[:players]
    page.locator("[name=players]").nth(4 - players).check()
    typed(page, *names)
    encuentro = opened(page)
    view = club.view(encuentro)
    seats = {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}[players]
    assert club.seated(encuentro) == dict(zip(seats, names, strict=True))
    assert [one["partida"] for one in view["partidas"]] == [1]
    assert view["players"] == players
    assert view["profile"]["id"] == ("guinyot" if players == 3 else "club")
    assert view["date"] == today().isoformat()


def test_who_is_known_is_suggested_and_is_the_same_person(page: Page, club: Club) -> None:
    club.table("Íñigo Peña", "Blas", "Celia", "Diego")
    before = {one["person"] for one in club.get("/api/v1/persons")["items"]}
    page.reload()
    page.locator(".known button", has_text="Celia").click()
    page.fill("#name", "pena")
    expect(page.locator(".known button")).to_have_text(["Íñigo Peña"])
    page.press("#name", "ArrowDown")
    page.keyboard.press("Enter")
    typed(page, "  diego ")
    assert shown(page) == {"A1": "Celia", "B1": "Íñigo Peña", "A2": "Diego"}
    expect(page.locator(".known button")).to_have_text(["Blas"])
    typed(page, "Zoe")
    club.seated(opened(page))
    after = {one["person"]: one["name"] for one in club.get("/api/v1/persons")["items"]}
    assert [after[one] for one in set(after) - before] == ["Zoe"]


def test_four_who_play_already_are_opened_another_table_only_when_told_so(
    page: Page, club: Club
) -> None:
    first = club.table(*FOUR, date=today().isoformat())
    typed(page, *reversed(FOUR))
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_contain_text("ya están en una mesa sin terminar")
    there = page.get_by_role("link", name="Ir a esa mesa")
    assert there.get_attribute("href") == f"#/mesa/{first}"
    no_violations(page)
    assert [one["id"] for one in club.tables()] == [first]
    expect(page.locator(".open .main")).to_have_text("Abrir otra")
    assert opened(page) != first


@pytest.mark.parametrize("is_drawn", [False, True])
def test_a_known_name_typed_before_the_list_has_come_is_that_person(
    page: Page, club: Club, is_drawn: bool
) -> None:
    first = club.table("Marta", "Nuria", date="2026-01-01")
    before = set(club.view(first)["seats"].values())
    page.route("**/api/v1/persons?limit=200*", lambda _: None)  # it never comes
    page.reload()
    page.locator("[name=players]").nth(2).check()
    typed(page, "nuria", "MARTA")
    if is_drawn:
        page.get_by_role("button", name="Sortear quién da").click()
        expect(page.locator("section.draw")).to_be_visible()
        assert shown(page) == {"A1": "Nuria", "B1": "Marta"}
    else:
        view = club.view(opened(page))
        assert set(view["seats"].values()) == before


def test_the_usual_table_takes_three_taps(page: Page, club: Club, served: Served) -> None:
    typed(page, *FOUR)
    first = opened(page)
    ruling = {"winner": "A", "because": "Se acabó."}
    club.post(f"{ENCUENTROS}/{first}/rulings", ruling, club.view(first)["version"])
    at(page, served, "/arbitro/#/")
    page.locator(".title a.button").click()
    page.locator(".same").click()
    second = opened(page)
    assert second != first
    assert club.seated(second) == club.seated(first)
    assert club.view(second)["seats"] == club.view(first)["seats"]


def test_four_known_players_take_six_taps(page: Page, club: Club, served: Served) -> None:
    club.table(*FOUR, date="2026-01-01")
    at(page, served, "/arbitro/#/")
    taps = [".title a.button", *[".known button >> nth=0"] * 4, ".open .main"]
    for tap in taps:
        page.locator(tap).click()
    page.wait_for_url("**/arbitro/#/mesa/*")
    assert len(taps) == 6
    assert sorted(club.seated(page.url.rpartition("/")[2]).values()) == sorted(FOUR)


def test_seats_are_changed_by_dragging(page: Page, club: Club) -> None:
    typed(page, *FOUR[:3])
    drag(page, "A1", "A2")
    assert shown(page) == {"A1": "Celia", "B1": "Blas", "A2": "Ana"}
    drag(page, "B1", "B2")
    assert shown(page) == {"A1": "Celia", "B2": "Blas", "A2": "Ana"}
    box = page.locator("[data-place=A1] .stool").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(5, 5, steps=4)
    page.mouse.up()
    assert shown(page) == {"A1": "Celia", "B2": "Blas", "A2": "Ana"}
    typed(page, "Diego")
    assert club.seated(opened(page)) == {"A1": "Celia", "B1": "Diego", "A2": "Ana", "B2": "Blas"}


def drag(page: Page, start: str, end: str) -> None:
    page.locator(f"[data-place={start}] .stool").drag_to(page.locator(f"[data-place={end}] .stool"))


def test_seats_are_changed_by_two_taps_and_by_keys(page: Page) -> None:
    typed(page, *FOUR)
    page.locator("[data-place=A1] .stool").tap()
    page.locator("[data-place=B2] .stool").tap()
    assert shown(page) == {"A1": "Diego", "B1": "Blas", "A2": "Celia", "B2": "Ana"}
    page.locator("[data-place=B1] .stool").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-place=B1] .stool")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-place=A2] .stool").focus()
    page.keyboard.press("Space")
    assert shown(page) == {"A1": "Diego", "B1": "Celia", "A2": "Blas", "B2": "Ana"}
    page.locator("[data-place=A2] .leave").click()
    typed(page, "Eva")
    assert shown(page) == {"A1": "Diego", "B1": "Celia", "A2": "Eva", "B2": "Ana"}


def test_a_seat_is_chosen_first_and_then_who_sits_there(page: Page) -> None:
    page.locator("[data-place=B2] .stool").tap()
    typed(page, "Ana", "Blas")
    assert shown(page) == {"B2": "Ana", "A1": "Blas"}
    typed(page, "ana")
    assert shown(page) == {"B2": "Ana", "A1": "Blas"}


def test_the_terms_are_those_of_the_table_and_the_next_begins_with_them(
    page: Page, club: Club, served: Served
) -> None:
    typed(page, *FOUR)
    page.locator("summary").click()
    page.select_option("#profile", "escuela")
    page.locator("[name=deck]").nth(1).check()
    page.locator(".number", has_text="Cotos para ganar").locator("button").first.click()
    page.locator(".number", has_text="Partidas por coto").locator("button").last.click()
    page.fill("#place", "Casino de Daroca")
    page.fill("#date", "2026-11-20")
    view = club.view(opened(page))
    options = view["profile"]["options"]
    assert (view["profile"]["base"], view["place"], view["date"]) == (
        "escuela",
        "Casino de Daroca",
        "2026-11-20",
    )
    assert (options["deck"], options["cotos_to_win"], options["camas_per_coto"]) == (48, 1, 4)
    at(page, served)
    expect(page.locator("summary")).to_contain_text(
        "Escuela de guiñote · a 1 cotos de 4 · 48 cartas · Casino"
    )
    if not page.locator("details[open]").count():
        page.locator("summary").click()
    expect(page.locator(".links a").last).to_have_attribute("href", "/reglas/club/y/escuela")
    page.locator("[name=format]").last.check()
    expect(page.locator("summary")).to_contain_text("partidas: 8")


def test_nothing_is_sent_before_everybody_sits(page: Page, club: Club) -> None:
    typed(page, "Ana", "Blas", "Celia")
    page.locator(".open .main").click()
    expect(page.locator(".open .wrong")).to_contain_text("B2")
    assert club.tables() == []


def test_a_refusal_of_the_server_is_shown_beside_the_field(
    browser: Browser, served: Served, club: Club
) -> None:
    context = on_tablet(browser, served)
    page = at(context.new_page(), served)
    typed(page, "Ana", "Bl\u202eas", "Celia", "Diego")
    page.locator(".open .main").click()
    wrong = page.locator("[data-place=B1] .wrong")
    expect(wrong).not_to_be_empty()
    described = page.locator("[data-place=B1] .stool").get_attribute("aria-describedby")
    assert described == wrong.get_attribute("id")
    no_violations(page)
    page.locator("[data-place=B1] .leave").click()
    typed(page, "Blas")
    page.locator("summary").click()
    page.fill("#place", "Ca\u202esino")
    page.locator(".open .main").click()
    expect(page.locator("#wrong-place")).not_to_be_empty()
    assert page.locator("#place").get_attribute("aria-invalid") == "true"
    assert club.tables() == []
    page.fill("#place", "Casino")
    assert club.seated(opened(page)) == dict(zip(("A1", "B1", "A2", "B2"), FOUR, strict=True))
    assert len(club.tables()) == 1
    context.close()


@pytest.mark.parametrize(("lang", "screen"), in_each_language(PHONE, TABLET))
def test_everybody_can_open_a_table(
    browser: Browser, served: Served, club: Club, lang: str, screen: dict[str, object]
) -> None:
    club.table("Ana María López-Miravete", "Blas", "Celia", "Diego")
    path = f"/arbitro/?lang={lang}#/nueva"
    with visiting(browser, served, path, signed_in=True, **screen) as page:
        page.wait_for_selector(".known button")
        look_at(page)
        for _ in range(4):
            page.locator(".known button").first.click()
        page.locator("[data-place=A1] .stool").click()
        page.locator("summary").click()
        page.select_option("#profile", "escuela")
        look_at(page)
        page.locator("summary").click()
        page.locator(".who > button.plain").last.click()
        page.wait_for_selector(".fallen")
        look_at(page)
        page.locator("[name=by]").last.check()
        page.wait_for_selector("#seed")
        look_at(page)
        page.locator(".seeded button").click()
        page.wait_for_selector(".outcome")
        look_at(page)
        assert "tablet." not in page.locator("main").inner_text()


def look_at(page: Page) -> None:
    """No axe violation, no missing text, no small target, no overflow."""
    no_violations_in_any_language(page)
    small = page.eval_on_selector_all(
        "main button, main a, main select, main input:not([type=radio]), main .pick span",
        "(all, least) => all.filter(one => one.offsetParent)"
        " .map(one => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])"
        " .filter(([, box]) => Math.min(box.width, box.height) < least - .5)"
        " .map(([text, box]) => [text, box.width, box.height])",
        SMALLEST_PX,
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_no_more_than_a_page_may_weigh_is_asked_for(browser: Browser, served: Served) -> None:
    for path in ("/arbitro/#/", NEW):
        heavy = weight(browser, served, path, signed_in=True)
        assert 1_000 < heavy < HEAVIEST_PAGE, (path, heavy)
