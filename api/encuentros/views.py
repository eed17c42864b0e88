"""Views of encuentros and partidas for routes and pages, with names and texts filled in."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID

import msgspec

from api.http import moments
from api.http.rows import RowT, await_row_or_not_found, parse_cursor
from api.http.services import Services, current_services
from api.http.table_names import TableNames
from api.profiles.findings import findings_with_text_and_article
from projections.board.views import ProfileIdData
from projections.cases import projection as case_rows
from projections.cases.projection import WarningRow
from projections.legality.findings import WordedFindingData, findings_of
from projections.replay.frames import PastPartidaData, partida_view_at_line
from projections.scores import projection as score_rows
from projections.scores.encuentros import (
    EncuentroData,
    EncuentroFactsData,
    StandingData,
    WinnerData,
)
from projections.scores.partidas import PartidaData
from projections.seasons.pairs import pair_name_ids_by_encuentro
from projections.views import view_as
from referee.errors import NotFound
from referee.events import FourEyes, PersonId, SeatName, SideName, options_from
from referee.kinds import partida_id


def official_partida_view(encuentro_id: UUID, number: int) -> PartidaData:
    """The official view of a partida.

    :raises NotFound: there is none
    """
    key = partida_id(encuentro_id, number)

    def read_partida(rows: sqlite3.Cursor) -> PartidaData | None:
        view = score_rows.find_partida_without_findings(rows, key)
        return None if view is None else view_as(PartidaData, view, findings=findings_of(rows, key))

    return await_row_or_not_found(read_partida, key)


class NamedEncuentroData(EncuentroFactsData, frozen=True):
    """The official view of an encuentro, with its place and the names of its players."""

    place: str | None
    names: dict[PersonId, str]


class OfficialEncuentroData(NamedEncuentroData, frozen=True):
    """The same with what the club chose about two persons, which a device has to know."""

    four_eyes: FourEyes


class ListedEncuentroData(msgspec.Struct, frozen=True):
    """An encuentro in a list. ``running``: the number of the partida that is played."""

    id: str
    version: int
    date: str
    table: int
    place: str | None
    players: int
    seats: dict[SeatName, PersonId]
    names: dict[PersonId, str]
    standing: StandingData
    decided: WinnerData | None
    profile: ProfileIdData
    partidas: int
    running: int | None


class EncuentroPageData(msgspec.Struct, frozen=True):
    """A page of the list of encuentros; ``next``: the cursor of the page after it."""

    items: list[ListedEncuentroData]
    next: str | None


class FindingsData(msgspec.Struct, frozen=True):
    """Findings of a partida of this version, in words."""

    version: int
    findings: list[WordedFindingData]


class WarningLineData(msgspec.Struct, frozen=True):
    """Where a warning was given: the partida and the line."""

    partida: int
    line: int


def official_encuentro_view(encuentro_id: UUID) -> OfficialEncuentroData:
    """The official view of an encuentro, with the names of its players.

    :raises NotFound: there is none
    """
    view = await_row_or_not_found(
        lambda rows: score_rows.find_encuentro_view(rows, encuentro_id), encuentro_id
    )
    return view_as(
        OfficialEncuentroData,
        encuentro_with_names(view),
        four_eyes=current_services().referee.settings.four_eyes_choice(),
    )


def encuentro_list_page(cursor: str, limit: int, only: str = "") -> EncuentroPageData:
    """One page of the list of encuentros, the latest first; ``only``: the one that may be seen."""
    if only:
        return EncuentroPageData(
            items=[_list_entry(official_encuentro_view(UUID(only)))], next=None
        )
    before = parse_cursor(cursor)
    with current_services().reads.reading() as rows:
        found = score_rows.encuentros_opened_before(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    return EncuentroPageData(
        items=[_list_entry(encuentro_with_names(view)) for _, view in found[:limit]], next=more
    )


def running_encuentros_of_persons(persons: Collection[PersonId], day: str) -> list[str]:
    """Running encuentros of a day, today without one, at which exactly these persons sit."""
    here = current_services()
    of_day = day or moments.club_day(here.clock()).isoformat()
    with here.reads.reading() as rows:
        return score_rows.running_encuentro_ids_of_persons(rows, persons, of_day)


def findings_view(encuentro_id: UUID, number: int) -> FindingsData:
    """Findings of a partida, in words."""
    view = official_partida_view(encuentro_id, number)
    noticed = findings_with_text_and_article(view.findings, encuentro_id)
    return FindingsData(version=view.version, findings=noticed)


def view_at_line(encuentro_id: UUID, number: int, line: int | None) -> PastPartidaData:
    """The official view after a line; without one, after the last.

    :raises NotFound: no such partida, or no such line in it
    """
    return call_on_history(encuentro_id, number, line, partida_view_at_line)


def call_on_history(
    encuentro_id: UUID, number: int, line: int | None, look: Callable[[Any, int | None], RowT]
) -> RowT:
    """Result of ``look`` on the state of a partida after a line; without one, after the last.

    :raises NotFound: no such partida, or no such line in it
    """
    history = current_services().referee.history(partida_id(encuentro_id, number))
    try:
        return look(history, line)
    except LookupError:
        raise NotFound(str(line)) from None


def encuentro_with_names(view: EncuentroData) -> NamedEncuentroData:
    """The official view of an encuentro with its place and the names of its players."""
    persons = current_services().persons
    drawn = [one for draw in view.draws for one in draw["candidates"]]
    ids = dict.fromkeys([*view.seats.values(), *drawn])
    names = {one: persons.name(one) for one in ids}
    return view_as(
        NamedEncuentroData,
        view,
        place=persons.text_by_id(view.place) if view.place else None,
        names={one: name for one, name in names.items() if name is not None},
    )


def _list_entry(view: NamedEncuentroData) -> ListedEncuentroData:
    running = [one.partida for one in view.partidas if one.how == "undecided"]
    return ListedEncuentroData(
        id=view.id,
        version=view.version,
        date=view.date,
        table=view.table,
        place=view.place,
        players=view.players,
        seats=view.seats,
        names=view.names,
        standing=view.standing,
        decided=view.decided,
        profile=ProfileIdData(id=view.profile.id, edition=view.profile.edition),
        partidas=len(view.partidas),
        running=running[0] if running else None,
    )


def encuentro_warnings_by_side(encuentro_id: UUID) -> dict[SideName, list[WarningLineData]]:
    """Warnings that stand in an encuentro, by side: partida and line of each."""
    with current_services().reads.reading() as rows:
        return warnings_by_side(case_rows.warnings_of_encuentro(rows, encuentro_id))


def warnings_by_side(warned: Iterable[WarningRow]) -> dict[SideName, list[WarningLineData]]:
    """Warnings by side: partida and line of each."""
    found: dict[SideName, list[WarningLineData]] = {}
    for one in warned:
        found.setdefault(one.side, []).append(WarningLineData(partida=one.partida, line=one.line))
    return found


def table_names_of_view(view: NamedEncuentroData | ListedEncuentroData) -> TableNames:
    """Names of players by seat, without names of pairs, from a view of an encuentro."""
    named = {seat: view.names.get(person, "") for seat, person in view.seats.items()}
    return TableNames(view.players, named)


def table_names_of_encuentro(
    here: Services, encuentro_id: UUID, *, with_pairs: bool = True
) -> TableNames:
    """Names of the players and pairs of an encuentro, from the log and the store of names.

    ``with_pairs``: also the names of the pairs that play in it, which the read side knows.

    :raises NotFound: there is no such encuentro
    """
    match = here.referee.encuentros.encuentro(encuentro_id)
    persons = here.persons.names_of(person for _, person in match.seats)
    names = {seat: persons[person] or "" for seat, person in match.seats}
    assert match.opened is not None
    players = options_from(match.opened.profile.options).players
    if not with_pairs:
        return TableNames(players, names)
    with here.reads.reading() as rows:
        titles = pair_name_ids_by_encuentro(rows, [str(encuentro_id)]).get(str(encuentro_id), {})
    texts = here.persons.texts_by_id(titles.values()) if titles else {}
    pairs = {side: text for side, name in titles.items() if (text := texts[name])}
    return TableNames(players, names, pairs)
