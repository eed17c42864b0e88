"""A tournament in words: rounds by their names, places with their reasons, pairs that are found."""

from __future__ import annotations

import pytest

from api.http.languages import LANGUAGES
from api.tournaments import standings as standings_display
from api.tournaments.display import (
    TournamentDisplay,
    groups_with_meetings_by_pairs,
    portion_and_starts,
)
from api.tournaments.rounds import PairDisplay
from projections.tournaments.view import CriterionData, PlaceData
from tests.api.tournaments import tournament_views


def display(view: tournament_views.View, lang: str = "es") -> TournamentDisplay:
    return TournamentDisplay(view, lang)


def test_rounds_of_a_knock_out_are_called_by_what_is_left() -> None:
    found = display(tournament_views.knock_out(24, 5))
    assert [one.title for one in found.rounds] == [
        "Dieciseisavos de final",
        "Octavos de final",
        "Cuartos de final",
        "Semifinales",
        "Final",
    ]


def test_the_third_place_and_the_consolation_are_distinguished() -> None:
    found = display(tournament_views.knock_out(8, 3, consolation=True, third=True))
    title = {one.id.split("-")[0]: one.title for one in found.rounds[2].meetings}
    assert title == {
        "main": "Final",
        "third": "Tercer y cuarto puesto",
        "consolation": "Consolación · Final",
    }


def test_the_round_that_is_played_is_the_first_that_is_not_over() -> None:
    found = display(tournament_views.swiss(24, 3)).current_or_last_round
    assert found is not None
    assert (found.number, found.result_count, len(found.meetings)) == (4, 0, 12)
    over = display(tournament_views.swiss(24, 5))
    assert over.current_or_last_round is not None
    assert over.current_or_last_round.number == 5
    assert over.champion == over.pairs_by_number[over.view.standings[0].pair]


def test_a_cruce_is_seen_from_either_side() -> None:
    found = display(tournament_views.swiss(8, 1))
    one = next(iter(found.meetings_by_id.values()))
    first, second = (pair.number for pair in one.pairs)
    assert one.opponent_of_pair(first).number == second
    assert {one.outcome_or_stage_for_pair(first), one.outcome_or_stage_for_pair(second)} == {
        "won",
        "lost",
    }
    assert one.cotos_of_pair_and_opponent(first) == one.cotos_of_pair_and_opponent(second)[::-1]


def test_at_a_table_comes_first_what_is_played_and_then_back_in_time() -> None:
    found = display(tournament_views.swiss(8, 2)).meetings_at_table(1)
    assert [one.title for one in found] == ["Ronda 3", "Ronda 2", "Ronda 1"]
    assert [one.is_over for one in found] == [False, True, True]


def test_a_pair_is_found_by_number_and_by_beginnings_of_names() -> None:
    found = display(tournament_views.swiss(24, 0))
    assert [one.number for one in found.find_pairs(" 7 ")] == ["7"]
    asked = found.pairs_by_number["3"].players[1].split()[0][:3].upper()
    assert "3" in {one.number for one in found.find_pairs(asked)}
    assert found.find_pairs("nadie") == []
    iniguez = {one.number for one in found.pairs_by_number.values() if "Íñiguez" in one.name}
    assert {one.number for one in found.find_pairs("iniguez")} == iniguez != set()
    assert len(found.find_pairs("")) == 24


@pytest.mark.parametrize(
    "players, short",
    [
        (("Ana Ruiz", "Luis Gil"), "Ana Ruiz · Luis Gil"),
        (("María del Carmen Íñiguez", "José Lahoz"), "María Í. · José L."),
        (("Bartolomé", "Wenceslao"), "Bartolomé · Wenceslao"),
        (("Maximiliano Ruiz", "Hermenegildo Gil", "Ana Sanz"), "Maximiliano R. · Hermene…"),
    ],
)
def test_a_pair_fits_into_its_line(players: tuple[str, ...], short: str) -> None:
    found = PairDisplay("1", players).short_name
    assert found == short
    assert len(found) <= 25


def test_a_name_that_was_erased_is_a_dash() -> None:
    view = tournament_views.swiss(8, 0)
    view.pairs[0].players[:] = ["", "Luis Gil"]
    assert display(view).pairs_by_number["1"].name == "sin nombre · Luis Gil"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("pairs, done", [(8, 3), (25, 4), (64, 5)])
def test_every_place_that_points_did_not_decide_says_what_did(
    pairs: int, done: int, lang: str
) -> None:
    table = tournament_views.swiss(pairs, done).standings
    found = standings_display.standings_rows(table, lang)
    assert [one.pair for one in found] == [row.pair for row in table]
    for row, one in zip(table, found, strict=True):
        assert bool(one.why) == (row.by not in ("first", "points"))
        assert "None" not in one.why
        assert "–" not in one.why
    assert any(one.why for one in found)


def test_a_reason_names_both_values() -> None:
    more, less = ([CriterionData("points", 4), CriterionData("buchholz", n)] for n in (15, 14))
    rows = [
        PlaceData(1, "a", 4, "first", more, []),
        PlaceData(2, "b", 4, "buchholz", less, []),
        PlaceData(2, "c", 4, "level", [], []),
        PlaceData(4, "d", 2, "points", [], []),
    ]
    assert [one.why for one in standings_display.standings_rows(rows, "es")] == [
        "",
        "Buchholz: 14 frente a 15",
        "Empatada con la anterior en todo",
        "",
    ]
    assert standings_display.standings_rows(rows, "en")[1].why == "Buchholz: 14 to 15"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_criterion_is_explained_in_its_order(lang: str) -> None:
    plan = tournament_views.swiss(8, 0).plan
    found = standings_display.criteria(plan, lang)
    assert len(found) == len(plan["criteria"])
    assert all(not one.text.startswith("standings.") for one in found)
    assert len({one.name for one in found}) == len(found)


def test_results_of_a_pair_are_listed_by_round_and_add_up_to_its_points() -> None:
    found = display(tournament_views.swiss(25, 5))
    table = found.view.standings
    rested = {pair.number for one in found.rounds for pair in one.byes}
    assert len(rested) == 5
    for row in table:
        results = standings_display.results_of_pair(row, found.meetings_of_pair(row.pair), "es")
        assert [one.round for one in results] == [1, 2, 3, 4, 5]
        assert sum(one.points or 0 for one in results) == row.points
        idle = [one.reason for one in results if one.meeting is None]
        assert idle == (["descanso"] if row.pair in rested else [])


def test_in_a_knock_out_nothing_gives_points() -> None:
    found = display(tournament_views.knock_out(8, 3))
    results = standings_display.results_of_pair(None, found.meetings_of_pair("1"), "es")
    assert [(one.title, one.points) for one in results][:1] == [("Cuartos de final", None)]


def test_a_group_knows_its_cruces_from_both_sides() -> None:
    found = display(tournament_views.groups(24, 6, done=2))
    every = [*groups_with_meetings_by_pairs(found)]
    assert len(every) == 6
    for group, met in every:
        assert {pair for key in met for pair in key} == set(group.pairs)
        assert all(met[key] is met[key[::-1]] for key in met)
        assert len(met) == 12


def test_the_clock_ends_so_many_minutes_after_its_start() -> None:
    now = display(tournament_views.swiss(8, 0)).current_or_last_round
    assert now is not None
    assert now.clock is not None
    assert now.clock.is_running
    assert now.clock.ends == "2026-10-12T18:00:00+00:00"


def test_portions_cover_all_rows_and_no_row_twice() -> None:
    rows = list(range(130))
    _, starts = portion_and_starts(rows, 1, 64)
    assert starts == [1, 65, 129]
    assert [one for start in starts for one in portion_and_starts(rows, start, 64)[0]] == rows
    assert portion_and_starts([], 1, 64) == ([], [1])
