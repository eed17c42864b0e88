"""The public view of a tournament: nothing is secret; only decided results count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec

from projections.board.views import ProfileIdData
from projections.facts import PlanData, plain_values
from projections.tournaments.rounds import (
    ClockData,
    MeetingOutcomeData,
    Rounds,
    clock_view,
    outcome_view,
)
from projections.views import view_as
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.knock_out import Tie, champion
from referee.aggregates.tournament.formats.places import (
    KnockOutPlace,
    all_ties,
    group_tables,
    knock_out_table,
    round_number_of_tie,
    rows_of_only_group,
    tie_meeting_id,
)
from referee.aggregates.tournament.formats.standings import StandingsRow
from referee.aggregates.tournament.history import sum_points
from referee.aggregates.tournament.repechage import repechage_commitment_or_none
from referee.aggregates.tournament.state import (
    Meeting,
    Tournament,
    TournamentEntry,
    groups_of,
    round_robin_rounds,
)
from referee.events import PersonId, TextId
from referee.events.tournament import DrawCommitted, LotsDrawn


class TournamentFactsData(msgspec.Struct, frozen=True):
    """Data that every view of a tournament has."""

    id: str
    date: str
    stage: str
    format: str


class TournamentShortData(TournamentFactsData, frozen=True):
    """A tournament in a list; name and place by the ids of their texts."""

    name: TextId
    place: TextId
    pairs: int


class _EntryData(msgspec.Struct, frozen=True):
    pair: Pair
    strength: int
    since: int
    until: int
    is_withdrawn: bool


class EntryData(_EntryData, frozen=True):
    """A pair that was entered; its players by their ids."""

    players: list[PersonId]


class NamedEntryData(_EntryData, frozen=True):
    """A pair that was entered, with the names of its players.

    ``name``: of the pair of the club that they are; empty if it has none.
    """

    players: list[str | None]
    name: str


class LotsData(msgspec.Struct, frozen=True):
    """The draw of lots: its commitment and, once revealed, its seed.

    ``word_from``: where the word comes from, in clear or as the id of a text (``word_source``).
    """

    commitment: str
    word_from: str
    word_source: TextId
    heads: int
    seed: str | None
    word: str | None
    order: list[Pair]


class FormerLotsData(LotsData, frozen=True):
    """A draw of lots that was taken back. ``reason``: why, as the id of a text."""

    reason: TextId


class PendingData(msgspec.Struct, frozen=True):
    """A meeting whose result changed after a draw depended on it."""

    meeting: str
    pairs: list[Pair]
    was: MeetingOutcomeData
    now: MeetingOutcomeData


class CriterionData(msgspec.Struct, frozen=True):
    """Value of a criterion for a pair."""

    criterion: str
    value: int


class PointItemData(msgspec.Struct, frozen=True):
    """Points of a pair in a round, and why."""

    round: int
    reason: str
    points: int
    opponent: Pair


class PlaceData(msgspec.Struct, frozen=True):
    """A pair at its place in the standings.

    ``by``: criterion by which it is below the row before.
    """

    place: int
    pair: Pair
    points: int
    by: str
    items: Sequence[CriterionData]
    rounds: Sequence[PointItemData]


class AwardData(msgspec.Struct, frozen=True):
    """Prize of a place; ``pairs``: those who get it, once everything is played.

    ``words``: the id of a text.
    """

    place: int
    amount: int
    words: TextId
    pairs: list[Pair]


class GroupData(msgspec.Struct, frozen=True):
    """A group and its standings."""

    number: int
    pairs: list[Pair]
    standings: list[PlaceData]


class TieData(msgspec.Struct, frozen=True):
    """A tie of a bracket; a pair that is not known yet is null, a missing opponent is empty."""

    bracket: str
    round: int
    place: int
    number: int
    meeting: str
    pairs: list[Pair | None]
    winner: Pair | None


class TournamentBodyData(TournamentFactsData, frozen=True):
    """Data that a view of one tournament has, beside names and rounds."""

    profile: ProfileIdData
    plan: PlanData
    version: int
    fee: int
    groups: list[GroupData]
    standings: list[PlaceData]
    bracket: list[TieData]
    champion: Pair | None


class TournamentData(TournamentBodyData, frozen=True):
    """The view of a tournament as it is stored; the rounds are encoded already."""

    name: TextId
    place: TextId
    contact: TextId
    pairs: list[EntryData]
    draw: LotsData | None
    repechage: LotsData | None
    former_draws: list[FormerLotsData]
    prizes: list[AwardData]
    table_names: list[TextId]
    rounds: list[msgspec.Raw]
    pending: list[PendingData]


class CalledPairData(msgspec.Struct, frozen=True):
    """A pair that is called; its players by their ids."""

    pair: Pair
    players: list[PersonId]


class CallData(msgspec.Struct, frozen=True):
    """A table and the pairs that are called to it.

    ``bracket``: of a tie, which of the brackets it is in; else empty.
    """

    table: int
    bracket: str
    pairs: list[CalledPairData]


class HallFactsData(msgspec.Struct, frozen=True):
    """View for the screen in the hall, without name and calls."""

    id: str
    date: str
    round: int
    clock: ClockData | None


class HallTournamentData(HallFactsData, frozen=True):
    """View of a tournament for the screen in the hall; names by their ids."""

    name: TextId
    calls: list[CallData]


def short_view(tournament: str, state: Tournament) -> TournamentShortData:
    """A tournament in a list; name and place by the ids of their texts."""
    opened = state.opened
    assert opened is not None
    return TournamentShortData(
        id=tournament,
        name=opened.name,
        place=opened.place,
        date=opened.date,
        stage=state.stage,
        format=opened.plan.format,
        pairs=len(state.entries),
    )


def tournament_view(
    tournament: str, state: Tournament, rounds: Rounds | None = None
) -> TournamentData:
    """A tournament: pairs, draw, rounds, tables, brackets, pending corrections, the champion.

    The value is for ``msgspec``; its rounds are encoded already. ``rounds``: the encoded rounds.
    """
    opened = state.opened
    assert opened is not None
    ties = all_ties(state)
    table = rows_of_only_group(state) if state.plan.format in ("swiss", "round_robin") else ()
    placed = knock_out_table(state, ties) if ties else ()
    return view_as(
        TournamentData,
        short_view(tournament, state),
        contact=opened.contact,
        profile={"id": opened.profile.id, "edition": opened.profile.edition},
        plan=plain_values(opened.plan),
        version=state.version,
        pairs=[_entry_view(one) for one in state.entries.values()],
        draw=None if state.committed is None else _lots_view(state.committed, state.drawn),
        former_draws=[
            view_as(FormerLotsData, _lots_view(one.committed, one.drawn), reason=one.reason)
            for one in state.former_draws
        ],
        repechage=_repechage_lots_view(state),
        fee=state.price.fee,
        table_names=list(state.table_names),
        prizes=_awards(state, table or placed, champion=_champion(state, ties, table)),
        rounds=(rounds or Rounds()).encode_rounds(state),
        groups=_groups_view(state),
        standings=[_standing_view(row) for row in table]
        or [_knock_out_place_view(row) for row in placed],
        bracket=list(_tie_views(state, ties)),
        pending=[_correction_view(one) for one in state.meetings_with_pending_correction()],
        champion=_champion(state, ties, table),
    )


def _entry_view(entry: TournamentEntry) -> EntryData:
    return EntryData(
        pair=entry.pair,
        players=list(entry.players),
        strength=entry.strength,
        since=entry.since,
        until=entry.until or 0,
        is_withdrawn=entry.until is not None,
    )


def _lots_view(committed: DrawCommitted, drawn: LotsDrawn | None) -> LotsData:
    """View of the draw of lots; its seed only after it was revealed."""
    return LotsData(
        commitment=committed.commitment,
        word_from=committed.word_from,
        word_source=committed.word_source,
        heads=committed.seeded_count,
        seed=None if drawn is None else drawn.seed,
        word=None if drawn is None else drawn.word,
        order=[] if drawn is None else list(drawn.order),
    )


def _awards(
    state: Tournament, table: Sequence[StandingsRow | KnockOutPlace], champion: Pair | None
) -> list[AwardData]:
    """The prizes by place, with those who get them once nothing is left to play.

    Pairs that share a place share the prizes of all the places that they take up.
    """
    is_open = any(one.is_open or one.is_correction_pending for one in state.meetings.values())
    is_over = state.is_closed or (champion is not None and not is_open)
    rows = table if is_over and not state.is_cancelled else ()
    level: dict[int, list[Pair]] = {}
    for row in rows:
        level.setdefault(row.place, []).append(row.pair)
    taken = {place + more: pairs for place, pairs in level.items() for more in range(len(pairs))}
    return [
        AwardData(place=n, amount=one.amount, words=one.words, pairs=taken.get(n, []))
        for n, one in enumerate(state.price.prizes, 1)
    ]


def _repechage_lots_view(state: Tournament) -> LotsData | None:
    """View of the draw of lots for the repechage; None if there is none."""
    committed, drawn = state.repechage, state.repechage_drawn
    if committed is None or repechage_commitment_or_none(state) is None:
        return None
    return LotsData(
        commitment=committed.commitment,
        word_from="",
        word_source=committed.word_source,
        heads=0,
        seed=None if drawn is None else drawn.seed,
        word=None if drawn is None else drawn.word,
        order=[] if drawn is None else list(drawn.order),
    )


def hall_tournament_view_or_none(tournament: str, state: Tournament) -> HallTournamentData | None:
    """View of a tournament for the screen in the hall: calls to tables, and the clock of the round.

    None if nobody is called and no clock runs. Name and players are given by their ids.
    """
    opened = state.opened
    assert opened is not None
    waiting = [one for one in state.meetings.values() if one.is_open]
    called = [one for one in waiting if one.is_called and not one.encuentro]
    played = max((one.round for one in waiting), default=0)
    clock = clock_view(state.clocks.get(played))
    is_running = clock is not None and clock.stopped is None
    if not (called or is_running):
        return None
    return HallTournamentData(
        id=tournament,
        name=opened.name,
        date=opened.date,
        round=played,
        clock=clock if is_running else None,
        calls=[_call_view(state, one) for one in sorted(called, key=lambda one: one.table)],
    )


def _call_view(state: Tournament, one: Meeting) -> CallData:
    pairs: list[CalledPairData] = [
        CalledPairData(pair=pair, players=list(state.entries[pair].players)) for pair in one.pairs
    ]
    return CallData(table=one.table, bracket=one.tie[0] if one.tie else "", pairs=pairs)


# --- pending corrections ---------------------------------------------------------------------


def _correction_view(one: Meeting) -> PendingData:
    return PendingData(
        meeting=one.id,
        pairs=list(one.pairs),
        was=outcome_view(one.counts),
        now=outcome_view(one.reported_outcome),
    )


# --- tables and brackets -------------------------------------------------------------------------


def _groups_view(state: Tournament) -> list[GroupData]:
    if state.plan.format != "groups":
        return []
    found = zip(groups_of(state), group_tables(state), strict=True)
    return [
        GroupData(number=number, pairs=list(pairs), standings=[_standing_view(row) for row in rows])
        for number, (pairs, rows) in enumerate(found, 1)
    ]


def _standing_view(row: StandingsRow) -> PlaceData:
    return PlaceData(
        place=row.place,
        pair=row.pair,
        points=sum_points(row.points),
        by=row.by,
        items=cast("Sequence[CriterionData]", row.items),  # encoded with the whole view
        rounds=cast("Sequence[PointItemData]", row.points),
    )


def _knock_out_place_view(row: KnockOutPlace) -> PlaceData:
    """Place of a pair in a knock-out as a row of standings.

    Its only item is the round it reached.
    """
    items: list[CriterionData] = [CriterionData(criterion="round", value=row.round)]
    return PlaceData(place=row.place, pair=row.pair, points=0, by=row.by, items=items, rounds=[])


def _tie_views(state: Tournament, ties: Sequence[Tie]) -> Iterator[TieData]:
    final = max((tie.id[1] for tie in ties if tie.id[0] == "main"), default=0)
    for tie in ties:
        bracket, number, place = tie.id
        played_in = round_number_of_tie(state, tie.id, final)
        yield TieData(
            bracket=bracket,
            round=number,
            place=place,
            number=played_in,
            meeting=tie_meeting_id(played_in, tie) if all(tie.pairs) else "",
            pairs=list(tie.pairs),
            winner=tie.winner,
        )


def _champion(state: Tournament, ties: Sequence[Tie], table: Sequence[StandingsRow]) -> Pair | None:
    """The pair that won the tournament, once everything is played.

    None if several share the first place.
    """
    if state.is_cancelled:
        return None
    if ties:
        return champion(ties)
    if not state.rounds or any(one.is_open for one in state.meetings.values()):
        return None
    is_swiss = state.plan.format == "swiss"
    last = state.plan.rounds if is_swiss else len(round_robin_rounds(state))
    if not (state.is_closed or len(state.rounds) == last):
        return None
    first = [row.pair for row in table if row.place == 1]
    return first[0] if len(first) == 1 else None
