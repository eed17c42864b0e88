"""Events of a club evening (a session), and of a season."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, Fact, PersonId, TextId
from referee.events.club import PairId
from referee.events.encuentro import FrozenProfile
from referee.events.fees import FeesAct

DrawMethod: TypeAlias = Literal["seed", "rotation", "strength", "hand"]
DrawnSide: TypeAlias = tuple[PersonId, ...]
Competitors: TypeAlias = Literal["persons", "pairs"]
"""Who competes: persons, whose partners are drawn, or fixed pairs."""


class SeasonScoring(Fact, frozen=True):
    """A club's own rule of points: what each of these is worth to a player."""

    encuentro_won: int = 1
    encuentro_level: int = 0
    encuentro_lost: int = 0
    coto_won: int = 0
    partida_won: int = 0
    attendance: int = 0


class SeasonOpened(Act, frozen=True, tag="season_open"):
    """Sessions from one day to another (``2026-09-01``; empty: open) count together.

    ``of``: its table is one of persons or of pairs; so are its sessions.
    ``rules``: a profile or a set of rules of the club, for sessions that name none.
    """

    name: TextId
    since: str = ""
    until: str = ""
    scoring: SeasonScoring = SeasonScoring()
    of: Competitors = "persons"
    rules: str = ""


class ScoringSet(Act, frozen=True, tag="scoring"):
    """Another rule of points, for the whole season."""

    scoring: SeasonScoring


class PlannedSession(Fact, frozen=True):
    """A day on which a session is to be held; ``time`` as ``20:30``, empty if not said."""

    date: str
    time: str = ""
    place: TextId = ""


class CalendarSet(Act, frozen=True, tag="calendar"):
    """The calendar of a season, in the order of its days; set again, it replaces the earlier."""

    sessions: tuple[PlannedSession, ...]


class SeasonClosed(Act, frozen=True, tag="season_close"):
    """No session is added any more; results may still be corrected."""


class SessionOpened(Act, frozen=True, tag="session_open"):
    """An evening begins. ``tables``: number of tables in the room; 0 for no limit.

    ``of``: persons come, and partners are drawn, or pairs come, and stay together.
    """

    date: str
    profile: FrozenProfile
    name: TextId = ""
    place: TextId = ""
    season: str = ""
    tables: int = 0
    of: Competitors = "persons"


class SessionChanged(Act, frozen=True, tag="session_change"):
    """The evening is held otherwise than it was opened: every value as it is from now on."""

    date: str
    profile: FrozenProfile
    name: TextId = ""
    place: TextId = ""
    season: str = ""
    tables: int = 0


class PlayerCame(Act, frozen=True, tag="came"):
    """A player arrived."""

    person: PersonId


class PlayerLeft(Act, frozen=True, tag="left"):
    """A player left."""

    person: PersonId


class PairCame(Act, frozen=True, tag="pair_came"):
    """A pair arrived: its two players, and the id under which the club knows it."""

    pair: PairId
    players: tuple[PersonId, ...]


class PairLeft(Act, frozen=True, tag="pair_left"):
    """A pair left, both of its players."""

    pair: PairId


class DrawnTable(Fact, frozen=True):
    """A table: its number, and who sits on each side of it."""

    number: int
    sides: tuple[DrawnSide, ...]


class TablesDrawn(Act, frozen=True, tag="tables"):
    """Who plays whom: by a seed, by rotation (and a seed), by strength, or entered by hand.

    ``together``: partners who were not to be parted. ``strengths``: ratings used for the order.
    ``rested``: how often each of those who are there sat out before; who did least often sits out.
    Draws of before have none.
    """

    method: DrawMethod
    tables: tuple[DrawnTable, ...]
    seed: str = ""
    together: tuple[DrawnSide, ...] = ()
    strengths: dict[PersonId, int] = {}
    rested: dict[PersonId, int] = {}


class TablesOpened(Act, frozen=True, tag="tables_open"):
    """The tables begin to play: ids of their encuentros, in order."""

    encuentros: tuple[str, ...]


class TablesTakenBack(Act, frozen=True, tag="tables_back"):
    """The tables opened last do not play: nothing was recorded at them. Their draw stands."""


class SessionClosed(Act, frozen=True, tag="session_close"):
    """The evening is over; results may still come in and be corrected."""


class SessionReopened(Act, frozen=True, tag="session_reopen"):
    """The evening goes on: it was closed too early."""


class AddressRenewed(Act, frozen=True, tag="address_renew"):
    """A table or a pair of the evening gets another address; its earlier ones are worth nothing.

    Either the number of the table, from 1, or the id of the pair.
    """

    table: int = 0
    pair: PairId = ""


SeasonAct: TypeAlias = SeasonOpened | ScoringSet | CalendarSet | FeesAct | SeasonClosed
SessionAct: TypeAlias = (
    SessionOpened
    | SessionChanged
    | PlayerCame
    | PlayerLeft
    | PairCame
    | PairLeft
    | TablesDrawn
    | TablesOpened
    | TablesTakenBack
    | AddressRenewed
    | FeesAct
    | SessionClosed
    | SessionReopened
)
