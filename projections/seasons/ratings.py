"""Ratings after each day of play, and their recomputation when a result of that day changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from projections.seasons.glicko import (
    RatedId,
    RatedSide,
    Rating,
    after_idle,
    pair_of,
    pairs_after,
    players_after,
)
from projections.seasons.pairs import players_of_sides
from projections.seasons.results import LEVEL, LOST, WON

SidesPlayed: TypeAlias = dict[str, list[tuple[str, str]]]
"""Persons of each side of an encuentro, with its outcome."""
RatedKind: TypeAlias = Literal["player", "pair"]
TABLE: Final = (
    "CREATE TABLE rating (kind TEXT, who TEXT, day TEXT, rating REAL, deviation REAL,"
    " volatility REAL, PRIMARY KEY (kind, who, day)) WITHOUT ROWID"
)
DAYS: Final = "CREATE TABLE rated_day (day TEXT PRIMARY KEY) WITHOUT ROWID"
INDEX: Final = "CREATE INDEX rating_on ON rating (day)"
_SCORES: Final = {WON: 1.0, LEVEL: 0.5, LOST: 0.0}


class Rated(NamedTuple):
    """A rating after a day."""

    day: str
    rating: Rating


def rerate(cursor: sqlite3.Cursor, since: str, kept: Mapping[str, str]) -> None:
    """Rewrite the ratings of a day and of every day after it. ``kept``: ids of merged persons."""
    cursor.execute("DELETE FROM rating WHERE day >= ?", (since,))
    cursor.execute("DELETE FROM rated_day WHERE day >= ?", (since,))
    cursor.execute(
        "SELECT day, encuentro, side, person, outcome FROM held"
        " WHERE day >= ? AND day != '' AND outcome != '' ORDER BY day, encuentro, side, person",
        (since,),
    )
    played: dict[str, dict[str, SidesPlayed]] = {}
    for day, encuentro, side, person, outcome in cursor:
        sides = played.setdefault(day, {}).setdefault(encuentro, {})
        sides.setdefault(side, []).append((kept.get(person, person), outcome))
    known: dict[tuple[RatedKind, RatedId], Rated] = {}
    fixed = players_of_sides(cursor, since)
    for day, encuentros in played.items():
        rows = [found for sides in encuentros.values() if (found := _sides(sides))]
        _rate_day(cursor, "player", day, rows, known)
        named = [_of_pairs(one, sides, fixed) for one, sides in encuentros.items()]
        _rate_day(cursor, "pair", day, [one for one in map(_sides, named) if one], known)
        cursor.execute("INSERT INTO rated_day VALUES (?)", (day,))


def _of_pairs(
    encuentro: str, sides: SidesPlayed, fixed: Mapping[tuple[str, str], tuple[str, str]]
) -> SidesPlayed:
    """Sides of an encuentro; where fixed pairs play, their players, whoever sat there."""
    return {
        side: [(one, those[0][1]) for one in fixed[encuentro, side]]
        if (encuentro, side) in fixed
        else those
        for side, those in sides.items()
    }


def _sides(sides: SidesPlayed) -> list[RatedSide]:
    """Sides of an encuentro; empty if a person would be on both sides."""
    found = [
        RatedSide(tuple(sorted(one for one, _ in those)), _SCORES[those[0][1]])
        for those in sides.values()
    ]
    persons = [one for side in found for one in side.persons]
    return found if len(found) > 1 and len(set(persons)) == len(persons) else []


def _rate_day(
    cursor: sqlite3.Cursor,
    kind: RatedKind,
    day: str,
    played: Sequence[Sequence[RatedSide]],
    known: dict[tuple[RatedKind, RatedId], Rated],
) -> None:
    """Rate everybody who played on a day; those before it are rated. ``known``: latest ratings."""
    persons = {side.persons for sides in played for side in sides}
    names = {one for side in persons for one in side}
    if kind == "pair":
        names = {pair_of(side) for side in persons}
    before: dict[RatedId, Rating] = {}
    for who in names:
        last = known.get((kind, who)) or _last(cursor, kind, who)
        before[who] = Rating() if last is None else _since(cursor, last)
    after = players_after if kind == "player" else pairs_after
    now = sorted(after(played, before).items())
    cursor.executemany(
        "INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)",
        [(kind, who, day, *rating) for who, rating in now],
    )
    known.update({(kind, who): Rated(day, rating) for who, rating in now})


def _since(cursor: sqlite3.Cursor, last: Rated) -> Rating:
    """A rating after the days of play that came after it."""
    cursor.execute("SELECT count(*) FROM rated_day WHERE day > ?", (last.day,))
    (idle,) = cursor.fetchone()
    return after_idle(last.rating, idle)


def _last(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId) -> Rated | None:
    history = history_of(cursor, kind, who, 1)
    return history[-1] if history else None


# --- questions -----------------------------------------------------------------------------------


def history_of(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId, last: int) -> list[Rated]:
    """The last ratings of a player or pair, the oldest first."""
    cursor.execute(
        "SELECT day, rating, deviation, volatility FROM rating WHERE kind = ? AND who = ?"
        " ORDER BY day DESC LIMIT ?",
        (kind, who, last),
    )
    return [Rated(day, Rating(*rating)) for day, *rating in cursor][::-1]


def rating_now(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId) -> Rating | None:
    """Rating of a player or pair after the last day of play; None if they never played."""
    last = _last(cursor, kind, who)
    return None if last is None else _since(cursor, last)
