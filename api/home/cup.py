"""The tournament of the club on the home page: a part of its bracket, or its first places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from api.http.access.prefix import prefix
from api.http.languages import language
from api.tournaments import bracket, standings
from api.tournaments import views as tournament_views
from api.tournaments.bracket import BracketLayout, BracketPart
from api.tournaments.display import TournamentDisplay
from api.tournaments.standings import RowDisplay
from projections.tournaments.view import TieData

FIRST: Final = 7
BAR: Final = 100
"""Width of the bar of the first place."""
_LATEST: Final = 50
_MOST_TIES: Final = 8
"""Ties one below another that a card of the home page has room for."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament on the home page.

    Two rounds of its bracket, or rows with the width of their bars.
    """

    display: TournamentDisplay
    bracket: str
    drawn: BracketLayout | None
    rows: tuple[tuple[RowDisplay, int], ...]

    @property
    def path(self) -> str:
        """Address of its page."""
        return f"{prefix()}/torneos/{self.display.view.id}"


def home_tournament() -> Cup | None:
    """The tournament for the home page: the latest that is not over, else the latest of all.

    None if there is none.
    """
    found = tournament_views.tournament_list_page("", _LATEST).items
    one = next(
        (each for each in found if each.stage not in ("over", "cancelled")),
        next(iter(found), None),
    )
    if one is None:
        return None
    display = TournamentDisplay(tournament_views.tournament_view(UUID(one.id)), language())
    if display.ties_by_bracket:
        name, ties = next(iter(display.ties_by_bracket.items()))
        return Cup(display, name, bracket.bracket_layout(ties, _current_bracket_part(ties)), ())
    rows = standings.tournament_standings_rows(display)[:FIRST]
    most = max((row.points for row in rows), default=0) or 1
    return Cup(display, "", None, tuple((row, BAR * row.points // most) for row in rows))


def _current_bracket_part(ties: Sequence[TieData]) -> BracketPart:
    """The part of a bracket to show: the two rounds that are played now."""
    parts = bracket.wall_parts(ties) or bracket.split_bracket(ties)
    whole = replace(parts[0], number=0)
    first = sum(tie.round == whole.since for tie in ties)
    return whole if first <= _MOST_TIES else parts[0]
