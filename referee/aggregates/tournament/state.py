"""State of a tournament, folded from its log: pairs, draws and meetings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from referee.aggregates.tournament.field import NOBODY, Pair, snake_groups
from referee.aggregates.tournament.formats.groups import round_robin
from referee.aggregates.tournament.formats.knock_out import TieId
from referee.aggregates.tournament.history import Entrant, History, Pairing, PlayedPairing, Round
from referee.aggregates.tournament.lots import Lots, LotsKind
from referee.events import PersonId, TextId
from referee.events import tournament as ev

TournamentStage: TypeAlias = Literal["entering", "committed", "running", "over", "cancelled"]
KINDS: Final[Mapping[ev.Format, LotsKind]] = {
    "knock_out": "knock_out",
    "groups": "groups",
    "round_robin": "order",
    "swiss": "order",
}


class MeetingOutcome(msgspec.Struct, frozen=True, gc=False):
    """How a meeting ended; ``winner`` ``None``: it is not decided.

    ``""``: it ended level, or both lost it by a walkover, since neither pair came.
    """

    winner: Pair | None = None
    cotos: tuple[int, int] = (0, 0)
    partidas: tuple[int, int] = (0, 0)
    is_walkover: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether the meeting has ended."""
        return self.winner is not None

    @property
    def is_lost_by_both(self) -> bool:
        """Whether neither pair came."""
        return self.winner == NOBODY and self.is_walkover


UNDECIDED: Final = MeetingOutcome()


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """Two pairs who are to play: a pairing of a round, or a tie.

    ``followed``: the outcome of its encuentro. ``now``: the outcome reported last, by it or on
    paper. ``counts``: the outcome that counts for the tournament. ``settled``: a reported outcome
    that a decision set aside. ``is_walked_over``: it was decided because a pair is not there.
    """

    id: ev.MeetingId
    phase: ev.Format
    round: int
    pairs: Pairing
    tie: TieId | None = None
    table: int = 0
    is_called: bool = False
    encuentro: str = ""
    stage: ev.MeetingStage = "open"
    followed: MeetingOutcome = UNDECIDED
    now: MeetingOutcome = UNDECIDED
    counts: MeetingOutcome = UNDECIDED
    settled: MeetingOutcome | None = None
    hour: str = ""
    is_walked_over: bool = False

    @property
    def reported_outcome(self) -> MeetingOutcome:
        """The outcome as it was reported last.

        Undecided if it is level in a tie, which cannot end level.
        """
        is_level = self.now.winner == NOBODY and not self.now.is_walkover
        return UNDECIDED if self.tie is not None and is_level else self.now

    @property
    def is_correction_pending(self) -> bool:
        """Whether the reported outcome differs from the one that counts, and is not settled."""
        return self.reported_outcome not in (self.counts, self.settled)

    @property
    def is_open(self) -> bool:
        """Whether the meeting is still to be played."""
        return not self.counts.is_decided


class TableHours:
    """Hours at which tables are taken; a meeting without an hour takes its table at all of them."""

    def __init__(self, meetings: Iterable[Meeting]) -> None:
        self._hours: dict[int, set[str]] = {}
        for one in meetings:
            if one.table:
                self.take(one.hour, one.table)

    def take(self, hour: str, table: int) -> None:
        """Take a table at an hour."""
        self._hours.setdefault(table, set()).add(hour)

    def is_free(self, hour: str, table: int) -> bool:
        """Whether a table is free at an hour."""
        hours = self._hours.get(table, set())
        return not hours if not hour else hours.isdisjoint({hour, ""})


class TournamentEntry(msgspec.Struct, frozen=True, gc=False):
    """A pair from its first round to its last; ``until`` ``None``: it has not withdrawn.

    ``bar``: where it plays, if it entered by itself and said so. ``phone``: that it left then, on
    which day (``phone_since``).
    """

    pair: Pair
    players: tuple[PersonId, ...]
    strength: int
    since: int = 1
    until: int | None = None
    bar: TextId = ""
    phone: TextId = ""
    phone_since: str = ""


class Clock(msgspec.Struct, frozen=True):
    """The clock of a round, and when it was stopped."""

    started: ev.ClockStarted
    stopped: str = ""


class FormerDraw(msgspec.Struct, frozen=True):
    """A draw that was taken back, and why."""

    committed: ev.DrawCommitted
    drawn: ev.LotsDrawn
    reason: TextId


class Tournament(msgspec.Struct, frozen=True):
    """A tournament folded from its log.

    ``order``: of the knock-out, once it is known. ``entered``: numbers given. ``meetings``: all
    that stand, without those that a correction removed. ``withdrawn``: who left before the draw.
    ``terms``: how pairs enter by themselves, or did until that was closed for the last of
    ``closings`` times. ``waiting``: those that found no place, in the order in which they get one.
    ``second_chances``: ties of the first round whose losers were drawn for the repechage.
    ``not_drawn``: who withdrew without being in the repechage, and comes into none.
    ``issued``: the list that went out last.
    """

    opened: ev.TournamentOpened | None = None
    version: int = 0
    entered: int = 0
    entries: Mapping[Pair, TournamentEntry] = {}
    withdrawn: Mapping[Pair, TournamentEntry] = {}
    terms: ev.EntriesOpened | None = None
    are_entries_open: bool = False
    closings: int = 0
    waiting: Mapping[Pair, TournamentEntry] = {}
    paid: frozenset[Pair] = frozenset()
    moved_up: tuple[ev.PairMovedUp, ...] = ()
    absences: frozenset[tuple[int, Pair]] = frozenset()
    committed: ev.DrawCommitted | None = None
    drawn: ev.LotsDrawn | None = None
    price: ev.TournamentPriced = ev.TournamentPriced()
    table_names: tuple[TextId, ...] = ()
    former_draws: tuple[FormerDraw, ...] = ()
    rounds: tuple[ev.RoundDrawn, ...] = ()
    order: tuple[Pair, ...] = ()
    meetings: Mapping[ev.MeetingId, Meeting] = {}
    repechage: ev.RepechageCommitted | None = None
    repechage_drawn: ev.RepechageDrawn | None = None
    second_chances: tuple[TieId, ...] | None = None
    not_drawn: frozenset[Pair] = frozenset()
    clocks: Mapping[int, Clock] = {}
    issued: ev.ListIssued | None = None
    is_closed: bool = False
    is_cancelled: bool = False

    @property
    def plan(self) -> ev.TournamentPlan:
        """The plan of the tournament: its format, its rounds, its criteria."""
        assert self.opened is not None
        return self.opened.plan

    @property
    def players_per_pair(self) -> int:
        """Number of players of a pair."""
        assert self.opened is not None
        return 2 if self.opened.profile.options["players"] == 4 else 1  # noqa: PLR2004 - two by two

    @property
    def stage(self) -> TournamentStage:
        """Stage of the tournament."""
        if self.is_cancelled:
            return "cancelled"
        if self.is_closed:
            return "over"
        if self.drawn is not None:
            return "running"
        return "entering" if self.committed is None else "committed"

    @property
    def may_pairs_enter(self) -> bool:
        """Whether pairs may enter by themselves now; a deadline by the clock is not looked at."""
        return self.are_entries_open and self.stage == "entering"

    @property
    def last_round_number(self) -> int:
        """Number of the latest round in which anybody meets; 0 before the first."""
        return max((one.round for one in self.meetings.values()), default=len(self.rounds))

    def meetings_with_pending_correction(self) -> tuple[Meeting, ...]:
        """Meetings whose result changed too late, and is to be settled."""
        return tuple(one for one in self.meetings.values() if one.is_correction_pending)

    def meeting_of_encuentro(self, encuentro: str) -> Meeting | None:
        """The meeting that is played as an encuentro."""
        return next((m for m in self.meetings.values() if m.encuentro == encuentro), None)

    def is_out_of_round(self, pair: Pair, number: int) -> bool:
        """Whether a pair does not play in a round: it withdrew or is absent."""
        return self.entries[pair].until is not None or (number, pair) in self.absences


INITIAL: Final = Tournament()


# --- what was drawn ------------------------------------------------------------------------------


def lots_to_draw(state: Tournament, committed: ev.DrawCommitted) -> Lots:
    """Input of the draw that a commitment is about.

    The source of its word is an id, so that its text can be erased.
    """
    plan = state.plan
    groups = plan.groups if plan.format == "groups" else 0
    kind, pairs = KINDS[plan.format], committed.pairs
    if plan.repechage != "none":
        kind = "all_play"
    word_from = committed.word_source or committed.word_from
    apart = committed.apart or UNSET
    return Lots(committed.tournament, kind, pairs, committed.seeded_count, groups, word_from, apart)


def repechage_lots_to_draw(committed: ev.RepechageCommitted) -> Lots:
    """Input of the draw of a repechage that a commitment is about."""
    source = committed.word_source
    return Lots(committed.tournament, "order", committed.pairs, word_from=source)


def groups_of(state: Tournament) -> tuple[tuple[Pair, ...], ...]:
    """The groups as drawn; of a round robin the only one."""
    if state.drawn is None:
        return ()
    groups = state.plan.groups if state.plan.format == "groups" else 1
    return snake_groups(state.drawn.order, groups)


def round_robin_rounds(state: Tournament) -> tuple[ev.RoundDrawn, ...]:
    """Rounds in which each pair of a group meets each other of it."""
    circles = [round_robin(group) for group in groups_of(state)]
    found = []
    for number in range(1, max(map(len, circles), default=0) + 1):
        rounds = [circle[number - 1] for circle in circles if len(circle) >= number]
        pairings = tuple(pairing for one in rounds for pairing in one.pairings)
        byes = tuple(one.bye for one in rounds if one.bye != NOBODY)
        found.append(ev.RoundDrawn(number, pairings, byes))
    return tuple(found)


# --- rounds and their results --------------------------------------------------------------------


def pairing_id(phase: ev.Format, number: int, pairing: Pairing) -> ev.MeetingId:
    """Id of the meeting of two pairs in a round.

    >>> pairing_id("swiss", 3, ("17", "4"))
    'swiss-3-4-17'
    """
    one, other = sorted(pairing, key=int)
    return f"{phase}-{number}-{one}-{other}"


def history_of_rounds(state: Tournament, group: tuple[Pair, ...] = ()) -> History:
    """History of the rounds, with the results that count; of a group, only what is within it."""
    plan = state.plan
    is_swiss = plan.format == "swiss"
    # in a round robin every pair rests equally often
    scoring = plan.scoring if is_swiss else msgspec.structs.replace(plan.scoring, bye=0)
    entrants = _entrants(state) if is_swiss else tuple(map(Entrant, group))
    known = {one.pair for one in entrants}
    rounds = tuple(_round_of_group(one, known) for one in state.rounds)
    return History(entrants, rounds, tuple(_pairings_with_outcome(state, known)), scoring)


def _entrants(state: Tournament) -> tuple[Entrant, ...]:
    """Pairs in the order of the draw, then late entries, without those that never played."""
    order = () if state.drawn is None else state.drawn.order
    drawn = set(order)
    late = [pair for pair in state.entries if pair not in drawn]
    entries = [state.entries[pair] for pair in (*order, *late)]
    return tuple(Entrant(e.pair, e.since, e.until or 0) for e in entries if e.until != 0)


def _round_of_group(drawn: ev.RoundDrawn, known: set[Pair]) -> Round:
    pairings = tuple(pairing for pairing in drawn.pairings if pairing[0] in known)
    return Round(pairings, next((pair for pair in drawn.byes if pair in known), NOBODY))


def _pairings_with_outcome(state: Tournament, known: set[Pair]) -> Iterator[PlayedPairing]:
    for one in state.meetings.values():
        ended = one.counts
        if one.tie is None and one.pairs[0] in known and ended.winner is not None:
            yield pairing_with_outcome(one, ended)


def pairing_with_outcome(meeting: Meeting, ended: MeetingOutcome) -> PlayedPairing:
    """Outcome of a meeting, in the form of the history."""
    assert ended.winner is not None
    of_both = (ended.cotos, ended.partidas)
    return PlayedPairing(meeting.round, meeting.pairs, ended.winner, *of_both, ended.is_walkover)
