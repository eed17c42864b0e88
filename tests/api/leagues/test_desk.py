"""The organiser's desk: a league opened, run and corrected by forms, as a browser sends them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.support.servers.http_league import HttpLeague, report
from tests.support.servers.http_table import HttpTable, Response


class DeskForms(HTMLParser):
    """The forms of a page: the fields that each sends by itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append({})
        is_sent = tag in ("input", "textarea", "select") and "name" in found and self.forms
        if is_sent and found.get("type") not in ("radio", "checkbox"):
            self.forms[-1][found["name"]] = found.get("value", "")

    def of(self, kind: str) -> dict[str, str]:
        return next(one for one in self.forms if one.get("kind") == kind)


class LeagueDesk:
    """The desk of a league in the hands of its organiser."""

    def __init__(self, league: HttpLeague) -> None:
        self.league, self.table = league, league.table
        self.home = f"/ligas/{league.id}/direccion"

    def page(self, more: str = "") -> str:
        found = self.table.get(f"{self.home}{more}?lang=es")
        assert found.status_code == 200, found.text
        return found.text

    def send(self, more: str, kind: str, **typed: Any) -> Response:
        """Fill in a form of a page and send it."""
        form = {**DeskForms(self.page(more)).of(kind), **typed}
        return self.post(form)

    def post(self, form: dict[str, Any]) -> Response:
        answer = self.table.client.post(
            f"{self.home}?lang=es", data=form, headers=self.table.owner()
        )
        if waits := re.search(r"wait=(\d+)", answer.headers.get("Location", "")):
            self.table.position = max(self.table.position, int(waits[1]))
        return answer

    def confirm(self, asked: Response) -> Response:
        """The form of a preview, sent."""
        assert asked.status_code == 200, asked.text
        (form,) = [one for one in DeskForms(asked.text).forms if "sure" in one]
        return self.post(form)


@pytest.fixture
def desk(table: HttpTable) -> LeagueDesk:
    league = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", "Casino")
    league.schedule(time="21:30")
    return LeagueDesk(league)


def winners(won: int) -> dict[str, str]:
    """Six partidas of which the home team won so many."""
    return {f"winner_{at}": "home" if at <= won else "away" for at in range(1, 7)}


def test_a_league_is_opened_entered_and_scheduled_by_forms(table: HttpTable) -> None:
    form = DeskForms(table.get("/ligas/nueva").text).forms[-1]
    typed = {"name": "Liga de invierno", "tie_1": "cotos", "divisions": "2", "relegated": "1"}
    typed |= {"legs": "1", "promoted": "1", "signatures": "home", "withdrawal": "kept"}
    opened = table.client.post("/ligas/nueva", data={**form, **typed}, headers=table.owner())
    assert opened.status_code == 303
    where = opened.headers["Location"].split("?")[0].removesuffix("/direccion")
    league = HttpLeague.__new__(HttpLeague)
    league.table, league.id = table, where.rpartition("/")[2]
    league.path = f"/api/v1/leagues/{league.id}"
    desk = LeagueDesk(league)
    for at, name in enumerate(("Bar Ana", "Bar Blas", "Peña Celia", "Casino")):
        sent = desk.send("", "team_enter", name=name, division=str(1 + at // 2))
        assert sent.status_code == 303, sent.text
    sent = desk.send("", "matches_schedule", first="2026-10-02", every="7", time="22:00")
    assert sent.status_code == 303, sent.text
    view = league.view()
    assert (view["rules"]["signatures"], view["rules"]["tie_breaks"][0]) == ("home", "cotos")
    moves = [(one["promoted"], one["relegated"]) for one in view["divisions"]]
    assert moves == [(0, 1), (1, 0)]
    match = view["divisions"][1]["matches"][0]
    assert (match["date"], match["time"]) == ("2026-10-02", "22:00")


def test_a_match_of_six_partidas_is_keyed_with_eight_taps(desk: LeagueDesk) -> None:
    match = desk.league.match("1", "2")
    assert f'href="{desk.home}/encuentros/{match}"' in desk.page(), "one tap opens it"
    assert desk.page(f"/encuentros/{match}").count('type="radio"') == 12, "one tap a partida"
    sent = desk.send(f"/encuentros/{match}", "match_report", **winners(4))
    assert sent.status_code == 303, "and one saves it"
    row = desk.league.standings()[0]
    assert (row["team"], row["points"], row["partidas"]) == ("1", 3, [4, 2])


def test_a_correction_says_what_follows_and_wants_a_reason(desk: LeagueDesk) -> None:
    match = desk.league.match("1", "2")
    desk.send(f"/encuentros/{match}", "match_report", **winners(4))
    where = f"/encuentros/{match}"
    told = desk.send(where, "match_report", **winners(2), reason="El acta")
    assert "Bar Ana" in told.text
    assert "puntos 3 → 0" in told.text
    assert desk.league.standings()[0]["team"] == "1", "nothing is recorded yet"
    assert desk.confirm(told).status_code == 303
    assert desk.league.standings()[0]["team"] == "2"
    refused = desk.send(where, "match_report", **winners(1), reason="")
    assert refused.status_code == 409
    assert "decir el motivo" in refused.text


def test_a_list_takes_names_and_a_lineup_knows_who_is_on_it(desk: LeagueDesk) -> None:
    desk.send("/equipos/1", "player_register", names="Ana Ruiz\nEva Gil\n", since="2026-01-01")
    match = desk.league.match("1", "2")
    sent = desk.send(
        f"/encuentros/{match}", "lineup", team="1", player_1_1="ana ruíz", player_1_2="Nuevo"
    )
    assert sent.status_code == 303, sent.text
    view = desk.league.view()
    ana = next(
        one["person"]
        for one in view["teams"][0]["players"]
        if view["names"][one["person"]] == "Ana Ruiz"
    )
    found = [one for one in view["divisions"][0]["matches"] if one["match"] == match]
    (lineup,) = found[0]["lineups"]
    assert lineup["pairs"][0][0] == ana
    assert [view["names"][one] for one in lineup["unlisted"]] == ["Nuevo"]


def test_a_line_left_empty_between_pairs_is_said_and_nothing_typed_is_lost(
    desk: LeagueDesk,
) -> None:
    typed = {"player_1_1": "Ana", "player_1_2": "Eva", "player_3_1": "Luis", "player_3_2": "Juan"}
    sent = desk.send(f"/encuentros/{desk.league.match('1', '2')}", "lineup", team="1", **typed)
    assert sent.status_code == 422
    assert "Falta la pareja 2" in sent.text
    assert all(f'value="{name}"' in sent.text for name in typed.values())


def test_what_is_keyed_of_a_match_comes_after_what_others_record_of_other_matches(
    desk: LeagueDesk,
) -> None:
    match, other = desk.league.match("1", "2"), desk.league.match("3", "4")
    keyed = DeskForms(desk.page(f"/encuentros/{match}")).of("match_report") | winners(4)
    desk.league.do(report(other, 6, 0))
    assert desk.post(keyed).status_code == 303
    assert desk.post(keyed).status_code == 303, "a second tap is the same"
    other_hand = desk.post({**keyed, "key": "k" * 32, **winners(1)})
    assert other_hand.status_code == 412, "the match has a result that was not seen"
    corrected = desk.send(f"/encuentros/{match}", "match_report", **winners(2), reason="El acta")
    desk.league.version = desk.league.view()["version"]
    desk.league.do(report(other, 3, 3, reason="x"))
    assert desk.confirm(corrected).status_code == 412, "its preview shows another table now"


def test_an_erased_player_is_not_offered_as_a_name(desk: LeagueDesk) -> None:
    desk.send("/equipos/1", "player_register", names="Ana Ruiz", since="2026-01-01")
    where = f"/encuentros/{desk.league.match('1', '2')}"
    desk.send(where, "lineup", team="1", player_1_1="Ana Ruiz", player_1_2="Eva Gil")
    ana = desk.league.view()["teams"][0]["players"][0]["person"]
    desk.table.app.extensions["guinote"]().persons.erase(ana)
    page = desk.page(where)
    assert 'value="Eva Gil"' in page
    assert "Ana Ruiz" not in page
    assert 'value="sin nombre"' not in page


@pytest.mark.parametrize(
    ("where", "kind", "typed", "says"),
    [
        ("/equipos/1", "team_sanction", {"points": "2", "reason": "Tarde"}, "puntos 3 → 1"),
        ("/equipos/1", "team_withdraw", {"reason": "Cierra"}, "puntos 3 → 0"),
        ("/encuentros/MATCH", "match_annul", {"reason": "Trampa"}, "puntos 3 → 0"),
        ("/encuentros/MATCH", "match_reopen", {"reason": "Era otro"}, "puntos 3 → 0"),
        ("/encuentros/MATCH", "match_forfeit", {"absent": "1", "reason": "No"}, "puntos 3 → 0"),
    ],
)
def test_what_costs_points_is_looked_at_before_it_is_done(
    desk: LeagueDesk, where: str, kind: str, typed: dict[str, str], says: str
) -> None:
    match = desk.league.match("1", "2")
    desk.league.do(report(match, 4, 2))
    told = desk.send(where.replace("MATCH", match), kind, **typed)
    assert says in told.text
    assert desk.league.standings()[0]["points"] == 3
    assert desk.confirm(told).status_code == 303
    points = {row["team"]: row["points"] for row in desk.league.standings()}
    assert points["1"] == int(says[-1])


def test_a_match_is_moved_postponed_and_the_league_closed_by_forms(desk: LeagueDesk) -> None:
    match = desk.league.match("1", "2")
    where = f"/encuentros/{match}"
    assert desk.send(where, "match_postpone", reason="Nieve").status_code == 303
    assert "aplazado" in desk.page()
    sent = desk.send(where, "match_move", date="2027-02-01", time="20:00", venue="Casino")
    assert sent.status_code == 303
    assert "1 de febrero de 2027" in desk.page(where)
    assert desk.send("", "league_close").status_code == 303
    assert desk.send("", "league_reopen").status_code == 303
    wrong = desk.post({"kind": "team_dance", "key": "k" * 16, "version": "1", "back": ""})
    assert wrong.status_code == 400


def test_the_desk_is_for_organisers(desk: LeagueDesk) -> None:
    client = desk.table.app.test_client()
    assert client.get(desk.home).status_code in (302, 303, 401)
    arbiter = desk.table.signed_in("arbiter")
    assert client.get(desk.home, headers=arbiter).status_code == 403
