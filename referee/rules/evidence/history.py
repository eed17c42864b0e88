"""Evidence of a deal, carried on from act to act: from all sights, and for announcements alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.rules.evidence.questions import Verdict
from referee.rules.evidence.sights import Played, Sight
from referee.rules.evidence.verdicts import Evidence


@lru_cache(128)
def evidence_from_sights(sights: tuple[Sight, ...]) -> Evidence:
    """Evidence from these sights, cached: whoever adds a sight adds it to a copy.

    It goes on from that of one sight less, since acts are recorded and judged one after another.
    """
    if not sights:
        return Evidence()
    evidence = evidence_from_sights(sights[:-1]).copy()
    evidence.see(sights[-1])
    return evidence


class SungEvidence:
    """Evidence on announced cards alone, from the sights of a deal seen so far.

    Immutable: ``evidence_from_all_sights`` gives another one. Duties of play are left out, since
    they prove nothing about a cante.
    """

    __slots__ = ("_evidence", "_seen")

    def __init__(self) -> None:
        self._evidence, self._seen = Evidence(), 0

    def evidence_from_all_sights(self, sights: Sequence[Sight]) -> SungEvidence:
        """Evidence after all of these sights, which begin with those seen before."""
        if len(sights) == self._seen:
            return self
        new = SungEvidence()
        new._evidence, new._seen = self._evidence.copy(), len(sights)
        new._evidence.see_all(
            sight._replace(charges=()) if isinstance(sight, Played) else sight
            for sight in sights[self._seen :]
        )
        return new

    @property
    def is_broken(self) -> bool:
        """Whether no distribution of the cards agrees with the record."""
        return bool(self._evidence.broken)

    def verdict_of_line(self, line: int) -> Verdict:
        """Verdict on the cante of a line."""
        return self._evidence.verdicts[line]

    def __eq__(self, other: object) -> bool:
        """Whether as much was seen: of one deal, that is the same."""
        return isinstance(other, SungEvidence) and other._seen == self._seen

    def __hash__(self) -> int:
        """Hash of how much was seen."""
        return hash(self._seen)
