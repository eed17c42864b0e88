"""Encuentros over HTTP: opened, drawn, seated, ruled, and followed by their partidas."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.http_table import ENCUENTROS, HttpTable


def test_an_encuentro_is_opened_once_with_its_seats(table: HttpTable) -> None:
    body = {
        "profile": {"id": "guinyot"},
        "players": 2,
        "seats": {"A1": {"name": "Núria"}, "B1": {"name": "Pol"}},
        "place": "Casa Joan",
        "date": "2026-11-21",
    }
    key = table.key()
    first, again = (table.post(ENCUENTROS, body, key=key) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.data == again.data
    assert again.headers["Idempotent-Replayed"] == "true"
    view = table.get(first.headers["Location"]).json
    assert view["names"][view["seats"]["A1"]] == "Núria"
    assert (view["place"], view["date"]) == ("Casa Joan", "2026-11-21")
    assert len(table.get(ENCUENTROS).json["items"]) == 1


def test_an_encuentro_says_what_it_is_held_in(table: HttpTable) -> None:
    body = {"date": "2026-11-21", "profile": {"id": "club"}}
    session = table.post("/api/v1/sessions", body).json["id"]
    opened = table.post(ENCUENTROS, {"profile": {"id": "club"}, "held_in": session})
    assert table.get(opened.headers["Location"]).json["held_in"] == session
    alone = table.post(ENCUENTROS, {"profile": {"id": "club"}})
    assert table.get(alone.headers["Location"]).json["held_in"] == ""
    wrong = table.post(ENCUENTROS, {"profile": {"id": "club"}, "held_in": "tuesday"})
    assert (wrong.status_code, list(wrong.json["codes"]["json"])) == (422, ["held_in"])


def test_a_club_plays_by_its_own_profile(table: HttpTable) -> None:
    own = {
        "id": "club",
        "changes": {"undertrump": "forced"},
        "as": {"id": "la-pena", "edition": "2026"},
    }
    checked = table.client.post("/api/v1/profiles/check", json={"profile": own})
    assert checked.status_code == 200
    answer = table.post(ENCUENTROS, {"profile": own})
    view = table.get(answer.headers["Location"]).json
    assert view["profile"]["hash"] == checked.json["hash"]
    assert view["profile"]["options"]["undertrump"] == "forced"


def test_the_program_draws_so_that_anybody_can_repeat_it(table: HttpTable) -> None:
    where = table.encuentro()
    body = {
        "method": "a_reyes",
        "purpose": "dealer",
        "candidates": ["A1", "B1", "A2", "B2"],
        "seed": "Calamocha",
    }
    drawn = table.post(f"{where}/draws", body, 2)
    assert drawn.status_code == 200, drawn.text
    cards = drawn.json["cards"]
    entered = {**body, "cards": cards}
    del entered["seed"]
    again = table.post(f"{where}/draws", entered, 3)
    assert again.json["outcome"] == drawn.json["outcome"]
    other = table.post(f"{where}/draws", {**entered, "cards": cards[:-1]}, 4)
    assert (other.status_code, other.json["reason"]) == (409, "unfinished")
    assert other.json["rule"] == "unfinished"
    assert other.json["facts"]["waiting"]


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("a card that is none", {"cards": [["A1", "XX"]]}, "card-not-in-deck"),
    ("a card of another deck", {"cards": [["A1", "9O"]]}, "card-not-in-deck"),
    ("somebody out of turn", {"cards": [["B1", "2O"]]}, "not-next"),
    ("a seat named twice", {"candidates": ["A1", "A1", "A2", "B2"]}, "candidate-twice"),
    ("a seat too few", {"candidates": ["A1", "B1"]}, "candidates-do-not-fit"),
]


@pytest.mark.parametrize(
    ("wrong", "reason"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_a_draw_that_cannot_have_been_is_refused(
    table: HttpTable, wrong: dict[str, Any], reason: str
) -> None:
    where = table.encuentro()
    body = {
        "method": "a_reyes",
        "purpose": "dealer",
        "candidates": ["A1", "B1", "A2", "B2"],
        **wrong,
    }
    answer = table.post(f"{where}/draws", body, 2)
    assert (answer.status_code, answer.json["code"], answer.json["reason"]) == (
        409,
        "bad_draw",
        reason,
    )


def test_persons_are_drawn_and_then_seated(table: HttpTable) -> None:
    where = table.post(ENCUENTROS, {"profile": {"id": "club"}}).headers["Location"]
    names = ["Ana", "Blas", "Celia", "Diego"]
    drawn = table.post(
        f"{where}/draws", {"method": "a_reyes", "purpose": "partners", "candidates": names}, 1
    )
    assert sorted(drawn.json["names"].values()) == names
    seats = {
        seat: {"person": person}
        for seat, person in drawn.json["outcome"].items()
        if seat != "dealer"
    }
    assert table.post(f"{where}/seats", {"seats": seats}, 2).status_code == 200
    assert len(table.get(where).json["names"]) == 4
    unknown = {"seats": {**seats, "A1": {"person": "0" * 32}}}
    assert table.post(f"{where}/seats", unknown, 3).status_code == 422


def test_a_player_is_substituted_and_an_encuentro_ruled(table: HttpTable) -> None:
    where = table.encuentro()
    body = {"seat": "B1", "name": "Fidel", "because": "se puso malo"}
    assert table.post(f"{where}/substitutions", body, 2).status_code == 200
    ruled = table.post(f"{where}/rulings", {"winner": "A", "because": "no volvieron"}, 3)
    assert ruled.status_code == 200
    view = table.get(where).json
    assert view["names"][view["seats"]["B1"]] == "Fidel"
    assert view["decided"] == {"winner": "A"}
    trail = table.get(f"{where}/audit").json["items"]
    assert [one["event"] for one in trail if one["line"] == 3] == ["PlayerSubstituted.1"]
    assert [text for one in trail for text in one["texts"].values()] == [
        "se puso malo",
        "no volvieron",
    ]
    late = table.post(f"{where}/partidas", version=4)
    assert (late.status_code, late.json["code"]) == (409, "encuentro-closed")


def test_the_next_partida_waits_for_the_one_before(table: HttpTable) -> None:
    where = table.encuentro()
    table.partida(where)
    answer = table.post(f"{where}/partidas", version=3)
    assert (answer.status_code, answer.json["code"]) == (409, "partida-running")


def test_a_result_alone_makes_a_partida_and_follows_in_the_encuentro(table: HttpTable) -> None:
    where = table.encuentro()
    partida = table.partida(where)
    answer = table.record(
        partida, 0, {"kind": "result", "winner": "B", "totals": {"A": 80, "B": 110}}
    )
    assert answer.json["decided"]["winner"] == "B"
    view = table.get(where).json
    assert view["standing"]["camas"] == {"A": 0, "B": 1}
    assert view["version"] == 3
