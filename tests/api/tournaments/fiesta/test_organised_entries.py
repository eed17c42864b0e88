"""What the organiser has of entries: who has paid, a telephone, and all of it as JSON."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.club.phones import book
from tests.api.tournaments.test_own_entries import PairPhone, address
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

TYPED, SHOWN = "600 12 34 56", "600 123 456"


@pytest.fixture
def desk(table: HttpTable) -> Desk:
    made = Desk(table, 0, format="knock_out")
    made.send(do="open_entries", date="2026-12-24", time="18:00", most="2")
    return made


@pytest.fixture
def own(table: HttpTable, desk: Desk) -> PairPhone:
    hung = PairPhone(table, address(desk))
    hung.enter("Celia", "Diego", bar="Bar Pilar")
    return hung.enter("Ana", "Blas", phone=TYPED)


def here(table: HttpTable) -> Any:
    return table.app.extensions["guinote"]()


def numbers(table: HttpTable) -> list[str]:
    return [text for _, text in here(table).persons.ids_and_texts() if "600123456" in text]


def forgotten(table: HttpTable, after: timedelta = timedelta()) -> int:
    when = datetime.now(UTC) + after
    return book.forget_expired_phones(replace(here(table), clock=lambda: when))


def test_only_the_desk_shows_the_telephone_of_a_pair(
    table: HttpTable, desk: Desk, own: PairPhone
) -> None:
    page = desk.get("/parejas").text
    assert 'href="tel:+34600123456"' in page
    assert SHOWN in page
    assert "Habéis dejado un teléfono" in own.page()
    home = desk.path.removesuffix("/direccion")
    public = [home, f"{home}/parejas", f"{home}/parejas.csv", desk.run.path]
    organised = f"{desk.run.path}/entries"
    for text in [table.get(one).text for one in (*public, organised)] + [own.page()]:
        assert "600" not in text
    assert numbers(table) == ["+34600123456"]
    hung = PairPhone(table, address(desk))
    refused = hung.post(player=["Eva", "Fran"], phone="no lo digo")
    assert refused.status_code == 422
    assert "No parece un teléfono." in refused.text
    assert 'value="no lo digo"' in refused.text


@pytest.mark.parametrize("end", ["closed", "cancelled", "left"])
def test_it_is_forgotten_with_the_tournament_or_the_pair(
    table: HttpTable, desk: Desk, own: PairPhone, end: str
) -> None:
    assert forgotten(table) == 0
    if end == "closed":
        desk.run.draw()
        desk.run.play_open()
        desk.send(do="close")
    elif end == "cancelled":
        desk.send(do="cancel")
    else:
        own.post()
    desk.run.view()
    assert SHOWN not in desk.get("/parejas").text
    assert forgotten(table) == 1
    assert numbers(table) == []


def test_it_is_forgotten_after_a_year_and_with_a_person(
    table: HttpTable, desk: Desk, own: PairPhone
) -> None:
    desk.run.view()
    assert forgotten(table, timedelta(days=365)) == 0
    ana = next(one for one, name in here(table).persons.ids_and_names() if name == "Ana")
    assert _erase(table, ana) in (200, 204)
    assert numbers(table) == []
    PairPhone(table, address(desk)).enter("Eva", "Fran", phone=TYPED)
    desk.run.view()
    assert forgotten(table, timedelta(days=368)) == 1


def test_who_has_paid_is_ticked_and_only_the_organiser_sees_it(
    table: HttpTable, desk: Desk, own: PairPhone
) -> None:
    answer = desk.send(do="paid", pair="2")
    assert answer.headers["Location"].split("?")[0].endswith("/direccion/parejas")
    PairPhone(table, address(desk)).enter("Eva", "Fran")  # waits, and may have paid too
    desk.run.view()
    desk.run.do("pairs/3/payment", {"paid": True})
    assert desk.get("/parejas").text.count(">Pagado</span>") == 2
    path = f"{desk.run.path}/entries"
    view = table.get(path).json
    assert (view["is_open"], view["most"], view["until"]) == (True, 2, "2026-12-24T18:00")
    rows = [(one["pair"], one["players"], one["waits"]) for one in view["entries"]]
    assert rows == [
        ("1", ["Celia", "Diego"], 0),
        ("2", ["Ana", "Blas"], 0),
        ("3", ["Eva", "Fran"], 1),
    ]
    assert [one["is_paid"] for one in view["entries"]] == [False, True, True]
    assert [one["has_phone"] for one in view["entries"]] == [False, True, False]
    assert view["entries"][0]["bar"] == "Bar Pilar"
    desk.send(do="not_paid", pair="2")
    assert [one["is_paid"] for one in table.get(path).json["entries"]] == [False, False, True]
    desk.run.view()
    refused = desk.run.ask("pairs/9/payment", {"paid": True})
    assert (refused.status_code, refused.json["reason"]) == (409, "pair-unknown")
    assert "paid" not in table.get(desk.run.path).text
    assert table.client.get(path).status_code == 401


def _erase(table: HttpTable, person: str) -> int:
    return table.client.delete(f"/api/v1/persons/{person}", headers=table.owner()).status_code
