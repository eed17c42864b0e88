"""Ratings after each day of play; when a result changes they are computed again from its day on."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from projections.players import player_merges
from projections.ratings.glicko import (
    RatedId,
    RatedSide,
    Rating,
    id_of_pair,
    pair_ratings_after,
    player_ratings_after,
    rating_after_idle_periods,
)
from projections.runner.projection import FoldedBatch, Projection, replace_rows
from projections.seasons.pairs import pair_by_encuentro_side
from projections.seasons.results import LEVEL, LOST, WON, side_and_outcome_by_player
from referee.aggregates.encuentro import Encuentro
from referee.events import PlayersMerged

RatedKind: TypeAlias = Literal["player", "pair"]


class Rated(NamedTuple):
    """A rating after a day of play."""

    day: str
    rating: Rating


def rating_with_idle_days_counted(cursor: sqlite3.Cursor, last: Rated) -> Rating:
    """Rating with its deviation grown for the days of play since it was computed."""
    cursor.execute("SELECT count(*) FROM rated_day WHERE day > ?", (last.day,))
    (idle,) = cursor.fetchone()
    return rating_after_idle_periods(last.rating, idle)


def last_rating(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId) -> Rated | None:
    """The latest rating of a player or pair; None if they never played."""
    history = rating_history_of(cursor, kind, who, 1)
    return history[-1] if history else None


def rating_history_of(
    cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId, last: int
) -> list[Rated]:
    """The last ratings of a player or pair, the oldest first."""
    cursor.execute(
        "SELECT day, rating, deviation, volatility FROM rating WHERE kind = ? AND who = ?"
        " ORDER BY day DESC LIMIT ?",
        (kind, who, last),
    )
    return [Rated(day, Rating(*rating)) for day, *rating in cursor][::-1]


def rating_now(cursor: sqlite3.Cursor, kind: RatedKind, who: RatedId) -> Rating | None:
    """Present rating of a player or pair, after the last day of play; None if they never played."""
    last = last_rating(cursor, kind, who)
    return None if last is None else rating_with_idle_days_counted(cursor, last)


SidesPlayed: TypeAlias = dict[str, list[tuple[str, str]]]
"""Persons of each side of an encuentro, with its outcome."""
_DAY: Final = 2
"""Place of the day in a row of ``rated_result``."""
_SCORES: Final = {WON: 1.0, LEVEL: 0.5, LOST: 0.0}


class RatingsProjection(Projection):
    """A row for each player and pair after each day on which they played.

    It reads the rows of players and of pairs that play, which are written before.
    ``rated_result``: how encuentros ended, from which the ratings are worked out.
    """

    name = "ratings"
    version = 2
    tables: Mapping[str, str] = {
        "rating": "CREATE TABLE rating (kind TEXT, who TEXT, day TEXT, rating REAL,"
        " deviation REAL, volatility REAL, PRIMARY KEY (kind, who, day)) WITHOUT ROWID",
        "rated_day": "CREATE TABLE rated_day (day TEXT PRIMARY KEY) WITHOUT ROWID",
        "rated_result": "CREATE TABLE rated_result (encuentro TEXT, person TEXT, day TEXT,"
        " side TEXT, outcome TEXT, PRIMARY KEY (encuentro, person)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX rating_on ON rating (day)",
        "CREATE INDEX rated_result_on ON rated_result (day, encuentro)",
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Rate again from the first day on which a result changed; all days after a merge."""
        changed = [_write_results(cursor, *one) for one in batch.states_of_kind(Encuentro)]
        dated = [day for days in changed for day in days if day]
        is_merged = any(type(one.recorded.event) is PlayersMerged for one in batch.events)
        if dated or is_merged:
            rerate(cursor, "" if is_merged else min(dated), player_merges(cursor))


def _write_results(cursor: sqlite3.Cursor, encuentro: str, state: Encuentro) -> set[str]:
    """Rewrite the results of an encuentro; returns its days before and now, if a result changed."""
    assert state.opened is not None
    day = state.opened.date
    rows = [
        (encuentro, person, day, side, outcome)
        for person, (side, outcome) in sorted(side_and_outcome_by_player(state).items())
    ]
    cursor.execute("SELECT * FROM rated_result WHERE encuentro = ? ORDER BY person", (encuentro,))
    before = cursor.fetchall()
    if before == rows:
        return set()
    replace_rows(cursor, "rated_result", "encuentro", {encuentro: rows})
    return {day, *(row[_DAY] for row in before)}


def rerate(cursor: sqlite3.Cursor, since: str, kept: Mapping[str, str]) -> None:
    """Rewrite the ratings of a day and of every day after it. ``kept``: ids of merged persons."""
    cursor.execute("DELETE FROM rating WHERE day >= ?", (since,))
    cursor.execute("DELETE FROM rated_day WHERE day >= ?", (since,))
    cursor.execute(
        "SELECT day, encuentro, side, person, outcome FROM rated_result"
        " WHERE day >= ? AND day != '' ORDER BY day, encuentro, side, person",
        (since,),
    )
    played: dict[str, dict[str, SidesPlayed]] = {}
    for day, encuentro, side, person, outcome in cursor:
        sides = played.setdefault(day, {}).setdefault(encuentro, {})
        sides.setdefault(side, []).append((kept.get(person, person), outcome))
    known: dict[tuple[RatedKind, RatedId], Rated] = {}
    fixed = pair_by_encuentro_side(cursor, since)
    for day, encuentros in played.items():
        rows = [found for sides in encuentros.values() if (found := _sides_to_rate(sides))]
        _rate_day(cursor, "player", day, rows, known)
        named = [_sides_as_fixed_pairs(one, sides, fixed) for one, sides in encuentros.items()]
        _rate_day(cursor, "pair", day, [one for one in map(_sides_to_rate, named) if one], known)
        cursor.execute("INSERT INTO rated_day VALUES (?)", (day,))


def _sides_as_fixed_pairs(
    encuentro: str, sides: SidesPlayed, fixed: Mapping[tuple[str, str], tuple[str, str]]
) -> SidesPlayed:
    """Sides of an encuentro with the players of fixed pairs in place of those who sat there."""
    return {
        side: [(one, those[0][1]) for one in fixed[encuentro, side]]
        if (encuentro, side) in fixed
        else those
        for side, those in sides.items()
    }


def _sides_to_rate(sides: SidesPlayed) -> list[RatedSide]:
    """Sides of an encuentro to be rated; empty if a person is on both sides."""
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
    """Rate everybody who played on a day. ``known``: latest rating of each, which is updated."""
    persons = {side.persons for sides in played for side in sides}
    names = {one for side in persons for one in side}
    if kind == "pair":
        names = {id_of_pair(side) for side in persons}
    before: dict[RatedId, Rating] = {}
    for who in names:
        last = known.get((kind, who)) or last_rating(cursor, kind, who)
        before[who] = Rating() if last is None else rating_with_idle_days_counted(cursor, last)
    after = player_ratings_after if kind == "player" else pair_ratings_after
    now = sorted(after(played, before).items())
    cursor.executemany(
        "INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)",
        [(kind, who, day, *rating) for who, rating in now],
    )
    known.update({(kind, who): Rated(day, rating) for who, rating in now})
