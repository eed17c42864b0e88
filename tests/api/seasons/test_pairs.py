"""Evenings and seasons of pairs over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.seasons.test_seasons import DAY, SESSIONS, drawn, opened, rule, season, version
from tests.support.servers.http_table import ENCUENTROS, HttpTable

NAMES = ("Los Gavilanes", "Los Reyes", "As de Oros", "Las Cuarenta", "Los de Ejea", "Tute")


def pair(name: str, *players: str) -> dict[str, Any]:
    who = players or (f"Uno de {name}", f"Otro de {name}")
    return {"players": [{"name": one} for one in who], "name": name}


def evening(table: HttpTable, *names: str, league: str = "", **more: Any) -> str:
    """Address of an evening of pairs to which new pairs came."""
    body = {"date": DAY, "profile": {"id": "club"}, "of": "pairs", **more}
    body["pairs"] = [*more.get("pairs", ()), *map(pair, names)]
    if league:
        body["season"] = league.rpartition("/")[2]
    answer = table.post(SESSIONS, body)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def come(table: HttpTable, where: str, **body: Any) -> Any:
    return table.post(f"{where}/arrivals", body, version(table, where))


def club_pairs(table: HttpTable) -> dict[str, str]:
    """Pairs of the club: id by name."""
    return {one["name"]: one["pair"] for one in table.get("/api/v1/pairs").json["items"]}


def test_pairs_come_to_an_evening_and_the_draw_keeps_them_together(table: HttpTable) -> None:
    where = evening(table, *NAMES[:4])
    view = table.get(where).json
    assert (view["of"], len(view["pairs"]), len(view["present"])) == ("pairs", 4, 8)
    sides = {frozenset(players) for players in view["pairs"].values()}
    for method in ("seed", "strength"):
        draw = drawn(table, where, method=method)
        assert {frozenset(side) for one in draw["tables"] for side in one["sides"]} == sides
    opened(table, where)
    tables = table.get(where).json["opened"]
    assert [one["number"] for one in tables] == [1, 2]
    assert {each for one in tables for each in one["pairs"]} == set(view["pairs"])


def test_a_pair_of_the_club_comes_by_its_id_and_a_new_one_is_made(table: HttpTable) -> None:
    first = evening(table, "Los Gavilanes")
    known = club_pairs(table)["Los Gavilanes"]
    where = evening(table, pairs=[{"pair": known}])
    players = table.get(where).json["pairs"][known]
    assert sorted(players) == sorted(table.get(first).json["pairs"][known])
    again = {"players": [{"person": one} for one in players], "name": "Los Halcones"}
    assert come(table, where, pairs=[again]).json["code"] == "player-present"
    assert come(table, where, pairs=[pair("Los Reyes")]).status_code == 200
    assert set(club_pairs(table)) == {"Los Gavilanes", "Los Reyes"}
    assert set(table.get(where).json["pairs"]) == set(club_pairs(table).values())


def test_two_persons_who_are_a_pair_already_stay_one_pair(table: HttpTable) -> None:
    first = evening(table, "Los Gavilanes")
    (known, players), *_ = table.get(first).json["pairs"].items()
    where = evening(table, pairs=[{"players": [{"person": one} for one in players]}])
    assert list(table.get(where).json["pairs"]) == [known]
    assert list(club_pairs(table)) == ["Los Gavilanes"]


def test_a_pair_leaves_with_both_of_its_players(table: HttpTable) -> None:
    where = evening(table, *NAMES[:2])
    view = table.get(where).json
    gone, stays = view["pairs"]
    left = table.post(f"{where}/departures", {"pair": gone}, view["version"])
    assert left.status_code == 200, left.text
    assert table.get(where).json["present"] == view["pairs"][stays]
    person = table.post(
        f"{where}/departures", {"person": view["pairs"][stays][0]}, left.json["version"]
    )
    assert (person.status_code, person.json["code"]) == (409, "other-competitors")


def test_nobody_is_enrolled_when_an_arrival_is_refused(table: HttpTable) -> None:
    where = evening(table, "Los Gavilanes")
    known = club_pairs(table)["Los Gavilanes"]
    refused = come(table, where, pairs=[pair("Los Reyes"), {"pair": known}])
    assert (refused.status_code, refused.json["code"]) == (409, "player-present")
    assert list(club_pairs(table)) == ["Los Gavilanes"]
    assert len(table.get("/api/v1/persons").json["items"]) == 2


def test_a_repeated_request_makes_a_pair_once(table: HttpTable) -> None:
    where = evening(table)
    body, at = {"pairs": [pair("Los Reyes")]}, version(table, where)
    first = table.post(f"{where}/arrivals", body, at, key="the-same-key-twice")
    second = table.post(f"{where}/arrivals", body, at, key="the-same-key-twice")
    assert (first.json, second.headers["Idempotent-Replayed"]) == (second.json, "true")
    assert len(table.get("/api/v1/pairs").json["items"]) == 1
    assert len(table.get("/api/v1/persons").json["items"]) == 2


@pytest.mark.parametrize(
    ("one", "codes"),
    [
        ({"pair": "0" * 32}, {"0": {"pair": ["no_such_pair"]}}),
        (
            {"players": [{"person": "0" * 32}, {"name": "Eva"}]},
            {"0": {"players": ["no_such_person"]}},
        ),
        ({"players": [{"name": "Eva"}, {"name": "eva"}]}, {"0": {"players": ["pair_of_one"]}}),
        ({"name": "Los Reyes"}, {"0": {"_schema": ["pair_or_players"]}}),
    ],
)
def test_what_is_no_pair_is_named(table: HttpTable, one: Any, codes: Any) -> None:
    answer = come(table, evening(table), pairs=[one])
    assert (answer.status_code, answer.json["codes"]["json"]["pairs"]) == (422, codes)
    assert table.get("/api/v1/persons").json["items"] == []


def test_persons_do_not_come_to_an_evening_of_pairs_nor_the_reverse(table: HttpTable) -> None:
    where = evening(table)
    person = come(table, where, players=[{"name": "Eva"}])
    assert (person.status_code, person.json["code"]) == (409, "other-competitors")
    league = season(table)
    body = {"date": DAY, "profile": {"id": "club"}, "of": "pairs", "season": league[-36:]}
    other = table.post(SESSIONS, body)
    assert (other.status_code, other.json["code"]) == (409, "other-competitors")


def test_a_pair_sits_out_once_before_another_does_twice(table: HttpTable) -> None:
    league = season(table, of="pairs")
    out: list[frozenset[str]] = []
    for at, day in enumerate(("2026-11-05", "2026-11-12", "2026-11-19")):
        known = [{"pair": one} for one in club_pairs(table).values()]
        where = evening(table, *(NAMES[:3] if not at else ()), league=league, date=day, pairs=known)
        for _ in range(2):
            drawn(table, where, method="seed")
            opened(table, where)
            out.append(frozenset(table.get(where).json["draws"][-1]["resting"]))
    assert [len(set(each)) for each in (out[:3], out[3:])] == [3, 3]


def played(table: HttpTable, where: str) -> list[dict[str, Any]]:
    """The tables of an evening, drawn and opened, with the pairs of their sides."""
    drawn(table, where, method="seed", seed="Calamocha")
    opened(table, where)
    return list(table.get(where).json["opened"])


def test_a_season_of_pairs_has_a_table_of_pairs_each_counted_once(table: HttpTable) -> None:
    league = season(table, of="pairs", scoring={"encuentro_won": 3, "attendance": 2})
    where = evening(table, *NAMES[:4], league=league)
    one, other = played(table, where)
    rule(table, f"{ENCUENTROS}/{one['encuentro']}", "A")
    rule(table, f"{ENCUENTROS}/{other['encuentro']}", "B")
    for view in (table.get(league).json, table.get(where).json):
        rows = {row["pair"]: row for row in view["standings"]}
        assert set(rows) == set(club_pairs(table).values())
        won = {one["pairs"][0], other["pairs"][1]}
        for pair_id, row in rows.items():
            assert (row["played"], row["won"]) == (1, int(pair_id in won))
            assert (row["points"], row["attended"]) == (5 if pair_id in won else 2, 1)
            assert row["person"] == ""
            assert [each["name"] for each in row["players"]] == [
                f"Otro de {row['name']}",
                f"Uno de {row['name']}",
            ]
    page = table.get(league.replace("/api/v1/seasons", "/temporadas")).text
    assert all(name in page for name in NAMES[:4])


def test_a_pair_in_a_season_has_its_form_its_opponents_and_its_rating(table: HttpTable) -> None:
    league = season(table, of="pairs")
    where = evening(table, *NAMES[:2], league=league)
    (playing,) = played(table, where)
    rule(table, f"{ENCUENTROS}/{playing['encuentro']}", "A")
    won, lost = playing["pairs"]
    view = table.get(f"{league}/pairs/{won}").json
    names = {pair_id: name for name, pair_id in club_pairs(table).items()}
    assert (view["name"], view["streak"]) == (names[won], {"outcome": "won", "length": 1})
    assert [(one["pair"], one["name"], one["won"]) for one in view["opponents"]] == [
        (lost, names[lost], 1)
    ]
    assert [one["opponents"] for one in view["form"]] == [[names[lost]]]
    assert view["ratings"][-1]["rating"] > 1500
    assert table.get(f"{league}/pairs/{'0' * 32}").status_code == 404
    page = table.get(f"{league.replace('/api/v1/seasons', '/temporadas')}/pareja/{won}").text
    assert names[won] in page
    assert names[lost] in page


def test_a_substitute_plays_for_the_pair(table: HttpTable) -> None:
    league = season(table, of="pairs")
    (playing,) = played(table, evening(table, *NAMES[:2], league=league))
    encuentro = f"{ENCUENTROS}/{playing['encuentro']}"
    other = {"seat": "A1", "name": "Eva", "because": "Se va."}
    changed = table.post(f"{encuentro}/substitutions", other, version(table, encuentro))
    assert changed.status_code == 200, changed.text
    rule(table, encuentro, "A")
    rows = {row["pair"]: row for row in table.get(league).json["standings"]}
    assert [(rows[one]["won"], rows[one]["lost"]) for one in playing["pairs"]] == [(1, 0), (0, 1)]
    assert len(rows) == 2
    assert table.get(f"{league}/pairs/{playing['pairs'][0]}").json["ratings"][-1]["rating"] > 1500


def test_a_correction_shows_the_pairs_whose_rows_it_changes(table: HttpTable) -> None:
    league = season(table, of="pairs")
    (playing,) = played(table, evening(table, *NAMES[:2], league=league))
    encuentro = f"{ENCUENTROS}/{playing['encuentro']}"
    rule(table, encuentro, "A")
    body = {"winner": "B", "because": "Error"}
    seen = table.post(f"{encuentro}/rulings/preview", body).json
    names = {pair_id: name for name, pair_id in club_pairs(table).items()}
    for span in ("session", "season"):
        rows = {row["pair"]: row for row in seen["after"][span]["rows"]}
        assert {one: rows[one]["name"] for one in rows} == names
        assert [rows[one]["place"] for one in playing["pairs"]] == [2, 1]
    assert any(names[playing["pairs"][1]] in word for word in seen["words"])


def test_pairs_that_became_one_by_a_merge_have_one_row(table: HttpTable) -> None:
    league = season(table, of="pairs")
    first = evening(table, "Los Gavilanes", "Los Reyes", league=league)
    played(table, first)
    second = evening(table, pair("Halcones")["name"], league=league, date="2026-11-28")
    gone = table.get(second).json["pairs"]
    kept = club_pairs(table)["Los Gavilanes"]
    (duplicate, persons), *_ = gone.items()
    names = table.get(second).json["names"]
    stays = table.get(first).json["pairs"][kept]
    mine = table.get(first).json["names"]
    for one in persons:
        who = next(each for each in stays if mine[each].split()[0] == names[one].split()[0])
        merged = table.post("/api/v1/players/merges", {"kept": who, "gone": one})
        assert merged.status_code == 200, merged.text
    rows = {row["pair"]: row["attended"] for row in table.get(league).json["standings"]}
    assert rows == {kept: 2, club_pairs(table)["Los Reyes"]: 1}
    assert table.get(f"{league}/pairs/{duplicate}").json["pair"] == kept


def test_the_boards_name_the_pairs_that_play(table: HttpTable) -> None:
    where = evening(table, *NAMES[:2])
    (playing,) = played(table, where)
    public = table.get(where.replace("/sessions", "/public/sessions")).json["tables"][0]
    assert set(public["pairs"].values()) == set(NAMES[:2])
    page = where.replace("/api/v1/sessions", "/jornadas")
    for path in (f"{page}/sala", f"/mesa/{playing['encuentro']}"):
        assert all(name in table.get(path).text for name in NAMES[:2]), path


def test_the_table_of_an_evening_names_the_pairs_on_page_and_sheet(table: HttpTable) -> None:
    where = evening(table, *NAMES[:2])
    played(table, where)
    (shown,) = table.get(where).json["encuentros"]
    assert set(shown["pairs"].values()) == set(NAMES[:2])
    page = where.replace("/api/v1/sessions", "/jornadas")
    for path in (page, f"{page}/hoja"):
        assert all(name in table.get(path).text for name in NAMES[:2])
