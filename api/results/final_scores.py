"""Final scores of encuentros: the acts that record one, and the result as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from referee.aggregates.encuentro import (
    Encuentro,
    options_of,
    result_stage,
    standing_of,
    standing_over_partidas,
)
from referee.aggregates.result import ResultStage
from referee.events import EncuentroAct, FinalScoreTold, PersonId, ResultReported, SideName
from referee.rules.match_scores import (
    final_scores_still_possible,
    read_score,
    score_of_standing,
    score_sum_of_fixed_partidas,
    score_text,
)
from referee.rules.profile.options import Options


def score_acts(
    score: Mapping[SideName, int],
    side: SideName,
    entered_by: Literal["", "official"],
    by: PersonId = "",
    device: str = "",
) -> tuple[EncuentroAct, EncuentroAct]:
    """The score and its report, to be recorded together. ``side``: empty if no side tells it."""
    return (
        FinalScoreTold(dict(score), side, entered_by),
        ResultReported(by, side, device, entered_by=entered_by),
    )


class WhatStands(NamedTuple):
    """The result of an encuentro as somebody sees it before an act: its score and its stage."""

    score: str
    stage: ResultStage
    version: int

    @property
    def result_fingerprint(self) -> str:
        """What a form sends along, so that an entry of somebody else in between is noticed."""
        return f"{self.stage} {self.score}".strip()


def current_result(state: Encuentro) -> WhatStands:
    """Stage and version of the result of an encuentro; its score is empty until it is decided."""
    score = (
        ""
        if state.win is None
        else score_text(score_of_standing(standing_of(state), options_of(state)))
    )
    return WhatStands(score, result_stage(state), state.version)


def score_in_form(form: Mapping[str, str], state: Encuentro) -> dict[SideName, int]:
    """The score in a form: of one button, of who did not come, or a number for each side.

    The last number may be left out: it is what remains of a fixed number of partidas.
    ``ValueError``: there is none.
    """
    options = options_of(state)
    if "score" in form:
        return read_score(form["score"], options.players)
    if "absent" in form:
        return _score_with_absent_side(form["absent"], state, options)
    sides = sorted(score_of_standing(standing_of(state), options))
    typed = [form.get(f"score-{side}", "").strip() for side in sides]
    if not typed[-1]:
        typed[-1] = str(options.fixed_partidas - sum(map(int, typed[:-1])))
    return read_score("-".join(typed), options.players)


def _score_with_absent_side(absent: str, state: Encuentro, options: Options) -> dict[SideName, int]:
    """The score where one of two sides did not come: the other has all that is possible.

    ``ValueError``: there is no such side, or there are more than two.
    """
    recorded = standing_over_partidas(state)
    made = score_of_standing(recorded, options)
    other, *more = [side for side in made if side != absent]
    if absent not in made or more:
        raise ValueError(absent)
    if options.match_format == "fixed_partidas":
        return {**made, other: score_sum_of_fixed_partidas(options, recorded) - made[absent]}
    possible = final_scores_still_possible(options, recorded)
    return max(possible, key=lambda score: score[other] - score[absent])
