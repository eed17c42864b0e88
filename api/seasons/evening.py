"""An evening as its page shows it: tables drawn and playing, who sits out, who left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from api.club import views as club_views
from api.http.languages import language, say
from api.http.services import current_services
from api.seasons import views
from api.seasons.points import names_of_persons
from projections.scores.projection import running_encuentro_ids_of_persons
from projections.views import view_as
from referee.aggregates.session import Session
from referee.events import PersonId, SideName
from referee.rules.seats import SIDES, side_of


class Drawn(NamedTuple):
    """Tables that were drawn and do not play yet: number and names by side; who sits out.

    ``is_stale``: somebody came or left since.
    """

    tables: list[tuple[int, list[str]]]
    resting: list[str]
    is_stale: bool


class EveningPlayerData(msgspec.Struct, frozen=True):
    """A player of a table. ``name``: nothing if it was erased."""

    person: PersonId
    name: str | None


class EveningSideData(msgspec.Struct, frozen=True):
    """A side of a table with its players.

    ``pair``: name of its pair, empty if it has none; ``cotos``: partidas if their number is fixed.
    """

    side: SideName
    pair: str
    players: list[EveningPlayerData]
    cotos: int
    has_won: bool


class EveningTableData(views.SessionTableData, frozen=True):
    """A table of an evening as its page shows it. ``names``: those of the players of each side."""

    sides: list[EveningSideData]
    names: dict[SideName, list[str]]


def tables_that_cannot_open(state: Session) -> dict[int, str]:
    """Drawn tables that cannot open, and the encuentro at which one of their players still sits."""
    assert state.opened is not None
    if state.unopened_draw is None:
        return {}
    found = {}
    with current_services().reads.reading() as rows:
        for table in state.unopened_draw.tables:
            persons = {person for side in table.sides for person in side}
            if running := running_encuentro_ids_of_persons(rows, persons, state.opened.date):
                found[table.number] = running[0]
    return found


def ids_and_names_to_seat(
    view: views.WholeSessionData, titles: dict[str, str]
) -> list[tuple[str, str]]:
    """Persons or pairs who can be seated by hand: ids and names."""
    if view.of == "pairs":
        return [(pair, _pair_title(view, pair, titles)) for pair in view.pairs]
    return [(one, _name(view, one)) for one in view.present]


def names_present_twice(view: views.WholeSessionData) -> list[str]:
    """Names of persons who are present twice, since two entries of the club are one person."""
    parts = view.pairs if view.of == "pairs" else {one: [one] for one in view.present}
    club = current_services().referee.players.club()
    return [_name(view, person) for person in club.parts_by_repeated_person(parts)]


def _name(view: views.WholeSessionData, person: PersonId) -> str:
    return view.names.get(person) or say("grammar.nameless", language())


def _pair_title(view: views.WholeSessionData, pair: str, titles: dict[str, str]) -> str:
    return titles.get(pair) or " · ".join(_name(view, who) for who in view.pairs[pair])


def _side_title(view: views.WholeSessionData, side: list[PersonId], titles: dict[str, str]) -> str:
    """A side by the name of its pair, if it has one, and its players."""
    names = " · ".join(_name(view, who) for who in side)
    pair = next((one for one, both in view.pairs.items() if set(both) == set(side)), "")
    title = titles.get(pair, names)
    return title if title == names or not pair else f"{title} ({names})"


def draw_display(view: views.WholeSessionData, titles: dict[str, str]) -> Drawn:
    """The latest draw, whose tables are not open yet, with names."""
    draw = view.draws[-1]
    seated = {who for table in draw.tables for side in table.sides for who in side}
    known = {*seated, *draw.resting}
    pairs = [one for one, both in view.pairs.items() if set(both) <= set(draw.resting)]
    alone = [] if view.pairs else draw.resting
    return Drawn(
        [
            (table.number, [_side_title(view, side, titles) for side in table.sides])
            for table in draw.tables
        ],
        [*(_pair_title(view, one, titles) for one in pairs), *(_name(view, one) for one in alone)],
        known != set(view.present),
    )


def next_table_number(tables: Sequence[EveningTableData]) -> int:
    """Number of the first table put by hand: above those that are still playing."""
    return max((one.table for one in tables if not one.decided), default=0) + 1


def is_table_untouched(table: EveningTableData) -> bool:
    """Whether nothing was recorded at a table."""
    return not table.partidas and table.decided is None


def tables_without_confirmation(tables: Sequence[EveningTableData]) -> list[EveningTableData]:
    """Tables whose result not everybody has confirmed."""
    return [one for one in tables if one.decided and one.result in ("provisional", "disputed")]


def may_take_back_tables(state: Session, tables: Sequence[EveningTableData]) -> bool:
    """Whether the tables opened last can be taken back: nothing was recorded at them."""
    if not state.openings or state.is_closed:
        return False
    last = {one.encuentro for one in state.tables[-state.openings[-1].tables :]}
    found = [one for one in tables if one.id in last]
    return len(found) == len(last) and all(is_table_untouched(one) for one in found)


def ids_and_names_of_departed(
    view: views.WholeSessionData, asked: Sequence[str], titles: dict[str, str]
) -> list[tuple[str, str]]:
    """Who was taken off just now, and is not back: ids and names."""
    if view.of == "pairs":
        every = {one.pair: one.title for one in club_views.pairs()} if asked else titles
        return [(one, every[one]) for one in asked if one in every and one not in view.pairs]
    names = names_of_persons(asked)
    return [(one, names[one]) for one in asked if one in names and one not in view.present]


def evening_tables(view: views.WholeSessionData) -> list[EveningTableData]:
    """Tables as they play, with their sides and names."""
    return [
        view_as(
            EveningTableData,
            one,
            sides=(found := _sides(one, view.names)),
            names=_names_by_side(found),
        )
        for one in view.encuentros
    ]


def _names_by_side(found: list[EveningSideData]) -> dict[SideName, list[str]]:
    nobody = say("grammar.nameless", language())
    return {one.side: [who.name or nobody for who in one.players] for one in found}


def _sides(one: views.SessionTableData, names: dict[PersonId, str]) -> list[EveningSideData]:
    seats, decided = one.seats.items(), one.decided
    return [
        EveningSideData(
            side=side,
            pair=one.pairs.get(side, ""),
            players=[
                EveningPlayerData(person=who, name=names.get(who))
                for seat, who in seats
                if side_of(seat) == side
            ],
            cotos=getattr(one.standing, one.final.counts).get(side, 0),
            has_won=decided is not None and decided.winner == side,
        )
        for side in SIDES[one.players]
    ]
