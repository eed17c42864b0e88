"""Events of money: what an evening or a season costs, its prizes, and who has paid."""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, Fact, PersonId, TextId
from referee.events.club import PairId


class Prize(Fact, frozen=True):
    """What a place is worth: an amount of money in cents, or words as *un jamón*."""

    amount: int = 0
    words: TextId = ""


class FeesSet(Act, frozen=True, tag="fees"):
    """What each pair or person pays, and what each place is worth; set again, it replaces this.

    ``fee``: in cents. ``kept``: what of each fee is the club's; the rest is the pot. ``prizes``: by
    place, the first one first.
    """

    fee: int = 0
    kept: int = 0
    prizes: tuple[Prize, ...] = ()


class FeePaid(Act, frozen=True, tag="fee_paid"):
    """A person or a pair has paid the fee."""

    person: PersonId = ""
    pair: PairId = ""


class PaymentTakenBack(Act, frozen=True, tag="fee_back"):
    """A person or a pair has not paid: it was noted by mistake, or they got it back."""

    person: PersonId = ""
    pair: PairId = ""


FeesAct: TypeAlias = FeesSet | FeePaid | PaymentTakenBack
"""Acts of an evening or of a season, each in its own stream."""
