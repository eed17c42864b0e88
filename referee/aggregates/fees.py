"""Fees of an evening or of a season as a decider: what it costs, its prizes, who has paid."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.errors import Refused
from referee.rules.articles import Rule


class Fees(msgspec.Struct, frozen=True):
    """What was set, if anything was, and ids of the persons or pairs who paid, in their order."""

    terms: ev.FeesSet | None = None
    paid: tuple[str, ...] = ()


NO_FEES: Final = Fees()


def evolve(state: Fees, event: ev.FeesAct) -> Fees:
    """The fees after one event. Rules are checked by ``refuse_impossible_fees_act`` alone."""
    match event:
        case ev.FeesSet():
            return replace(state, terms=event)
        case ev.FeePaid(person, pair):
            return replace(state, paid=(*state.paid, person or pair))
        case ev.PaymentTakenBack(person, pair):
            gone = person or pair
            return replace(state, paid=tuple(one for one in state.paid if one != gone))
        case _:
            assert_never(event)


def refuse_impossible_fees_act(act: ev.FeesAct, state: Fees, of: ev.Competitors) -> None:
    """Refuse an act about fees that cannot be true for competitors of this kind.

    Whether the evening or the season is over makes no difference: some pay late.

    :raises Refused: it cannot
    """
    if isinstance(act, ev.FeesSet):
        return
    who = act.pair if of == "pairs" else act.person
    if not who or (act.pair and act.person):
        raise Refused(Rule.OTHER_COMPETITORS)
    if isinstance(act, ev.PaymentTakenBack):
        if who not in state.paid:
            raise Refused(Rule.FEE_NOT_PAID)
    elif state.terms is None or not state.terms.fee:
        raise Refused(Rule.NO_FEE)
    elif who in state.paid:
        raise Refused(Rule.FEE_PAID)
