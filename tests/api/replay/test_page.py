"""The replay: forward and back, from a seat, with its proof; everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import pytest
from playwright.sync_api import Browser

from projections.replay.frames import steps_of
from referee.aggregates.partida import fold
from referee.rules.profile.options import Options
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import (
    LOOKED_AT,
    PHONE,
    TABLET,
    address,
    no_violations,
    site,
    weight,
)
from tests.support.browser.replayed import NAMES, Club, whole
from tests.support.html import Html
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.read_pages import HEAVIEST_PAGE
from tests.support.records.dealt_out import opened
from tests.support.servers.served import Served

START = [{"kind": "deal", "dealer": "B2"}, {"kind": "pinta", "card": "4O"}]
FALSE = [("A1", "2C"), ("B1", "6E"), ("A2", "4C"), ("B2", "7C")]
PROOF = [("B2", "4E"), ("A1", "2E"), ("B1", "5C")]
RULING = {"kind": "ruling", "effect": "partida", "side": "A", "text": "Renuncio probado"}
REPLAY = "JSON.parse(document.getElementById('replay-data').textContent)"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("replay")) as one:
        yield one


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served)


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as one:
        yield one


def cards(*plays: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"kind": "card", "seat": seat, "card": card} for seat, card in plays]


@pytest.fixture(scope="module")
def seen(club: Club) -> str:
    """Path of a partida of which only what everybody saw was recorded."""
    return club.partida("club", [msgspec.to_builtins(one) for one in whole(11, observed=True)])


@pytest.fixture(scope="module")
def disputed(club: Club) -> str:
    """Path of a partida in which B1 did not follow, showed it, and lost by a ruling."""
    plays = cards(*FALSE, *PROOF)
    path = club.partida("sin-mazo", [*START, *plays, {**RULING, "line": 4}])
    where = f"/api/v1/encuentros/{path.split('/')[2]}/partidas/1"
    change = {"line": 3, "how": "replace", "act": cards(("A1", "5E"))[0]}
    back = {"line": 3, "how": "replace", "act": plays[0]}
    club.post(f"{where}/amendments", {"changes": [change], "because": "mal apuntada"}, 10)
    club.post(f"{where}/amendments", {"changes": [back]}, 11)
    club.read()
    return path


_SHOWN = """() => {
  const card = (li) => li.querySelector("use").getAttribute("href").split("#")[1];
  const felt = document.querySelector(".felt");
  const of = (selector) => [...felt.querySelectorAll(selector)].map(card);
  const seats = [...felt.querySelectorAll(".seat")].map((seat) => [
    seat.querySelector(".who .fine").textContent,
    [...seat.querySelectorAll(".hand .seen")].map(card).sort(),
    [...seat.querySelectorAll(".hand .deduced:not(.proof)")].map(card).sort(),
    seat.classList.contains("turn"),
  ]);
  const table = {
    trick: of(".trick li:not(.resting)"),
    seats: Object.fromEntries(seats.map(([seat, ...rest]) => [seat, rest])),
  };
  return [table, felt.querySelector(".hand .proof") !== null];
}"""
_EACH = f"""([key, times]) => Array.from({{ length: times }}, () => {{
  document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
  return ({_SHOWN})();
}})"""


def tables_shown(page: PageInNode, key: str, times: int) -> list[tuple[dict[str, Any], bool]]:
    """Trick and hands as the page shows them after each press of a key, and whether a proof is."""
    return [(table, has_proof) for table, has_proof in page.evaluate(_EACH, [key, times])]


def expected_table(
    frames: Sequence[Mapping[str, Any]], deck: list[str], moment: int
) -> dict[str, Any]:
    """The same from the frames of the program."""
    frame = frames[moment]

    def of(seat: str, letter: str) -> list[str]:
        return sorted(c for c, at in zip(deck, frame[seat], strict=True) if at == letter)

    return {
        "trick": [card for _, card, _ in frame["laid"]],
        "seats": {seat: [of(seat, "s"), of(seat, "d"), frame["turn"] == seat] for seat in NAMES},
    }


def test_forward_and_back_shows_the_table_as_the_program_computes_it(
    page: PageInNode, seen: str
) -> None:
    state = fold([opened(Options()), *whole(11, observed=True)])
    steps = [*steps_of(state)]
    page.visit(f"{seen}?linea=2", signed_in=True)
    deck = page.evaluate(f"{REPLAY}.deals[0].cards")
    frames = [step.frame for step in steps]
    last = len(steps)
    for key, moments in (
        ("ArrowRight", range(3, last + 1)),
        ("ArrowLeft", range(last - 1, 2, -1)),
    ):
        tables = tables_shown(page, key, len(moments))
        for moment, (shown, has_proof) in zip(moments, tables, strict=True):
            expected = expected_table(frames, deck, moment - 1)
            if expected["trick"] and not has_proof:
                assert shown == expected, moment
            elif not has_proof:
                hands = {seat: rows[:2] for seat, rows in shown["seats"].items()}
                known = {seat: rows[:2] for seat, rows in expected["seats"].items()}
                assert hands == known, moment


@pytest.mark.parametrize(
    ("profile", "right", "left"), [("sin-mazo", "B1", "B2"), ("baraja-francesa", "B2", "B1")]
)
def test_seats_go_round_as_they_are_played(
    page: PageInNode, club: Club, profile: str, right: str, left: str
) -> None:
    page.visit(club.partida(profile, START), signed_in=True)
    for place, seat in (("south", "A1"), ("east", right), ("west", left), ("north", "A2")):
        expect(page.locator(f".seat.{place} .fine")).to_have_text(seat)


def test_a_renuncio_has_its_proof_and_leads_there(page: PageInNode, disputed: str) -> None:
    page.visit(disputed, signed_in=True)
    act = page.locator(".beside .act")
    assert act.inner_text().startswith("Andrés juega el seis de espadas")
    verdict = page.locator(".beside .verdict.unlawful")
    assert "Debía asistir" in verdict.inner_text()
    verdict.locator("summary").click()
    expect(verdict).to_contain_text("cinco de copas. Lo prueba: el dos de copas de Pilar")
    assert (page.locator(".hand .proof use").get_attribute("href") or "").endswith("#5C")
    expect(page.locator(".beside .ruled").first).to_contain_text("Renuncio probado")
    verdict.locator("a[data-line='9']").first.click()
    assert act.inner_text().startswith("Andrés juega el cinco de copas")
    assert "linea=9" in page.url
    page.reload()
    expect(page.locator(".acts [aria-current]")).to_have_attribute("data-line", "9")


def test_a_correction_is_shown_with_before_and_after(page: PageInNode, disputed: str) -> None:
    page.visit(f"{disputed}?linea=11", signed_in=True)
    expect(page.locator(".acts [aria-current]")).to_have_attribute("data-line", "3")
    amended = page.locator(".beside .amended").first
    expect(amended.locator("del")).to_have_text("Pilar juega el dos de copas")
    expect(amended.locator("ins")).to_have_text("Pilar juega el cinco de espadas")
    page.locator(".corrections a").filter(has_text="ver como estaba antes").nth(1).click()
    assert "hasta=11" in page.url
    expect(page.locator(".note")).to_contain_text("hasta aquí: la corrección. 11")


def test_keys_buttons_slider_and_deals_all_lead_somewhere(
    browser: Browser, served: Served, seen: str
) -> None:
    with kept_page(browser, served, f"{seen}?linea=1", signed_in=True) as page:
        now = page.locator(".count")
        last = now.inner_text().split(" / ")[1]
        by_trick = [("PageDown", "1"), ("PageDown", "6"), ("PageUp", "1")]
        for key, wanted in [("End", last), ("Home", "0"), *by_trick]:
            page.keyboard.press(key)
            assert now.inner_text().split(" / ")[0] == wanted, key
        page.locator("button.last").click()
        assert now.inner_text() == f"{last} / {last}"
        page.locator(".slide input").fill("7")
        assert now.inner_text() == f"7 / {last}"
        page.locator(".slide input").press("ArrowRight")
        assert now.inner_text() == f"8 / {last}", "one step, also on the slider"
        page.locator(".jumps button").nth(1).click()
        assert "reparte" in page.locator(".beside .act").inner_text()
        page.locator(".felt").click(position={"x": 5, "y": 5})
        page.keyboard.press("Home")
        page.keyboard.press(" ")
        page.wait_for_selector(".acts [data-line='1'][aria-current]")
        page.keyboard.press(" ")


_SWIPE = """([from, to]) => {
  for (const [kind, clientX] of [["touchstart", from], ["touchend", to]]) {
    const changedTouches = [{ identifier: 1, clientX, clientY: 400 }];
    document.querySelector(".felt").dispatchEvent(Object.assign(new Event(kind), { changedTouches }));
  }
}"""


def test_swipes_go_forward_and_back(page: PageInNode, seen: str) -> None:
    page.visit(f"{seen}?linea=5", signed_in=True)
    count = page.locator(".count")
    page.evaluate(_SWIPE, [300, 100])
    assert count.inner_text().startswith("6 ")
    page.evaluate(_SWIPE, [100, 300])
    page.evaluate(_SWIPE, [100, 120])
    assert count.inner_text().startswith("5 ")


def test_a_seat_is_shown_only_what_it_knew(page: PageInNode, club: Club) -> None:
    acts = [msgspec.to_builtins(one) for one in whole(4, observed=False)]
    hidden = next(one for one in acts if one["kind"] == "hand" and one["seat"] == "B1")
    page.visit(club.partida("club", acts[:12]), signed_in=True)
    assert page.locator(".hand .seen").count() > 20
    page.select_option("[name=puesto]", "A1")
    page.wait_for_url("**puesto=A1**")
    expect(page.locator(".note")).to_be_visible()
    expect(page.locator(".seat.south .fine")).to_have_text("A1")
    expect(page.locator(".east .hand .seen")).to_have_count(0)
    replay = page.evaluate(REPLAY)
    assert hidden["cards"]
    assert not [one for one in replay["steps"] if one["kind"] == "hand" and one["seat"] != "A1"]


def test_other_rules_say_what_they_change(page: PageInNode, seen: str) -> None:
    page.visit(seen, signed_in=True)
    page.select_option("[name=normas]", "escuela")
    page.wait_for_url("**normas=escuela**")
    expect(page.locator(".compared")).to_contain_text("Entre sota y caballo")


def test_once_decided_it_is_for_everybody_and_may_stand_in_a_frame(
    page: PageInNode, served: Served, disputed: str, club: Club
) -> None:
    page.visit(disputed)
    expect(page.locator(".felt")).to_have_count(1)
    assert "mal apuntada" not in page.evaluate("document.documentElement.outerHTML")
    page.visit(f"{disputed}?marco=1")
    expect(page.locator("header.top")).to_have_count(0)
    expect(page.locator(".felt")).to_have_count(1)
    running_now = club.partida("sin-mazo", [*START, *cards(*FALSE)])
    page.visit(f"{running_now}?linea=4")
    assert page.url == address(served, f"/entrar?next={running_now}%3Flinea%3D4")


def test_it_has_its_tricks_without_a_script(served: Served, disputed: str) -> None:
    asked = Request(address(served, disputed), headers={"Accept-Language": "es"})
    with urlopen(asked) as answer:
        found = Html(answer.read().decode())
    assert found.count(".sheet tbody tr") == 1
    assert "cinco de copas. Lo prueba:" in found.text(".sheet .findings")


def test_a_moment_has_a_link_and_a_code(page: PageInNode, disputed: str) -> None:
    page.visit(f"{disputed}?linea=4")
    page.locator("#share summary").click()
    page.press("ArrowRight")
    assert page.locator("#link").input_value().endswith(f"{disputed}?linea=5")
    assert (page.locator("#code").get_attribute("src") or "").endswith("qr.svg?linea=5")


def test_all_possible_cards_can_be_shown(page: PageInNode, seen: str) -> None:
    page.visit(f"{seen}?linea=3", signed_in=True)
    expect(page.locator(".possible li")).to_have_count(0)
    page.locator(".legend input").check()
    assert page.locator(".possible li").count() > 100


TOO_SMALL = """(all) => all.filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return Math.min(width, height) < 47.5 && !(one.form?.action ?? "").includes("/salir");
}).map((one) => one.outerHTML)"""
STATES = ["", "?linea=4", "?puesto=A1", "?normas=sin-mazo", "?hasta=10", "?marco=1"]


def test_every_state_has_contrast_and_targets_for_a_finger(
    browser: Browser, served: Served, disputed: str, seen: str
) -> None:
    for state in STATES:
        for lang in LOOKED_AT:
            path = f"{disputed}{state or '?'}&lang={lang}".replace("?&", "?")
            size = PHONE if state == "?linea=4" else TABLET
            with kept_page(browser, served, path, signed_in=True, **size) as page:
                page.wait_for_selector(".felt")
                no_violations_in_any_scheme(page)
                targets = page.locator("button:visible, .slide input, select")
                assert targets.count(), path
                assert targets.evaluate_all(TOO_SMALL) == [], path
    with kept_page(browser, served, f"{seen}?linea=3", signed_in=True, **TABLET) as page:
        page.locator(".legend input").check()
        no_violations(page)


def test_on_paper_are_the_tricks_and_the_picture_of_its_code_is_drawn(
    browser: Browser, served: Served, disputed: str, seen: str
) -> None:
    with kept_page(browser, served, f"{disputed}?linea=4") as page:
        page.locator("#share summary").click()
        page.keyboard.press("ArrowRight")
        page.evaluate("document.getElementById('code').decode()")
        assert page.evaluate("document.getElementById('code').naturalWidth") > 100
        page.emulate_media(media="print")
        assert page.locator(".sheet table").is_visible()
        assert not page.locator(".felt").is_visible()
    with kept_page(browser, served, seen, signed_in=True, **TABLET) as page:
        replay = len(page.evaluate("document.getElementById('replay-data').textContent"))
    assert 20_000 < replay < 60_000
    assert weight(browser, served, seen, signed_in=True) - replay < HEAVIEST_PAGE
