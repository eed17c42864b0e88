"""What ends a partida: counts, claims, denunciations, concessions, rulings, and what follows."""

from __future__ import annotations

from msgspec.structs import replace

from referee import events as ev
from referee.rules.articles import Rule, decides
from referee.rules.cards import BIT, CARD, TOKENS
from referee.rules.evidence.sights import Held
from referee.rules.reports import RecordSoFar, ReportedResult, doubts, doubts_of_count
from referee.rules.seats import Seat, side_of
from referee.table.accusations import is_too_late_to_confirm, renuncios_to_ask
from referee.table.counts import deals_without_count, has_cards, partida_totals, total_spans
from referee.table.deals import without_deal
from referee.table.draws import may_have_drawn_unseen
from referee.table.knowledge import learn
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
    note,
    with_sights,
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


def claim_made(table: Table, line: Line, act: ev.ClaimMade) -> Table:
    """A claim that is allowed stops play; a barred one decides nothing and play goes on."""
    deal = table.deal
    assert deal is not None
    options, taker = table.options, deal.taker or _last_taker(table)
    ends_without = options.vueltas_end == "at_target"
    is_barred = ends_without if table.in_vueltas else options.claim_in == "vueltas"
    if deal.is_counted or is_barred:
        return note(table, line, Rule.CLAIM_IN, act.seat)
    if options.claim_by == "trick_winner" and act.seat != taker:
        return note(table, line, Rule.CLAIM_BY, act.seat)
    if options.claim_by == "trick_winner_side" and (
        taker is None or side_of(taker) != side_of(act.seat)
    ):
        return note(table, line, Rule.CLAIM_BY, act.seat)
    return table if table.claim else replace(table, claim=Claim(line, act.seat))


def _last_taker(table: Table) -> Seat | None:
    return next((deal.taker for deal in reversed(table.deals) if deal.taker), None)


def count_entered(table: Table, line: Line, act: ev.CountEntered) -> Table:
    """The count closes a played-out deal; different totals give a finding."""
    deal = table.deal
    assert deal is not None
    before, called = table, tuple(sorted(act.totals.items()))
    deal = replace(deal, is_counted=True, called=called, count_line=line)
    table = replace(table, deal=deal)
    uncounted = deals_without_count(before)
    if uncounted and not table.claim:
        table = _doubt(table, line, act)
    return _differences_noted(table, line, before) if all(map(has_cards, uncounted)) else table


def _differences_noted(table: Table, line: Line, before: Table) -> Table:
    """The table with a finding on each total called that the cards do not leave possible."""
    assert table.deal is not None
    spans = total_spans(before)
    for side, points in table.deal.called:
        least, most = spans[side]
        if not least <= points <= most:
            counted = str(least) if least == most else f"{least}–{most}"  # noqa: RUF001 - a range
            table = note(
                table, line, Rule.COUNT_DIFFERS, side=side, called=str(points), counted=counted
            )
    return table


def _doubt(table: Table, line: Line, act: ev.CountEntered) -> Table:
    """The table with doubts about the sum of totals that were called."""
    for doubt in doubts_of_count(act.totals, table.options, len(table.all_deals)):
        table = note(table, line, doubt.rule, "", 0, **doubt.facts)
    return table


def trick_reviewed(table: Table, line: Line, act: ev.TrickReviewed) -> Table:
    """A look at a closed trick; in vueltas only those that the profile lets be seen."""
    deal = table.deal
    assert deal is not None
    viewable = {1, len(deal.tricks)}
    if table.options.tricks_viewable_in_vueltas == "none":
        viewable = set()
    if table.in_vueltas and act.trick not in viewable:
        return note(table, line, Rule.TRICK_NOT_VIEWABLE, act.seat, trick=str(act.trick))
    return table


def incident_noted(table: Table, line: Line, act: ev.IncidentNoted) -> Table:
    """An incident; talk and signals may be a renuncio, an exposed card becomes known."""
    rule = INCIDENT_RULES.get(act.incident)
    if rule is not None:
        table = note(table, line, rule, act.seat, card=act.card)
    deal = table.deal
    if deal is None or not act.seat:
        return table
    if act.incident in ("talk", "signal") and "talk" in table.options.renuncio_cases:
        renuncio = Renuncio(line, rule or Rule.TALK, act.seat, len(deal.tricks) + 1)
        deal = replace(deal, conduct=(*deal.conduct, renuncio))
    if act.incident == "exposed" and act.card and not deal.played & BIT[CARD[act.card]]:
        bit, drawing = BIT[CARD[act.card]], may_have_drawn_unseen(deal, act.seat)
        deal = with_sights(deal, Held(line, deal.place(act.seat), bit, drawing))
        deal = learn(deal, act.seat, bit, line, table.options)
    return replace(table, deal=deal)


def renuncio_denounced(table: Table, line: Line, act: ev.RenuncioDenounced) -> Table:
    """An accusation; it is judged as soon as the record proves it."""
    deal = table.deal
    assert deal is not None
    said = Denunciation(line, act.by, act.against, act.trick, len(deal.tricks), act.deal)
    return replace(table, deal=replace(deal, denunciations=(*deal.denunciations, said)))


@decides(Rule.CONCESSION)
def concede(table: Table, line: Line, act: ev.Conceded) -> Table:
    """A side gives up: it loses."""
    return _end(table, Ending(line, "concession", act.side, has_won=False))


@decides(Rule.ABANDONMENT)
def abandon(table: Table, line: Line, act: ev.Abandoned) -> Table:
    """A side left: it loses."""
    return _end(table, Ending(line, "abandonment", act.side, has_won=False))


def result_entered(table: Table, line: Line, act: ev.ResultEntered) -> Table:
    """The reported outcome, with the doubts about it."""
    reported = ReportedResult(act.winner, act.how, act.totals)
    counted = sum(deal.is_counted for deal in table.all_deals)
    for doubt in doubts(reported, table.options, RecordSoFar(partida_totals(table), counted)):
        table = note(table, line, doubt.rule, "", 0, **doubt.facts)
    totals = tuple(sorted(act.totals.items()))
    whole = act.how == "renuncio" and table.options.renuncio_penalty == "lose_match"
    ending = Ending(line, act.how, act.winner, has_won=True, totals=totals, whole_match=whole)
    return _end(table, ending)


def _end(table: Table, ending: Ending) -> Table:
    return replace(table, endings=(*table.endings, ending))


def deal_annulled(table: Table, line: Line, act: ev.DealAnnulled) -> Table:
    """The deal counts for nothing; replayed, the same dealer deals again."""
    deal = table.deal
    assert deal is not None
    del line
    return without_deal(table, deal.dealer if act.replayed else "")


@decides(Rule.RULING)
def ruling_given(table: Table, line: Line, act: ev.RulingGiven) -> Table:  # noqa: PLR0911 - a case an effect
    """A ruling of the arbiter; it always takes effect."""
    deal = table.deal
    match act.effect:
        case "partida":
            return _end(table, Ending(line, "ruling", act.side, has_won=True))
        case "points" if deal is not None:
            ruled = (*deal.ruled, RulingPoints(line, act.side, act.points, len(deal.tricks)))
            return replace(table, deal=replace(deal, ruled=ruled))
        case "dealer":
            return replace(table, dealer_due=act.seat, ruled_dealer=act.seat)
        case "annul_act":
            return _without_act(table, act.line)
        case "renuncio":
            return _renuncio_confirmed(table, line, act.line)
        case "annul_deal":
            return without_deal(table, "")
        case "replay_deal" if deal is not None:
            return without_deal(table, deal.dealer)
        case "warning":
            side = act.side or (side_of(act.seat) if act.seat else "")
            return replace(table, warnings=(*table.warnings, (line, side)))
        case _:
            return table


def _renuncio_confirmed(table: Table, line: Line, play: Line) -> Table:
    """The table with a renuncio confirmed; too late, that decides nothing and gives a finding."""
    is_known = play in table.lines
    began = [deal for deal in table.all_deals if is_known and table.came_before(deal.line, play)]
    if began and is_too_late_to_confirm(table, began[-1]):
        return note(table, line, Rule.CONFIRMED_LATE, "", act=str(play))
    if is_known:
        table = _earlier_noted(table, line, play)
    return replace(table, confirmed=(*table.confirmed, (line, play)))


def _earlier_noted(table: Table, line: Line, play: Line) -> Table:
    """The table with a finding if one before the confirmed renuncio is proved: that loses."""
    asked = (one for one in renuncios_to_ask(table) if table.came_before(one.line, play))
    earlier = next(asked, None)
    if earlier is None:
        return table
    laid = (one for deal in table.all_deals for one in deal.plays)
    card = next(({"laid": TOKENS[one.card]} for one in laid if one.line == earlier.line), {})
    facts = {"act": str(earlier.line), "of_trick": str(earlier.trick), **card}
    return note(table, line, Rule.EARLIER_RENUNCIO, earlier.seat, 0, **facts)


def _without_act(table: Table, line: Line) -> Table:
    """The table with an announcement, claim, ending or warning of that line void."""
    endings = tuple(ending for ending in table.endings if ending.line != line)
    claim = None if table.claim and table.claim.line == line else table.claim
    warnings = tuple(warning for warning in table.warnings if warning[0] != line)
    confirmed = tuple(one for one in table.confirmed if one[0] != line)
    table = replace(table, endings=endings, claim=claim, warnings=warnings, confirmed=confirmed)
    table = replace(table, findings=tuple(f for f in table.findings if not _is_of_earlier(f, line)))
    deal = table.deal and _without_cante(table.deal, line)
    return replace(table, ruled_out=table.ruled_out | {line}, deal=deal)


def _is_of_earlier(finding: Finding, line: Line) -> bool:
    """Whether a finding is about an earlier renuncio: recorded at this line, or naming it."""
    is_about = finding.line == line or ("act", str(line)) in finding.facts
    return finding.rule == Rule.EARLIER_RENUNCIO and is_about


def _without_cante(deal: Deal, line: Line) -> Deal:
    """The deal with a cante of that line void, so that its suit may be sung."""
    cantes = tuple(replace(c, void=c.void or c.line == line) for c in deal.cantes)
    return replace(deal, cantes=cantes)
