"""Conditions of a swap (section 4). The card laid down lies open, so it was held."""

from __future__ import annotations

from tests.oracle.law import WORTH
from tests.oracle.reading import Act, Deal
from tests.oracle.worlds import has_drawn, known_of, swapped_in


def broken_condition(deal: Deal, act: Act) -> bool:
    """Whether a swap was barred, judged at its own line."""
    return not (
        deal.rules.swap
        and _is_the_card(deal, act)
        and _may_swap(deal, act)
        and _window_is_open(deal, act)
    )


def _lying(deal: Deal, act: Act) -> str:
    """The turned card as it lay before the swap."""
    return known_of(deal.cut(act.line - 1), True).lying


def _is_the_card(deal: Deal, act: Act) -> bool:
    """Whether this card may take the one that lies there."""
    lying, rules = _lying(deal, act), deal.rules
    gave = swapped_in(deal, act)
    if rules.swap_only_for_value and lying[0] not in WORTH:
        return False
    if gave == rules.blank + deal.trump:
        return True
    return rules.two_for_seven and gave[0] == "2" and lying == "7" + deal.trump


def _may_swap(deal: Deal, act: Act) -> bool:
    """Whether this seat may swap, by the tricks taken."""
    rules, sides = deal.rules, [taker[0] for taker in deal.takers]
    number = deal.tricks_before(act.line)
    leader = deal.takers[-1] if number else rules.order_from(deal.dealer)[1]
    if rules.swap_by == "leader" and act.seat != leader:
        return False
    if number == deal.gaps and rules.swap_last_draw == "not_with_partner":
        last = rules.order_from(leader)[-1]
        if last != act.seat and last[0] == act.seat[0]:
            return False
    if rules.swap_needs_trick == "none":  # the lead is enough
        return act.seat[0] == leader[0]
    return act.seat[0] in (sides if rules.swap_needs_trick == "any_trick" else sides[-1:])


def _window_is_open(deal: Deal, act: Act) -> bool:
    """Whether the swap comes before its window is closed, and before the stock is gone."""
    number = deal.tricks_before(act.line)
    if number > deal.gaps:
        return False
    closes = deal.closes(number) if number else 0
    since = [one for one in deal.acts if closes < one.line < act.line]
    laid = [one for one in since if one.word == "play"]
    taker = deal.takers[number - 1] if number else deal.rules.order_from(deal.dealer)[1]
    match deal.rules.swap_window:
        case "before_draw":
            return not laid and not (number and has_drawn(deal, taker, number, act.line))
        case "before_lead":
            return not laid
        case "before_rival_card":
            return not any(one.seat[0] != act.seat[0] for one in laid)
        case _:
            return True
