"""The analysis over HTTP: the figures of the command, once the partida is decided, never before."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from api.replay import rest
from referee.aggregates.partida import fold
from referee.analysis import engine
from referee.analysis.claims import judge_claims
from referee.analysis.engine import NoAnalysis
from referee.analysis.reports import analyse_cards
from referee.events import CardPlayed, ClaimMade, RestClaimed, TableAct
from referee.rules.cards import TOKENS
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile_by_id_at_edition
from tests.api.cases.test_cases import dispute
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser.replayed import whole
from tests.support.records.dealt_out import opened
from tests.support.servers.http_table import HttpTable

SEED = 3
"""Of a partida of one deal, in whose arrastre cards took 2 to 13 points."""


def recorded(table: HttpTable, acts: list[TableAct]) -> str:
    """Address of a partida with these acts."""
    found, version = table.partida(), 0
    sent = [msgspec.to_builtins(act) for act in acts]
    for start in range(0, len(sent), 50):
        part = sent[start : start + 50]
        assert table.record(found, version, *part).status_code == 200
        version += len(part)
    return found


def printed(acts: list[TableAct], options: Options | None = None) -> list[Any]:
    """What ``guinote analyse`` prints of these acts."""
    found = analyse_cards(fold([opened(options or Options()), *acts]).table)
    return [msgspec.to_builtins(one) for one in found]


def lines(answer: Any) -> list[Any]:
    """An answer as the command prints it."""
    parts = answer.json
    return [*parts["cards"], *parts["unanswered"], *parts["unknown"]]


@NEEDS_ENGINE
def test_everybody_gets_the_figures_of_the_command_once_it_is_decided(table):
    acts = whole(SEED, observed=True)
    found = recorded(table, acts)
    public = table.client.get(f"{found}/analysis")
    assert lines(public) == printed(acts)
    assert len(public.json["cards"]) == 24
    assert table.get(f"{found}/analysis").data == public.data


@NEEDS_ENGINE
def test_the_tag_is_that_of_the_figures(table):
    found = recorded(table, whole(SEED, observed=True))
    first = table.client.get(f"{found}/analysis")
    tag = first.headers["ETag"]
    again = table.client.get(f"{found}/analysis", headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    other = table.client.get(f"{found}/analysis?profile=escuela")
    assert other.headers["ETag"] != tag


@NEEDS_ENGINE
def test_another_profile_prices_the_same_cards(table):
    acts = whole(SEED, observed=True)
    found = recorded(table, acts)
    answer = table.client.get(f"{found}/analysis?profile=escuela")
    assert lines(answer) == printed(acts, profile_by_id_at_edition("escuela").options(4))
    for bad in ("profile=nobody", "profile=sin-mazo", "line=3", "profile="):
        assert table.client.get(f"{found}/analysis?{bad}").status_code == 422, bad


def exchanged(acts: list[TableAct]) -> list[TableAct]:
    """The same, with the last two cards of two seats in each other's hand."""
    (one, first), (two, second) = [
        (at, act) for at, act in enumerate(acts) if isinstance(act, CardPlayed)
    ][-2:]
    return [
        *acts[:one],
        CardPlayed(first.seat, second.card),
        *acts[one + 1 : two],
        CardPlayed(second.seat, first.card),
        *acts[two + 1 :],
    ]


def with_claims(acts: list[TableAct], cards: int) -> list[TableAct]:
    """The same with a claim of the rest and one of 101 before the last so many cards."""
    plays = [n for n, act in enumerate(acts) if isinstance(act, CardPlayed)]
    at = plays[-cards]
    seat = acts[at].seat  # type: ignore[union-attr]  # a card
    return [*acts[:at], RestClaimed(seat), ClaimMade(seat), *acts[at:]]


def without_text(rows: Any) -> list[Any]:
    return [{name: one for name, one in row.items() if name != "text"} for row in rows]


@NEEDS_ENGINE
@pytest.mark.parametrize("cards", [1, 5, 30])
def test_claims_are_judged_in_it_as_in_a_case_about_them(table, cards: int):
    acts = with_claims(whole(SEED, observed=True), cards)
    found = recorded(table, acts)
    public = table.client.get(f"{found}/analysis").json
    lines = [n for n, act in enumerate(acts, 1) if isinstance(act, RestClaimed | ClaimMade)]
    case = dispute(table, found, side="", lines=lines)
    judged = table.get(f"{case}/analysis").json
    for name, line in (("rests", lines[0]), ("reaches", lines[1])):
        assert public[name] == without_text(judged[name])
        assert [one["line"] for one in public[name]] == [line]
    (rest,), (reach,) = public["rests"], public["reaches"]
    assert reach["is_exact"] == (cards < 30)  # before the arrastre what is left is added up
    assert (rest["answer"] == "cannot_tell") == (cards == 30)


@NEEDS_ENGINE
def test_claims_of_the_rest_have_a_bound_for_all_of_them():
    acts = with_claims(with_claims(whole(SEED, observed=True), 8), 4)
    reading = fold([opened(Options()), *acts]).reading
    assert reading is not None
    first, second = judge_claims(reading).rests
    assert min(first.ways, second.ways) > 0
    some = judge_claims(reading, most_in_all=first.ways).rests
    assert some == [first, replace(second, answer="on_request")]


def test_until_it_is_decided_two_worlds_have_one_answer_for_each_caller(table):
    *acts, last = whole(SEED, observed=True)
    worlds = [recorded(table, acts), recorded(table, exchanged(acts))]
    for ask, status in ((table.client.get, 401), (table.get, 409)):
        answers = [ask(f"{found}/analysis") for found in worlds]
        assert [answer.status_code for answer in answers] == [status] * 2
        assert answers[0].data == answers[1].data
        assert "ETag" not in answers[0].headers
        assert not any(token.encode() in answers[0].data for token in TOKENS)
    assert table.get(f"{worlds[0]}/analysis").json["code"] == "not_decided"
    if engine.is_analysis_available():
        assert printed([*acts, last]) != printed([*exchanged(acts), last])


@NEEDS_ENGINE
def test_one_that_is_undone_is_closed_again(table):
    acts = whole(SEED, observed=True)
    found = recorded(table, acts)
    assert table.client.get(f"{found}/analysis").status_code == 200
    assert table.post(f"{found}/undo", {}, len(acts)).status_code == 200
    assert table.client.get(f"{found}/analysis").status_code == 401
    assert table.get(f"{found}/analysis").json["code"] == "not_decided"


@NEEDS_ENGINE
def test_the_work_of_an_answer_is_bounded(table, monkeypatch: pytest.MonkeyPatch):
    acts = whole(SEED, observed=True)
    found = recorded(table, acts)
    monkeypatch.setattr(rest, "MOST_IN_ALL", 10_000)
    some, every = table.client.get(f"{found}/analysis").json, printed(acts)
    assert 0 < len(some["cards"]) < len(every)
    left_out = [one["line"] for one in some["unanswered"]]
    assert left_out
    assert some["cards"] == [one for one in every if one["line"] not in left_out]


def test_a_server_without_the_engine_says_so(table, monkeypatch: pytest.MonkeyPatch):
    found = recorded(table, whole(SEED, observed=True))

    def nothing(*_: object, **__: object) -> Any:
        raise NoAnalysis

    monkeypatch.setattr(engine, "_compile_wasm_module", nothing)
    monkeypatch.setattr(engine._of_thread, "engine", None)
    answer = table.client.get(f"{found}/analysis")
    assert (answer.status_code, answer.json["code"]) == (404, "no_analysis")
    assert "wasmtime" in answer.json["detail"]
    assert table.client.get(f"{found}/reel").status_code == 200


def test_a_partida_that_is_not_there_has_none(table):
    nowhere = f"/api/v1/encuentros/{UUID(int=1)}/partidas/1/analysis"
    assert table.client.get(nowhere).status_code == 401
    assert table.get(nowhere).status_code == 404
