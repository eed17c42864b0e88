"""A draw that is taken back before the first result, and made again."""

from __future__ import annotations

import re

import msgspec
import pytest

from projections.runner.log import LogReader
from referee.aggregates.tournament.lots import RevealedLots, lots_differences
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament

REASON = "Faltaba una pareja en la lista."


@pytest.fixture
def desk(table: HttpTable) -> Desk:
    made = Desk(table, 6, format="knock_out")
    made.run.draw()
    return made


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_what_was_published_stays_in_view_with_the_reason_and_the_new_draw_has_its_own(
    table: HttpTable, desk: Desk
) -> None:
    first = table.get(f"{desk.run.path}/draw").json
    assert "Sortear de nuevo" in words(desk.get().text)
    assert desk.send(do="draw_back").status_code == 422  # without a reason
    assert desk.send(do="draw_back", reason=REASON).status_code == 303
    view = desk.run.view()
    assert (view["stage"], view["draw"], view["rounds"]) == ("entering", None, [])
    desk.run.do("pairs", {"pairs": [{"players": [{"name": "Eva"}, {"name": "Luis"}]}]})
    desk.send(do="commit", heads="0")
    desk.send(do="reveal")
    second = table.get(f"{desk.run.path}/draw").json
    assert second["commitment"] != first["commitment"]
    assert len(second["outcome"]["order"]) == 7
    (former,) = desk.run.view()["former_draws"]
    assert former["reason"] == REASON
    kept = table.get(former["file"]).json
    assert kept == first
    assert not lots_differences(msgspec.convert(kept, RevealedLots), first["commitment"])
    page = table.get(desk.path.replace("/direccion", "/sorteo")).text
    assert REASON in words(page).partition("Sorteo anulado")[2]
    assert first["commitment"] in page
    desk.run.play_open()
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )


def test_who_withdrew_is_out_and_who_came_late_stays(desk: Desk) -> None:
    desk.run.do("pairs", {"pairs": [{"players": [{"name": "Eva"}, {"name": "Luis"}]}]})
    desk.run.do("pairs/2/withdrawal")
    desk.run.do("pairs/3/absences", {"round": 1})
    desk.run.do("draw/withdrawal", {"reason": REASON})
    assert [one["pair"] for one in desk.run.view()["pairs"]] == ["1", "3", "4", "5", "6", "7"]
    desk.run.do("pairs/2/return")
    desk.run.draw()
    assert {"2", "3"} <= {pair for one in desk.run.open() for pair in one["pairs"]}


def test_not_after_a_result_or_an_open_table_or_a_round(table: HttpTable, desk: Desk) -> None:
    meeting = desk.run.open()[0]
    desk.run.do(f"meetings/{meeting['id']}/encuentro")
    answer = desk.run.ask("draw/withdrawal", {"reason": REASON})
    assert (answer.status_code, answer.json["reason"]) == (409, "later-drawn")
    desk.run.do(f"meetings/{meeting['id']}/encuentro/calling-off")
    desk.run.win(meeting, meeting["pairs"][0])
    assert desk.run.ask("draw/withdrawal", {"reason": REASON}).status_code == 409
    assert "Sortear de nuevo" not in words(desk.get().text)
    swiss = HttpTournament(table, 4, format="swiss", rounds=2)
    answer = swiss.ask("draw/withdrawal", {"reason": REASON})
    assert answer.json["reason"] == "not-drawn"
    swiss.draw()
    swiss.do("rounds")
    assert swiss.ask("draw/withdrawal", {"reason": REASON}).json["reason"] == "later-drawn"
    swiss.do("rounds/1/withdrawal")
    swiss.do("draw/withdrawal", {"reason": REASON})
    assert table.get(f"{swiss.path}/former-draws/2").status_code == 404
