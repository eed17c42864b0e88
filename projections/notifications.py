"""Notifications: what happened, as other programs are told of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard, TypeVar, get_args
from uuid import UUID

import msgspec

from referee import events as ev
from referee.aggregates import encuentro as encuentros
from referee.aggregates.partida import RecordedAct
from referee.aggregates.result import ResultStage
from referee.aggregates.ruling_writes import has_ruling_change
from referee.events import tournament as tv
from referee.log.mapper import LoggedEvent, RecordedEvent

RESULT_EVENTS: Final[tuple[type[ev.Fact], ...]] = (
    *get_args(ev.ResultAct),
    ev.CaseFollowed,
    ev.EncuentroRuled,
    ev.FinalScoreTold,
    ev.FinalScoreWithdrawn,
    ev.OutcomeFollowed,
    ev.EncuentroWon,
    ev.EncuentroRevised,
)
"""Events that may change the stage of a result."""
_AGREED: Final[frozenset[ResultStage]] = frozenset(("confirmed", "official"))


class Agreement(NamedTuple):
    """Change in whether every side agrees with a result.

    ``is_corrected``: a result stood before.
    """

    stage: ResultStage
    is_corrected: bool


def result_agreement_change(events: Iterable[Any]) -> Agreement | None:
    """Change by the last event in whether every side agrees with the result.

    None if there is none.
    """
    state, stages = encuentros.INITIAL, list[ResultStage](["open"])
    for event in events:
        state = encuentros.evolve(state, event)
        stages.append(encuentros.result_stage(state))
    *_, before, now = stages
    if (before in _AGREED) == (now in _AGREED):
        return None
    return Agreement(now, any(one in _AGREED for one in stages[:-1]))


NotifiedFactT = TypeVar("NotifiedFactT", bound=ev.Fact)
NotifiedFacts: TypeAlias = Mapping[str, str | int]
"""Facts of a notification: ids, numbers and codes, never a name."""


class NotificationContent(NamedTuple):
    """Content of a notification. ``is_corrected``: it corrects an earlier notification."""

    facts: NotifiedFacts
    is_corrected: bool = False


class NotificationKind(NamedTuple):
    """A kind of notification: events that may cause it, and a function for its content.

    ``content`` is called with the events of a stream up to one of them; None: nothing to say.
    """

    events: tuple[type[ev.Fact], ...]
    content: Callable[[Sequence[RecordedEvent]], NotificationContent | None]


def content_of_partida_outcome(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """Content if a partida ended, has another winner, or is undecided again; else None."""
    *earlier, latest = _events_of_kind(history, ev.OutcomeFollowed)
    before = [one for one in earlier if one.partida == latest.partida]
    if latest.how == "undecided" and not before:
        return None
    facts: NotifiedFacts = {
        "encuentro": str(history[-1].originator_id),
        "partida": latest.partida,
        "winner": latest.winner,
        "how": latest.how,
    }
    return NotificationContent(facts, bool(before))


def content_of_result_change(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """Content if every side agreed with a result, or it stands so no more; else None."""
    found = result_agreement_change([one.event for one in history])
    if found is None:
        return None
    facts: NotifiedFacts = {"encuentro": str(history[-1].originator_id), "stage": found.stage}
    return NotificationContent(facts, found.is_corrected)


def content_of_ruling(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """Content if the arbiter ruled in a partida or on the encuentro, or a ruling changed."""
    recorded, first = history[-1], history[0].event
    event = recorded.event
    if isinstance(event, ev.EncuentroRuled):
        earlier = _events_of_kind(history[:-1], ev.EncuentroRuled)
        return NotificationContent({"encuentro": str(recorded.originator_id)}, bool(earlier))
    if not isinstance(first, ev.PartidaOpened):
        return None
    facts: NotifiedFacts = {
        "encuentro": first.encuentro,
        "partida": first.number,
        "line": recorded.line,
    }
    if isinstance(event, ev.RulingGiven):
        return NotificationContent({**facts, "effect": event.effect})
    assert isinstance(event, ev.LogAmended)
    acts = [RecordedAct(one.line, one.event) for one in history[:-1] if _is_act(one.event)]
    if not has_ruling_change(event.changes, acts):
        return None
    return NotificationContent(facts, is_corrected=True)


def content_of_round(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """Content for a round of a tournament that was drawn, drawn anew, or taken back."""
    recorded = history[-1]
    event = recorded.event
    assert isinstance(event, tv.RoundDrawn | tv.RoundTakenBack)
    earlier = any(
        one.number == event.number for one in _events_of_kind(history[:-1], tv.RoundDrawn)
    )
    facts: NotifiedFacts = {
        "tournament": str(recorded.originator_id),
        "round": event.number,
        "stage": "drawn" if isinstance(event, tv.RoundDrawn) else "taken_back",
    }
    return NotificationContent(facts, earlier)


def _events_of_kind(
    history: Sequence[RecordedEvent], kind: type[NotifiedFactT]
) -> list[NotifiedFactT]:
    return [one.event for one in history if isinstance(one.event, kind)]


def _is_act(event: ev.Event) -> TypeGuard[ev.PartidaAct]:
    return isinstance(event, ev.Act)


_RULINGS: Final = (ev.RulingGiven, ev.EncuentroRuled, ev.LogAmended)
KINDS: Final[Mapping[str, NotificationKind]] = {
    "partida.ended": NotificationKind((ev.OutcomeFollowed,), content_of_partida_outcome),
    "result.confirmed": NotificationKind(RESULT_EVENTS, content_of_result_change),
    "ruling.given": NotificationKind(
        (ev.RulingGiven, ev.EncuentroRuled, ev.LogAmended), content_of_ruling
    ),
    "round.drawn": NotificationKind((tv.RoundDrawn, tv.RoundTakenBack), content_of_round),
}
"""Every kind, by its name on the wire, which stays for ever."""


_ID_DIGITS: Final = 32


class Notification(msgspec.Struct, frozen=True):
    """A notification to other programs. ``at``: when it happened; ``mark``: salt of its event."""

    kind: str
    stream: UUID
    version: int
    position: int
    mark: str
    at: str
    is_corrected: bool
    facts: NotifiedFacts

    def id_for_subscriber(self, subscriber: str) -> str:
        """Id of the message to a subscriber: the same each time for this event, and of no other."""
        about = f"{subscriber} {self.kind} {self.stream.hex} {self.version} {self.mark}"
        return f"msg_{hashlib.sha256(about.encode()).hexdigest()[:_ID_DIGITS]}"


def notifications_of_event(
    logged: LoggedEvent,
    wanted: Collection[str],
    history: Callable[[UUID, int], Sequence[RecordedEvent]],
) -> Iterator[Notification]:
    """Notifications of the wanted kinds that an event causes.

    ``history``: Events of a stream up to a version.
    """
    recorded = logged.recorded
    for name, kind in KINDS.items():
        if name not in wanted or not isinstance(recorded.event, kind.events):
            continue
        found = kind.content(history(recorded.originator_id, recorded.originator_version))
        if found is not None:
            yield Notification(
                kind=name,
                stream=recorded.originator_id,
                version=recorded.originator_version,
                position=logged.position,
                mark=recorded.salt,
                at=recorded.corrected_at,
                is_corrected=found.is_corrected,
                facts=found.facts,
            )
