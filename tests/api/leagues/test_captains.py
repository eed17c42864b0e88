"""A team's own address: its pairs, its results, signed by the other team; wrong and renewed ones."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest

from tests.api.leagues.test_desk import DeskForms, winners
from tests.support.servers.http_league import HttpLeague, report
from tests.support.servers.http_table import HttpTable, Response


class CaptainPhone:
    """The phone of a captain, with nothing but the address of the team."""

    def __init__(self, league: HttpLeague, team: str) -> None:
        services = league.table.app.extensions["guinote"]()
        state = services.referee.leagues.league(UUID(league.id))
        secret = services.addresses.secret_address_of_team(UUID(league.id).hex, state.teams[team])
        self.path = f"/l/{secret}"
        self.client = league.table.app.test_client()

    def page(self, match: str = "") -> str:
        found = self.client.get(f"{self.path}?lang=es&match={match}")
        assert found.status_code == 200, found.text
        return found.text

    def form(self, kind: str, match: str = "") -> dict[str, str]:
        return DeskForms(self.page(match)).of(kind)

    def send(self, kind: str, match: str = "", **typed: Any) -> Response:
        return self.post({**self.form(kind, match), **typed})

    def post(self, form: dict[str, Any]) -> Response:
        return self.client.post(f"{self.path}?lang=es", data=form)


@pytest.fixture
def league(table: HttpTable) -> HttpLeague:
    made = HttpLeague(table, "Bar Ana", "Bar Blas", "Peña Celia", "Casino")
    made.schedule()
    return made


@pytest.fixture
def phones(league: HttpLeague) -> tuple[CaptainPhone, CaptainPhone, str]:
    """Captains of two teams, and their match."""
    return CaptainPhone(league, "1"), CaptainPhone(league, "2"), league.match("1", "2")


Phones = tuple[CaptainPhone, CaptainPhone, str]


def stage(league: HttpLeague, match: str) -> str:
    state = league.table.app.extensions["guinote"]().referee.leagues.league(UUID(league.id))
    return state.matches[match].stage


def test_one_captain_tells_the_result_and_the_other_signs_it(
    league: HttpLeague, phones: Phones
) -> None:
    ana, blas, match = phones
    assert ana.send("match_report", match, **winners(4)).status_code == 303
    assert "Falta la firma del otro equipo" in ana.page(match)
    assert "Bar Ana ha enviado este resultado" in blas.page(), "what is to be signed comes first"
    assert blas.send("match_sign").status_code == 303
    assert stage(league, match) == "official"
    assert "ya está decidido" in ana.page(match)


def test_a_captain_who_does_not_agree_leaves_it_to_the_organiser(
    league: HttpLeague, phones: Phones
) -> None:
    ana, blas, match = phones
    ana.send("match_report", match, **winners(4))
    assert blas.send("match_deny", match).status_code == 303
    assert stage(league, match) == "disputed"
    assert "decide la organización" in ana.page(match)


def test_a_captain_names_the_own_pairs_alone(league: HttpLeague, phones: Phones) -> None:
    ana, _, match = phones
    form = {**ana.form("lineup", match), "team": "2", "player_1_1": "Ana", "player_1_2": "Eva"}
    assert ana.post(form).status_code == 303
    league.table.position = league.table.app.extensions["guinote"]().referee.position()
    found = [one for one in league.view()["divisions"][0]["matches"] if one["match"] == match]
    assert [one["team"] for one in found[0]["lineups"]] == ["1"]


def test_pairs_named_on_another_page_meanwhile_are_not_overwritten(
    league: HttpLeague, phones: Phones
) -> None:
    ana, _, match = phones
    desk = f"/ligas/{league.id}/direccion/encuentros/{match}?lang=es"
    first = {"player_1_1": "Ana", "player_1_2": "Eva"}
    old_desk = DeskForms(league.table.get(desk).text).of("lineup")
    old_phone = ana.form("lineup", match)
    mine = {**old_phone, **first}
    assert ana.post(mine).status_code == 303
    assert ana.post(mine).status_code == 303, "a second tap is the same"
    late = league.table.client.post(
        f"/ligas/{league.id}/direccion?lang=es",
        data={**old_desk, "player_1_1": "Luis", "player_1_2": "Juan"},
        headers=league.table.owner(),
    )
    assert late.status_code == 412
    assert 'role="alert"' in late.text
    other = {**old_phone, "key": "q" * 32, "player_1_1": "Luis", "player_1_2": "Juan"}
    assert ana.post(other).status_code == 409
    assert 'value="Ana"' in ana.page(match)
    again = {"player_1_1": "Luis", "player_1_2": "Juan"}
    assert ana.send("lineup", match, **again).status_code == 303, "from a fresh page"


def test_pairs_stay_as_they_are_once_the_match_has_a_result(
    league: HttpLeague, phones: Phones
) -> None:
    ana, _, match = phones
    form = ana.form("lineup", match)
    ana.send("match_report", match, **winners(4))
    seen = DeskForms(ana.page(match)).forms[0]["seen"]
    late = ana.post({**form, "seen": seen, "player_1_1": "Ana", "player_1_2": "Eva"})
    assert late.status_code == 409
    assert "ya tiene resultado" in late.text


def test_a_captain_signs_only_for_the_own_team_and_only_what_was_seen(
    league: HttpLeague, phones: Phones
) -> None:
    ana, blas, match = phones
    ana.send("match_report", match, **winners(4))
    form = blas.form("match_sign", match)
    ana.send("match_report", match, **winners(5))
    late = blas.post(form)
    assert late.status_code == 409
    assert stage(league, match) == "provisional"
    again = ana.post({**blas.form("match_sign", match), "by": "2"})
    assert again.status_code == 409, "the own team has signed already"
    other = CaptainPhone(league, "3")
    assert other.post(blas.form("match_sign", match)).status_code == 400
    assert other.post({**form, "kind": "team_withdraw"}).status_code == 400


def test_results_at_other_tables_do_not_stand_in_the_way(
    league: HttpLeague, phones: Phones
) -> None:
    ana, _, match = phones
    form = ana.form("match_report", match)
    league.do(report(league.match("3", "4"), 6, 0))
    assert ana.post({**form, **winners(4)}).status_code == 303
    assert ana.post({**form, **winners(4)}).status_code == 303, "a second tap is the same"
    other = ana.post({**form, **winners(4), "cotos_home_1": "3"})
    assert other.status_code == 409, "other cotos are no second tap"


def test_a_match_whose_day_is_over_is_the_first_that_captain_and_organiser_see(
    league: HttpLeague, phones: Phones
) -> None:
    ana, _, _ = phones
    late = league.match("1", "4")
    league.do({"kind": "match_move", "match": late, "date": "2020-01-04"})
    page = ana.page()
    assert page.index("Bar Ana – Casino") < page.index("sin resultado") < page.index("Otros")
    desk = league.table.get(f"/ligas/{league.id}/direccion?lang=es").text
    to_key = desk.partition("Resultados por apuntar")[2].partition("Jornada")[0]
    assert to_key.index(late) < to_key.index("sin resultado")


def test_a_wrong_and_a_renewed_address_are_nobodys(league: HttpLeague, phones: Phones) -> None:
    ana, _, _ = phones
    league.do({"kind": "team_address", "team": "1"})
    gone = ana.client.get(ana.path)
    assert gone.status_code == 404
    assert "Bar" not in re.sub(r"<[^>]+>", "", gone.text)
    assert ana.client.get("/l/" + "A" * 38).status_code == 404
    assert ana.client.get("/l/x").status_code == 404
    fresh = CaptainPhone(league, "1")
    answer = fresh.client.get(fresh.path)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert fresh.path.removeprefix("/l/") not in answer.text


def test_the_organiser_finds_the_address_and_it_is_on_no_public_page(
    league: HttpLeague, phones: Phones
) -> None:
    ana, _, _ = phones
    desk = league.table.get(f"/ligas/{league.id}/direccion/equipos/1").text
    assert ana.path in desk
    public = league.table.app.test_client().get(f"/ligas/{league.id}/equipos/1").text
    assert ana.path not in public
