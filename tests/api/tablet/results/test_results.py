"""Outcomes without cards on the tablet: number of taps, doubts, confirmation."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from api.http.languages import say
from tests.support.browser.keying import Keying, expect, table, tablet_at
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    no_violations,
    no_violations_in_any_language,
)
from tests.support.outbox import ENCUENTROS, Club
from tests.support.page_in_node import PageInNode
from tests.support.servers.served import Served

PARTIDAS_OF_A_MATCH = 6


def report_outcome(
    keying: Keying, winner: str, how: str, points: tuple[str, str, str] | None = None
) -> None:
    """An outcome keyed into the open sheet: points of a side as a number, malas or buenas."""
    keying.tap(one_of(keying.sheet(".choice").nth(0), winner), "result")
    keying.tap(keying.sheet(".choice").nth(1).get_by_role("button", name=how, exact=True), "result")
    if points:
        say_points(keying, *points)


def say_points(keying: Keying, side: str, number: str, unit: str) -> None:
    field = keying.sheet(f'.reported[data-side="{side}"]')
    expect(keying.sheet(".reported, summary").first).to_be_visible()
    if not field.is_visible():
        keying.sheet("summary").tap()
    field.get_by_role("textbox").fill(number)
    field.get_by_role("button", name=unit, exact=True).tap()


def one_of(choice: Any, text: str) -> Any:
    """The button of a choice whose words have a text in them."""
    return choice.get_by_role("button").filter(has_text=text)


def save(keying: Keying) -> None:
    keying.tap(keying.sheet("button[type=submit]"), "result")


def outcome(keying: Keying, number: int = 1) -> dict[str, Any]:
    return dict(keying.view(number)["decided"])


HOWS = ["first_deal", "claim", "false_claim", "renuncio", "concession"]


@pytest.mark.parametrize("how", HOWS)
def test_an_outcome_takes_four_taps(tablet: PageInNode, served: Served, how: str) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"), "result")
        report_outcome(keying, "Ana", say(f"how.{how}", "es"))
        save(keying)
        expect(keying.page.locator(".decided h2")).to_contain_text("Ana")
        assert keying.taps == {"result": 4}
        assert outcome(keying) == {
            "kind": "partida_won", "winner": "A", "how": how, "totals": {"A": 0, "B": 0}
        }  # fmt: skip
        expect(keying.page.locator(".decided .result")).to_have_count(0)  # no points were reported


def test_the_other_side_is_filled_in(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "en el primer reparto", ("B", "35", "malas"))
        expect(keying.sheet('.reported[data-side="A"] [aria-pressed=true]')).to_contain_text("115")
        save(keying)
        assert outcome(keying)["totals"] == {"A": 115, "B": 35}
        expect(keying.page.locator(".decided .result")).to_contain_text("65 buenas")


def test_cantes_choose_what_the_other_side_has(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "en el primer reparto", ("A", "62", "buenas"))
        one_of(keying.sheet('.reported[data-side="B"]'), "58").tap()
        save(keying)
        assert outcome(keying)["totals"] == {"A": 112, "B": 58}


def test_what_cannot_be_is_explained_and_kept_with_a_reason(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "en el primer reparto", ("A", "65", "buenas"))
        say_points(keying, "B", "36", "malas")
        expect(keying.sheet('[data-rule="result-sum"]')).to_contain_text("151")
        expect(keying.sheet("button[type=submit]")).to_be_disabled()
        keying.sheet("[name=because]").fill("así lo firmaron los dos")
        save(keying)
        view = keying.view()
        assert view["decided"]["totals"] == {"A": 115, "B": 36}
        assert [one["rule"] for one in view["findings"]] == ["result-sum"]
        (entry,) = keying.club.partidas(keying.encuentro)[0]["entries"]
        assert entry["act"]["text"] == "así lo firmaron los dos"
        keying.tap(keying.button("Indicios: 1"))
        expect(keying.sheet(".findings")).to_contain_text("151")


def test_what_is_rare_is_said_and_needs_no_reason(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "en el primer reparto", ("B", "0", "malas"))
        expect(keying.sheet('[data-rule="result-rare"]')).to_be_visible()
        save(keying)
        assert outcome(keying)["totals"] == {"A": 130, "B": 0}


def test_partidas_cotos_and_the_encuentro_roll_over(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        for number in range(1, PARTIDAS_OF_A_MATCH + 1):
            report_outcome(keying, "Ana", "en el primer reparto")
            save(keying)
            decided = keying.page.locator(".decided")
            expect(decided.locator(".of")).to_have_text(f"Partida {number}")
            expect(decided.locator(".coto")).to_have_count(1 if number % 3 == 0 else 0)
            if number < PARTIDAS_OF_A_MATCH:
                keying.tap(keying.button("Solo el resultado"))
        expect(keying.page.locator(".decided .final")).to_contain_text("Ana")
        keying.view(PARTIDAS_OF_A_MATCH)
        view = keying.club.ask("GET", f"{ENCUENTROS}/{keying.encuentro}")
        assert (view["decided"], view["standing"]["cotos"]) == ({"winner": "A"}, {"A": 2, "B": 0})


def test_results_and_cards_take_turns_in_one_encuentro(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "cantando las 101")
        save(keying)
        keying.tap(keying.button("Siguiente partida"))
        keying.tap(keying.seat("B2"))
        keying.tap(keying.key("7O"))
        keying.cards("3C", "4C", "5C", "6C")
        keying.tap(keying.button("Más"))
        keying.tap(one_of(keying.sheet(".choice"), "Resultado"))
        report_outcome(keying, "Blas", "por rendición")
        save(keying)
        keying.tap(keying.button("Siguiente partida"))
        expect(keying.page.locator(".prompt")).to_be_visible()
        first, second = keying.view(1), keying.view(2)
        assert (first["decided"]["winner"], first["decided"]["how"]) == ("A", "claim")
        assert (second["decided"]["winner"], second["decided"]["how"]) == ("B", "concession")
        assert len(second["deals"][0]["tricks"]) == 1


def test_tricks_without_cards_are_two_taps_each(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealer="B2") as keying:
        for number in range(10):
            keying.tap(keying.button("Baza sin cartas"), "trick")
            keying.tap(keying.sheet(f'[data-seat="{"A1" if number % 2 else "B1"}"]'), "trick")
        assert keying.taps == {"trick": 20}
        keying.tap(keying.button("Contar"))
        say_points(keying, "A", "51", "buenas")
        say_points(keying, "B", "29", "malas")
        keying.tap(keying.sheet("button.main"))
        expect(keying.page.locator(".decided")).to_be_visible()
        view = keying.view()
        assert [one["taker"] for one in view["deals"][0]["tricks"]] == ["B1", "A1"] * 5
        assert (view["decided"]["winner"], view["totals"]) == ("A", {"A": 101, "B": 29})
        assert view["findings"] == []


def test_points_of_tricks_count_themselves(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealer="B2") as keying:
        for points in (42, 42, 16, 4, 4, 4, 4, 4, 0, 0):
            keying.tap(keying.button("Baza sin cartas"))
            keying.sheet("input").fill(str(points))
            keying.tap(keying.sheet(f'[data-seat="{"A1" if points > 4 else "B1"}"]'))
        expect(keying.page.locator(".count, .decided")).to_be_visible()
        assert keying.view()["totals"] == {"A": 100, "B": 30}


def test_points_that_no_trick_can_have_are_not_taken(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, dealer="B2") as keying:
        keying.tap(keying.button("Baza sin cartas"))
        for points, nearest in (("121", "44"), ("45", "44"), ("1", "0, 2")):
            keying.sheet("input").fill(points)
            told = f"Esa baza no puede valer {points}. Lo más cercano que puede valer: {nearest}."
            expect(keying.sheet("[role=status]")).to_have_text(told)
            expect(keying.sheet('[data-seat="A1"]')).to_be_disabled()
        keying.sheet("input").fill("44")
        expect(keying.sheet('[data-seat="A1"]')).to_be_enabled()


def test_an_outcome_waits_here_without_network(tablet: PageInNode, served: Served) -> None:
    club = Club(served)
    encuentro = club.encuentro()
    with tablet_at(tablet, served, encuentro) as keying:
        expect(keying.button("Resultado")).to_be_visible()
        tablet.network(is_on=False)
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "por renuncio")
        save(keying)
        expect(tablet.locator(".decided h2")).to_contain_text("Ana")
        expect(tablet.locator("button.sync")).to_have_attribute("data-status", "offline")
        assert club.log(encuentro) == []
        tablet.network(is_on=True)
        assert outcome(keying)["how"] == "renuncio"


def test_an_outcome_can_be_put_right(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served) as keying:
        keying.tap(keying.button("Resultado"))
        report_outcome(keying, "Ana", "en el primer reparto")
        save(keying)
        keying.tap(keying.button("Bazas"))
        keying.tap(keying.sheet("[data-line]"))
        keying.tap(keying.button("Cambiar"))
        keying.tap(one_of(keying.sheet(".choice").nth(0), "Blas"))
        save(keying)
        keying.tap(keying.button("Sí, corregir"))
        expect(keying.page.locator(".decided h2")).to_contain_text("Blas")
        assert outcome(keying)["winner"] == "B"


# --- in a browser ----------------------------------------------------------------------------


def test_forms_of_outcomes_are_readable_and_fit_a_finger_on_a_phone_and_a_tablet(
    browser: Browser, served: Served
) -> None:
    for lang in READ:
        for settings in (PHONE, TABLET):
            with table(browser, served, lang=lang, **settings) as keying:
                keying.tap(keying.button(say("tablet.result.result", lang)))
                report_outcome(keying, "Ana", say("how.first_deal", lang))
                keying.sheet("summary").tap()
                field = keying.sheet('.reported[data-side="A"]')
                field.get_by_role("textbox").fill("1")
                expect(keying.sheet(".doubted li")).to_be_visible()
                no_violations_in_any_language(keying.page)
                small = keying.page.evaluate(_SMALL)
                assert small == [], (lang, settings, small)
    with table(browser, served, dealer="B2", **PHONE) as keying:
        for _ in range(10):
            keying.tap(keying.button("Baza sin cartas"))
            keying.tap(keying.sheet('[data-seat="A1"]'))
        keying.tap(keying.button("Contar"))
        say_points(keying, "A", "51", "buenas")
        no_violations(keying.page)
        keying.page.keyboard.press("Escape")


_SMALL = """() => [...document.querySelectorAll("dialog.sheet button, dialog.sheet input, dialog.sheet summary")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 47.5)
  .map((one) => one.outerHTML.slice(0, 120))"""
