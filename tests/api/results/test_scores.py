"""The final score by one tap of an official, taken back, corrected; and over the API."""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.rules.articles import Rule
from tests.api.cases.test_cases import ANA, BLAS
from tests.support.servers.http_table import HttpTable

OURS = {"Sec-Fetch-Site": "same-origin"}
PLAYERS = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego", "Eva", "Fermín")]


class Evening:
    """An evening with one table of four, or one of its own profile, and an official's browser."""

    def __init__(self, table: HttpTable, players: int = 4, **profile: Any) -> None:
        self.table = table
        self.official = table.app.test_client()
        self.official.post("/entrar", data={"token": table.token})
        body = {"date": "2026-11-26", "profile": {"id": "club", **profile}, "players": players}
        opened = table.post("/api/v1/sessions", body | self.coming(players))
        assert opened.status_code == 201, opened.text
        self.where = str(opened.headers["Location"])
        self.path = f"/jornadas/{self.where.rpartition('/')[2]}"
        version = table.get(self.where).json["version"]
        table.post(f"{self.where}/draws", {"method": "seed", "seed": "12345678"}, version)
        table.post(f"{self.where}/tables", version=version + 1)
        self.id = table.get(self.where).json["encuentros"][0]["id"]
        self.encuentro = f"/api/v1/encuentros/{self.id}"

    def coming(self, players: int) -> dict[str, Any]:
        """Who comes to the evening."""
        return {"present": PLAYERS[:players]}

    @property
    def view(self) -> dict[str, Any]:
        self.caught_up()
        return dict(self.table.get(self.encuentro).json)

    def caught_up(self) -> None:
        """Wait until the read side has what the forms wrote."""
        here = self.table.app.extensions["guinote"]()
        assert here.reads.wait(here.referee.position(), 30)

    @property
    def stands(self) -> tuple[str, str]:
        view = self.view
        made = view["standing"][view["final"]["counts"]]
        return "-".join(str(made[side]) for side in sorted(made)), view["result"]["stage"]

    def post(self, path: str, body: Any) -> Any:
        return self.table.post(f"{self.encuentro}/{path}", body, self.view["version"])

    def page(self, path: str = "") -> str:
        self.caught_up()
        return str(self.official.get(path or self.path).text)

    def hidden(self, text: str, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', text)
        assert found, (name, text)
        return found[1]

    def tap(self, score: str, text: str | None = None, **more: str) -> Any:
        """The answer to a button with a score, on a page as it was shown."""
        text = self.page() if text is None else text
        names = ("key", "back", "seen")
        form = {name: self.hidden(text, name) for name in names} | more
        scored = {"score": score} if score else {}
        return self.official.post(f"/e/{self.id}/final", data={**form, **scored}, headers=OURS)

    def undo(self, address: str) -> Any:
        text = self.page(address)
        form = {name: self.hidden(text, name) for name in ("key", "back", "seen", "version")}
        return self.official.post(f"/e/{self.id}/final/deshacer", data=form, headers=OURS)


@pytest.fixture
def evening(table: HttpTable) -> Evening:
    return Evening(table)


def test_one_tap_of_an_official_is_the_result_and_it_can_be_taken_back(evening: Evening) -> None:
    buttons = re.findall(r'name="score" value="([^"]+)"', evening.page())
    assert buttons == ["2-0", "2-1", "1-2", "0-2"]
    entered = evening.tap("2-0")
    assert entered.status_code == 303
    assert evening.stands == ("2-0", "official")
    assert evening.view["partidas"] == []
    assert evening.undo(entered.headers["Location"]).status_code == 303
    assert evening.stands == ("0-0", "open")
    assert "Deshacer" not in evening.page()


@pytest.mark.parametrize(("absent", "score"), [("A", "0-2"), ("B", "2-0")])
def test_who_did_not_come_loses_and_one_tap_takes_it_back(
    evening: Evening, absent: str, score: str
) -> None:
    assert "¿Quién no se ha presentado?" in evening.page()
    entered = evening.tap("", absent=absent)
    assert evening.stands == (score, "official")
    assert "¿Quién no se ha presentado?" not in evening.page()
    evening.undo(entered.headers["Location"])
    assert evening.stands == ("0-0", "open")
    assert evening.tap("", absent="C").status_code == 422


def test_of_fixed_partidas_who_came_has_all(table: HttpTable) -> None:
    fixed = {"match_format": {"4": "fixed_partidas"}, "fixed_partidas": {"4": 8}}
    evening = Evening(table, changes=fixed, **{"as": {"id": "ocho", "edition": "1"}})
    evening.tap("", absent="A")
    assert evening.stands == ("0-8", "official")


def test_what_the_players_reported_stands_again_after_an_undo(evening: Evening) -> None:
    told = evening.post("result/scores", {"score": {"A": 2, "B": 1}, "side": "A", "by": ANA})
    assert (told.status_code, evening.stands) == (200, ("2-1", "provisional"))
    entered = evening.tap("2-1")
    assert evening.stands == ("2-1", "official")
    evening.undo(entered.headers["Location"])
    assert evening.stands == ("2-1", "provisional")
    assert evening.view["result"]["reported"]["side"] == "A"


def test_a_second_tap_on_the_same_score_changes_nothing(evening: Evening) -> None:
    shown = evening.page()
    for _ in range(2):
        assert evening.tap("2-0", shown).status_code == 303
    version = evening.view["version"]
    assert evening.tap("2-0").status_code == 303
    assert evening.view["version"] == version


def test_a_correction_is_asked_for_once(evening: Evening) -> None:
    evening.tap("2-0")
    asked = evening.tap("0-2")
    assert (asked.status_code, evening.stands) == (200, ("2-0", "official"))
    assert "Seguro" in asked.text
    done = evening.tap("0-2", asked.text, sure="1")
    assert (done.status_code, evening.stands) == (303, ("0-2", "official"))


def test_an_entry_of_somebody_else_in_between_is_told_in_words(evening: Evening) -> None:
    shown = evening.page()
    evening.post("result/scores", {"score": {"A": 1, "B": 2}, "side": "B"})
    told = evening.tap("2-0", shown)
    assert (told.status_code, evening.stands) == (409, ("1-2", "provisional"))
    assert "Mientras tanto" in told.text
    assert "Ahora está apuntado 1–2" in told.text
    assert evening.tap("2-0", told.text, sure="1").status_code == 303
    assert evening.stands == ("2-0", "official")


def test_an_undo_that_comes_after_another_entry_is_told_in_words(evening: Evening) -> None:
    entered = evening.tap("2-0")
    shown = evening.page(entered.headers["Location"])
    evening.tap("0-2", evening.page(), sure="1")
    form = {name: evening.hidden(shown, name) for name in ("key", "back", "seen", "version")}
    late = evening.official.post(f"/e/{evening.id}/final/deshacer", data=form, headers=OURS)
    assert (late.status_code, evening.stands) == (409, ("0-2", "official"))
    assert "Mientras tanto" in late.text


def test_what_the_record_excludes_is_not_offered_and_is_refused_in_words(evening: Evening) -> None:
    for number in (1, 2, 3):
        started = evening.table.partida(evening.encuentro)
        assert started.endswith(f"/{number}")
        evening.table.record(started, 0, {"kind": "result", "winner": "B"})
    shown = evening.page()
    assert re.findall(r'name="score" value="([^"]+)"', shown) == ["2-1", "1-2", "0-2"]
    refused = evening.tap("2-0", shown)
    assert refused.status_code == 409
    assert "No puede acabar 2-0: con lo apuntado van 0-1." in refused.text
    assert evening.tap("nonsense", shown).status_code == 422


def test_fixed_partidas_are_two_numbers_and_the_second_may_be_left_out(table: HttpTable) -> None:
    fixed = {"match_format": {"4": "fixed_partidas"}, "fixed_partidas": {"4": 8}}
    evening = Evening(table, changes=fixed, **{"as": {"id": "ocho", "edition": "1"}})
    assert 'name="score-A" type="number"' in evening.page()
    form = {"score-A": "5", "score-B": ""}
    assert evening.tap("", evening.page(), **form).status_code == 303
    assert evening.stands == ("5-3", "official")
    asked = evening.tap("", evening.page(), **{"score-A": "4", "score-B": "4"}, sure="1")
    assert asked.status_code == 303
    assert evening.stands == ("4-4", "official")
    assert evening.view["decided"] == {"winner": ""}
    assert evening.tap("", evening.page(), **{"score-A": "x", "score-B": ""}).status_code == 422


def test_only_who_may_sign_sees_the_buttons(evening: Evening) -> None:
    assert 'name="score"' not in evening.table.app.test_client().get(evening.path).text
    scorer = evening.table.scorer(evening.encuentro)
    assert 'name="score"' not in scorer.get(f"/e/{evening.id}").text
    assert 'name="score"' in evening.page(f"/e/{evening.id}")
    form = {"key": "0" * 32, "back": "/", "seen": "open", "score": "2-0"}
    assert scorer.post(f"/e/{evening.id}/final", data=form, headers=OURS).status_code == 403


def test_after_the_form_one_comes_back_to_pages_of_the_club_alone(evening: Evening) -> None:
    for back in ("https://example.org/", "//example.org/jornadas/x", "/e/../salir"):
        answer = evening.tap("2-0", back=back)
        assert answer.headers["Location"].startswith("/jornadas/?wait=")


def test_a_side_that_does_not_agree_and_one_that_tells_another_score(evening: Evening) -> None:
    evening.post("result/scores", {"score": {"A": 2, "B": 0}, "side": "A", "by": ANA})
    assert evening.post("result/denials", {"side": "B", "by": BLAS}).status_code == 200
    assert evening.stands == ("2-0", "disputed")
    assert evening.view["result"]["denied"]["side"] == "B"
    assert evening.view["result"]["cases"] == []
    public = evening.table.get(f"/api/v1/public/encuentros/{evening.id}").json
    assert public["result"] == "disputed"
    assert "no hay acuerdo" in evening.page()
    other = evening.post("result/scores", {"score": {"A": 0, "B": 2}, "side": "B", "by": BLAS})
    assert (other.status_code, evening.stands) == (200, ("0-2", "provisional"))
    agreed = evening.post("result/confirmations", {"side": "A", "by": ANA})
    assert (agreed.status_code, evening.stands) == (200, ("0-2", "confirmed"))
    late = evening.post("result/scores", {"score": {"A": 2, "B": 0}, "side": "A"})
    assert (late.status_code, late.json["code"]) == (409, Rule.RESULT_AGREED.value)


def test_what_a_side_denies_is_red_and_counts_nowhere_until_it_is_settled(evening: Evening) -> None:
    table = evening.table
    league = table.post("/api/v1/seasons", {"name": "Liga"}).headers["Location"]
    season = league.rpartition("/")[2]
    version = table.get(evening.where).json["version"]
    assert table.post(f"{evening.where}/season", {"season": season}, version).status_code == 200
    evening.post("result/scores", {"score": {"A": 2, "B": 0}, "side": "A", "by": ANA})
    pages = (f"/temporadas/{season}", evening.path)

    def points() -> list[list[int]]:
        evening.caught_up()
        return [
            [one["points"] for one in table.get(at).json["standings"]]
            for at in (league, evening.where)
        ]

    assert points() == [[1, 1, 0, 0]] * 2
    evening.post("result/denials", {"side": "B", "by": BLAS})
    assert points() == [[0, 0, 0, 0]] * 2
    for page in pages:
        assert re.search(r'class="denied" role="alert".*?Mesa 1', evening.page(page), re.DOTALL)
    evening.tap("0-2")
    assert points() == [[1, 1, 0, 0]] * 2
    for page in pages:
        assert 'class="denied"' not in evening.page(page)


def test_the_next_round_over_results_that_nobody_confirmed_asks_first(evening: Evening) -> None:
    evening.post("result/scores", {"score": {"A": 2, "B": 0}, "side": "A", "by": ANA})
    version = evening.table.get(evening.where).json["version"]
    drawn = evening.table.post(f"{evening.where}/draws", {"method": "seed"}, version)
    assert drawn.json["unconfirmed"] == [evening.id]
    for form in ({"method": "seed", "do": "sorteo"}, {"do": "mesas"}):
        evening.caught_up()
        version = evening.table.get(evening.where).json["version"]
        data = {**form, "key": form["do"].ljust(16, "0"), "version": version}
        answer = evening.official.post(f"{evening.path}/{form['do']}", data=data, headers=OURS)
    assert answer.status_code == 422
    assert "Hay resultados sin confirmar:" in answer.text
    again = {**data, "key": "a" * 16, "again": "yes"}
    assert (
        evening.official.post(f"{evening.path}/mesas", data=again, headers=OURS).status_code == 303
    )
    evening.caught_up()
    assert len(evening.table.get(evening.where).json["encuentros"]) == 2


def test_the_api_takes_a_score_back_and_names_what_is_wrong_with_one(evening: Evening) -> None:
    none = evening.post("result/scores/withdrawal", {})
    assert (none.status_code, none.json["code"]) == (409, Rule.FINAL_SCORE_NOT_TOLD.value)
    wrong = evening.post("result/scores", {"score": {"A": 2, "B": 2}})
    assert (wrong.status_code, wrong.json["code"]) == (409, Rule.FINAL_SCORE_IMPOSSIBLE.value)
    assert evening.post("result/scores", {"score": {"A": 2, "X": 2}}).status_code == 422
    assert evening.post("result/scores", {"score": {"A": 2, "B": 0}}).status_code == 200
    assert evening.stands == ("2-0", "official")
    assert evening.post("result/scores/withdrawal", {}).status_code == 200
    assert evening.stands == ("0-0", "open")


def test_the_season_counts_the_cotos_that_were_told_and_no_partidas(evening: Evening) -> None:
    evening.tap("2-1")
    evening.caught_up()
    rows = evening.table.get(evening.where).json["standings"]
    won, lost = rows[0], rows[-1]
    assert (won["won"], won["cotos"], won["cotos_lost"], won["partidas"]) == (1, 2, 1, 0)
    assert (lost["lost"], lost["cotos"], lost["cotos_lost"]) == (1, 1, 2)


def test_the_board_the_acta_and_the_record_show_a_score_without_partidas(evening: Evening) -> None:
    evening.tap("2-1")
    for path in (f"/mesa/{evening.id}", f"{evening.path}/sala", f"/e/{evening.id}/acta"):
        text = evening.page(path)
        assert "sin terminar" not in text, path
    assert "2–1" in evening.page(f"/e/{evening.id}/acta")
