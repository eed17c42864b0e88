"""Walls of a tournament: who plays now, brackets and standings, for a screen in the hall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, url_for

from api.html import assets
from api.html.pages import board_page
from api.http.access import guard
from api.http.services import current_services
from api.tournaments import bracket as bracket_display
from api.tournaments import standings as standings_display
from api.tournaments.display import TournamentDisplay
from api.tournaments.layout import AT_ONCE, ShownTournament
from api.tournaments.rounds import MeetingDisplay, PairDisplay
from projections.tournaments.view import TieData
from referee.errors import NotFound

blp = Blueprint("tournament_walls", __name__)
_EVERYTHING: Final = ("now", "bracket", "standings")
_FIRST: Final = ("called", "playing", "open")
"""Open cruces in the order in which a wall shows them."""


@dataclass(frozen=True, slots=True)
class WallTie:
    """A tie on a wall: its two pairs, none for one that is not known; its cruce if there is one.

    ``is_empty``: a place of a bracket at which nobody plays.
    """

    pairs: tuple[PairDisplay | None, ...]
    meeting: MeetingDisplay | None
    winner: str | None
    is_empty: bool

    @property
    def mark(self) -> str:
        """Stage of the tie: called, playing, open, done, …"""
        return "done" if self.winner else self.meeting.mark if self.meeting else "open"


@dataclass(frozen=True, slots=True)
class WallPart:
    """Some rounds of a bracket on a wall, each with its name and its ties from the top."""

    id: str
    rounds: tuple[tuple[str, tuple[WallTie, ...]], ...]

    @property
    def round_titles(self) -> list[str]:
        """Names of the rounds of this part."""
        return [title for title, _ in self.rounds]

    @property
    def has_called_tie(self) -> bool:
        """Whether a pair in this part is called to a table."""
        return any(tie.mark == "called" for _, ties in self.rounds for tie in ties)


@blp.get("/torneos/<uuid:tournament_id>/pared")
@guard.open_to_all
def tournament_wall_page(tournament_id: UUID) -> Response:
    """A tournament on a wall: who plays now, then brackets, then standings"""
    return render_wall_page(ShownTournament(tournament_id), _EVERYTHING)


@blp.get("/torneos/<uuid:tournament_id>/pared/cuadro")
@guard.open_to_all
def bracket_wall_page(tournament_id: UUID) -> Response:
    """Brackets of a tournament on a wall"""
    return render_wall_page(require_tournament_with_bracket(tournament_id), ("bracket",))


@blp.get("/torneos/<uuid:tournament_id>/pared/clasificacion")
@guard.open_to_all
def standings_wall_page(tournament_id: UUID) -> Response:
    """Standings of a tournament on a wall"""
    return render_wall_page(ShownTournament(tournament_id), ("standings",))


def require_tournament_with_bracket(tournament_id: UUID) -> ShownTournament:
    """The tournament of a request, which must have a bracket.

    :raises NotFound: it has none, or there is no such tournament
    """
    at = ShownTournament(tournament_id)
    if not at.display.ties_by_bracket:
        raise NotFound("bracket")
    return at


def render_wall_page(
    at: ShownTournament, shown: Sequence[str], template: str = "tournaments/wall.html", **more: Any
) -> Response:
    """A wall with some of the sections in a template, compressed."""
    display = at.display
    clock = None if display.current_or_last_round is None else display.current_or_last_round.clock
    rows = standings_display.tournament_standings_rows(display) if "standings" in shown else []
    return assets.compress_if_accepted(
        board_page(
            template,
            at.tag,
            url_for("public.tournament_state", tournament_id=at.id),
            display=display,
            wall_home=at.home,
            round=display.current_or_last_round,
            left=0 if clock is None else clock.minutes_left(current_services().clock()),
            waiting=meetings_without_result(display)[:AT_ONCE] if "now" in shown else [],
            brackets=list(wall_brackets(display)) if "bracket" in shown else [],
            rows=rows[:AT_ONCE],
            **more,
        )
    )


def meetings_without_result(display: TournamentDisplay) -> list[MeetingDisplay]:
    """The cruces without a result: those that are called first, then those that are played."""
    found = [one for one in display.meetings_by_id.values() if not one.is_over]
    return sorted(
        found, key=lambda one: (_FIRST.index(_stage_for_order(one)), not one.table, one.table)
    )


def _stage_for_order(one: MeetingDisplay) -> str:
    return one.mark if one.mark in _FIRST else "playing"


def wall_brackets(display: TournamentDisplay) -> Iterator[tuple[str, list[WallPart]]]:
    """Each bracket with its parts for a wall; parts with somebody called come first."""
    for name, ties in display.ties_by_bracket.items():
        parts = [_wall_part(display, name, ties, part) for part in bracket_display.wall_parts(ties)]
        if parts:
            yield name, sorted(parts, key=lambda part: not part.has_called_tie)


def _wall_part(
    display: TournamentDisplay,
    name: str,
    ties: Sequence[TieData],
    part: bracket_display.BracketPart,
) -> WallPart:
    its = bracket_display.ties_of_part(ties, part)
    return WallPart(
        f"{name}-{part.since}-{part.number}",
        tuple(
            (
                display.round_title_with_consolation(name, number),
                tuple(_wall_tie(display, tie) for tie in its if tie.round == number),
            )
            for number in range(part.since, part.until + 1)
        ),
    )


def _wall_tie(display: TournamentDisplay, tie: TieData) -> WallTie:
    there = [pair for pair in tie.pairs if pair != ""]
    return WallTie(
        tuple(display.pairs_by_number.get(pair or "") for pair in there),
        display.meetings_by_id.get(tie.meeting),
        tie.winner or None,
        is_empty=not there,
    )
