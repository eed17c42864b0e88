"""Tokens of apps: made with scopes, shown once, listed with their last use, revoked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pyotp
import pytest

from api.http.access import guard
from api.http.access.tokens import WITHIN_S, TokenPace
from projections.runner.log import LogReader
from referee.access.keys import DAY_S
from referee.access.password_recovery import PasswordReset
from referee.events import AccessRevoked, RoleGranted, TokenMade
from referee.kinds import ACCESS_ID
from referee.log.streams import WriteMetadata
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table

TOKENS = "/api/v1/tokens"
OWN = "/api/v1/sign-ins/own"
SECRET = re.compile(r"guinote_[0-9a-f]{64}")
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def table(tmp_path: Path):
    with kept_table(tmp_path) as made:
        yield made


def made(table: HttpTable, *scopes: str, by: Any = None, **more: Any) -> Any:
    """A token as the answer that made it has it."""
    body = {"name": "Marcador", "scopes": list(scopes), **more}
    answer = table.app.test_client().post(TOKENS, json=body, headers=by or table.owner())
    assert answer.status_code == 201, answer.text
    return answer.json


def bearer(token: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {token['token']}"}


def status(table: HttpTable, token: Any, path: str, method: str = "GET") -> int:
    visitor = table.app.test_client()
    return int(visitor.open(path, method=method, headers=bearer(token)).status_code)


def test_a_token_does_what_its_scopes_say_until_it_is_revoked(table: HttpTable) -> None:
    reads, asks = made(table, "read:official"), made(table, "read:public")
    assert SECRET.fullmatch(reads["token"])
    assert status(table, reads, ENCUENTROS) == 200
    refused = table.app.test_client().get(ENCUENTROS, headers=bearer(asks))
    assert (refused.status_code, refused.json["code"]) == (403, "out_of_scope")
    assert "insufficient_scope" in refused.headers["WWW-Authenticate"]
    own = table.app.test_client().get(OWN, headers=bearer(reads)).json
    assert (own["holder"], own["scopes"]) == (reads["id"], ["read:official"])
    ended = table.client.delete(f"{TOKENS}/{reads['id']}", headers=table.owner())
    assert ended.status_code == 204
    assert status(table, reads, ENCUENTROS) == 401
    assert [one["id"] for one in table.get(TOKENS).json["items"]] == [asks["id"]]
    assert table.client.delete(f"{TOKENS}/{reads['id']}", headers=table.owner()).status_code == 404


def test_a_token_of_one_table_records_there_and_nowhere_else(table: HttpTable) -> None:
    here, there = table.encuentro(), table.encuentro()
    token = made(table, "record", encuentro=here.rpartition("/")[2])
    assert (status(table, token, here), status(table, token, there)) == (200, 403)
    headers = {**bearer(token), "Idempotency-Key": "one-partida", "If-Match": '"2"'}
    opened = table.app.test_client().post(f"{here}/partidas", json={}, headers=headers)
    assert opened.status_code == 201, opened.text
    nowhere = {"name": "x", "scopes": ["record"], "encuentro": str(UUID(int=1))}
    assert table.client.post(TOKENS, json=nowhere, headers=table.owner()).status_code == 404


def test_the_secret_is_kept_nowhere_and_the_log_has_no_name(table: HttpTable) -> None:
    token = made(table, "record", name="Tablet de Pilar", days=7, origins=["https://Club.example/"])
    folder = Path(table.app.extensions["owner"].file).parent
    kept = b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())
    assert token["token"].encode() not in kept
    log = LogReader(folder / "log.sqlite")
    (event,) = [one.event for one in log.history(ACCESS_ID, 9)]
    log.close()
    assert event == TokenMade(
        token["id"], ("record",), 7, "", ("https://club.example",), by="owner"
    )


def test_reading_with_a_token_writes_no_event_and_notes_the_day(table: HttpTable) -> None:
    token = made(table, "read:official")
    assert token["used"] is None
    before = table.app.extensions["guinote"]().referee.roles.access().version
    assert status(table, token, ENCUENTROS) == 200
    (listed,) = table.get(TOKENS).json["items"]
    assert listed["used"] == listed["made"]
    assert "token" not in listed
    (row,) = [
        one
        for one in table.app.extensions["guinote"]().keys.all_valid_tokens()
        if one.kind == "app"
    ]
    assert row.used is not None
    assert row.used % DAY_S == 0
    assert table.app.extensions["guinote"]().referee.roles.access().version == before


def test_a_token_is_at_most_what_its_maker_is_now(table: HttpTable) -> None:
    services = table.app.extensions["guinote"]()
    arbiter = table.signed_in("arbiter")
    wants_more = {"name": "x", "scopes": ["organise"]}
    refused = table.client.post(TOKENS, json=wants_more, headers=arbiter)
    assert (refused.status_code, refused.json["code"]) == (409, "may-not-grant")
    token = made(table, "read:official", by=arbiter)
    assert status(table, token, ENCUENTROS) == 200
    meta = WriteMetadata("owner", "console", services.clock())
    services.referee.roles.record(RoleGranted(token["by"], "spectator"), meta)
    assert status(table, token, ENCUENTROS) == 403
    other = made(table, "read:official", by=table.signed_in("director"))
    services.admission.revoke_holders([other["by"]], meta)
    assert status(table, other, ENCUENTROS) == 401
    assert other["id"] not in [one["id"] for one in table.get(TOKENS).json["items"]]
    assert services.referee.roles.access().holders[other["id"]].is_active is False
    last = made(table, "read:official", by=table.signed_in("director"))
    services.referee.roles.record(AccessRevoked(last["by"]), meta)  # by a program of before
    assert status(table, last, ENCUENTROS) == 401


def test_another_password_and_a_new_second_step_end_the_tokens(table: HttpTable) -> None:
    old, new = "caballo de copas", "sota de bastos con siete"
    services = table.app.extensions["guinote"]()
    holder = services.keys.open_account("Pilar", old)
    meta = WriteMetadata("owner", "console", services.clock())
    services.referee.roles.record(RoleGranted(holder, "director"), meta)
    browser = table.app.test_client()
    browser.post("/entrar", data={"name": "Pilar", "password": old})

    def token() -> Any:
        body = {"name": "x", "scopes": ["read:official"]}
        return browser.post(TOKENS, json=body, headers=OURS).json

    first = token()
    assert status(table, first, ENCUENTROS) == 200
    form = {"old": old, "password": new}
    assert browser.post("/cuenta", data=form, headers=OURS).status_code == 303
    assert status(table, first, ENCUENTROS) == 401
    second = token()
    browser.post("/cuenta/segundo", data={"old": new}, headers=OURS)
    code = pyotp.TOTP(services.factors.proposal(holder)).now()
    assert (
        browser.post("/cuenta/segundo/codigo", data={"code": code}, headers=OURS).status_code < 300
    )
    assert status(table, second, ENCUENTROS) == 401
    third, secret = token(), services.resets.make_reset_secret(PasswordReset(holder, "owner"))
    form = {"link": secret, "password": old}
    assert table.app.test_client().post("/contrasena", data=form).status_code == 303
    assert status(table, third, ENCUENTROS) == 401
    assert not services.referee.roles.access().active_token_ids_of_makers(holder)


def test_an_account_whose_token_is_at_a_table_that_it_lost_can_be_revoked(table: HttpTable) -> None:
    here, there = (table.encuentro().rpartition("/")[2] for _ in range(2))
    services, arbiter = table.app.extensions["guinote"](), table.signed_in("arbiter")
    token = made(table, "record", by=arbiter, encuentro=here)
    meta = WriteMetadata("owner", "console", services.clock())
    services.referee.roles.record(RoleGranted(token["by"], "arbiter", there), meta)
    services.admission.revoke_holders([token["by"]], meta)
    assert table.client.get(TOKENS, headers=arbiter).status_code == 401


def test_everybody_sees_and_revokes_their_own_and_an_admin_all(table: HttpTable) -> None:
    ana, blas = table.signed_in("arbiter"), table.signed_in("arbiter")
    token = made(table, "record", by=ana)
    assert [one["id"] for one in table.client.get(TOKENS, headers=ana).json["items"]] == [
        token["id"]
    ]
    assert table.client.get(TOKENS, headers=blas).json["items"] == []
    assert table.client.delete(f"{TOKENS}/{token['id']}", headers=blas).status_code == 404
    assert table.client.delete(f"{TOKENS}/{token['id']}", headers=ana).status_code == 204
    assert status(table, token, OWN) == 401


def test_whoever_may_make_no_token_any_more_sees_and_revokes_their_own(table: HttpTable) -> None:
    services, ana = table.app.extensions["guinote"](), table.signed_in("arbiter")
    first, second = made(table, "read:official", by=ana), made(table, "read:official", by=ana)
    app = bearer(first)
    assert table.app.test_client().get(TOKENS, headers=app).json["items"] == []
    meta = WriteMetadata("owner", "console", services.clock())
    services.referee.roles.record(RoleGranted(first["by"], "spectator"), meta)
    listed = table.client.get(TOKENS, headers=ana).json["items"]
    assert {one["id"] for one in listed} == {first["id"], second["id"]}
    assert table.client.delete(f"{TOKENS}/{first['id']}", headers=ana).status_code == 204
    assert status(table, first, OWN) == 401
    browser = table.app.test_client()
    browser.set_cookie("guinote", ana["Authorization"].removeprefix("Bearer "))
    assert "/casa/aplicaciones" in browser.get("/cuenta").text
    page = browser.get("/casa/aplicaciones").text
    assert second["id"] in page
    assert 'name="scopes"' not in page
    gone = browser.post(f"/casa/aplicaciones/{second['id']}/baja", headers=OURS)
    assert (gone.status_code, status(table, second, OWN)) == (303, 401)


def test_a_token_makes_no_token_and_is_no_cookie_and_opens_no_page(table: HttpTable) -> None:
    token = made(table, "organise", "record", "read:official", "read:public")
    body = {"name": "x", "scopes": ["read:public"]}
    again = table.app.test_client().post(TOKENS, json=body, headers=bearer(token))
    assert (again.status_code, again.json["code"]) == (403, "out_of_scope")
    browser = table.app.test_client()
    browser.set_cookie("guinote", token["token"])
    assert browser.get(ENCUENTROS).status_code == 401
    for path in ("/jugadores/", "/cuenta", "/casa", "/arbitro/"):
        assert status(table, token, path) == 403, path
    shown = table.app.test_client().get("/", headers=bearer(token))
    assert shown.text == table.app.test_client().get("/").text


def test_a_token_ends_on_its_last_day_and_with_the_key_of_the_club(table: HttpTable) -> None:
    token = made(table, "read:official", days=1)
    services = table.app.extensions["guinote"]()
    now = services.keys._clock
    services.keys._clock = lambda: now() + DAY_S + 1
    assert status(table, token, ENCUENTROS) == 401
    assert table.get(TOKENS).json["items"] == []
    services.keys._clock = now
    assert status(table, token, ENCUENTROS) == 200
    table.app.extensions["owner"].rotate()
    assert status(table, token, ENCUENTROS) == 401
    assert table.client.get(TOKENS, headers=table.signed_in("admin")).json["items"] == []


def test_a_token_that_asks_too_fast_is_told_to_wait(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "PACE", TokenPace(2))
    token, other = made(table, "read:official"), made(table, "read:official")
    assert [status(table, token, ENCUENTROS) for _ in range(2)] == [200, 200]
    refused = table.app.test_client().get(ENCUENTROS, headers=bearer(token))
    assert (refused.status_code, refused.json["code"]) == (429, "too_fast")
    assert 0 < int(refused.headers["Retry-After"]) <= WITHIN_S
    assert status(table, other, ENCUENTROS) == 200
    pace = TokenPace(1)
    assert [pace.count_and_give_wait("a", at) for at in (0.0, 20.0, 60.0)] == [0.0, 40.0, 0.0]


def test_the_page_makes_a_token_shows_it_once_and_revokes_it(table: HttpTable) -> None:
    secretary = table.app.test_client()
    secretary.post("/entrar", data={"token": table.token})
    path = "/casa/aplicaciones"
    assert path in secretary.get("/casa").text
    key = re.findall(r'name="key" value="(\w+)"', secretary.get(path).text)[0]
    form = {"name": "Tele del bar", "scopes": ["read:public", "record"], "days": "30", "key": key}
    for field, value, said in (
        ("days", "9" * 5000, "Tiene que ser un número"),
        ("encuentro", str(UUID(int=1)), "No existe"),
        ("scopes", [], "Falta esto"),
    ):
        again = secretary.post(path, data={**form, field: value}, headers=OURS)
        assert again.status_code in (404, 422), field
        assert said in again.text
        assert 'value="Tele del bar"' in again.text
    wrong = secretary.post(path, data={**form, "origins": "club"}, headers=OURS)
    assert wrong.status_code == 422
    assert "https://club.example" in wrong.text
    answer = secretary.post(path, data={**form, "origins": "https://a.example"}, headers=OURS)
    (secret,) = SECRET.findall(answer.text)
    reloaded = {**form, "origins": "https://a.example"}
    assert secretary.post(path, data=reloaded, headers=OURS).status_code == 303
    page = secretary.get(path).text
    assert secret not in page
    assert "Tele del bar" in page
    assert "https://a.example" in page
    (row,) = re.findall(rf'href="({path}/\w+/baja)"', page)
    assert "Tele del bar" in secretary.get(row).text
    assert secretary.post(row, headers=OURS).status_code == 303
    assert status(table, {"token": secret}, OWN) == 401
    assert "Tele del bar" not in secretary.get(path).text
    log = secretary.get("/casa/seguridad").text
    assert "Llave de aplicación hecha" in log
    assert "Ver lo público, Apuntar en las mesas" in log
