"""Players and pairs over HTTP: list, edit, merge, erase, import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from api.cli.main import main
from tests.support.servers.http_table import ENCUENTROS, HttpTable

PLAYERS = "/api/v1/players"
PAIRS = "/api/v1/pairs"


def add(table: HttpTable, name: str, **more: str) -> str:
    answer = table.post(PLAYERS, {"name": name, **more})
    assert answer.status_code == 201, answer.text
    (player,) = answer.json["players"]
    return str(player)


def listed(table: HttpTable, query: str = "") -> list[tuple[str, str, str]]:
    answer = table.get(f"{PLAYERS}?{query}")
    assert answer.status_code == 200, answer.text
    return [(one["name"], one["nickname"], one["club"]) for one in answer.json["items"]]


def seat(table: HttpTable, *who: str) -> dict[str, str]:
    """Two players of a new encuentro, by id if it is one, else by name; their ids."""
    given = [{"person" if len(one) == 32 else "name": one} for one in who]
    seats = dict(zip(("A1", "B1"), given, strict=True))
    opened = table.post(ENCUENTROS, {"profile": {"id": "club"}, "players": 2, "seats": seats})
    assert opened.status_code == 201, opened.text
    return dict(table.get(opened.headers["Location"]).json["seats"])


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def test_a_player_is_listed_found_and_put_right(table: HttpTable) -> None:
    ana = add(table, "Íñiga Peña", nickname="Anita", club="Norte")
    add(table, "Blas")
    assert listed(table) == [("Blas", "", ""), ("Íñiga Peña", "Anita", "Norte")]
    for sought in ("pena i", "anit", "NORTE"):
        assert listed(table, f"q={sought}") == [("Íñiga Peña", "Anita", "Norte")]
    where = f"{PLAYERS}/{ana}"
    version = table.get(where).json["version"]
    edit = {"name": "Ana Peña", "nickname": ""}
    assert table.post(where, edit, version).status_code == 200
    assert listed(table, "q=ana") == [("Ana Peña", "", "Norte")]
    assert refusal(table.post(where, edit, version)) == (412, "stale")
    assert table.get("/api/v1/persons?q=ana").json["items"] == [{"person": ana, "name": "Ana Peña"}]


def test_the_same_request_lists_a_player_once(table: HttpTable) -> None:
    first = table.post(PLAYERS, {"name": "Ana"}, key="the-same-key")
    again = table.post(PLAYERS, {"name": "Ana"}, key="the-same-key")
    assert first.json == again.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert listed(table) == [("Ana", "", "")]
    names = table.get("/api/v1/persons").json["items"]
    assert len(names) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"name": "Ana", "nickname": "x" * 81}, "nickname"),
        ({"name": "Ana", "club": "a\u202eb"}, "club"),
        ({"name": "Ana", "phone": "600"}, "phone"),
    ],
)
def test_an_invalid_value_of_a_player_is_reported_by_its_field(
    table: HttpTable, body: dict[str, str], field: str
) -> None:
    answer = table.post(PLAYERS, body)
    assert answer.status_code == 422
    assert list(answer.json["errors"]["json"]) == [field]


def test_a_person_who_sat_at_a_table_is_a_player(table: HttpTable) -> None:
    seats = seat(table, "Ana", "Blas")
    assert [one[0] for one in listed(table)] == ["Ana", "Blas"]
    version = table.get(f"{PLAYERS}/{seats['A1']}").json["version"]
    assert table.post(f"{PLAYERS}/{seats['A1']}", {"club": "Sur"}, version).status_code == 200
    assert listed(table) == [("Ana", "", "Sur"), ("Blas", "", "")]


def test_who_was_known_twice_is_one_and_is_suggested_once(table: HttpTable) -> None:
    first, second = seat(table, "Ana", "Blas"), seat(table, "Anna", "Celia")
    anna = second["A1"]
    version = table.get(f"{PLAYERS}/{anna}").json["version"]
    table.post(f"{PLAYERS}/{anna}", {"nickname": "Anita"}, version)
    body = {"kept": first["A1"], "gone": anna}
    seen = table.post(f"{PLAYERS}/merges/preview", body).json
    assert (seen["encuentros"], seen["met"], seen["pairs"]) == ({"kept": 1, "gone": 1}, 0, [])
    assert table.post(f"{PLAYERS}/merges", body).status_code == 200
    assert listed(table) == [("Ana", "Anita", ""), ("Blas", "", ""), ("Celia", "", "")]
    suggested = [one["name"] for one in table.get("/api/v1/persons").json["items"]]
    assert suggested == ["Ana", "Celia", "Blas"]
    assert table.get(f"{PLAYERS}/{first['A1']}").json["also"] == [anna]
    assert table.get(f"{PLAYERS}/{anna}").status_code == 404
    assert table.post(f"{PLAYERS}/merges", body).status_code == 404


def test_who_plays_no_more_is_found_but_not_offered_until_they_come_back(table: HttpTable) -> None:
    seats = seat(table, "Ana", "Blas")
    where, form = f"{PLAYERS}/{seats['A1']}", "/jornadas/nueva"

    def offered() -> tuple[list[str], bool]:
        persons = table.get("/api/v1/persons").json["items"]
        return [one["name"] for one in persons], seats["A1"] in table.get(form).text

    assert offered() == (["Ana", "Blas"], True)
    for plays, now in ((False, (["Blas"], False)), (True, (["Ana", "Blas"], True))):
        version = table.get(where).json["version"]
        assert table.post(f"{where}/playing", {"plays": plays}, version).status_code == 200
        assert (table.get(where).json["plays"], offered()) == (plays, now)
        assert ("ya no juega" in table.get("/jugadores/").text) is not plays
        assert table.get("/api/v1/persons?q=ana").json["items"][0]["person"] == seats["A1"]


def test_who_sat_at_one_table_is_not_one_person(table: HttpTable) -> None:
    seats = seat(table, "Ana", "Anna")
    body = {"kept": seats["A1"], "gone": seats["B1"]}
    assert table.post(f"{PLAYERS}/merges/preview", body).json["met"] == 1
    assert refusal(table.post(f"{PLAYERS}/merges", body)) == (409, "players-met")
    itself = {"kept": seats["A1"], "gone": seats["A1"]}
    assert refusal(table.post(f"{PLAYERS}/merges", itself)) == (409, "player-twice")


def test_a_pair_has_a_name_and_gets_another(table: HttpTable) -> None:
    ana, blas = add(table, "Ana"), seat(table, "Blas", "Celia")["A1"]
    answer = table.post(PAIRS, {"players": [ana, blas], "name": "Los Reyes"})
    assert answer.status_code == 201
    (pair,) = answer.json["pairs"]
    (row,) = table.get(PAIRS).json["items"]
    assert (row["name"], row["names"], row["pair"]) == ("Los Reyes", ["Ana", "Blas"], pair)
    version = answer.json["version"]
    assert table.post(f"{PAIRS}/{pair}", {"name": ""}, version).status_code == 200
    assert table.get(PAIRS).json["items"][0]["name"] == ""
    again = table.post(PAIRS, {"players": [blas, ana], "name": "Otra"})
    assert refusal(again) == (409, "pair-known")
    stranger = table.post(PAIRS, {"players": [ana, "0" * 32]})
    assert refusal(stranger) == (422, "invalid")
    assert table.post(f"{PAIRS}/{'0' * 32}", {"name": "x"}, version + 1).status_code == 404


def test_who_is_erased_is_erased_under_every_name(table: HttpTable) -> None:
    ana = add(table, "Ana", nickname="Anita", club="Norte")
    anna, blas = add(table, "Anna", nickname="La Rubia"), add(table, "Blas", club="Sur")
    table.post(PAIRS, {"players": [anna, blas], "name": "Anna y Blas"})
    version = table.get(f"{PLAYERS}/{ana}").json["version"]
    table.post(f"{PLAYERS}/{ana}", {"nickname": "Anica"}, version)
    assert table.post(f"{PLAYERS}/merges", {"kept": ana, "gone": anna}).status_code == 200
    gone = table.client.delete(f"/api/v1/persons/{ana}", headers=table.owner())
    assert gone.status_code == 204
    assert listed(table) == [("Blas", "", "Sur")]
    services = table.app.extensions["guinote"]()
    club = services.referee.players.club()
    assert [services.persons.name(one) for one in (ana, anna)] == [None, None]
    assert {services.persons.text_by_id(one) for one in club.text_ids_of_person(ana)} == {None}
    assert len(club.text_ids_of_person(ana)) == 5
    assert table.get(PAIRS).json["items"][0]["name"] == ""


def test_a_table_of_players_is_looked_at_and_taken(table: HttpTable) -> None:
    add(table, "Ana", club="Norte")
    text = "nombre;apodo;club;DNI\nana;Anita;;1\nBlas;;Sur;2\nBLAS;;;3\nCelia\n"
    seen = table.post(f"{PLAYERS}/file/preview", {"text": text}).json
    assert seen["counts"] == {"new": 2, "edited": 1, "known": 0, "repeated": 1}
    assert seen["ignored"] == ["DNI"]
    assert listed(table) == [("Ana", "", "Norte")]
    answer = table.post(f"{PLAYERS}/file", {"text": text})
    assert answer.status_code == 200
    assert len(answer.json["players"]) == 3
    assert listed(table) == [("Ana", "Anita", "Norte"), ("Blas", "", "Sur"), ("Celia", "", "")]
    nothing = table.post(f"{PLAYERS}/file", {"text": text})
    assert (nothing.status_code, nothing.json["players"]) == (200, [])


def test_of_a_table_with_a_fault_nothing_is_taken(table: HttpTable) -> None:
    answer = table.post(f"{PLAYERS}/file", {"text": "Ana\n;x\nBlas;;;y\n"})
    assert answer.status_code == 422
    assert answer.json["codes"]["json"]["text"] == {
        "2": {"1": ["required"]},
        "3": {"4": ["cells_beyond"]},
    }
    assert listed(table) == []
    assert table.get("/api/v1/persons").json["items"] == []


def test_the_table_of_all_players_comes_back_as_it_was(table: HttpTable) -> None:
    add(table, "=HYPERLINK(1)", nickname="+34", club="@x")
    add(table, "Ana; la de 'Norte'")
    file = table.get(f"{PLAYERS}/file")
    assert file.mimetype == "text/csv"
    assert file.data.startswith('\ufeff"nombre";"apodo";"club"\r\n'.encode())
    assert '"\'=HYPERLINK(1)";"\'+34";"\'@x"' in file.text
    seen = table.post(f"{PLAYERS}/file/preview", {"text": file.text}).json
    assert seen["counts"] == {"new": 0, "edited": 0, "known": 2, "repeated": 0}


def test_two_thousand_players_come_in_at_once(table: HttpTable) -> None:
    text = "\n".join(f"Jugador {n};Apodo {n};Club {n % 30}" for n in range(2_000))
    answer = table.post(f"{PLAYERS}/file", {"text": text})
    assert answer.status_code == 200, answer.text
    assert len(set(answer.json["players"])) == 2_000
    assert table.get(f"{PLAYERS}?q=1999").json["items"][0]["nickname"] == "Apodo 1999"


def test_who_is_erased_on_the_command_line_is_erased_under_every_name(
    table: HttpTable, tmp_path: Path
) -> None:
    ana = add(table, "Ana", nickname="Anita")
    anna = add(table, "Anna", club="Norte")
    assert table.post(f"{PLAYERS}/merges", {"kept": ana, "gone": anna}).status_code == 200
    done = CliRunner().invoke(main, ["--data", str(tmp_path), "persons", "erase", anna])
    assert done.exit_code == 0, done.output
    services = table.app.extensions["guinote"]()
    assert [services.persons.name(one) for one in (ana, anna)] == [None, None]
    assert listed(table) == []
