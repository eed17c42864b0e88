"""Confirmation of a result by the other side, on a phone or on the tablet."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import segno
from playwright.sync_api import Browser

from api.http.languages import say
from tests.support.browser.keying import HELD_MS, Keying, expect, finger_on, tablet_at
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    address,
    no_violations_in_any_language,
    site,
)
from tests.support.outbox import ENCUENTROS, STALE, Club
from tests.support.page_in_node import PageInNode, page_in_node
from tests.support.read_pages import Reader
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

PARTIDAS_OF_A_MATCH = 6


def won_by_a(club: Club) -> str:
    """An encuentro that side A won, partida by partida."""
    encuentro = club.encuentro(0)
    won = {"kind": "result", "winner": "A", "how": "first_deal"}
    for number in range(1, PARTIDAS_OF_A_MATCH + 1):
        club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 1 + number)
        club.record(encuentro, won, number=number)
    return encuentro


@contextmanager
def finished(tablet: PageInNode, served: Served) -> Iterator[Keying]:
    """The same on the tablet."""
    with tablet_at(tablet, served, won_by_a(Club(served))) as keying:
        yield keying


def stage(keying: Keying) -> str:
    return str(keying.club.ask("GET", f"{ENCUENTROS}/{keying.encuentro}")["result"]["stage"])


def has_come_to(keying: Keying, wanted: str) -> bool:
    return stage(keying) == wanted


def shows(keying: Keying, wanted: str) -> None:
    expect(keying.page.locator(f'.agreement [data-stage="{wanted}"]')).to_be_visible()


def test_the_other_side_agrees_with_the_tablet_in_its_hands(
    tablet: PageInNode, served: Served
) -> None:
    with finished(tablet, served) as keying:
        shows(keying, "provisional")
        keying.tap(keying.page.locator("[data-report=A1]"))
        agrees = keying.page.locator("[data-confirm=B2]")
        expect(agrees).to_be_visible()
        agrees.tap()  # a stray touch agrees to nothing
        tablet.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", HELD_MS)
        assert stage(keying) == "provisional"
        with finger_on(agrees):
            shows(keying, "confirmed")
        assert stage(keying) == "confirmed"
        expect(keying.page.locator("[data-confirm]")).to_have_count(0)


def test_the_other_side_agrees_on_its_phone_and_the_tablet_shows_it(
    tablet: PageInNode, served: Served
) -> None:
    with finished(tablet, served) as keying:
        keying.tap(keying.page.locator("[data-report=A2]"))
        code = code_of(keying.club, keying.encuentro, "B")
        where = keying.page.locator(".on-phone .address").inner_text()
        with page_in_node(served, where[where.index("/r/") :]) as phone:
            phone.get_by_label("Blas").check()
            phone.get_by_label(say("page.confirm_code", "es")).fill(code)
            phone.get_by_role("button", name=say("page.confirm_agree", "es")).click()
            expect(phone.locator("main")).to_contain_text(say("result.confirmed", "es"))
        shows(keying, "confirmed")


def code_of(club: Club, encuentro: str, side: str) -> str:
    """A new code of a side, as an official gives it."""
    at, status = f"{ENCUENTROS}/{encuentro}", STALE
    while status == STALE:
        version = club.ask("GET", at)["version"]
        status, answer = club.answer("POST", f"{at}/result/codes", {"side": side}, version)
    return str(answer["code"])


@contextmanager
def strict(folder: Path) -> Iterator[tuple[Served, str]]:
    """A club that requires two persons, with the token of a director."""
    table = HttpTable(folder)
    assert table.post("/api/v1/settings", {"four_eyes": "required"}, 0).status_code == 200
    director = table.signed_in("director")["Authorization"].removeprefix("Bearer ")
    table.close()
    with site(folder) as served:
        yield served, director


def test_where_two_are_required_a_finger_held_on_a_screen_agrees_only_with_the_code_of_the_card(
    browser: Browser, tmp_path: Path
) -> None:
    with strict(tmp_path) as (served, director):
        official = Club(served)
        official.token = director
        for lang in READ:
            for screen in (PHONE, TABLET):
                encuentro = won_by_a(Club(served))
                code = code_of(official, encuentro, "B")
                with tablet_at(browser, served, encuentro, lang, **screen) as keying:
                    agree(keying, code, lang)


def agree(keying: Keying, code: str, lang: str) -> None:
    """One side reports; the other holds its button, without the code and with it."""
    page = keying.page
    keying.tap(page.locator("[data-report=A1]"))
    expect(page.locator(".on-phone .address")).to_contain_text(f"/r/{keying.encuentro}")
    no_violations_in_any_language(page)
    agrees = page.locator("[data-confirm=B2]")
    with finger_on(agrees):
        refused = page.locator(".agreement .wrong")
        expect(refused).to_have_text(say("tablet.agree.code_missing", lang))
    assert stage(keying) == "provisional"
    no_violations_in_any_language(page)
    page.locator("input[data-code=B]").fill(code.lower())
    with finger_on(agrees):
        shows(keying, "confirmed")
    assert stage(keying) == "confirmed"


def test_where_the_result_is_stands_on_every_page(tablet: PageInNode, served: Served) -> None:
    reader = Reader(served, signed_in=True)
    with finished(tablet, served) as keying:
        club, at = keying.club, f"{ENCUENTROS}/{keying.encuentro}"
        for wanted in ("provisional", "confirmed", "official"):
            wait_for(partial(has_come_to, keying, wanted), f"not {wanted}")
            keying.page.reload()
            shows(keying, wanted)
            for path in (f"/e/{keying.encuentro}", f"/mesa/{keying.encuentro}"):
                assert say(f"result.{wanted}", "es") in reader.page(path).texts("body *"), (
                    path,
                    wanted,
                )
            version = club.ask("GET", at)["version"]
            if wanted == "provisional":
                club.ask("POST", f"{at}/result/reports", by("Ana", side="A"), version)
                code = club.ask("POST", f"{at}/result/codes", {"side": "B"}, version + 1)["code"]
                body = by("Blas", side="B", code=code)
                club.ask("POST", f"{at}/result/confirmations", body, version + 2)
            elif wanted == "confirmed":
                club.ask("POST", f"{at}/result/signature", by("Rosa"), version)


TIME_FAILURES = """() => {
  const ask = fetch;
  let first = 0;
  globalThis.failingMs = 0;
  globalThis.fetch = (address, how) => ask(address, how).catch((error) => {
    first ||= Date.now();
    globalThis.failingMs = Date.now() - first;
    throw error;
  });
}"""
"""How long requests of the page have failed is measured on it."""
LONGER_THAN_THE_PAUSE_MS = 3_000
"""The tablet asks for the result every two seconds, so one of its requests has failed by then."""


def test_after_a_request_that_failed_the_tablet_asks_for_the_result_again(
    tablet: PageInNode, served: Served
) -> None:
    with finished(tablet, served) as keying:
        shows(keying, "provisional")
        tablet.evaluate(TIME_FAILURES)
        tablet.network(is_on=False)
        tablet.wait_for_function(f"() => globalThis.failingMs > {LONGER_THAN_THE_PAUSE_MS}")
        club, at = keying.club, f"{ENCUENTROS}/{keying.encuentro}"
        version = club.ask("GET", at)["version"]
        code = club.ask("POST", f"{at}/result/codes", {"side": "B"}, version)["code"]
        club.ask("POST", f"{at}/result/reports", by("Ana", side="A"), version + 1)
        club.ask("POST", f"{at}/result/confirmations", by("Blas", side="B", code=code), version + 2)
        tablet.network(is_on=True)
        shows(keying, "confirmed")


def by(name: str, **more: str) -> dict[str, Any]:
    return {"by": {"name": name}, **more}


def test_the_code_on_the_tablet_is_the_address_of_that_page(served: Served) -> None:
    encuentro = Club(served).encuentro()
    with urlopen(address(served, f"/r/{encuentro}/qr.svg")) as answer:
        drawn = io.BytesIO()
        made = segno.make(address(served, f"/r/{encuentro}"), error="m", micro=False)
        made.save(drawn, kind="svg", omitsize=True, border=3, light="#fff", nl=False)
        assert answer.read() == drawn.getvalue()
