"""The analysis in a replay: the numbers of the program, once the partida is decided, never before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.http.languages import LANGUAGES, say
from api.replay.file import file_of
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from referee.analysis.deals import arrastre_of
from referee.analysis.engine import WHOLE_DEAL_NODES
from referee.analysis.reports import analysed
from referee.encuentro.opening import frozen_profile
from referee.encuentro.partida import fold
from referee.events import CardPlayed, ClaimMade, RestClaimed
from referee.rules.profile.options import Options
from referee.rules.profile.profile import named, profile
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser.in_browser import opened as page_opened
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.lines_shown import (
    UNPLAYED,
    choices_shown,
    line_shown,
    totals_shown,
)
from tests.support.browser.pages import PHONE, cut_off, in_words, site, visiting
from tests.support.browser.replayed import Club, whole
from tests.support.places import ROOT
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.served import Served

SEED = 3
"""Of a partida of one deal, in whose arrastre cards took 2 to 13 points, and an unlawful one gained 10."""
_SHOWN = """() => Object.fromEntries([...document.querySelectorAll(".acts [data-line]")]
  .map((row) => [row.dataset.line, row.querySelector(".took [aria-hidden]")?.textContent])
  .filter(([, said]) => said))"""
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


def of_the_program() -> list[dict[str, Any]]:
    """What the program says of each card."""
    table = fold([opened(Options()), *whole(SEED, observed=True)]).table
    return [dict(one) for one in analysed(table)]


def numbers(least: int = 1) -> dict[str, str]:
    """The numbers that the page should show, by line."""
    found = {str(one["line"]): one["cost"] for one in of_the_program() if "cost" in one}
    return {
        line: f"−{cost}" if cost > 0 else f"+{-cost}"
        for line, cost in found.items()
        if abs(cost) >= least
    }


def wait_for_numbers(page: Any, least: int = 1) -> None:
    """Wait until the page shows as many numbers as the program has."""
    count = len(numbers(least))
    page.wait_for_function(f"() => Object.keys(({_SHOWN})()).length === {count}")


@NEEDS_ENGINE
def test_each_card_has_the_number_of_the_program_offline_too(browser, served, decided):
    with kept_page(browser, served, decided, signed_in=True) as page:
        wait_for_numbers(page)
        cut_off(page)
        assert page.evaluate(_SHOWN) == numbers()
        for least in (10, 3):
            page.locator(".analysis select").select_option(str(least))
            assert page.evaluate(_SHOWN) == numbers(least)
        assert 0 < len(numbers(10)) < len(numbers(3)) < len(numbers())
        page.context.set_offline(False)


@NEEDS_ENGINE
def test_a_tap_on_the_line_goes_to_a_card_and_says_what_it_took(browser, served, decided):
    first = costly()
    with kept_page(browser, served, f"{decided}?linea={first['line']}", signed_in=True) as page:
        wait_for_numbers(page)
        said = page.locator(".beside .took").inner_text()
        assert said.startswith("Con las cartas como estaban y jugando todos lo mejor posible: ")
        assert f" {first['cost']} tantos menos que la mejor carta permitida (" in said
        lines = [one["line"] for one in of_the_program() if one["deal"] == first["deal"]]
        page.wait_for_function(_ALL_THERE, arg=len(lines))
        page.locator(".leads circle").nth(4).click(force=True)
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == str(lines[4])


@NEEDS_ENGINE
def test_the_line_stands_at_the_lead_that_the_program_says(browser, served, decided):
    cards = [one for one in of_the_program() if one["deal"] == 1]
    leads = [one["lead"] * (1 if one["seat"][0] == "A" else -1) for one in cards]
    with kept_page(browser, served, f"{decided}?linea={cards[0]['line']}", signed_in=True) as page:
        page.wait_for_function(_ALL_THERE, arg=len(cards))
        at = page.locator(".leads circle").evaluate_all(
            "all => all.map((one) => +one.cy.baseVal.value)"
        )
        high, low = max(range(len(leads)), key=leads.__getitem__), leads.index(min(leads))
        scale = (at[low] - at[high]) / (leads[high] - leads[low])
        assert [round((at[high] - y) / scale) + leads[high] for y in at] == leads


def test_until_it_is_decided_and_from_a_seat_there_is_none(browser, served, club, decided):
    running = club.partida("club", acts()[:-1])
    for path in (running, f"{decided}?puesto=A1", f"{decided}?hasta=40"):
        with kept_page(browser, served, path, signed_in=True) as page:
            page.wait_for_selector(".felt")
            assert page.locator(".analysis, #engine, .candidate, .not-played").count() == 0, path
            replay = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent)")
            assert replay["arrastres"] is None


def test_a_browser_without_it_says_so_and_all_else_works(browser, served, decided):
    with visiting(browser, served, f"{decided}?linea={costly()['line']}") as page:
        page.context.add_init_script("delete window.Worker")
        page.reload()
        page.wait_for_selector(".analysis .lead-line p:text('le falta WebAssembly')")
        page.keyboard.press("ArrowRight")
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == str(
            costly()["line"] + 1
        )
        assert page.locator(".candidate, .show-line").count() == 0


def costly() -> dict[str, Any]:
    """The first card that took more than a point, as the program has it."""
    return next(one for one in of_the_program() if one.get("cost", 0) > 1)


@NEEDS_ENGINE
def test_a_line_is_shown_from_the_worker_offline_and_by_the_keyboard(browser, served, decided):
    line = costly()["line"]
    with kept_page(browser, served, f"{decided}?linea={line}", signed_in=True) as page:
        wait_for_numbers(page)
        cut_off(page)
        page.locator(".show-line").focus()
        page.keyboard.press("Enter")
        laid = line_shown(page)
        assert page.evaluate("document.activeElement.className") == "back"
        assert (laid[0].seat, laid[0].card) == (costly()["seat"], costly()["card"])
        first, second = totals_shown(page)
        assert (first - second) * (1 if laid[0].seat[0] == "A" else -1) == costly()["lead"]
        said = page.locator(".not-played [aria-live=polite]").inner_text()
        assert said.startswith(
            "No se jugó así. Desde el cuatro de espadas de Andrés, el mejor juego"
        )
        assert f"linea={line}" in page.url
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.classList.contains('show-line')")
        assert page.locator(UNPLAYED).count() == 0
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == str(line)
        page.context.set_offline(False)


@NEEDS_ENGINE
def test_a_card_is_first_asked_about_when_the_network_is_gone(browser, served, decided):
    with kept_page(browser, served, f"{decided}?linea=2", signed_in=True) as page:
        page.wait_for_selector(".acts .took")
        cut_off(page)
        page.locator(f".acts [data-line='{costly()['line']}']").click()
        page.locator(".show-line").click()
        assert line_shown(page)[0].card == costly()["card"]
        page.context.set_offline(False)


@NEEDS_ENGINE
def test_any_act_that_is_tapped_ends_a_line(browser, served, decided):
    line = costly()["line"]
    with kept_page(browser, served, f"{decided}?linea={line}", signed_in=True) as page:
        page.locator(".show-line").click()
        page.wait_for_selector(UNPLAYED)
        page.locator(".acts [data-line='39']").click()
        assert page.locator(UNPLAYED).count() == 0
        assert page.locator(".not-played").inner_text() == ""
        assert "linea=39" in page.url


@NEEDS_ENGINE
def test_a_pasted_record_has_its_lines_too(browser, served):
    record = (ROOT / "tests" / "records" / "abierta.guinote").read_text("utf-8")
    with visiting(browser, served, "/repeticion/importar", signed_in=True) as page:
        page.fill("[name=text]", record)
        page.click("main button:not([type=button])")
        page.wait_for_selector(".acts .took")
        page.locator(".acts button:has(.took)").first.click()
        assert len(choices_shown(page)) > 1
        page.locator(".candidate:not(.shown)").first.click()
        laid = line_shown(page)
        assert (laid[0].turn, laid[-1].turn) != ("", "")
        assert sum(totals_shown(page)) >= 130


@NEEDS_ENGINE
@pytest.mark.parametrize("lang", LANGUAGES)
def test_everybody_can_use_it_on_a_phone(browser, served, decided, lang):
    path = f"{decided}?lang={lang}&linea={of_the_program()[0]['line']}"
    with kept_page(browser, served, path, signed_in=True, **PHONE) as page:
        page.wait_for_selector(".leads")
        page.locator(".analysis summary").click()
        page.locator(".candidate").last.click()
        page.wait_for_selector(UNPLAYED)
        page.locator(".not-played summary").click()
        assert page.locator(_PARTS).evaluate_all(_FARTHEST) <= 390
        no_violations_in_any_scheme(page) if lang == "es" else in_words(page)


_ORDER = """async ([long, short]) => {
  const holder = document.getElementById("engine");
  const { askedEngine } = await import(new URL("asking.js", new URL(holder.dataset.worker, location)));
  const [asked, order] = [askedEngine(holder), []];
  const ask = (known, name) => asked.prices(known).then(() => order.push(name));
  await Promise.all([ask(long, "first"), ask(long, "older"), ask(short, "newer")]);
  return order;
}"""


@NEEDS_ENGINE
def test_the_newest_question_is_answered_before_those_that_wait(browser, served, decided):
    (cards, *_) = (
        arrastre_of(table, deal)
        for table in [fold([opened(Options()), *whole(SEED, observed=True)]).table]
        for deal in table.all_deals
    )
    asked = [cards[0].before.data(), cards[-1].before.data()]
    with kept_page(browser, served, decided, signed_in=True) as page:
        assert page.evaluate(_ORDER, asked) == ["first", "newer", "older"]


@NEEDS_ENGINE
def test_a_deal_without_a_stock_is_worked_out_on_a_phone_offline_too(browser, served, club):
    player = Player(named("sin-mazo").options(4), 1, observed=True)
    player.breaches_left = 2
    player.partida()
    path = club.partida("sin-mazo", [msgspec.to_builtins(one) for one in player.acts])
    table = fold([opened(named("sin-mazo").options(4)), *player.acts]).table
    answers = [one for one in analysed(table, WHOLE_DEAL_NODES) if "cost" in one]
    first = answers[0]
    address = f"{path}?linea={first['line']}"
    with kept_page(browser, served, address, signed_in=True, **PHONE) as page:
        assert len(choices_shown(page)) == 10
        cut_off(page)
        expected = sum(one["cost"] != 0 for one in answers)
        page.wait_for_function(f"() => Object.keys(({_SHOWN})()).length === {expected}")
        page.locator(".candidate").last.click()
        assert len(line_shown(page)) == 40
        assert page.locator(_PARTS).evaluate_all(_FARTHEST) <= 390
        page.context.set_offline(False)


@NEEDS_ENGINE
def test_the_file_shows_the_same_from_the_disk(browser, tmp_path: Path):
    club = frozen_profile(profile("club"), 4, 40)
    state = fold([opened(Options()), *whole(SEED, observed=True)])
    path = tmp_path / "partida.html"
    path.write_text(file_of(replay_of(ReplaySource(state, club), ReplayRequest())), "utf-8")
    with page_opened(browser, path.as_uri(), offline=True) as page:
        wait_for_numbers(page)
        assert page.evaluate(_SHOWN) == numbers()


@NEEDS_ENGINE
def test_a_claim_has_beside_it_how_good_it_was_from_the_disk_too(browser, tmp_path: Path):
    played = whole(SEED, observed=True)
    last = next(n for n in reversed(range(len(played))) if isinstance(played[n], CardPlayed))
    seat = played[last].seat
    rest, claim = last + 1, last + 2  # lines
    played[last:last] = [RestClaimed(seat), ClaimMade(seat)]
    state = fold([opened(Options()), *played])
    club = frozen_profile(profile("club"), 4, 40)
    replay = replay_of(ReplaySource(state, club), ReplayRequest(lang="es"))
    told = {one["line"]: one["text"] for one in replay["judged"]}
    assert told[rest][0].startswith("Está probado: el jugador 4 se las llevaba todas")
    assert told[rest][1] == say("case.rest.decides_nothing", "es")
    made = "Ya tenían 101 desde el cuatro de oros del jugador 1: la pareja B, 103."
    assert told[claim] == [f"{made} Cartas jugadas desde entonces: 7."]
    path = tmp_path / "partida.html"
    path.write_text(file_of(replay), "utf-8")
    with page_opened(browser, path.as_uri(), offline=True) as page:
        for line in (rest, claim):
            page.locator(f".acts [data-line='{line}']").first.click()
            beside = page.locator(".beside .judged p").all_inner_texts()
            assert beside == told[line]
