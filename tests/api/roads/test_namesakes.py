"""Namesakes on lists of other houses: other people, unless the organiser says otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.roads.road_desk import RoadDesk, RoadForms, people_in
from tests.support.proofs.signing import sign
from tests.support.roads.http_road import HttpRoad, id_of
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.kept_apps import kept_table

ANTONIO = "Antonio García"


class Lists:
    """Another house, and the lists that it signs."""

    def __init__(self, table: HttpTable, folder: Path) -> None:
        self._table, self._folder = table, folder

    def signed(self, *pairs: tuple[str, str]) -> dict[str, Any]:
        """The act that takes the list of a tournament with these pairs, the best first."""
        played = HttpTournament(self._table, 0, format="knock_out")
        body = [
            {"players": [{"name": name} for name in pair], "strength": 100 - at}
            for at, pair in enumerate(pairs)
        ]
        played.do("pairs", {"pairs": body})
        played.draw()
        played.play_open()
        played.do("closing")
        played.do("signed-list")
        sign(self._folder)
        return {"kind": "list_take", "file": self._table.get(f"{played.path}/signed-list").text}


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Lists]:
    folder = tmp_path / "otra"
    (folder / "data").mkdir(parents=True)
    with kept_table(folder / "data") as found:
        yield Lists(found, folder)


@pytest.fixture
def road(table: HttpTable) -> HttpRoad:
    """Two qualifiers of other houses with two places each; an Antonio is a player of this house."""
    assert table.post("/api/v1/players", {"name": ANTONIO}, 0).status_code == 201
    made = HttpRoad(table, id_of(HttpTournament(table, 0, format="knock_out")), 8)
    made.do(*({"kind": "qualifier_add", "name": f"Bar {n}", "places": 2} for n in (1, 2)))
    return made


def take(road: HttpRoad, qualifier: int, act: dict[str, Any], **more: Any) -> list[list[str]]:
    """Take a list; its pairs, the best first."""
    road.ask({"kind": "key_trust", "key": json.loads(act["file"])["key"]})
    road.view()
    road.do({**act, "qualifier": str(qualifier), **more})
    found = road.view()["qualifiers"][qualifier - 1]["entries"]
    assert [one["standing"] for one in found] == ["by_right"] * 2
    return [one["players"] for one in found]


def test_two_of_one_name_on_a_list_are_two_new_people(road: HttpRoad, other: Lists) -> None:
    (house,) = [one["player"] for one in road.table.get("/api/v1/players").json["items"]]
    act = other.signed((ANTONIO, "Luis"), (ANTONIO, "Marta"))
    first, second = take(road, 1, act)
    assert len({*first, *second, house}) == 5


def test_a_name_of_another_list_is_somebody_else(road: HttpRoad, other: Lists) -> None:
    (house,) = [one["player"] for one in road.table.get("/api/v1/players").json["items"]]
    (ours, _), _ = take(road, 1, other.signed((ANTONIO, "Luis"), ("Eva", "Iván")))
    assert ours == house
    (theirs, _), _ = take(road, 2, other.signed((ANTONIO, "Marta"), ("Sara", "Raúl")))
    assert theirs != house


def test_the_organiser_says_that_it_is_the_same_person(road: HttpRoad, other: Lists) -> None:
    take(road, 1, other.signed((ANTONIO, "Luis"), ("Eva", "Iván")))
    desk, act = RoadDesk(road), other.signed((ANTONIO, "Marta"), ("Sara", "Raúl"))
    asked = desk.upload("2", act["file"])
    assert people_in(asked.text, "Ganan plaza") == [f"{ANTONIO} · Marta", "Sara · Raúl"]
    assert f"{ANTONIO} es la misma persona" in asked.text
    (same,) = [one for one in RoadForms(asked.text).forms if "same" in one]
    again = desk.post(same)
    assert people_in(again.text, "Ganan plaza") == ["Sara · Raúl"]
    assert "es la misma persona" not in again.text
    desk.confirm(again)
    entries = road.view()["qualifiers"][1]["entries"]
    assert [one["standing"] for one in entries] == ["elsewhere", "by_right"]
