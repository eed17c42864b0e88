"""A pair that still waits after the draw gets a place by itself when one becomes free."""

from __future__ import annotations

import re

import pytest

from projections.runner.log import LogReader
from referee.audit.verify.conclusions import differences_in_all_streams
from tests.api.tournaments.test_own_entries import PairPhone, address
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import Desk

PLACES = 6


def drawn(table: HttpTable, **plan: object) -> tuple[Desk, PairPhone]:
    """Six places, eight pairs: the seventh and the eighth wait; with the phone of the seventh."""
    desk = Desk(table, 0, **(plan or {"format": "knock_out"}))
    desk.send(do="open_entries", most=str(PLACES))
    hung = PairPhone(table, address(desk))
    own = [hung.enter(f"Ana {number}", f"Blas {number}") for number in range(1, PLACES + 3)]
    desk.run.view()
    desk.run.draw(PLACES)
    return desk, own[PLACES]


@pytest.fixture
def waits(table: HttpTable) -> tuple[Desk, PairPhone]:
    return drawn(table)


def met(desk: Desk) -> set[frozenset[str]]:
    return {frozenset(one["pairs"]) for one in desk.run.open()}


def test_the_first_that_waits_takes_the_place_of_a_pair_that_withdraws(
    table: HttpTable, waits: tuple[Desk, PairPhone]
) -> None:
    desk, seventh = waits
    assert met(desk) == {frozenset("36"), frozenset("45")}
    assert "En lista de espera: 1" in seventh.page()
    desk.run.do("pairs/6/withdrawal")
    assert met(desk) == {frozenset("37"), frozenset("45")}
    assert "Estáis dentro" in seventh.page()
    desk.run.do("pairs/1/withdrawal")  # it rested, and has played nothing either
    assert [one["pair"] for one in desk.run.view()["standings"]].count("8") == 1
    page = table.get(desk.path.replace("/direccion", "/sorteo")).text
    said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "La pareja 7 esperaba plaza y juega en el puesto de la 6" in said
    back = desk.run.ask("pairs/6/return")
    assert (back.status_code, back.json["reason"]) == (409, "later-drawn")
    desk.run.play_open()
    assert desk.run.view()["champion"] == "2"
    assert (
        list(differences_in_all_streams(LogReader(table.app.extensions["guinote"].files.log))) == []
    )


def test_not_in_the_place_of_a_pair_that_has_played(waits: tuple[Desk, PairPhone]) -> None:
    desk, seventh = waits
    first = next(one for one in desk.run.open() if "6" in one["pairs"])
    desk.run.win(first, "6")
    desk.run.do("pairs/6/withdrawal")
    assert "En lista de espera: 1" in seventh.page()
    assert frozenset("37") not in met(desk)


def test_not_into_a_walkover_that_the_other_pair_has_won(waits: tuple[Desk, PairPhone]) -> None:
    desk, seventh = waits
    desk.run.do("pairs/3/absences", {"round": 1})
    assert frozenset("36") not in met(desk)
    desk.run.do("pairs/6/withdrawal")
    assert "En lista de espera: 1" in seventh.page()


def test_not_once_the_last_round_of_a_swiss_tournament_is_drawn(table: HttpTable) -> None:
    desk, seventh = drawn(table, format="swiss", rounds=2)
    desk.run.rounds(1)
    desk.run.do("rounds")
    desk.run.do("pairs/6/withdrawal")
    assert "En lista de espera: 1" in seventh.page()


def test_in_a_swiss_tournament_it_plays_from_the_next_round_on(table: HttpTable) -> None:
    desk, seventh = drawn(table, format="swiss", rounds=3)
    desk.run.rounds(1)
    desk.run.do("pairs/6/withdrawal")
    assert "Estáis dentro" in seventh.page()
    desk.run.do("rounds")
    assert "7" in {pair for one in desk.run.open() for pair in one["pairs"]}
    grouped, waiting = drawn(table, format="round_robin")
    grouped.run.do("pairs/6/withdrawal")
    assert "En lista de espera: 1" in waiting.page()
