"""Sites of others: which may embed, which may read, and that nothing else changes for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.http.access.origins import CORS_VARIABLE, EMBED_VARIABLE, read_origins
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable

SITE, OTHER = "https://club.example", "https://elsewhere.example"
SALA = "/api/v1/public/sala"
OF_READERS = ("Access-Control-Allow-Origin", "Access-Control-Allow-Methods")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club whose settings name a site for both."""
    with pytest.MonkeyPatch.context() as settings:
        for setting in (EMBED_VARIABLE, CORS_VARIABLE):
            settings.setenv(setting, SITE)
        club = HttpTable(tmp_path_factory.mktemp("named"))
    yield club
    club.close()


@pytest.mark.parametrize(
    "wrong",
    ["*", "null", "club.example", "https://club.example/page", "https://a.example; x", "ftp://a"],
)
def test_a_setting_that_names_no_origin_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no origin"):
        read_origins(f"{SITE},{wrong}")


def test_a_service_with_such_a_setting_does_not_start(tmp_path: Path) -> None:
    settings = {**os.environ, "GUINOTE_EMBED_ORIGINS": "*", "PYTHONPATH": str(ROOT)}
    started = f"from api.server.wiring import app; app({str(tmp_path)!r})"
    ended = subprocess.run(
        [sys.executable, "-c", started], env=settings, capture_output=True, text=True, check=False
    )
    assert ended.returncode == os.EX_CONFIG
    assert ended.stderr == (
        "Error: GUINOTE_EMBED_ORIGINS: '*' is no origin, such as https://club.example\n"
    )


def test_a_named_site_may_read_what_is_public(named: HttpTable) -> None:
    answer = named.get(SALA, Origin=SITE)
    assert answer.headers["Access-Control-Allow-Origin"] == SITE
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Origin" in answer.vary
    missing = named.get(f"{SALA}x", Origin=SITE)
    assert missing.status_code == 404


def test_a_preflight_allows_to_read_and_no_more(named: HttpTable) -> None:
    asked = {"Origin": SITE, "Access-Control-Request-Method": "GET"}
    answer = named.client.options(SALA, headers=asked)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert "if-none-match" in allowed
    assert "authorization" not in allowed


@pytest.mark.parametrize(
    ("path", "origin"),
    [(SALA, OTHER), (SALA, "null"), ("/api/v1/encuentros", SITE), ("/sala/", SITE)],
)
def test_nobody_else_may_and_nothing_else(named: HttpTable, path: str, origin: str) -> None:
    """An unnamed site; what needs a sign-in, whoever is signed in; a page."""
    for answer in (
        named.get(path, Origin=origin),
        named.client.options(
            path, headers={"Origin": origin, "Access-Control-Request-Method": "GET"}
        ),
    ):
        assert not [one for one in OF_READERS if one in answer.headers]


def test_a_write_of_a_named_site_is_refused_as_before(named: HttpTable) -> None:
    answer = named.client.post("/entrar", data={"token": "x"}, headers={"Origin": SITE})
    assert answer.status_code == 403
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_without_the_setting_no_answer_tells_of_origins(table: HttpTable) -> None:
    answer = table.get(SALA, Origin=SITE)
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Origin" not in answer.vary


def test_only_the_pieces_may_be_in_a_frame_and_only_of_the_named_sites(
    named: HttpTable, table: HttpTable
) -> None:
    piece = named.get("/incrustar/sala")
    assert f"frame-ancestors {SITE};" in f"{piece.headers['Content-Security-Policy']};"
    assert "X-Frame-Options" not in piece.headers
    for club, path in ((named, "/sala/"), (named, "/"), (table, "/incrustar/sala")):
        whole = club.get(path)
        assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"]
        assert whole.headers["X-Frame-Options"] == "DENY"


def test_a_season_is_a_piece_only_if_the_league_is_published(named: HttpTable) -> None:
    season = named.post("/api/v1/seasons", {"name": "Liga"}).json["id"]
    path, sharing = f"/incrustar/temporadas/{season}", f"/temporadas/{season}/compartir"
    assert named.get(path).status_code == 404
    assert "hay que enseñar la liga" in named.get(sharing).text
    named.post("/api/v1/settings", {"league_audience": "everybody"}, 0)
    piece = named.get(path)
    assert piece.status_code == 200
    assert f"frame-ancestors {SITE};" in f"{piece.headers['Content-Security-Policy']};"
    assert "hay que enseñar la liga" not in named.get(sharing).text
