"""Calendars that a phone subscribes to: the link, the address, and what the file asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from icalendar import Calendar

from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import HttpTable

LINK = re.compile(r'href="webcal://localhost(/[^"]+\.ics)"')
ADDRESS = re.compile(r'<input id="subscribe" readonly value="http://localhost(/[^"]+\.ics)">')


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    table = demonstrated(tmp_path_factory.mktemp("club"), is_league_public=True)
    yield table
    table.close()


def where(club: HttpTable, name: str) -> str:
    if name == "tournaments":
        return "/torneos/"
    if name == "season":
        return f"/temporadas/{club.get('/api/v1/seasons').json['items'][0]['id']}"
    season = club.get("/api/v1/seasons").json["items"][0]["id"]
    return f"/jugador/{club.get(f'/api/v1/seasons/{season}').json['standings'][0]['person']}"


@pytest.mark.parametrize("name", ["season", "career", "tournaments"])
def test_a_visitor_subscribes_by_the_link_or_by_the_address(club: HttpTable, name: str) -> None:
    visitor = club.app.test_client()
    page = visitor.get(where(club, name)).text
    (path,) = LINK.findall(page)
    assert ADDRESS.findall(page) == [path]
    assert f'<a class="button" href="{path}" download>' in page
    answer = visitor.get(path)
    assert answer.content_type == "text/calendar; charset=utf-8"
    assert "REFRESH-INTERVAL;VALUE=DURATION:PT12H\r\n" in answer.text
    found = Calendar.from_ical(answer.text)
    assert found["X-PUBLISHED-TTL"] == "PT12H"
    assert found.walk("VEVENT")


def test_the_days_of_a_closed_season_are_only_downloaded(club: HttpTable) -> None:
    path = where(club, "season")
    view = club.get(f"/api/v1{path.replace('temporadas', 'seasons')}").json
    closed = club.post(f"/api/v1/seasons/{view['id']}/closing", {}, view["version"])
    assert closed.status_code == 200, closed.text
    page = club.get(f"{path}?wait={closed.json['position']}").text
    assert f'href="{path}/calendario.ics"' in page
    assert LINK.findall(page) == ADDRESS.findall(page) == []
