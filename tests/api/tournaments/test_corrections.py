"""A result corrected after the next draw: what the desk says of it, and what it does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.http_tournament import Desk, decide


def corrected(desk: Desk, meeting: Any) -> str:
    """Tell that the pair with the higher number won after all; the page with the choices."""
    high = max(meeting["pairs"], key=int)
    cotos = "2-0" if meeting["pairs"][0] == high else "0-2"
    told = desk.send(do="result", meeting=meeting["id"], winner=high, cotos=cotos)
    assert told.headers["Location"].partition("?")[0].endswith("/correccion")
    return page_of(desk, meeting)


def page_of(desk: Desk, meeting: Any) -> str:
    answer = desk.get(f"/cruces/{meeting['id']}/correccion")
    assert answer.status_code == 200
    return answer.text


def section(page: str, name: str) -> str:
    """A section of the page without its tags."""
    found = re.search(
        rf'<section class="act" aria-labelledby="{name}">(.*?)</section>', page, re.DOTALL
    )
    assert found, page
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def pressed(desk: Desk, page: str, name: str) -> None:
    """Send the form of a section as it is on the page."""
    found = re.search(rf'aria-labelledby="{name}">.*?<form[^>]*>(.*?)</form>', page, re.DOTALL)
    assert found, page
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', found[1]))
    assert desk.post("", fields).status_code == 303


def swiss(table: HttpTable, pairs: int = 8, *, has_tables: bool = True) -> tuple[Desk, list[Any]]:
    """A desk in the second round of a Swiss tournament, and the meetings of the first."""
    desk = Desk(table, pairs, format="swiss", rounds=3)
    desk.run.draw()
    drawn = []
    for _ in range(2):
        desk.run.play_open()
        desk.run.do("rounds")
        if has_tables:
            desk.run.do("tables")
        drawn.append(desk.run.open())
    return desk, drawn[0]


def cup(table: HttpTable) -> tuple[Desk, list[Any]]:
    """A desk in the semifinals of a cup of eight, and the ties of its first round."""
    desk = Desk(table, 8, format="knock_out")
    desk.run.draw()
    first = desk.run.open()
    for one in first:
        desk.run.win(one, min(one["pairs"], key=int))
    desk.run.do("tables")
    return desk, first


@pytest.mark.parametrize("make", [swiss, cup])
def test_a_correction_after_the_next_draw_is_taken_back(table: HttpTable, make: Any) -> None:
    desk, (meeting, *_) = make(table)
    before = desk.run.view()
    page = corrected(desk, meeting)
    assert page.index('id="mistake"') < page.index('id="leave"')
    assert "El resultado de antes era el bueno." in section(page, "mistake")
    assert len(desk.run.view()["pending"]) == 1
    pressed(desk, page, "mistake")
    after = desk.run.view()
    assert {**after, "version": 0} == {**before, "version": 0}
    assert desk.get(f"/cruces/{meeting['id']}/correccion").status_code == 404
    log = LogReader(table.app.extensions["guinote"].files.log)
    assert list(differences_in_all_streams(log)) == []


def test_another_result_is_typed_from_the_page_of_a_correction(table: HttpTable) -> None:
    desk, (meeting, *_) = swiss(table)
    page = corrected(desk, meeting)
    cruce = f"/cruces/{meeting['id']}"
    assert f'{cruce}/correccion">Decidir qué se hace' in desk.get(cruce).text
    assert "Corregido: por decidir" in desk.get().text
    assert f'/direccion/cruces/{meeting["id"]}">Era otro resultado' in page
    desk.send(do="result", meeting=meeting["id"], winner="", cotos="1-1")
    assert "Cambio: Empatado (1–1)" in re.sub(r"<[^>]+>", "", page_of(desk, meeting))


def test_what_stays_is_played_and_goes_is_said_for_a_swiss_round(table: HttpTable) -> None:
    desk, (meeting, *_) = swiss(table)
    first = next(one for one in desk.run.open() if "1" in one["pairs"])
    desk.run.win(first, "1")
    page = corrected(desk, meeting)
    leave, replay, again = (section(page, what) for what in ("leave", "replay", "re_pair"))
    assert "Cuenta el resultado nuevo, y los encuentros ya sorteados siguen como están." in leave
    assert "Hay que jugar Nada. Desaparece Solo el resultado de antes." in leave
    assert "Los demás encuentros, jugados o por jugar, siguen como están." in replay
    assert "Hay que jugar Este encuentro, otra vez y en una mesa libre." in replay
    assert "Desaparece El resultado de este encuentro, el de antes y el nuevo." in replay
    assert "Sortear otra vez la ronda 2" in again
    assert "Cuenta el resultado nuevo; de la ronda 2 siguen igual 2 encuentros." in again
    assert "Hay que jugar 2 encuentros nuevos, en las mesas libres." in again
    assert "Desaparece 2 encuentros; con resultado: 1." in again
    assert "Ronda 2 (2–1): 1 Ana 1 · Blas 1" in again


def test_what_stays_is_played_and_goes_is_said_for_a_bracket(table: HttpTable) -> None:
    desk, (meeting, *_) = cup(table)
    page = corrected(desk, meeting)
    leave, replay, again = (section(page, what) for what in ("leave", "replay", "re_pair"))
    assert "Cuenta el resultado de antes, y el cuadro sigue como está." in leave
    assert "Desaparece Solo el resultado nuevo." in leave
    assert "Los encuentros que no dependen de este siguen como están." in replay
    assert "el de antes y el nuevo, y 1 encuentro que salió de él." in replay
    assert "Cuenta el resultado nuevo, y siguen los encuentros que no dependen de este." in again
    assert "Hay que jugar 1 encuentro nuevo, en una mesa libre." in again
    assert "Desaparece 1 encuentro que aún no tiene resultado." in again
    assert "Sortear" not in page


def test_redrawn_cruces_get_the_free_tables(table: HttpTable) -> None:
    desk, (meeting, *_) = swiss(table)
    desk.run.do("tables", {"tables": {desk.run.open()[0]["id"]: 9}})
    before = {one["id"]: one["table"] for one in desk.run.open()}
    pressed(desk, corrected(desk, meeting), "re_pair")
    after = {one["id"]: one["table"] for one in desk.run.open()}
    new = after.keys() - before.keys()
    assert len(new) == 2
    assert all(after[one] == before[one] for one in after.keys() - new)
    kept = {after[one] for one in after.keys() - new}
    assert sorted(after[one] for one in new) == sorted({1, 2, 3, 4} - kept)[:2]
    log = LogReader(table.app.extensions["guinote"].files.log)
    assert list(differences_in_all_streams(log)) == []


def test_a_cruce_that_is_played_again_gets_a_free_table_if_it_had_one(table: HttpTable) -> None:
    desk, first = swiss(table)
    page = corrected(desk, first[0])
    assert "Este encuentro, otra vez y en una mesa libre." in section(page, "replay")
    pressed(desk, page, "replay")
    assert {one["table"] for one in desk.run.open()} == {1, 2, 3, 4, 5}


def test_no_tables_are_given_where_none_were(table: HttpTable) -> None:
    desk, (meeting, *_) = swiss(table, has_tables=False)
    page = corrected(desk, meeting)
    assert "Hay que jugar 2 encuentros nuevos." in section(page, "re_pair")
    assert "Hay que jugar Este encuentro, otra vez." in section(page, "replay")
    pressed(desk, page, "re_pair")
    assert {one["table"] for one in desk.run.open()} == {0}


def test_a_closed_tournament_is_settled_without_tables(table: HttpTable) -> None:
    desk, (meeting, *_) = swiss(table)
    for _ in range(2):
        desk.run.play_open()
        if len(desk.run.view()["rounds"]) < 3:
            desk.run.do("rounds")
    desk.run.do("closing")
    pressed(desk, corrected(desk, meeting), "replay")
    (again,) = desk.run.open()
    assert (again["id"], again["table"]) == (meeting["id"], 0)


def test_a_correction_from_the_table_is_put_right_there(table: HttpTable) -> None:
    desk = Desk(table, 4, format="swiss", rounds=2)
    desk.run.draw()
    desk.run.do("rounds")
    first = desk.run.open()[0]
    held = desk.run.do(f"meetings/{first['id']}/encuentro")["encuentro"]
    decide(table, f"{ENCUENTROS}/{held}", "A")
    desk.run.play_open()
    desk.run.do("rounds")
    partida = f"{ENCUENTROS}/{held}/partidas/1"
    amended(table, partida, "B")
    page = page_of(desk, first)
    assert "El cambio viene de lo apuntado en la mesa." in section(page, "mistake")
    assert f'href="/e/{held}"' in page
    assert "Quitar el cambio" not in page
    assert "Este encuentro, otra vez." in section(page, "leave"), "it has no winner now"
    assert "Quedan encuentros por jugar." in section(page, "re_pair")
    amended(table, partida, "A")
    assert desk.run.view()["pending"] == []


def amended(table: HttpTable, partida: str, side: str) -> None:
    """Correct the first line of a partida: the other side conceded."""
    act = {"kind": "result", "winner": side, "how": "concession"}
    changes = {"changes": [{"line": 1, "how": "replace", "act": act}], "because": "acta"}
    answer = table.post(f"{partida}/amendments", changes, table.get(partida).json["version"])
    assert answer.status_code == 200, answer.text


def test_the_choices_tell_the_consolation_from_the_main_draw(table: HttpTable) -> None:
    desk = Desk(table, 8, format="knock_out", has_consolation=True)
    desk.run.draw()
    first = [one for one in desk.run.open() if one["id"].startswith("main")]
    for one in first:
        desk.run.win(one, min(one["pairs"], key=int))
    page = corrected(desk, first[0])
    new = section(page, "re_pair")
    assert "Consolación · Semifinales: " in new
    assert "Consolación: " in new


def test_the_desk_says_which_pair_rests_in_a_round(table: HttpTable) -> None:
    desk = Desk(table, 5, format="swiss", rounds=3)
    desk.run.draw()
    desk.run.do("rounds")
    (drawn,) = desk.run.view()["rounds"]
    assert f"Descansa la pareja {drawn['bye']}: " in desk.get().text
