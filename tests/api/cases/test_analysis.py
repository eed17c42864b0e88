"""What a renuncio took: asked for over HTTP, seen on the page of a case, put on the acta."""

from __future__ import annotations

from typing import NoReturn

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.languages import say
from referee.aggregates.partida import fold
from referee.analysis import NoAnalysis, costs, engine
from referee.events import CanteAnnounced, CardPlayed, ClaimMade
from referee.rules.profile.options import Options
from tests.api.cases.test_cases import JUEZ, confirmed, dispute, of, ruling
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.analysis.renuncios import WithRenuncio, a_renuncio, bodies_of
from tests.support.browser.pages import PHONE, TABLET, no_violations, visiting
from tests.support.outbox import ENCUENTROS, Club
from tests.support.records.dealt_out import Player, opened
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

NOTHING = say("case.cost.decides_nothing", "es")


def disputed(table: HttpTable, one: WithRenuncio, *shown: str, whole: bool = False) -> str:
    """Address of a case about the renuncio of a deal, which is played out or stops there."""
    partida = table.partida()
    acts = one.acts if whole else one.acts_shown(*shown)
    answer = table.record(partida, 0, *bodies_of(acts))
    assert answer.status_code == 200, answer.text
    return dispute(table, partida, side="", lines=[one.line])


@NEEDS_ENGINE
def test_of_a_deal_that_was_played_out_the_answer_is_exact(table: HttpTable) -> None:
    one = a_renuncio(3)
    case = disputed(table, one, whole=True)
    found = table.get(f"{case}/analysis").json
    (act,) = found["acts"]
    told = costs.require_cost_of_unlawful_card(
        fold([opened(one.options), *one.acts]).table, one.line
    )
    assert (act["line"], act["not_known"]) == (one.line, None)
    assert (act["cost"]["least"], act["cost"]["most"]) == (told.least, told.most)
    assert (act["cost"]["ways"], act["cost"]["tried"], act["cost"]["seed"]) == (1, 1, None)
    assert "con las cartas como estaban y jugando todos lo mejor posible" in act["text"][0]


@NEEDS_ENGINE
def test_of_a_deal_that_was_stopped_it_is_a_range_over_every_way(table: HttpTable) -> None:
    one = a_renuncio(4)
    offender = one.acts[one.line - 1].seat  # type: ignore[union-attr]  # the renuncio is a card
    case = disputed(table, one, offender)
    (act,) = table.get(f"{case}/analysis").json["acts"]
    cost = act["cost"]
    assert cost["seed"] is None
    assert cost["tried"] > 600
    assert cost["least"] <= cost["most"]
    assert say("case.cost.all", "es", tried=cost["tried"]) in act["text"]
    page = _page(table, case)
    assert say("case.cost.on_request", "es") in page
    assert act["text"][0] in _page(table, case, "?calcular=si")


@NEEDS_ENGINE
def test_with_too_many_ways_some_are_drawn_and_said_to_be(table: HttpTable) -> None:
    case = disputed(table, a_renuncio(6))
    found = [table.get(f"{case}/analysis").json["acts"][0] for _ in range(2)]
    assert found[0] == found[1]
    assert found[0]["cost"]["tried"] == costs.DRAWN
    assert str(found[0]["cost"]["seed"]) in found[0]["text"][0]


@NEEDS_ENGINE
def test_it_is_on_the_acta_only_if_the_arbiter_puts_it_there_and_stays_so(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = a_renuncio(2)
    case = disputed(table, one, whole=True)
    (act,) = table.get(f"{case}/analysis").json["acts"]
    assert act["text"][0] not in table.get(f"{case}/acta").text
    body = {"by": JUEZ, "line": one.line}
    assert table.post(f"{case}/analysis", body, 1).status_code == 200
    acta = table.get(f"{case}/acta").json["case"]
    assert acta["evidence"][0]["cost"] == act["cost"]
    assert acta["figures"] == [act["text"]]
    monkeypatch.setattr(costs, "card_prices_or_none", None)  # nothing is worked out again
    assert table.get(f"{case}/acta").json["case"]["figures"] == [act["text"]]
    shown = table.client.get(f"{_web(case)}/acta", headers=_spanish(table))
    assert act["text"][0] in shown.text
    assert NOTHING in shown.text


@NEEDS_ENGINE
def test_only_an_arbiter_puts_it_there_and_only_what_can_be_said(table: HttpTable) -> None:
    one = a_renuncio(2)
    case = disputed(table, one, whole=True)
    wrong = table.post(f"{case}/analysis", {"by": JUEZ, "line": one.line - 1}, 1)
    assert (wrong.status_code, wrong.json["code"]) == (409, "evidence-unusable")
    director = table.signed_in("director")
    answer = table.client.post(
        f"{case}/analysis",
        json={"by": JUEZ, "line": one.line},
        headers={**director, "Idempotency-Key": "another", "If-Match": '"1"'},
    )
    assert answer.status_code == 403


@NEEDS_ENGINE
def test_a_ruling_that_annuls_the_deal_leaves_the_figures(table: HttpTable) -> None:
    case = disputed(table, a_renuncio(2), whole=True)
    before = table.get(f"{case}/analysis").json
    body = ruling()
    body["verdict"] = {**body["verdict"], "effect": "annul_deal", "side": ""}
    assert confirmed(table, f"{case}/ruling", body).status_code == 200
    assert table.get(f"{case}/analysis").json == before


def no_engine() -> NoReturn:
    raise NoAnalysis


def test_without_the_engine_a_case_says_so_and_all_else_works(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_compile_wasm_module", no_engine)
    monkeypatch.setattr(engine, "_of_thread", engine._OfThread())
    case = disputed(table, a_renuncio(5), whole=True)
    (act,) = table.get(f"{case}/analysis").json["acts"]
    assert (act["cost"], act["not_known"]) == (None, "no_analysis")
    assert say("case.cost.no_analysis", "es") in _page(table, case)
    assert confirmed(table, f"{case}/ruling", ruling()).status_code == 200


def test_a_card_that_was_lawful_has_no_figures(table: HttpTable) -> None:
    one = a_renuncio(2)
    partida = table.partida()
    table.record(partida, 0, *one.bodies())
    case = dispute(table, partida, side="", lines=[3])
    assert table.get(f"{case}/analysis").json["acts"] == []
    assert NOTHING not in _page(table, case)


@NEEDS_ENGINE
@pytest.mark.parametrize(
    "kind", [{"kind": "concede", "side": "A"}, {"kind": "claim", "seat": "A1"}]
)
def test_beside_a_concession_and_a_false_claim_stands_what_could_still_be_reached(
    table: HttpTable, kind: dict[str, str]
) -> None:
    partida, one = table.partida(), a_renuncio(5)
    acts = [*bodies_of(one.acts[:20]), kind]
    assert table.record(partida, 0, *acts).status_code == 200
    case = dispute(table, partida, side="", lines=[len(acts)])
    (found,) = table.get(f"{case}/analysis").json["reaches"]
    assert (found["line"], found["side"], found["answer"]) == (len(acts), "A", "cannot_tell")
    assert not found["is_exact"]
    assert found["most"] > 101 > found["total"]
    page = _page(table, case)
    assert [found["since"], found["not_known"], len(found["text"])] == [None, None, 1]
    assert found["text"][0] in page
    assert say("case.reach.decides_nothing", "es") in page


class SilentPlayer(Player):
    """Claims nothing; ``made``: the card and the side that made the target in vueltas."""

    made: tuple[int, str] | None = None

    def _may_claim(self, taker: str, *, is_last: bool) -> bool:
        del is_last
        card = max(n for n, act in enumerate(self.acts, 1) if isinstance(act, CardPlayed))
        has = self.account.totals(self.options)[taker[0]] >= self.options.target
        has_sung = any(isinstance(act, CanteAnnounced) for act in self.acts[card:])
        if has and not self.made and not has_sung:
            self.made = (card, taker)
        return False


def claimed_late(table: HttpTable, cards: int) -> tuple[str, int, int]:
    """Address of a case about a claim with so many cards after the one that made the target.

    With it: the lines of that card and of the claim.
    """
    player = SilentPlayer(Options(), 13, observed=True)
    player.partida()
    assert player.made is not None
    since, seat = player.made
    laid = [n for n, act in enumerate(player.acts, 1) if n >= since and isinstance(act, CardPlayed)]
    bodies = bodies_of([*player.acts[: laid[cards]], ClaimMade(seat)])
    partida = table.partida()
    for start in range(0, len(bodies), 50):
        assert table.record(partida, start, *bodies[start : start + 50]).status_code == 200
    return dispute(table, partida, side="", lines=[len(bodies)]), since, len(bodies)


@NEEDS_ENGINE
@pytest.mark.parametrize("cards", [0, 1, 4])
def test_beside_a_claim_of_a_side_with_the_target_stands_since_when_it_had_it(
    table: HttpTable, cards: int
) -> None:
    case, since, line = claimed_late(table, cards)
    (found,) = table.get(f"{case}/analysis").json["reaches"]
    assert (found["line"], found["answer"], found["since"]) == (line, "yes", since)
    assert (found["cards"], found["not_known"]) == (cards, None)
    (words,) = found["text"]
    assert f"Cartas jugadas desde entonces: {cards}." in words
    page = _page(table, case)
    assert words in page
    assert f"?linea={since}" in page


def test_without_the_engine_what_is_left_is_added_up_and_the_page_says_why(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_compile_wasm_module", no_engine)
    partida, one = table.partida(), a_renuncio(5)
    acts = [*bodies_of(one.acts[:20]), {"kind": "concede", "side": "A"}]
    assert table.record(partida, 0, *acts).status_code == 200
    case = dispute(table, partida, side="", lines=[len(acts)])
    (found,) = table.get(f"{case}/analysis").json["reaches"]
    assert (found["not_known"], found["is_exact"]) == ("no_analysis", False)
    assert found["text"][1] == say("case.cost.no_analysis", "es")
    assert found["text"][1] in _page(table, case)


@NEEDS_ENGINE
def test_a_claim_of_the_rest_is_recorded_and_judged(table: HttpTable) -> None:
    one, answers = a_renuncio(3), set()
    plays = [n for n, act in enumerate(one.acts) if isinstance(act, CardPlayed)]
    for left in (1, 5, 30):
        partida, until = table.partida(table.encuentro()), plays[-left]
        claim = {"kind": "claim_rest", "seat": one.acts[until].seat}  # type: ignore[union-attr]  # a card follows
        acts = [*bodies_of(one.acts[:until]), claim, *bodies_of(one.acts[until:])]
        assert table.record(partida, 0, *acts).status_code == 200
        case = dispute(table, partida, side="", lines=[until + 1])
        (found,) = table.get(f"{case}/analysis").json["rests"]
        assert (found["line"], found["seat"]) == (until + 1, claim["seat"])
        answers.add(found["answer"])
        page = _page(table, case)
        assert found["text"] in page
        assert say("case.rest.decides_nothing", "es") in page
    assert "cannot_tell" in answers  # before the arrastre nothing is worked out
    assert len(answers) > 1


def is_readable(page: Page) -> None:
    """On a phone in light colours, and on a tablet in dark ones."""
    for size, scheme in ((PHONE, "light"), (TABLET, "dark")):
        page.set_viewport_size(size["viewport"])
        page.emulate_media(color_scheme=scheme)
        no_violations(page)


@NEEDS_ENGINE
def test_what_an_arbiter_reads_before_ruling_and_puts_on_the_acta_is_readable_on_each_screen(
    browser: Browser, served: Served
) -> None:
    club, one = Club(served), a_renuncio(3)
    encuentro = club.encuentro()
    path = f"{ENCUENTROS}/{encuentro}"
    club.ask("POST", f"{path}/partidas/1/acts", {"acts": one.bodies()}, 0)
    version = club.ask("GET", f"{path}/entries")["version"]
    body = {"by": {"name": "Julia"}, "partida": 1, "lines": [one.line], "because": "Renunció."}
    position = club.ask("POST", f"{path}/cases", body, version)["position"]
    where = f"/e/{encuentro}/c/1?wait={position}"
    with visiting(browser, served, where, signed_in=True, **PHONE) as page:
        part = page.locator("section[aria-labelledby=cost]")
        expect(part).to_contain_text("con las cartas como estaban")
        expect(part).to_contain_text(NOTHING)
        is_readable(page)
        page.fill("#rule-by", "Julia")
        page.locator("form[action$='/resolucion'] button[name=likely]").first.click()
        expect(page.locator("section[aria-labelledby=preview]")).to_contain_text(NOTHING)
        page.goto(page.url.partition("?")[0].replace("/resolucion", ""))
        part.locator("input[name=by]").fill("Julia")
        part.locator("button").click()
        expect(page.locator("section[aria-labelledby=evidence]")).to_contain_text(NOTHING)
        is_readable(page)


def _web(case: str) -> str:
    return f"/e/{of(case + '/partidas/1').rpartition('/cases')[0].rpartition('/')[2]}/c/1"


def _spanish(table: HttpTable) -> dict[str, str]:
    return {**table.owner(), "Accept-Language": "es"}


def _page(table: HttpTable, case: str, query: str = "") -> str:
    table.client.post("/entrar", data={"token": table.token})
    table.get(case)
    return str(table.client.get(_web(case) + query, headers={"Accept-Language": "es"}).text)
