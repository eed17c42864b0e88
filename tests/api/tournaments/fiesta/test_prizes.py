"""Prizes of a tournament down to the eighth: said at the desk, shown, and given at the end."""

from __future__ import annotations

import re

import pytest

from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk, HttpTournament

LINES = "1.º 300 €\n2.º 150 €\n3.º un jamón\n80\n40\n40\n20\n20"


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def shown(table: HttpTable, desk: Desk, path: str = "") -> str:
    desk.run.view()  # the pages have it
    page = table.get(desk.path.removesuffix("/direccion") + path).text
    return words(page).partition("Cuotas y premios")[2]


@pytest.mark.parametrize(
    ("third", "third_prize", "sentence"),
    [
        (True, "3.º un jamón 3 Ana 3", "El tercer puesto se juega."),
        (
            False,
            "3.º–4.º un jamón + 80 € (a repartir entre ellas) 3 Ana 3",
            "comparten los puestos 3.º y 4.º",
        ),
    ],
)
def test_who_gets_what_is_said_at_the_end_and_how_places_are_found_before(
    table: HttpTable, third: bool, third_prize: str, sentence: str
) -> None:
    desk = Desk(table, 16, format="knock_out", has_third_place=third)
    assert desk.send(do="price", fee="10 €", prizes=LINES).status_code == 303
    before = shown(table, desk)
    assert "Cuota: 10 € por pareja." in before
    assert "1.º 300 € 2.º 150 € 3.º un jamón 4.º 80 € 5.º 40 €" in before
    assert sentence in before
    desk.run.draw()
    desk.run.play_open()
    for path in ("", "/clasificacion"):
        after = shown(table, desk, path)
        assert "1.º 300 € 1 Ana 1 · Blas 1 2.º 150 € 2 Ana 2 · Blas 2" in after
        assert third_prize in after
        assert "5.º–8.º 40 € + 40 € + 20 € + 20 € (30 € para cada pareja) 5 Ana 5" in after
    paper = words(table.get(desk.path.replace("/direccion", "/imprimir/clasificacion")).text)
    assert third_prize.partition(" (")[0].partition(" 3 Ana")[0] in paper
    prizes = desk.run.view()["prizes"]
    assert [one["pairs"] for one in prizes[4:]] == [["5", "6", "7", "8"]] * 4
    assert prizes[2]["words"] == "un jamón"


def test_a_corrected_result_sends_them_to_others(table: HttpTable) -> None:
    run = HttpTournament(table, 4, format="knock_out")
    run.do("price", {"prizes": [{"amount": 10000}, {"words": "Un jamón"}]})
    run.draw()
    run.play_open()
    assert [one["pairs"] for one in run.view()["prizes"]] == [["1"], ["2"]]
    final = next(m for r in run.view()["rounds"] for m in r["meetings"] if r["number"] == 2)
    run.win(final, "2")
    run.do("closing")
    assert [one["pairs"] for one in run.view()["prizes"]] == [["2"], ["1"]]
    run.do("price", {"prizes": [{"amount": 5000}]})
    assert [one["amount"] for one in run.view()["prizes"]] == [5000]


def test_pairs_level_on_points_share_and_nobody_gets_any_before_the_end(table: HttpTable) -> None:
    run = HttpTournament(table, 4, format="round_robin", criteria=["points"])
    run.do("price", {"prizes": [{"amount": 9000}, {"amount": 6000}, {"amount": 3000}]})
    run.draw()
    run.do("rounds")
    assert {tuple(one["pairs"]) for one in run.view()["prizes"]} == {()}
    beats = {"1": "2", "2": "3", "3": "1"}  # and all of them beat 4
    run.play_open(lambda one: _winner(one["pairs"], beats))
    for _ in range(2):
        run.do("rounds")
        run.play_open(lambda one: _winner(one["pairs"], beats))
    run.do("closing")
    assert [one["pairs"] for one in run.view()["prizes"]] == [["1", "2", "3"]] * 3


def _winner(pairs: list[str], beats: dict[str, str]) -> str:
    one, other = sorted(pairs)
    return one if other == "4" or beats[one] == other else other


def test_what_is_no_amount_or_a_ninth_place_is_refused(table: HttpTable) -> None:
    desk = Desk(table, 2)
    assert desk.send(do="price", fee="mucho").status_code == 422
    assert desk.send(do="price", prizes="\n".join(["10"] * 9)).status_code == 422
    answer = desk.run.ask("price", {"prizes": [{"amount": 5, "words": "y un jamón"}]})
    assert answer.status_code == 422
    assert "300" not in shown(table, desk)
