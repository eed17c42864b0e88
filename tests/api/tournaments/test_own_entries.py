"""Pairs enter a tournament by themselves, over its address, with the pages that they see."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from referee.access.attempts import PAIRS_OF_ADDRESS
from referee.aggregates.tournament.lots import RevealedLots, lots_differences
from tests.support.servers.http_table import HttpTable, Response
from tests.support.servers.http_tournament import Desk


class PairPhone:
    """The phone of a pair that has nothing but an address."""

    def __init__(self, table: HttpTable, path: str) -> None:
        self.table, self.client, self.path = table, table.app.test_client(), path

    def page(self, status: int = 200) -> str:
        found = self.client.get(f"{self.path}?lang=es")
        assert found.status_code == status, found.text
        return " ".join(re.sub(r"<[^>]+>", " ", found.text).split())

    def post(self, **typed: Any) -> Response:
        page = self.client.get(self.path).text
        found = re.search(r'name="key" value="(\w+)"', page)
        key = typed.pop("key", found and found[1])
        answer = self.client.post(f"{self.path}?lang=es", data={"key": key, **typed})
        self.table.position = self.table.app.extensions["guinote"]().referee.position()
        return answer

    def enter(self, *players: str, **more: Any) -> PairPhone:
        answer = self.post(player=[*players], **more)
        assert answer.status_code == 303, answer.text
        return PairPhone(self.table, answer.headers["Location"])


@pytest.fixture
def desk(table: HttpTable) -> Desk:
    made = Desk(table, 0, format="knock_out")
    opened = made.send(do="open_entries", date="2026-12-24", time="18:00", most="2")
    assert opened.headers["Location"].split("?")[0].endswith("/direccion/parejas")
    return made


def address(desk: Desk) -> str:
    found = re.search(r'href="[^"]*(/i/[\w-]{38})"', desk.get("/parejas").text)
    assert found is not None
    return found[1]


def test_a_pair_enters_waits_moves_up_and_leaves_by_itself(table: HttpTable, desk: Desk) -> None:
    hung = PairPhone(table, address(desk))
    assert "Podéis apuntaros hasta el" in hung.page()
    assert "Quedan 2 plazas." in hung.page()
    one = hung.enter("Ana", "Blas", bar="Bar Pilar")
    assert "Pareja 1: Ana · Blas Bar Pilar Estáis dentro" in one.page()
    assert "Queda 1 plaza." in hung.page()
    hung.enter("Celia", "Diego")
    assert "os apuntáis en la lista de espera" in hung.page()
    three = hung.enter("Eva", "Fran")
    assert "En lista de espera: 1" in three.page()
    waiting = desk.get("/parejas").text
    assert "Eva · Fran" in waiting
    assert "Bar Pilar" in waiting
    assert desk.names() == [["Ana", "Blas"], ["Celia", "Diego"]]
    assert one.post().status_code == 303
    assert "Os habéis dado de baja" in one.page()
    assert "Estáis dentro" in three.page()
    assert desk.names() == [["Celia", "Diego"], ["Eva", "Fran"]]


def test_a_tap_sent_twice_enters_one_pair_and_nobody_enters_twice(
    table: HttpTable, desk: Desk
) -> None:
    hung = PairPhone(table, address(desk))
    first, again = (hung.post(key="k" * 32, player=["Ana", "Blas"]) for _ in range(2))
    assert first.headers["Location"] == again.headers["Location"]
    twice = hung.post(player=["ANA", "Celia"])
    assert twice.status_code == 409
    assert 'value="ANA"' in twice.text
    assert hung.post(player=["Eva", "Eva"]).status_code == 409
    assert hung.post(player=["Eva", " "]).status_code == 422
    assert hung.post(player=["Eva", "Fran"], key="no").status_code == 400
    assert desk.names() == [["Ana", "Blas"]]


def test_a_name_of_one_player_of_the_club_means_that_player(table: HttpTable, desk: Desk) -> None:
    (ana,) = table.post("/api/v1/players", {"name": "Ana Gil"}).json["players"]
    PairPhone(table, address(desk)).enter("ana gil", "Blas")
    assert desk.names() == [["Ana Gil", "Blas"]]
    entry = desk.run.ask("pairs", {"pairs": [{"players": [{"person": ana}, {"name": "Eva"}]}]})
    assert (entry.status_code, entry.json["reason"]) == (409, "person-twice")


def test_after_the_hour_or_the_closing_nobody_enters_and_a_new_address_is_another(
    table: HttpTable, desk: Desk
) -> None:
    old = PairPhone(table, address(desk))
    past = "2026-01-02"
    desk.send(do="open_entries", date=past, most="2")
    assert "Las inscripciones están cerradas" in old.page()
    assert old.post(key="k" * 32, player=["Ana", "Blas"]).status_code == 409
    desk.send(do="open_entries", most="0")
    own = old.enter("Ana", "Blas")
    desk.send(do="close_entries")
    assert "Esta dirección ya no vale" in old.page(404)
    desk.send(do="open_entries", most="2")
    assert address(desk) != old.path
    assert "Estáis dentro" in own.page()


def test_a_pair_leaves_by_itself_until_the_draw_is_prepared(table: HttpTable, desk: Desk) -> None:
    hung = PairPhone(table, address(desk))
    one = hung.enter("Ana", "Blas")
    hung.enter("Celia", "Diego")
    desk.send(do="commit", heads="0")
    late = one.post(key="k" * 32)
    assert late.status_code == 409
    assert "Darnos de baja" not in one.page()
    assert hung.post(key="j" * 32, player=["Eva", "Fran"]).status_code == 409
    desk.send(do="reveal")
    assert "Vuestros encuentros" in one.page()
    for path in (f"/i/{'A' * 38}", "/i/nada"):
        assert "Esta dirección ya no vale" in PairPhone(table, path).page(404)


def test_an_hour_or_a_number_that_is_none_is_told_at_the_desk(desk: Desk) -> None:
    assert desk.send(do="open_entries", date="2026-12-24", time="25:00").status_code == 422
    assert desk.send(do="open_entries", date="mañana").status_code == 422
    assert desk.send(do="open_entries", most="muchas").status_code == 422


def test_pairs_of_one_bar_are_proposed_to_be_apart_and_the_draw_says_so(
    table: HttpTable, desk: Desk
) -> None:
    desk.send(do="open_entries", most="0")
    hung = PairPhone(table, address(desk))
    bars = ("Bar Pilar", "bar pilar", "BAR PILAR", "Bar  Pilar", *["Casino"] * 4)
    for number, bar in enumerate(bars, 1):  # by chance nobody of a bar meets in 24 of 105 draws
        hung.enter(f"Ana {number}", f"Blas {number}", bar=bar)
    proposed = re.search(r'name="apart"[^>]*>([^<]*)<', desk.get().text)
    assert proposed is not None
    assert proposed[1].split("\n") == ["1 2 3 4", "5 6 7 8", ""]
    assert desk.send(do="commit", heads="0", apart="1 9").status_code == 409
    assert desk.send(do="commit", heads="0", apart=proposed[1]).status_code == 303
    assert desk.send(do="reveal").status_code == 303
    met = [set(one["pairs"]) for one in desk.run.view()["rounds"][0]["meetings"]]
    assert len(met) == 4
    assert all(len(one & {"1", "2", "3", "4"}) == 1 for one in met)
    file = table.get(f"{desk.run.path}/draw").json
    assert (file["version"], file["draw"]["apart"]) == ("guinote-draw-2", [[*"1234"], [*"5678"]])
    assert not lots_differences(msgspec.convert(file, RevealedLots))
    page = table.get(desk.path.replace("/direccion", "/sorteo")).text
    assert "3 Ana 3 · Blas 3" in " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_who_is_kept_apart_is_said_over_http_too(table: HttpTable) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.run.do("draw", {"apart": [["1", "2", "3"]]})
    desk.run.do("lots")
    assert table.get(f"{desk.run.path}/draw").json["draw"]["apart"] == [["1", "2", "3"]]
    swiss = Desk(table, 4, format="swiss", rounds=2)
    refused = swiss.run.ask("draw", {"apart": [["1", "2"]]})
    assert (refused.status_code, refused.json["reason"]) == (409, "not-in-this-format")


def test_a_bar_with_one_network_enters_hundreds_of_pairs_and_a_flood_waits(
    table: HttpTable, desk: Desk
) -> None:
    desk.send(do="open_entries", most="0")
    hung = PairPhone(table, address(desk))
    for number in range(1, PAIRS_OF_ADDRESS[0].number + 1):
        hung.enter(f"Ana {number}", f"Blas {number}")
    key = "k" * 32
    flood = hung.post(player=["Eva", "Fran"], key=key)
    assert flood.status_code == 429
    assert int(flood.headers["Retry-After"]) <= 60
    assert "Apuntaos" in hung.page(), "reading waits for nobody"
