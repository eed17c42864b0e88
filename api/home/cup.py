"""The tournament of the club on the home page: a part of its bracket, or its first places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from api.http.languages import language
from api.tournaments import bracket, standings
from api.tournaments import views as tournament_views
from api.tournaments.bracket import BracketLayout
from api.tournaments.display import TournamentDisplay
from api.tournaments.standings import RowDisplay

FIRST: Final = 7
BAR: Final = 100
"""Width of the bar of the first place."""
_LATEST: Final = 20


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament: two rounds of its bracket, or rows with the width of their bars."""

    display: TournamentDisplay
    bracket: str
    drawn: BracketLayout | None
    rows: tuple[tuple[RowDisplay, int], ...]

    @property
    def path(self) -> str:
        """Address of its page."""
        return f"/torneos/{self.display.view['id']}"


def cup() -> Cup | None:
    """The latest tournament that is not over, else the latest of all; None if there is none."""
    found = tournament_views.tournaments("", _LATEST)["items"]
    one = next((each for each in found if each["stage"] != "over"), next(iter(found), None))
    if one is None:
        return None
    display = TournamentDisplay(tournament_views.tournament(UUID(one["id"])), language())
    if display.brackets:
        name, ties = next(iter(display.brackets.items()))
        parts = bracket.wall_parts(ties) or bracket.bracket_parts(ties)
        return Cup(display, name, bracket.bracket_layout(ties, parts[0]), ())
    rows = standings.places(display)[:FIRST]
    most = max((row.points for row in rows), default=0) or 1
    return Cup(display, "", None, tuple((row, BAR * row.points // most) for row in rows))
