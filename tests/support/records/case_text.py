"""Given-when-then tests of a case."""

from __future__ import annotations

from typing import Any, Self

import pytest

from referee.aggregates.case import INITIAL, Case, decide, fold, ground_of_option
from referee.aggregates.commands import Submit
from referee.aggregates.encuentro import freeze_profile
from referee.errors import Refused
from referee.events import (
    AppealDecided,
    Appealed,
    CaseAct,
    CaseClosed,
    CaseOpened,
    CaseRuled,
    CaseRuling,
    EvidenceAttached,
    FrozenProfile,
    Ground,
)
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile

CLUB: FrozenProfile = freeze_profile(profile("club"), 4)
ANA, JUEZ, OTRO = "ana", "juez", "otro"
SOVEREIGN, UNREGULATED = Ground("sovereign"), Ground("not_regulated")


def minute(number: int) -> str:
    """A moment of one evening."""
    return f"2026-11-21T{20 + number // 60}:{number % 60:02}:00.000Z"


def opened(side: str = "A", **more: Any) -> CaseOpened:
    """Ana disputes lines 3 and 4 of a partida of ten lines."""
    fields = {"encuentro": "e", "number": 1, "partida": 1, "seen": 10, "players": 4, "text": "t"}
    return CaseOpened(**{**fields, "by": ANA, "side": side, "lines": (3, 4), **more})


def ruling(effect: Any = "none", ground: Ground = SOVEREIGN, **more: Any) -> CaseRuling:
    """What was ruled, with a reason."""
    return CaseRuling(effect, ground, **{"text": "t", **more})


def ruled(by: str = JUEZ, at: int = 10, until: int | None = 40, **more: Any) -> CaseRuled:
    """A ruling with half an hour for an appeal."""
    word = more.pop("verdict", None) or ruling(**more)
    return CaseRuled(by, minute(at), word, 11, "" if until is None else minute(until))


def appealed(side: str = "B", by: str = "blas", at: int = 20, text: str = "t") -> Appealed:
    return Appealed(side, by, minute(at), text)


def settled(by: str = OTRO, word: CaseRuling | None = None, text: str = "t") -> AppealDecided:
    return AppealDecided(by, minute(50), text, word)


def closed(at: int = 60, by: str = JUEZ, **more: Any) -> CaseClosed:
    return CaseClosed(by, minute(at), **more)


def witness(**more: Any) -> EvidenceAttached:
    return EvidenceAttached("w", 10, **more)


def article(option: str, basis: Any = "", of: FrozenProfile = CLUB) -> Ground:
    return ground_of_option(of, option, basis)


class Told:
    """The state of a case in a test."""

    def __init__(self, *acts: CaseAct, of: FrozenProfile = CLUB) -> None:
        self.profile = of
        self.state: Case = INITIAL
        for act in acts:
            self.tell(act)

    def tell(self, act: CaseAct) -> Self:
        self.state = fold(decide(Submit(act, self.profile), self.state), self.state)
        return self

    def refuses(self, act: CaseAct, rule: Rule) -> Self:
        before = self.state
        with pytest.raises(Refused) as caught:
            self.tell(act)
        assert caught.value.rule == rule
        assert self.state is before
        return self
