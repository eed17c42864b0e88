"""Public views of the rounds of a tournament; only changed rounds are encoded again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from projections.views import view_as
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.outlook import rematches_of_round
from referee.aggregates.tournament.history import Pairing, Round
from referee.aggregates.tournament.state import Clock, Meeting, MeetingOutcome, Tournament
from referee.events.tournament import Format


class ClockData(msgspec.Struct, frozen=True):
    """The clock of a round."""

    started: str
    minutes: int
    stopped: str | None


class MeetingOutcomeData(msgspec.Struct, frozen=True):
    """Outcome of a meeting; its counts are in the order of the two pairs."""

    winner: Pair | None
    cotos: list[int]
    partidas: list[int]
    is_walkover: bool


class MeetingData(MeetingOutcomeData, frozen=True):
    """A meeting of two pairs."""

    id: str
    round: int
    phase: Format
    bracket: str
    pairs: list[Pair]
    table: int
    hour: str
    called: bool
    encuentro: str
    stage: str


class RoundData(msgspec.Struct, frozen=True):
    """A round; ``repeats``: pairs that met before, and with an empty second pair a second bye."""

    number: int
    phase: Format
    bye: Pair
    byes: list[Pair]
    repeats: list[Pairing]
    absent: list[Pair]
    clock: ClockData | None
    meetings: list[MeetingData]


class _RoundSource(NamedTuple):
    """Input of the view of a round."""

    number: int
    phase: Format
    byes: tuple[Pair, ...]
    repeats: tuple[Pairing, ...]
    absent: tuple[Pair, ...]
    clock: Clock | None
    meetings: tuple[Meeting, ...]


class Rounds:
    """Views of the rounds of one tournament.

    A result changes one round; the others stay encoded. At 512 pairs the projector takes a fifth to
    a third longer if it encodes every round.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[_RoundSource, msgspec.Raw]] = {}

    def encode_rounds(self, state: Tournament) -> list[msgspec.Raw]:
        """Every round of a tournament as JSON; only changed ones are encoded again."""
        before, self._kept = self._kept, {}
        for source in _round_view_sources(state):
            known, encoded = before.get(source.number, (None, msgspec.Raw()))
            if known != source:
                encoded = msgspec.Raw(
                    msgspec.json.encode(_round_view(source), order="deterministic")
                )
            self._kept[source.number] = (source, encoded)
        return [encoded for _, encoded in self._kept.values()]


def _round_view_sources(state: Tournament) -> Iterator[_RoundSource]:
    by_round: dict[int, list[Meeting]] = defaultdict(list)
    for one in state.meetings.values():
        by_round[one.round].append(one)
    byes = {one.number: one.byes for one in state.rounds}
    is_swiss = state.plan.format == "swiss"
    drawn = [Round(one.pairings, *one.byes) for one in state.rounds] if is_swiss else []
    for number in sorted({*by_round, *byes}):
        yield _RoundSource(
            number,
            state.plan.format if number in byes else "knock_out",
            byes.get(number, ()),
            rematches_of_round(drawn, number) if is_swiss else (),
            tuple(pair for at, pair in sorted(state.absences) if at == number),
            state.clocks.get(number),
            tuple(by_round[number]),
        )


def _round_view(source: _RoundSource) -> RoundData:
    return RoundData(
        number=source.number,
        phase=source.phase,
        bye=source.byes[0] if len(source.byes) == 1 else "",
        byes=list(source.byes),
        repeats=list(source.repeats),
        absent=list(source.absent),
        clock=clock_view(source.clock),
        meetings=[_meeting_view(one) for one in source.meetings],
    )


def clock_view(clock: Clock | None) -> ClockData | None:
    """Clock of a round; None if it was never started."""
    if clock is None:
        return None
    started = clock.started
    return ClockData(started=started.at, minutes=started.minutes, stopped=clock.stopped or None)


def _meeting_view(one: Meeting) -> MeetingData:
    return view_as(
        MeetingData,
        outcome_view(one.counts),
        id=one.id,
        round=one.round,
        phase=one.phase,
        bracket=one.tie[0] if one.tie else "",
        pairs=list(one.pairs),
        table=one.table,
        hour=one.hour,
        called=one.is_called,
        encuentro=one.encuentro,
        stage=_meeting_stage(one),
    )


def _meeting_stage(one: Meeting) -> str:
    """Stage of the result of a meeting; ``told`` if it was reported on paper."""
    if one.is_open:
        return "playing" if one.encuentro else "open"
    return one.stage if one.followed.is_decided and one.followed == one.counts else "told"


def outcome_view(ended: MeetingOutcome) -> MeetingOutcomeData:
    """Outcome of a meeting."""
    return MeetingOutcomeData(
        winner=ended.winner,
        cotos=list(ended.cotos),
        partidas=list(ended.partidas),
        is_walkover=ended.is_walkover,
    )
