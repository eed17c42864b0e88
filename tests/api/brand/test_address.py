"""The address that names the club: what is shared leads there, and papers of before still lead home."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.api.seasons.test_seasons import season
from tests.support.servers.http_table import HttpTable


def call(table: HttpTable, name: str) -> None:
    """The club has this name from now on."""
    version = table.get("/api/v1/settings/brand").json["version"]
    answer = table.post("/api/v1/settings/brand", {"name": name}, version)
    assert answer.status_code == 200, answer.text


@pytest.fixture
def stranger(table: HttpTable) -> Any:
    return table.app.test_client()


def league(table: HttpTable) -> str:
    path = f"/temporadas/{season(table)[-36:]}"
    table.get("/api/v1/seasons")
    return path


def addresses_of(page: str) -> set[str]:
    """Where a page says it is: for previews, and in the text that is shared."""
    tree = LexborHTMLParser(page)
    said = tree.css_first('meta[property="og:url"]').attributes["content"] or ""
    return {said, tree.css_first("#share-text").text().strip().splitlines()[-1]}


def test_what_is_shared_names_the_club_and_is_the_same_page(
    table: HttpTable, stranger: Any
) -> None:
    path = league(table)
    assert addresses_of(stranger.get(path).text) == {f"http://localhost{path}"}
    call(table, "Peña La Sota")
    bare = stranger.get(path).text
    assert addresses_of(bare) == {f"http://localhost/c/pena-la-sota{path}"}
    assert stranger.get(f"/c/pena-la-sota{path}").text == bare
    assert stranger.get("/c/pena-la-sota").text == stranger.get("/").text
    assert "lang=en" in stranger.get(f"/c/pena-la-sota{path}?lang=en").headers["Set-Cookie"]


def test_an_address_with_an_earlier_name_leads_to_the_present_one(
    table: HttpTable, stranger: Any
) -> None:
    path = league(table)
    call(table, "La Sota")
    gone = stranger.get(f"/c/el-caballo{path}?a=1")
    assert gone.status_code == 302
    assert gone.headers["Location"] == f"/c/la-sota{path}?a=1"
    assert stranger.get("/c/el-caballo").headers["Location"] == "/c/la-sota"
    call(table, "")
    assert stranger.get(f"/c/la-sota{path}").headers["Location"] == path
    assert stranger.get("/c/la-sota/").headers["Location"] == "/"


@pytest.mark.parametrize(
    "path", ["/c/otra//evil.example", "/c/otra/%5Cevil.example", "/c/x/mesa/%0d%0aa: b", "/c//"]
)
def test_no_address_leads_to_another_site(table: HttpTable, stranger: Any, path: str) -> None:
    answer = stranger.get(path)
    where = answer.headers.get("Location", "/")
    assert where.startswith("/")
    assert not where.startswith(("//", "/\\"))
    assert not set(where) & {"\r", "\n"}


def test_only_what_is_shared_has_such_an_address_and_the_guard_asks_there_too(
    table: HttpTable, stranger: Any
) -> None:
    path = league(table)
    call(table, "La Sota")
    for other in ("/entrar", "/casa", "/metrics", "/api/v1/seasons", "/m/abc"):
        assert stranger.get(f"/c/la-sota{other}").status_code == 404
    private = f"{path}/cuotas"
    assert stranger.get(f"/c/la-sota{private}").status_code == stranger.get(private).status_code
    assert stranger.get(f"/c/la-sota{private}").status_code != 200
    assert stranger.post(f"/c/la-sota{private}").status_code in (401, 403)
