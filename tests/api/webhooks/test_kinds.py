"""What each kind of notification says, out of a real log, and after corrections."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from api.http.languages import texts_of_language
from api.webhooks.messages import BODY, message_of_notification
from projections.notifications import KINDS, Notification, notifications_of_event
from referee.access.webhooks import LogPlace
from tests.support.servers.documented import document_of
from tests.support.servers.every_write import (
    ANA,
    BLAS,
    JUDGE,
    OTHER,
    PLAYED,
    of_case,
    of_result,
    sent,
)
from tests.support.servers.http_table import NAMES, HttpTable
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path):
    with kept_table(tmp_path) as found:
        yield found


def told(table: HttpTable, kind: str) -> list[Notification]:
    """Notifications of a kind of the whole log."""
    with closing(table.app.extensions["guinote"]().open_log()) as log:
        return [
            one
            for logged in log.read_from(1, 10_000)
            for one in notifications_of_event(logged, (kind,), log.history)
        ]


def said(table: HttpTable, kind: str, *facts: str) -> list[tuple[Any, ...]]:
    """Some facts of each notification of a kind, and whether it is a correction."""
    return [
        (*(one.facts.get(fact) for fact in facts), one.is_corrected) for one in told(table, kind)
    ]


def won(side: str) -> dict[str, Any]:
    return {"kind": "result", "winner": side, "how": "concession"}


def test_a_partida_that_ends_and_is_corrected_is_told_again_as_it_stands(table):
    partida = table.partida()
    table.record(partida, 0, won("A"))
    changes = [{"line": 1, "how": "replace", "act": won("B")}]
    amended = {"changes": changes, "because": "Al revés."}
    seen = table.post(f"{partida}/amendments/preview", amended, 1).json
    assert seen, "looked at before"
    table.post(f"{partida}/amendments", amended, 1)
    table.post(f"{partida}/undo", {}, 2)
    facts = said(table, "partida.ended", "partida", "winner", "how")
    assert facts[:2] == [(1, "A", "concession", False), (1, "B", "concession", True)]
    assert all(one.facts["encuentro"] in partida for one in told(table, "partida.ended"))


def test_a_result_is_told_once_all_agree_and_again_when_it_does_not_stand(table):
    where = table.encuentro()
    table.partida(where)
    sent(table, f"{where}/rulings", {"winner": "A", "because": "No vienen."}, where)
    code = sent(table, f"{where}/result/codes", {"side": "B"}, where).json["code"]
    sent(table, f"{where}/result/reports", {"by": ANA, "side": "A"}, where)
    assert told(table, "result.confirmed") == []
    agreed = {"by": BLAS, "side": "B", "code": code}
    sent(table, f"{where}/result/confirmations", agreed, where)
    sent(table, f"{where}/result/signature", {"by": JUDGE}, where)
    reopened = {"by": JUDGE, "second": OTHER, "because": "Un error."}
    sent(table, f"{where}/result/reopenings", reopened, where)
    contest = {"by": BLAS, "side": "B", "because": "No fue así.", "partida": 1}
    sent(table, f"{where}/result/contests", contest, where)
    facts = said(table, "result.confirmed", "stage")
    assert facts[0] == ("confirmed", False)
    assert facts[1:] == [("provisional", True)]


def test_rulings_of_the_table_of_a_case_and_on_the_encuentro_are_told(table):
    partida = table.partida()
    table.record(partida, 0, *PLAYED)
    ruling = {"kind": "ruling", "effect": "warning", "side": "A", "text": "Avisado."}
    assert table.record(partida, len(PLAYED), ruling).status_code == 200
    assert table.post(f"{partida}/undo", {}, len(PLAYED) + 1).status_code == 200
    facts = said(table, "ruling.given", "partida", "effect")
    assert facts == [(1, "warning", False), (1, None, True)]
    where = table.encuentro()
    table.partida(where)
    sent(table, f"{where}/rulings", {"winner": "A", "because": "No vienen."}, where)
    assert said(table, "ruling.given", "partida", "effect")[2:] == [(None, None, False)]
    of_case(table)
    assert len(told(table, "ruling.given")) > 3


def test_a_round_that_is_drawn_taken_back_and_drawn_again_is_told_each_time(table):
    played = HttpTournament(table, 4, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    played.do("rounds/1/withdrawal")
    played.do("rounds")
    played.play_open()
    played.do("rounds")
    assert said(table, "round.drawn", "round", "stage") == [
        *((1, "drawn", False), (1, "taken_back", True), (1, "drawn", True)),
        (2, "drawn", False),
    ]


def test_a_message_has_an_id_of_its_own_and_no_name_of_anybody(table):
    for _ in range(2):
        table.record(table.partida(), 0, won("A"))
    found = told(table, "partida.ended")
    ids = {
        message_of_notification(one, hook, LogPlace(0, "")).id
        for one in found
        for hook in ("w1", "w2")
    }
    assert len(ids) == 4
    for one in found:
        body = json.loads(message_of_notification(one, "w1", LogPlace(0, "")).body)
        links = body["data"]["links"]
        for name, link in links.items():
            assert table.get(link).status_code == 200, name
        assert table.client.get(links["public"]).status_code == 200, "open to everybody"
        text = json.dumps(body, ensure_ascii=False)
        assert not [name for name in NAMES.values() if name in text]


def test_every_kind_has_its_words():
    for kind in KINDS:
        assert f"webhooks.kind.{kind.replace('.', '_')}" in texts_of_language("es")


def test_the_document_of_the_api_has_each_kind_and_every_key_of_what_is_sent(table):
    document = document_of(table.app)
    assert set(document["webhooks"]) == set(KINDS)
    keys = set(document["components"]["schemas"][BODY]["properties"]["data"]["properties"])
    played = HttpTournament(table, 4, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    of_case(table)
    of_result(table)
    found = [one for kind in KINDS for one in told(table, kind)]
    assert {one.kind for one in found} == set(KINDS)
    assert {"links"}.union(*(one.facts for one in found)) == keys
