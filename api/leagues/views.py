"""Views of leagues with names and texts in place of their ids."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.http import moments
from api.http.access.prefix import prefix
from api.http.rows import await_row_or_not_found, parse_cursor, with_texts
from api.http.services import current_services
from projections.leagues.projection import find_league_view, leagues_opened_before
from projections.leagues.views import LeagueData, LeagueShortData, MatchData
from projections.views import view_as
from referee.aggregates.league.state import OPEN_STAGES
from referee.errors import NotFound
from referee.events import PersonId
from referee.events.league import TeamId


class WholeLeagueData(LeagueData, frozen=True):
    """A league as it is sent; ``names``: of persons by their ids, null of those erased."""

    names: dict[PersonId, str | None]


class LeaguePageData(msgspec.Struct, frozen=True):
    """A page of the list of leagues; ``next``: the cursor of the page after it."""

    items: list[LeagueShortData]
    next: str | None


def league(
    league_id: UUID, division: int | None = None, *, sees_lineups: bool = False
) -> WholeLeagueData:
    """A league with its names: whole, or with the table and the matches of one division alone.

    ``sees_lineups``: also what one team alone has named for a match that did not begin.

    :raises NotFound: there is none
    """
    row = await_row_or_not_found(
        lambda rows: find_league_view(rows, league_id, division), league_id
    )
    if not sees_lineups:
        row = _hide_lineups(row)
    return view_with_texts_and_names(row, division)


def _hide_lineups(view: LeagueData) -> LeagueData:
    """The view without lineups of a team that the other one must not see yet."""
    now = moments.club_time(current_services().clock()).strftime("%Y-%m-%dT%H:%M")
    divisions = [
        replace(one, matches=[_hide_lineup(match, now) for match in one.matches])
        for one in view.divisions
    ]
    return replace(view, divisions=divisions)


def _hide_lineup(match: MatchData, now: str) -> MatchData:
    is_early = len(match.lineups) == 1 and not _has_begun(match, now)
    return replace(match, lineups=[]) if is_early else match


def _has_begun(match: MatchData, now: str) -> bool:
    """Whether a match has begun by its day and hour, or something came of it."""
    is_planned = match.stage == "planned"
    begins = f"{match.date}T{match.time or '00:00'}"
    return match.stage not in OPEN_STAGES or (is_planned and begins <= now)


def division_of_team(league_id: UUID, team: TeamId) -> int:
    """The division in which a team plays.

    :raises NotFound: there is no such league, or no such team
    """
    view = await_row_or_not_found(lambda rows: find_league_view(rows, league_id, 0), league_id)
    found = [one.division for one in view.teams if one.team == team]
    if not found:
        raise NotFound(team)
    return found[0]


def league_list_page(cursor: str, limit: int) -> LeaguePageData:
    """One page of the list of leagues, the latest first."""
    before, here = parse_cursor(cursor), current_services()
    with here.reads.reading() as rows:
        found = leagues_opened_before(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    shown = with_texts([view for _, view in found[:limit]])
    return LeaguePageData(items=shown, next=more)


def view_with_texts_and_names(view: LeagueData, division: int | None = None) -> WholeLeagueData:
    """A league with texts in place of ids, and the names of its players, or of a division's."""
    names = current_services().persons.names_of(dict.fromkeys(_persons(view, division)))
    return view_as(WholeLeagueData, with_texts(view), names=names)


def _persons(view: LeagueData, division: int | None) -> Iterator[PersonId]:
    """Everybody on a list or in a lineup, of one division if it is said."""
    for team in view.teams:
        if division not in (None, team.division):
            continue
        yield from (one.person for one in team.players)
    for each in view.divisions:
        for match in each.matches:
            for lineup in match.lineups:
                yield from (person for pair in lineup.pairs for person in pair)


def league_api_address(league_id: UUID | str) -> str:
    """Address of a league in the API."""
    return f"{prefix()}/api/v1/leagues/{league_id}"
