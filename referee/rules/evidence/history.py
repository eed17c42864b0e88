"""Evidence from the sights of a deal, kept between two acts."""

from __future__ import annotations

from functools import lru_cache

from referee.rules.evidence.sights import Sight
from referee.rules.evidence.verdicts import Evidence


@lru_cache(128)
def evidence_after(sights: tuple[Sight, ...]) -> Evidence:
    """Evidence from these sights, for all who ask: nobody adds a sight to it, except to a copy.

    It goes on from that of one sight less, since acts are recorded and judged one after another.
    """
    if not sights:
        return Evidence()
    evidence = evidence_after(sights[:-1]).copy()
    evidence.see(sights[-1])
    return evidence
