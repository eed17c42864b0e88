"""A typed name that exists, or nearly exists, is offered, and nobody is on the list twice."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from api.club.name_matches import KnownNames, answer_field_of_name
from api.club.views import KnownPlayer
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

KNOWN = [
    KnownPlayer("1", "María Pérez", "La Pili", "la Peña"),
    KnownPlayer("2", "José García López", "", ""),
    KnownPlayer("3", "Antonio Gil", "Toño", ""),
    KnownPlayer("4", "Antonio Gil", "Rubio", ""),
    KnownPlayer("5", "Luis M.", "", ""),
    KnownPlayer("6", "Ana", "", ""),
    KnownPlayer("7", "Blas 12", "", ""),
]


@pytest.mark.parametrize(
    "typed, same, like",
    [
        ("  maria   PEREZ ", ["1"], []),
        ("Maria Perz", [], ["1"]),
        ("Mario Pérez", [], ["1"]),
        ("Pérez, María", [], ["1"]),
        ("María P.", [], ["1"]),
        ("la pili", [], ["1"]),
        ("José García", [], ["2"]),
        ("José García Ruiz", [], []),
        ("Antonio Gil", ["3", "4"], []),
        ("Antonio Gil (toño)", ["3"], []),
        ("Luis Mur", [], ["5"]),
        ("Ena", [], []),
        ("Blas 13", [], []),
        ("Blas Ruiz", [], []),
    ],
)
def test_who_is_meant_and_who_may_be_meant(typed: str, same: list[str], like: list[str]) -> None:
    names = KnownNames(KNOWN)
    assert [one.player for one in names.players_of_name(typed)] == same
    assert [one.player for one in names.players_of_similar_name(typed)] == like


class Site:
    """The pages of a club, whose forms are sent with a key."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.maria = self.add("María Pérez", nickname="La Pili", club="la Peña")

    def add(self, name: str, **more: str) -> str:
        made = self.table.post("/api/v1/players", {"name": name, **more})
        return str(made.json["players"][0])

    def send(self, path: str, **typed: Any) -> Any:
        form = {"key": self.table.key().replace("-", "x") + "x" * 16, **typed}
        answer = self.table.client.post(path, data=form, headers=self.table.owner())
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            self.table.position = max(self.table.position, int(waits[1]))
        return answer

    def names(self) -> list[str]:
        return [one["name"] for one in self.table.get("/api/v1/players").json["items"]]


def asked(answer: Any) -> list[str]:
    """Questions of a page, each followed by what may be answered."""
    found = re.findall(r"<fieldset><legend>(¿.+?)</fieldset>", answer.text, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html.unescape(one))) for one in found]


def test_a_new_player_who_may_be_on_the_list_is_asked_about(table: HttpTable) -> None:
    site = Site(table)
    table.get("/api/v1/players")
    first = site.send("/jugadores/", name="maria  perez", nickname="Mari", club="")
    assert asked(first) == [
        "¿Quién es “maria perez”? Es María Pérez (La Pili) · la Peña Es otra persona"
    ]
    assert 'value="Mari"' in first.text
    assert site.names() == ["María Pérez"]
    is_she = {answer_field_of_name("maria perez"): site.maria}
    gone = site.send("/jugadores/", name="maria perez", nickname="", club="", **is_she)
    assert gone.headers["Location"] == f"/jugadores/{site.maria}"
    other = {answer_field_of_name("maria perez"): "other"}
    assert site.send("/jugadores/", name="maria perez", nickname="", club="", **other).status_code
    assert len(site.names()) == 2


def test_a_form_that_added_somebody_is_not_asked_about_when_sent_again(table: HttpTable) -> None:
    site = Site(table)
    form = {"key": "k" * 20, "name": "Blas Gil", "nickname": "", "club": ""}
    answers = [table.client.post("/jugadores/", data=form, headers=table.owner()) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    table.position = int(answers[1].headers["Location"].rpartition("=")[2])
    assert site.names() == ["Blas Gil", "María Pérez"]


def test_arrivals_typed_as_names_are_the_players_of_the_club(table: HttpTable) -> None:
    site = Site(table)
    body = {"date": "2026-11-26", "profile": {"id": "club"}}
    evening = table.post("/api/v1/sessions", body)
    path = evening.headers["Location"].replace("/api/v1/sessions", "/jornadas")

    def arrive(names: str, **answers: str) -> Any:
        version = str(table.get(evening.headers["Location"]).json["version"])
        form = {"version": version, "do": "save", "names-persons": names}
        return site.send(f"{path}/presentes", **form, **answers)

    again = arrive("Maria Perz\nBlas Gil")
    assert again.status_code == 422
    assert len(asked(again)) == 1
    assert "Maria Perz\nBlas Gil</textarea>" in again.text
    done = arrive("Maria Perz\nBlas Gil", **{answer_field_of_name("Maria Perz"): site.maria})
    assert done.status_code == 303, done.text
    present = table.get(evening.headers["Location"]).json["present"]
    assert (present[0], len(present)) == (site.maria, 2)
    form = {"date": "2026-11-27", "profile": "club", "names-persons": "la pili"}
    opened = site.send("/jornadas/", **form)
    assert (opened.status_code, len(asked(opened))) == (422, 1)


def test_entries_of_a_tournament_are_asked_about_one_by_one_and_pasted(table: HttpTable) -> None:
    site, desk = Site(table), Desk(table, pairs=0)
    table.get("/api/v1/players")
    one = desk.send("/parejas", do="enter", player=["Maria Perz", "Blas Gil"], strength="0")
    assert len(asked(one)) == 1
    assert desk.names() == []
    text = "Maria Perz / Blas Gil"
    assert len(asked(desk.send("/parejas", do="look", text=text))) == 1
    assert len(asked(desk.send("/parejas", do="enter", text=text))) == 1
    answers = {answer_field_of_name("Maria Perz"): site.maria}
    assert desk.send("/parejas", do="enter", text=text, **answers).status_code == 303
    assert desk.names() == [["María Pérez", "Blas Gil"]]
    others = desk.send("/parejas/1", do="substitute", player=["La Pili", "Celia"])
    assert len(asked(others)) == 1
    answers = {answer_field_of_name("La Pili"): "other"}
    done = desk.send("/parejas/1", do="substitute", player=["La Pili", "Celia"], **answers)
    assert done.status_code == 303
    assert desk.names() == [["La Pili", "Celia"]]


def test_a_list_that_is_brought_asks_about_names_that_nearly_exist(table: HttpTable) -> None:
    site = Site(table)
    table.get("/api/v1/players")

    def bring(take: str, **answers: str) -> Any:
        version = str(table.get(f"/api/v1/players/{site.maria}").json["version"])
        text = "nombre;club\nMaria Perz;Sur\nBlas Gil;\n"
        return site.send("/jugadores/traer", version=version, text=text, take=take, **answers)

    assert len(asked(bring(""))) == 1
    assert len(asked(bring("yes"))) == 1
    assert site.names() == ["María Pérez"]
    done = bring("yes", **{answer_field_of_name("Maria Perz"): site.maria})
    assert "Nuevos: 1. Cambiados: 1." in done.text
    table.position = table.app.extensions["guinote"]().referee.position()
    assert site.names() == ["Blas Gil", "María Pérez"]
    assert table.get(f"/api/v1/players/{site.maria}").json["club"] == "Sur"
