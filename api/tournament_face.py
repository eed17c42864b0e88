"""The face of a tournament: its view in the words and the order of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from api.i18n import UNKNOWN, say

View = Mapping[str, Any]
SHORT_NAME: Final = 25
"""Signs of a pair that fit into its line of a drawing."""
_NAMED_ROUNDS: Final = ("final", "semifinal", "quarter", "eighth", "sixteenth", "thirtysecond")


@dataclass(frozen=True, slots=True)
class PairFace:
    """A pair: its number, the names of its players, and whether it has left."""

    number: str
    players: tuple[str, ...]
    until: int

    @property
    def name(self) -> str:
        """Its players in one line."""
        return " · ".join(self.players)

    @property
    def short(self) -> str:
        """The same, as long as a line of a drawing: first names and initials if need be.

        >>> PairFace("1", ("María Íñiguez", "Juan Antonio Lahoz Marín"), 0).short
        'María Í. · Juan M.'
        """
        if len(self.name) <= SHORT_NAME:
            return self.name
        words = [name.split() for name in self.players]
        brief = " · ".join(f"{one[0]} {one[-1][0]}." if one[1:] else "".join(one) for one in words)
        return brief if len(brief) <= SHORT_NAME else f"{brief[: SHORT_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class MeetingFace:
    """A cruce: the two pairs, where they play, how it ended or how far it is.

    ``mark``: called, playing, open, provisional or done; ``cotos``: empty as long as it is open.
    """

    id: str
    title: str
    pairs: tuple[PairFace, PairFace]
    table: int
    encuentro: str
    mark: str
    winner: str | None
    cotos: tuple[int, ...]
    partidas: tuple[int, ...]
    is_walkover: bool
    is_pending: bool

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return self.winner is not None

    def other(self, pair: str) -> PairFace:
        """Whom a pair meets in it."""
        return self.pairs[self.pairs[0].number == pair]

    def outcome(self, pair: str) -> str:
        """How it ended for a pair: won, lost, level, or how far it is."""
        if self.winner is None:
            return self.mark
        return "level" if self.winner == "" else "won" if self.winner == pair else "lost"

    def score(self, pair: str) -> tuple[int, ...]:
        """Cotos of a pair and of the other."""
        return self.cotos if self.pairs[0].number == pair else self.cotos[::-1]


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The clock of a round: when it ends, as an ISO text and in milliseconds; whether it runs."""

    ends: str
    ends_ms: int
    is_running: bool


@dataclass(frozen=True, slots=True)
class RoundFace:
    """A round: who meets whom, who rests, its clock."""

    phase: str
    number: int
    title: str
    bye: PairFace | None
    meetings: tuple[MeetingFace, ...]
    clock: ClockFace | None

    @property
    def is_over(self) -> bool:
        """Whether every cruce of it has a result."""
        return all(one.is_over for one in self.meetings)

    @property
    def played(self) -> int:
        """How many have a result."""
        return sum(1 for one in self.meetings if one.is_over)


class TournamentFace:
    """A tournament in a language. What a page does not show is not worked out."""

    def __init__(self, view: View, lang: str) -> None:
        self.view, self.lang = view, lang

    @cached_property
    def pairs(self) -> Mapping[str, PairFace]:
        """Every pair by its number."""
        return {
            one["pair"]: PairFace(
                one["pair"], tuple(name or UNKNOWN for name in one["players"]), one["until"]
            )
            for one in self.view["pairs"]
        }

    @cached_property
    def rounds(self) -> tuple[RoundFace, ...]:
        """The rounds as drawn."""
        return tuple(self._round(one) for one in self.view["rounds"])

    @property
    def now(self) -> RoundFace | None:
        """The round that is played: the first that is not over, else the last."""
        waiting = (one for one in self.rounds if not one.is_over)
        return next(waiting, self.rounds[-1] if self.rounds else None)

    @property
    def called(self) -> list[MeetingFace]:
        """Those that are called to their tables, by table."""
        found = [one for each in self.rounds for one in each.meetings if one.mark == "called"]
        return sorted(found, key=lambda one: one.table)

    @property
    def champion(self) -> PairFace | None:
        """Who has won."""
        return self.pairs.get(self.view["champion"] or "")

    @cached_property
    def brackets(self) -> Mapping[str, list[View]]:
        """Ties of each bracket, the main one first."""
        ties = sorted(self.view["bracket"], key=lambda tie: _BRACKETS.index(tie["bracket"]))
        return {name: list(its) for name, its in groupby(ties, key=lambda tie: tie["bracket"])}

    @cached_property
    def meetings(self) -> Mapping[str, MeetingFace]:
        """Every cruce by its id."""
        return {one.id: one for each in self.rounds for one in each.meetings}

    def of_pair(self, pair: str) -> list[MeetingFace]:
        """The cruces of a pair, in order."""
        return [one for one in self.meetings.values() if pair in {p.number for p in one.pairs}]

    def at_table(self, table: int) -> list[MeetingFace]:
        """The cruces at a table, the one that is played or comes next first, then back in time."""
        its = [one for one in self.meetings.values() if one.table == table]
        waiting = [one for one in its if not one.is_over]
        return waiting + [one for one in reversed(its) if one.is_over]

    def found(self, wanted: str) -> list[PairFace]:
        """Pairs by their number or by a piece of a name."""
        asked = wanted.strip().casefold()
        if asked.isdigit():
            return [one for one in self.pairs.values() if one.number == asked]
        return [one for one in self.pairs.values() if asked in one.name.casefold()]

    def bracket_title(self, bracket: str) -> str:
        """Name of a bracket."""
        return say(f"tournament_page.bracket_{bracket}", self.lang)

    def tie_round(self, bracket: str, number: int) -> str:
        """Name of a round of a bracket: final, semifinal, …"""
        if bracket == "third":
            return self.bracket_title(bracket)
        left = max(tie["round"] for tie in self.brackets[bracket]) - number
        if left < len(_NAMED_ROUNDS):
            return say(f"tournament_page.{_NAMED_ROUNDS[left]}", self.lang)
        return say("tournament_page.round_n", self.lang, n=number)

    # --- how it is put together ------------------------------------------------------------------

    @cached_property
    def _tie_of(self) -> Mapping[str, View]:
        return {tie["meeting"]: tie for tie in self.view["bracket"]}

    @cached_property
    def _pending(self) -> frozenset[str]:
        return frozenset(one["meeting"] for one in self.view["pending"])

    def _round(self, one: View) -> RoundFace:
        meetings = tuple(self._meeting(each) for each in one["meetings"])
        titles = {each.title for each in meetings}
        title = say("tournament_page.round_n", self.lang, n=one["number"])
        if one["phase"] == "knock_out" and meetings:
            main = (each.title for each in meetings if self._bracket_of(each.id) == "main")
            title = next(main, min(titles))
        return RoundFace(
            one["phase"],
            one["number"],
            title,
            self.pairs.get(one["bye"]),
            meetings,
            _clock(one["clock"]),
        )

    def _bracket_of(self, meeting: str) -> str:
        return str(self._tie_of[meeting]["bracket"]) if meeting in self._tie_of else ""

    def _meeting(self, one: View) -> MeetingFace:
        first, second = (self.pairs[pair] for pair in one["pairs"])
        is_over = one["winner"] is not None
        return MeetingFace(
            id=one["id"],
            title=self._title(one),
            pairs=(first, second),
            table=one["table"],
            encuentro=one["encuentro"],
            mark=_mark(one),
            winner=one["winner"],
            cotos=tuple(one["cotos"]) if is_over else (),
            partidas=tuple(one["partidas"]) if is_over else (),
            is_walkover=one["is_walkover"],
            is_pending=one["id"] in self._pending,
        )

    def _title(self, one: View) -> str:
        tie = self._tie_of.get(one["id"])
        if tie is None:
            return say("tournament_page.round_n", self.lang, n=one["round"])
        title = self.tie_round(tie["bracket"], tie["round"])
        if tie["bracket"] != "consolation":
            return title
        return f"{self.bracket_title('consolation')} · {title}"


_BRACKETS: Final = ("main", "third", "consolation")


def _mark(one: View) -> str:
    if one["winner"] is not None:
        return "provisional" if one["stage"] == "provisional" else "done"
    if one["stage"] == "playing":
        return "playing"
    return "called" if one["called"] else "open"


def _clock(clock: View | None) -> ClockFace | None:
    if clock is None:
        return None
    ends = datetime.fromisoformat(clock["started"]) + timedelta(minutes=clock["minutes"])
    is_running = clock["stopped"] is None
    return ClockFace(ends.isoformat(), int(ends.timestamp() * 1000), is_running)


def portion(rows: Sequence[Any], since: int, size: int) -> tuple[Sequence[Any], list[int]]:
    """Rows from one on (from 1), and where each portion of them begins."""
    starts = list(range(1, max(2, len(rows) + 1), size))
    return rows[since - 1 : since - 1 + size], starts


def by_group(face: TournamentFace) -> Iterator[tuple[View, Mapping[tuple[str, str], MeetingFace]]]:
    """Each group with the cruces of its pairs, each by both pairs in either order."""
    met = {
        key: one
        for each in face.rounds
        if each.phase == "groups"
        for one in each.meetings
        for key in (_key(one), _key(one)[::-1])
    }
    for group in face.view["groups"]:
        its = set(group["pairs"])
        yield group, {key: one for key, one in met.items() if its >= set(key)}


def _key(one: MeetingFace) -> tuple[str, str]:
    return one.pairs[0].number, one.pairs[1].number
