"""A league over HTTP: opened, run by acts, read by everybody, previewed."""

from __future__ import annotations

import pytest

from tests.support.servers.http_league import HttpLeague, report
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament


@pytest.fixture
def league(table: HttpTable) -> HttpLeague:
    made = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", contact="976 000 000")
    made.schedule(time="21:30")
    return made


def test_everybody_reads_a_league_with_its_names(league: HttpLeague, table: HttpTable) -> None:
    match = league.match("1", "2")
    pairs = [[{"name": "Ana Ruiz"}, {"name": "Eva Gil"}]]
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": pairs})
    league.view()
    view = table.app.test_client().get(league.path).json
    assert [one["name"] for one in view["teams"]] == ["Bar Ana", "Bar Blas", "Peña Celia"]
    assert (view["name"], view["contact"]) == ("Liga de bares", "976 000 000")
    found = next(one for one in view["divisions"][0]["matches"] if one["match"] == match)
    (lineup,) = found["lineups"]
    assert [view["names"][one] for one in lineup["pairs"][0]] == ["Ana Ruiz", "Eva Gil"]
    assert lineup["unlisted"] == lineup["pairs"][0]
    assert (found["venue"], found["time"]) == ("Bar Ana", "21:30")
    (listed,) = table.get("/api/v1/leagues").json["items"]
    assert (listed["name"], listed["teams"], listed["version"]) == ("Liga de bares", 3, 6)


def test_a_player_is_listed_by_name_and_released_by_id(league: HttpLeague) -> None:
    league.do(
        {
            "kind": "player_register",
            "team": "1",
            "person": {"name": "Ana Ruiz"},
            "since": "2026-01-01",
        }
    )
    (player,) = league.view()["teams"][0]["players"]
    who = {"person": player["person"]}
    league.do({"kind": "player_release", "team": "1", "person": who, "since": "2026-02-01"})
    (player,) = league.view()["teams"][0]["players"]
    assert (player["since"], player["until"]) == ("2026-01-01", "2026-02-01")


def test_somebody_new_who_plays_twice_is_one_person(league: HttpLeague) -> None:
    match, ana = league.match("1", "2"), {"name": "Ana Ruiz"}
    pairs = [[ana, {"name": "Eva Gil"}], [ana, {"name": "Marta Sanz"}]]
    league.do({"kind": "lineup", "match": match, "team": "1", "pairs": pairs})
    found = [one for one in league.view()["divisions"][0]["matches"] if one["match"] == match]
    (first, second) = found[0]["lineups"][0]["pairs"]
    assert first[0] == second[0]
    assert len({*first, *second}) == 3


def test_a_preview_says_what_follows_and_records_nothing(league: HttpLeague) -> None:
    league.do(report(league.match("1", "2"), 4, 2), report(league.match("2", "3"), 6, 0))
    before = league.view()
    acts = [
        {"kind": "team_sanction", "team": "1", "points": 3, "reason": "Tres faltas"},
        report(league.match("2", "3"), 2, 4, reason="El papel"),
    ]
    told = league.preview(*acts)
    assert league.view() == before
    league.do(*acts)
    (division,) = told["divisions"]
    assert division["standings"] == league.standings()
    assert {one["team"]: one["points"] for one in division["moved"]} == {
        "1": [3, 0],
        "2": [3, 0],
        "3": [0, 3],
    }


def test_an_impossible_act_is_refused_in_words_and_nothing_is_kept(league: HttpLeague) -> None:
    before = league.view()
    sanction = {"kind": "team_sanction", "team": "2", "points": 1, "reason": "Tarde"}
    refused = league.ask(sanction, report("9-9-9", 6, 0))
    assert (refused.status_code, refused.json["code"]) == (409, "bad_league")
    assert refused.json["rule"] == "match-unknown"
    assert "9-9-9" in refused.json["detail"]
    wrong = league.ask({"kind": "team_sanction", "team": "2", "points": 1})
    assert wrong.json["codes"]["json"]["acts"]["0"]["reason"] == ["required"]
    unknown = league.ask({"kind": "team_dance"})
    assert unknown.json["codes"]["json"]["acts"]["0"]["kind"] == ["not_a_kind"]
    assert league.view() == before


def test_a_league_with_divisions_counts_each_alone(table: HttpTable) -> None:
    divisions = [{"name": "Primera", "relegated": 1}, {"name": "Segunda", "promoted": 1}]
    league = HttpLeague(table, divisions=divisions)
    league.do(
        *(
            {"kind": "team_enter", "name": f"Bar {number}", "division": 1 + number // 2}
            for number in range(4)
        )
    )
    league.schedule()
    league.do(report(league.match("1", "2"), 6, 0), report(league.match("4", "3"), 4, 2))
    first, second = league.view()["divisions"]
    assert [(row["team"], row["mark"]) for row in first["standings"]] == [("1", ""), ("2", "down")]
    assert [(row["team"], row["mark"]) for row in second["standings"]] == [("4", "up"), ("3", "")]


def test_nobody_but_a_director_runs_a_league(league: HttpLeague, table: HttpTable) -> None:
    body = {"acts": [{"kind": "league_close"}]}
    headers = {**table.signed_in("arbiter"), "Idempotency-Key": "k" * 8, "If-Match": '"5"'}
    answer = table.client.post(f"{league.path}/acts", json=body, headers=headers)
    assert answer.status_code == 403
    director = {**table.signed_in("director"), "Idempotency-Key": "l" * 8, "If-Match": '"5"'}
    assert table.client.post(f"{league.path}/acts", json=body, headers=director).status_code == 200


def test_the_trail_says_why(league: HttpLeague, table: HttpTable) -> None:
    league.do({"kind": "team_withdraw", "team": "3", "reason": "Sin jugadores"})
    items = table.get(f"{league.path}/audit").json["items"]
    assert "Sin jugadores" in str(items[-1])


def test_the_trail_of_a_league_has_the_words_of_its_facts(table: HttpTable) -> None:
    divisions = [{"name": "Primera"}]
    league = HttpLeague(table, "Bar Ana", "Bar Blas", contact="Marta", divisions=divisions)
    league.schedule()
    league.do({"kind": "team_change", "team": "1", "name": "Bar Eva", "venue": "Plaza"})
    sanction = {"points": 1, "reason": "Tarde", "article": "art. 9"}
    league.do({"kind": "team_sanction", "team": "1", **sanction})
    league.view()
    found = table.get(f"{league.path}/audit").json["items"]
    words = {text for one in found for text in one["texts"].values()}
    assert words >= {"Liga de bares", "Primera", "Marta", "Bar Ana", "Bar Eva", "Plaza"}
    assert words >= {"Tarde", "art. 9"}


def test_the_trail_of_a_tournament_has_its_words_and_no_sealed_seed(table: HttpTable) -> None:
    run = HttpTournament(table, 2, format="knock_out")
    run.do("draw", {"word_from": "El primer número de la rifa"})
    run.view()
    found = table.get(f"{run.path}/audit").json["items"]
    (sealed,) = [one["fact"]["seed"] for one in found if one["event"].startswith("DrawCommitted")]
    texts = {text: words for one in found for text, words in one["texts"].items()}
    assert {"Torneo de San Roque", "El primer número de la rifa"} <= set(texts.values())
    assert sealed not in texts
