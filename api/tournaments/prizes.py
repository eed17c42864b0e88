"""Prizes of a tournament in words: what each place is worth, and who gets it at the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from api.http.languages import say
from api.money.amounts import print_amount, print_prizes
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import PairDisplay
from api.tournaments.views import ToldAwardData

_PLAYED_OUT = 2
"""Places of a knock-out that a final decides."""


class PrizeDisplay(NamedTuple):
    """Prizes of some places in words; ``each``: the share of each pair, where all is money."""

    places: str
    what: str
    pairs: tuple[PairDisplay, ...]
    each: str


def prize_displays(display: TournamentDisplay) -> list[PrizeDisplay]:
    """Prizes in the order of their places; those that the same pairs share are one."""
    prizes = display.view.prizes
    by_pairs = groupby(prizes, key=lambda one: tuple(one.pairs) or one.place)
    return [_display(list(together), display) for _, together in by_pairs]


def _display(prizes: Sequence[ToldAwardData], display: TournamentDisplay) -> PrizeDisplay:
    lang = display.lang
    first, last = (say("fees.place", lang, n=one.place) for one in (prizes[0], prizes[-1]))
    places = say("tournament_page.rows_from", lang, since=first, until=last)
    pairs = tuple(display.pairs[one] for one in prizes[0].pairs)
    total = sum(one.amount for one in prizes)
    is_shared = len(pairs) > 1 and all(one.amount for one in prizes)
    return PrizeDisplay(
        first if first == last else places,
        " + ".join(print_prizes([(one.amount, one.words) for one in prizes], lang)),
        pairs,
        print_amount(total // len(pairs), lang) if is_shared else "",
    )


def places_in_words(display: TournamentDisplay) -> str:
    """How the places that have a prize are found; empty if the final alone decides them."""
    plan = display.view.plan
    if plan["format"] in ("swiss", "round_robin"):
        return say("tournament_page.prizes_by_points", display.lang)
    if len(display.view.prizes) <= _PLAYED_OUT:
        return ""
    key = "prizes_third_played" if plan["has_third_place"] else "prizes_shared"
    return say(f"tournament_page.{key}", display.lang)


def price_values(display: TournamentDisplay) -> dict[str, object]:
    """What a page shows of fee and prizes."""
    fee = display.view.fee
    return {
        "fee": print_amount(fee, display.lang) if fee else "",
        "prizes": prize_displays(display),
        "prizes_why": places_in_words(display),
    }
