"""Official conclusions about deals, claims and the partida from the state of a table."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from referee.events import ClaimJudged, DealCounted, How, PartidaWon, TableConclusion, VueltasBegun
from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.counts import (
    winner_after_first_deal,
    winner_at_target,
    winner_when_side_lost,
    winner_without_claim,
)
from referee.rules.seats import Seat, Side, next_seat, side_of
from referee.table.accusations import (
    line_and_seat_of_costly_renuncio,
    line_and_seat_of_false_accuser,
    table_after_faulty_accusations,
)
from referee.table.counts import (
    deals_with_unknown_points,
    has_unknown_points,
    partida_totals,
    score_items,
    scores_with_called_totals,
    sides_by_latest_trick,
    takers,
)
from referee.table.state import Deal, Ending, Line, Table


@mark_rule_decider(Rule.VUELTAS)
def recompute_conclusions(table: Table, line: Line) -> Table:
    """The table with its official conclusions computed again."""
    table = _mark_first_deal_counted(table)
    table = table_after_faulty_accusations(table, line)
    ending = _decisive_ending(table)
    found: list[TableConclusion] = []
    winner: Side | None = None
    how: How = "undecided"
    for index, deal in enumerate(table.all_deals):
        deals = table.all_deals[: index + 1]
        if not deal.is_counted:
            break
        totals = partida_totals(table, deals)
        items = score_items(deal, table.options.last_trick_points, table.ruled_out)
        found.append(DealCounted(deal.number, items, totals))
        winner, how = _winner_and_how_after_deals(table, deals)
        if winner is None and (ending is None or _is_ending_after_deal(table, ending, deal)):
            found.append(VueltasBegun(deal.number + 1))
    judged = _judge_claim(table)
    if judged is not None:
        found.append(judged)
        winner, how = _winner_and_how_of_claim(table, judged)
    elif winner is None and (reached := _side_at_target(table)):
        winner, how = reached, "target"
    won = _conclusion_of_win(table, ending, winner, how)
    if won is not None:
        found.append(won)
    due = table.dealer_due or _dealer_of_vueltas(table)
    return replace(table, conclusions=tuple(found), decided=won, dealer_due=due)


def _dealer_of_vueltas(table: Table) -> Seat:
    """Seat due to deal after a deal that is counted; empty if the record does not say."""
    if table.deal is None or not table.deal.is_counted:
        return ""
    match table.options.vueltas_dealer:
        case "last_trick_winner":
            return table.deal.taker_of_last_trick or ""
        case _:
            assert_never(table.options.vueltas_dealer)


def _is_ending_after_deal(table: Table, ending: Ending, deal: Deal) -> bool:
    """Whether the act that ends the partida came after this deal was over."""
    over = [line for line in (deal.end_line, deal.count_line) if line]
    return all(table.came_before(line, ending.line) for line in over)


def _mark_first_deal_counted(table: Table) -> Table:
    """The table with its first deal marked as counted, if it is over and all points are known."""
    deal = table.deal
    if deal is None or deal.is_counted or table.in_vueltas or not deal.is_played_out:
        return table
    if has_unknown_points(deal):
        return table
    return replace(table, deal=replace(deal, is_counted=True))


def _winner_and_how_after_deals(table: Table, deals: tuple[Deal, ...]) -> tuple[Side | None, How]:
    """Winner at the end of the last of these deals, None if the partida goes on, and how."""
    order = sides_by_latest_trick(table, deals)
    scores = scores_with_called_totals(table, deals)
    if len(deals) == 1:
        return winner_after_first_deal(scores, table.options, order), "first_deal"
    return winner_without_claim(scores, table.options, order), "unclaimed"


@mark_rule_decider(Rule.CLAIM)
def _judge_claim(table: Table) -> ClaimJudged | None:
    claim, deal = table.claim, table.deal
    if claim is None or deal is None:
        return None
    if deals_with_unknown_points(table):
        return None
    total = partida_totals(table)[side_of(claim.seat)]
    return ClaimJudged(claim.seat, total, total >= table.options.target)


def _side_at_target(table: Table) -> Side | None:
    """Side that made the target in vueltas that end with that; None while a trick is uncounted."""
    deal = table.deal
    if table.options.vueltas_end != "at_target" or not table.in_vueltas or deal is None:
        return None
    if deal.is_counted or deals_with_unknown_points(table):
        return None
    scores = scores_with_called_totals(table, table.all_deals)
    return winner_at_target(scores, table.options, sides_by_latest_trick(table))


def _winner_and_how_of_claim(table: Table, judged: ClaimJudged) -> tuple[Side, How]:
    side = side_of(judged.seat)
    if judged.reached:
        return side, "claim"
    return winner_when_side_lost(
        side, partida_totals(table), sides_by_latest_trick(table)
    ), "false_claim"


def _decisive_ending(table: Table) -> Ending | None:
    """The act that ends the partida: the latest ruling, else a renuncio, else the first other.

    A tute that the cards disproved ends nothing.
    """
    ruled = [ending for ending in table.endings if ending.how == "ruling" and ending.has_won]
    if ruled:
        return ruled[-1]
    false = {finding.line for finding in table.findings if finding.rule == Rule.TUTE_DISPROVED}
    others = (ending for ending in table.endings if ending.line not in false)
    return _ending_by_renuncio(table) or next(others, None)


def _ending_by_renuncio(table: Table) -> Ending | None:
    penalty = table.options.renuncio_penalty
    proved = None if penalty == "replay_deal" else line_and_seat_of_costly_renuncio(table)
    lost = proved or line_and_seat_of_false_accuser(table)
    if lost is None:
        return None
    line, seat = lost
    is_whole = proved is not None and penalty == "lose_match"
    return Ending(line, "renuncio", side_of(seat), has_won=False, whole_match=is_whole)


def _conclusion_of_win(
    table: Table, ending: Ending | None, winner: Side | None, how: How
) -> PartidaWon | None:
    """The conclusion that the partida is won, by an ending act or by points; None if undecided."""
    totals = partida_totals(table)
    if ending is None:
        return None if winner is None else PartidaWon(winner, how, totals)
    side = ending.side
    if not ending.has_won:
        side = winner_when_side_lost(ending.side, totals, sides_by_latest_trick(table))
    return PartidaWon(side, ending.how, dict(ending.totals) or totals, ending.whole_match)


@mark_rule_decider(Rule.NEXT_DEALER)
def dealer_of_next_partida(table: Table) -> Seat:
    """Seat due to deal the next partida; empty if the record does not say."""
    if table.ruled_dealer:
        return table.ruled_dealer
    deals = table.all_deals
    if not deals:
        return ""
    if table.options.next_dealer == "next_in_order":
        return next_seat(deals[-1].dealer, table.players)
    taken = takers(deals)
    return taken[-1] if taken else deals[-1].dealer
