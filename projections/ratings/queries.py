"""Ratings of players and pairs, by day."""

from __future__ import annotations

import sqlite3
from typing import Literal, NamedTuple, TypeAlias

from projections.ratings.glicko import (
    RatedId,
    Rating,
    after_idle,
)

RatedKind: TypeAlias = Literal["player", "pair"]


class Rated(NamedTuple):
    """A rating after a day."""

    day: str
    rating: Rating


def rating_since(cursor: sqlite3.Cursor, last: Rated) -> Rating:
    """A rating after the days of play that came after it."""
    cursor.execute("SELECT count(*) FROM rated_day WHERE day > ?", (last.day,))
    (idle,) = cursor.fetchone()
    return after_idle(last.rating, idle)


def last_rating(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId) -> Rated | None:
    """The latest rating of a player or pair; None if they never played."""
    history = history_of(cursor, kind, who, 1)
    return history[-1] if history else None


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
    last = last_rating(cursor, kind, who)
    return None if last is None else rating_since(cursor, last)
