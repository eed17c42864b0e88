"""Notifications out of the log: an event gives none, one, or one of each of several kinds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final
from uuid import UUID

import msgspec

from projections.notifications.kinds import KINDS, NotifiedFacts
from referee.log.mapper import LoggedEvent, RecordedEvent

_ID_DIGITS: Final = 32


class Notification(msgspec.Struct, frozen=True):
    """Something that happened. ``at``: when; ``mark``: the salt of the event, which is its own."""

    kind: str
    stream: UUID
    version: int
    position: int
    mark: str
    at: str
    is_corrected: bool
    facts: NotifiedFacts

    def id_for(self, subscriber: str) -> str:
        """Id of the message to a subscriber: always the same, of this event and no other one."""
        about = f"{subscriber} {self.kind} {self.stream.hex} {self.version} {self.mark}"
        return f"msg_{hashlib.sha256(about.encode()).hexdigest()[:_ID_DIGITS]}"


def notifications(
    logged: LoggedEvent,
    wanted: Collection[str],
    history: Callable[[UUID, int], Sequence[RecordedEvent]],
) -> Iterator[Notification]:
    """What an event gives, of the wanted kinds. ``history``: events of a stream up to a version."""
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
                at=recorded.moment,
                is_corrected=found.is_corrected,
                facts=found.facts,
            )
