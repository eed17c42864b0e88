"""Pages of other sites: answered if the token names them, never with a cookie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.access.keys import DAY_S
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table

TOKENS = "/api/v1/tokens"
CLUB, OTHER, STRANGE = "https://club.example", "https://other.example", "https://strange.example"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def table(tmp_path: Path):
    with kept_table(tmp_path) as made:
        yield made


def token_for(table: HttpTable, *origins: str, scope: str = "read:official") -> Any:
    body = {"name": "Web", "scopes": [scope], "origins": list(origins)}
    return table.client.post(TOKENS, json=body, headers=table.owner()).json


def from_site(table: HttpTable, origin: str, token: Any, path: str = ENCUENTROS) -> Any:
    headers = {"Origin": origin, "Authorization": f"Bearer {token['token']}"}
    return table.app.test_client().get(path, headers=headers)


def preflight(table: HttpTable, origin: str, path: str = ENCUENTROS) -> Any:
    asked = {"Access-Control-Request-Method": "POST", "Origin": origin}
    wanted = {"Access-Control-Request-Headers": "authorization, idempotency-key"}
    return table.app.test_client().options(path, headers={**asked, **wanted})


def test_the_site_that_a_token_names_reads_its_answers_and_errors(table: HttpTable) -> None:
    token = token_for(table, CLUB)
    answer = from_site(table, CLUB, token)
    assert (answer.status_code, answer.headers[ALLOWED]) == (200, CLUB)
    assert "Origin" in answer.headers["Vary"]
    assert "Guinote-Position" in answer.headers["Access-Control-Expose-Headers"]
    missing = from_site(table, CLUB, token, f"{ENCUENTROS}/{'0' * 8}-0000-0000-0000-{'0' * 12}")
    assert (missing.status_code, missing.headers[ALLOWED]) == (404, CLUB)
    refused = from_site(table, CLUB, token_for(table, CLUB, scope="read:public"))
    assert (refused.json["code"], refused.headers[ALLOWED]) == ("out_of_scope", CLUB)
    board = table.encuentro().replace("/v1/", "/v1/public/")
    public = from_site(table, CLUB, token, board)
    assert (public.status_code, public.headers[ALLOWED]) == (200, CLUB)


def test_another_site_is_refused_even_if_another_token_names_it(table: HttpTable) -> None:
    token, _ = token_for(table, CLUB), token_for(table, OTHER)
    for origin in (OTHER, STRANGE, "null"):
        answer = from_site(table, origin, token)
        assert (answer.status_code, answer.json["code"]) == (403, "cross_site")
        assert ALLOWED not in answer.headers
    assert from_site(table, "http://localhost", token).status_code == 200  # a page of the house
    owner = from_site(table, CLUB, {"token": table.token})  # no site has the owner's
    assert (owner.status_code, owner.json["code"]) == (403, "cross_site")


def test_a_preflight_is_answered_for_the_sites_of_live_tokens(table: HttpTable) -> None:
    token = token_for(table, CLUB)
    answer = preflight(table, CLUB)
    assert (answer.status_code, answer.headers[ALLOWED]) == (204, CLUB)
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert ALLOWED not in preflight(table, STRANGE).headers
    assert ALLOWED not in preflight(table, CLUB, "/casa").headers
    keys = table.app.extensions["guinote"]().keys
    now = keys._clock
    keys._clock = lambda: now() + 91 * DAY_S
    assert ALLOWED not in preflight(table, CLUB).headers
    keys._clock = now
    table.client.delete(f"{TOKENS}/{token['id']}", headers=table.owner())
    assert ALLOWED not in preflight(table, CLUB).headers


def test_the_page_of_a_named_site_reads_what_is_wrong_with_its_request(table: HttpTable) -> None:
    token = token_for(table, CLUB)
    for sent, path, code in (
        ({"token": "guinote_gone"}, ENCUENTROS, 401),
        (token, "/api/v1/nothing", 404),
        ({"token": "guinote_gone"}, "/api/v1/nothing", 404),
        (token, "/api/v1/tokens/0123456789abcdef", 405),
    ):
        answer = from_site(table, CLUB, sent, path)
        assert (answer.status_code, answer.headers.get(ALLOWED)) == (code, CLUB), path
        assert ALLOWED not in from_site(table, STRANGE, sent, path).headers
    assert from_site(table, STRANGE, token, "/api/v1/nothing").json["code"] == "not_found"


def test_a_cookie_never_works_from_another_site(table: HttpTable) -> None:
    token_for(table, CLUB)
    browser = table.app.test_client()
    browser.post("/entrar", data={"token": table.token})
    read = browser.get(ENCUENTROS, headers={"Origin": CLUB, "Sec-Fetch-Site": "cross-site"})
    assert ALLOWED not in read.headers
    assert "Access-Control-Allow-Credentials" not in read.headers
    foreign = {"Origin": CLUB, "Sec-Fetch-Site": "cross-site", "Idempotency-Key": "from-a-site"}
    wrote = browser.post(ENCUENTROS, json={"profile": {"id": "club"}}, headers=foreign)
    assert (wrote.status_code, wrote.json["code"]) == (403, "cross_site")
