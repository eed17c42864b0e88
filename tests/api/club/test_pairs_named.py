"""Pairs of the club made from pasted lines or two names: over HTTP, and with one tap at their page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.club.pairs.lines import pairs_and_faults_in_text
from tests.support.page_in_node import expect, page_in_node
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

PAGE = "/jugadores/parejas"
EIGHT = "\n".join(
    f"{one} - {other} = {name}"
    for one, other, name in [
        ("Ana Gil", "Luis Pardo", "Los Gavilanes"),
        ("Eva Mur", "Blas Sanz", "Los de Ejea"),
        ("Celia Roy", "Diego Lou", "As de Oros"),
        ("Gloria Bes", "Hugo Vela", "Las Cuarenta"),
        ("Iris Pola", "Jaime Cinca", "Tute Seco"),
        ("Karmele Oto", "León Abad", "Los Relojes"),
        ("Marta Ruiz", "Nando Gracia", "Casa Joan"),
        ("Olga Pina", "Pedro Lacasa", "El Rabal"),
    ]
)


class ListOfPairs:
    """The page of the pairs, for an owner."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table

    def send(self, **form: Any) -> Any:
        form["key"] = self.table.key().replace("-", "x") + "x" * 16
        answer = self.table.client.post(PAGE, data=form, headers=self.table.owner())
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            self.table.position = int(waits[1])
        return answer

    def pairs(self, sought: str = "") -> dict[str, list[str]]:
        """Names of the players of each pair, by its title."""
        q = f"?q={sought}" if sought else ""
        items = self.table.get(f"/api/v1/pairs{q}").json["items"]
        return {one["title"]: one["names"] for one in items}


@pytest.mark.parametrize(
    ("line", "players", "name"),
    [
        ("Ana Gil - Luis Pardo = Los Gavilanes", ["Ana Gil", "Luis Pardo"], "Los Gavilanes"),
        ("Los Gavilanes: Ana Gil y Luis Pardo", ["Ana Gil", "Luis Pardo"], "Los Gavilanes"),
        ("Ana Gil, Luis Pardo, Los Gavilanes", ["Ana Gil", "Luis Pardo"], "Los Gavilanes"),
        ("Ana Gil\tLuis Pardo\tLos Gavilanes", ["Ana Gil", "Luis Pardo"], "Los Gavilanes"),
        ('"Gil, Ana";"Pardo, Luis";"As, de Oros"', ["Gil, Ana", "Pardo, Luis"], "As, de Oros"),
        ("3. Ana Gil y Luis Pardo, Los Gavilanes", ["Ana Gil", "Luis Pardo"], "Los Gavilanes"),
        ("Ana Gil et Luis Pardo", ["Ana Gil", "Luis Pardo"], ""),
        ("Ana Gil – Luis Pardo", ["Ana Gil", "Luis Pardo"], ""),
        ("Ana/Luis", ["Ana", "Luis"], ""),
    ],
)
def test_a_line_is_read_as_it_is_written(line: str, players: list[str], name: str) -> None:
    headed = f"Jugador 1; Jugador 2; Nombre de la pareja\n\n{line}\n"
    for text, number in ((line, 1), (headed, 3)):
        (found,), faults = pairs_and_faults_in_text(text, (), ())
        assert (faults, found.line, found.name) == ([], number, name)
        assert [one.name for one in found.players] == players


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Ana Gil", "players_wanted"),
        ("Ana - Eva - Luis", "players_wanted"),
        ("Ana - ana", "pair_of_one"),
        (f"Ana - {'x' * 81}", "length"),
        (f"Ana - Luis = {'x' * 81}", "length"),
        (" \n", "no_lines"),
    ],
)
def test_a_line_that_is_no_pair_is_named(line: str, fault: str) -> None:
    _, faults = pairs_and_faults_in_text(line, (), ())
    assert [one.fault for one in faults] == [fault]


def test_a_list_makes_players_and_pairs_once(table: HttpTable) -> None:
    page = ListOfPairs(table)
    assert page.send(text=EIGHT).status_code == 303
    assert len(page.pairs()) == 8
    assert page.pairs()["Los Gavilanes"] == ["Ana Gil", "Luis Pardo"]
    assert len(table.get("/api/v1/players").json["items"]) == 16
    again = page.send(text=EIGHT)
    assert again.status_code == 303
    assert len(page.pairs()) == 8
    assert len(table.get("/api/v1/players").json["items"]) == 16


def test_a_known_player_is_found_and_a_known_pair_gets_its_name(table: HttpTable) -> None:
    page = ListOfPairs(table)
    assert page.send(player=["Ana Gil", "Luis Pardo"], pair_name="").status_code == 303
    assert list(page.pairs()) == ["Ana Gil · Luis Pardo"]
    assert page.send(text="luis pardo y ANA GIL = Los Gavilanes").status_code == 303
    assert page.pairs() == {"Los Gavilanes": ["Ana Gil", "Luis Pardo"]}


@pytest.mark.parametrize(
    ("text", "said", "pairs"),
    [
        ("Ana - Eva\nAna - Luis", "Ana está en dos parejas de la lista.", 2),
        ("Ana - Eva = Los Otros", "La pareja Los Unos pasaría a llamarse Los Otros.", 1),
        ("Celia - Diego = los unos", "Otra pareja se llama ya los unos.", 2),
    ],
)
def test_what_is_unclear_is_shown_before_it_is_made(
    table: HttpTable, text: str, said: str, pairs: int
) -> None:
    page = ListOfPairs(table)
    page.send(text="Ana - Eva = Los Unos")
    shown = page.send(text=text)
    assert (shown.status_code, said in shown.text) == (422, True)
    assert list(page.pairs()) == ["Los Unos"]
    assert page.send(text=text, sure="yes").status_code == 303
    assert len(page.pairs()) == pairs


def test_a_fault_makes_nothing_and_loses_nothing_typed(table: HttpTable) -> None:
    page = ListOfPairs(table)
    shown = page.send(text="Ana - Eva = Los Unos\nLuis", sure="yes")
    assert shown.status_code == 422
    assert "Línea 2" in shown.text
    assert "Ana - Eva = Los Unos" in shown.text
    assert page.pairs() == {}


def test_pairs_are_found_by_their_name_and_by_their_players(table: HttpTable) -> None:
    page = ListOfPairs(table)
    page.send(text=EIGHT)
    assert list(page.pairs("gavil")) == ["Los Gavilanes"]
    assert list(page.pairs("iris")) == ["Tute Seco"]
    for path in (f"{PAGE}?q=gavil", "/jugadores/?q=gavil"):
        seen = table.get(path).text
        assert "Los Gavilanes" in seen
        assert "Tute Seco" not in seen


def test_naming_eight_pairs_takes_eight_lines_and_one_tap(served: Served) -> None:
    with page_in_node(served, PAGE, signed_in=True) as page:
        page.fill("#text", EIGHT)
        page.get_by_role("button", name="Apuntar las parejas").click()
        expect(page.locator(".said")).to_have_text("Hecho. Parejas: 8.")
        expect(page.locator(".cases li")).to_have_count(8)
        assert len(EIGHT.splitlines()) == 8
