"""What a director takes back at the desk and over HTTP, and what is no longer offered."""

from __future__ import annotations

import re
from typing import Any

from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.support.servers.http_table import ENCUENTROS, HttpTable, Response
from tests.support.servers.http_tournament import Desk, wrong


def swiss(table: HttpTable, pairs: int = 4) -> tuple[Desk, Any]:
    """The desk of a Swiss tournament in its first round, and the first of its meetings."""
    desk = Desk(table, pairs, format="swiss", rounds=2)
    desk.run.draw()
    desk.run.do("rounds")
    return desk, desk.run.open()[0]


def done(answer: Response) -> None:
    assert answer.status_code == 303, answer.text


def test_a_pair_noted_absent_that_comes_after_all_plays(table: HttpTable) -> None:
    desk, first = swiss(table)
    late = first["pairs"][1]
    page = f"/parejas/{late}"
    preset = re.search(r'name="round"><option>(\d)', desk.get(page).text)
    assert preset is not None
    assert preset[1] == "1"
    done(desk.send(do="absent", pair=late, round=preset[1]))
    assert len(desk.run.open()) == 1
    assert "Al final viene" in desk.get(page).text
    done(desk.send(do="present", pair=late, round="1"))
    assert len(desk.run.open()) == 2
    assert "Al final viene" not in desk.get(page).text
    done(desk.send(do="absent", pair=late, round="1"))
    desk.run.play_open()
    desk.run.do("rounds")
    text = desk.get(page).text
    assert "Al final viene" not in text
    assert "ya está sorteado o empezado" in text
    refused = desk.send(do="present", pair=late, round="1")
    assert (refused.status_code, "ya está sorteado" in wrong(refused)) == (409, True)


def test_a_pair_withdrawn_by_mistake_comes_back_before_and_after_the_draw(
    table: HttpTable,
) -> None:
    desk = Desk(table, 4, format="swiss", rounds=2)
    done(desk.send(do="withdraw", pair="2"))
    text = desk.get("/parejas").text
    assert "Se retiraron antes del sorteo" in text
    assert "Ana 2 · Blas 2" in text
    done(desk.send(do="return", pair="2"))
    assert "Se retiraron antes del sorteo" not in desk.get("/parejas").text
    assert [one["pair"] for one in desk.run.view()["pairs"]] == ["1", "3", "4", "2"]
    desk.run.draw()
    desk.run.do("rounds")
    done(desk.send(do="withdraw", pair="2"))
    assert "Vuelve al torneo" in desk.get("/parejas/2").text
    done(desk.send(do="return", pair="2"))
    assert len(desk.run.open()) == 2


def test_an_encuentro_opened_for_a_meeting_by_mistake_is_called_off(table: HttpTable) -> None:
    desk, first = swiss(table)
    cruce = f"/cruces/{first['id']}"
    held = desk.send(f"{cruce}/mesa").headers["Location"]
    encuentro = held.partition("?")[0].rpartition("/")[2]
    assert "Quitarlo de la tableta" in desk.get(cruce).text
    done(desk.send(f"{cruce}/mesa/retirada"))
    assert desk.run.open()[0]["stage"] == "open"
    assert "Quitarlo de la tableta" not in desk.get(cruce).text
    assert "Apuntarlo en la tableta" in desk.get(cruce).text
    assert table.get(ENCUENTROS).json["items"] == []
    assert table.get("/api/v1/public/sala").json["tables"] == []
    assert table.get(f"{ENCUENTROS}/{encuentro}").json["is_called_off"] is True
    assert "Esta mesa se retiró" in table.get(f"/e/{encuentro}").text
    assert "Retirada: no se juega" in table.get(f"/mesa/{encuentro}").text
    version = table.get(f"{ENCUENTROS}/{encuentro}").json["version"]
    begun = table.post(f"{ENCUENTROS}/{encuentro}/partidas", version=version)
    assert (begun.status_code, begun.json["code"]) == (409, "encuentro-called-off")
    again = desk.run.do(f"meetings/{first['id']}/encuentro")
    assert again["encuentro"] != encuentro
    table.partida(f"{ENCUENTROS}/{again['encuentro']}")
    assert "Quitarlo de la tableta" not in desk.get(cruce).text
    late = desk.send(f"{cruce}/mesa/retirada")
    assert (late.status_code, "ya se ha apuntado algo" in wrong(late)) == (409, True)
    log = LogReader(table.app.extensions["guinote"].files.log)
    assert list(differences_in_all_streams(log)) == []


def test_a_tournament_closed_too_early_is_opened_again(table: HttpTable) -> None:
    desk, _ = swiss(table)
    assert "Terminar antes de tiempo" not in desk.get().text
    desk.run.play_open()
    assert "Terminar antes de tiempo" in desk.get().text
    done(desk.send(do="close"))
    assert "Sortear la ronda" not in desk.get().text
    done(desk.send(do="reopen"))
    assert "Sortear la ronda" in desk.get().text
    desk.run.view()
    assert desk.run.ask("reopening").json["reason"] == "not-noted"


def test_what_would_be_refused_is_not_offered_at_the_desk(table: HttpTable) -> None:
    empty = Desk(table, 1, format="knock_out")
    assert "Preparar el sorteo" not in empty.get().text
    assert "al menos dos parejas" in empty.get().text
    desk, _ = swiss(table)
    assert "Llamar a todas las mesas" not in desk.get().text
    done(desk.send(do="tables"))
    assert "Repartir las mesas" not in desk.get().text
    done(desk.send(do="call"))
    assert "Llamar a todas las mesas" not in desk.get().text
    drawn = Desk(table, 4, format="knock_out")
    drawn.run.draw()
    assert "Apuntar una pareja" not in drawn.get("/parejas").text
