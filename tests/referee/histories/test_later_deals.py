"""A deal of the vueltas is judged as the same deal would be alone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from projections.legality.evidence import VerdictData, partida_evidence_view
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.events import ClaimMade, DealStarted
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of


def reasons(verdict: VerdictData, before: int) -> tuple[Any, ...]:
    """A verdict with everything it rests on; lines are counted from the deal's first."""
    proof, since = verdict.proof, verdict.since
    return (
        verdict.line - before,
        verdict.verdict,
        verdict.rule,
        since and since - before,
        [line - before for line in proof.lines],
        proof.cards,
        verdict.settles,
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))
def test_verdicts_of_the_vueltas_are_those_of_the_deal_alone(table: tuple[str, int, int]) -> None:
    options, frozen = options_of(table), freeze_profile(profile(table[0]), *table[1:])
    later = 0
    for seed in range(12):
        player = Player(options, seed, observed=bool(seed % 2))
        player.breaches_left = random.Random(seed).randint(0, 60)
        player.partida()
        acts = player.acts
        found = partida_evidence_view(fold([opened(options), *acts]), frozen).acts
        starts = [at for at, act in enumerate(acts) if isinstance(act, DealStarted)][1:]
        for start, end in zip(starts, [*starts[1:], len(acts)], strict=False):
            later += 1
            # what a claim may say depends on the deals before
            of_deal = [act for act in acts[start:end] if not isinstance(act, ClaimMade)]
            assert acts[start : start + len(of_deal)] == of_deal, "a claim ends a deal"
            alone = partida_evidence_view(fold([opened(options), *of_deal]), frozen).acts
            assert [reasons(one, 0) for one in alone] == [
                reasons(one, start) for one in found if start < one.line <= start + len(of_deal)
            ]
    assert later, "vueltas were played"
