"""Reading over HTTP: paging, replays, audit trails, tags, waiting, public data."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError

from api.server import side_processes, wiring
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta

LED = [card("A1", "3C"), card("B1", "4C"), card("A2", "5C"), card("B2", "6C")]


@pytest.fixture
def partida(table: HttpTable) -> str:
    where = table.partida()
    assert table.record(where, 0, deal(), pinta("RO"), *LED).status_code == 200
    return where


def public_of(partida: str) -> str:
    return partida.partition("/partidas")[0].replace("/v1/", "/v1/public/")


def test_a_write_is_read_at_once_by_who_waits_for_it(table: HttpTable) -> None:
    where = table.partida()
    for version in range(2, 30):
        act = deal() if version == 2 else {"kind": "time"}
        wrote = table.record(where, version - 2, act)
        path = f"{where}?wait={wrote.json['position']}"
        assert table.client.get(path, headers=table.owner()).json["version"] == version - 1


def test_a_position_beyond_the_log_is_refused_and_one_not_read_in_time_is_not_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = HttpTable(tmp_path)
    beyond = table.get(f"{ENCUENTROS}?wait=99")
    assert (beyond.status_code, beyond.json["code"]) == (422, "invalid")
    endless = table.get(ENCUENTROS, **{"Guinote-Position": "0" * 20 + "9" * 5000})
    assert endless.json["codes"] == {"query": {"wait": ["not_a_position"]}}
    monkeypatch.setattr("api.http.services.VIEWS_TIMEOUT_S", 0.05)
    alone = wiring.app(tmp_path / "alone", with_projector=False)
    token = (tmp_path / "alone" / "owner.token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "key-alone"}
    client: Any = alone.test_client()
    opened = client.post(ENCUENTROS, json={"profile": {"id": "club"}}, headers=headers)
    assert opened.status_code == 201
    late = client.get(f"{ENCUENTROS}?wait=1", headers=headers)
    assert (late.status_code, late.json["code"]) == (503, "not_yet")
    assert late.headers["Retry-After"] == "1"
    page = client.get(f"/e/{opened.json['id']}", headers=headers)
    assert (page.status_code, page.mimetype) == (503, "text/html")
    assert page.headers["Refresh"] == "1"


def test_a_list_is_read_page_by_page(table: HttpTable) -> None:
    opened = [table.encuentro().rpartition("/")[2] for _ in range(7)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = table.get(f"{ENCUENTROS}?limit=3{cursor}").json
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == opened[::-1]


def test_an_audit_trail_is_read_page_by_page(table: HttpTable, partida: str) -> None:
    whole = table.get(f"{partida}/audit").json
    first = table.get(f"{partida}/audit?limit=4").json
    rest = table.get(f"{partida}/audit?cursor={first['next']}").json
    assert first["items"] + rest["items"] == whole["items"]
    assert (whole["next"], rest["next"]) == (None, None)
    assert {(one["by"], one["device"]) for one in whole["items"]} == {("owner", "token")}


def test_a_device_that_names_itself_is_told_apart_by_a_hash(table: HttpTable, partida: str) -> None:
    named = []
    for version, (name, token) in enumerate([("tablet 3", "AC"), ("tablet 4", "RC")], 6):
        body = {"acts": [card("A1" if version == 6 else "B1", token)]}
        table.post(f"{partida}/acts", body, version, **{"Guinote-Device": name})
        named.append(table.get(f"{partida}/audit").json["items"][-1]["device"])
    assert len(set(named)) == 2
    assert all(re.fullmatch("hmac-[0-9a-f]{32}", one) for one in named)


def test_a_partida_is_replayed_at_any_line(table: HttpTable, partida: str) -> None:
    laid = [
        len(table.get(f"{partida}/replay?line={line}").json["deals"][0]["on_table"])
        for line in range(1, 7)
    ]
    assert laid == [0, 0, 1, 2, 3, 0]
    assert table.get(f"{partida}/replay?line=0").json["deals"] == []
    last = table.get(f"{partida}/replay").json
    now = table.get(partida).json
    assert {key: last[key] for key in now} == now


def test_a_reader_who_has_the_view_gets_not_modified(table: HttpTable, partida: str) -> None:
    first = table.get(partida)
    tag = first.headers["Guinote-View"]
    again = table.get(partida, **{"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"] == '"6"'
    table.record(partida, 6, card("A1", "AC"))
    assert table.get(partida, **{"If-None-Match": tag}).status_code == 200


def test_a_view_that_changes_without_its_version_is_sent(table: HttpTable) -> None:
    """Following an outcome does not advance the version of the encuentro."""
    where = table.encuentro()
    partida = table.partida(where)
    before = table.get(where)
    table.record(partida, 0, {"kind": "result", "winner": "A"})
    after = table.get(where, **{"If-None-Match": before.headers["Guinote-View"]})
    assert after.status_code == 200
    assert after.headers["ETag"] == before.headers["ETag"]
    assert after.json["partidas"][0]["winner"] == "A"


def test_findings_are_in_the_language_of_the_reader(table: HttpTable, partida: str) -> None:
    table.record(partida, 6, card("B1", "AC"))
    said = {
        lang: table.get(f"{partida}/findings", **{"Accept-Language": lang}).json["findings"][0][
            "text"
        ]
        for lang in ("es", "ca", "en", "fr")
    }
    assert len(set(said.values())) == 4


def public_answers(
    folder: Path, secret: list[dict[str, Any]]
) -> list[tuple[int, bytes, list[str]]]:
    """What the public sees of a table after each act, when these acts are the secret ones."""
    table = HttpTable(folder)
    partida = table.partida()
    table.record(partida, 0, deal(), pinta("RO"))
    answers = []
    for version, act in enumerate(secret, 2):
        assert table.record(partida, version, act).status_code == 200
        table.get(partida)
        answer = table.client.get(public_of(partida))
        headers = [name for name, _ in answer.headers]
        view = {**(answer.json or {}), "id": ""}
        answers.append((answer.status_code, json.dumps(view).encode(), headers))
    table.close()
    return answers


SECRETS: list[list[dict[str, Any]]] = [
    [
        card("A1", "3C"),
        card("B1", "4C"),
        {"kind": "hand", "seat": "A2", "cards": ["AO", "AC"], "moment": "now"},
    ],
    [
        card("A1", "AE"),
        card("B1", "3E"),
        {"kind": "hand", "seat": "B2", "cards": ["2O", "2C"], "moment": "now"},
    ],
    [
        card("B2", "2B"),
        {"kind": "incident", "incident": "talk", "seat": "A1", "text": "x"},
        {"kind": "time"},
    ],
]


@pytest.mark.parametrize("other", [1, 2])
def test_two_tables_that_differ_only_in_secrets_look_alike(tmp_path: Path, other: int) -> None:
    one = public_answers(tmp_path / "one", SECRETS[0])
    two = public_answers(tmp_path / "two", SECRETS[other])
    assert one == two


def test_every_error_has_the_same_shape(table: HttpTable, partida: str) -> None:
    answers = [
        table.get("/api/nothing"),
        table.get("/api/v1/profiles/mus"),
        table.client.get(ENCUENTROS),
        table.client.delete(ENCUENTROS, headers=table.owner()),
        table.post(f"{partida}/acts", {"acts": [card("A1", "3C")]}, 6),
        table.post(f"{partida}/acts", {"acts": [card("A1", "3C")]}, 5),
        table.post(f"{partida}/acts", {"acts": []}, 6),
        table.post(f"{partida}/acts", {"acts": []}),
        table.get(f"{partida}/replay?line=99"),
    ]
    assert [one.status_code for one in answers] == [404, 404, 401, 405, 409, 412, 422, 428, 404]
    for one in answers:
        assert one.content_type == "application/problem+json"
        assert one.json["status"] == one.status_code
        assert set(one.json) >= {"type", "title", "status", "code", "detail"}
        assert one.headers["Content-Language"] == "es"
        assert one.headers["Cache-Control"] == "no-store"


def test_an_internal_error_is_logged_and_shows_no_details(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("inner secret")

    monkeypatch.setattr("api.encuentros.views.encuentro_list_page", broken)
    answer = table.get(ENCUENTROS)
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert "secret" not in answer.text
    logged = [one.exc_info for one in caplog.records if one.exc_info]
    assert [kind for kind, _, _ in logged] == [RuntimeError]


def test_a_store_that_fails_is_unavailable_and_not_ready(table: HttpTable) -> None:
    table.get(ENCUENTROS)
    log = Path(str(table.app.extensions["guinote"].files.log))
    table.app.extensions["guinote"].close()
    log.rename(log.with_suffix(".away"))
    log.mkdir()
    answer = table.client.get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert table.client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "error", [OperationalError("disk full"), sqlite3.OperationalError("disk full")]
)
def test_a_full_disk_is_unavailable_and_not_a_failure_of_ours(
    table: HttpTable, partida: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("referee.handlers.encuentros.EncuentroHandler.record_partida_acts", full)
    answer = table.record(partida, 6, card("A1", "AC"))
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "1"


def test_a_read_side_far_behind_is_not_ready(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.encuentro()
    monkeypatch.setattr("projections.runner.views.Views.position", lambda _: -5000)
    assert table.client.get("/readyz").status_code == 503


@pytest.mark.parametrize(("hops", "status"), [("0", 403), ("1", 201)])
def test_behind_a_proxy_the_address_is_that_of_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hops: str, status: int
) -> None:
    monkeypatch.setenv("GUINOTE_PROXIES", hops)
    monkeypatch.setenv("GUINOTE_HOST", "club.example")
    table = HttpTable(tmp_path)
    forwarded = {"X-Forwarded-Host": "club.example", "X-Forwarded-Proto": "https"}
    entered = table.client.post("/entrar", data={"token": table.token}, headers=forwarded)
    name, _, value = entered.headers["Set-Cookie"].partition(";")[0].partition("=")
    assert name == ("__Host-guinote" if hops == "1" else "guinote")
    sent = {
        **forwarded,
        "Cookie": f"{name}={value}",
        "Origin": "https://club.example",
        "Idempotency-Key": table.key(),
    }
    client = table.app.test_client(use_cookies=False)
    answer = client.post(ENCUENTROS, json={"profile": {"id": "club"}}, headers=sent)
    assert answer.status_code == status


def test_the_data_are_opened_once_however_many_requests_come_first(tmp_path: Path) -> None:
    app = wiring.app(tmp_path)
    services: list[object] = []
    threads = [
        threading.Thread(target=lambda: services.append(app.extensions["guinote"]()))
        for _ in range(8)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len({id(one) for one in services}) == 1
    wiring.open_app_services(app)
    app.extensions["guinote"].close()


def test_data_and_projector_are_chosen_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUINOTE_DATA", str(tmp_path / "there"))
    assert wiring.files_of_folder().log == tmp_path / "there" / "log.sqlite"
    assert side_processes.is_to_start_projector()
    monkeypatch.setenv("GUINOTE_PROJECTOR", "off")
    assert not side_processes.is_to_start_projector()
