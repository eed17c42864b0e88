"""Views of seasons and their evenings."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from projections.board.views import ProfileIdData
from projections.facts import plain_values, view_of
from projections.views import view_as
from referee.aggregates.fees import Fees
from referee.aggregates.season import Season
from referee.aggregates.session import Session, next_draw_seed_prefix, players_per_table
from referee.events import Competitors, PairId, PersonId, TablesDrawn, TextId


class PrizeIdData(msgspec.Struct, frozen=True):
    """A prize: an amount in cents, or words by their id."""

    amount: int
    words: TextId


class PrizesData(msgspec.Struct, frozen=True):
    """Entry fee of each player in cents, and the prizes by place; who has paid is never shown."""

    fee: int
    prizes: list[PrizeIdData]


class SeasonFactsData(msgspec.Struct, frozen=True):
    """View of a season without its name. ``rules``: of its evenings that name none; may be empty.

    ``fee``: what each pays, in cents; 0 if nothing.
    """

    id: str
    version: int
    since: str
    until: str
    scoring: dict[str, int]
    rules: str
    closed: bool
    of: Competitors
    fee: int


class PlannedSessionData(msgspec.Struct, frozen=True):
    """A day of the calendar of a season; the place by its id."""

    date: str
    time: str
    place: TextId


class SeasonData(SeasonFactsData, frozen=True):
    """The official view of a season; its name by its id."""

    name: TextId
    calendar: list[PlannedSessionData]
    prizes: list[PrizeIdData]


class DrawnTableData(msgspec.Struct, frozen=True):
    """A table of the draw: its number, and the persons of each side."""

    number: int
    sides: list[list[PersonId]]


class SessionDrawData(msgspec.Struct, frozen=True):
    """A draw of the tables of a session.

    ``together``: partners who were not to be parted; ``strengths``: ratings used for the order;
    ``rested``: how often each sat out before; ``resting``: who sits out;
    ``seal``: what was mixed with the seed.
    """

    method: str
    tables: list[DrawnTableData]
    seed: str
    together: list[list[PersonId]]
    strengths: dict[PersonId, int]
    rested: dict[PersonId, int]
    resting: list[PersonId]
    seal: str


class OpenedTableData(msgspec.Struct, frozen=True):
    """A table that was opened: its encuentro, its number, and fixed pairs of its sides, if any."""

    encuentro: str
    number: int
    pairs: list[PairId]


class SessionFactsData(msgspec.Struct, frozen=True):
    """Fields that the views of an evening share, without name and place."""

    id: str
    version: int
    date: str
    season: str
    closed: bool
    players: int
    profile: ProfileIdData
    of: Competitors


class SessionShortData(SessionFactsData, frozen=True):
    """A session in a list, with the counts of players and of tables."""

    name: TextId
    place: TextId
    attended: int
    encuentros: int


class SessionBodyData(SessionFactsData, frozen=True):
    """View of an evening without name, place, prizes and the encuentros of its tables.

    ``fee``: what each pays, in cents; 0 if nothing.
    """

    tables: int
    present: list[PersonId]
    pairs: dict[PairId, list[PersonId]]
    attended: list[PersonId]
    draws: list[SessionDrawData]
    sat_out: dict[PersonId, int]
    opened: list[OpenedTableData]
    waiting: bool
    seal: str
    fee: int


class SessionData(SessionBodyData, frozen=True):
    """The official view of a session; persons, encuentros, name, place and prizes by their ids."""

    name: TextId
    place: TextId
    prizes: list[PrizeIdData]
    encuentros: list[str]


def season_view(season: str, state: Season) -> SeasonData:
    """A season; its name by its id."""
    opened = state.opened
    assert opened is not None
    return view_as(
        SeasonData,
        _prizes_view(state.fees),
        id=season,
        version=state.version,
        name=opened.name,
        since=opened.since,
        until=opened.until,
        scoring=plain_values(state.scoring),
        rules=opened.rules,
        closed=state.is_closed,
        of=opened.of,
        calendar=[view_of(PlannedSessionData, one) for one in state.calendar],
    )


def session_view(session: str, state: Session) -> SessionData:
    """An evening as data; ids stand for its name, its place and its persons."""
    opened = state.opened
    assert opened is not None
    return view_as(
        SessionData,
        _prizes_view(state.fees),
        id=session,
        version=state.version,
        season=opened.season,
        name=opened.name,
        place=opened.place,
        date=opened.date,
        tables=opened.tables,
        players=players_per_table(state),
        profile={"id": opened.profile.id, "edition": opened.profile.edition},
        of=opened.of,
        present=list(state.present),
        pairs={pair: list(players) for pair, players in state.pairs.items()},
        attended=list(state.persons_who_played_or_are_there),
        draws=[
            table_draw_view(one, resting, seal)
            for one, resting, seal in zip(state.draws, state.resting, state.seals, strict=True)
        ],
        sat_out=dict(state.sit_out_counts),
        opened=[
            OpenedTableData(encuentro=one.encuentro, number=one.number, pairs=list(one.pairs))
            for one in state.tables
        ],
        waiting=state.is_waiting,
        seal=next_draw_seed_prefix(state),
        encuentros=list(state.encuentro_ids),
        closed=state.is_closed,
    )


def _prizes_view(fees: Fees) -> PrizesData:
    """Public view of the fees and prizes."""
    if fees.terms is None:
        return PrizesData(fee=0, prizes=[])
    prizes = [view_of(PrizeIdData, one) for one in fees.terms.prizes]
    return PrizesData(fee=fees.terms.fee, prizes=prizes)


def shorten_session_view(view: SessionData) -> SessionShortData:
    """An evening in a list, with the counts of players and of tables."""
    return SessionShortData(
        id=view.id,
        version=view.version,
        date=view.date,
        season=view.season,
        closed=view.closed,
        players=view.players,
        profile=view.profile,
        of=view.of,
        name=view.name,
        place=view.place,
        attended=len(view.attended),
        encuentros=len(view.encuentros),
    )


def table_draw_view(draw: TablesDrawn, resting: Iterable[PersonId], seal: str) -> SessionDrawData:
    """View of a draw of tables, with who sits out and what was mixed into its seed."""
    more = {"resting": list(resting), "seal": seal}
    return msgspec.convert({**plain_values(draw), **more}, SessionDrawData, from_attributes=True)
