"""Calendars of a tournament for phones: its day, its rounds, the cruces of a pair."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from api.tournaments import files
from tests.api.tournaments import tournament_views
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament


@pytest.fixture
def cup(table: HttpTable) -> HttpTournament:
    made = HttpTournament(table, 4, format="swiss", rounds=2, minutes=60)
    made.view()
    return made


def events(cup: HttpTournament, more: str = "") -> list[Any]:
    home = cup.path.replace("/api/v1/tournaments", "/torneos")
    cup.view()
    answer = cup.table.get(f"{home}{more}/calendario.ics?lang=es")
    assert answer.status_code == 200, answer.text
    return Calendar.from_ical(answer.data).walk("VEVENT")


def test_before_the_draw_a_tournament_and_its_pairs_have_its_day(cup: HttpTournament) -> None:
    for more in ("", "/pareja/1"):
        (day,) = events(cup, more)
        assert (str(day["SUMMARY"]), str(day["LOCATION"])) == ("Torneo de San Roque", "Casino")
        assert day.decoded("DTSTART").isoformat() == "2026-11-21"


def test_a_cruce_is_on_the_day_until_the_clock_of_its_round_is_started(
    cup: HttpTournament,
) -> None:
    cup.draw()
    cup.do("rounds")
    cup.do("tables", {})
    (met,) = events(cup, "/pareja/1")
    assert met.decoded("DTSTART").isoformat() == "2026-11-21"
    assert "Mesa" in str(met["LOCATION"])
    assert str(met["SUMMARY"]).startswith("Ronda 1: ")
    assert str(met["URL"]).endswith("/pareja/1")
    assert len(events(cup)) == 1, "no round has an hour yet"
    cup.do("rounds/1/clock", {})
    (now,) = events(cup, "/pareja/1")
    assert str(now["UID"]) == str(met["UID"]), "a phone moves the one that it has"
    assert (now.decoded("DTEND") - now.decoded("DTSTART")).total_seconds() == 3600
    rounds = [str(one["SUMMARY"]) for one in events(cup)]
    assert rounds == ["Torneo de San Roque", "Ronda 1 · Torneo de San Roque"]


def test_a_pair_that_is_not_in_the_tournament_has_no_calendar(cup: HttpTournament) -> None:
    home = cup.path.replace("/api/v1/tournaments", "/torneos")
    assert cup.table.get(f"{home}/pareja/9/calendario.ics").status_code == 404


def test_the_days_of_all_tournaments_are_those_that_have_one() -> None:
    one = replace(tournament_views.swiss(8, 0), name="Torneo; del Pilar, día 12")
    undated = replace(one, date="")
    days = files.day_appointments_of_tournaments([one, undated], "https://club.example/")
    text = files.icalendar_bytes("Torneos", days, datetime(2026, 10, 1, 12, tzinfo=UTC))
    (event,) = Calendar.from_ical(text).walk("VEVENT")
    assert event["SUMMARY"] == one.name
    assert event["LOCATION"] == one.place
    assert event["URL"] == f"https://club.example/torneos/{one.id}"
    assert event.decoded("DTSTART") == date(2026, 10, 12)
    assert event.decoded("DTEND") == date(2026, 10, 13)
    assert text.endswith(b"\r\n")
    assert b"\n" not in text.replace(b"\r\n", b"")
