"""The replay in a browser: forward and back, from a seat, with its proof; everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from projections.replay.frames import steps_of
from referee.encuentro.partida import fold
from referee.rules.profile.options import Options
from tests.support.browser.kept_pages import kept_page, no_violations_in_any_scheme
from tests.support.browser.pages import (
    HEAVIEST_PAGE,
    LOOKED_AT,
    PHONE,
    TABLET,
    address,
    no_violations,
    site,
    visiting,
    weight,
)
from tests.support.browser.replayed import (
    FALSE,
    PROOF,
    RULING,
    START,
    Club,
    cards,
    expected_table,
    tables_shown,
    whole,
)
from tests.support.records.dealt_out import opened
from tests.support.servers.served import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("replay")) as one:
        yield one


@pytest.fixture(scope="module")
def club(served: Served) -> Club:
    return Club(served)


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


def test_forward_and_back_shows_the_table_as_the_program_computes_it(browser, served, seen):
    state = fold([opened(Options()), *whole(11, observed=True)])
    steps = [*steps_of(state)]
    with kept_page(browser, served, f"{seen}?linea=2", signed_in=True) as page:
        page.wait_for_selector(".seat")
        deck = page.evaluate(
            "JSON.parse(document.getElementById('replay-data').textContent).deals[0].cards"
        )
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
def test_seats_go_round_as_they_are_played(browser, served, club, profile, right, left):
    path = club.partida(profile, START)
    with kept_page(browser, served, path, signed_in=True) as page:
        assert page.locator(".seat.south .fine").inner_text() == "A1"
        assert page.locator(".seat.east .fine").inner_text() == right
        assert page.locator(".seat.west .fine").inner_text() == left
        assert page.locator(".seat.north .fine").inner_text() == "A2"


def test_a_renuncio_has_its_proof_and_leads_there(browser, served, disputed):
    with kept_page(browser, served, disputed, signed_in=True) as page:
        assert (
            page.locator(".beside .act").inner_text().startswith("Andrés juega el seis de espadas")
        )
        verdict = page.locator(".beside .verdict.unlawful")
        assert "cinco de copas. Lo prueba: el dos de copas de Pilar" in verdict.inner_text()
        assert page.locator(".hand .proof use").get_attribute("href").endswith("#5C")
        assert "Renuncio probado" in page.locator(".beside .ruled").first.inner_text()
        verdict.locator("a[data-line='9']").first.click()
        assert (
            page.locator(".beside .act").inner_text().startswith("Andrés juega el cinco de copas")
        )
        assert "linea=9" in page.url
        page.reload()
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == "9"


def test_a_correction_is_shown_with_before_and_after(browser, served, disputed):
    with kept_page(browser, served, f"{disputed}?linea=11", signed_in=True) as page:
        assert page.locator(".acts [aria-current]").get_attribute("data-line") == "3"
        expected = page.locator(".beside .amended").first
        assert expected.locator("del").inner_text() == "Pilar juega el dos de copas"
        assert expected.locator("ins").inner_text() == "Pilar juega el cinco de espadas"
        page.locator(".corrections a", has_text="ver como estaba antes").nth(1).click()
        assert "hasta=11" in page.url
        page.wait_for_selector(".note")
        assert "hasta aquí: la corrección. 11" in page.locator(".note").inner_text()


def test_keys_buttons_slider_and_deals_all_lead_somewhere(browser, served, seen):
    with kept_page(browser, served, f"{seen}?linea=1", signed_in=True) as page:
        now = page.locator(".count")
        last = now.inner_text().split(" / ")[1]
        for key, wanted in [("End", last), ("Home", "0"), ("PageDown", "1"), ("PageDown", "6")]:
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


def test_swipes_go_forward_and_back(browser, served, seen):
    with kept_page(browser, served, f"{seen}?linea=5", signed_in=True, **PHONE) as page:
        swipe = """([from, to]) => {
          const felt = document.querySelector(".felt");
          const touch = (x) => new Touch({ identifier: 1, target: felt, clientX: x, clientY: 400 });
          felt.dispatchEvent(new TouchEvent("touchstart", { changedTouches: [touch(from)] }));
          felt.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
        }"""
        page.evaluate(swipe, [300, 100])
        assert page.locator(".count").inner_text().startswith("6 ")
        page.evaluate(swipe, [100, 300])
        page.evaluate(swipe, [100, 120])
        assert page.locator(".count").inner_text().startswith("5 ")


def test_a_seat_is_shown_only_what_it_knew(browser, served, club):
    acts = [msgspec.to_builtins(one) for one in whole(4, observed=False)]
    path = club.partida("club", acts[:12])
    hidden = next(one for one in acts if one["kind"] == "hand" and one["seat"] == "B1")
    with kept_page(browser, served, path, signed_in=True) as page:
        assert page.locator(".hand .seen").count() > 20
        page.select_option("[name=puesto]", "A1")
        page.wait_for_url("**puesto=A1**")
        page.wait_for_selector(".note")
        assert page.locator(".seat.south .fine").inner_text() == "A1"
        assert page.locator(".east .hand .seen").count() == 0
        replay = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent)")
        assert hidden["cards"]
        assert not [one for one in replay["steps"] if one["kind"] == "hand" and one["seat"] != "A1"]


def test_other_rules_say_what_they_change(browser, served, seen):
    with kept_page(browser, served, seen, signed_in=True) as page:
        page.select_option("[name=normas]", "escuela")
        page.wait_for_url("**normas=escuela**")
        assert "Entre sota y caballo" in page.locator(".compared").inner_text()


def test_once_decided_it_is_for_everybody_and_may_stand_in_a_frame(browser, served, disputed, club):
    with kept_page(browser, served, disputed) as page:
        assert page.locator(".felt").count() == 1
        assert "mal apuntada" not in page.content()
    with kept_page(browser, served, f"{disputed}?marco=1") as page:
        assert page.locator("header.top").count() == 0
        assert page.locator(".felt").count() == 1
    running_now = club.partida("sin-mazo", [*START, *cards(*FALSE)])
    with kept_page(browser, served, f"{running_now}?linea=4") as page:
        assert page.url == address(served, f"/entrar?next={running_now}%3Flinea%3D4")


def test_it_works_without_a_script_and_prints_its_tricks(browser, served, disputed):
    with visiting(browser, served, disputed, java_script_enabled=False) as page:
        rows = page.locator(".sheet tbody tr")
        assert rows.count() == 1
        assert "cinco de copas. Lo prueba:" in page.locator(".sheet .findings").inner_text()
    with visiting(browser, served, disputed) as page:
        page.emulate_media(media="print")
        assert page.locator(".sheet table").is_visible()
        assert not page.locator(".felt").is_visible()


def test_a_moment_has_a_link_and_a_code(browser, served, disputed):
    with kept_page(browser, served, f"{disputed}?linea=4") as page:
        page.locator("#share summary").click()
        page.keyboard.press("ArrowRight")
        assert page.locator("#link").input_value().endswith(f"{disputed}?linea=5")
        page.evaluate("document.getElementById('code').decode()")
        assert page.evaluate("document.getElementById('code').naturalWidth") > 100
        assert page.locator("#code").get_attribute("src").endswith("qr.svg?linea=5")


TOO_SMALL = """(all) => all.filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return Math.min(width, height) < 47.5 && !(one.form?.action ?? "").includes("/salir");
}).map((one) => one.outerHTML)"""
STATES = ["", "?linea=4", "?puesto=A1", "?normas=sin-mazo", "?hasta=10", "?marco=1"]


@pytest.mark.parametrize("lang", LOOKED_AT)
@pytest.mark.parametrize("state", STATES)
def test_everybody_can_use_it(browser, served, disputed, state, lang):
    path = f"{disputed}{state or '?'}&lang={lang}".replace("?&", "?")
    size = PHONE if state == "?linea=4" else TABLET
    with kept_page(browser, served, path, signed_in=True, **size) as page:
        page.wait_for_selector(".felt")
        no_violations_in_any_scheme(page)
        targets = page.locator("button:visible, .slide input, select")
        assert targets.count()
        assert targets.evaluate_all(TOO_SMALL) == []


def test_all_possible_cards_can_be_shown(browser, served, seen):
    with kept_page(browser, served, f"{seen}?linea=3", signed_in=True) as page:
        assert page.locator(".possible li").count() == 0
        page.locator(".legend input").check()
        assert page.locator(".possible li").count() > 100
        no_violations(page)


def test_it_is_not_heavy(browser, served, seen):
    with kept_page(browser, served, seen, signed_in=True) as page:
        replay = len(page.evaluate("document.getElementById('replay-data').textContent"))
    assert 20_000 < replay < 60_000
    assert weight(browser, served, seen, signed_in=True) - replay < HEAVIEST_PAGE
