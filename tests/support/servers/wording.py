"""The duties by the text of the law, card by card: slow, and independent of the product."""

from __future__ import annotations

from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.support.records.dealt_out import HIGH_TO_LOW, taker_of


def duty_broken(
    plays: list[tuple[str, str]], seat: str, card: str, hand: list[str], law: tuple[str, Options]
) -> Rule | None:
    """The duty that a card breaks, by the sentences of the law; None if it is lawful."""
    trump, options = law
    order = HIGH_TO_LOW[options.sota_caballo].index
    led = plays[0][1][1]
    winner = taker_of(plays, trump, options)
    best = next(laid for who, laid in plays if who == winner)
    is_partner, is_trumped = winner[0] == seat[0], best[1] == trump != led
    if any(held[1] == led for held in hand):
        if card[1] != led:
            return Rule.FOLLOW
        highest = min(order(laid[0]) for _, laid in plays if laid[1] == led)
        must_beat = (not is_partner or options.beat_partner) and (
            not is_trumped or options.beat_after_trumped
        )
        could = any(held[1] == led and order(held[0]) < highest for held in hand)
        return Rule.BEAT if must_beat and could and order(card[0]) > highest else None
    trumps = [held for held in hand if held[1] == trump]
    if not trumps or (is_partner and not options.trump_partner):
        return None
    if is_partner or not is_trumped:
        return None if card[1] == trump else Rule.TRUMP
    higher = [held for held in trumps if order(held[0]) < order(best[0])]
    if higher:
        return None if card in higher else Rule.OVERTRUMP
    must = options.undertrump == "forced"
    return Rule.UNDERTRUMP if must and card[1] != trump else None
