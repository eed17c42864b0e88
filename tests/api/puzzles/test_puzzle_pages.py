"""The problem of the week: off until the club wants it, for whom it wants it, and without names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from projections.runner.views import Views
from referee.analysis import engine
from tests.support.analysis.club_deals import PEOPLE, played_out
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.days import friday_of_last_week
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for

pytestmark = NEEDS_ENGINE
SETTINGS, PUZZLES = "/api/v1/settings", "/api/v1/puzzles"
OTHERS = ("Zacarías Urrea", "Ysabel Tarazona", "Xavierre Sádaba", "Wenceslao Rada")
SEEDS = range(11)
"""Two of these partidas have a problem."""


class PuzzleClub:
    """A club whose encuentros are over, with the pages that show its problems."""

    def __init__(self, folder: Path, people: tuple[str, ...] = PEOPLE) -> None:
        self.folder = folder
        self.table = HttpTable(folder)
        self.services = self.table.app.extensions["guinote"]()
        self.encuentros = played_out(self.services, SEEDS, friday_of_last_week(), people)
        self.visitor: Any = self.table.app.test_client()

    def choose(self, audience: str) -> None:
        version = self.table.get(SETTINGS).json["version"]
        answer = self.table.post(SETTINGS, {"puzzle_audience": audience}, version)
        assert answer.status_code == 200, answer.text

    def weeks(self) -> list[str]:
        return list(self.table.get(PUZZLES).json["weeks"])

    def pages(self) -> list[str]:
        week = self.weeks()[-1]
        return [
            *("/problema", f"/problema/{week}", f"/problema/{week}/hoja", "/sala/"),
            *(PUZZLES, f"{PUZZLES}/{week}", "/api/v1/public/sala"),
        ]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PuzzleClub]:
    made = PuzzleClub(tmp_path_factory.mktemp("puzzles"))
    yield made
    made.table.close()


def statuses(club: PuzzleClub, client: Any, headers: dict[str, str] | None = None) -> list[int]:
    return [
        client.get(path, headers=headers or {}).status_code
        for path in ("/problema", PUZZLES, "/problema/qr.svg")
    ]


def test_a_club_that_chose_nothing_has_no_problem(club: PuzzleClub) -> None:
    assert club.table.get(SETTINGS).json["puzzle_audience"] == "nobody"
    assert statuses(club, club.visitor) == [302, 401, 302]
    assert statuses(club, club.visitor, club.table.owner()) == [404, 404, 404]
    assert club.table.get("/api/v1/public/sala").json["puzzle"] == ""
    assert "/problema" not in club.visitor.get("/sala/").text
    reader = club.table.signed_in("arbiter")
    assert "/problema" not in club.visitor.get("/", headers=reader).text


def test_it_is_shown_to_whom_the_club_says(club: PuzzleClub) -> None:
    club.choose("club")
    reader = club.table.signed_in("arbiter")
    assert statuses(club, club.visitor) == [302, 401, 302]
    assert statuses(club, club.visitor, reader) == [200, 200, 200]
    assert 'href="/problema"' in club.visitor.get("/", headers=reader).text
    assert club.table.get("/api/v1/public/sala").json["puzzle"] == "", "the wall is for everybody"
    club.choose("everybody")
    assert statuses(club, club.visitor) == [200, 200, 200]
    assert club.table.get("/api/v1/public/sala").json["puzzle"] == club.weeks()[0]
    assert 'href="/problema"' in club.visitor.get("/sala/").text
    club.choose("nobody")
    assert statuses(club, club.visitor, reader) == [404, 404, 404]


def test_the_board_shows_it_only_while_nobody_plays(tmp_path: Path) -> None:
    club = PuzzleClub(tmp_path)
    club.choose("everybody")
    assert club.table.get("/api/v1/public/sala").json["puzzle"]
    club.table.partida()
    wait_for(lambda: not club.table.get("/api/v1/public/sala").json["puzzle"], "a table that plays")
    club.table.close()


def test_weeks_are_mondays_and_other_addresses_are_none(club: PuzzleClub) -> None:
    club.choose("everybody")
    assert club.weeks() == sorted(club.weeks(), reverse=True)
    assert {date.fromisoformat(week).weekday() for week in club.weeks()} == {0}
    for wrong in ("2026-02-30", "2000-01-03", "x"):
        assert club.visitor.get(f"/problema/{wrong}").status_code == 404
        assert club.visitor.get(f"{PUZZLES}/{wrong}").status_code == 404


def test_no_byte_says_who_played_it_when_or_where(club: PuzzleClub, tmp_path: Path) -> None:
    """Two worlds: other people in the same deals see the same problem, byte for byte."""
    club.choose("everybody")
    other = PuzzleClub(tmp_path, OTHERS)
    other.choose("everybody")
    days = [view["date"] for view in club.table.get("/api/v1/encuentros").json["items"]]
    assert len(days) == len(SEEDS)
    for path in club.pages():
        body = club.visitor.get(path).data
        assert body == other.visitor.get(path).data, path
        text = body.decode()
        said = [*PEOPLE, *days, *map(str, club.encuentros)]
        assert [one for one in said if one in text] == [], path
    other.table.close()


def test_the_same_log_gives_the_same_problems(club: PuzzleClub, tmp_path: Path) -> None:
    club.choose("everybody")
    again = Views(tmp_path / "again.db", every_projection())
    Runner(LogReader(club.folder / "log.sqlite"), again).rebuild()
    with again.reading() as fresh, club.services.reads.reading() as rows:
        for table in ("puzzle", "arrastre"):
            asked = f"SELECT * FROM {table} ORDER BY 1, 2"
            found = fresh.execute(asked).fetchall()
            assert found
            assert found == rows.execute(asked).fetchall()


def test_without_the_engine_the_page_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "wasmtime", None)
    engine._compile_wasm_module.cache_clear()
    table = HttpTable(tmp_path)
    table.post(SETTINGS, {"puzzle_audience": "everybody"}, 0)
    try:
        page = table.app.test_client().get("/problema")
        assert page.status_code == 200
        assert "Aquí no hay análisis." in page.text
    finally:
        table.close()
        engine._compile_wasm_module.cache_clear()
