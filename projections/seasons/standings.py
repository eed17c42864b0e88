"""Standings of a season or an evening: points with their reasons, counted from rows of results."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from projections.seasons.results import LEVEL, LOST, OPEN, WON, PlayerResult, SeatTally
from referee.events import Competitors, SeasonScoring

PointsReason: TypeAlias = Literal[
    "encuentro_won", "encuentro_level", "encuentro_lost", "coto_won", "partida_won", "attendance"
]


class Tally(NamedTuple):
    """Counts of a player or pair: encuentros, partidas, cotos, evenings.

    ``played``: encuentros with a result that counts; ``attended``: sessions.
    """

    played: int = 0
    won: int = 0
    level: int = 0
    lost: int = 0
    cotos: int = 0
    cotos_lost: int = 0
    partidas: int = 0
    partidas_lost: int = 0
    twenties: int = 0
    forties: int = 0
    tutes: int = 0
    renuncios: int = 0
    attended: int = 0


class SeasonItem(NamedTuple):
    """Points with their reason: a count, and points for each."""

    reason: PointsReason
    times: int
    each: int

    @property
    def points(self) -> int:
        """Points of the item: its count times the points for each."""
        return self.times * self.each


class SeasonStanding(NamedTuple):
    """A row of the standings of a season. Players equal in every criterion share a place."""

    place: int
    person: str
    points: int
    items: tuple[SeasonItem, ...]
    tally: Tally


_SUMS: Final = (
    "sum(outcome <> ''), sum(outcome = 'won'), sum(outcome = 'level'), sum(outcome = 'lost'),"
    " sum(cotos), sum(cotos_lost), sum(partidas), sum(partidas_lost),"
    " sum(twenties), sum(forties), sum(tutes), sum(renuncios), 0"
)
_ROWS: Final[dict[Competitors, tuple[str, str]]] = {
    "persons": ("held", "attended"),
    "pairs": ("held_pair", "attended_pair"),
}
"""Tables of results and of who attended."""
_OF: Final = {
    "season": "held_in IN (SELECT id FROM session WHERE season = ?)",
    "session": "held_in = ?",
}
_AT: Final = {
    "season": "session IN (SELECT id FROM session WHERE season = ?)",
    "session": "session = ?",
}
Span: TypeAlias = Literal["season", "session"]


def points_items_of_tally(tally: Tally, scoring: SeasonScoring) -> tuple[SeasonItem, ...]:
    """Items of a player's points; items without points are left out."""
    every = (
        SeasonItem("encuentro_won", tally.won, scoring.encuentro_won),
        SeasonItem("encuentro_level", tally.level, scoring.encuentro_level),
        SeasonItem("encuentro_lost", tally.lost, scoring.encuentro_lost),
        SeasonItem("coto_won", tally.cotos, scoring.coto_won),
        SeasonItem("partida_won", tally.partidas, scoring.partida_won),
        SeasonItem("attendance", tally.attended, scoring.attendance),
    )
    return tuple(item for item in every if item.points)


def standings_of_tallies(
    tallies: Mapping[str, Tally], scoring: SeasonScoring
) -> list[SeasonStanding]:
    """Standings sorted by points, encuentros won, difference of cotos, difference of partidas."""
    counted = []
    for person, tally in tallies.items():
        items = points_items_of_tally(tally, scoring)
        points = sum(item.points for item in items)
        lost = (tally.cotos_lost - tally.cotos, tally.partidas_lost - tally.partidas)
        counted.append(((-points, -tally.won, *lost), person, items, points))
    rows: list[SeasonStanding] = []
    before: tuple[int, ...] = ()
    for number, (rank, person, items, points) in enumerate(sorted(counted), start=1):
        place = rows[-1].place if rank == before else number
        rows.append(SeasonStanding(place, person, points, items, tallies[person]))
        before = rank
    return rows


def sum_of_two_tallies(one: Tally, other: Tally) -> Tally:
    """Sum of two tallies."""
    return Tally(*(mine + more for mine, more in zip(one, other, strict=True)))


def tally_of_result(row: PlayerResult, sign: int = 1) -> Tally:
    """Tally of one row of results; with sign -1 negative, to be subtracted."""
    counts = Tally(
        played=int(row.outcome != OPEN),
        won=int(row.outcome == WON),
        level=int(row.outcome == LEVEL),
        lost=int(row.outcome == LOST),
        cotos=row.cotos,
        cotos_lost=row.cotos_lost,
        partidas=row.partidas,
        partidas_lost=row.partidas_lost,
        twenties=row.twenties,
        forties=row.forties,
        tutes=row.tutes,
        renuncios=row.renuncios,
    )
    return Tally(*(sign * count for count in counts))


def tally_by_competitor(
    cursor: sqlite3.Cursor,
    span: Span,
    of: str,
    kept: Mapping[str, str],
    competitors: Competitors = "persons",
) -> dict[str, Tally]:
    """Tally of every player or pair in a season or a session, by the id after all merges."""
    held, attended = _ROWS[competitors]
    found: dict[str, Tally] = {}
    asked = f"SELECT person, {_SUMS} FROM {held} WHERE {_OF[span]} GROUP BY person"  # noqa: S608 - literals of ours
    for person, *sums in cursor.execute(asked, (of,)):
        one = kept.get(person, person)
        found[one] = sum_of_two_tallies(found.get(one, Tally()), Tally(*sums))
    for person, times in _attendance_counts(cursor, attended, _AT[span], of, kept).items():
        found[person] = sum_of_two_tallies(found.get(person, Tally()), Tally(attended=times))
    return found


def tally_by_session_and_competitor(
    cursor: sqlite3.Cursor, season: str, kept: Mapping[str, str], competitors: Competitors
) -> dict[str, dict[str, Tally]]:
    """Tally of every player or pair in each session of a season, by the ids of both."""
    held, attended = _ROWS[competitors]
    found: dict[str, dict[str, Tally]] = {}
    results = f"SELECT held_in, person, {_SUMS} FROM {held} WHERE {_OF['season']} GROUP BY 1, 2"  # noqa: S608 - literals of ours
    for session, person, *sums in cursor.execute(results, (season,)):
        its, one = found.setdefault(session, {}), kept.get(person, person)
        its[one] = sum_of_two_tallies(its.get(one, Tally()), Tally(*sums))
    there = f"SELECT session, person FROM {attended} WHERE {_AT['season']}"  # noqa: S608 - literals of ours
    for session, person in cursor.execute(there, (season,)):
        its, one = found.setdefault(session, {}), kept.get(person, person)
        its[one] = its.get(one, Tally())._replace(attended=1)
    return found


def _attendance_counts(
    cursor: sqlite3.Cursor, table: str, where: str, of: str, kept: Mapping[str, str]
) -> Mapping[str, int]:
    """Number of evenings that each attended; merged ids count as one."""
    if kept:
        rows = f"SELECT session, person FROM {table} WHERE {where}"  # noqa: S608 - literals of ours
        there = {(at, kept.get(who, who)) for at, who in cursor.execute(rows, (of,))}
        return Counter(who for _, who in there)
    sums = f"SELECT person, count(*) FROM {table} WHERE {where} GROUP BY person"  # noqa: S608 - literals of ours
    return dict(cursor.execute(sums, (of,)).fetchall())


def tallies_with_replaced_results(
    found: Mapping[str, Tally],
    gone: Iterable[PlayerResult],
    new: Iterable[PlayerResult],
    kept: Mapping[str, str],
) -> dict[str, Tally]:
    """Tallies after some rows of results were replaced by others. ``gone``: rows removed.

    ``new``: Rows added.
    """
    changed = dict(found)
    for rows, sign in ((gone, -1), (new, 1)):
        for row in rows:
            person = kept.get(row.person, row.person)
            changed[person] = sum_of_two_tallies(
                changed.get(person, Tally()), tally_of_result(row, sign)
            )
    return {person: tally for person, tally in changed.items() if any(tally)}


# --- one player ----------------------------------------------------------------------------------


class PlayedEncuentro(NamedTuple):
    """An encuentro of a player: day, their side, outcome, partners, opponents."""

    encuentro: str
    day: str
    side: str
    outcome: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]


class HeadToHead(NamedTuple):
    """Results of a player with a partner or against an opponent."""

    person: str
    won: int
    level: int
    lost: int


class Streak(NamedTuple):
    """Encuentros in a row with the same outcome."""

    outcome: str
    length: int


def encuentros_of_player(
    cursor: sqlite3.Cursor,
    season: str | None,
    persons: Sequence[str],
    kept: Mapping[str, str],
    competitors: Competitors = "persons",
) -> list[PlayedEncuentro]:
    """Encuentros of a season that a person or a pair played to the end, in their order.

    ``season``: None for those of all, and those of none; ``persons``: every id of the player or
    the pair.
    """
    held, _ = _ROWS[competitors]
    # CROSS: the few rows of the player first; SQLite would begin with all rows of the season
    of_season, seasons = ("", ()) if season is None else (f" AND mine.{_OF['season']}", (season,))
    cursor.execute(
        "SELECT mine.encuentro, mine.day, mine.side, mine.outcome,"  # noqa: S608 - literals of ours
        f" other.person, other.side = mine.side FROM {held} mine"
        " CROSS JOIN encuentro ON encuentro.id = mine.encuentro"
        f" CROSS JOIN {held} other ON other.held_in = mine.held_in"
        " AND other.encuentro = mine.encuentro"
        " AND other.person != mine.person AND other.outcome != ''"
        f" WHERE mine.person IN (SELECT value FROM json_each(?)){of_season}"
        " AND mine.outcome != '' ORDER BY mine.day, encuentro.opened, other.person",
        (json.dumps(persons), *seasons),
    )
    found: dict[str, PlayedEncuentro] = {}
    for encuentro, day, side, outcome, other, is_partner in cursor:
        one = found.get(encuentro) or PlayedEncuentro(encuentro, day, side, outcome, (), ())
        who = kept.get(other, other)
        if is_partner:
            found[encuentro] = one._replace(partners=(*one.partners, who))
        else:
            found[encuentro] = one._replace(opponents=(*one.opponents, who))
    return list(found.values())


def outcome_counts_of_opponents(
    cursor: sqlite3.Cursor, season: str, kept: Mapping[str, str], competitors: Competitors
) -> dict[tuple[str, str], Counter[str]]:
    """Outcomes of each player or pair against each other one in a season, by both ids.

    Where three play, only who won and who lost to them met.
    """
    held, _ = _ROWS[competitors]
    cursor.execute(
        f"SELECT mine.person, other.person, mine.outcome FROM {held} mine JOIN {held} other"  # noqa: S608 - literals of ours
        " ON other.held_in = mine.held_in AND other.encuentro = mine.encuentro"
        " AND other.side != mine.side WHERE (mine.outcome, other.outcome) IN"
        f" (VALUES ('won', 'lost'), ('lost', 'won'), ('level', 'level')) AND mine.{_OF['season']}",
        (season,),
    )
    found: dict[tuple[str, str], Counter[str]] = {}
    for one, other, outcome in cursor:
        both = kept.get(one, one), kept.get(other, other)
        found.setdefault(both, Counter())[outcome] += 1
    return found


def cante_and_renuncio_counts(cursor: sqlite3.Cursor, persons: Sequence[str]) -> SeatTally:
    """Cantes and resolved renuncios of a player in all encuentros, under all their ids."""
    cursor.execute(
        "SELECT sum(twenties), sum(forties), sum(tutes), sum(renuncios) FROM held"
        " WHERE person IN (SELECT value FROM json_each(?))",
        (json.dumps(persons),),
    )
    return SeatTally(*(count or 0 for count in cursor.fetchone()))


def season_ids_of_person(cursor: sqlite3.Cursor, persons: Sequence[str]) -> set[str]:
    """Seasons in which a person played or attended an evening, under any of their ids."""
    whom = "(SELECT value FROM json_each(?))"
    cursor.execute(
        "SELECT season FROM session JOIN held ON held.held_in = session.id"  # noqa: S608 - literals of ours
        f" WHERE person IN {whom} UNION SELECT season FROM session"
        f" JOIN attended ON attended.session = session.id WHERE person IN {whom}",
        (json.dumps(persons),) * 2,
    )
    return {season for (season,) in cursor if season}


def head_to_head_records(met: Iterable[tuple[tuple[str, ...], str]]) -> list[HeadToHead]:
    """Balance of a player with or against each other player, the most frequent first.

    ``met``: the persons of each encuentro, and its outcome.
    """
    counts: dict[str, Counter[str]] = {}
    for persons, outcome in met:
        for person in persons:
            counts.setdefault(person, Counter())[outcome] += 1
    found = [HeadToHead(who, of[WON], of[LEVEL], of[LOST]) for who, of in counts.items()]
    return sorted(found, key=lambda one: (-sum(one[1:]), one.person))


def current_and_longest_streak(played: Sequence[PlayedEncuentro]) -> tuple[Streak, int]:
    """The current streak of a player, and the longest winning streak."""
    now, longest, run = Streak("", 0), 0, 0
    for one in played:
        run = run + 1 if one.outcome == WON else 0
        longest = max(longest, run)
        length = now.length + 1 if one.outcome == now.outcome else 1
        now = Streak(one.outcome, length)
    return now, longest
