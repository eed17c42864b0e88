"""What the tables of seasons would be if an evening counted for another season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Cursor
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from api.http.rows import await_row_or_not_found
from api.http.services import current_services
from api.seasons.points import (
    StandingLineData,
    merge_target_by_id,
    scoring_of_season,
    standings_view,
)
from api.seasons.views import ListedSeasonData, season_id_and_name
from projections.seasons import projection as seasons
from projections.seasons.standings import (
    Tally,
    standings_of_tallies,
    sum_of_two_tallies,
    tally_by_competitor,
)
from projections.seasons.views import SessionFactsData
from projections.views import view_as

Movement: TypeAlias = Literal["joins", "leaves"]


class SeasonOutlookData(msgspec.Struct, frozen=True):
    """A season that an evening joins or leaves: its table as it is, and as it would be."""

    id: str
    name: str | None
    movement: Movement
    before: list[StandingLineData]
    after: list[StandingLineData]


class MoveOutlookData(msgspec.Struct, frozen=True):
    """What another season for an evening would change. ``version``: of the evening."""

    version: int
    seasons: list[SeasonOutlookData]


class ComparedLine(NamedTuple):
    """A line of a table as it would be, and the one of the same person or pair before, if any."""

    now: StandingLineData
    before: StandingLineData | None


def evening_move_outlook(session_id: UUID, season: str) -> MoveOutlookData:
    """The seasons whose tables would change if an evening counted for another one, or for none."""
    evening = await_row_or_not_found(
        lambda rows: seasons.find_session_view(rows, session_id), session_id
    )
    if season == evening.season:
        return MoveOutlookData(version=evening.version, seasons=[])
    moves: list[tuple[str, Movement]] = [(season, "joins"), (evening.season, "leaves")]
    with current_services().reads.reading() as rows:
        found = [_outlook_of_season(rows, evening, one, how) for one, how in moves if one]
    return MoveOutlookData(version=evening.version, seasons=found)


def _outlook_of_season(
    rows: Cursor, evening: SessionFactsData, season: str, movement: Movement
) -> SeasonOutlookData:
    view, of = seasons.find_season_view(rows, UUID(season)), evening.of
    assert view is not None
    kept, scoring = merge_target_by_id(rows, of), scoring_of_season(view)
    before = tally_by_competitor(rows, "season", season, kept, of)
    sign = 1 if movement == "joins" else -1
    after = dict(before)
    for who, tally in tally_by_competitor(rows, "session", evening.id, kept, of).items():
        its = Tally(*(sign * count for count in tally))
        after[who] = sum_of_two_tallies(after.get(who, Tally()), its)
    left = {who: tally for who, tally in after.items() if any(tally)}
    return view_as(
        SeasonOutlookData,
        season_id_and_name(view),
        movement=movement,
        before=standings_view(standings_of_tallies(before, scoring), of),
        after=standings_view(standings_of_tallies(left, scoring), of),
    )


def standing_lines_with_former(one: SeasonOutlookData) -> Iterator[ComparedLine]:
    """Lines of standings after the move, each with the competitor's line before it, or None."""
    before = {_competitor_id(line): line for line in one.before}
    for line in one.after:
        yield ComparedLine(line, before.get(_competitor_id(line)))


def standing_lines_only_before(one: SeasonOutlookData) -> list[StandingLineData]:
    """Lines of the standings before the move whose competitors are not in it afterwards."""
    stay = {_competitor_id(line) for line in one.after}
    return [line for line in one.before if _competitor_id(line) not in stay]


def _competitor_id(line: StandingLineData) -> str:
    return line.person or line.pair


def seasons_open_to_evening(
    evening: SessionFactsData, are_open: Sequence[ListedSeasonData]
) -> list[ListedSeasonData]:
    """Of the open seasons those that an evening could join; none if its own is closed.

    One whose calendar has the day of the evening comes first.
    """
    found = [one for one in are_open if one.of == evening.of]
    if evening.season and evening.season not in {one.id for one in found}:
        return []
    others = [one for one in found if one.id != evening.season]
    return sorted(others, key=lambda one: not has_calendar_day(one, evening.date))


def has_calendar_day(season: ListedSeasonData, day: str) -> bool:
    """Whether the calendar of a season has a day."""
    return any(one.date == day for one in season.calendar)
