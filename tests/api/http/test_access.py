"""Access: every route has a permission, strangers are refused, other sites are refused."""

from __future__ import annotations

import hashlib
import hmac
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from api.cli.main import main
from api.http.access import guard
from api.http.access.tokens import Owner
from api.server import wiring
from tests.api.http.test_access_matrix import routes
from tests.support.guesses import use_up_strong
from tests.support.servers.http_league import show_leagues_to
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta

PUBLIC = {
    "/api/v1/profiles",
    "/api/v1/public/",
    "/livez",
    "/healthz",
    "/readyz",
    "/api/openapi.json",
}


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


def rules(app: Flask) -> list[tuple[str, str, set[str]]]:
    return [(one.endpoint, one.rule, set(one.methods or ())) for one in app.url_map.iter_rules()]


def test_every_route_names_its_permission(table: HttpTable) -> None:
    with table.app.app_context():
        missing = [
            rule
            for endpoint, rule, _ in rules(table.app)
            if guard.permission_of_endpoint(endpoint) is None
        ]
    assert missing == []


def test_only_what_is_meant_to_be_open_is_open(table: HttpTable) -> None:
    with table.app.app_context():
        found = {
            re.sub(r"<(?:[^>]*:)?(\w+)>", r"<\1>", rule)
            for endpoint, rule, _ in rules(table.app)
            if guard.permission_of_endpoint(endpoint) == guard.OPEN
        }
    meant = {one.rule for one in routes() if one.permission == guard.OPEN}
    assert found == meant


def test_a_route_that_forgot_its_permission_is_closed(tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    table.app.add_url_rule("/forgotten", "forgotten", lambda: "open")
    assert table.get("/forgotten").status_code == 403


def test_strangers_read_and_write_nothing(table: HttpTable) -> None:
    show_leagues_to(table, "club")
    zero = "00000000-0000-0000-0000-000000000000"
    for endpoint, rule, methods in rules(table.app):
        with table.app.app_context():
            if guard.permission_of_endpoint(endpoint) == guard.OPEN:
                continue
        path = re.sub(r"<uuid:\w+>", zero, rule)
        path = re.sub(r"<int(\([^)]*\))?:\w+>|<\w+>", "1", path)
        path = re.sub(r"<string\(length=(\d+)\):\w+>", lambda one: "0" * int(one[1]), path)
        path = path.replace("<any(es,ca,en,fr):lang>", "es")
        for method in methods - {"OPTIONS"}:
            answer = table.client.open(path, method=method)
            assert answer.status_code in (401, 302), (method, path)
            if answer.status_code == 302:
                assert answer.headers["Location"].startswith("/entrar")


@pytest.mark.parametrize(
    "sent", ["Bearer wrong", "Bearer ", "Basic b3duZXI6eA==", "bearer", "Bearer ñ"]
)
def test_a_wrong_token_opens_nothing(table: HttpTable, sent: str) -> None:
    answer = table.client.get(ENCUENTROS, headers={"Authorization": sent})
    assert (answer.status_code, answer.json["code"]) == (401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_token_is_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    owner = Owner(tmp_path)
    first = owner.token()
    assert len(first) >= 43
    assert stat.S_IMODE(owner.file.stat().st_mode) == 0o600
    assert Owner(tmp_path).token() == first


def test_of_many_who_start_at_once_all_have_one_token(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(lambda _: Owner(tmp_path).token(), range(32)))
    assert len(tokens) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["owner.token"]


def test_an_empty_token_opens_nothing(tmp_path: Path) -> None:
    owner = Owner(tmp_path)
    owner.token()
    owner.file.write_text("")
    assert not owner.knows("")
    assert not Owner(tmp_path).knows("")


def test_a_rotated_token_closes_what_the_old_one_opened(tmp_path: Path) -> None:
    owner, running = Owner(tmp_path), Owner(tmp_path)
    first, mark = running.token(), running.mark()
    second = owner.rotate()
    assert stat.S_IMODE(owner.file.stat().st_mode) == 0o600
    assert (running.knows(first), running.knows(second)) == (False, True)
    assert not running.is_mark_current(mark)


def test_a_cookie_of_the_owner_opens_nothing_after_signing_out(table: HttpTable) -> None:
    client, _ = signed_in(table)
    cookie = client.get_cookie("guinote").value
    client.post("/salir", headers={"Sec-Fetch-Site": "same-origin"})
    thief, again = table.app.test_client(), signed_in(table)[0]
    thief.set_cookie("guinote", cookie)
    assert thief.get(ENCUENTROS).status_code == 401
    assert again.get_cookie("guinote").value != cookie


def test_sign_ins_of_the_owner_are_listed_and_end_with_the_token(tmp_path: Path) -> None:
    with closing(HttpTable(tmp_path)) as table:
        client, _ = signed_in(table)
        assert "Llave del club" in client.get("/casa").text
        assert "/cuenta/entradas/" in client.get("/cuenta").text
        keys = table.app.extensions["guinote"]().keys
        run = CliRunner().invoke(main, ["--data", str(tmp_path), "token", "rotate"])
        assert run.exit_code == 0
        assert keys.all_valid_tokens() == []
        assert client.get(ENCUENTROS).status_code == 401


def test_a_token_file_replaced_by_hand_ends_the_sign_ins_too(tmp_path: Path) -> None:
    with closing(HttpTable(tmp_path)) as table:
        client, _ = signed_in(table)
        assert client.get(ENCUENTROS).status_code == 200
        Owner(tmp_path).rotate()
        assert client.get(ENCUENTROS).status_code == 401


def test_a_cookie_of_the_owner_of_before_has_to_sign_in_again(table: HttpTable) -> None:
    client = table.app.test_client()
    hashed = hashlib.sha256(table.token.encode()).digest()
    client.set_cookie("guinote", hmac.new(hashed, b"cookie", hashlib.sha256).hexdigest())
    assert client.get(ENCUENTROS).status_code == 401


def signed_in(table: HttpTable) -> tuple[Any, str]:
    client = table.app.test_client()
    answer = client.post("/entrar", data={"token": table.token, "next": "/"})
    assert answer.status_code == 303
    return client, answer.headers["Set-Cookie"]


def test_a_browser_signs_in_with_a_cookie_that_scripts_and_other_sites_do_not_get(
    table: HttpTable,
) -> None:
    _, cookie = signed_in(table)
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert table.token not in cookie
    secure = table.app.test_client().post(
        "/entrar", data={"token": table.token}, base_url="https://localhost"
    )
    assert secure.headers["Set-Cookie"].startswith("__Host-guinote=")
    assert "Secure" in secure.headers["Set-Cookie"]


CROSS: list[tuple[dict[str, str], int]] = [
    ({"Sec-Fetch-Site": "same-origin"}, 201),
    ({"Sec-Fetch-Site": "none"}, 201),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
    ({"Origin": "http://localhost"}, 201),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://["}, 403),
    ({}, 403),
]


@pytest.mark.parametrize(("headers", "status"), CROSS)
def test_a_cookie_writes_only_from_our_own_pages(
    table: HttpTable, headers: dict[str, str], status: int
) -> None:
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token})
    sent = {**headers, "Idempotency-Key": table.key()}
    answer = client.post(ENCUENTROS, json={"profile": {"id": "club"}}, headers=sent)
    assert answer.status_code == status


def test_signing_out_takes_the_cookie_away(table: HttpTable) -> None:
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token})
    assert client.get("/repeticion/importar").status_code == 200
    client.post("/salir", headers={"Sec-Fetch-Site": "same-origin"})
    assert client.get("/repeticion/importar").status_code == 302


@pytest.mark.parametrize(
    "target",
    [
        *("//evil.example", "https://evil.example/", "/\\evil.example", "http://[", "//["),
        *("javascript:x", "\x01", "/\t/evil.example"),
    ],
)
def test_signing_in_leads_to_our_own_pages_only(table: HttpTable, target: str) -> None:
    answer = table.app.test_client().post("/entrar", data={"token": table.token, "next": target})
    assert answer.headers["Location"] == "/"


def test_failures_are_known_to_every_worker(tmp_path: Path) -> None:
    first, second = (wiring.app(tmp_path).test_client() for _ in range(2))
    assert first.post("/entrar", data={"token": "guess"}).status_code == 403
    use_up_strong(first.application)
    assert second.post("/entrar", data={"token": "guess"}).status_code == 429


def test_every_answer_carries_the_headers_of_a_careful_site(table: HttpTable) -> None:
    for path in ("/healthz", "/entrar", "/nothing", ENCUENTROS, "/static/html/guinote.css"):
        headers = table.client.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'"), path
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"


def test_a_head_is_no_way_around(table: HttpTable) -> None:
    assert table.client.head(ENCUENTROS).status_code == 401


def test_what_is_secret_is_not_public(table: HttpTable) -> None:
    partida = table.partida()
    where = partida.rpartition("/partidas")[0]
    table.record(partida, 0, deal(), pinta("RO"))
    table.get(where)
    public = where.replace("/v1/encuentros", "/v1/public/encuentros")
    before = table.client.get(public)
    table.record(partida, 2, card("A1", "3C"), card("B1", "4C"), card("A2", "5C"))
    table.get(where)
    after = table.client.get(public)
    assert before.data == after.data, "a trick that is not closed"
    assert before.headers["ETag"] == after.headers["ETag"]
    assert not {"position", "version", "findings", "audit"} & set(
        str(after.json).replace("'", " ").split()
    )
    assert (
        table.client.get(public, headers={"If-None-Match": after.headers["ETag"]}).status_code
        == 304
    )
    assert "Guinote-Position" not in after.headers
