"""Common parts of the pages of a tournament: state, navigation, and portions of long lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import msgspec
from flask import Response, request, url_for

from api.html import assets
from api.html.pages import live_page
from api.http.languages import language
from api.http.services import current_services
from api.tournaments import boards as tournament_boards
from api.tournaments.display import TournamentDisplay, portion_and_starts

ShownRowT = TypeVar("ShownRowT")
AT_ONCE: Final = 64
"""Rows or cruces of a page."""


class ShownTournament:
    """The tournament of a request, for its pages."""

    def __init__(self, tournament_id: UUID) -> None:
        board = tournament_boards.tournament_board(current_services(), tournament_id)
        self.id, self.tag = tournament_id, board.tag
        self.display = TournamentDisplay(board.view, language())

    @property
    def home(self) -> str:
        """Address of the first page of the tournament."""
        return url_for("pages.tournaments.tournament_now_page", tournament_id=self.id)

    def page(self, template: str, section: str, **values: Any) -> Response:
        """A page of the tournament, compressed, since it has no secrets."""
        display, home, now = self.display, self.home, current_services().clock()
        clock = (
            None if display.current_or_last_round is None else display.current_or_last_round.clock
        )
        left = 0 if clock is None else clock.minutes_left(now)
        return assets.compress_if_accepted(
            live_page(
                template,
                self.tag,
                url_for("public.tournament_state", tournament_id=self.id),
                display=display,
                home=home,
                left=left,
                section=section,
                sections=[(name, home + path) for name, path in _sections(display)],
                **{"round": display.current_or_last_round, **values},
            )
        )


def _sections(display: TournamentDisplay) -> list[tuple[str, str]]:
    view = display.view
    return [
        ("now", ""),
        *([("bracket", "/cuadro")] if view.bracket else []),
        *([("groups", "/grupos")] if view.groups else []),
        *([("standings", "/clasificacion")] if view.standings else []),
        *([("rounds", f"/rondas/{current_round_number(display)}")] if display.rounds else []),
        ("pairs", "/parejas"),
        *([("draw", "/sorteo")] if view.draw or view.former_draws else []),
        ("files", "/ficheros"),
    ]


def current_round_number(display: TournamentDisplay) -> int:
    """Number of the current round, from 1; 0 if no round is current."""
    return (
        display.rounds.index(display.current_or_last_round) + 1
        if display.current_or_last_round
        else 0
    )


class PortionData(msgspec.Struct, Generic[ShownRowT], frozen=True):
    """Rows that are shown, and values for the navigation: where each part starts."""

    shown: Sequence[ShownRowT]
    starts: Sequence[int]
    since: int
    size: int
    all: int


def portion_by_query(rows: Sequence[ShownRowT], size: int = AT_ONCE) -> PortionData[ShownRowT]:
    """The rows that the address asks for, and the values for the navigation."""
    since = request.args.get("desde", 1, type=int)
    _, starts = portion_and_starts(rows, 1, size)
    since = since if since in starts else 1
    shown, _ = portion_and_starts(rows, since, size)
    return PortionData(shown=shown, starts=starts, since=since, size=size, all=len(rows))
