"""Figures of a table of points: a dash where nothing is known, and all of a row on a phone too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.results.test_scores import Evening
from tests.support.demonstrated import demonstrate
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

SCORING = {"encuentro_won": 3, "coto_won": 1, "attendance": 1}
COLUMNS = ("points", "played", "won_level_lost", "cotos", "attended")


class LeagueEvening(Evening):
    """An evening of a season, with one table of four."""

    season = ""

    def coming(self, players: int) -> dict[str, Any]:
        opened = self.table.post("/api/v1/seasons", {"name": "Liga", "scoring": SCORING})
        self.season = opened.headers["Location"].rpartition("/")[2]
        return {**super().coming(players), "season": self.season}

    def rows(self) -> list[dict[str, str]]:
        """Figures of each row of the season's page, by the name of the column."""
        self.caught_up()
        page = Html(self.table.get(f"/temporadas/{self.season}").text)
        cells = page.texts(".standings tbody td.n:not(.place)")
        size = len(COLUMNS)
        return [
            dict(zip(COLUMNS, cells[at : at + size], strict=True))
            for at in range(0, len(cells), size)
        ]


def test_before_a_result_there_are_dashes_and_after_it_zeros_only_where_they_were_made(
    table: HttpTable,
) -> None:
    evening = LeagueEvening(table)
    nothing = {"points": "1", "played": "–", "won_level_lost": "–", "cotos": "–", "attended": "1"}
    assert evening.rows() == [nothing] * 4
    evening.tap("2-0")
    won = {"points": "6", "played": "1", "won_level_lost": "1–0–0", "cotos": "2–0", "attended": "1"}
    lost = {
        "points": "1",
        "played": "1",
        "won_level_lost": "0–0–1",
        "cotos": "0–2",
        "attended": "1",
    }
    assert evening.rows() == [won, won, lost, lost]


@pytest.fixture
def filled(table: HttpTable) -> HttpTable:
    demonstrate(table, is_league_public=True)
    return table


def test_what_a_phone_leaves_out_of_the_standings_stands_under_the_name(filled: HttpTable) -> None:
    season = filled.get("/api/v1/seasons").json["items"][0]["id"]
    page = Html(filled.get(f"/temporadas/{season}").text)
    under, apart = page.texts(".standings .narrow"), page.texts(".standings td.wide.why")
    assert under == apart
    assert len(under) == page.count(".standings tbody tr") > 4
    assert [
        [one.tag for one in row.iter() if "wide" not in (one.attributes.get("class") or "")]
        for row in page.all(".standings tbody tr")
    ] == [["td", "th", "td"]] * len(under), "place, name and points"


def test_a_row_that_is_stacked_on_a_phone_leads_with_who_plays_and_hides_what_is_not_known(
    filled: HttpTable,
) -> None:
    page = Html(filled.get("/mesas/").text)
    rows = page.all("table.stacked tbody tr")
    assert len(rows) > 4
    for row in rows:
        first, *others = row.css("td")
        assert "text" in str(first.attributes["class"]).split()
        for one in others:
            is_hidden = "none" in (one.attributes.get("class") or "").split()
            assert is_hidden == (one.text().strip() == "–")
    assert page.count("td.none") > 0
