"""The display of a round of a tournament: pairs, cruces, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from api.http.languages import say
from api.http.names import brief_name
from projections.tournaments.rounds import ClockData

SHORT_NAME: Final = 25
"""Characters of a pair that fit into its line of a drawing."""


@dataclass(frozen=True, slots=True)
class PairDisplay:
    """A pair: its number, the names of its players, whether it has withdrawn, its own name."""

    number: str
    players: tuple[str, ...]
    is_out: bool = False
    title: str = ""

    @property
    def name(self) -> str:
        """Name of the pair, or its players in one line."""
        return self.title or self.players_in_one_line

    @property
    def players_in_one_line(self) -> str:
        """Players of the pair in one line."""
        return " · ".join(self.players)

    @property
    def short_name(self) -> str:
        """Name that fits a line of a bracket: first names and initials if need be.

        >>> PairDisplay("1", ("María Íñiguez", "Juan Antonio Lahoz Marín")).short_name
        'María Í. · Juan M.'
        >>> PairDisplay("1", ("sin nombre", "Juan Antonio Lahoz Marín")).short_name
        'sin nombre · Juan M.'
        """
        if len(self.name) <= SHORT_NAME:
            return self.name
        if self.title:
            return f"{self.title[: SHORT_NAME - 1]}…"
        found = " · ".join(
            brief_name(name) if name[:1].isupper() else name for name in self.players
        )
        return found if len(found) <= SHORT_NAME else f"{found[: SHORT_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class MeetingDisplay:
    """A cruce: the two pairs, the table, the outcome or the stage.

    ``draw``: the name of its bracket if it is not the main one. ``mark``: called, playing, open,
    provisional, disputed or done; ``cotos``: none while it is open.
    """

    id: str
    round: int
    title: str
    draw: str
    pairs: tuple[PairDisplay, PairDisplay]
    table: int
    encuentro: str
    mark: str
    winner: str | None
    cotos: tuple[int, ...]
    partidas: tuple[int, ...]
    is_walkover: bool
    is_correction_pending: bool
    hour: str = ""
    table_name: str = ""

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return self.winner is not None

    @property
    def is_lost_by_both(self) -> bool:
        """Whether neither pair came."""
        return self.winner == "" and self.is_walkover

    @property
    def stage_or_absence(self) -> str:
        """Stage of the cruce, or that a pair (``walkover``) or both (``nobody``) did not come."""
        if self.is_lost_by_both:
            return "nobody"
        return "walkover" if self.is_walkover else self.mark

    def opponent_of_pair(self, pair: str) -> PairDisplay:
        """The opponent of a pair."""
        return self.pairs[self.pairs[0].number == pair]

    def outcome_or_stage_for_pair(self, pair: str) -> str:
        """Outcome for a pair: won, lost, level, or the stage."""
        if self.winner is None:
            return self.mark
        if self.is_lost_by_both:
            return "lost"
        return "level" if self.winner == "" else "won" if self.winner == pair else "lost"

    def cotos_of_pair_and_opponent(self, pair: str) -> tuple[int, ...]:
        """Cotos of a pair and of the other."""
        return self.cotos if self.pairs[0].number == pair else self.cotos[::-1]


@dataclass(frozen=True, slots=True)
class ClockDisplay:
    """The clock of a round: when it ends, as an ISO text and in milliseconds; whether it runs."""

    ends: str
    ends_ms: int
    is_running: bool

    def minutes_left(self, now: datetime) -> int:
        """Minutes that are left, one begun counting as one; 0 or less when it is over."""
        return ceil((self.ends_ms / 1000 - now.timestamp()) / 60)


@dataclass(frozen=True, slots=True)
class RoundDisplay:
    """A round: cruces, byes, clock. ``number``: its place among all rounds.

    ``rematches``, ``rest_again``: who meet again, or rest again, because nothing else was possible.
    """

    phase: str
    number: int
    title: str
    byes: tuple[PairDisplay, ...]
    meetings: tuple[MeetingDisplay, ...]
    clock: ClockDisplay | None
    rematches: tuple[tuple[PairDisplay, PairDisplay], ...] = ()
    rest_again: tuple[PairDisplay, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every cruce of it has a result."""
        return all(one.is_over for one in self.meetings)

    @property
    def result_count(self) -> int:
        """Number of cruces with a result."""
        return sum(1 for one in self.meetings if one.is_over)


def side_bracket_title(bracket: str, lang: str) -> str:
    """Name of a bracket that is not the main one; empty for the main one, and for none.

    >>> side_bracket_title("consolation", "es"), side_bracket_title("main", "es")
    ('Consolación', '')
    """
    return "" if bracket in ("", "main") else say(f"tournament_page.bracket_{bracket}", lang)


def clock_display(clock: ClockData | None) -> ClockDisplay | None:
    """The display of a clock, if there is one."""
    if clock is None:
        return None
    ends = datetime.fromisoformat(clock.started) + timedelta(minutes=clock.minutes)
    is_running = clock.stopped is None
    return ClockDisplay(ends.isoformat(), int(ends.timestamp() * 1000), is_running)
