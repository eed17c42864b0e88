"""The luck of the deals of a season, for reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from api.http.languages import UNKNOWN
from api.http.rows import one_row
from api.http.services import current_services
from api.seasons.points import kept_of, named_competitors
from projections.puzzles.queries import arrastres_of
from projections.seasons import queries as seasons
from projections.seasons.luck import (
    LEAST_DEALS,
    PairKey,
    PairLuck,
    PricedDeal,
    luck_of,
    sides_in,
)
from referee.errors import NotFound
from referee.events import Competitors

MOST_PAIRS: Final = 200
"""Pairs whose lines fit a page of 150 KB."""


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


def is_shown() -> bool:
    """Whether the club lets its seasons show the luck of the deals."""
    return current_services().referee.settings.is_deal_luck_shown()


def season_luck(season_id: UUID) -> SeasonLuckDisplay:
    """What each pair of a season was dealt in arrastre beside what it made.

    :raises NotFound: there is no such season, or the club does not show it
    """
    if not is_shown():
        raise NotFound("luck")
    of: Competitors = one_row(lambda rows: seasons.season_row(rows, season_id), season_id)["of"]
    found = luck_of(deals_of(str(season_id), of))
    names = _names(of, [one.pair for one in found.pairs])
    pairs = sorted(
        (PairLuckDisplay(names[one.pair], one) for one in found.pairs),
        key=lambda shown: (shown.name.casefold(), shown.luck.pair),
    )
    return SeasonLuckDisplay(found.deals, found.share, tuple(pairs[:MOST_PAIRS]))


def deals_of(season: str, of: Competitors) -> list[PricedDeal]:
    """The known arrastres of a season; without those of a table at which somebody was replaced."""
    with current_services().reads.reading() as rows:
        sides = sides_in(rows, season, kept_of(rows, of), of)
        held = arrastres_of(rows, list(sides))
    found = []
    for encuentro, arrastres in held.items():
        first, second = sides[encuentro]
        for one in arrastres:
            half = one.points / 2
            found.append(PricedDeal(first, second, one.par - half, one.made - half))
    return found


def _names(of: Competitors, pairs: list[PairKey]) -> dict[PairKey, str]:
    named = named_competitors(of, {one for pair in pairs for one in pair})
    return {
        pair: " · ".join(sorted(named[one].name or UNKNOWN for one in pair if one in named))
        for pair in pairs
    }
