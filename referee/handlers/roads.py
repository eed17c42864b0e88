"""Commands to roads to a final: lists of qualifiers are read, pairs entered in the final."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

from msgspec.structs import replace

from referee.aggregates.road import (
    FinalChanges,
    Road,
    RoadQualifier,
    RoadRule,
    decide,
    pair_changes_in_final,
    require_qualifier,
)
from referee.aggregates.tournament.formats.places import is_over_and_settled, list_pairs_by_place
from referee.aggregates.tournament.state import Meeting, Tournament
from referee.errors import NotFound, Refused
from referee.events import PersonId
from referee.events.road import (
    FinalEntered,
    FinalPair,
    ListTaken,
    PairInvited,
    QualifierAdded,
    QualifierId,
    RoadAct,
    RoadOpened,
)
from referee.events.tournament import (
    PairEntered,
    PairNumber,
    PairSubstituted,
    PairWithdrawn,
    TournamentAct,
)
from referee.handlers.handler import Handler
from referee.handlers.tournaments import TournamentHandler
from referee.kinds import ROAD, TOURNAMENT
from referee.log.streams import Answer, PendingWrite, PlacedEvent, Stream, WriteMetadata
from referee.log.writer import Writer

_Numbered: TypeAlias = Mapping[PairNumber, tuple[PersonId, ...]]


class RoadHandler(Handler):
    """Reads and records roads."""

    def __init__(self, writer: Writer, tournaments: TournamentHandler) -> None:
        super().__init__(writer)
        self._tournaments = tournaments

    def road(self, road_id: UUID) -> Road:
        """A road as it stands now.

        :raises NotFound: no road has this id
        """
        return self._writer.stream(ROAD, road_id).state

    def open(self, opened: RoadOpened, meta: WriteMetadata) -> Answer:
        """Open a road.

        :raises Refused: its final is unknown, or cannot have so many pairs
        """
        self._refuse_unknown_tournament(opened.final, RoadRule.FINAL_UNKNOWN)
        return self._writer.plan_and_save(
            _plan_opening, meta, ROAD.empty_stream(self._writer.new_id()), opened
        )

    def record(
        self,
        road_id: UUID,
        acts: Sequence[RoadAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a road, all or none; what they do in the final is recorded with them.

        :raises Refused: one of them is impossible
        """
        return self._writer.plan_and_save(self._plan_acts, meta, road_id, acts, expected)

    def state_after_acts(self, road_id: UUID, acts: Sequence[RoadAct]) -> Road:
        """The road as it would stand after some acts; nothing is recorded.

        :raises Refused: one of them is impossible
        """
        state: Road = self._plan_acts(road_id, acts, None).main.state
        return state

    def qualifiers_with_untaken_list(self, state: Road) -> list[QualifierId]:
        """Qualifiers of this house that are over and whose list, as it is now, was not taken."""
        here = [one for one in state.qualifiers.values() if one.tournament]
        return [one.id for one in here if self._has_untaken_list(one)]

    def _has_untaken_list(self, one: RoadQualifier) -> bool:
        state = self._tournaments.tournament(UUID(one.tournament))
        known = None if one.taken is None else one.taken.pairs
        return is_over_and_settled(state) and list_pairs_by_place(state) != known

    def _plan_acts(
        self, road_id: UUID, acts: Sequence[RoadAct], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(ROAD, road_id, expected)
        placed: tuple[PlacedEvent, ...] = ()
        final: PendingWrite | None = None
        guards: dict[UUID, int] = {}
        for asked in acts:
            act = asked
            if isinstance(act, FinalEntered):
                final = self._plan_entries_in_final(stream.state)
                act = FinalEntered(_final_pairs_after(stream.state, final))
            elif isinstance(act, QualifierAdded) and act.tournament:
                self._refuse_unknown_tournament(act.tournament, RoadRule.TOURNAMENT_UNKNOWN)
            elif isinstance(act, ListTaken) and not act.key:
                act = self._fill_list_from_tournament(act, stream.state, guards)
            self._refuse_wrong_pair_size(act, stream.state)
            stream, more = ROAD.grow_and_place_by_acts(stream, (act,), decide)
            placed += more
        if final is None:
            return PendingWrite(stream, placed, guards=guards)
        return PendingWrite(stream, placed + final.placed, (final.main,), guards)

    def _fill_list_from_tournament(
        self, act: ListTaken, state: Road, guards: dict[UUID, int]
    ) -> ListTaken:
        """The act with the standings of a tournament of this house.

        ``guards``: Gets the version that was read.

        :raises Refused: it is of another house, or not over
        """
        found = require_qualifier(act.qualifier, state)
        if not found.tournament:
            raise Refused(RoadRule.QUALIFIER_ELSEWHERE, qualifier=found.id)
        read = self._writer.stream(TOURNAMENT, UUID(found.tournament))
        if not is_over_and_settled(read.state):
            raise Refused(RoadRule.QUALIFIER_RUNNING, qualifier=found.id)
        guards[read.id] = read.version
        return replace(act, pairs=list_pairs_by_place(read.state))

    def _refuse_wrong_pair_size(self, act: RoadAct, state: Road) -> None:
        """Refuse pairs of more or fewer players than those of the final.

        :raises Refused: so it is
        """
        pairs = [one.players for one in act.pairs] if isinstance(act, ListTaken) else []
        pairs += [act.players] if isinstance(act, PairInvited) else []
        if not pairs or state.opened is None:
            return
        wanted = self._tournaments.tournament(UUID(state.opened.final)).players_per_pair
        if any(len(one) != wanted for one in pairs):
            raise Refused(RoadRule.PAIRS_OF, wanted=wanted)

    def _plan_entries_in_final(self, state: Road) -> PendingWrite:
        """Plan to enter in the final the pairs that have a place.

        :raises Refused: nothing is to be done, or the final does not allow it
        """
        assert state.opened is not None
        final = UUID(state.opened.final)
        changes = pair_changes_in_final(state)
        acts = _acts_in_final(changes, self._tournaments.tournament(final))
        if not acts:
            raise Refused(RoadRule.FINAL_CURRENT)
        return self._tournaments.plan_acts(final, acts, None)

    def _refuse_unknown_tournament(self, tournament: str, rule: RoadRule) -> None:
        try:
            self._tournaments.tournament(UUID(tournament))
        except NotFound:
            raise Refused(rule) from None


def _plan_opening(stream: Stream[Road], opened: RoadOpened) -> PendingWrite:
    return PendingWrite(*ROAD.grow_and_place_by_acts(stream, (opened,), decide))


def _acts_in_final(changes: FinalChanges, final: Tournament) -> list[TournamentAct]:
    """Acts on the final tournament by which pairs are withdrawn, substituted or entered.

    Each pair that comes takes the place of one that goes, as long as there is one; the others enter
    as new pairs.

    The place of a pair that has begun to play is nobody's: its results would be theirs too.
    """
    there = {pair for pair, one in final.entries.items() if one.until is None}
    go = {one.pair: one.players for one in changes.go if one.pair in there}
    come = [one.players for one in changes.come]
    played = {
        pair for one in final.meetings.values() if _has_meeting_begun(one) for pair in one.pairs
    }
    taken = _substitutes_by_pair_number({pair: go[pair] for pair in go if pair not in played}, come)
    found: list[TournamentAct] = [PairWithdrawn(pair) for pair in go if pair not in taken]
    found += [PairSubstituted(*two) for two in taken.items()]
    found += [PairEntered("", players) for players in come if players not in taken.values()]
    return found


def _has_meeting_begun(one: Meeting) -> bool:
    return bool(one.encuentro) or one.now.is_decided or one.counts.is_decided


def _substitutes_by_pair_number(go: _Numbered, come: Sequence[tuple[PersonId, ...]]) -> _Numbered:
    """Who takes the number of which pair, in an order in which nobody ever plays for two pairs.

    Pairs that have only exchanged their partners have no such order: they are left out.
    """
    wanted, found = _newcomers_by_pair_number(go, come), dict[PairNumber, tuple[PersonId, ...]]()
    while ready := [
        pair for pair in wanted if _has_no_shared_player(wanted[pair], go, {*wanted} - {pair})
    ]:
        found |= {pair: wanted.pop(pair) for pair in ready}
    return found


def _newcomers_by_pair_number(
    go: _Numbered, come: Sequence[tuple[PersonId, ...]]
) -> dict[PairNumber, tuple[PersonId, ...]]:
    """Players of each pair that comes to the final, by the number of a leaving pair that they get.

    Of a pair that shares a player with them, if there is one.
    """
    left, found = dict(go), dict[PairNumber, tuple[PersonId, ...]]()
    own = sorted(come, key=lambda players: _has_no_shared_player(players, go, go))
    for players in own:
        shared = (pair for pair in left if not _has_no_shared_player(players, go, [pair]))
        if pair := next(shared, next(iter(left), "")):
            del left[pair]
            found[pair] = players
    return found


def _has_no_shared_player(
    players: tuple[PersonId, ...], go: _Numbered, pairs: Iterable[PairNumber]
) -> bool:
    """Whether none of the players is in any of these pairs, which leave the final."""
    return all(set(players).isdisjoint(go[pair]) for pair in pairs)


def _final_pairs_after(state: Road, final: PendingWrite) -> tuple[FinalPair, ...]:
    """Pairs of the final that have their place by the road, once the planned acts are written."""
    stay = pair_changes_in_final(state).stay
    acts = (one.event for one in final.placed)
    came = (
        FinalPair(act.pair, act.players)
        for act in acts
        if isinstance(act, PairEntered | PairSubstituted)
    )
    return (*stay, *came)
