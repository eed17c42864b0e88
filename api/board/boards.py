"""Boards: public views with the names of the players."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.board.display import BoardData
from api.http import moments
from api.http.languages import UNKNOWN, say
from api.http.rows import Board, _board_with_tag, await_row_or_not_found
from api.http.services import Services, current_services
from api.puzzles import views as puzzles
from api.tournaments.rounds import ClockDisplay, PairDisplay, clock_display, side_bracket_title
from api.tournaments.views import club_pair_names_by_players
from projections.board import projection as board_rows
from projections.board.views import PublicTableData
from projections.legality.findings import article_of_rule
from projections.seasons import projection as seasons
from projections.seasons.pairs import pair_name_ids_by_encuentro
from projections.tournaments import projection as tournaments
from projections.tournaments.view import HallFactsData, HallTournamentData
from projections.views import view_as
from referee.errors import NotFound
from referee.events import SideName, TextId
from referee.rules.articles import Rule


class NamedPairData(msgspec.Struct, frozen=True):
    """A pair that is called to a table: names of its players, and its own name or an empty text."""

    pair: str
    players: list[str | None]
    name: str


class NamedCallData(msgspec.Struct, frozen=True):
    """A table and the pairs that are called to it.

    ``bracket``: of a tie, which of the brackets it is in; else empty.
    """

    table: int
    bracket: str
    pairs: list[NamedPairData]


class CallsData(HallFactsData, frozen=True):
    """A tournament on the board of the hall, with names.

    ``called``: number of tables called, with those that the board does not show.
    """

    name: str | None
    calls: list[NamedCallData]
    called: int


@dataclass(frozen=True, slots=True)
class CallDisplay:
    """A table and the two pairs that are called to it.

    ``draw``: the name of their bracket if it is not the main one.
    """

    table: int
    pairs: tuple[PairDisplay, ...]
    draw: str


@dataclass(frozen=True, slots=True)
class CallsDisplay:
    """A tournament in the hall; ``more``: calls that are not shown, ``left``: minutes."""

    id: str
    name: str
    title: str
    clock: ClockDisplay | None
    left: int
    calls: tuple[CallDisplay, ...]
    more: int


def pair_calls_display(view: CallsData, lang: str, now: datetime) -> CallsDisplay:
    """A tournament as the board of the hall shows it, in a language.

    The pairs called to tables, and the clock.
    """
    clock = clock_display(view.clock)
    found = tuple(
        CallDisplay(
            one.table,
            tuple(_pair_display(pair, lang) for pair in one.pairs),
            side_bracket_title(one.bracket, lang),
        )
        for one in view.calls
    )
    return CallsDisplay(
        id=view.id,
        name=view.name or UNKNOWN,
        title=say("tournament_page.round_n", lang, n=view.round),
        clock=clock,
        left=0 if clock is None else clock.minutes_left(now),
        calls=found,
        more=view.called - len(found),
    )


def _pair_display(pair: NamedPairData, lang: str) -> PairDisplay:
    players = tuple(name or say("grammar.nameless", lang) for name in pair.players)
    return PairDisplay(pair.pair, players, title=pair.name)


MOST_TABLES = 40
"""Most tables on a board: as many as fit a page of 150 KB."""
MOST_TOURNAMENTS = 3
MOST_CALLS = 24
_RECENT = timedelta(days=1)


class SessionTablesData(msgspec.Struct, frozen=True):
    """The tables of a session."""

    tables: list[BoardData]


class HallData(SessionTablesData, frozen=True):
    """All tables, and the tournaments that call pairs to theirs.

    ``puzzle``: week of the problem that is shown while nobody plays; empty if there is none.
    """

    tournaments: list[CallsData]
    puzzle: str


def table_board(here: Services, encuentro_id: UUID) -> Board[BoardData]:
    """The public view of an encuentro.

    :raises NotFound: there is none
    """
    with here.reads.reading() as rows:
        view = board_rows.find_public_encuentro(rows, encuentro_id)
        pairs = pair_name_ids_by_encuentro(rows, [str(encuentro_id)])
    if view is None:
        raise NotFound(str(encuentro_id))
    return _board_with_tag(_public_board_data(here, view, pairs))


def read_hall_board(here: Services) -> Board[HallData]:
    """The board of the hall.

    All tables in play, then those that finished recently, and the calls of pairs to tables.

    Recent means yesterday or later. A table without a day is shown while it runs.
    """
    zone = moments.time_zone_or_utc(here.referee.settings.time_zone_name())
    since = moments.day_in_zone(zone, here.clock() - _RECENT).isoformat()
    with here.reads.reading() as rows:
        found = board_rows.find_current_encuentros(rows, since, MOST_TABLES)
        tables = views_with_names(here, rows, found)
        calling = tournaments.hall_tournament_rows(rows, since, MOST_TOURNAMENTS)
        is_quiet = not calling and all(view.decided is not None for view in found)
        puzzle = puzzles.week_on_board(here, rows) if is_quiet else ""
    return _board_with_tag(
        HallData(
            tables=tables,
            tournaments=[_calls_with_names(here, view) for view in calling],
            puzzle=puzzle,
        )
    )


def recent_results(here: Services, limit: int) -> list[BoardData]:
    """The public views of decided encuentros; those opened last come first."""
    with here.reads.reading() as rows:
        return views_with_names(here, rows, board_rows.latest_decided_encuentros(rows, limit))


def public_views_of_encuentros(here: Services, encuentros: Sequence[str]) -> list[BoardData]:
    """The public views of some encuentros, in their order."""
    with here.reads.reading() as rows:
        return views_with_names(here, rows, board_rows.find_public_encuentros(rows, encuentros))


def views_with_names(
    here: Services, rows: sqlite3.Cursor, views: Sequence[PublicTableData]
) -> list[BoardData]:
    """Public views with the names of their players and pairs."""
    pairs = pair_name_ids_by_encuentro(rows, [view.id for view in views])
    return [_public_board_data(here, view, pairs) for view in views]


def _calls_with_names(here: Services, view: HallTournamentData) -> CallsData:
    """A tournament that calls pairs to tables, with names.

    Only the first tables, if there are many.
    """
    calls = view.calls[:MOST_CALLS]
    pairs = [pair for call in calls for pair in call.pairs]
    names = here.persons.names_of(who for pair in pairs for who in pair.players)
    titles = club_pair_names_by_players(here, (pair.players for pair in pairs))
    named = [
        view_as(
            NamedCallData,
            call,
            pairs=[
                view_as(
                    NamedPairData,
                    pair,
                    players=[names[who] for who in pair.players],
                    name=titles.get(tuple(pair.players), ""),
                )
                for pair in call.pairs
            ],
        )
        for call in calls
    ]
    name = here.persons.text_by_id(view.name)
    return view_as(CallsData, view, name=name, calls=named, called=len(view.calls))


def session_board(here: Services, session_id: UUID) -> Board[SessionTablesData]:
    """The board of an evening (session): its tables in play, then the finished ones.

    :raises NotFound: there is no such session
    """
    with here.reads.reading() as rows:
        evening = seasons.find_session_view(rows, session_id)
        if evening is None:
            raise NotFound(str(session_id))
        found = board_rows.find_public_encuentros(rows, evening.encuentros)
        pairs = pair_name_ids_by_encuentro(rows, evening.encuentros)
    playing = sorted(found, key=lambda view: view.decided is not None)
    return _board_with_tag(
        SessionTablesData(
            tables=[_public_board_data(here, view, pairs) for view in playing[:MOST_TABLES]]
        )
    )


def _public_board_data(
    here: Services, view: PublicTableData, pairs: Mapping[str, Mapping[SideName, TextId]]
) -> BoardData:
    seats = {seat: here.persons.name(person) for seat, person in view.seats.items()}
    named = pairs.get(view.id, {})
    texts = here.persons.texts_by_id(named.values()) if named else {}
    titles = {side: text for side, name in named.items() if (text := texts[name])}
    board: BoardData = view_as(BoardData, view, seats=seats, pairs=titles, article=None)
    if not here.referee.settings.are_records_public():
        return _without_cards(board)
    lost = view.partida and view.partida.renuncio
    if not lost:
        return board
    opened = here.referee.encuentros.encuentro(UUID(view.id)).opened
    assert opened is not None
    return replace(board, article=article_of_rule(Rule(lost.rule), opened.profile))


def _without_cards(view: BoardData) -> BoardData:
    """A public view without any card of the record, for a club whose records are not public."""
    partida = view.partida
    if partida is None:
        return view
    deal = partida.deal and replace(partida.deal, last=None)
    return replace(view, partida=replace(partida, renuncio=None, deal=deal))


def await_table_board(encuentro_id: UUID) -> Board[BoardData]:
    """The public view of an encuentro, once the read side has it, and its tag: a hash of that view.

    :raises NotFound: there is none
    """
    await_board_row(encuentro_id)
    return table_board(current_services(), encuentro_id)


def await_board_row(encuentro_id: UUID) -> None:
    """Wait for the public view of an encuentro, if the read side has not written it yet.

    :raises NotFound: there is none
    """
    await_row_or_not_found(
        lambda rows: board_rows.find_public_encuentro(rows, encuentro_id), encuentro_id
    )
