"""Views of tournaments for tests: played by the rules of the engine, in the shape of the service."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.tournament.field import snake
from referee.tournament.groups import round_robin
from referee.tournament.history import Entrant, History, Met
from referee.tournament.knock_out import KnockOut, Tie, champion, ties_of
from referee.tournament.standings import USUAL, Row, standings
from referee.tournament.swiss import next_round

View = dict[str, Any]
FIRST = (
    "Ana Luis Carmen José Pilar Antonio Marta Javier Rosa Jesús Elena Ángel Teresa Miguel".split()
)
LAST = "Ruiz Gil Lahoz Sanz Royo Blasco Marín Íñiguez Serrano Gracia Artigas Lacruz Bernal".split()
TOURNAMENT = "6f1de7a0-0000-4000-8000-000000000001"
FIRST_TABLE = 1


def numbers(pairs: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, pairs + 1))


def name(seed: int) -> str:
    return f"{FIRST[seed % len(FIRST)]} {LAST[seed * 7 % len(LAST)]}"


def _pairs(pairs: int) -> list[View]:
    return [
        {"pair": pair, "players": [name(n), name(n + pairs)], "strength": 0, "since": 1, "until": 0}
        for n, pair in enumerate(numbers(pairs), 1)
    ]


def _frame(pairs: int, **plan: Any) -> View:
    usual = {
        "format": "swiss",
        "consolation": False,
        "third_place": False,
        "groups": 0,
        "qualify": 0,
        "rounds": 0,
        "criteria": list(USUAL),
        "minutes": 60,
        "tables": pairs // 2,
    }
    return {
        "id": TOURNAMENT,
        "name": "Torneo del Pilar",
        "place": "Casino de Calatayud",
        "date": "2026-10-12",
        "stage": "running",
        "plan": {**usual, **plan},
        "version": 7,
        "pairs": _pairs(pairs),
        "draw": None,
        "rounds": [],
        "groups": [],
        "standings": [],
        "bracket": [],
        "pending": [],
        "champion": None,
    }


def _rows(rows: Sequence[Row]) -> list[View]:
    return [
        {
            "place": row.place,
            "pair": row.pair,
            "points": sum(item.points for item in row.points),
            "by": row.by,
            "items": [{"criterion": one.criterion, "value": one.value} for one in row.items],
            "rounds": [
                {"round": p.round, "reason": p.reason, "points": p.points, "opponent": p.opponent}
                for p in row.points
            ],
        }
        for row in rows
    ]


def _meeting(
    at: str, of: int, phase: str, pairs: Sequence[str], table: int, met: Met | None
) -> View:
    return {
        "id": at,
        "round": of,
        "phase": phase,
        "pairs": list(pairs),
        "table": table,
        "called": met is None and table <= 3,
        "encuentro": "",
        "stage": "open" if met is None else "told",
        "winner": None if met is None else met.winner,
        "cotos": [0, 0] if met is None else list(met.cotos),
        "partidas": [0, 0] if met is None else list(met.partidas),
        "is_walkover": met is not None and met.is_walkover,
    }


def _met(chance: random.Random, number: int, pairs: tuple[str, str]) -> Met:
    lost = chance.randrange(2)
    winner = chance.randrange(2)
    cotos = (2, lost) if winner == 0 else (lost, 2)
    partidas = (cotos[0] * 3 + chance.randrange(2), cotos[1] * 3 + chance.randrange(2))
    return Met(number, pairs, pairs[winner], cotos, partidas, chance.randrange(40) == 0)


def swiss(pairs: int, done: int, *, of: int = 5, seed: int = 1) -> View:
    """A Swiss tournament: so many rounds done, and the next one drawn unless it was the last."""
    chance = random.Random(seed)
    view = _frame(pairs, format="swiss", rounds=of)
    history = History(tuple(Entrant(pair) for pair in numbers(pairs)))
    for number in range(1, min(done + 1, of) + 1):
        drawn = next_round(history)
        is_done = number <= done
        met = [_met(chance, number, two) for two in drawn.pairings] if is_done else []
        history = replace(history, rounds=(*history.rounds, drawn), met=(*history.met, *met))
        meetings = [
            _meeting(f"{number}-{at}", number, "swiss", two, at, met[at - 1] if is_done else None)
            for at, two in enumerate(drawn.pairings, FIRST_TABLE)
        ]
        view["rounds"].append(_round(number, "swiss", drawn.bye, meetings, is_done))
    view["standings"] = _rows(standings(history, USUAL, "una semilla publicada"))
    if done == of:
        view |= {"stage": "over", "champion": view["standings"][0]["pair"]}
    return view


def _round(number: int, phase: str, bye: str, meetings: list[View], is_done: bool) -> View:
    clock = {"started": "2026-10-12T17:00:00+00:00", "minutes": 60, "stopped": None}
    return {
        "number": number,
        "phase": phase,
        "bye": bye,
        "clock": None if is_done else clock,
        "meetings": meetings,
    }


def knock_out(pairs: int, done: int, *, consolation: bool = False, third: bool = False) -> View:
    """A knock-out of which so many rounds are done."""
    chance = random.Random(pairs)
    view = _frame(pairs, format="knock_out", consolation=consolation, third_place=third)
    _play_bracket(view, KnockOut(numbers(pairs), consolation, third), done, chance)
    return view


def _play_bracket(view: View, form: KnockOut, done: int, chance: random.Random) -> None:
    results: dict[Any, Met] = {}
    ties = ties_of(form, {})
    for _ in range(done):
        for tie in [tie for tie in ties if tie.is_to_play]:
            results[tie.id] = _met(chance, tie.id[1], (str(tie.pairs[0]), str(tie.pairs[1])))
        ties = ties_of(form, {at: met.winner for at, met in results.items()})
    view["bracket"] = [_tie(tie) for tie in ties]
    for number in range(1, max(tie.id[1] for tie in ties) + 1):
        meetings = list(_meetings(ties, number, results))
        if meetings:
            is_done = all(one["winner"] is not None for one in meetings)
            view["rounds"].append(_round(number, "knock_out", "", meetings, is_done))
    view["champion"] = champion(ties)
    view["stage"] = "over" if view["champion"] else "running"


def _meetings(ties: Sequence[Tie], number: int, results: Mapping[Any, Met]) -> Iterator[View]:
    ready = [tie for tie in ties if tie.id[1] == number and all(tie.pairs)]
    for table, tie in enumerate(ready, FIRST_TABLE):
        two = [str(pair) for pair in tie.pairs]
        yield _meeting(_id(tie), number, "knock_out", two, table, results.get(tie.id))


def _id(tie: Tie) -> str:
    return "-".join(map(str, tie.id))


def _tie(tie: Tie) -> View:
    bracket, number, place = tie.id
    return {
        "bracket": bracket,
        "round": number,
        "place": place,
        "meeting": _id(tie),
        "pairs": list(tie.pairs),
        "winner": tie.winner,
    }


def groups(pairs: int, number: int, *, done: int, seed: int = 1) -> View:
    """Groups of which so many rounds are done."""
    chance = random.Random(seed)
    view = _frame(pairs, format="groups", groups=number, qualify=2)
    drawn = snake(numbers(pairs), number)
    rounds = [round_robin(group) for group in drawn]
    for at in range(max(map(len, rounds))):
        meetings: list[View] = []
        for group, its_rounds in enumerate(rounds, 1):
            for two in its_rounds[at].pairings if at < len(its_rounds) else ():
                met = _met(chance, at + 1, two) if at < done else None
                where = f"{group}-{at + 1}-{two[0]}"
                table = len(meetings) + FIRST_TABLE
                meetings.append(_meeting(where, at + 1, "groups", two, table, met))
        view["rounds"].append(_round(at + 1, "groups", "", meetings, at < done))
    for group, (its_pairs, its_rounds) in enumerate(zip(drawn, rounds, strict=True), 1):
        history = History(
            tuple(Entrant(pair) for pair in its_pairs),
            its_rounds[:done],
            tuple(_told(view, its_pairs)),
        )
        rows = _rows(standings(history, USUAL, "una semilla publicada"))
        view["groups"].append({"number": group, "pairs": list(its_pairs), "standings": rows})
    return view


def _told(view: View, pairs: Sequence[str]) -> Iterator[Met]:
    for one in view["rounds"]:
        for met in one["meetings"]:
            if met["winner"] is not None and met["pairs"][0] in pairs:
                yield Met(
                    one["number"],
                    tuple(met["pairs"]),
                    met["winner"],
                    tuple(met["cotos"]),
                    tuple(met["partidas"]),
                )
