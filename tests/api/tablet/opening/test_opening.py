"""Opening a table in under a minute: players, seats, rules; faults beside their field."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.api.tablet.opening.opening_page import NEW, SEATS, Club, opened, shown, typed
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    no_violations,
    no_violations_in_any_language,
)
from tests.support.days import today
from tests.support.page_in_node import PageInNode, expect
from tests.support.servers.served import Served

SMALLEST_PX = 48
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def page(tablet: PageInNode) -> Iterator[PageInNode]:
    tablet.evaluate("localStorage.clear()")  # terms of a table that was opened before
    with tablet.at(NEW):
        yield tablet


@pytest.fixture
def four() -> tuple[str, ...]:
    """Names that nobody in the club has."""
    number = next(_numbers)
    return tuple(f"{name} {number}" for name in ("Ana", "Blas", "Celia", "Diego"))


@pytest.mark.parametrize("players", [4, 3, 2])
def test_a_table_is_opened_by_typing(page: PageInNode, club: Club, players: int) -> None:
    names = ("Íñigo Peña", "Blas", "Celia", "Diego")[:players]
    page.locator("[name=players]").nth(4 - players).check()
    typed(page, *names)
    encuentro = opened(page)
    view = club.view(encuentro)
    assert club.seated(encuentro) == dict(zip(SEATS[players], names, strict=True))
    assert [one["partida"] for one in view["partidas"]] == [1]
    assert view["players"] == players
    assert view["profile"]["id"] == ("guinyot" if players == 3 else "club")
    assert view["date"] == today().isoformat()


def test_who_is_known_is_suggested_and_is_the_same_person(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    _, blas, celia, diego = four
    club.table("Óscar Núñez", blas, celia, diego)
    before = {one["person"] for one in club.persons()}
    page.reload()
    known = page.locator(".known button")
    known.filter(has_text=celia).click()
    page.fill("#name", "nunez")
    expect(known).to_have_text("Óscar Núñez")
    page.locator("#name").press("ArrowDown")
    page.press("Enter")
    typed(page, f"  {diego.lower()} ")
    assert shown(page) == {"A1": celia, "B1": "Óscar Núñez", "A2": diego}
    ours = {"Óscar Núñez", *four}
    assert [one for one in known.all_inner_texts() if one in ours] == [blas]
    typed(page, "Zoe")
    club.seated(opened(page))
    after = {one["person"]: one["name"] for one in club.persons()}
    assert [after[one] for one in set(after) - before] == ["Zoe"]


def test_four_who_play_already_are_opened_another_table_only_when_told_so(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    first = club.table(*four, date=today().isoformat())
    before = [one["id"] for one in club.tables()]
    assert first in before
    typed(page, *reversed(four))
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_contain_text("ya están en una mesa sin terminar")
    there = page.get_by_role("link", name="Ir a esa mesa")
    assert there.get_attribute("href") == f"#/mesa/{first}"
    assert [one["id"] for one in club.tables()] == before
    expect(page.locator(".open .main")).to_have_text("Abrir otra")
    assert opened(page) not in before


@contextmanager
def unanswered(page: PageInNode, path: str) -> Iterator[None]:
    """Requests that begin like this get no answer."""
    page.evaluate(
        """(path) => {
          globalThis.answered = globalThis.fetch;
          globalThis.fetch = (asked, ...more) =>
            String(asked).startsWith(path) ? new Promise(() => {}) : answered(asked, ...more);
        }""",
        path,
    )
    try:
        yield
    finally:
        page.evaluate("() => { globalThis.fetch = answered; }")


@pytest.mark.parametrize("is_drawn", [False, True])
def test_a_known_name_typed_before_the_list_has_come_is_that_person(
    page: PageInNode, club: Club, is_drawn: bool
) -> None:
    number = next(_numbers)
    marta, nuria = f"Marta {number}", f"Nuria {number}"
    first = club.table(marta, nuria, date="2026-01-01")
    before = set(club.view(first)["seats"].values())
    with unanswered(page, "/api/v1/persons?limit=200"):
        page.reload()
        page.locator("[name=players]").nth(2).check()
        typed(page, nuria.lower(), marta.upper())
        if is_drawn:
            page.get_by_role("button", name="Sortear quién da").click()
            expect(page.locator("section.draw")).to_be_visible()
            assert shown(page) == {"A1": nuria, "B1": marta}
        else:
            view = club.view(opened(page))
            assert set(view["seats"].values()) == before


def test_the_usual_table_takes_three_taps(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    typed(page, *four)
    first = opened(page)
    club.end(first)
    page.goto("#/")
    page.locator(".title a.button").click()
    page.locator(".same").click()
    second = opened(page)
    assert second != first
    assert club.seated(second) == club.seated(first)
    assert club.view(second)["seats"] == club.view(first)["seats"]


def test_four_known_players_take_six_taps(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    club.table(*four, date="2026-01-01")
    page.goto("#/")
    new, known, begin = (
        page.locator(one) for one in (".title a.button", ".known button", ".open .main")
    )
    taps = [new, *[known.first] * 4, begin]
    for one in taps:
        one.click()
    page.wait_for_url("**/arbitro/#/mesa/*")
    assert len(taps) == 6
    assert sorted(club.seated(page.url.rpartition("/")[2]).values()) == sorted(four)


def test_a_seat_is_chosen_first_and_then_who_sits_there(page: PageInNode) -> None:
    page.locator("[data-place=B2] .stool").tap()
    typed(page, "Ana", "Blas")
    assert shown(page) == {"B2": "Ana", "A1": "Blas"}
    typed(page, "ana")
    assert shown(page) == {"B2": "Ana", "A1": "Blas"}


def test_the_terms_are_those_of_the_table_and_the_next_begins_with_them(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    typed(page, *four)
    page.locator("summary").click()
    page.select_option("#profile", "escuela")
    page.locator("[name=deck]").nth(1).check()
    page.locator(".number").filter(has_text="Cotos para ganar").locator("button").first.click()
    page.locator(".number").filter(has_text="Partidas por coto").locator("button").last.click()
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
    page.goto(NEW)
    expect(page.locator("summary")).to_contain_text(
        "Escuela de guiñote · a 1 cotos de 4 · 48 cartas · Casino"
    )
    if not page.locator("details[open]").count():
        page.locator("summary").click()
    expect(page.locator(".links a").last).to_have_attribute("href", "/reglas/club/y/escuela")
    page.locator("[name=format]").last.check()
    expect(page.locator("summary")).to_contain_text("partidas: 8")


def test_nothing_is_sent_before_everybody_sits(page: PageInNode, club: Club) -> None:
    before = len(club.tables())
    typed(page, "Ana", "Blas", "Celia")
    page.locator(".open .main").click()
    expect(page.locator(".open .wrong")).to_contain_text("B2")
    assert len(club.tables()) == before


def test_a_refusal_of_the_server_is_shown_beside_the_field(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    before = len(club.tables())
    ana, blas, celia, diego = four
    typed(page, ana, f"\u202e{blas}", celia, diego)
    page.locator(".open .main").click()
    wrong = page.locator("[data-place=B1] .wrong")
    expect(wrong).not_to_have_text("")
    described = page.locator("[data-place=B1] .stool").get_attribute("aria-describedby")
    assert described == wrong.get_attribute("id")
    page.locator("[data-place=B1] .leave").click()
    typed(page, blas)
    page.locator("summary").click()
    page.fill("#place", "Ca\u202esino")
    page.locator(".open .main").click()
    expect(page.locator("#wrong-place")).not_to_have_text("")
    assert page.locator("#place").get_attribute("aria-invalid") == "true"
    assert len(club.tables()) == before
    page.fill("#place", "Casino")
    assert club.seated(opened(page)) == dict(zip(SEATS[4], four, strict=True))
    assert len(club.tables()) == before + 1


# --- in a browser --------------------------------------------------------------------------------


def test_players_are_dragged_tapped_and_moved_with_keys_to_other_seats_by_touch(
    browser: Browser, served: Served, club: Club, four: tuple[str, ...]
) -> None:
    ana, blas, celia, diego = four
    with kept_page(browser, served, f"/arbitro/{NEW}", signed_in=True, **TABLET) as page:
        typed(page, *four[:3])
        drag(page, "A1", "A2")
        assert shown(page) == {"A1": celia, "B1": blas, "A2": ana}
        drag(page, "B1", "B2")
        assert shown(page) == {"A1": celia, "B2": blas, "A2": ana}
        box: Any = stool(page, "A1").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(5, 5, steps=4)
        page.mouse.up()
        assert shown(page) == {"A1": celia, "B2": blas, "A2": ana}
        typed(page, diego)
        stool(page, "A1").tap()
        stool(page, "B2").tap()
        assert shown(page) == {"A1": blas, "B1": diego, "A2": ana, "B2": celia}
        stool(page, "B1").focus()
        page.keyboard.press("Enter")
        expect_in_browser(stool(page, "B1")).to_have_attribute("aria-pressed", "true")
        stool(page, "A2").focus()
        page.keyboard.press("Space")
        assert shown(page) == {"A1": blas, "B1": ana, "A2": diego, "B2": celia}
        page.locator("[data-place=A2] .leave").click()
        typed(page, f"Eva {ana}")
        now = {"A1": blas, "B1": ana, "A2": f"Eva {ana}", "B2": celia}
        assert shown(page) == now
        assert club.seated(opened(page)) == now


def stool(page: Page, place: str) -> Any:
    """Where somebody sits."""
    return page.locator(f"[data-place={place}] .stool")


def drag(page: Page, start: str, end: str) -> None:
    stool(page, start).drag_to(stool(page, end))


def test_an_opening_and_its_draw_are_readable_and_fit_a_finger_on_a_phone_and_a_tablet(
    browser: Browser, served: Served, club: Club
) -> None:
    club.table("Ana María López-Miravete", "Bruno", "Clara", "Dora")
    for lang in READ:
        path = f"/arbitro/?lang={lang}{NEW}"
        for screen in (PHONE, TABLET):
            with kept_page(browser, served, path, signed_in=True, **screen) as page:
                page.wait_for_selector(".known button")
                look_at(page)
                for _ in range(4):
                    page.locator(".known button").first.click()
                stool(page, "A1").click()
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
    with kept_page(browser, served, f"/arbitro/{NEW}", signed_in=True, refusals=2, **PHONE) as page:
        what_is_wrong(page)


def what_is_wrong(page: Page) -> None:
    """What is refused, what was drawn before, and that the same four play already."""
    for _ in range(3):
        page.locator(".known button").first.click()
    typed(page, "Di\u202ego")
    page.locator(".open .main").click()
    expect_in_browser(page.locator("[data-place=B2] .wrong")).not_to_be_empty()
    no_violations(page)
    page.locator("[data-place=B2] .leave").click()
    page.locator(".known button").first.click()
    page.locator(".open .main").click()
    expect_in_browser(page.locator(".open .note")).to_be_visible()
    no_violations(page)
    page.locator(".who > button.plain").last.click()
    page.locator("[name=by]").last.check()
    page.locator(".seeded button").click()
    page.locator(".draw .title button").click()
    page.locator(".who > button.plain").last.click()
    page.locator("[name=by]").last.check()
    expect_in_browser(page.locator(".seeded code")).to_be_visible()
    no_violations(page)


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
