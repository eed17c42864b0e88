"""The state of what a club publishes: who agreed to which name, joints, months, the last issue."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
import rfc8785

from referee.events import PersonId, TextId
from referee.events.publication import (
    JointId,
    Month,
    PublicId,
    Publishing,
    ResultsIssued,
    StatedJoint,
    StatedPerson,
    StatedResult,
)


class AgreedName(msgspec.Struct, frozen=True):
    """What a person agreed to. ``offered``: joints that they asked a code for."""

    name: TextId
    public: PublicId
    joints: tuple[StatedJoint, ...] = ()
    offered: tuple[JointId, ...] = ()


class Publication(msgspec.Struct, frozen=True):
    """What a club publishes, folded from its log; ``version`` counts its acts.

    ``texts``: every name that each person ever agreed to. ``renewals``: of their addresses.
    ``months``: results as they were stated last. ``nonces``: of the last two issues.
    """

    choice: Publishing = "closed"
    agreed: Mapping[PersonId, AgreedName] = {}
    texts: Mapping[PersonId, tuple[TextId, ...]] = {}
    renewals: Mapping[PersonId, int] = {}
    months: Mapping[Month, tuple[StatedResult, ...]] = {}
    issued: ResultsIssued | None = None
    nonces: tuple[TextId, ...] = ()
    version: int = 0

    @property
    def is_published(self) -> bool:
        """Whether the club publishes its results."""
        return self.choice == "published"

    def names_of(self, persons: Iterable[PersonId]) -> tuple[TextId, ...]:
        """Every name that some persons ever agreed to."""
        return tuple(text for one in persons for text in self.texts.get(one, ()))

    def people(self) -> tuple[StatedPerson, ...]:
        """Everybody who agreed, by public id."""
        found = (StatedPerson(one.public, one.joints) for one in self.agreed.values())
        return tuple(sorted(found, key=lambda one: one.person))

    def month_digests(self) -> dict[Month, str]:
        """A digest of each month that has a result."""
        return {
            month: digest_of_month(month, results)
            for month, results in sorted(self.months.items())
            if results
        }

    def is_as_issued(self) -> bool:
        """Whether nothing has changed since the last issue, but for names."""
        issued = self.issued
        stands = (self.people(), self.month_digests())
        return issued is not None and (issued.people, issued.months) == stands


INITIAL: Final = Publication()


def digest_of_month(month: Month, results: Iterable[StatedResult]) -> str:
    """SHA-256 of the canonical JSON of a month and its results.

    >>> digest_of_month("2026-11", [StatedResult("2026-11-21", "club", (("a",), ("b",)), 1)])[:16]
    '1e504ffa11ff9e54'
    """
    rows = [[one.date, one.profile, [*map(list, one.sides)], one.winner] for one in results]
    return hashlib.sha256(rfc8785.dumps([month, rows])).hexdigest()  # type: ignore[list-item]  # rows are JSON
