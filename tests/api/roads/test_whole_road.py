"""A road of eight qualifiers into a final: six in this house, two in another that is served beside.

The organiser does what can be done on pages there, the rest over HTTP.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.api.roads.other_house import OtherHouse
from tests.api.roads.road_desk import RoadDesk, people_in
from tests.support.browser.pages import site
from tests.support.roads.http_road import HttpRoad, holding, id_of, play_qualifier
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament

HERE, THERE = "abcdef", "gh"
"""Bars with a qualifier of four pairs each, of which two go to the final."""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[OtherHouse]:
    """A house of its own: another folder, another key, another process."""
    folder = tmp_path / "otra" / "data"
    folder.mkdir(parents=True)
    with site(folder) as served:
        yield OtherHouse(served)


class WholeRoad:
    """The road, its final, and its qualifiers."""

    def __init__(self, table: HttpTable, other: OtherHouse) -> None:
        self.final = HttpTournament(table, 0, format="knock_out")
        self.road = HttpRoad(table, id_of(self.final), 18)
        self.desk = RoadDesk(self.road)
        self.other = other
        self.here = {bar: play_qualifier(table, bar) for bar in HERE}
        self.there = {bar: other.play(bar) for bar in THERE}
        for bar in HERE + THERE:
            tournament = id_of(self.here[bar]) if bar in HERE else ""
            named = {"name": f"Bar {bar}", "places": "2", "tournament": tournament}
            assert self.desk.send("qualifier_add", **named).status_code == 303

    def view(self) -> Any:
        return self.road.view()

    def entered(self) -> dict[str, str]:
        """First player of each pair of the final that still plays it, by its number."""
        pairs = self.final.view()["pairs"]
        return {one["pair"]: one["players"][0] for one in pairs if not one["is_withdrawn"]}

    def preview_and_take(self, *acts: dict[str, Any]) -> Any:
        """What a preview told, and that what followed is the same."""
        told = self.road.preview(*acts)
        self.view()
        self.road.do(*acts)
        after = self.view()
        assert {**after, "version": 0} == {**told["road"], "version": 0}
        return told


@pytest.fixture
def whole(table: HttpTable, other: OtherHouse) -> WholeRoad:
    return WholeRoad(table, other)


def tampered(text: str) -> str:
    """The list with the players of its second and its third pair changed over."""
    doc = json.loads(text)
    second, third = doc["pairs"][1], doc["pairs"][2]
    second["players"], third["players"] = third["players"], second["players"]
    return json.dumps(doc)


def take(qualifier: int, text: str = "") -> dict[str, Any]:
    return {"kind": "list_take", "qualifier": str(qualifier), **({"file": text} if text else {})}


def test_a_road_of_eight_qualifiers_into_a_final(whole: WholeRoad, tmp_path: Path) -> None:
    for at in range(1, len(HERE) + 1):
        asked = whole.desk.send("list_take", {"qualifier": str(at)})
        assert (
            people_in(asked.text, "Ganan plaza")[0] == f"Ana {HERE[at - 1]}1 · Blas {HERE[at - 1]}1"
        )
        whole.desk.confirm(asked)
    first = lists_come_from_the_other_house(whole)
    one_is_invited_and_one_renounces(whole)
    whole.desk.confirm(whole.desk.send("final_enter"))
    assert sorted(whole.entered().values()) == sorted(whole.road.holding())
    assert len(whole.entered()) == 17
    round_one_is_corrected(whole)
    the_other_house_corrects_too(whole, first)
    page = whole.desk.page(f"/caminos/{whole.road.id}")
    assert "18 plazas: 17 con pareja y 1 libres." in page
    assert page.count("Renuncia</span>") == 1
    assert page.count("Sube</span>") == 1
    with closing(LogReader(tmp_path / "log.sqlite")) as log:
        assert (
            list(differences_in_all_streams(log)) == []
        )  # every act was possible when it was recorded


def lists_come_from_the_other_house(whole: WholeRoad) -> str:
    """Nothing counts before its key was compared, and nothing that was changed on the way."""
    desk, road = whole.desk, whole.road
    first, second = (whole.other.signed_list(whole.there[bar]) for bar in THERE)
    whole.view()
    unknown = road.ask(take(7, first))
    assert (unknown.status_code, unknown.json["rule"]) == (409, "key-untrusted")
    assert unknown.json["facts"]["key"] == json.loads(first)["key"]

    changed = desk.upload("7", tampered(first))
    assert changed.status_code == 409
    assert "La pareja de la línea 2 no es la que firmó su casa (campo «pairs[1]»)" in changed.text
    assert road.ask(take(7, tampered(first))).json["facts"] == {"field": "pairs[1]", "line": 2}

    asked = desk.upload("7", first)
    assert json.loads(first)["key"] in asked.text.replace("&#43;", "+")
    assert people_in(asked.text, "Ganan plaza") == ["Ana g1 · Blas g1", "Ana g2 · Blas g2"]
    desk.confirm(asked)
    whole.view()
    assert road.ask(take(8, first)).json["rule"] == "list-used"
    again = desk.upload("8", second)
    assert 'name="trust"' not in again.text  # the key is known now
    desk.confirm(again)
    assert whole.view()["filled"] == 16
    return first


def one_is_invited_and_one_renounces(whole: WholeRoad) -> None:
    """An invitation, and a place of the other house that the next of its list gets."""
    guest = {"player": ["Eva", "Iván"], "reason": "Campeones de 2025"}
    assert whole.desk.send("pair_invite", **guest).status_code == 303
    asked = whole.desk.send("place_renounce", {"entry": "7-2"})
    assert people_in(asked.text, "Pierden la plaza") == ["Ana g2 · Blas g2"]
    assert people_in(asked.text, "Ganan plaza") == ["Ana g4 · Blas g4"]
    whole.desk.confirm(asked)
    assert whole.road.holding() == [
        "Eva",
        *(f"Ana {bar}{n}" for bar in HERE for n in (1, 2)),
        *("Ana g1", "Ana g4", "Ana h1", "Ana h2"),
    ]


def round_one_is_corrected(whole: WholeRoad) -> None:
    """Pair 4 of a qualifier, and not 1, won its first cruce: it and the final are played again."""
    played = whole.here["a"]
    wrong = next(one for one in played.view()["rounds"][0]["meetings"] if "1" in one["pairs"])
    loser = next(one for one in wrong["pairs"] if one != "1")
    played.win(wrong, loser)
    assert whole.view()["to_take"] == []  # it is to be settled first
    assert whole.road.ask(take(1)).json["rule"] == "qualifier-running"
    played.do(f"meetings/{wrong['id']}/settlement", {"what": "re_pair", "winner": loser})
    played.play_open(lambda one: loser if loser in one["pairs"] else min(one["pairs"]))

    assert whole.view()["to_take"] == ["1"]
    assert "La clasificación ha cambiado" in whole.desk.page(f"/caminos/{whole.road.id}")
    page = whole.desk.send("list_take", {"qualifier": "1"}).text
    told = whole.preview_and_take(take(1))
    names = told["road"]["names"]
    for what, heading, first in (
        ("lost", "Pierden la plaza", "Ana a1"),
        ("gained", "Ganan plaza", f"Ana a{loser}"),
    ):
        assert [names[one["players"][0]] for one in told[what]] == [first]
        assert [line.partition(" · ")[0] for line in people_in(page, heading)] == [first]

    (moved,) = whole.preview_and_take({"kind": "final_enter"})["final"]
    assert whole.entered()[moved["pair"]] == f"Ana a{loser}"
    assert sorted(whole.entered().values()) == sorted(whole.road.holding())


def the_other_house_corrects_too(whole: WholeRoad, first: str) -> None:
    """A later list takes the place of the earlier one, and never the other way round."""
    played = whole.there["h"]
    final = played.view()["rounds"][-1]["meetings"][0]
    played.win(final, "2")
    whole.desk.confirm(whole.desk.upload("8", whole.other.signed_list(played)))
    assert holding(whole.view())[15:] == ["Ana h2", "Ana h1"]
    assert whole.road.ask(take(7, first)).json["rule"] == "list-same"
