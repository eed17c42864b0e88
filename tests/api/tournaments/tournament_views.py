"""Views of tournaments for tests, from the decider through the read side, with names."""

from __future__ import annotations

import random

import msgspec

from api.tournaments.views import LinkedTournamentData
from referee.events.tournament import (
    ClockStarted,
    PhaseBegun,
    RoundDrawn,
    TableCalled,
    TablesAssigned,
    TournamentPlan,
)
from tests.support.records.tournament_play import ID, Play

FIRST = (
    "Ana Luis Carmen José Pilar Antonio Marta Javier Rosa Jesús Elena Ángel Teresa Miguel".split()
)
LAST = "Ruiz Gil Lahoz Sanz Royo Blasco Marín Íñiguez Serrano Gracia Artigas Lacruz Bernal".split()
STARTED = "2026-10-12T17:00:00+00:00"
CALLED = 3
_PLAN = {"minutes": 60, "tables": 16}


def name(person: str) -> str:
    """A name for a person whose id is the number of their pair and a letter."""
    seed = int(person[:-1]) * 2 + (person[-1] == "b")
    return f"{FIRST[seed % len(FIRST)]} {LAST[seed * 7 % len(LAST)]}"


def public_view(play: Play) -> LinkedTournamentData:
    """The public view of a tournament."""
    view = play.view()
    pairs = [
        {**one, "players": [name(who) for who in one["players"]], "name": ""}
        for one in view["pairs"]
    ]
    draw = view["draw"] and {**view["draw"], "file": f"/api/v1/tournaments/{ID}/draw"}
    titled = {"name": "Torneo del Pilar", "place": "Casino de Calatayud", "date": "2026-10-12"}
    return msgspec.convert({**view, **titled, "pairs": pairs, "draw": draw}, LinkedTournamentData)


def _play_open(play: Play, chance: random.Random) -> None:
    for one in play.open():
        won, lost = chance.randrange(2), chance.randrange(2)
        cotos = (lost, 2) if won else (2, lost)
        partidas = (cotos[0] * 3 + chance.randrange(2), cotos[1] * 3 + chance.randrange(2))
        is_walkover = chance.randrange(40) == 0
        play.win(one.id, one.pairs[won], cotos=cotos, partidas=partidas, is_walkover=is_walkover)


def _sit(play: Play) -> None:
    """The open cruces get tables; a few are called, and the clock runs."""
    waiting = play.open()
    if not waiting:
        return
    _seat(play)
    for one in waiting[:CALLED]:
        play.do(TableCalled(one.id))
    play.do(ClockStarted(min(one.round for one in waiting), 60, STARTED))


def _seat(play: Play) -> None:
    """As many of the open cruces get a table as there are tables."""
    places = enumerate(play.open()[: play.state.plan.tables], 1)
    play.do(TablesAssigned(tuple((one.id, number) for number, one in places)))


def _begun(plan: TournamentPlan, pairs: int) -> Play:
    play = Play(plan, pairs)
    play.draw()
    return play


def _rounds(plan: TournamentPlan, pairs: int, done: int, of: int) -> Play:
    chance = random.Random(pairs)
    play = _begun(plan, pairs)
    for _ in range(done):
        play.do(RoundDrawn(0))
        _seat(play)
        _play_open(play, chance)
    if done < of:
        play.do(RoundDrawn(0))
    return play


def _shown(play: Play) -> LinkedTournamentData:
    _sit(play)
    return public_view(play)


def swiss(pairs: int, done: int, *, of: int = 5) -> LinkedTournamentData:
    """A Swiss tournament: so many rounds done, and the next one drawn unless it was the last."""
    return _shown(_rounds(TournamentPlan("swiss", rounds=of, **_PLAN), pairs, done, of))


def groups(pairs: int, number: int, *, done: int, then: int | None = None) -> LinkedTournamentData:
    """Groups of which so many rounds are done; ``then``: rounds of the knock-out that are."""
    of = pairs // number - 1 + pairs // number % 2
    plan = TournamentPlan("groups", groups=number, qualify=2, has_third_place=True, **_PLAN)
    play = _rounds(plan, pairs, done, of)
    if then is not None:
        play.do(PhaseBegun())
        for _ in range(then):
            _play_open(play, random.Random(then))
    return _shown(play)


def knock_out(
    pairs: int, done: int, *, consolation: bool = False, third: bool = False
) -> LinkedTournamentData:
    """A knock-out of which so many rounds are done."""
    plan = TournamentPlan("knock_out", has_consolation=consolation, has_third_place=third, **_PLAN)
    play = _begun(plan, pairs)
    for _ in range(done):
        _play_open(play, random.Random(pairs))
    return _shown(play)
