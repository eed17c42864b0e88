"""Standings in words: each place with the criterion that decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from api.http.languages import say
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import MeetingDisplay
from projections.facts import FactData
from projections.tournaments.view import PlaceData, PointItemData


@dataclass(frozen=True, slots=True)
class RowDisplay:
    """A pair at its place; ``why``: reason for its place, ``""`` if it is the points."""

    place: int
    pair: str
    points: int
    won: int
    level: int
    lost: int
    why: str


@dataclass(frozen=True, slots=True)
class ResultDisplay:
    """A round of a pair: its cruce, or why it had none; its points where there are any."""

    round: int
    title: str
    meeting: MeetingDisplay | None
    reason: str
    points: int | None


@dataclass(frozen=True, slots=True)
class CriterionDisplay:
    """A criterion: its name, and its explanation."""

    name: str
    text: str


def rows(standings: Sequence[PlaceData], lang: str) -> list[RowDisplay]:
    """The rows of standings with their reasons in words."""
    before: Sequence[PlaceData | None] = (None, *standings)
    return [_row(row, above, lang) for above, row in zip(before, standings, strict=False)]


def places(display: TournamentDisplay) -> list[RowDisplay]:
    """The rows of the standings of all, in a knock-out with the last round in which each stood."""
    found = display.view.standings
    if display.is_by_points:
        return rows(found, display.lang)
    return [_place_row(row, display) for row in found]


def criteria(plan: FactData, lang: str) -> list[CriterionDisplay]:
    """The criteria of a tournament in their order, explained."""
    return [
        CriterionDisplay(say(f"standings.{one}", lang), say(f"standings.{one}_text", lang))
        for one in plan["criteria"]
    ]


def results(row: PlaceData | None, met: Sequence[MeetingDisplay], lang: str) -> list[ResultDisplay]:
    """Results of a pair by round: finished cruces, or why there was none."""
    given = {item.round: item for item in row.rounds} if row else {}
    played = [
        ResultDisplay(one.round, one.title, one, "", _points_in(given, one.round))
        for one in met
        if one.is_over
    ]
    idle = [
        ResultDisplay(
            number,
            say("tournament_page.round_n", lang, n=number),
            None,
            say(f"standings.reason_{item.reason}", lang),
            item.points,
        )
        for number, item in given.items()
        if not item.opponent
    ]
    return sorted([*played, *idle], key=lambda one: one.round)


def _points_in(given: Mapping[int, PointItemData], number: int) -> int | None:
    return given[number].points if number in given else None


def _row(row: PlaceData, above: PlaceData | None, lang: str) -> RowDisplay:
    reasons = [item.reason for item in row.rounds]
    return RowDisplay(
        row.place,
        row.pair,
        row.points,
        reasons.count("won"),
        reasons.count("level"),
        reasons.count("lost"),
        _why(row, above, lang),
    )


def _place_row(row: PlaceData, display: TournamentDisplay) -> RowDisplay:
    reached = _value(row, "round")
    why = display.tie_round("main", reached) if reached else say("standings.left_out", display.lang)
    return RowDisplay(row.place, row.pair, 0, 0, 0, 0, why)


def _why(row: PlaceData, above: PlaceData | None, lang: str) -> str:
    by = row.by
    if above is None or by in ("first", "points"):
        return ""
    if by == "level":
        return say("standings.why_level", lang)
    mine, other = _value(row, by), _value(above, by)
    if by == "lot":
        return say("standings.why_lot", lang)
    name = say(f"standings.{by}", lang)
    return say("standings.why", lang, criterion=name, value=mine, other=other)


def _value(row: PlaceData, criterion: str) -> int | None:
    values = (int(one.value) for one in row.items if one.criterion == criterion)
    return next(values, None)
