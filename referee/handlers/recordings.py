"""Plans: what commands to a partida or its encuentro will append. Nothing is saved here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from referee import events as ev
from referee.aggregates import encuentro as encuentros
from referee.aggregates import partida as partidas
from referee.aggregates.commands import Follow, Note, PartidaCommand
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.aggregates.result import refuse_late_change
from referee.errors import Refused
from referee.kinds import ENCUENTRO, PARTIDA, partida_id
from referee.log.streams import PendingWrite, PlacedEvent, Stream


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
    def version(self) -> int:
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
    placed: tuple[PlacedEvent, ...]
    encuentro: Stream[Encuentro]
    encuentro_events: tuple[ev.EncuentroEvent, ...]
    case: int = 0

    @property
    def events(self) -> tuple[ev.PartidaEvent, ...]:
        """Events of the partida."""
        found: Any = tuple(p.event for p in self.placed)
        return tuple(found)

    @property
    def preview(self) -> Preview:
        """The same as a preview, to be confirmed by the user."""
        match = self.encuentro.state
        followed = encuentros.fold(self.encuentro_events, match)
        return Preview(
            EncuentroState(match, self.before.state),
            EncuentroState(followed, self.after.state),
            self.events,
            self.encuentro_events,
        )

    def pending_write(self, load_partida: Callable[[UUID], Stream[Partida]]) -> PendingWrite:
        """Events of the partida, its encuentro, and the next partida if its dealer changes.

        :raises Refused: it comes too late, or only a case may change it
        """
        number = number_of(self.after.state)
        refuse_late_change(self.encuentro.state.result, number, self.events, self.case)
        match, followed = ENCUENTRO.grow(self.encuentro, self.encuentro_events)
        placed = self.placed + followed
        others: tuple[Stream[Any], ...] = (match,)
        if number < len(self.encuentro.state.partidas):
            later = load_partida(partida_id(self.encuentro.id, number + 1))
            if dealer_events := self._dealer_events(later.state):
                later, more = PARTIDA.grow(later, dealer_events)
                placed, others = placed + more, (match, later)
        read = {self.encuentro.id: self.encuentro.version}
        return PendingWrite(self.after, placed, others, read)

    def _dealer_events(self, later: Partida) -> tuple[ev.DealerDue, ...]:
        """What the next partida records: its dealer, if this changes who that is."""
        due = partidas.due_after(self.after.state)
        if due in (later.dealer_due, partidas.due_after(self.before.state)):
            return ()
        return (ev.DealerDue(due),)


def plan_record(
    before: Stream[Partida],
    encuentro: Stream[Encuentro],
    commands: Sequence[PartidaCommand],
    case: int = 0,
) -> Recording:
    """Commands decided one after another, all or none; then the encuentro follows once.

    The commands are planned in order, since each one changes the state for the next.

    :raises Refused: a command cannot be true; of several, ``command`` is its place from 0
    """
    after = before
    placed: tuple[PlacedEvent, ...] = ()
    for place, command in enumerate(commands):
        try:
            decision = partidas.decide_and_evolve(command, after.state)
        except Refused as refused:
            if len(commands) == 1:
                raise
            raise Refused(refused.rule, **{**refused.facts, "command": place}) from refused
        after, more = PARTIDA.grow_to(after, decision.events, decision.state)
        placed += more
    followed = plan_follow(encuentro, after)
    return Recording(before, after, placed, encuentro, followed, case)


def plan_follow(
    encuentro: Stream[Encuentro], after: Stream[Partida]
) -> tuple[ev.EncuentroEvent, ...]:
    """What the encuentro records of how a partida stands now, if it holds something else.

    It holds no totals of an undecided partida; those are in the partida alone.
    """
    stands = partidas.outcome(after.state)
    if stands.how == encuentros.UNDECIDED:
        stands = replace(stands, totals={})
    if stands == follow_command(encuentro.state, stands.partida):
        return ()
    return encuentros.decide(stands, encuentro.state)


def preview_note_of(state: Encuentro, act: ev.EncuentroAct) -> Preview:
    """What an act of the encuentro itself would do."""
    events = encuentros.decide(Note(act), state)
    return Preview(
        EncuentroState(state), EncuentroState(encuentros.fold(events, state)), (), events
    )


def plan_note(
    encuentro: Stream[Encuentro], act: ev.EncuentroAct, four_eyes: ev.FourEyes = "noted"
) -> PendingWrite:
    """An act of the encuentro itself, under what the club chose about two persons."""
    return plan_notes(encuentro, (act,), four_eyes)


def plan_notes(
    encuentro: Stream[Encuentro], acts: Sequence[ev.EncuentroAct], four_eyes: ev.FourEyes = "noted"
) -> PendingWrite:
    """Acts of the encuentro itself, each decided on what those before it left."""

    def decide(act: ev.EncuentroAct, state: Encuentro) -> tuple[ev.EncuentroEvent, ...]:
        return encuentros.decide(Note(act, four_eyes), state)

    return PendingWrite(*ENCUENTRO.grow_by(encuentro, acts, decide))


def plan_partida(encuentro: Stream[Encuentro], previous: Stream[Partida] | None) -> PendingWrite:
    """The next partida, under the frozen profile, with the dealer the one before gives it."""
    opened = encuentro.state.opened
    assert opened is not None
    number = len(encuentro.state.partidas) + 1
    noted = plan_note(encuentro, ev.PartidaStarted(number))
    first = ev.PartidaOpened(
        encuentro=str(encuentro.id),
        number=number,
        options=opened.profile.options,
        profile_hash=opened.profile.hash,
        dealer_due="" if previous is None else partidas.due_after(previous.state),
    )
    empty = PARTIDA.empty(partida_id(encuentro.id, number))
    started, placed = PARTIDA.grow(empty, (first,))
    guards = {} if previous is None else {previous.id: previous.version}
    return PendingWrite(noted.main, noted.placed + placed, (started,), guards)


def number_of(state: Partida) -> int:
    """Place of a partida in its encuentro, from 1."""
    assert state.opened is not None
    return state.opened.number


def follow_command(state: Encuentro, number: int) -> Follow:
    """How the encuentro takes a partida to stand."""
    o: ev.OutcomeFollowed = state.partidas[number - 1]
    return Follow(o.partida, o.winner, o.how, o.totals, o.whole_match)
