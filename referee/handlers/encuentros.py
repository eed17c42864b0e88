"""Commands to encuentros and their partidas: what each will append, and the handler that asks it.

The functions that plan a write save nothing: other handlers put what they plan into writes of their
own, and a preview shows it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import encuentro as encuentros
from referee.aggregates import partida as partidas
from referee.aggregates.commands import Follow, Note, PartidaCommand
from referee.aggregates.encuentro import Encuentro, act_to_change_day
from referee.aggregates.partida import Partida
from referee.aggregates.result import refuse_late_change
from referee.errors import Refused
from referee.handlers.handler import Handler
from referee.kinds import ENCUENTRO, PARTIDA, partida_id
from referee.log.streams import Answer, PendingWrite, PlacedEvent, Stream, WriteMetadata
from referee.log.writer import Writer


@dataclass(frozen=True, slots=True)
class EncuentroState:
    """An encuentro, and one of its partidas if it is about one, as they stand or would stand."""

    encuentro: Encuentro
    partida: Partida | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What would happen: how partida and encuentro stand, how they would, by which events."""

    before: EncuentroState
    after: EncuentroState
    events: tuple[ev.PartidaEvent, ...]
    encuentro_events: tuple[ev.EncuentroEvent, ...]

    @property
    def version_to_confirm(self) -> int:
        """Version that the request is about, with which it can be confirmed."""
        stream = self.before.partida or self.before.encuentro
        return stream.version


@dataclass(frozen=True, slots=True)
class Recording:
    """Commands decided on a partida, with what its encuentro makes of them.

    ``case``: number of the case that does it, 0 for none.
    """

    before: Stream[Partida]
    after: Stream[Partida]
    events: tuple[ev.PartidaEvent, ...]
    placed: tuple[PlacedEvent, ...]
    encuentro: Stream[Encuentro]
    encuentro_events: tuple[ev.EncuentroEvent, ...]
    case: int = 0

    @property
    def preview(self) -> Preview:
        """The recording as a preview, which the user can confirm."""
        match = self.encuentro.state
        followed = encuentros.fold(self.encuentro_events, match)
        return Preview(
            EncuentroState(match, self.before.state),
            EncuentroState(followed, self.after.state),
            self.events,
            self.encuentro_events,
        )

    def pending_write(self, load_partida: Callable[[UUID], Stream[Partida]]) -> PendingWrite:
        """What is to be written.

        Events of the partida, of its encuentro, and of the next partida if its dealer changes.

        :raises Refused: it comes too late, or only a case may change it
        """
        number = partida_number(self.after.state)
        refuse_late_change(self.encuentro.state.result, number, self.events, self.case)
        match, followed = ENCUENTRO.grow_and_place_events(self.encuentro, self.encuentro_events)
        placed = self.placed + followed
        others: tuple[Stream[Any], ...] = (match,)
        if number < len(self.encuentro.state.partidas):
            later = load_partida(partida_id(self.encuentro.id, number + 1))
            if dealer_events := self._dealer_events(later.state):
                later, more = PARTIDA.grow_and_place_events(later, dealer_events)
                placed, others = placed + more, (match, later)
        read = {self.encuentro.id: self.encuentro.version}
        return PendingWrite(self.after, placed, others, read)

    def _dealer_events(self, later: Partida) -> tuple[ev.DealerDue, ...]:
        """Event of the next partida about its dealer, if this changes who that is; else none."""
        due = partidas.dealer_due_next_partida(self.after.state)
        if due in (later.dealer_due, partidas.dealer_due_next_partida(self.before.state)):
            return ()
        return (ev.DealerDue(due),)


def plan_recording(
    before: Stream[Partida],
    encuentro: Stream[Encuentro],
    commands: Sequence[PartidaCommand],
    case: int = 0,
) -> Recording:
    """Decide commands on a partida in order, all or none, and then update the encuentro once.

    The commands are planned in order, since each one changes the state for the next.

    :raises Refused: a command cannot be true; of several, ``command`` is its place from 0
    """
    after = before
    events: tuple[ev.PartidaEvent, ...] = ()
    placed: tuple[PlacedEvent, ...] = ()
    for place, command in enumerate(commands):
        try:
            decision = partidas.decide(command, after.state)
        except Refused as refused:
            if len(commands) == 1:
                raise
            raise Refused(refused.rule, **{**refused.facts, "command": place}) from refused
        after, more = PARTIDA.grow_and_place_with_state(after, decision.events, decision.state)
        events, placed = events + decision.events, placed + more
    followed = partida_follow_events(encuentro, after)
    return Recording(before, after, events, placed, encuentro, followed, case)


def partida_follow_events(
    encuentro: Stream[Encuentro], after: Stream[Partida]
) -> tuple[ev.EncuentroEvent, ...]:
    """Events by which the encuentro takes over how a partida stands now.

    None if it has that already.

    It holds no totals of an undecided partida; those are in the partida alone.
    """
    stands = partidas.follow_command_of_partida(after.state)
    if stands.how == encuentros.UNDECIDED:
        stands = dataclasses.replace(stands, totals={})
    if stands == last_follow_command_of_partida(encuentro.state, stands.partida):
        return ()
    return encuentros.decide(stands, encuentro.state)


def encuentro_act_preview(state: Encuentro, act: ev.EncuentroAct) -> Preview:
    """Preview of an act of the encuentro itself."""
    events = encuentros.decide(Note(act), state)
    return Preview(
        EncuentroState(state), EncuentroState(encuentros.fold(events, state)), (), events
    )


def plan_encuentro_act(
    encuentro: Stream[Encuentro], act: ev.EncuentroAct, four_eyes: ev.FourEyes = "noted"
) -> PendingWrite:
    """Plan an act of the encuentro itself, under what the club chose about two persons."""
    return plan_encuentro_acts(encuentro, (act,), four_eyes)


def plan_encuentro_acts(
    encuentro: Stream[Encuentro], acts: Sequence[ev.EncuentroAct], four_eyes: ev.FourEyes = "noted"
) -> PendingWrite:
    """Plan acts of the encuentro itself, each decided on the state that those before it left."""

    def decide(act: ev.EncuentroAct, state: Encuentro) -> tuple[ev.EncuentroEvent, ...]:
        return encuentros.decide(Note(act, four_eyes), state)

    return PendingWrite(*ENCUENTRO.grow_and_place_by_acts(encuentro, acts, decide))


def plan_next_partida(
    encuentro: Stream[Encuentro], previous: Stream[Partida] | None
) -> PendingWrite:
    """Plan to open the next partida, with the dealer that the one before gives it."""
    opened = encuentro.state.opened
    assert opened is not None
    number = len(encuentro.state.partidas) + 1
    noted = plan_encuentro_act(encuentro, ev.PartidaStarted(number))
    first = ev.PartidaOpened(
        encuentro=str(encuentro.id),
        number=number,
        options=opened.profile.options,
        profile_hash=opened.profile.hash,
        dealer_due="" if previous is None else partidas.dealer_due_next_partida(previous.state),
    )
    empty = PARTIDA.empty_stream(partida_id(encuentro.id, number))
    started, placed = PARTIDA.grow_and_place_events(empty, (first,))
    guards = {} if previous is None else {previous.id: previous.version}
    return PendingWrite(noted.main, noted.placed + placed, (started,), guards)


def partida_number(state: Partida) -> int:
    """Number of a partida in its encuentro, from 1."""
    assert state.opened is not None
    return state.opened.number


def last_follow_command_of_partida(state: Encuentro, number: int) -> Follow:
    """Outcome of a partida as the encuentro recorded it last, in the form of a command."""
    o: ev.OutcomeFollowed = state.partidas[number - 1]
    return Follow(o.partida, o.winner, o.how, o.totals, o.whole_match)


class EncuentroHandler(Handler):
    """Reads and records encuentros and partidas."""

    def __init__(
        self,
        writer: Writer,
        four_eyes: Callable[[], ev.FourEyes],
        principal: Callable[[ev.HolderId], ev.PrincipalId],
    ) -> None:
        """Handle commands with a writer.

        ``four_eyes``: what the club chose about two persons; ``principal``: who counts as one.
        """
        super().__init__(writer)
        self._four_eyes, self._principal = four_eyes, principal

    def partida_by_id(self, partida_id: UUID) -> Partida:
        """A partida as it stands now.

        :raises NotFound: no partida has this id
        """
        return self._writer.stream(PARTIDA, partida_id).state

    def encuentro(self, encuentro_id: UUID) -> Encuentro:
        """An encuentro as it stands now.

        :raises NotFound: no encuentro has this id
        """
        return self._writer.stream(ENCUENTRO, encuentro_id).state

    def preview_partida_acts(self, partida_id: UUID, commands: Sequence[PartidaCommand]) -> Preview:
        """What commands to a partida would change, in it and in its encuentro; nothing is saved."""
        return self._plan_partida_commands(
            self._writer.stream(PARTIDA, partida_id), commands
        ).preview

    def preview_encuentro_act(self, encuentro_id: UUID, act: ev.EncuentroAct) -> Preview:
        """What an act of an encuentro itself would change; nothing is saved."""
        return encuentro_act_preview(self.encuentro(encuentro_id), act)

    def open(
        self, opened: ev.EncuentroOpened, meta: WriteMetadata, encuentro_id: UUID | None = None
    ) -> Answer:
        """Record a new encuentro.

        :raises Stale: the id is taken
        """
        new = self._writer.new_id() if encuentro_id is None else encuentro_id
        return self._writer.plan_and_save(self._plan_opening, meta, new, opened)

    def _plan_opening(self, new: UUID, opened: ev.EncuentroOpened) -> PendingWrite:
        self._writer.refuse_taken_id(ENCUENTRO, new)
        return plan_encuentro_act(ENCUENTRO.empty_stream(new), opened)

    def record_encuentro_act(
        self,
        encuentro_id: UUID,
        act: ev.EncuentroAct,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record an act of an encuentro: a draw, the seats, a ruling, an act about its result."""
        return self.record_encuentro_acts(encuentro_id, (act,), meta, expected)

    def correct_day(
        self, encuentro_id: UUID, day: str, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Record another day for an encuentro, even if acts have been recorded at it."""
        return self._writer.plan_and_save(
            self._plan_day_correction, meta, encuentro_id, day, expected
        )

    def _plan_day_correction(
        self, encuentro_id: UUID, day: str, expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        return plan_encuentro_act(stream, act_to_change_day(stream.state, day))

    def record_encuentro_acts(
        self,
        encuentro_id: UUID,
        acts: Sequence[ev.EncuentroAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of an encuentro in order, all or none."""
        assert acts
        for act in acts:
            assert not isinstance(
                act, ev.EncuentroOpened | ev.PartidaStarted | ev.ResultContested
            ), act
        principal = self._principal(meta.by)
        signed = [_result_act_with_principal(act, principal) for act in acts]
        return self._writer.plan_and_save(self._plan_acts, meta, encuentro_id, signed, expected)

    def _plan_acts(
        self, encuentro_id: UUID, acts: Sequence[ev.EncuentroAct], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        return plan_encuentro_acts(stream, acts, self._four_eyes())

    def start_partida(
        self, encuentro_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Start the next partida of an encuentro; its id is ``partida_id`` of both."""
        return self._writer.plan_and_save(self._plan_partida_start, meta, encuentro_id, expected)

    def _plan_partida_start(self, encuentro_id: UUID, expected: int | None) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        played = len(stream.state.partidas)
        before = partida_id(encuentro_id, played)
        return plan_next_partida(stream, self._writer.stream(PARTIDA, before) if played else None)

    def record_partida_acts(
        self,
        partida_id: UUID,
        commands: Sequence[PartidaCommand],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a partida, all or none, and update its encuentro with them."""
        assert commands
        return self._writer.plan_and_save(
            self._plan_partida_acts, meta, partida_id, commands, expected
        )

    def _plan_partida_acts(
        self, partida_id: UUID, commands: Sequence[PartidaCommand], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(PARTIDA, partida_id, expected)
        recording = self._plan_partida_commands(stream, commands)
        return recording.pending_write(lambda one: self._writer.stream(PARTIDA, one))

    def _plan_partida_commands(
        self, stream: Stream[Partida], commands: Sequence[PartidaCommand]
    ) -> Recording:
        assert stream.state.opened is not None
        encuentro = self._writer.stream(ENCUENTRO, UUID(stream.state.opened.encuentro))
        return plan_recording(stream, encuentro, commands)


def _result_act_with_principal(act: ev.EncuentroAct, principal: ev.PrincipalId) -> ev.EncuentroAct:
    """The same act; one about the result gets the signed-in principal.

    No request body can set that field.
    """
    match act:
        case (
            ev.CodeGiven()
            | ev.ResultReported()
            | ev.ResultConfirmed()
            | ev.ResultDenied()
            | ev.ResultMadeOfficial()
            | ev.ResultReopened()
        ):
            return replace(act, principal=principal)
        case _:
            return act
