"""Days and moments in words, by the clock of the club."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from api.http import moments
from api.http.languages import LANGUAGES, say, texts_of_language
from tests.support.servers.http_table import HttpTable

EVENING = "2026-11-24T19:30:00.000Z"
SUMMER_ENDS = "2026-10-25T{}:30:00.000Z"
SAID = {
    "es": "martes, 24 de noviembre de 2026, 20:30",
    "ca": "dimarts, 24 de novembre del 2026, 20:30",
    "en": "Tuesday 24 November 2026, 20:30",
    "fr": "mardi 24 novembre 2026, 20:30",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_moment_is_written_as_people_write_it(lang: str) -> None:
    assert moments.moment_words(EVENING, texts_of_language(lang)) == SAID[lang]
    assert moments.short_moment(EVENING, texts_of_language(lang)) == "24/11/2026 20:30"
    assert say("rule.appeal-late", lang, until=EVENING).count(SAID[lang]) == 1


def test_a_day_is_a_day_in_every_time_zone_and_what_is_no_day_stays() -> None:
    words = texts_of_language("es")
    assert moments.day_words("2026-10-12", words) == "12 de octubre de 2026"
    assert moments.day_words_with_weekday("2026-10-12", words) == "lunes, 12 de octubre de 2026"
    assert moments.short_day("2026-10-12", words) == "12/10/2026"
    for said in (moments.day_words, moments.day_words_with_weekday, moments.short_day):
        assert (said("", words), said("mañana", words)) == ("", "mañana")


def test_the_hour_that_comes_twice_in_autumn_says_which_it_is() -> None:
    hours = [moments.time_of(SUMMER_ENDS.format(hour)) for hour in ("23", "00", "01", "02")]
    assert hours[1:] == ["02:30 CEST", "02:30 CET", "03:30"]
    spring = [moments.time_of(f"2026-03-29T0{hour}:30:00.000Z") for hour in range(3)]
    assert spring == ["01:30", "03:30", "04:30"], "there is no half past two that night"


def test_the_day_of_the_club_is_not_that_of_greenwich() -> None:
    late = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    assert moments.club_day(late).isoformat() == "2026-07-02"
    canary = moments.time_zone_or_utc("Atlantic/Canary")
    assert moments.day_in_zone(canary, late).isoformat() == "2026-07-01"
    assert moments.time_zone_or_utc("Europe/Atlantis").key == "UTC", "a zone that is known no more"


def test_every_page_of_a_club_is_in_the_time_zone_that_it_chose(table: HttpTable) -> None:
    def zone_at(path: str) -> Any:
        return table.client.get(path, headers=table.owner()).text

    assert 'data-time-zone="Europe/Madrid"' in zone_at("/arbitro/")
    worker = zone_at("/arbitro/sw.js")
    chosen = {"time_zone": "Atlantic/Canary"}
    assert table.post("/api/v1/settings", chosen, 0).status_code == 200
    assert 'data-time-zone="Atlantic/Canary"' in zone_at("/arbitro/")
    assert 'data-time-zone="Atlantic/Canary"' in zone_at("/sala/")
    assert zone_at("/arbitro/sw.js") != worker, "a tablet fetches the page that it keeps again"
