"""Fees of an evening and of a season: who may be noted as having paid, and when."""

from __future__ import annotations

import pytest

from referee import events as ev
from referee.aggregates import season as seasons
from referee.aggregates import session as sessions
from referee.aggregates.fees import Fees
from referee.errors import Refused
from referee.rules.articles import Rule
from tests.referee.aggregates.test_session import OF_PAIRS, OPENED

TERMS = ev.FeesSet(500, 100, (ev.Prize(6000), ev.Prize(words="t1")))
SEASON = ev.SeasonOpened("t4", of="pairs")
ANA, REYES = ev.FeePaid(person="ana"), ev.FeePaid(pair="reyes")


def evening(*acts: ev.SessionAct) -> sessions.Session:
    state = sessions.INITIAL
    for act in acts:
        (event,) = sessions.decide(act, state)
        state = sessions.evolve(state, event)
    return state


def season(*acts: ev.SeasonAct) -> seasons.Season:
    state = seasons.INITIAL
    for act in acts:
        (event,) = seasons.decide(act, state)
        state = seasons.evolve(state, event)
    return state


def refused(act: ev.FeesAct, *before: ev.SessionAct) -> Rule:
    with pytest.raises(Refused) as caught:
        sessions.decide(act, evening(*before))
    return caught.value.rule


def test_who_pays_is_noted_once_and_taken_back_also_when_all_is_over() -> None:
    closed = evening(OPENED, TERMS, ANA, ev.SessionClosed(), ev.FeePaid(person="blas"))
    assert closed.fees == Fees(TERMS, ("ana", "blas"))
    assert closed.version == 5
    back = ev.PaymentTakenBack(person="ana")
    assert evening(OPENED, TERMS, ANA, back).fees == Fees(TERMS)
    assert season(SEASON, TERMS, ev.SeasonClosed(), REYES).fees == Fees(TERMS, ("reyes",))
    assert season(SEASON, TERMS, ev.FeesSet(600)).fees == Fees(ev.FeesSet(600))


def test_what_cannot_be_true_is_refused() -> None:
    assert refused(ANA, OPENED) == Rule.NO_FEE
    assert refused(ANA, OPENED, ev.FeesSet(prizes=TERMS.prizes)) == Rule.NO_FEE
    assert refused(ANA, OPENED, TERMS, ANA) == Rule.FEE_PAID
    assert refused(ev.PaymentTakenBack(person="ana"), OPENED, TERMS) == Rule.FEE_NOT_PAID
    for act in (REYES, ev.FeePaid(), ev.FeePaid("ana", "reyes")):
        assert refused(act, OPENED, TERMS) == Rule.OTHER_COMPETITORS
    assert refused(ANA, OF_PAIRS, TERMS) == Rule.OTHER_COMPETITORS
    with pytest.raises(Refused) as caught:
        seasons.decide(ANA, season(SEASON, TERMS))
    assert caught.value.rule == Rule.OTHER_COMPETITORS
