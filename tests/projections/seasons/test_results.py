"""Results of players in an encuentro: renuncios, tutes, cantes, substitutes."""

from __future__ import annotations

from projections.seasons.results import SeatTally, player_results, seat_tallies_of_partida
from referee.aggregates import encuentro, partida
from referee.aggregates.commands import Note, Record
from referee.aggregates.encuentro import freeze_profile
from referee.events import (
    EncuentroEvent,
    EncuentroOpened,
    OutcomeFollowed,
    PartidaOpened,
    PartidaStarted,
    PlayersSeated,
    PlayerSubstituted,
    ResultEntered,
    TableAct,
)
from referee.rules.profile.profile import profile

FOUR = {"A1": "a", "B1": "b", "A2": "c", "B2": "d"}


def feats(players: int, *acts: TableAct) -> dict[str, SeatTally]:
    frozen = freeze_profile(profile("club"), players)
    state = partida.evolve(partida.INITIAL, PartidaOpened("e", 1, frozen.options, frozen.hash))
    for act in acts:
        state = partida.decide(Record(act), state).state
    return seat_tallies_of_partida(state)


def test_a_tute_is_of_the_whole_side() -> None:
    assert feats(4, ResultEntered("A", "tute")) == {
        "A1": SeatTally(tutes=1),
        "A2": SeatTally(tutes=1),
    }


def test_a_renuncio_is_counted_only_if_its_seat_is_known() -> None:
    assert feats(4, ResultEntered("A", "renuncio")) == {}
    assert feats(2, ResultEntered("A", "renuncio")) == {"B1": SeatTally(renuncios=1)}


def test_nothing_counts_of_a_partida_that_is_not_decided() -> None:
    assert feats(4) == {}


def test_who_replaces_somebody_has_what_is_won_from_then_on() -> None:
    opened = EncuentroOpened(freeze_profile(profile("club"), 4), date="2026-11-21", held_in="s")
    events: list[EncuentroEvent] = [opened, PlayersSeated(FOUR)]
    for number, winner in enumerate("AAB", start=1):
        events += [PartidaStarted(number), OutcomeFollowed(number, winner, "concession", {})]
        if number == 2:
            events.append(PlayerSubstituted("A1", "e"))
    rows = {
        row.person: row
        for row in player_results("x", encuentro.fold(events), {3: {"A1": SeatTally(1)}})
    }
    assert {person: (row.partidas, row.partidas_lost) for person, row in rows.items()} == {
        "a": (2, 0),
        "b": (1, 2),
        "c": (2, 1),
        "d": (1, 2),
        "e": (0, 1),
    }
    assert {person for person, row in rows.items() if row.twenties} == {"e"}
    assert encuentro.decide(Note(PlayerSubstituted("A1", "f")), encuentro.fold(events))
