"""Random reported outcomes, with the doubts of the service."""

from __future__ import annotations

import random
from typing import Any

from referee.rules.reports import (
    RecordSoFar,
    ReportedResult,
    doubts_about_result,
    possible_missing_totals,
    possible_result_sums,
)
from referee.rules.seats import SIDES
from tests.api.tablet.vectors.positions import changed, frozen_values
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import HOWS, options_of

OF_THE_OUTCOME = (
    *("tute", "target", "both_reach_target", "min_malas", "min_malas_applies"),
    *("cantes_need_min_malas", "claim_in", "unclaimed_at_end", "min_malas_of", "vueltas_end"),
)


def reported(chance: random.Random) -> dict[str, Any]:
    """An outcome with likely or unlikely points, under some options."""
    options = changed(options_of(chance.choice(TABLES)), chance, OF_THE_OUTCOME, 4)
    sides = list(SIDES[options.players])
    how = chance.choice((*HOWS, "unclaimed", *["first_deal"] * 4))
    left = chance.choice(possible_result_sums(how, options)) + chance.choice((0, 0, 0, 0, 1, 10))
    points = {}
    for side in sides[:-1]:
        points[side] = chance.choice((0, 1, 30, 100, 101, chance.randint(0, left))) % (left + 1)
        left -= points[side]
    points[sides[-1]] = left
    known = {side: points[side] for side in sides if chance.random() < 0.7}
    one = ReportedResult(chance.choice(sides), how, known)
    has = {side: chance.choice((0, 0, 0, 40)) for side in sides}
    record = RecordSoFar(has, chance.choice((0, 0, 0, 1)))
    return {
        "options": frozen_values(options),
        "reported": one._asdict(),
        "record": record._asdict(),
        "doubts": [
            {"rule": str(each.rule), "facts": each.facts}
            for each in doubts_about_result(one, options, record)
        ],
        "completions": list(possible_missing_totals(one, options, record)),
    }
