"""A season for its pictures and files: points by evening, and each against each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from api.board import boards
from api.board import display as board_display
from api.board.display import TableDisplay
from api.http.languages import language, say
from api.http.rows import await_row_or_not_found
from api.http.services import current_services
from api.seasons import views
from api.seasons.charts.points_lines import (
    LARGE,
    MARKS_OF_EIGHT,
    MOST_EVENINGS,
    PointsPicture,
    points_by_evening,
    points_picture_data,
)
from api.seasons.points import (
    StandingLineData,
    competitors_by_id,
    merge_target_by_id,
    names_of_persons,
)
from api.seasons.views import RecordData, WholeSeasonData
from projections.board import projection as board_rows
from projections.board.views import PublicTableData
from projections.puzzles import arrastre_values_of_encuentros
from projections.seasons import projection as seasons
from projections.seasons import standings
from projections.seasons.luck import (
    LEAST_DEALS,
    PairKey,
    PairLuck,
    PricedDeal,
    luck_in_deals,
    season_sides_by_encuentro,
)
from projections.seasons.views import SessionData
from referee.errors import NotFound
from referee.events import Competitors

MOST_LINES: Final = 60
MOST_CROSSED: Final = 30
"""Competitors whose results against each other fit a page of 150 KB: the first of the table."""
MOST_PAIRS: Final = 200
"""Pairs whose lines fit a page of 150 KB."""


@dataclass(frozen=True, slots=True)
class SeasonPicture:
    """Points by evening with their table; ``picture`` is None until there is a point.

    ``first``: so many of the table have a line; ``evenings``: how many there are, of which the
    ``latest`` are drawn.
    """

    view: WholeSeasonData
    picture: PointsPicture | None
    evenings: int
    first: int
    latest: int


class CrossedRow(NamedTuple):
    """A competitor, and their results against each of the others in the order of the table."""

    row: StandingLineData
    against: list[RecordData | None]


class SeasonResults(NamedTuple):
    """The decided encuentros of a season; who came and played none: the day, what they go by."""

    tables: list[TableDisplay]
    visits: list[tuple[str, str]]


def competitor_id_of_line(row: StandingLineData) -> str:
    """Id of the person or the pair of a line of the standings."""
    return row.pair or row.person


def season_picture_data(season_id: UUID) -> SeasonPicture:
    """Points by evening of everybody in a season.

    :raises NotFound: there is none
    """
    view = views.complete_season_view(season_id)
    row = await_row_or_not_found(lambda rows: seasons.find_season_view(rows, season_id), season_id)
    competing = [competitor_id_of_line(one) for one in view.standings[:MOST_LINES]]
    with current_services().reads.reading() as rows:
        held = seasons.sessions_of_season(rows, str(season_id), seasons.ALL_EVENINGS)[::-1]
        points = points_by_evening(rows, row, [one.id for one in held], competing)
    days = [one.date for one in held[-MOST_EVENINGS:]]
    drawn = [made[-len(days) - 1 :] for made in points]
    is_drawn = bool(days) and any(map(any, drawn))
    picture = points_picture_data(drawn, days, MARKS_OF_EIGHT, LARGE) if is_drawn else None
    return SeasonPicture(view, picture, len(held), MOST_LINES, MOST_EVENINGS)


def cross_rows(view: WholeSeasonData) -> list[CrossedRow]:
    """Results of each competitor against each other one, for the first ones of the table."""
    shown = view.standings[:MOST_CROSSED]
    with current_services().reads.reading() as rows:
        kept = merge_target_by_id(rows, view.of)
        met = standings.outcome_counts_of_opponents(rows, view.id, kept, view.of)
    return [
        CrossedRow(
            one,
            [
                _head_to_head_record_or_none(
                    met, competitor_id_of_line(one), competitor_id_of_line(other)
                )
                for other in shown
            ],
        )
        for one in shown
    ]


def _head_to_head_record_or_none(
    met: Mapping[tuple[str, str], Mapping[str, int]], one: str, other: str
) -> RecordData | None:
    found = met.get((one, other))
    if found is None:
        return None
    return RecordData(won=found["won"], level=found["level"], lost=found["lost"])


def season_results(season_id: UUID) -> SeasonResults:
    """Every encuentro of a season that is decided, and who came and played none of an evening."""
    with current_services().reads.reading() as rows:
        held = seasons.sessions_of_season(rows, str(season_id), seasons.ALL_EVENINGS)[::-1]
        evenings = [seasons.find_session_view(rows, UUID(one.id)) for one in held]
        played = [
            (one, board_rows.find_public_encuentros(rows, one.encuentros))
            for one in evenings
            if one
        ]
        decided = [each for _, some in played for each in some if each.decided is not None]
        named = boards.views_with_names(current_services(), rows, decided)
    visits = [who for one, some in played for who in _visitors_without_result(one, some)]
    return SeasonResults([board_display.table_display(one, language()) for one in named], visits)


def _visitors_without_result(
    evening: SessionData, played: Iterable[PublicTableData]
) -> Iterator[tuple[str, str]]:
    """Those who came to an evening and finished no encuentro: its day, and their names."""
    seated = {who for one in played if one.decided for who in one.seats.values()}
    sides = evening.pairs or {one: [one] for one in evening.attended}
    names = names_of_persons(who for side in sides.values() for who in side)
    pairs = views.pair_names_of_session(evening)
    for unit, players in sides.items():
        if not seated.issuperset(players):
            both = [names.get(who, "") for who in players]
            yield evening.date, board_display.side_names_text(pairs.get(unit, ""), both)


@dataclass(frozen=True, slots=True)
class PairLuckDisplay:
    """A pair by its name, or those of its players, and its luck."""

    name: str
    luck: PairLuck


@dataclass(frozen=True, slots=True)
class SeasonLuckDisplay:
    """The luck of a season, the pairs in the order of their names. ``least``: deals for a share."""

    deals: int
    share: float | None
    pairs: tuple[PairLuckDisplay, ...]
    least: int = LEAST_DEALS


def season_luck(season_id: UUID) -> SeasonLuckDisplay:
    """What each pair of a season was dealt in arrastre beside what it made.

    :raises NotFound: there is no such season, or the club does not show it
    """
    if not current_services().referee.settings.is_deal_luck_shown():
        raise NotFound("luck")
    of: Competitors = await_row_or_not_found(
        lambda rows: seasons.find_season_view(rows, season_id), season_id
    ).of
    found = luck_in_deals(arrastre_deals_of_season(str(season_id), of))
    names = _names_of_pairs(of, [one.pair for one in found.pairs])
    pairs = sorted(
        (PairLuckDisplay(names[one.pair], one) for one in found.pairs),
        key=lambda shown: (shown.name.casefold(), shown.luck.pair),
    )
    return SeasonLuckDisplay(found.deals, found.share, tuple(pairs[:MOST_PAIRS]))


def arrastre_deals_of_season(season: str, of: Competitors) -> list[PricedDeal]:
    """The known arrastres of a season; without those of a table at which somebody was replaced."""
    with current_services().reads.reading() as rows:
        sides = season_sides_by_encuentro(rows, season, merge_target_by_id(rows, of), of)
        held = arrastre_values_of_encuentros(rows, list(sides))
    found = []
    for encuentro, arrastres in held.items():
        first, second = sides[encuentro]
        for one in arrastres:
            half = one.points / 2
            found.append(PricedDeal(first, second, one.par - half, one.made - half))
    return found


def _names_of_pairs(of: Competitors, pairs: list[PairKey]) -> dict[PairKey, str]:
    named = competitors_by_id(of, {one for pair in pairs for one in pair})
    nobody = say("grammar.nameless", language())
    return {
        pair: " · ".join(sorted((one in named and named[one].name) or nobody for one in pair))
        for pair in pairs
    }
