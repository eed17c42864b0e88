"""What ends a partida: counts, claims, denunciations, concessions, rulings, and what follows."""

from __future__ import annotations

from msgspec.structs import replace

from referee import events as ev
from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.cards import BIT, CARD, TOKENS
from referee.rules.evidence.sights import Held
from referee.rules.reports import (
    RecordSoFar,
    ReportedResult,
    doubts_about_result,
    doubts_of_totals_after_deals,
)
from referee.rules.seats import Seat, side_of
from referee.table.accusations import is_too_late_to_confirm, renuncios_to_ask
from referee.table.counts import (
    deals_with_unknown_points,
    has_recorded_cards,
    partida_totals,
    total_spans,
)
from referee.table.deals import remove_deal
from referee.table.draws import may_have_drawn_unseen
from referee.table.knowledge import add_known_cards
from referee.table.state import (
    Claim,
    Deal,
    Denunciation,
    Ending,
    Finding,
    Line,
    Renuncio,
    RulingPoints,
    Table,
    add_finding,
    deal_with_sights,
)

INCIDENT_RULES = {
    "talk": Rule.TALK,
    "signal": Rule.SIGNAL,
    "exposed": Rule.CARD_EXPOSED,
    "to_partner": Rule.SHOWN_TO_PARTNER,
    "wrong_draw": Rule.WRONG_DRAW,
    "wrong_gathering": Rule.WRONG_GATHERING,
    "late": Rule.LATE,
}


def table_after_claim(table: Table, line: Line, act: ev.ClaimMade) -> Table:
    """The table after a claim of 101, which stops play unless it is barred."""
    deal = table.deal
    assert deal is not None
    options, taker = table.options, deal.taker_of_last_trick or _last_taker_in_earlier_deals(table)
    ends_without = options.vueltas_end == "at_target"
    is_barred = ends_without if table.in_vueltas else options.claim_in == "vueltas"
    if deal.is_counted or is_barred:
        return add_finding(table, line, Rule.CLAIM_IN, act.seat)
    if options.claim_by == "trick_winner" and act.seat != taker:
        return add_finding(table, line, Rule.CLAIM_BY, act.seat)
    if options.claim_by == "trick_winner_side" and (
        taker is None or side_of(taker) != side_of(act.seat)
    ):
        return add_finding(table, line, Rule.CLAIM_BY, act.seat)
    return table if table.claim else replace(table, claim=Claim(line, act.seat))


def _last_taker_in_earlier_deals(table: Table) -> Seat | None:
    return next(
        (deal.taker_of_last_trick for deal in reversed(table.deals) if deal.taker_of_last_trick),
        None,
    )


def table_after_count(table: Table, line: Line, act: ev.CountEntered) -> Table:
    """The table after totals are called, which close the deal; impossible ones give a finding."""
    deal = table.deal
    assert deal is not None
    before, called = table, tuple(sorted(act.totals.items()))
    deal = replace(deal, is_counted=True, called=called, count_line=line)
    table = replace(table, deal=deal)
    uncounted = deals_with_unknown_points(before)
    if uncounted and not table.claim:
        table = _note_doubts(table, line, act)
    return (
        _note_differences(table, line, before) if all(map(has_recorded_cards, uncounted)) else table
    )


def _note_differences(table: Table, line: Line, before: Table) -> Table:
    """The table with a finding on each total called that the cards do not leave possible."""
    assert table.deal is not None
    spans = total_spans(before)
    for side, points in table.deal.called:
        least, most = spans[side]
        if not least <= points <= most:
            counted = str(least) if least == most else f"{least}–{most}"  # noqa: RUF001 - a range
            table = add_finding(
                table, line, Rule.COUNT_DIFFERS, side=side, called=str(points), counted=counted
            )
    return table


def _note_doubts(table: Table, line: Line, act: ev.CountEntered) -> Table:
    """The table with doubts about the sum of totals that were called."""
    for doubt in doubts_of_totals_after_deals(act.totals, table.options, len(table.all_deals)):
        table = add_finding(table, line, doubt.rule, "", 0, **doubt.facts)
    return table


def table_after_trick_review(table: Table, line: Line, act: ev.TrickReviewed) -> Table:
    """The table after a look at a closed trick; one that may not be seen gives a finding."""
    deal = table.deal
    assert deal is not None
    viewable = {1, len(deal.tricks)}
    if table.options.tricks_viewable_in_vueltas == "none":
        viewable = set()
    if table.in_vueltas and act.trick not in viewable:
        return add_finding(table, line, Rule.TRICK_NOT_VIEWABLE, act.seat, trick=str(act.trick))
    return table


def table_after_incident(table: Table, line: Line, act: ev.IncidentNoted) -> Table:
    """The table after an incident, which may be a renuncio or show a card."""
    rule = INCIDENT_RULES.get(act.incident)
    if rule is not None:
        table = add_finding(table, line, rule, act.seat, card=act.card)
    deal = table.deal
    if deal is None or not act.seat:
        return table
    if act.incident in ("talk", "signal") and "talk" in table.options.renuncio_cases:
        renuncio = Renuncio(line, rule or Rule.TALK, act.seat, len(deal.tricks) + 1)
        deal = replace(deal, conduct=(*deal.conduct, renuncio))
    if act.incident == "exposed" and act.card and not deal.played & BIT[CARD[act.card]]:
        bit, drawing = BIT[CARD[act.card]], may_have_drawn_unseen(deal, act.seat)
        deal = deal_with_sights(deal, Held(line, deal.place_of_seat(act.seat), bit, drawing))
        deal = add_known_cards(deal, act.seat, bit, line, table.options)
    return replace(table, deal=deal)


def table_after_denunciation(table: Table, line: Line, act: ev.RenuncioDenounced) -> Table:
    """The table after a denunciation, which is judged as soon as the record proves it."""
    deal = table.deal
    assert deal is not None
    said = Denunciation(line, act.by, act.against, act.trick, len(deal.tricks), act.deal)
    return replace(table, deal=replace(deal, denunciations=(*deal.denunciations, said)))


@mark_rule_decider(Rule.CONCESSION)
def table_after_concession(table: Table, line: Line, act: ev.Conceded) -> Table:
    """The table after a side concedes and so loses."""
    return _add_ending(table, Ending(line, "concession", act.side, has_won=False))


@mark_rule_decider(Rule.ABANDONMENT)
def table_after_abandonment(table: Table, line: Line, act: ev.Abandoned) -> Table:
    """The table after a side leaves and so loses."""
    return _add_ending(table, Ending(line, "abandonment", act.side, has_won=False))


def table_after_result(table: Table, line: Line, act: ev.ResultEntered) -> Table:
    """The table after a result is reported, with the doubts about it."""
    reported = ReportedResult(act.winner, act.how, act.totals)
    counted = sum(deal.is_counted for deal in table.all_deals)
    for doubt in doubts_about_result(
        reported, table.options, RecordSoFar(partida_totals(table), counted)
    ):
        table = add_finding(table, line, doubt.rule, "", 0, **doubt.facts)
    totals = tuple(sorted(act.totals.items()))
    whole = act.how == "renuncio" and table.options.renuncio_penalty == "lose_match"
    ending = Ending(line, act.how, act.winner, has_won=True, totals=totals, whole_match=whole)
    return _add_ending(table, ending)


def _add_ending(table: Table, ending: Ending) -> Table:
    return replace(table, endings=(*table.endings, ending))


def table_after_deal_annulment(table: Table, line: Line, act: ev.DealAnnulled) -> Table:
    """The table without an annulled deal; if it is replayed, the same dealer deals again."""
    deal = table.deal
    assert deal is not None
    del line
    return remove_deal(table, deal.dealer if act.replayed else "")


@mark_rule_decider(Rule.RULING)
def table_after_ruling(table: Table, line: Line, act: ev.RulingGiven) -> Table:  # noqa: PLR0911 - a case an effect
    """The table after a ruling of the arbiter, which always takes effect."""
    deal = table.deal
    match act.effect:
        case "partida":
            return _add_ending(table, Ending(line, "ruling", act.side, has_won=True))
        case "points" if deal is not None:
            ruled = (*deal.ruled, RulingPoints(line, act.side, act.points, len(deal.tricks)))
            return replace(table, deal=replace(deal, ruled=ruled))
        case "dealer":
            return replace(table, dealer_due=act.seat, ruled_dealer=act.seat)
        case "annul_act":
            return _annul_act(table, act.line)
        case "renuncio":
            return _confirm_renuncio(table, line, act.line)
        case "annul_deal":
            return remove_deal(table, "")
        case "replay_deal" if deal is not None:
            return remove_deal(table, deal.dealer)
        case "warning":
            side = act.side or (side_of(act.seat) if act.seat else "")
            return replace(table, warnings=(*table.warnings, (line, side)))
        case _:
            return table


def _confirm_renuncio(table: Table, line: Line, play: Line) -> Table:
    """The table after a ruling confirms a renuncio; if too late, only with a finding."""
    is_known = play in table.lines
    began = [deal for deal in table.all_deals if is_known and table.came_before(deal.line, play)]
    if began and is_too_late_to_confirm(table, began[-1]):
        return add_finding(table, line, Rule.CONFIRMED_LATE, "", act=str(play))
    if is_known:
        table = _note_earlier_renuncio(table, line, play)
    return replace(table, confirmed=(*table.confirmed, (line, play)))


def _note_earlier_renuncio(table: Table, line: Line, play: Line) -> Table:
    """The table with a finding if a renuncio before the confirmed one is proved."""
    asked = (one for one in renuncios_to_ask(table) if table.came_before(one.line, play))
    earlier = next(asked, None)
    if earlier is None:
        return table
    laid = (one for deal in table.all_deals for one in deal.all_plays)
    card = next(({"laid": TOKENS[one.card]} for one in laid if one.line == earlier.line), {})
    facts = {"act": str(earlier.line), "of_trick": str(earlier.trick), **card}
    return add_finding(table, line, Rule.EARLIER_RENUNCIO, earlier.seat, 0, **facts)


def _annul_act(table: Table, line: Line) -> Table:
    """The table with the act of a line annulled: announcement, claim, ending or warning."""
    endings = tuple(ending for ending in table.endings if ending.line != line)
    claim = None if table.claim and table.claim.line == line else table.claim
    warnings = tuple(warning for warning in table.warnings if warning[0] != line)
    confirmed = tuple(one for one in table.confirmed if one[0] != line)
    table = replace(table, endings=endings, claim=claim, warnings=warnings, confirmed=confirmed)
    table = replace(
        table,
        findings=tuple(f for f in table.findings if not _is_finding_on_earlier_renuncio(f, line)),
    )
    deal = table.deal and _annul_cante(table.deal, line)
    return replace(table, ruled_out=table.ruled_out | {line}, deal=deal)


def _is_finding_on_earlier_renuncio(finding: Finding, line: Line) -> bool:
    """Whether a finding is about an earlier renuncio: recorded at this line, or naming it."""
    is_about = finding.line == line or ("act", str(line)) in finding.facts
    return finding.rule == Rule.EARLIER_RENUNCIO and is_about


def _annul_cante(deal: Deal, line: Line) -> Deal:
    """The deal with a cante of that line void, so that its suit may be sung."""
    cantes = tuple(replace(c, void=c.void or c.line == line) for c in deal.cantes)
    return replace(deal, cantes=cantes)
