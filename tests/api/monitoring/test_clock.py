"""A clock that is wrong, by the log, the notary or browsers: said, and marked on what is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import StoredEvent

from api.http.clock.witnesses import ClockWitnesses
from api.monitoring.readiness import Readiness
from referee.log.mapper import CODEC, log_version_for_rows, timestamp_of_datetime
from tests.support.faults.faulty_libc import FaultyLibc, why_none
from tests.support.servers.club_tables import Club, deal
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

SAID = "El reloj del ordenador del club va atrasado"
AHEAD = "El reloj del ordenador del club va adelantado"
NOW = datetime(2026, 11, 27, 20, 0, tzinfo=UTC)
MINUTE, YEARS = 60.0, 94_608_000.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with closing(HttpTable(tmp_path)) as found:
        found.partida()
        yield found


def set_back(table: HttpTable, by: timedelta) -> None:
    """The clock of the computer is set back, as one without a battery starts."""
    services = table.app.extensions["guinote"]
    here = services()
    services._services = replace(here, clock=lambda: here.clock() - by)


def page(table: HttpTable, path: str, *, is_official: bool) -> str:
    headers = table.owner() if is_official else {}
    return str(table.app.test_client().get(path, headers=headers).text)


def test_a_clock_that_is_years_behind_is_said_where_officials_look(table: HttpTable) -> None:
    set_back(table, timedelta(days=3 * 365))
    for path in ("/", "/jornadas/", "/casa"):
        assert SAID in page(table, path, is_official=True), path
    assert SAID not in page(table, "/", is_official=False)
    services = table.app.extensions["guinote"]
    report = Readiness(services, services.files.folder).report()
    assert report.is_ready, "play goes on"
    assert report["clock"].status == "late"
    assert report["clock"].fault.endswith("s behind the newest act")


def test_acts_under_the_wrong_clock_do_not_make_it_right(table: HttpTable) -> None:
    set_back(table, timedelta(days=3 * 365))
    table.partida()
    assert SAID in page(table, "/", is_official=True)
    table.close()  # and so it is after the next start
    set_back(table, timedelta(days=3 * 365))
    assert SAID in page(table, "/", is_official=True)


def test_computers_of_a_house_may_differ_by_a_minute(table: HttpTable) -> None:
    set_back(table, timedelta(minutes=1))
    assert SAID not in page(table, "/", is_official=True)


# --- the browsers of those who are signed in -----------------------------------------------------


@pytest.mark.parametrize(
    ("browsers", "log", "signed", "found"),
    [
        ((), 0, 0, None),
        ((), YEARS, 0, (YEARS, "log")),
        ((), 0, YEARS, (YEARS, "notary")),
        ((YEARS,), 0, 0, None),
        ((-YEARS,), 0, 0, None),
        ((YEARS,), 10 * MINUTE, 0, (YEARS, "log")),
        ((YEARS, YEARS), 0, 0, (YEARS, "browsers")),
        ((-YEARS, -YEARS), 0, 0, (-YEARS, "browsers")),
        ((MINUTE, YEARS), 0, 0, None),
        ((MINUTE, -MINUTE), YEARS, 0, None),
        ((0, YEARS), 10 * MINUTE, 0, (10 * MINUTE, "log")),
        ((0, YEARS, YEARS + 1), 0, 0, (YEARS, "browsers")),
        ((0, 0, YEARS), YEARS, 0, None),
        ((2 * MINUTE, 2 * MINUTE), 0, 0, None),
        ((4 * MINUTE, 5 * MINUTE), 0, 0, (4 * MINUTE, "browsers")),
    ],
)
def test_who_is_believed(
    browsers: tuple[float, ...], log: float, signed: float, found: tuple[float, str] | None
) -> None:
    """All moments are seconds after what the clock shows."""
    newest = timestamp_of_datetime(NOW + timedelta(seconds=log))
    witnesses = ClockWitnesses(
        lambda: newest, lambda: NOW.timestamp() + signed, ticks=lambda: 1_000.0
    )
    for number, one in enumerate(browsers):
        witnesses.note_browser_moment(str(number), NOW + timedelta(seconds=one))
    assert witnesses.clock_fault_or_none(NOW) == found


def test_a_browser_is_a_witness_for_a_quarter_of_an_hour_and_no_more_than_one() -> None:
    ticks = [0.0]
    witnesses = ClockWitnesses(str, float, ticks=lambda: ticks[0])
    for name in "aab":
        assert witnesses.clock_fault_or_none(NOW) is None
        witnesses.note_browser_moment(name, NOW + timedelta(days=1))
    assert witnesses.behind_s(NOW) == 86_400
    ticks[0] = 899.0  # the clock went on with the time
    assert witnesses.behind_s(NOW + timedelta(seconds=899)) == 86_400
    assert witnesses.behind_s(NOW + timedelta(days=1, seconds=899)) == 0, "it was set right"
    ticks[0] = 901.0
    assert witnesses.clock_fault_or_none(NOW) is None
    for number in range(1_000):
        witnesses.note_browser_moment(str(number), NOW)
    assert len(witnesses._heard) == 256


def said_by(table: HttpTable, *callers: dict[str, str]) -> list[Any]:
    """Answers to callers who say what time it really is."""
    sent = {"Guinote-Clock": timestamp_of_datetime(datetime.now(UTC))}
    return [
        table.app.test_client().get("/api/v1/clock", headers={**one, **sent}) for one in callers
    ]


def test_two_browsers_show_that_the_clock_is_ahead_and_what_is_recorded_is_marked(
    table: HttpTable,
) -> None:
    tablets = [table.signed_in("arbiter"), table.signed_in("arbiter")]
    right = table.partida()
    set_back(table, -timedelta(days=3 * 365))
    said_by(table, {}, tablets[0], tablets[0])
    assert AHEAD not in page(table, "/", is_official=True), "one browser and a stranger"
    for answer in said_by(table, *tablets):
        shown = datetime.fromisoformat(answer.headers["Guinote-Clock"])
        assert shown - datetime.now(UTC) > timedelta(days=3 * 364), "the tablet sees it too"
    for path in ("/", "/jornadas/", "/casa"):
        assert AHEAD in page(table, path, is_official=True), path
    assert AHEAD not in page(table, "/", is_official=False)
    services = table.app.extensions["guinote"]
    report = Readiness(services, services.files.folder).report()
    assert report["clock"].fault.endswith("s ahead of the browsers of those who are signed in")
    partida = table.partida()
    table.record(partida, 0, {"kind": "deal", "dealer": "B2"})
    marks = [one["behind_s"] for one in table.get(f"{partida}/audit").json["items"]]
    assert all(abs(mark + YEARS) < MINUTE for mark in marks), marks
    _, _, _, _, encuentro, _, number = partida.split("/")
    assert "reloj mal" in table.get(f"/e/{encuentro}/p/{number}").text
    assert {one["behind_s"] for one in table.get(f"{right}/audit").json["items"]} == {0}
    table.close()  # the clock is right after the next start, and no witness is left but the log
    assert SAID not in page(table, "/", is_official=True)
    assert [one["behind_s"] for one in table.get(f"{partida}/audit").json["items"]] == marks


def test_only_a_mark_changes_the_bytes_and_earlier_programs_refuse_a_log_that_has_one(
    table: HttpTable,
) -> None:
    services = table.app.extensions["guinote"]()
    encuentro = UUID(table.encuentro().rpartition("/")[2])
    event = services.referee.history(encuentro)[0]
    name, plain = CODEC.encode_with_name(event)
    assert plain.endswith(b"}}")
    assert b"behind_s" not in plain
    marked = msgspec.structs.replace(event, behind_s=-90)
    stored = CODEC.encode_with_name(marked)[1]
    assert stored == plain[:-1] + b',"behind_s":-90}'
    assert CODEC.decode_row(encuentro, 1, name, stored) == marked
    rows = [StoredEvent(encuentro, 1, name, state) for state in (plain, stored)]
    assert [log_version_for_rows([row]) for row in rows] == [0, 300]


@pytest.mark.parametrize("sent", ["", "yesterday", "2026-13-45T00:00:00Z", "9" * 400, "0"])
def test_what_is_no_moment_is_ignored(table: HttpTable, sent: str) -> None:
    headers = {**table.owner(), "Guinote-Clock": sent}
    answer = table.app.test_client().get("/api/v1/clock", headers=headers)
    assert answer.status_code == 200
    assert "Guinote-Clock" not in answer.headers
    assert answer.json["behind_s"] == 0


@pytest.mark.skipif(bool(why_none()), reason=why_none())
def test_a_server_that_starts_three_years_back_says_so_until_its_clock_is_set(
    tmp_path: Path,
) -> None:
    (folder := tmp_path / "libc").mkdir()
    libc = FaultyLibc(folder)
    served = Served(tmp_path / "site", None, **libc.settings)
    served.start()
    try:
        club = Club(served)
        encuentro = club.table("Ana", "Blas", "Celia", "Diego")
        served.kill_all()
        libc.tell(ahead_s=-round(YEARS))
        served.start()
        partida = club.partida(encuentro, *deal("B2"))
        who = {"Authorization": f"Bearer {served.token}"}
        assert abs(served.ask("GET", "/api/v1/clock", None, who)[1]["behind_s"] - YEARS) < MINUTE
        said = served.ask("GET", "/readyz")[1]["parts"]["clock"]
        assert said["status"] == "late"
        entries = club.read(f"{partida}/audit")["items"]
        assert {one["at"][:4] for one in entries} == {str(datetime.now(UTC).year - 3)}
        assert all(abs(one["behind_s"] - YEARS) < MINUTE for one in entries)
        libc.tell()  # it was set right
        assert served.ask("GET", "/api/v1/clock", None, who)[1]["behind_s"] == 0
        club.act(partida, {"kind": "trick", "seat": "A1", "points": 4})
        assert club.read(f"{partida}/audit")["items"][-1]["behind_s"] == 0
    finally:
        served.kill_all()
