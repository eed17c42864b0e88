"""An app signs in with a password, renews its token, and signs out."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pyotp
import pytest

from api.http.access import guard
from api.http.access.tokens import TokenPace
from referee.access.attempts import ONE_GUESSER
from referee.access.keys import DAY_S, LASTS_S
from referee.events import Role, RoleGranted
from referee.log.streams import WriteMetadata
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table

SIGN_INS = "/api/v1/sign-ins"
PASSWORD = "caballo de copas"


@pytest.fixture
def table(tmp_path: Path):
    with kept_table(tmp_path) as made:
        yield made


def account(table: HttpTable, name: str, role: Role) -> str:
    services = table.app.extensions["guinote"]()
    holder = str(services.keys.open_account(name, PASSWORD))
    meta = WriteMetadata("owner", "console", services.clock())
    services.referee.roles.record(RoleGranted(holder, role), meta)
    return holder


def signed_in(table: HttpTable, name: str, *scopes: str, **more: str) -> Any:
    body = {"name": name, "password": PASSWORD, "scopes": list(scopes), **more}
    return table.app.test_client().post(SIGN_INS, json=body)


def bearer(answer: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {answer.json['token']}"}


def read(table: HttpTable, answer: Any, path: str = ENCUENTROS) -> int:
    return int(table.app.test_client().get(path, headers=bearer(answer)).status_code)


def test_an_app_signs_in_within_scopes_renews_and_signs_out(table: HttpTable) -> None:
    holder = account(table, "Pilar", "arbiter")
    first = signed_in(table, "Pilar", "read:official", "organise")
    assert first.status_code == 201, first.text
    assert (first.json["holder"], first.json["role"]) == (holder, "arbiter")
    assert first.json["token"].startswith("guinote_")
    now = table.app.extensions["guinote"]().clock()
    left = datetime.fromisoformat(first.json["until"]) - now
    assert abs(left.total_seconds() - LASTS_S["app_session"]) < 60
    assert read(table, first) == 200
    visitor = table.app.test_client()
    own = visitor.get(f"{SIGN_INS}/own", headers=bearer(first)).json
    assert own["scopes"] == ["read:official", "organise"]
    assert "encuentros:open" in own["permissions"]
    assert not {"tournaments:run", "rulings:give", "devices:pair"} & set(own["permissions"])
    second = visitor.post(f"{SIGN_INS}/own/renewal", json={}, headers=bearer(first))
    assert second.json["scopes"] == first.json["scopes"]
    assert (read(table, first), read(table, second)) == (401, 200)
    left_out = visitor.delete(f"{SIGN_INS}/own", headers=bearer(second))
    assert (left_out.status_code, read(table, second)) == (204, 401)


def test_a_sign_in_of_an_app_is_listed_and_ends_with_the_others(table: HttpTable) -> None:
    holder = account(table, "Pilar", "arbiter")
    services, answer = table.app.extensions["guinote"](), signed_in(table, "Pilar", "record")
    assert "Pilar" in table.get("/casa").text.partition("entradas/")[0].rpartition("<tr>")[2]
    browser = table.app.test_client()
    browser.set_cookie("guinote", answer.json["token"])
    assert browser.get("/cuenta").status_code == 302
    assert read(table, answer, "/cuenta") == 403
    services.keys.change_password(holder, "sota de bastos con siete")
    assert read(table, answer) == 401


def test_what_is_wrong_is_said_by_code_and_noted(table: HttpTable) -> None:
    account(table, "Pilar", "arbiter")
    wrong = signed_in(table, "Pilar", "record", password="sota de oros 4711")
    assert wrong.status_code == 422
    assert wrong.json["codes"] == {"json": {"password": ["wrong_password"]}}
    unknown = signed_in(table, "Nadie", "record")
    assert unknown.json["codes"] == wrong.json["codes"]
    assert signed_in(table, "Pilar").json["codes"]["json"]["scopes"] == ["length"]
    kinds = [one.kind for one in table.app.extensions["guinote"]().security.latest_entries(2)]
    assert kinds == ["sign_in_failed", "sign_in_failed"]


def test_guessing_by_an_app_has_the_limits_of_the_page(table: HttpTable) -> None:
    account(table, "Pilar", "arbiter")
    for _ in range(ONE_GUESSER[0].number):
        assert signed_in(table, "Pilar", "record", password="sota de oros 1").status_code == 422
    right = signed_in(table, "Pilar", "record")
    assert (right.status_code, right.json["code"]) == (429, "too_many")
    assert int(right.headers["Retry-After"]) > 0


def test_a_second_step_is_asked_for(table: HttpTable) -> None:
    holder = account(table, "Pilar", "arbiter")
    factors = table.app.extensions["guinote"]().factors
    factors.propose(holder)
    secret = factors.proposal(holder)
    factors.confirm(holder, pyotp.TOTP(secret).now())
    wanted = signed_in(table, "Pilar", "record")
    assert wanted.json["codes"] == {"json": {"code": ["code_wanted"]}}
    bad = signed_in(table, "Pilar", "record", code="000000")
    assert bad.json["codes"] == {"json": {"code": ["wrong_code"]}}
    code = pyotp.TOTP(secret).at(int(time.time()) + 30)
    assert signed_in(table, "Pilar", "record", code=code).status_code == 201


@pytest.mark.parametrize("path", [SIGN_INS, "/api/v1/pairings"])
@pytest.mark.parametrize("from_there", [{}, {"Sec-Fetch-Site": "cross-site"}])
def test_a_page_of_another_site_lets_nobody_in_whatever_token_it_has(
    table: HttpTable, path: str, from_there: dict[str, str]
) -> None:
    account(table, "Pilar", "arbiter")
    site = "https://club.example"
    web = {"name": "Web", "scopes": ["read:public"], "origins": [site]}
    token = table.client.post("/api/v1/tokens", json=web, headers=table.owner()).json["token"]
    body = {"name": "Pilar", "password": PASSWORD, "scopes": ["record"], "code": "ABCDEFGH"}
    visitor = table.app.test_client()
    for sent in ("", "Bearer junk", f"Bearer {token}"):
        headers = {"Origin": site, **from_there} | ({"Authorization": sent} if sent else {})
        answer = visitor.post(path, json=body, headers=headers)
        assert (answer.status_code, answer.json["code"]) == (403, "cross_site"), sent
        assert "Access-Control-Allow-Origin" not in answer.headers
    asked = {"Origin": site, "Access-Control-Request-Method": "POST"}
    assert "Access-Control-Allow-Origin" not in visitor.options(path, headers=asked).headers
    assert "Access-Control-Allow-Origin" in visitor.options(ENCUENTROS, headers=asked).headers


def test_an_app_that_signed_in_is_not_kept_out_by_those_who_guess(table: HttpTable) -> None:
    account(table, "Pilar", "arbiter")
    known = signed_in(table, "Pilar", "record").json["known_app"]
    for _ in range(ONE_GUESSER[0].number):
        signed_in(table, "Pilar", "record", password="sota de oros 1")
    assert signed_in(table, "Pilar", "record").status_code == 429
    again = signed_in(table, "Pilar", "record", known_app=known)
    assert again.status_code == 201
    for _ in range(ONE_GUESSER[0].number):
        signed_in(table, "Pilar", "record", password="x" * 20, known_app=again.json["known_app"])
    kept_out = signed_in(table, "Pilar", "record", known_app=again.json["known_app"])
    assert kept_out.status_code == 429


def renewed(table: HttpTable, answer: Any) -> Any:
    path = f"{SIGN_INS}/own/renewal"
    return table.app.test_client().post(path, json={}, headers=bearer(answer))


def test_a_sign_in_of_an_app_is_renewed_for_ninety_days_and_no_longer(table: HttpTable) -> None:
    account(table, "Pilar", "arbiter")
    services = table.app.extensions["guinote"]()
    keys, begun = services.keys, services.keys._clock()
    answer, days = signed_in(table, "Pilar", "record"), 0
    for days in (10, 20, 30, 40, 50, 60, 70, 80, 89):
        keys._clock = lambda at=begun + days * DAY_S: at
        before, answer = answer, renewed(table, answer)
        assert answer.status_code == 201, days
        ended = table.app.test_client().get(f"{SIGN_INS}/own", headers=bearer(before))
        assert (ended.status_code, ended.json["code"]) == (401, "revoked")
    left = datetime.fromisoformat(answer.json["until"]).timestamp() - begun
    assert abs(left - 90 * DAY_S) < 60
    keys._clock = lambda: begun + 91 * DAY_S
    assert renewed(table, answer).status_code == 401
    noted = [one for one in services.security.latest_entries(99) if one.detail == "renewal"]
    assert [one.kind for one in noted] == ["sign_in"] * 9


def test_a_renewed_token_keeps_the_pace_of_its_account(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "PACE", TokenPace(2))
    account(table, "Pilar", "arbiter")
    answer = signed_in(table, "Pilar", "record")
    assert read(table, answer) == 200
    answer = renewed(table, answer)
    assert read(table, answer) == 429
    assert read(table, answer, "/api/v1/nothing") == 429


def test_only_a_sign_in_of_an_app_is_renewed(table: HttpTable) -> None:
    arbiter = table.signed_in("arbiter")
    assert table.client.get(f"{SIGN_INS}/own", headers=arbiter).json["scopes"] is None
    refused = table.client.post(f"{SIGN_INS}/own/renewal", json={}, headers=arbiter)
    assert (refused.status_code, refused.json["code"]) == (403, "forbidden")
    assert table.client.delete(f"{SIGN_INS}/own", headers=arbiter).status_code == 204
    assert table.client.get(f"{SIGN_INS}/own", headers=arbiter).status_code == 401
    assert table.client.delete(f"{SIGN_INS}/own", headers=table.owner()).status_code == 403
