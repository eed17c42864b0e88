"""The kinds of notifications: which events give one, and what it says in codes and ids.

A further kind is a line of ``KINDS``, a function that finds its facts, and its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeGuard, TypeVar

from projections.notifications.results import RESULT_EVENTS, agreement
from referee import events as ev
from referee.aggregates.partida import RecordedAct
from referee.aggregates.ruling_writes import alters_ruling
from referee.events import tournament as tv
from referee.log.mapper import RecordedEvent

NotifiedFactT = TypeVar("NotifiedFactT", bound=ev.Fact)
NotifiedFacts: TypeAlias = Mapping[str, str | int]
"""Facts of a notification: ids, numbers and codes, never a name."""


class NotificationContent(NamedTuple):
    """What a notification says. ``is_corrected``: something that was said before is otherwise."""

    facts: NotifiedFacts
    is_corrected: bool = False


class NotificationKind(NamedTuple):
    """Events that may give a notification, and what it says.

    ``content`` is called with the events of a stream up to one of them; None: nothing to say.
    """

    events: tuple[type[ev.Fact], ...]
    content: Callable[[Sequence[RecordedEvent]], NotificationContent | None]


def partida_content(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """A partida ended, has another winner after a correction, or is undecided again."""
    *earlier, latest = _of_kind(history, ev.OutcomeFollowed)
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


def result_content(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """Every side agreed with a result, or it does not stand as it was agreed with."""
    found = agreement([one.event for one in history])
    if found is None:
        return None
    facts: NotifiedFacts = {"encuentro": str(history[-1].originator_id), "stage": found.stage}
    return NotificationContent(facts, found.is_corrected)


def ruling_content(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """The arbiter ruled in a partida or on the encuentro itself, or a ruling was changed."""
    recorded, first = history[-1], history[0].event
    event = recorded.event
    if isinstance(event, ev.EncuentroRuled):
        earlier = _of_kind(history[:-1], ev.EncuentroRuled)
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
    if not alters_ruling(event.changes, acts):
        return None
    return NotificationContent(facts, is_corrected=True)


def round_content(history: Sequence[RecordedEvent]) -> NotificationContent | None:
    """A round of a tournament was drawn, drawn anew, or taken back."""
    recorded = history[-1]
    event = recorded.event
    assert isinstance(event, tv.RoundDrawn | tv.RoundTakenBack)
    earlier = any(one.number == event.number for one in _of_kind(history[:-1], tv.RoundDrawn))
    facts: NotifiedFacts = {
        "tournament": str(recorded.originator_id),
        "round": event.number,
        "stage": "drawn" if isinstance(event, tv.RoundDrawn) else "taken_back",
    }
    return NotificationContent(facts, earlier)


def _of_kind(history: Sequence[RecordedEvent], kind: type[NotifiedFactT]) -> list[NotifiedFactT]:
    return [one.event for one in history if isinstance(one.event, kind)]


def _is_act(event: ev.Event) -> TypeGuard[ev.PartidaAct]:
    return isinstance(event, ev.Act)


_RULINGS: Final = (ev.RulingGiven, ev.EncuentroRuled, ev.LogAmended)
KINDS: Final[Mapping[str, NotificationKind]] = {
    "partida.ended": NotificationKind((ev.OutcomeFollowed,), partida_content),
    "result.confirmed": NotificationKind(RESULT_EVENTS, result_content),
    "ruling.given": NotificationKind(
        (ev.RulingGiven, ev.EncuentroRuled, ev.LogAmended), ruling_content
    ),
    "round.drawn": NotificationKind((tv.RoundDrawn, tv.RoundTakenBack), round_content),
}
"""Every kind, by its name on the wire, which stays for ever."""
