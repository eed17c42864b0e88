"""An interrupted opening: nothing is lost or repeated, and the tablet continues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.support.browser.opening_page import ENCUENTROS, Club, at, on_tablet, opened, typed
from tests.support.browser.pages import (
    READ,
    no_violations,
    no_violations_in_any_language,
    site,
)
from tests.support.servers.served import Served

FOUR = ("Ana", "Blas", "Celia", "Diego")
SEATED = dict(zip(("A1", "B1", "A2", "B2"), FOUR, strict=True))
STEPS = ["**/encuentros?*", "**/draws?*", "**/seats?*", "**/partidas?*"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with site(tmp_path) as one:
        yield one


@pytest.fixture
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def context(browser: Browser, served: Served) -> Iterator[BrowserContext]:
    found = on_tablet(browser, served)
    yield found
    found.close()


def lose(page: Page, step: str, *, done: bool) -> None:
    """The next write of this kind gets no answer, whether or not the server did it."""
    left = [True]

    def handle(route: Route) -> None:
        if route.request.method != "POST" or not left:
            return route.fallback()
        left.clear()
        if done:
            route.fetch()
        return route.abort("connectionreset")

    page.route(step, handle)


def drawn(page: Page) -> None:
    """Four typed, and partners drawn by the program."""
    typed(page, *FOUR)
    page.locator(".who > button.plain").last.click()
    page.locator("[name=by]").last.check()
    page.locator(".seeded button").click()
    page.locator(".draw .main").click()


def whole(club: Club, encuentro: str) -> None:
    """One table, open, drawn once, seated and begun."""
    view = club.view(encuentro)
    assert [one["id"] for one in club.tables()] == [encuentro]
    assert (len(view["partidas"]), len(view["draws"])) == (1, 1)
    assert sorted(club.seated(encuentro).values()) == sorted(FOUR)
    assert len(club.get("/api/v1/persons")["items"]) == 4


@pytest.mark.parametrize("done", [True, False], ids=["answer lost", "request lost"])
@pytest.mark.parametrize("step", STEPS)
def test_what_got_no_answer_is_sent_again_as_it_was(
    context: BrowserContext, served: Served, club: Club, step: str, done: bool
) -> None:
    page = at(context.new_page(), served)
    drawn(page)
    lose(page, step, done=done)
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_contain_text("No se ha perdido nada")
    assert page.locator("#profile, .stool").first.is_disabled()
    whole(club, opened(page))


@pytest.mark.parametrize("step", STEPS)
def test_a_tablet_that_died_half_way_carries_on(
    context: BrowserContext, served: Served, club: Club, step: str
) -> None:
    page = at(context.new_page(), served)
    drawn(page)
    lose(page, step, done=True)
    page.locator(".open .main").click()
    page.wait_for_selector(".open .note")
    page.close()
    other = at(context.new_page(), served)
    expect(other.locator(".note")).to_contain_text("Ana")
    no_violations(other)
    other.locator(".note button").first.click()
    other.wait_for_url("**/arbitro/#/mesa/*")
    whole(club, other.url.rpartition("/")[2])
    third = at(context.new_page(), served)
    third.locator("#name").wait_for()
    assert third.locator(".note").count() == 0


def test_an_opening_that_is_given_up_leaves_room_for_another(
    context: BrowserContext, served: Served, club: Club
) -> None:
    page = at(context.new_page(), served)
    typed(page, *FOUR)
    lose(page, STEPS[0], done=False)
    page.locator(".open .main").click()
    page.wait_for_selector(".open .note")
    page.reload()
    page.locator(".note button.plain").click()
    typed(page, "Eva", "Fran", "Gil", "Hugo")
    assert sorted(club.seated(opened(page)).values()) == ["Eva", "Fran", "Gil", "Hugo"]
    assert len(club.tables()) == 1


def test_who_was_signed_out_signs_in_and_carries_on(
    context: BrowserContext, served: Served, club: Club
) -> None:
    page = at(context.new_page(), served)
    typed(page, *FOUR)
    cookies = context.cookies()
    context.clear_cookies()
    page.locator(".open .main").click()
    expect(page.locator(".open .note a")).to_have_attribute("href", "/entrar?next=/arbitro/")
    context.add_cookies([dict(one) for one in cookies])  # type: ignore[misc]  # what it gave it takes
    assert club.seated(opened(page)) == SEATED


@pytest.mark.parametrize("is_seated", [True, False])
def test_a_table_that_others_opened_and_did_not_begin_is_begun(
    context: BrowserContext, served: Served, club: Club, is_seated: bool
) -> None:
    if is_seated:
        encuentro = club.table(*FOUR, partidas=0)
    else:
        encuentro = club.post(ENCUENTROS, {"profile": {"id": "club"}, "players": 4})["id"]
    page = at(context.new_page(), served, "/arbitro/#/")
    page.locator(".entry").click()
    if not is_seated:
        page.wait_for_selector("#name")
        typed(page, *FOUR)
    expect(page.locator(".stool.free")).to_have_count(0)
    assert opened(page) == encuentro
    assert (club.seated(encuentro), len(club.view(encuentro)["partidas"])) == (SEATED, 1)


def test_without_a_server_the_page_says_what_is_missing(
    context: BrowserContext, served: Served, club: Club
) -> None:
    page = context.new_page()
    page.route("**/api/v1/**", lambda route: route.abort("internetdisconnected"))
    at(page, served)
    expect(page.locator(".opening .note")).to_contain_text("conexión")
    no_violations(page)


# --- the list ------------------------------------------------------------------------------------


def cards(page: Page) -> list[str]:
    page.wait_for_selector(".entry")
    return [text.split("\n")[0] for text in page.locator(".entry").all_inner_texts()]


def test_those_that_play_come_first_and_are_found_by_name_place_and_day(
    context: BrowserContext, served: Served, club: Club
) -> None:
    over = club.table("Íñigo", "Blas", "Celia", "Diego", place="Daroca", date="2026-11-02")
    club.post(f"{ENCUENTROS}/{over}/rulings", {"winner": "A", "because": "x"}, 3)
    club.table("Eva", "Fran", place="Calamocha")
    last = club.table("Gil", "Hugo", partidas=0)
    page = at(context.new_page(), served, "/arbitro/#/")
    assert cards(page) == ["Gil", "Eva", "Íñigo · Celia"]
    assert page.locator("h2").all_inner_texts() == ["En juego", "Terminadas"]
    expect(page.locator(".entry").nth(1)).to_contain_text("Partida 1")
    expect(page.locator(".entry").nth(2)).to_contain_text("Gana Íñigo · Celia")
    assert page.locator(".entry").first.get_attribute("href") == f"#/nueva/{last}"
    for sought, found in (
        ("inigo blas", ["Íñigo · Celia"]),
        ("calamo", ["Eva"]),
        ("2 nov", ["Íñigo · Celia"]),
    ):
        page.fill("[type=search]", sought)
        expect(page.locator(".entry")).to_have_count(len(found))
        assert cards(page) == found
    page.fill("[type=search]", "nadie")
    expect(page.locator(".entry")).to_have_count(0)
    no_violations(page)


@pytest.mark.parametrize("lang", READ)
def test_everybody_can_use_the_list(
    context: BrowserContext, served: Served, club: Club, lang: str
) -> None:
    page = at(context.new_page(), served, f"/arbitro/?lang={lang}#/")
    page.wait_for_selector("p.lead")
    no_violations_in_any_language(page)
    club.table(*FOUR)
    over = club.table("Eva", "Fran")
    club.post(f"{ENCUENTROS}/{over}/rulings", {"winner": "", "because": "x"}, 3)
    page.reload()
    page.wait_for_selector(".entry.over")
    no_violations_in_any_language(page)
    assert "tablet." not in page.locator("main").inner_text()


KNOW = """async (id) => { const { openTable } = await import("/static/tablet/outbox/table.js"); await openTable(id); }"""


def test_after_a_dead_battery_the_tablet_begins_at_its_table(
    context: BrowserContext, served: Served, club: Club
) -> None:
    encuentro = club.table(*FOUR)
    club.table("Eva", "Fran")
    page = at(context.new_page(), served, f"/arbitro/#/mesa/{encuentro}")
    page.locator("section.table").wait_for()  # the arbiter saw it: the tablet keeps where they were
    page.close()
    again = at(context.new_page(), served, "/arbitro/")
    again.wait_for_url(f"**/arbitro/#/mesa/{encuentro}")
    again.locator("a.brand").click()
    assert len(cards(again)) == 2
    club.post(f"{ENCUENTROS}/{encuentro}/rulings", {"winner": "A", "because": "x"}, 3)
    again.evaluate(KNOW, encuentro)
    again.goto(f"http://127.0.0.1:{served.port}/arbitro/#/mesa/{encuentro}")
    again.evaluate(KNOW, encuentro)
    follow(again, encuentro)
    again.close()
    last = at(context.new_page(), served, "/arbitro/")
    assert len(cards(last)) == 2


def follow(page: Page, encuentro: str) -> None:
    """Until this browser knows how the table ended."""
    page.evaluate(
        """async (id) => {
          const { openTable } = await import("/static/tablet/outbox/table.js");
          const table = await openTable(id);
          const isOver = () => table.state().encuentro.decided;
          await new Promise((done) => {
            table.subscribe(() => isOver() && done());
            if (isOver()) done(); // it was reported before
          });
        }""",
        encuentro,
    )


def test_the_list_is_there_without_a_network_and_says_what_waits(
    context: BrowserContext, served: Served, club: Club
) -> None:
    encuentro = club.table(*FOUR)
    page = at(context.new_page(), served, f"/arbitro/#/mesa/{encuentro}")
    page.evaluate(KNOW, encuentro)
    page.route("**/api/v1/**", lambda route: route.abort("internetdisconnected"))
    acts: list[Any] = [{"kind": "deal", "dealer": "B2"}, {"kind": "pinta", "card": "7O"}]
    page.evaluate(
        """async ([id, acts]) => {
          const { openTable } = await import("/static/tablet/outbox/table.js");
          await (await openTable(id)).record(1, acts);
        }""",
        [encuentro, acts],
    )
    page.locator("a.brand").click()
    assert cards(page) == ["Ana · Celia"]
    expect(page.locator(".note")).to_contain_text("Sin conexión")
    expect(page.locator(".tag.unsent")).to_contain_text("sin enviar")
    no_violations(page)
