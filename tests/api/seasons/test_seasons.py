"""Seasons and sessions over HTTP: opened, drawn, played, counted."""

from __future__ import annotations

from typing import Any

from icalendar import Calendar

from projections.seasons.results import LOST, WON
from referee.aggregates.session_tables import tables_by_seed
from tests.support.servers.http_table import ENCUENTROS, HttpTable

SEASONS, SESSIONS = "/api/v1/seasons", "/api/v1/sessions"
NAMES = ("Ana", "Blas", "Celia", "Diego", "Eva", "Fermín", "Gloria", "Hugo")
SCORING = {"encuentro_won": 3, "coto_won": 1, "attendance": 2}
DAY = "2026-11-21"


def season(table: HttpTable, **more: Any) -> str:
    body = {"name": "Liga de invierno", "scoring": SCORING, **more}
    answer = table.post(SEASONS, body)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def session(table: HttpTable, of: str = "", names: tuple[str, ...] = NAMES, **more: Any) -> str:
    body: dict[str, Any] = {
        "date": DAY,
        "profile": {"id": "club"},
        "present": [{"name": name} for name in names],
        **more,
    }
    if of:
        body["season"] = of.rpartition("/")[2]
    answer = table.post(SESSIONS, body)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def version(table: HttpTable, path: str) -> int:
    return int(table.get(path).json["version"])


def drawn(table: HttpTable, evening: str, **body: Any) -> dict[str, Any]:
    answer = table.post(f"{evening}/draws", body, version(table, evening))
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def opened(table: HttpTable, evening: str) -> list[str]:
    answer = table.post(f"{evening}/tables", version=version(table, evening))
    assert answer.status_code == 201, answer.text
    return [f"{ENCUENTROS}/{one}" for one in answer.json["encuentros"]]


def rule(table: HttpTable, encuentro: str, winner: str) -> None:
    body = {"winner": winner, "because": "así quedó"}
    answer = table.post(f"{encuentro}/rulings", body, version(table, encuentro))
    assert answer.status_code == 200, answer.text


def test_an_evening_from_the_first_who_comes_to_the_table_of_points(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, league, place="Casa Joan")
    draw = drawn(table, evening, method="seed", seed="Calamocha")
    there = table.get(evening).json
    assert draw["tables"] == [
        {"number": one.number, "sides": [list(side) for side in one.sides]}
        for one in tables_by_seed("Calamocha", draw["seal"], there["present"], (), 4)
    ]
    first, second = opened(table, evening)
    rule(table, first, "A")
    rule(table, second, "")
    view = table.get(league).json
    seats = table.get(first).json["seats"]
    rows = {row["person"]: row for row in view["standings"]}
    assert len(rows) == 8
    for seat, person in seats.items():
        row = rows[person]
        reasons = [(item["reason"], item["points"]) for item in row["items"]]
        won = [("encuentro_won", 3)] if seat[0] == "A" else []
        assert reasons == [*won, ("attendance", 2)]
        assert (row["points"], row["place"]) == ((5, 1) if won else (2, 3))
    assert [row["place"] for row in view["standings"]] == [1, 1, 3, 3, 3, 3, 3, 3]
    assert sorted(row["name"] for row in view["standings"]) == sorted(NAMES)
    shown = table.get(evening).json
    assert shown["place"] == "Casa Joan"
    assert [one["decided"] for one in shown["encuentros"]] == [{"winner": "A"}, {"winner": ""}]
    assert {one["id"] for one in view["sessions"]} == {shown["id"]}


def test_a_corrected_result_changes_the_table_and_the_ratings(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, league, names=NAMES[:4])
    drawn(table, evening, method="seed", seed="Calamocha")
    (encuentro,) = opened(table, evening)
    rule(table, encuentro, "A")
    person = table.get(encuentro).json["seats"]["A1"]
    before = table.get(f"{league}/players/{person}").json
    assert (before["row"]["points"], before["streak"]) == (5, {"outcome": WON, "length": 1})
    assert before["ratings"][-1]["rating"] > 1500
    rule(table, encuentro, "B")
    after = table.get(f"{league}/players/{person}").json
    assert (after["row"]["points"], after["streak"]) == (2, {"outcome": LOST, "length": 1})
    assert after["ratings"][-1]["rating"] < 1500
    assert [one["lost"] for one in after["opponents"]] == [1, 1]
    assert after["partners"][0]["rating"] < 1500


def test_another_rule_of_points_counts_for_the_whole_season(table: HttpTable) -> None:
    league = season(table)
    session(table, league, names=NAMES[:2])
    assert {row["points"] for row in table.get(league).json["standings"]} == {2}
    answer = table.post(f"{league}/scoring", {"attendance": 7}, version(table, league))
    assert answer.status_code == 200
    assert {row["points"] for row in table.get(league).json["standings"]} == {7}


def test_tables_by_strength_and_by_hand(table: HttpTable) -> None:
    evening = session(table)
    draw = drawn(table, evening, method="strength")
    assert len(draw["tables"]) == 2
    a, b, c, d, *_ = table.get(evening).json["present"]
    by_hand = [{"number": 4, "sides": [[a, b], [c, d]]}]
    drawn(table, evening, method="hand", tables=by_hand)
    (encuentro,) = opened(table, evening)
    seats = table.get(encuentro).json["seats"]
    assert seats == {"A1": a, "A2": b, "B1": c, "B2": d}


def test_tables_by_rotation_follow_from_the_tables_played_before(table: HttpTable) -> None:
    evening = session(table)
    partners: list[frozenset[str]] = []
    for seed in ("Calamocha", "Calatayud", "Cantavieja"):
        draw = drawn(table, evening, method="rotation", seed=seed)
        assert draw["seed"] == seed
        assert table.get(evening).json["draws"][-1]["method"] == "rotation"
        partners += [frozenset(side) for one in draw["tables"] for side in one["sides"]]
        opened(table, evening)
    assert len(partners) == len(set(partners)) == 12


def test_partners_who_ask_for_it_stay_together(table: HttpTable) -> None:
    evening = session(table)
    a, *_, h = table.get(evening).json["present"]
    for method in ("seed", "rotation", "strength"):
        draw = drawn(table, evening, method=method, together=[[a, h]])
        assert [a, h] in [side for one in draw["tables"] for side in one["sides"]]


def test_players_come_and_go(table: HttpTable) -> None:
    evening = session(table, names=("Ana",))
    came = table.post(f"{evening}/arrivals", {"players": [{"name": "Blas"}, {"name": "Ana"}]}, 2)
    assert came.status_code == 200, came.text
    view = table.get(evening).json
    assert [view["names"][one] for one in view["present"]] == ["Ana", "Blas", "Ana"]
    last = view["present"][-1]
    left = table.post(f"{evening}/departures", {"person": last}, view["version"])
    assert left.status_code == 200
    again = table.post(f"{evening}/departures", {"person": last}, view["version"] + 1)
    assert (again.status_code, again.json["code"]) == (409, "player-absent")
    assert len(table.get(evening).json["present"]) == 2


def test_what_is_closed_takes_nothing_more(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, league)
    assert table.post(f"{evening}/closing", version=version(table, evening)).status_code == 200
    late = table.post(f"{evening}/arrivals", {"players": [{"name": "Tarde"}]}, 10)
    assert (late.status_code, late.json["code"]) == (409, "session-closed")
    assert table.post(f"{league}/closing", version=1).status_code == 200
    body = {"date": DAY, "profile": {"id": "club"}, "season": league.rpartition("/")[2]}
    refused = table.post(SESSIONS, body)
    assert (refused.status_code, refused.json["code"]) == (409, "season-closed")


def test_what_is_wrong_with_a_request_is_named(table: HttpTable) -> None:
    nobody, nothing = "0" * 32, "6c1e6a2e-0000-4000-8000-000000000001"
    evening = session(table)
    body = {"date": DAY, "profile": {"id": "club"}}
    for path, sent, field in (
        (SESSIONS, {**body, "season": nothing}, "season"),
        (SESSIONS, {**body, "present": [{"person": nobody}]}, "present"),
        (ENCUENTROS, {"profile": {"id": "club"}, "held_in": nothing}, "held_in"),
        (SEASONS, {"name": "x", "since": "2026-12-01", "until": "2026-11-01"}, "until"),
        (SEASONS, {"name": "x", "scoring": {"goals": 3}}, "scoring"),
        (f"{evening}/draws", {"method": "hand"}, "tables"),
    ):
        answer = table.post(path, sent, version(table, evening))
        assert (answer.status_code, list(answer.json["codes"]["json"])) == (422, [field]), path
    few = session(table, names=NAMES[:3])
    none = table.post(f"{few}/draws", {"method": "seed"}, version(table, few))
    assert (none.status_code, none.json["code"]) == (409, "no-tables")
    stranger = table.post(f"{few}/draws", {"method": "seed", "together": [[nobody, nobody]]}, 4)
    assert (stranger.status_code, stranger.json["code"]) == (409, "player-absent")


def test_who_has_no_right_may_read_one_by_its_id_and_nothing_else(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, league)
    person = table.get(evening).json["present"][0]
    for path in (league, evening, f"{league}/players/{person}"):
        assert table.client.get(path).status_code == 200
    for path in (SEASONS, SESSIONS):
        assert table.client.get(path).status_code == 401
        assert len(table.get(path).json["items"]) == 1
    assert table.client.get(f"{league}/players/{'0' * 32}").status_code == 404
    assert table.client.get(f"{SESSIONS}/{league.rpartition('/')[2]}").status_code == 404


def test_the_hall_of_a_session_shows_its_tables_alone(table: HttpTable) -> None:
    table.encuentro()
    evening = session(table)
    drawn(table, evening, method="seed")
    first, second = opened(table, evening)
    rule(table, first, "B")
    table.get(first)
    hall = table.client.get(f"/api/v1/public/sessions/{evening.rpartition('/')[2]}")
    shown = [f"{ENCUENTROS}/{one['id']}" for one in hall.json["tables"]]
    assert shown == [second, first]
    assert (
        table.client.get(f"/api/v1/public/sessions/{first.rpartition('/')[2]}").status_code == 404
    )


def test_a_preview_says_which_lines_of_season_and_evening_would_change(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, league)
    drawn(table, evening, method="seed", seed="Calamocha")
    first, second = opened(table, evening)
    rule(table, second, "A")
    seats = table.get(first).json["seats"]
    body = {"winner": "B", "because": "así fue"}
    preview = table.post(f"{first}/rulings/preview", body)
    assert preview.status_code == 200, preview.text
    for span in ("season", "session"):
        old, new = (
            {row["person"]: row["points"] for row in preview.json[when][span]["rows"]}
            for when in ("before", "after")
        )
        winners = {seats["B1"], seats["B2"]}
        assert {one: new[one] - old[one] for one in winners} == dict.fromkeys(winners, 3)
        assert {one for one in new if new[one] != old[one]} == winners
    changed = [one for one in preview.json["words"] if "2 → 5" in one]
    assert len(changed) == 4, preview.json["words"]
    before = {row["person"]: row for row in table.get(league).json["standings"]}
    rule(table, first, "B")
    after = {row["person"]: row for row in table.get(league).json["standings"]}
    changed = {one for one, row in after.items() if shown(row) != shown(before[one])}
    assert {row["person"] for row in preview.json["after"]["season"]["rows"]} == changed
    assert all(
        shown(row) == shown(after[row["person"]]) for row in preview.json["after"]["season"]["rows"]
    )


def shown(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["place"], row["points"], row["items"]


def test_a_preview_of_a_correction_counts_the_partida_as_it_would_be(table: HttpTable) -> None:
    league = season(table, scoring={"partida_won": 1})
    evening = session(table, league, names=NAMES[:4])
    drawn(table, evening, method="seed", seed="Calamocha")
    (encuentro,) = opened(table, evening)
    partida = table.partida(encuentro)
    result = {"kind": "result", "winner": "A", "how": "concession"}
    table.record(partida, 0, result)
    change = {"line": 1, "how": "replace", "act": {**result, "winner": "B"}}
    body = {"changes": [change], "because": "mal apuntado"}
    preview = table.post(f"{partida}/amendments/preview", body, 1)
    assert preview.status_code == 200, preview.text
    points = [
        sorted(row["points"] for row in preview.json[when]["season"]["rows"])
        for when in ("before", "after")
    ]
    assert points == [[0, 0, 1, 1], [0, 0, 1, 1]]
    gains = [one for one in preview.json["words"] if one.startswith("Temporada") and "0 → 1" in one]
    assert len(gains) == 2


def test_tables_have_their_numbers_for_officials_and_on_the_wall(table: HttpTable) -> None:
    evening = session(table)
    drawn(table, evening, method="seed")
    first, second = opened(table, evening)
    assert [table.get(one).json["table"] for one in (first, second)] == [1, 2]
    assert [one["table"] for one in table.get(evening).json["encuentros"]] == [1, 2]
    listed = {one["id"]: one["table"] for one in table.get(ENCUENTROS).json["items"]}
    assert {listed[one.rpartition("/")[2]] for one in (first, second)} == {1, 2}
    hall = table.client.get(f"/api/v1/public/sessions/{evening.rpartition('/')[2]}").json
    assert [one["table"] for one in hall["tables"]] == [1, 2]
    assert table.get(table.encuentro()).json["table"] == 0


def test_a_season_has_its_calendar_in_the_order_of_the_days(table: HttpTable) -> None:
    league = season(table)
    days = [
        {"date": "2026-12-03", "time": "20:30", "place": "Casa Joan"},
        {"date": "2026-11-26", "time": "20:30", "place": "Casa Joan"},
        {"date": "2026-12-10"},
    ]
    answer = table.post(f"{league}/calendar", {"sessions": days}, version(table, league))
    assert answer.status_code == 200, answer.text
    assert table.get(league).json["calendar"] == [
        {"date": "2026-11-26", "time": "20:30", "place": "Casa Joan"},
        {"date": "2026-12-03", "time": "20:30", "place": "Casa Joan"},
        {"date": "2026-12-10", "time": "", "place": None},
    ]
    file = table.client.get(f"/temporadas/{league.rpartition('/')[2]}/calendario.ics")
    events = Calendar.from_ical(file.text).walk("VEVENT")
    assert [one["dtstart"].dt.isoformat() for one in events] == [
        "2026-11-26T20:30:00+01:00",
        "2026-12-03T20:30:00+01:00",
        "2026-12-10",
    ]
    assert events[0]["location"] == "Casa Joan"
    assert "DTSTART;TZID=Europe/Madrid:20261126T203000" in file.text.replace("\r\n ", "")
    assert [str(one["tzid"]) for one in Calendar.from_ical(file.text).walk("VTIMEZONE")] == [
        "Europe/Madrid"
    ]
    for wrong in ([days[0], days[0]], [{"date": "2026-12-03", "time": "24:00"}]):
        answer = table.post(f"{league}/calendar", {"sessions": wrong}, version(table, league))
        assert answer.status_code == 422


def test_an_evening_is_held_otherwise_until_its_first_result(table: HttpTable) -> None:
    league = season(table)
    evening = session(table, place="Casa Joan")
    drawn(table, evening, method="seed")
    first, _ = opened(table, evening)
    other = {
        "date": "2026-11-28",
        "profile": {"id": "escuela"},
        "season": league.rpartition("/")[2],
    }
    changed = table.post(f"{evening}/terms", other, version(table, evening))
    assert changed.status_code == 200, changed.text
    shown = table.get(evening).json
    assert (shown["date"], shown["place"], shown["season"]) == ("2026-11-28", None, other["season"])
    at_table = table.get(first).json
    assert (at_table["date"], at_table["profile"]["id"]) == ("2026-11-28", "escuela")
    rule(table, first, "A")
    late = table.post(f"{evening}/terms", other, version(table, evening))
    assert (late.status_code, late.json["code"]) == (409, "encuentro-begun")


def test_an_evening_closed_too_early_goes_on(table: HttpTable) -> None:
    evening = session(table)
    early = table.post(f"{evening}/reopening", version=version(table, evening))
    assert (early.status_code, early.json["code"]) == (409, "session-open")
    assert table.post(f"{evening}/closing", version=version(table, evening)).status_code == 200
    assert table.post(f"{evening}/reopening", version=version(table, evening)).status_code == 200
    assert table.get(evening).json["closed"] is False
    drawn(table, evening, method="seed")
