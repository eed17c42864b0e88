"""A partida while it is being read, and where its acts stand in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from referee.events import Change, LogAmended, PartidaAct, TextId
from referee.record.record import FindingText, PartidaText, TextRecord
from referee.record.tokens import Token


class TextPlace(msgspec.Struct, frozen=True):
    """Where something stands in a text, both counted from 1."""

    line: int
    column: int


class ReadRecord(msgspec.Struct, frozen=True):
    """A record with the place of each act, by partida and by the line of the act in its log."""

    record: TextRecord
    places: dict[tuple[int, int], TextPlace]


@dataclass(slots=True)
class PartidaBuilder:
    """A partida being read."""

    number: int
    acts: list[PartidaAct] = field(default_factory=list)
    places: list[TextPlace] = field(default_factory=list)
    findings: list[FindingText] = field(default_factory=list)
    amendment: TextId = ""
    changes: list[Change] | None = None

    def add(self, act: PartidaAct, token: Token) -> None:
        """Take the next act."""
        self.close_amendment()
        self.acts.append(act)
        self.places.append(TextPlace(token.line, token.column))

    def close_amendment(self) -> None:
        """Put the changes gathered so far into their amendment."""
        if self.changes is not None:
            self.acts[-1] = LogAmended(tuple(self.changes), self.amendment)
            self.changes = None

    def done(self) -> PartidaText:
        """The partida as a value."""
        self.close_amendment()
        return PartidaText(self.number, tuple(self.acts), tuple(sorted(set(self.findings))))
