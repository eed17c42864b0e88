"""A ranking as its pages show it: names in one way, clubs by number."""

from __future__ import annotations

from typing import Final, NamedTuple

from api.http.access.prefix import prefix
from api.http.languages import language, say
from projections.rankings.views import RankedClubData, RankedRowData, RankingData

WALL_ROWS: Final = 60
"""Rows that a wall shows, page by page."""


class ShownRow(NamedTuple):
    """A row with the name of the person and the names of their clubs."""

    data: RankedRowData
    name: str
    clubs: list[str]


class RankingDisplay:
    """A ranking with names. ``fault``: why its table cannot be computed."""

    def __init__(self, view: RankingData, fault: str = "") -> None:
        self.view, self.fault = view, fault
        self.home = f"{prefix()}/clasificaciones/{view.id}"
        self.clubs = {one.club: one for one in view.clubs}
        self.rows = [self._row(one) for one in view.rows]
        self._names = {one.data.person: one.name for one in self.rows}

    def _row(self, one: RankedRowData) -> ShownRow:
        named = [each.name for each in one.members if each.name]
        clubs = list(dict.fromkeys(self.clubs[each.club].name for each in one.members))
        return ShownRow(one, next(iter(named), _nobody()), clubs)

    @property
    def counting(self) -> list[RankedClubData]:
        """Clubs that take part."""
        return [one for one in self.view.clubs if not one.is_dropped]

    def rows_of(self, club: str) -> list[ShownRow]:
        """Rows of those who are in a club; of all of them without one."""
        return [
            one
            for one in self.rows
            if not club or any(each.club == club for each in one.data.members)
        ]

    def name(self, line: str) -> str:
        """The name of a person by their line; words for somebody without one."""
        return self._names.get(line) or _nobody()

    def names(self, lines: list[str]) -> str:
        """Names of the persons of these lines, joined into one text."""
        return " · ".join(map(self.name, lines))


def _nobody() -> str:
    return say("ranking.unnamed", language())
