"""Forms of a tournament's director: each acts once; refusals have a text and keep typed values."""

from __future__ import annotations

import re

import pytest

from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, decide, wrong


def test_pairs_are_looked_at_before_they_enter(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    table.post("/api/v1/players", {"name": "Íñigo Peña"})
    text = "inigo pena ; Ana Gil; 30\n\nBlas Mur / Celia - Ruiz\n"
    seen = desk.send("/parejas", do="look", text=text)
    assert "Aquí hacen falta 2 nombres." in wrong(seen)
    assert "Línea 3" in wrong(seen)
    assert "Blas Mur / Celia - Ruiz" in seen.text
    text = text.replace(" - Ruiz", "")
    seen = desk.send("/parejas", do="look", text=text)
    assert re.findall(r'<span class="tag(?: live)?">([^<]+)', seen.text) == [
        *("del club", "nuevo", "nuevo", "nuevo"),
    ]
    assert "No hay ningún jugador." in wrong(desk.send("/parejas", do="look", text=" \n"))
    assert desk.names() == []
    assert desk.send("/parejas", do="enter", text=text).status_code == 303
    assert desk.names() == [["Íñigo Peña", "Ana Gil"], ["Blas Mur", "Celia"]]
    assert [one["strength"] for one in desk.run.view()["pairs"]] == [30, 0]
    listed = [one["name"] for one in table.get("/api/v1/players").json["items"]]
    assert listed == ["Ana Gil", "Blas Mur", "Celia", "Íñigo Peña"]


def test_two_of_one_name_are_distinguished_by_their_nicknames(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    for nickname in ("Toño", "Rubio"):
        table.post("/api/v1/players", {"name": "Antonio García", "nickname": nickname})
    table.get("/api/v1/players")
    assert "Añade el apodo" in wrong(desk.send("/parejas", do="enter", text="Antonio Garcia / Eva"))
    both = "Antonio García (Toño) / Antonio García (rubio)"
    assert desk.send("/parejas", do="enter", text=both).status_code == 303
    (pair,) = desk.run.view()["pairs"]
    assert pair["players"] == ["Antonio García", "Antonio García"]
    assert len(table.get("/api/v1/players").json["items"]) == 2


def test_a_pair_of_the_club_enters_by_its_name(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    players = [
        table.post("/api/v1/players", {"name": name}).json["players"][0] for name in ("Ana", "Blas")
    ]
    table.post("/api/v1/pairs", {"players": players, "name": "Los Reyes de Copas"})
    assert desk.send("/parejas", do="enter", text="los reyes de copas; 7").status_code == 303
    assert desk.names() == [["Ana", "Blas"]]
    assert len(table.get("/api/v1/persons").json["items"]) == 2


def test_the_name_of_a_pair_is_shown_wherever_it_plays(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    text = "Ana Gil - Blas Mur = Los Reyes de Copas\nCelia / Diego"
    assert desk.send("/parejas", do="enter", text=text).status_code == 303
    assert [one["name"] for one in desk.run.view()["pairs"]] == ["Los Reyes de Copas", ""]
    listed = [one["title"] for one in table.get("/api/v1/pairs").json["items"]]
    assert listed == ["Los Reyes de Copas"]
    where = desk.path.removesuffix("/direccion")
    for path in (desk.path + "/parejas", f"{where}/parejas", f"{where}/pareja/1"):
        assert "Los Reyes de Copas" in table.get(path).text, path
    assert "Ana Gil · Blas Mur" in table.get(f"{where}/pareja/1").text
    assert "Los Reyes de Copas" in table.get(f"{where}/parejas?q=blas").text


def test_a_form_that_is_sent_twice_is_done_once(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    form = {"key": "k" * 20, "version": str(desk.run.view()["version"]), "do": "enter"}
    answers = [desk.post("/parejas", {**form, "text": "Ana / Blas"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    assert desk.names() == [["Ana", "Blas"]]
    assert len(table.get("/api/v1/persons").json["items"]) == 2


def test_who_plays_already_is_refused_in_words_and_the_text_stands(table: HttpTable) -> None:
    desk = Desk(table, pairs=0)
    assert desk.send("/parejas", do="enter", text="Ana / Blas").status_code == 303
    table.get("/api/v1/players")
    again = desk.send("/parejas", do="enter", text="Celia / Ana")
    assert again.status_code == 409
    assert wrong(again) == "Un jugador no puede estar en dos parejas."
    assert "Celia / Ana" in again.text
    assert desk.names() == [["Ana", "Blas"]]


def test_a_page_that_is_out_of_date_changes_nothing(table: HttpTable) -> None:
    desk = Desk(table)
    version = str(desk.run.view()["version"] - 1)
    old = desk.send("", do="commit", heads="0", version=version)
    assert (old.status_code, desk.run.view()["stage"]) == (412, "entering")


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"do": "reveal"}, 409),
        ({"do": "round"}, 409),
        ({"do": "commit", "heads": "x"}, 422),
        ({"do": "commit", "heads": "9"}, 409),
        ({"do": "nothing"}, 400),
        ({}, 400),
        ({"do": "settle", "meeting": "x", "what": "y"}, 400),
    ],
)
def test_a_refused_act_is_reported(table: HttpTable, form: dict[str, str], status: int) -> None:
    desk = Desk(table)
    version = desk.run.view()["version"]
    answer = desk.send(**form)
    assert answer.status_code == status
    assert desk.run.view()["version"] == version
    if status != 400:
        assert wrong(answer)


def test_the_word_of_others_is_asked_for_when_it_was_promised(table: HttpTable) -> None:
    desk = Desk(table)
    assert desk.send(do="commit", heads="2", word_from="la rifa").status_code == 303
    assert "La palabra (la rifa)" in desk.get().text
    assert wrong(desk.send(do="reveal")) == "Falta la palabra del sorteo."
    assert desk.send(do="reveal", word="4711").status_code == 303
    draw = desk.run.view()["draw"]
    assert (draw["word"], len(draw["seed"]) >= 16) == ("4711", True)


def test_groups_then_their_knock_out(table: HttpTable) -> None:
    desk = Desk(table, 8, format="groups", groups=2, qualify=2)
    desk.run.draw(seeded=8)
    for number in range(3):
        assert "Sortear la ronda" in desk.get().text, number
        desk.send(do="round")
        assert 'value="round"' not in desk.get().text.partition("<details")[0]
        for one in desk.run.open():
            low = min(one["pairs"], key=int)
            cotos = "2-1" if one["pairs"][0] == low else "1-2"
            answer = desk.send(do="result", meeting=one["id"], winner=low, cotos=cotos)
            assert answer.status_code == 303
    assert "Empezar la eliminatoria" in desk.get().text
    assert desk.send(do="knock_out").status_code == 303
    while waiting := desk.run.open():
        winner = min(waiting[0]["pairs"], key=int)
        desk.send(do="result", meeting=waiting[0]["id"], winner=winner, walkover="yes")
    assert "Cerrar el torneo" in desk.get().text
    assert desk.send(do="close").status_code == 303
    assert (desk.run.view()["champion"], desk.run.view()["stage"]) == ("1", "over")


def test_a_pair_withdraws_and_another_gets_other_players(table: HttpTable) -> None:
    desk = Desk(table, 4, format="round_robin")
    changed = desk.send("/parejas/2", do="substitute", player=["Eva", "Fermín"])
    assert changed.status_code == 303
    assert desk.names()[1] == ["Eva", "Fermín"]
    desk.run.draw()
    desk.run.do("rounds")
    assert desk.send(do="withdraw", pair="3").status_code == 303
    assert [one["is_withdrawn"] for one in desk.run.view()["pairs"]] == [False, False, True, False]
    assert "Se ha retirado" in desk.get("/parejas/3").text
    assert desk.get("/parejas/9").status_code == 404
    missing = desk.send("/parejas/2", do="substitute", player=["Gema", "x" * 81])
    assert missing.status_code == 422
    assert "80" in wrong(missing)
    assert 'value="Gema"' in missing.text


@pytest.mark.parametrize("what", ["leave", "replay", "re_pair"])
def test_a_late_correction_shows_its_choices_and_takes_one(table: HttpTable, what: str) -> None:
    desk = Desk(table, 4)
    desk.run.draw()
    first, second = desk.run.open()
    desk.run.win(first, "1")
    desk.run.win(second, "2")
    (final,) = desk.run.open()
    desk.run.win(final, "1")
    answer = desk.send(do="result", meeting=first["id"], winner="4", cotos="0-2")
    assert answer.headers["Location"].partition("?")[0].endswith(f"{first['id']}/correccion")
    page = desk.get(f"/cruces/{first['id']}/correccion").text
    assert "Vale ahora: Gana la 1" in page
    assert "Cambio: Gana la 4" in page
    assert "Corrección por decidir" in desk.get().text
    taken = desk.send(do="settle", meeting=first["id"], what=what)
    assert taken.status_code == 303
    view = desk.run.view()
    assert view["pending"] == []
    open_now = [sorted(one["pairs"]) for one in desk.run.open()]
    assert open_now == {"leave": [], "replay": [["1", "4"]], "re_pair": [["2", "4"]]}[what]
    assert view["champion"] == ("1" if what == "leave" else None)
    assert desk.get(f"/cruces/{first['id']}/correccion").status_code == 404


def test_a_table_and_a_call_of_one_cruce(table: HttpTable) -> None:
    desk = Desk(table, 4)
    desk.run.draw()
    first, second = desk.run.open()
    assert wrong(desk.send(do="call", meeting=first["id"])) == "No hay mesa para ese encuentro."
    assert desk.send(do="tables", meeting=first["id"], table="7").status_code == 303
    assert "ocupada" in wrong(desk.send(do="tables", meeting=second["id"], table="7"))
    assert desk.send(do="call").status_code == 303
    shown = {one["id"]: (one["table"], one["called"]) for one in desk.run.open()}
    assert shown == {first["id"]: (7, True), second["id"]: (0, False)}
    held = desk.send(f"/cruces/{second['id']}/mesa")
    assert held.headers["Location"].startswith("/e/")
    assert desk.send(f"/cruces/{second['id']}/mesa").status_code == 409


def test_an_opening_keeps_to_what_its_format_has(table: HttpTable) -> None:
    form = {"key": "q" * 20, "name": "Copa", "profile": "club", "format": "knock_out"}
    more = {"rounds": "5", "groups": "4", "qualify": "2", "minutes": "45", "has_third_place": "yes"}
    sent = {**form, **more, "date": "2026-11-28"}
    answer = table.client.post("/torneos/nuevo", data=sent, headers=table.owner())
    assert answer.status_code == 303
    path = answer.headers["Location"].replace("/torneos", "/api/v1/tournaments")
    plan = table.get(path.partition("/direccion")[0]).json["plan"]
    assert (plan["rounds"], plan["groups"], plan["minutes"]) == (0, 0, 45)
    assert plan["has_third_place"] is True


def test_an_organiser_has_tie_breaks_and_points_of_their_own(table: HttpTable) -> None:
    form = {"key": "q" * 20, "name": "Liga", "profile": "club", "format": "round_robin"}
    own = {"criterion_1": "partidas", "criterion_2": "", "criterion_3": "lot", "points_won": "3"}
    answer = table.client.post("/torneos/nuevo", data={**form, **own}, headers=table.owner())
    assert answer.status_code == 303
    path = answer.headers["Location"].replace("/torneos", "/api/v1/tournaments")
    plan = table.get(path.partition("/direccion")[0]).json["plan"]
    assert plan["criteria"] == ["points", "partidas", "lot"]
    assert (plan["scoring"]["won"], plan["scoring"]["bye"]) == (3, 2)
    twice = {**form, "key": "r" * 20, "criterion_1": "lot", "criterion_2": "lot"}
    answer = table.client.post("/torneos/nuevo", data=twice, headers=table.owner())
    assert answer.status_code == 409
    assert "ninguno va dos veces" in wrong(answer)


def test_an_invalid_opening_is_reported_and_what_was_typed_stays(table: HttpTable) -> None:
    form = {"key": "q" * 20, "name": "", "profile": "club", "format": "swiss", "place": "Casino"}
    answer = table.client.post("/torneos/nuevo", data=form, headers=table.owner())
    assert answer.status_code == 422
    assert "Nombre:" in wrong(answer)
    assert 'value="Casino"' in answer.text
    form["name"] = "Copa"
    answer = table.client.post("/torneos/nuevo", data=form, headers=table.owner())
    assert answer.status_code == 409
    assert "falta algún dato" in wrong(answer)


def test_who_did_not_come_loses_and_one_tap_undoes_it(table: HttpTable) -> None:
    desk = Desk(table, 4, format="swiss", rounds=2)
    desk.run.draw()
    desk.run.do("rounds")
    meeting = desk.run.open()[0]
    came, absent = meeting["pairs"]
    page = desk.get(f"/cruces/{meeting['id']}").text.partition("¿Quién no se ha presentado?")[2]
    button = next(one for one in page.split("<form")[1:] if f">{absent} " in one)
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', button))
    assert form["winner"] == came
    assert desk.post("", form).status_code == 303
    walked = desk.run.view()["rounds"][0]["meetings"][0]
    assert (walked["winner"], walked["is_walkover"]) == (came, True)
    undo = next(one for one in desk.get().text.split("<form")[1:] if ">Deshacer<" in one)
    answer = desk.post("", dict(re.findall(r'name="(\w+)" value="([^"]*)"', undo)))
    assert answer.status_code == 303
    assert desk.run.view()["rounds"][0]["meetings"][0]["winner"] is None


def test_the_next_round_asks_if_results_are_not_confirmed_and_is_taken_back(
    table: HttpTable,
) -> None:
    desk = Desk(table, 4, format="swiss", rounds=3)
    desk.run.draw()
    desk.run.do("rounds")
    first, second = desk.run.open()
    held = desk.run.do(f"meetings/{first['id']}/encuentro")["encuentro"]
    decide(table, f"/api/v1/encuentros/{held}", "A")
    desk.run.view()
    desk.run.win(second, second["pairs"][0])
    asked = desk.send(do="round")
    assert (asked.status_code, wrong(asked)[:29]) == (422, "Hay resultados sin confirmar:")
    assert desk.send(do="round", sure="yes").status_code == 303
    assert "Quitar la ronda sorteada" in desk.get().text
    assert desk.send(do="round_back", round="2").status_code == 303
    assert len(desk.run.view()["rounds"]) == 1


def test_a_cruce_to_which_neither_pair_came_is_lost_by_both(table: HttpTable) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.run.draw()
    one, other = desk.run.open()
    page = desk.get(f"/cruces/{one['id']}").text
    assert ">Ninguna de las dos</button>" in page
    desk.send(do="result", meeting=one["id"], winner="", cotos="0-0", walkover="yes")
    assert "Ninguna se presentó" in desk.get().text
    desk.run.view()
    desk.run.win(other, other["pairs"][0])
    view = desk.run.view()
    assert view["champion"] == other["pairs"][0]
    public = desk.path.removesuffix("/direccion")
    assert "Ninguna se presentó" in table.get(f"{public}/rondas/1").text
    desk.send(do="take_back", meeting=one["id"])
    assert [found["id"] for found in desk.run.open()] == [one["id"]]


def test_the_second_pair_that_is_absent_is_not_given_the_win(table: HttpTable) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.run.draw()
    one = desk.run.open()[0]
    for pair in one["pairs"]:
        desk.send(do="absent", pair=pair, round="1")
    found = next(m for m in desk.run.view()["rounds"][0]["meetings"] if m["id"] == one["id"])
    assert (found["winner"], found["is_walkover"], found["stage"]) == ("", True, "told")
    desk.run.do(f"pairs/{one['pairs'][1]}/absences/withdrawal", {"round": 1})
    found = next(m for m in desk.run.view()["rounds"][0]["meetings"] if m["id"] == one["id"])
    assert found["winner"] == one["pairs"][1]


def test_a_tournament_that_is_not_held_is_cancelled_and_may_be_opened_again(
    table: HttpTable,
) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.run.draw()
    desk.run.play_open()
    assert desk.run.view()["champion"] == "1"
    assert "Anular el torneo" in desk.get().text
    desk.send(do="cancel")
    view = desk.run.view()
    assert (view["stage"], view["champion"]) == ("cancelled", None)
    public = desk.path.removesuffix("/direccion")
    assert "Anulado" in table.get(public).text
    assert "Anulado" in table.get("/torneos/").text
    page = desk.get().text
    assert "Anulado" in page
    assert "Anular el torneo" not in page
    assert "está cerrado" in wrong(desk.send(do="tables"))
    desk.send(do="reopen")
    view = desk.run.view()
    assert (view["stage"], view["champion"]) == ("running", "1")


def test_a_tournament_is_cancelled_before_it_is_drawn(table: HttpTable) -> None:
    desk = Desk(table, 4, format="knock_out")
    desk.send(do="cancel")
    assert desk.run.view()["stage"] == "cancelled"
    assert desk.run.ask("pairs", {"pairs": []}).status_code in (409, 422)
    assert "Anulado" in desk.get().text
    desk.run.view()
    desk.run.do("reopening")
    assert desk.run.view()["stage"] == "entering"
