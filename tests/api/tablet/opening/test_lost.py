"""An interrupted opening: nothing is lost or repeated, and the tablet continues; and the list of tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import expect as expect_in_browser

from tests.api.tablet.opening.opening_page import NEW, SEATS, Club, opened, typed
from tests.support.browser.kept_pages import kept_tablet
from tests.support.browser.pages import READ, no_violations, no_violations_in_any_language
from tests.support.outbox import ENCUENTROS
from tests.support.page_in_node import PageInNode, expect
from tests.support.servers.cookies import cookie_of
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

STEPS = ["encuentros", "draws", "seats", "partidas"]
_LOSE = """([step, isDone]) => {
  const real = globalThis.fetch;
  globalThis.fetch = async (asked, settings) => {
    const isWanted = settings?.method === "POST" && new URL(asked, location.href).pathname.endsWith(`/${step}`);
    if (!isWanted) return real(asked, settings);
    globalThis.fetch = real;
    if (isDone) await real(asked, settings);
    throw new TypeError("the connection was reset");
  };
}"""
_TABLE = """async (id) => {
  const address = "/static/tablet/outbox/table.js";
  const { openTable } = await (globalThis.modules?.(address) ?? import(address));
  return openTable(id);
}"""
_KNOW = f"(id) => ({_TABLE})(id).then(() => null)"
_RECORD = f"([id, acts]) => ({_TABLE})(id).then((table) => table.record(1, acts)).then(() => null)"
_HEAR_THE_END = f"""async (id) => {{
  const table = await ({_TABLE})(id);
  const isOver = () => table.state().encuentro.decided;
  await new Promise((done) => {{
    table.subscribe(() => isOver() && done());
    if (isOver()) done(); // it was reported before
  }});
}}"""
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture
def four() -> tuple[str, ...]:
    """Names that nobody in the club has."""
    number = next(_numbers)
    return tuple(f"{name} {number}" for name in ("Ana", "Blas", "Celia", "Diego"))


@pytest.fixture
def page(tablet: PageInNode) -> Iterator[PageInNode]:
    with tablet.at(NEW):
        yield tablet


class Opening:
    """A table that four open, beside those that the club has."""

    def __init__(self, club: Club, four: tuple[str, ...]) -> None:
        self.club, self.four = club, four
        self.before = [one["id"] for one in club.tables()]
        self.persons_before = len(club.persons())

    def made(self) -> list[str]:
        """Tables that are new."""
        return [one["id"] for one in self.club.tables() if one["id"] not in self.before]

    def is_whole(self, encuentro: str) -> None:
        """One table, open, drawn once, seated and begun."""
        view = self.club.view(encuentro)
        assert self.made() == [encuentro]
        assert (len(view["partidas"]), len(view["draws"])) == (1, 1)
        assert sorted(self.club.seated(encuentro).values()) == sorted(self.four)
        assert len(self.club.persons()) == self.persons_before + 4


@pytest.fixture
def opening(club: Club, four: tuple[str, ...]) -> Opening:
    return Opening(club, four)


def lose(page: Any, step: str, *, done: bool) -> None:
    """The next write of this kind gets no answer, whether or not the server did it."""
    page.evaluate(_LOSE, [step, done])


def drawn(page: Any, names: tuple[str, ...]) -> None:
    """Four typed, and partners drawn by the program."""
    typed(page, *names)
    page.locator(".who > button.plain").last.click()
    page.locator("[name=by]").last.check()
    page.locator(".seeded button").click()
    page.locator(".draw .main").click()


@pytest.mark.parametrize("done", [True, False], ids=["answer lost", "request lost"])
@pytest.mark.parametrize("step", STEPS)
def test_what_got_no_answer_is_sent_again_as_it_was(
    page: PageInNode, opening: Opening, step: str, done: bool
) -> None:
    drawn(page, opening.four)
    lose(page, step, done=done)
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_contain_text("No se ha perdido nada")
    expect(page.locator(".opening fieldset.all")).to_be_disabled()
    assert page.locator("fieldset.all").locator("#profile, .stool").count()
    opening.is_whole(opened(page))


@pytest.mark.parametrize("step", STEPS)
def test_a_tablet_that_died_half_way_carries_on(
    page: PageInNode, opening: Opening, step: str
) -> None:
    drawn(page, opening.four)
    lose(page, step, done=True)
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_be_visible()
    page.reload()
    expect(page.locator(".note")).to_contain_text("Ana")
    page.locator(".note button").first.click()
    page.wait_for_url("**/arbitro/#/mesa/*")
    opening.is_whole(page.url.rpartition("/")[2])
    page.goto(NEW)
    page.reload()
    expect(page.locator("#name")).to_be_visible()
    assert page.locator(".note").count() == 0


def test_an_opening_that_is_given_up_leaves_room_for_another(
    page: PageInNode, opening: Opening, club: Club
) -> None:
    typed(page, *opening.four)
    lose(page, STEPS[0], done=False)
    page.locator(".open .main").click()
    expect(page.locator(".open .note")).to_be_visible()
    page.reload()
    page.locator(".note button.plain").click()
    typed(page, "Eva", "Fran", "Gil", "Hugo")
    assert sorted(club.seated(opened(page)).values()) == ["Eva", "Fran", "Gil", "Hugo"]
    assert len(opening.made()) == 1


def test_who_was_signed_out_signs_in_and_carries_on(
    page: PageInNode, served: Served, club: Club, four: tuple[str, ...]
) -> None:
    typed(page, *four)
    page.ask("signIn", "")
    page.locator(".open .main").click()
    expect(page.locator(".open .note a")).to_have_attribute("href", "/entrar?next=/arbitro/")
    page.ask("signIn", cookie_of(served))
    assert club.seated(opened(page)) == dict(zip(SEATS[4], four, strict=True))


@pytest.mark.parametrize("is_seated", [True, False])
def test_a_table_that_others_opened_and_did_not_begin_is_begun(
    page: PageInNode, club: Club, four: tuple[str, ...], is_seated: bool
) -> None:
    if is_seated:
        encuentro = club.table(*four, partidas=0)
    else:
        body = {"profile": {"id": "club"}, "players": 4}
        encuentro = club.ask("POST", ENCUENTROS, body)["id"]
        club.ask("GET", f"{ENCUENTROS}/{encuentro}")
    page.goto("#/")
    page.reload()  # the list may be on the page already, as it was
    page.locator(f".entry[href='{NEW}/{encuentro}']").click()
    if not is_seated:
        expect(page.locator("#name")).to_be_visible()
        typed(page, *four)
    expect(page.locator(".stool")).to_have_count(4)
    expect(page.locator(".stool.free")).to_have_count(0)
    assert opened(page) == encuentro
    seated = dict(zip(SEATS[4], four, strict=True))
    assert (club.seated(encuentro), len(club.view(encuentro)["partidas"])) == (seated, 1)


def test_without_a_server_the_page_says_what_is_missing(tablet: PageInNode) -> None:
    tablet.network(is_on=False)
    with tablet.at(NEW):
        expect(tablet.locator(".opening .note")).to_contain_text("conexión")


# --- the list ------------------------------------------------------------------------------------


def cards(page: Any, *ours: str) -> list[str]:
    """The first side of each table in the list at which one of ours plays, once there is one."""

    def found() -> list[str]:
        sides = page.locator(".entry .pair.A").all_inner_texts()
        return [one for one in sides if any(name in one for name in ours)]

    return wait_for(found, "a table of ours in the list")


def test_those_that_play_come_first_and_are_found_by_name_place_and_day(
    page: PageInNode, club: Club
) -> None:
    over = club.table("Íñigo", "Blas", "Celia", "Diego", place="Daroca", date="2019-03-02")
    club.end(over)
    club.table("Eloy", "Febo", place="Calamocha")
    last = club.table("Gala", "Hilda", partidas=0)
    page.goto("#/")
    ours = ("Íñigo", "Eloy", "Gala")
    assert cards(page, *ours) == ["Gala", "Eloy", "Íñigo · Celia"]
    assert page.locator("h2").all_inner_texts() == ["En juego", "Terminadas"]
    expect(page.locator(".entry").filter(has_text="Eloy")).to_contain_text("Partida 1")
    expect(page.locator(".entry").filter(has_text="Íñigo")).to_contain_text("Gana Íñigo · Celia")
    assert page.locator(".entry").first.get_attribute("href") == f"#/nueva/{last}"
    for sought, found in (
        ("inigo blas", ["Íñigo · Celia"]),
        ("calamo", ["Eloy"]),
        ("2 mar 2019", ["Íñigo · Celia"]),
    ):
        page.fill("[type=search]", sought)
        expect(page.locator(".entry")).to_have_count(len(found))
        assert cards(page, *ours) == found
    page.fill("[type=search]", "nadie")
    expect(page.locator(".entry")).to_have_count(0)


def test_after_a_dead_battery_the_tablet_begins_at_its_table(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    encuentro = club.table(*four)
    club.table("Eva María", "Fran José")
    page.goto(f"#/mesa/{encuentro}")  # the arbiter sees it: the tablet keeps where they were
    expect(page.locator("section.table")).to_be_visible()
    page.goto("/arbitro/")
    page.wait_for_url(f"**/arbitro/#/mesa/{encuentro}")
    page.locator("a.brand").click()
    assert len(cards(page, four[0], "Eva María")) == 2
    club.end(encuentro)
    page.goto(f"#/mesa/{encuentro}")
    page.evaluate(_HEAR_THE_END, encuentro)
    page.goto("/arbitro/")
    assert len(cards(page, four[0], "Eva María")) == 2


def test_the_list_is_there_without_a_network_and_says_what_waits(
    page: PageInNode, club: Club, four: tuple[str, ...]
) -> None:
    encuentro = club.table(*four)
    page.goto(f"#/mesa/{encuentro}")
    page.evaluate(_KNOW, encuentro)
    page.network(is_on=False)
    acts = [{"kind": "deal", "dealer": "B2"}, {"kind": "pinta", "card": "7O"}]
    page.evaluate(_RECORD, [encuentro, acts])
    page.locator("a.brand").click()
    assert cards(page, four[0]) == [f"{four[0]} · {four[2]}"]
    expect(page.locator(".note")).to_contain_text("Sin conexión")
    expect(page.locator(".tag.unsent")).to_contain_text("sin enviar")


# --- in a browser --------------------------------------------------------------------------------


def test_the_list_and_an_opening_that_was_left_are_readable_and_kept_in_a_browser(
    browser: Browser, served: Served, club: Club, four: tuple[str, ...]
) -> None:
    for lang in READ:
        with kept_tablet(browser, served, f"/arbitro/?lang={lang}#/") as page:
            expect_in_browser(page.locator("p.lead, .entry").first).to_be_visible()
            no_violations_in_any_language(page)
            club.table(*four)
            over = club.table("Eva", "Fran")
            club.end(over, "")
            page.reload()
            expect_in_browser(page.locator(".entry.over").first).to_be_visible()
            no_violations_in_any_language(page)
            assert "tablet." not in page.locator("main").inner_text()
    with kept_tablet(browser, served, f"/arbitro/{NEW}") as page:
        left_in_a_browser(page, four)
    with kept_tablet(browser, served, "/arbitro/#/") as page:
        without_a_network(page)


def left_in_a_browser(page: Page, four: tuple[str, ...]) -> None:
    """An opening that had no answer is found again by the next page, which says so."""
    typed(page, *(f"{name} B" for name in four))
    lose(page, STEPS[0], done=True)
    page.locator(".open .main").click()
    expect_in_browser(page.locator(".open .note")).to_be_visible()
    page.reload()
    expect_in_browser(page.locator(".note")).to_contain_text("Ana")
    no_violations(page)
    page.locator(".note button").first.click()
    page.wait_for_url("**/arbitro/#/mesa/*")
    page.locator("section.table").wait_for()
    at = page.url
    page.goto(at.partition("#")[0])
    page.wait_for_url(at)


def without_a_network(page: Page) -> None:
    """What the list and the form say without a network."""
    page.fill("[type=search]", "nadie")
    expect_in_browser(page.locator(".entry")).to_have_count(0)
    no_violations(page)
    page.route("**/api/v1/**", lambda route: route.abort("internetdisconnected"))
    page.evaluate(f"location.hash = '{NEW}'")
    expect_in_browser(page.locator(".opening .note")).to_contain_text("conexión")
    no_violations(page)
    page.evaluate("location.hash = '#/'")
    expect_in_browser(page.locator(".note")).to_contain_text("Sin conexión")
    no_violations(page)
    page.unroute("**/api/v1/**")
