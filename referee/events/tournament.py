"""Events of a tournament: entries, the draw, rounds, results, corrections.

A pair is a number as text, given when it enters; a meeting is a pairing or a tie that is to be
played, known by an id. So neither the log nor a draw file names anybody.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

import msgspec

from referee.events.base import Act, Conclusion, Fact, PersonId, TextId
from referee.events.encuentro import FrozenProfile
from referee.events.fees import Prize

PairNumber: TypeAlias = str
MeetingId: TypeAlias = str
Two: TypeAlias = tuple[int, int]
Format: TypeAlias = Literal["knock_out", "groups", "round_robin", "swiss"]
AbsenceRule: TypeAlias = Literal["walkover", "not_paired"]
Criterion: TypeAlias = Literal[
    "points", "direct", "cotos", "partidas", "buchholz", "sonneborn_berger", "lot"
]
Settlement: TypeAlias = Literal["leave", "replay", "re_pair"]
PairingMethod: TypeAlias = Literal["round", "ahead"]
Repechage: TypeAlias = Literal["none", "lots", "ties"]
MeetingStage: TypeAlias = Literal["open", "provisional", "disputed", "confirmed", "official"]

USUAL: Final[tuple[Criterion, ...]] = get_args(Criterion)
"""Every criterion, in the usual order."""


class RoundPoints(Fact, frozen=True):
    """Points that the organiser gives; ``late`` for each round before a pair came in."""

    won: int = 2
    level: int = 1
    lost: int = 0
    bye: int = 2
    absent: int = 0
    late: int = 0


class TournamentPlan(Fact, frozen=True):
    """How a tournament is played.

    ``groups``, ``qualify``: how many groups, and how many of each go on; ``rounds``: of a Swiss
    one. ``absence``: an absent pair loses by walkover, or is not paired.
    ``minutes``: of a round, 0 for no limit; ``tables``: 0 for no limit.
    ``consoles_absent``: who lost because it did not come is in the consolation; tournaments of
    before have it. ``repechage``: of a knock-out, everybody plays the first round, and places of
    the second are drawn among those who lost, by lot alone or in ties.
    """

    format: Format
    has_consolation: bool = False
    has_third_place: bool = False
    groups: int = 0
    qualify: int = 0
    rounds: int = 0
    criteria: tuple[Criterion, ...] = USUAL
    scoring: RoundPoints = RoundPoints()
    absence: AbsenceRule = "walkover"
    minutes: int = 0
    tables: int = 0
    consoles_absent: bool = True
    repechage: Repechage = "none"


class TournamentOpened(Act, frozen=True, tag="tournament_opened"):
    """A tournament is open for entries, under a profile that is frozen with it.

    ``contact``: whom to ask, as it stands on its page.
    """

    name: TextId
    profile: FrozenProfile
    plan: TournamentPlan
    place: TextId = ""
    date: str = ""
    contact: TextId = ""


class TournamentPriced(Act, frozen=True, tag="tournament_priced"):
    """What a pair pays to take part, in cents, and what each place is worth, the first one first.

    Said again, it replaces this.
    """

    fee: int = 0
    prizes: tuple[Prize, ...] = ()


class TournamentDated(Act, frozen=True, tag="tournament_dated"):
    """The day of the tournament is corrected, as after a wrong clock."""

    date: str


class PairEntered(Act, frozen=True, tag="pair_entered"):
    """A pair takes part under the next number; after the draw since the next round."""

    pair: PairNumber
    players: tuple[PersonId, ...]
    strength: int = 0


class EntriesOpened(Act, frozen=True, tag="entries_opened"):
    """Pairs may enter by themselves; who finds no place waits for one.

    ``until``: day and time by the clock of the club, empty for until the draw is prepared;
    ``most``: pairs that there is a place for, 0 for no limit.
    """

    until: str = ""
    most: int = 0


class EntriesClosed(Act, frozen=True, tag="entries_closed"):
    """No pair enters by itself any more; the address where they did so is no longer valid."""


class PairApplied(Act, frozen=True, tag="pair_applied"):
    """A pair entered by itself under the next number. ``bar``: where it plays, if it says so.

    ``phone``: a telephone for the organisers, if it leaves one; a text, so that it is erased as a
    name is. ``date``: the day on which it was left.
    """

    pair: PairNumber
    players: tuple[PersonId, ...]
    bar: TextId = ""
    phone: TextId = ""
    date: str = ""


class PairMovedUp(Act, frozen=True, tag="pair_moved_up"):
    """A pair that waited plays after the draw in the place of one that withdrew."""

    pair: PairNumber
    place_of: PairNumber


class EntryFeeNoted(Act, frozen=True, tag="entry_fee_noted"):
    """Whether a pair has paid to take part, as the organiser ticks it."""

    pair: PairNumber
    is_paid: bool = True


class PairSubstituted(Act, frozen=True, tag="pair_substituted"):
    """Other players play for a pair from now on."""

    pair: PairNumber
    players: tuple[PersonId, ...]


class PairWithdrawn(Act, frozen=True, tag="pair_withdrawn"):
    """A pair plays no more."""

    pair: PairNumber


class AbsenceNoted(Act, frozen=True, tag="absence_noted"):
    """A pair is not there in a round."""

    pair: PairNumber
    round: int


class AbsenceWithdrawn(Act, frozen=True, tag="absence_withdrawn"):
    """A pair is there in a round after all."""

    pair: PairNumber
    round: int


class PairReturned(Act, frozen=True, tag="pair_returned"):
    """A pair that had withdrawn plays on."""

    pair: PairNumber


class DrawCommitted(Act, frozen=True, tag="draw_committed"):
    """What is going to be drawn, with the commitment to a seed that is still secret.

    ``tournament``: its id, as the draw file has it. ``pairs``: the seeded pairs first, strongest
    first; ``seeded_count``: their number, stored as ``heads``. ``seed``: where the random seed lies
    sealed until it is revealed. ``word_source``: says where the word will come from, empty if none
    is said; ``word_from`` says it in events of before, in clear. ``apart``: pairs of one bar each,
    who are not to meet in the first round.
    """

    tournament: str
    pairs: tuple[PairNumber, ...]
    commitment: str
    seed: TextId
    seeded_count: int = msgspec.field(default=0, name="heads")
    word_from: str = ""
    word_source: TextId = ""
    apart: tuple[tuple[PairNumber, ...], ...] = ()


class LotsDrawn(Act, frozen=True, tag="lots_drawn"):
    """The seed was revealed; with the word of others it determines the order."""

    seed: str
    word: str = ""
    order: tuple[PairNumber, ...] = ()


class DrawTakenBack(Act, frozen=True, tag="draw_taken_back"):
    """The draw does not stand, before anything was played; it may be prepared again.

    ``reason``: why, for everybody to read.
    """

    reason: TextId


class RepechageCommitted(Act, frozen=True, tag="repechage_committed"):
    """Who lost the first round and is going to be drawn for the places that are left in the second.

    ``pairs``: in the order of their ties; the other fields are those of ``DrawCommitted``.
    """

    tournament: str
    pairs: tuple[PairNumber, ...]
    commitment: str
    seed: TextId
    word_source: TextId = ""


class RepechageDrawn(Act, frozen=True, tag="repechage_drawn"):
    """The seed of the repechage was revealed; with the word of others it determines the order."""

    seed: str
    word: str = ""
    order: tuple[PairNumber, ...] = ()


class RoundDrawn(Act, frozen=True, tag="round_drawn"):
    """Who meets whom in the next round, and who rests.

    ``method``: how a Swiss round was paired, with a view to those that are left or by itself, as
    all were before.
    """

    number: int
    pairings: tuple[tuple[PairNumber, PairNumber], ...] = ()
    byes: tuple[PairNumber, ...] = ()
    method: PairingMethod = "round"


class RoundTakenBack(Act, frozen=True, tag="round_taken_back"):
    """The round drawn last is not played: it had no result. It may be drawn again."""

    number: int


class PhaseBegun(Act, frozen=True, tag="phase_begun"):
    """The knock-out begins after the groups, in the order in which their best are crossed."""

    order: tuple[PairNumber, ...] = ()


class TablesAssigned(Act, frozen=True, tag="tables_assigned"):
    """Meetings got tables, counted from 1."""

    tables: tuple[tuple[MeetingId, int], ...] = ()


class TablesNamed(Act, frozen=True, tag="tables_named"):
    """What the club calls its tables, by their numbers from 1; an empty one has only its number."""

    names: tuple[TextId, ...]


class HoursGiven(Act, frozen=True, tag="hours_given"):
    """Meetings got hours at which they are played, as shifts of a round; an empty one takes it."""

    hours: tuple[tuple[MeetingId, str], ...]


class TableCalled(Act, frozen=True, tag="table_called"):
    """Both pairs of a meeting were called to their table."""

    meeting: MeetingId


class ClockStarted(Act, frozen=True, tag="clock_started"):
    """The clock of a round runs for a number of minutes, since a moment."""

    round: int
    minutes: int
    at: str


class ClockStopped(Act, frozen=True, tag="clock_stopped"):
    """The clock of a round was stopped."""

    round: int
    at: str


class MeetingHeld(Act, frozen=True, tag="meeting_held"):
    """A meeting is played as an encuentro; the pair named first is its side A."""

    meeting: MeetingId
    encuentro: str


class MeetingReleased(Act, frozen=True, tag="meeting_released"):
    """The encuentro of a meeting was called off; the meeting is to be played as before."""

    meeting: MeetingId


class ResultTold(Act, frozen=True, tag="result_told"):
    """The result of a meeting, reported on paper; without a winner it ended level.

    A walkover without a winner is lost by both: neither came.
    ``cotos``, ``partidas`` in the order of its pairs.
    """

    meeting: MeetingId
    winner: PairNumber = ""
    cotos: Two = (0, 0)
    partidas: Two = (0, 0)
    is_walkover: bool = False


class ResultTakenBack(Act, frozen=True, tag="result_taken_back"):
    """The result that was told of a meeting does not stand: it is to be played as before."""

    meeting: MeetingId


class CorrectionSettled(Act, frozen=True, tag="correction_settled"):
    """The decision about a result that changed after a draw that depends on it.

    Drawn again: ``pairings`` and ``byes`` of the next round by a ``method`` (as of ``RoundDrawn``),
    or ``order`` of the knock-out.
    ``winner``: of the result as seen by whoever settles it, ``""`` for level; None if not said.
    """

    meeting: MeetingId
    what: Settlement
    pairings: tuple[tuple[PairNumber, PairNumber], ...] = ()
    byes: tuple[PairNumber, ...] = ()
    order: tuple[PairNumber, ...] = ()
    winner: PairNumber | None = None
    method: PairingMethod = "round"


class TournamentClosed(Act, frozen=True, tag="tournament_closed"):
    """The tournament is over."""


class ListedPair(Fact, frozen=True):
    """A pair on a list of standings: its place, its number, its players."""

    place: int
    pair: PairNumber
    players: tuple[PersonId, ...]


class ListIssued(Act, frozen=True, tag="list_issued"):
    """The standings went out as a list for another house, which the log proves.

    ``digests``: of the names on it, those of the house and the tournament and the day first, then
    of each pair; ``nonce``: a random text within each, so that no name can be guessed from it.
    """

    digests: tuple[str, ...]
    nonce: TextId
    pairs: tuple[ListedPair, ...] = ()


class TournamentCancelled(Act, frozen=True, tag="tournament_cancelled"):
    """The tournament is not held, or not to its end."""


class TournamentReopened(Act, frozen=True, tag="tournament_reopened"):
    """The tournament is not over after all, or held after all."""


TournamentAct: TypeAlias = (
    TournamentOpened
    | TournamentPriced
    | TournamentDated
    | PairEntered
    | EntriesOpened
    | EntriesClosed
    | PairApplied
    | PairMovedUp
    | EntryFeeNoted
    | PairSubstituted
    | PairWithdrawn
    | AbsenceNoted
    | AbsenceWithdrawn
    | PairReturned
    | DrawCommitted
    | LotsDrawn
    | DrawTakenBack
    | RepechageCommitted
    | RepechageDrawn
    | RoundDrawn
    | RoundTakenBack
    | PhaseBegun
    | TablesAssigned
    | TablesNamed
    | HoursGiven
    | TableCalled
    | ClockStarted
    | ClockStopped
    | MeetingHeld
    | MeetingReleased
    | ResultTold
    | ResultTakenBack
    | CorrectionSettled
    | TournamentClosed
    | ListIssued
    | TournamentCancelled
    | TournamentReopened
)


class MeetingFollowed(Conclusion, frozen=True, tag="meeting_followed"):
    """How the encuentro of a meeting stands; nothing counts while its stage is open."""

    encuentro: str
    meeting: MeetingId
    winner: PairNumber = ""
    cotos: Two = (0, 0)
    partidas: Two = (0, 0)
    stage: MeetingStage = "open"


TournamentEvent: TypeAlias = TournamentAct | MeetingFollowed
