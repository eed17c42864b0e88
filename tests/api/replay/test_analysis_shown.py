"""The analysis in a replay: the numbers of the program, once the partida is decided, never before."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from api.http.languages import LANGUAGES, say
from api.replay.file import replay_html
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.analysis.deals import arrastre_cards_with_positions
from referee.analysis.reports import analyse_cards
from referee.events import CardPlayed, ClaimMade, RestClaimed
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile, profile_by_id_at_edition
from tests.api.replay.lines_shown import (
    UNPLAYED,
    choices_shown,
    line_shown,
    numbers_of,
    numbers_shown,
    totals_shown,
)
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser import in_browser
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import PHONE, cut_off, in_words, site
from tests.support.browser.replayed import Club, whole
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.places import ROOT
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.served import Served

SEED = 3
"""Of a partida of one deal, in whose arrastre cards took 2 to 13 points, and an unlawful one gained 10."""
_FARTHEST = "all => Math.max(...all.map((one) => one.getBoundingClientRect().right))"
_PARTS = ".analysis, .analysis *, .not-played, .not-played *, .bar, .bar *"
_ALL_THERE = "(n) => document.querySelectorAll('.leads circle').length === n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("analysed")) as one:
        yield one


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served)


def acts() -> list[dict[str, Any]]:
    return [msgspec.to_builtins(one) for one in whole(SEED, observed=True)]


@pytest.fixture(scope="module")
def decided(club: Club) -> str:
    """Path of a decided partida."""
    return club.partida("club", acts())


@pytest.fixture(scope="module")
def page(served: Served) -> Iterator[PageInNode]:
    with page_in_node(served) as one:
        yield one


@cache
def of_the_program() -> list[dict[str, Any]]:
    """What the program says of each card."""
    table = fold([opened(Options()), *whole(SEED, observed=True)]).table
    return [msgspec.to_builtins(one) for one in analyse_cards(table)]


def costly() -> dict[str, Any]:
    """The first card that took more than a point, as the program has it."""
    return next(one for one in of_the_program() if one.get("cost", 0) > 1)


def numbers(least: int = 1) -> dict[str, str]:
    """The numbers that the page should show, by line."""
    return numbers_of(of_the_program(), least)


@NEEDS_ENGINE
def test_the_worker_gives_numbers_and_lines_offline_and_keys_and_a_finger_lead_there(
    browser: Browser, served: Served, decided: str
) -> None:
    first = costly()
    here = str(first["line"])
    with kept_page(browser, served, f"{decided}?linea=2", signed_in=True) as page:
        now = page.locator(".acts [aria-current]")
        page.wait_for_selector(".acts .took")
        cut_off(page)
        page.locator(f".acts [data-line='{here}']").click()
        page.locator(".show-line").click()
        assert line_shown(page)[0].card == first["card"], "first asked about without a network"
        page.keyboard.press("Escape")
        assert numbers_shown(page, len(numbers())) == numbers()
        for least in (10, 3, 1):
            page.locator(".analysis select").select_option(str(least))
            assert numbers_shown(page) == numbers(least)
        assert 0 < len(numbers(10)) < len(numbers(3)) < len(numbers())
        page.locator(".show-line").focus()
        page.keyboard.press("Enter")
        laid = line_shown(page)
        assert page.evaluate("document.activeElement.className") == "back"
        assert (laid[0].seat, laid[0].card) == (first["seat"], first["card"])
        one, other = totals_shown(page)
        assert (one - other) * (1 if laid[0].seat[0] == "A" else -1) == first["lead"]
        said = page.locator(".not-played [aria-live=polite]").inner_text()
        assert said.startswith(
            "No se jugó así. Desde el cuatro de espadas de Andrés, el mejor juego"
        )
        assert f"linea={here}" in page.url
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.classList.contains('show-line')")
        assert page.locator(UNPLAYED).count() == 0
        assert now.get_attribute("data-line") == here
        lines = [one["line"] for one in of_the_program() if one["deal"] == first["deal"]]
        page.wait_for_function(_ALL_THERE, arg=len(lines))
        page.locator(".leads circle").nth(4).click(force=True)
        assert now.get_attribute("data-line") == str(lines[4])
        page.context.set_offline(False)


@NEEDS_ENGINE
def test_beside_a_card_is_said_what_it_took(page: PageInNode, decided: str) -> None:
    first = costly()
    page.visit(f"{decided}?linea={first['line']}", signed_in=True)
    said = page.locator(".beside .took").inner_text()
    assert said.startswith("Con las cartas como estaban y jugando todos lo mejor posible: ")
    assert f" {first['cost']} tantos menos que la mejor carta permitida (" in said


@NEEDS_ENGINE
def test_the_line_stands_at_the_lead_that_the_program_says(page: PageInNode, decided: str) -> None:
    cards = [one for one in of_the_program() if one["deal"] == 1]
    leads = [one["lead"] * (1 if one["seat"][0] == "A" else -1) for one in cards]
    page.visit(f"{decided}?linea={cards[0]['line']}", signed_in=True)
    page.wait_for_function(_ALL_THERE, arg=len(cards))
    at = [float(y) for y in page.locator(".leads circle").values("cy")]
    high, low = max(range(len(leads)), key=leads.__getitem__), leads.index(min(leads))
    scale = (at[low] - at[high]) / (leads[high] - leads[low])
    assert [round((at[high] - y) / scale) + leads[high] for y in at] == leads


def test_until_it_is_decided_and_from_a_seat_there_is_none(
    page: PageInNode, club: Club, decided: str
) -> None:
    running = club.partida("club", acts()[:-1])
    for path in (running, f"{decided}?puesto=A1", f"{decided}?hasta=40"):
        page.visit(path, signed_in=True)
        expect(page.locator(".felt")).to_have_count(1)
        assert page.locator(".analysis, #engine, .candidate, .not-played").count() == 0, path
        replay = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent)")
        assert replay["arrastres"] is None


def test_a_browser_without_it_says_so_and_all_else_works(page: PageInNode, decided: str) -> None:
    page.evaluate("() => { globalThis.Thread = Worker; delete globalThis.Worker; }")
    page.visit(f"{decided}?linea={costly()['line']}")
    page.evaluate("() => { globalThis.Worker = Thread; }")
    expect(page.locator(".analysis .lead-line p")).to_contain_text("le falta WebAssembly")
    page.press("ArrowRight")
    now = page.locator(".acts [aria-current]")
    expect(now).to_have_attribute("data-line", str(costly()["line"] + 1))
    assert page.locator(".candidate, .show-line").count() == 0


@NEEDS_ENGINE
def test_any_act_that_is_tapped_ends_a_line(page: PageInNode, decided: str) -> None:
    page.visit(f"{decided}?linea={costly()['line']}", signed_in=True)
    page.locator(".show-line").click()
    expect(page.locator(UNPLAYED)).to_have_count(1)
    page.locator(".acts [data-line='39']").click()
    expect(page.locator(UNPLAYED)).to_have_count(0)
    expect(page.locator(".not-played")).to_have_text("")
    assert "linea=39" in page.url


@NEEDS_ENGINE
def test_a_pasted_record_has_its_lines_too(page: PageInNode) -> None:
    record = (ROOT / "tests" / "records" / "abierta.guinote").read_text("utf-8")
    page.visit("/repeticion/importar", signed_in=True)
    page.fill("[name=text]", record)
    page.click("main button:not([type=button])")
    page.wait_for_function("() => document.querySelector('.acts .took') !== null")
    page.evaluate("document.querySelector('.acts .took').closest('button').click()")
    assert len(choices_shown(page)) > 1
    page.locator(".candidate:not(.shown)").first.click()
    laid = line_shown(page)
    assert (laid[0].turn, laid[-1].turn) != ("", "")
    assert sum(totals_shown(page)) >= 130


_ORDER = """async ([long, short]) => {
  const { askedEngine } = await import("/static/replay/asking.js");
  const [asked, order] = [askedEngine(document.getElementById("engine")), []];
  const ask = (known, name) => asked.prices(known).then(() => order.push(name));
  await Promise.all([ask(long, "first"), ask(long, "older"), ask(short, "newer")]);
  return order;
}"""


@NEEDS_ENGINE
def test_the_newest_question_is_answered_before_those_that_wait(
    page: PageInNode, decided: str
) -> None:
    (cards, *_) = (
        arrastre_cards_with_positions(table, deal)
        for table in [fold([opened(Options()), *whole(SEED, observed=True)]).table]
        for deal in table.all_deals
    )
    asked = [msgspec.to_builtins(cards[at].before.data()) for at in (0, -1)]
    page.visit(decided, signed_in=True)
    assert page.evaluate(_ORDER, asked) == ["first", "newer", "older"]


@NEEDS_ENGINE
def test_everybody_can_use_it_on_a_phone_and_every_line_fits(
    browser: Browser, served: Served, club: Club, decided: str
) -> None:
    player = Player(profile_by_id_at_edition("sin-mazo").options(4), 1, observed=True)
    player.breaches_left = 2
    player.partida()
    path = club.partida("sin-mazo", [msgspec.to_builtins(one) for one in player.acts])
    first = next(n for n, act in enumerate(player.acts, 1) if isinstance(act, CardPlayed))
    with kept_page(browser, served, f"{path}?linea={first}", signed_in=True, **PHONE) as page:
        assert len(choices_shown(page)) == 10
        page.locator(".candidate").last.click()
        assert len(line_shown(page)) == 40
        assert page.locator(_PARTS).evaluate_all(_FARTHEST) <= 390
    for lang in LANGUAGES:
        path = f"{decided}?lang={lang}&linea={of_the_program()[0]['line']}"
        with kept_page(browser, served, path, signed_in=True, **PHONE) as page:
            page.wait_for_selector(".leads")
            page.locator(".analysis summary").click()
            page.locator(".candidate").last.click()
            page.wait_for_selector(UNPLAYED)
            page.locator(".not-played summary").click()
            assert page.locator(_PARTS).evaluate_all(_FARTHEST) <= 390, lang
            no_violations_in_any_scheme(page) if lang == "es" else in_words(page)


@NEEDS_ENGINE
def test_a_file_from_the_disk_shows_the_same_with_a_worker_and_without_under_its_policy(
    browser: Browser, tmp_path: Path
) -> None:
    club = freeze_profile(profile("club"), 4, 40)
    state = fold([opened(Options()), *whole(SEED, observed=True)])
    path = tmp_path / "partida.html"
    path.write_text(replay_html(replay_of(ReplaySource(state, club), ReplayRequest())), "utf-8")
    with in_browser.opened(browser, path.as_uri(), offline=True) as page:
        assert numbers_shown(page, len(numbers())) == numbers()
    context = browser.new_context(locale="es-ES", offline=True)
    context.add_init_script("delete window.Worker")
    page = context.new_page()
    page.goto(path.as_uri())
    assert numbers_shown(page, len(numbers())) == numbers()
    context.close()


@NEEDS_ENGINE
def test_a_claim_has_beside_it_how_good_it_was_from_the_disk_too(
    page: PageInNode, tmp_path: Path
) -> None:
    played = whole(SEED, observed=True)
    last = next(n for n in reversed(range(len(played))) if isinstance(played[n], CardPlayed))
    seat = played[last].seat
    rest, claim = last + 1, last + 2  # lines
    played[last:last] = [RestClaimed(seat), ClaimMade(seat)]
    state = fold([opened(Options()), *played])
    club = freeze_profile(profile("club"), 4, 40)
    replay = replay_of(ReplaySource(state, club), ReplayRequest(lang="es"))
    told = {one.line: one.text for one in replay.judged}
    assert told[rest][0].startswith("Está probado: el jugador 4 se las llevaba todas")
    assert told[rest][1] == say("case.rest.decides_nothing", "es")
    made = "Ya tenían 101 desde el cuatro de oros del jugador 1: la pareja B, 103."
    assert told[claim] == [f"{made} Cartas jugadas desde entonces: 7."]
    path = tmp_path / "partida.html"
    path.write_text(replay_html(replay), "utf-8")
    page.open_file(path.as_uri())
    for line in (rest, claim):
        page.locator(f".acts [data-line='{line}']").first.click()
        assert page.locator(".beside .judged p").all_inner_texts() == told[line]
