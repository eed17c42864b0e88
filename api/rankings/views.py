"""Views of rankings with names in place of their ids, and publications as they were taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.audit.rest import ProvedEventData
from api.http.access.prefix import prefix
from api.http.problems import Problem
from api.http.rows import await_row_or_not_found, parse_cursor, with_texts
from api.http.services import VIEWS_TIMEOUT_S, current_services
from api.publication.file import PublishedPersonData, SignedResultsData, joints_data, results_data
from api.rankings.publications import ranking_state
from projections.rankings.queries import ranking_version, rankings_opened_before
from projections.rankings.tables import NotComputed, RankingTable, outline_of
from projections.rankings.views import (
    RankedPersonData,
    RankedRowData,
    RankingData,
    RankingShortData,
)
from referee.aggregates.ranking import RankingRule
from referee.audit.result_files import FORMAT
from referee.errors import NotFound, Refused
from referee.events import TextId

_EVERY_RANKING: Final = -1
"""As a limit: no limit."""


class RankingPageData(msgspec.Struct, frozen=True):
    """A page of the list of rankings; ``next``: the cursor of the page after it."""

    items: list[RankingShortData]
    next: str | None


def ranking_list_page(cursor: str, limit: int) -> RankingPageData:
    """One page of the list of rankings, the latest first."""
    before, here = parse_cursor(cursor), current_services()
    with here.reads.reading() as rows:
        found = rankings_opened_before(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    shown = with_texts([view for _, view in found[:limit]])
    return RankingPageData(items=shown, next=more)


def ranking(ranking_id: UUID) -> RankingData:
    """A ranking with its names; that of a person who was erased is empty.

    :raises NotFound: there is none
    """
    view = with_texts(_require_ranking_table(ranking_id).view())
    return replace(view, rows=with_names(view.rows))


def ranking_without_table(ranking_id: UUID) -> RankingData:
    """A ranking without its table, which may be one that cannot be computed.

    :raises NotFound: there is none
    """
    return with_texts(outline_of(str(ranking_id), ranking_state(current_services(), ranking_id)))


def person(ranking_id: UUID, line: str) -> RankedPersonData:
    """A person in a ranking: their row, their rating day by day, their results.

    :raises NotFound: there is none
    """
    view = _require_ranked_person(ranking_id, line)
    (row,) = with_names([view.row])
    return replace(view, row=row)


def name_text_ids_of_person(ranking_id: UUID, line: str) -> list[TextId]:
    """Ids of the texts that are the names of a person in all rankings of the house.

    :raises NotFound: the ranking has no such person
    :raises Refused: a ranking cannot be read
    """
    here, view = current_services(), _require_ranked_person(ranking_id, line)
    clubs = ranking_state(here, ranking_id).clubs
    members = {(clubs[one.club].key, one.person) for one in view.row.members}
    with here.reads.reading() as rows:
        found = [UUID(one.id) for _, one in rankings_opened_before(rows, None, _EVERY_RANKING)]
    every = [club for one in found for club in ranking_state(here, one).clubs.values()]
    taken = [(club.key, one) for club in every if club.taken for one in club.taken.people]
    return [one.name for key, one in taken if (key, one.person) in members]


def _require_ranked_person(ranking_id: UUID, line: str) -> RankedPersonData:
    """A person in a ranking as computed, without names.

    :raises NotFound: there is none
    """
    view = _require_ranking_table(ranking_id).person(line)
    if view is None:
        raise NotFound(line)
    return view


def _require_ranking_table(ranking_id: UUID) -> RankingTable:
    """The computed table of a ranking, at the version of the read side or a later one.

    :raises NotFound: there is none
    :raises Problem: it is being computed
    :raises Refused: it cannot be computed
    """
    here = current_services()
    version = await_row_or_not_found(lambda rows: ranking_version(rows, ranking_id), ranking_id)
    ask = here.referee.rankings.ranking_between_clubs
    try:
        found = here.ranking_tables.table_or_none_on_timeout(
            ranking_id, version, ask, VIEWS_TIMEOUT_S
        )
    except NotComputed as broken:
        if not broken.club:
            raise Refused(RankingRule.RANKING_NOT_COMPUTED) from None
        facts = {"club": broken.club, "field": broken.field}
        raise Refused(RankingRule.RANKING_BROKEN, **facts) from None
    if found is None:
        raise Problem("not_yet", headers={"Retry-After": "1"})
    return found


def with_names(rows: Sequence[RankedRowData]) -> list[RankedRowData]:
    """Rows with names of persons in place of their ids; empty for one that was erased."""
    ids = {one.name for row in rows for one in row.members}
    texts = current_services().persons.texts_by_id(ids)
    return [
        replace(row, members=[replace(one, name=texts[one.name] or "") for one in row.members])
        for row in rows
    ]


def publication_as_signed(ranking_id: UUID, club: str) -> SignedResultsData:
    """The last publication of a club, put together as its signed file was.

    :raises NotFound: there is none
    :raises Refused: a name in it was erased here
    """
    here = current_services()
    found = ranking_state(here, ranking_id).clubs.get(club)
    if found is None or found.taken is None:
        raise NotFound(club)
    taken = found.taken
    ids = [taken.nonce, taken.house, *(one.name for one in taken.people)]
    texts = here.persons.texts_by_id(one for one in ids if one)
    if None in texts.values():
        raise Refused(RankingRule.NAMES_ERASED)
    return SignedResultsData(
        format=FORMAT,
        house=texts.get(taken.house) or "",
        nonce=texts[taken.nonce] or "",
        people=[
            PublishedPersonData(
                person=one.person,
                name=texts[one.name] or "",
                joints=joints_data(one.joints),
            )
            for one in taken.people
        ],
        months={month: results_data(one) for month, one in sorted(taken.months.items())},
        key=found.key,
        checkpoint=taken.checkpoint,
        event=msgspec.json.decode(taken.event, type=ProvedEventData),
    )


def ranking_api_address(ranking_id: UUID | str) -> str:
    """Address of a ranking in the HTTP API."""
    return f"{prefix()}/api/v1/rankings/{ranking_id}"
