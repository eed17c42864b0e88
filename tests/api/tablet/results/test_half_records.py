"""Half records, cards that record themselves, the rest of a deal, an accusation from its card."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from api.cli.main import main
from api.http.languages import card_name
from referee.events import CardPlayed, CountEntered, DealStarted, PintaTurned, TableAct
from tests.referee.table.test_half_records import SHARED, SWEPT
from tests.support.browser.form_keying import dealt
from tests.support.browser.keying import Keying, expect, finger_on, played, table
from tests.support.outbox import ENCUENTROS
from tests.support.page_in_node import PageInNode
from tests.support.records.table_text import plays, tricks
from tests.support.servers.served import Served

HALF = "Hasta el arrastre, solo de quién es cada baza"
FIRST = [DealStarted("B2"), PintaTurned("7E")]
TAKERS = ("A1", "B1", "B2", "A1")


def takers(keying: Keying, *seats: str) -> None:
    """Tricks before arrastre, one tap each."""
    for seat in seats:
        keying.tap(keying.page.locator(f'.takers [data-taker="{seat}"]'), "taker")


def halve(keying: Keying) -> None:
    keying.button("Más").tap()
    keying.button(HALF).tap()
    expect(keying.page.locator("dialog[open]")).to_have_count(0)


def claim(keying: Keying, seat: str) -> None:
    keying.button("¡101!").tap()
    with finger_on(claimer := keying.sheet(f'[data-seat="{seat}"]')):
        expect(claimer).to_have_count(0)


def test_a_half_record_by_taps_gives_file_score_evidence_and_replay(
    browser: Browser, served: Served
) -> None:
    """A tap a trick until arrastre; in the vueltas a claim stays undecided within its bounds."""
    with table(browser, served, FIRST) as keying:
        keying.page.on("pageerror", lambda error: pytest.fail(str(error)))
        halve(keying)
        expect(keying.page.locator(".prompt")).to_contain_text("¿De quién es la baza 1?")
        takers(keying, *TAKERS)
        keying.acts(SHARED)
        expect(keying.page.locator(".scores")).to_contain_text("70–100")
        assert keying.view()["between"] == {"A": [70, 100], "B": [30, 60]}
        expect(keying.sheet("p").nth(1)).to_contain_text("entre 70 y 100")
        side = keying.sheet('.reported[data-side="A"]')
        side.get_by_role("textbox").fill("85")
        expect(keying.sheet("[role=status]").first).to_contain_text("85 – Blas y Diego 45")
        keying.tap(keying.sheet("button.main"), "count")
        assert keying.taps == {"taker": 4, "card": 24, "count": 1}
        view = keying.view()
        assert "between" not in view
        assert (view["totals"], view["phase"]) == ({"A": 85, "B": 45}, "waiting")
        assert view["findings"] == []
        keying.act(PintaTurned("4C"))
        takers(keying, "A1", "A2")
        claim(keying, "A1")  # the sheet for the totals opens
        assert keying.view()["phase"] == "counting"
        assert_claim_is_undecidable(keying)
        keying.sheet('.reported[data-side="A"]').get_by_role("textbox").fill("101")
        keying.sheet('.reported[data-side="B"]').get_by_role("textbox").fill("45")
        keying.tap(keying.sheet("button.main"))
        expect(keying.page.locator(".decided h2")).to_contain_text("Ana")
        assert keying.view()["decided"]["how"] == "claim"
        see_it_elsewhere(keying)


def assert_claim_is_undecidable(keying: Keying) -> None:
    path = f"{ENCUENTROS}/{keying.encuentro}/partidas/1/evidence"
    evidence = keying.club.ask("GET", path)
    assert {one["verdict"] for one in evidence["acts"]} == {"lawful"}
    claimed = evidence["claim"]
    assert (claimed["answer"], claimed["lower"], claimed["upper"]) == ("undecidable", 85, 169)
    assert claimed["tricks"] == [[2, 1], [2, 2]]


def see_it_elsewhere(keying: Keying) -> None:
    """The record as a file, and the replay: tricks without cards, by their takers."""
    folder = keying.club.served.folder
    printed = CliRunner().invoke(main, ["--data", str(folder), "export", keying.encuentro]).output
    lines = [line for line in printed.splitlines() if line.startswith("baza")]
    assert lines == [f"baza {seat}" for seat in (*TAKERS, "A1", "A2")]
    where = f"/repeticion/{keying.encuentro}/1?linea=6"
    replay = keying.page.context.new_page()
    replay.goto(f"http://127.0.0.1:{keying.club.served.port}{where}")
    expect(replay.locator("main")).to_contain_text("Baza para Ana")
    replay.close()


def test_the_rest_is_given_at_once_counts_itself_and_is_undone_by_one_tap(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, [*FIRST, *tricks("A1, A1, A1, A1"), *SWEPT[:8]]) as keying:
        keying.tap(keying.button("Las demás"), "rest")
        keying.tap(keying.sheet('[data-seat="A1"]'), "rest")
        expect(keying.page.locator(".decided h2")).to_contain_text("Ana")
        view = keying.view()
        assert (view["decided"]["how"], view["totals"]) == ("first_deal", {"A": 130, "B": 0})
        assert [one["plays"] for one in view["deals"][0]["tricks"][6:]] == [[], [], [], []]
        expect(keying.undo()).to_contain_text("las demás son suyas")
        keying.undo().tap()
        keying.sheet(".main").tap()
        expect(keying.page.locator(".decided")).to_have_count(0)
        assert keying.view()["deals"][0]["tricks"][-1]["plays"]
        expect(keying.undo()).to_contain_text(
            "rey de copas"
        )  # the act before the rest, not its undo
        keying.undo().tap()
        expect(keying.undo()).to_contain_text("sota de copas")


@pytest.mark.parametrize(
    ("before", "why"),
    [(SWEPT[:5], "Hay una baza en la mesa"), ([], "Aún quedan cartas por robar")],
    ids=["cards on the table", "cards to draw"],
)
def test_a_claim_of_the_rest_that_cannot_be_given_is_noted_and_says_why(
    tablet: PageInNode, served: Served, before: list[TableAct], why: str
) -> None:
    start = [*FIRST, *(tricks("A1, A1, A1, A1") if before else []), *before]
    with table(tablet, served, start) as keying:
        keying.button("Más").tap()
        keying.page.locator('[data-kind="claim_rest"]').tap()
        expect(keying.sheet("p").first).to_contain_text(why)
        keying.sheet('[data-seat="A1"]').tap()
        entries = keying.view() and keying.club.partidas(keying.encuentro)[0]["entries"]
        assert [one["act"]["kind"] for one in entries][len(start) :] == ["claim_rest"]


def test_a_claim_that_was_only_noted_and_a_trick_after_it_are_undone_one_by_one(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, FIRST) as keying:
        halve(keying)
        takers(keying, "A1")
        keying.button("Más").tap()
        keying.page.locator('[data-kind="claim_rest"]').tap()
        keying.sheet('[data-seat="A1"]').tap()
        expect(keying.undo()).to_contain_text("las demás son suyas")
        takers(keying, "A1", "B1")
        expect(keying.undo()).to_contain_text("Blas")
        keying.undo().tap()
        expect(keying.undo()).not_to_contain_text("Blas")
        assert len(keying.view()["deals"][0]["tricks"]) == 2
        keying.page.locator(".takers .plain").tap()


def test_nothing_is_claimed_between_two_deals_and_no_trick_is_taken_after_a_claim(
    tablet: PageInNode, served: Served
) -> None:
    start = [*FIRST, *tricks("A1, B1, B2, A1"), *SHARED, CountEntered({"A": 85, "B": 45})]
    with table(tablet, served, start) as keying:
        keying.button("Más").tap()
        expect(keying.page.locator('[data-kind="claim_rest"]')).to_have_count(0)
        keying.sheet("button").filter(has_text="Cerrar").tap()
        halve(keying)
        keying.act(PintaTurned("4C"))
        takers(keying, "A1")
        claim(keying, "A1")
        keying.sheet("button").filter(has_text="Cerrar").tap()
        expect(keying.page.locator(".takers")).to_have_count(0)
        expect(keying.page.locator(".prompt")).to_contain_text("A contar")
        keying.button("Contar").tap()
        side = keying.sheet('.reported[data-side="A"]')
        side.get_by_role("textbox").fill("101")
        expect(keying.sheet("button.main")).to_be_disabled()  # the hands may have anything
        side = keying.sheet('.reported[data-side="B"]')
        side.get_by_role("textbox").fill("45")
        keying.sheet("button.main").tap()
        expect(keying.page.locator(".decided h2")).to_contain_text("Ana")
        keying.page.evaluate("localStorage.removeItem('guinote-half')")


def whole_deal() -> list[TableAct]:
    acts, _ = played(lambda account: account.how == "claim")  # the first deal decided nothing
    cards = [place for place, act in enumerate(acts) if isinstance(act, CardPlayed)]
    return list(acts[: cards[39] + 1])


def test_the_last_card_records_itself_and_one_tap_contradicts_it(
    tablet: PageInNode, served: Served
) -> None:
    acts = whole_deal()
    *_, third, last = [act for act in acts if isinstance(act, CardPlayed)]
    start = acts[: acts.index(third)]
    with table(tablet, served, start) as keying:
        keying.tap(keying.key(third.card), "card")
        expect(keying.undo()).to_contain_text(card_name(last.card, "es"))
        tricks_of = keying.view()["deals"][0]["tricks"]
        assert tricks_of[-1]["plays"][-1]["card"] == last.card
        keying.undo().tap()
        expect(keying.laid(third.card)).to_be_visible()
        assert len(keying.view()["deals"][0]["on_table"]) == 3
        keying.tap(keying.key(last.card), "card")
        assert len(keying.view()["deals"][0]["tricks"]) == 10


def test_cards_that_the_seat_cannot_have_are_grey_and_can_be_tapped(
    tablet: PageInNode, served: Served
) -> None:
    shown = {"kind": "show", "seat": "A1", "cards": ["3C"]}
    with table(tablet, served, dealt("AC")) as keying:
        keying.club.record(keying.encuentro, shown)
        keying.page.reload()
        expect(keying.key("3C")).to_have_class("key C cannot")
        expect(keying.key("4C")).to_have_class("key C")
        keying.key("3C").tap()
        expect(keying.sheet(".slips")).to_be_visible()


def test_an_accusation_from_its_card_is_three_taps(tablet: PageInNode, served: Served) -> None:
    with table(tablet, served, [*FIRST, *plays("A1 AC, B1 5C, A2 6C")]) as keying:
        keying.tap(keying.laid("5C"))
        keying.tap(keying.button("Denunciar"))
        keying.tap(keying.sheet('[data-seat="A2"]'))
        expect(keying.sheet("h2")).to_be_visible()
        entry = keying.view() and keying.club.partidas(keying.encuentro)[0]["entries"][-1]
        assert entry["act"] == {"kind": "denounce", "by": "A2", "against": "B1", "trick": 1}


def test_a_claim_in_a_first_deal_says_that_it_counts_for_nothing(
    tablet: PageInNode, served: Served
) -> None:
    with table(tablet, served, FIRST) as keying:
        keying.button("¡101!").tap()
        expect(keying.sheet("p").first).to_contain_text("En este reparto no se cantan las 101.")
