"""Cantes and the tute: what bars them, and the verdict of the cards from their line on.

Score, findings, evidence, claims and replay take the verdict on a cante from here; it is the only
one. Law: section 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import astuple, replace

from referee.events import CanteAnnounced, SuitRequested, TuteAnnounced
from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.cards import BIT, CANTE_PAIR, PLACES, RANKS, SUITS, Mask, Suit
from referee.rules.counts import cante_points
from referee.rules.evidence.history import SungEvidence
from referee.rules.evidence.questions import ActAnswer, Verdict
from referee.rules.evidence.sights import Held, Named, Sang
from referee.rules.profile.options import EARLIER_LAW, Options
from referee.rules.seats import Seat, partner_of, side_of
from referee.table.announcements import (
    cannot_hold_all,
    has_won_needed_trick,
    is_announcement_in_time,
)
from referee.table.draws import (
    deal_after_own_draw_if_proved,
    mask_of_own_draw,
    may_have_drawn_unseen,
)
from referee.table.knowledge import add_known_cards
from referee.table.state import (
    HIDDEN,
    Cante,
    Deal,
    Ending,
    Finding,
    Line,
    Table,
    add_finding,
    deal_with_sights,
)

SIDE_SUITS = len(SUITS) - 1


def table_after_cante(table: Table, line: Line, act: CanteAnnounced) -> Table:
    """The table after a cante; it is void if a condition bars it or the cards disprove it."""
    deal = table.deal
    assert deal is not None
    suit = SUITS.index(act.suit) if act.suit else HIDDEN
    suits = _possible_suits(deal, suit)
    barred = _bars_of_cante(deal, act.seat, suit, table.options)
    is_missing = _lacks_required_showing(deal, act, suit, table.options)
    for rule in [*barred, *([Rule.CANTE_NOT_SHOWN] if is_missing else [])]:
        table = add_finding(table, line, rule, act.seat, suit=act.suit)
    if suit == deal.trump and act.shown is True and table.options.cante_40_shown == "never":
        table = add_finding(table, line, Rule.CANTE_40_SHOWN, act.seat, suit=act.suit)
    sets = tuple(CANTE_PAIR[each] for each in suits)
    rival = _line_of_hidden_cante_or_zero(deal, act.seat)
    sung = add_announcement_evidence(deal, act.seat, sets, line, rival)
    is_earlier = table.options.law == EARLIER_LAW
    is_elsewhere = bool(sets) and all(cannot_hold_all(deal, act.seat, each) for each in sets)
    is_disproved = is_elsewhere or (
        bool(sets) and sung.sung.verdict_of_line(line).answer == "unlawful"
    )
    if is_disproved:
        table = add_finding(table, line, Rule.CANTE_DISPROVED, act.seat, suit=act.suit)
    elif act.shown is True and suit != HIDDEN:
        sung = add_shown_announcement_evidence(deal, act.seat, sets, line, table.options, rival)
    is_void = bool(barred) or is_elsewhere or ((is_missing or is_disproved) and not is_earlier)
    verdict = Verdict("unlawful", line) if is_void else sung.sung.verdict_of_line(line)
    points = cante_points(suit, deal.trump)
    trick, has_other_fault = len(deal.tricks), is_missing or is_elsewhere
    is_repeated = not {*barred} - {Rule.CANTE_ALREADY_SUNG} and not has_other_fault
    cante = Cante(
        line, act.seat, suit, points, trick, is_void, verdict, is_void, rival, is_repeated
    )
    return replace(table, deal=replace(sung, cantes=(*deal.cantes, cante)))


def table_after_suit_request(table: Table, line: Line, act: SuitRequested) -> Table:
    """The table after a request for the suit of a hidden 20, whether the suit is named or not.

    Of two cantes of one suit the later one is void, unless the cards disprove the earlier.
    """
    deal = table.deal
    assert deal is not None
    cante = latest_hidden_cante(deal, act.seat)
    assert cante is not None
    is_due = table.options.cante_20_shown == "suit_on_request_in_arrastre"
    if not is_due or partner_of(act.seat, table.players) not in (None, act.by):
        table = add_finding(table, line, Rule.SUIT_REQUEST_BARRED, act.by, by=act.seat)
        is_due = False
    suit = SUITS.index(act.suit) if act.suit else HIDDEN
    fallen, rule = cante, Rule.CANTE_NOT_SHOWN if is_due and suit == HIDDEN else None
    if suit != HIDDEN:
        deal = deal_with_sights(deal, Named(line, cante.line, (CANTE_PAIR[suit],)))
        sung = next((c for c in deal.cantes if c.suit == suit and not c.void), None)
        rule = Rule.CANTE_ALREADY_SUNG if suit == deal.trump or sung else None
        if sung and suit != deal.trump and deal.cantes.index(sung) > deal.cantes.index(cante):
            verdict = deal.sung.evidence_from_all_sights(deal.sights).verdict_of_line(cante.line)
            fallen, rule = sung, None if verdict.answer == "unlawful" else rule
    cantes = [replace(c, suit=suit) if c is cante else c for c in deal.cantes]
    if rule is not None and not cante.is_barred:
        table = add_finding(table, fallen.line, rule, fallen.seat, line, suit=act.suit)
        at = deal.cantes.index(fallen)
        void = Verdict("unlawful", line)
        is_repeated = rule == Rule.CANTE_ALREADY_SUNG and suit != deal.trump
        cantes[at] = replace(
            cantes[at], void=True, is_barred=True, verdict=void, is_repeated=is_repeated
        )
    return replace(table, deal=replace(deal, cantes=tuple(cantes)))


def latest_hidden_cante(deal: Deal, seat: Seat) -> Cante | None:
    """The latest cante of a seat whose suit is not named."""
    return next((c for c in reversed(deal.cantes) if c.seat == seat and c.suit == HIDDEN), None)


def _line_of_hidden_cante_or_zero(deal: Deal, seat: Seat) -> Line:
    """Line of the latest cante of a seat that stands and whose suit is not named; 0: none."""
    hidden = (c for c in reversed(deal.cantes) if c.suit == HIDDEN and not c.void)
    return next((cante.line for cante in hidden if cante.seat == seat), 0)


def add_announcement_evidence(
    deal: Deal, seat: Seat, sets: tuple[Mask, ...], line: Line, rival: Line = 0
) -> Deal:
    """The deal with evidence that a seat said it holds one of these sets; adds no cante."""
    drawing, drawn = may_have_drawn_unseen(deal, seat), mask_of_own_draw(deal, seat)
    deal = deal_with_sights(deal, Sang(line, deal.place_of_seat(seat), sets, drawing, drawn, rival))
    return replace(deal, sung=deal.sung.evidence_from_all_sights(deal.sights))


def add_shown_announcement_evidence(
    deal: Deal,
    seat: Seat,
    sets: tuple[Mask, ...],
    line: Line,
    options: Options,
    rival: Line = 0,
) -> Deal:
    """The deal with evidence that a seat said it holds a set, and showed it; adds no cante."""
    cards = sum(sets)
    deal = add_announcement_evidence(
        deal_after_own_draw_if_proved(deal, seat, cards), seat, sets, line, rival
    )
    held = Held(line, deal.place_of_seat(seat), cards, may_have_drawn_unseen(deal, seat))
    deal = add_known_cards(deal_with_sights(deal, held), seat, cards, line, options)
    return replace(deal, sung=deal.sung.evidence_from_all_sights(deal.sights))


@mark_rule_decider(Rule.TUTE)
def table_after_tute(table: Table, line: Line, act: TuteAnnounced) -> Table:
    """The table after a tute, which wins the partida unless it is barred or disproved.

    As a cante, it counts as announced where nobody noted whether it was shown.
    """
    deal = table.deal
    assert deal is not None
    options, side = table.options, side_of(act.seat)
    is_earlier = options.law == EARLIER_LAW
    rank = RANKS.index(act.rank)
    four = sum(BIT[suit * PLACES + rank] for suit in range(len(SUITS)))
    is_elsewhere = cannot_hold_all(deal, act.seat, four)
    said = add_announcement_evidence(deal, act.seat, (four,), line)
    is_false = not is_earlier and said.sung.verdict_of_line(line).answer == "unlawful"
    if act.shown is True and not is_elsewhere and not is_false:
        deal = add_shown_announcement_evidence(deal, act.seat, (four,), line, options)
    else:
        deal = said
    table = replace(table, deal=deal)
    has_trick = bool(deal.tricks) and has_won_needed_trick(deal, side, options.cante_needs_trick)
    in_time = is_announcement_in_time(deal, options.cante_window, side)
    if not options.tute or not has_trick or not in_time:
        return add_finding(table, line, Rule.TUTE_BARRED, act.seat)
    if is_elsewhere:
        return add_finding(table, line, Rule.TUTE_DISPROVED, act.seat)
    is_proved = deal.held[deal.place_of_seat(act.seat)] & four == four
    if act.shown is False if not is_earlier else not (act.shown or is_proved):
        return add_finding(table, line, Rule.CANTE_NOT_SHOWN, act.seat)
    ending = Ending(line, "tute", side, has_won=True, of_deal=True)
    return replace(table, endings=(*table.endings, ending))


def _possible_suits(deal: Deal, suit: int) -> tuple[int, ...]:
    """The suit of a cante, or every side suit not yet sung."""
    if suit != HIDDEN:
        return (suit,)
    sung = {cante.suit for cante in deal.cantes if not cante.void}
    return tuple(s for s in range(len(SUITS)) if s != deal.trump and s not in sung)


def _bars_of_cante(deal: Deal, seat: Seat, suit: int, options: Options) -> list[Rule]:
    """Rules that bar a cante, whatever the cards."""
    side = side_of(seat)
    sung = [cante for cante in deal.cantes if not cante.void]
    of_trick = [c for c in sung if c.trick == len(deal.tricks) and side_of(c.seat) == side]
    per_player = sum(cante.seat == seat for cante in of_trick)
    late = not is_announcement_in_time(deal, options.cante_window, side)
    reasons = {
        Rule.CANTE_NO_TRICK: not has_won_needed_trick(deal, side, options.cante_needs_trick)
        or not deal.tricks,
        Rule.CANTE_LATE: bool(deal.tricks) and late,
        Rule.CANTE_AFTER_SWAP: options.cante_before_swap and deal.gap.swapped,
        Rule.CANTE_IN_ARRASTRE: not options.cante_in_arrastre and deal.in_arrastre,
        Rule.CANTE_ALREADY_SUNG: _is_suit_announced(sung, suit, deal.trump),
        Rule.CANTES_PER_PLAYER: per_player >= options.cantes_per_player,
        Rule.CANTES_PER_SIDE: 0 < options.cantes_per_side <= len(of_trick),
    }
    return [rule for rule, holds in reasons.items() if holds]


def _is_suit_announced(sung: Iterable[Cante], suit: int, trump: int) -> bool:
    """Whether a suit was sung already; for a hidden suit, whether every side suit was."""
    suits = [cante.suit for cante in sung]
    named = {*suits} - {HIDDEN}
    twenties = len(named - {trump}) + suits.count(HIDDEN) + (suit != trump)
    return suit in named or twenties > SIDE_SUITS


def _lacks_required_showing(deal: Deal, act: CanteAnnounced, suit: int, options: Options) -> bool:
    """Whether a cante of 20 was not shown, or its suit not named, where that was a duty."""
    if suit == deal.trump:
        return False
    hidden = suit == HIDDEN
    match options.cante_20_shown:
        case "always":
            return hidden or act.shown is False
        case "not_in_arrastre":
            return not deal.in_arrastre and (hidden or act.shown is False)
        case "suit_named":
            return hidden
        case "suit_on_request_in_arrastre":
            return hidden and not deal.in_arrastre
        case _:
            assert_never(options.cante_20_shown)


def rejudge_cantes(table: Table, line: Line) -> Table:
    """The table with every cante that no condition bars judged by the cards known so far.

    A cante that they disprove is void from that line, unless the deal is counted or a claim judged.
    One that was void since its suit was sung stands if that other was false or is annulled.
    """
    deal = table.deal
    assert deal is not None
    is_final = table.options.law == EARLIER_LAW or table.is_deal_settled(deal)
    if not is_final:
        deal = _drop_annulled_rivals(table, _deal_with_freed_suits(table, deal, line), line)
    sung = deal.sung.evidence_from_all_sights(deal.sights)
    found: list[Cante] = []
    for cante in deal.cantes:
        if cante.is_repeated and not is_final and (cante.is_barred or table.ruled_out):
            table, cante = _rejudge_repeated_cante(table, line, cante, found)  # noqa: PLW2901 - as judged now
        verdict = cante.verdict if cante.is_barred else sung.verdict_of_line(cante.line)
        if verdict.answer != cante.verdict.answer and not cante.is_barred:
            facts = (("suit", _suit_letter_of_cante(cante)),)
            finding = Finding(cante.line, Rule.CANTE_DISPROVED, cante.seat, line, facts)
            table = _update_disproof_finding(table, finding, verdict.answer)
        if not is_final and not cante.is_barred and cante.line not in table.ruled_out:
            cante = replace(cante, void=verdict.answer == "unlawful")  # noqa: PLW2901 - as judged now
        found.append(replace(cante, verdict=verdict))
    table = replace(table, deal=replace(deal, sung=sung, cantes=tuple(found)))
    return table if is_final else _rejudge_tutes(table, line, sung)


def _deal_with_freed_suits(table: Table, deal: Deal, line: Line) -> Deal:
    """The deal with the suits that a hidden 20 may mean again, since a ruling annulled a cante."""
    for at, cante in enumerate(deal.cantes):
        if cante.suit != HIDDEN:
            continue
        sets, before = _possible_card_sets(deal, cante.line), deal.cantes[:at]
        annulled = {one.suit for one in before if one.line in table.ruled_out}
        free = {
            suit
            for suit in annulled - {HIDDEN, deal.trump}
            if not _has_valid_cante_before(table, before, suit, cante)
        }
        if more := tuple(CANTE_PAIR[suit] for suit in sorted(free) if CANTE_PAIR[suit] not in sets):
            deal = deal_with_sights(deal, Named(line, cante.line, (*sets, *more)))
    return deal


def _drop_annulled_rivals(table: Table, deal: Deal, line: Line) -> Deal:
    """The deal with sights that free cantes from an earlier hidden 20 which a ruling annulled."""
    if not table.ruled_out:
        return deal
    alone = {one.said_at for one in deal.sights if isinstance(one, Named) and one.is_alone}
    for one in deal.sights:
        if isinstance(one, Sang) and one.rival in table.ruled_out and one.line not in alone:
            sets = _possible_card_sets(deal, one.line)
            deal = deal_with_sights(deal, Named(line, one.line, sets, is_alone=True))
    return deal


def _possible_card_sets(deal: Deal, line: Line) -> tuple[Mask, ...]:
    """Sets of cards, one of which the cante of a line announced."""
    return next(
        sight.sets
        for sight in reversed(deal.sights)
        if (isinstance(sight, Sang) and sight.line == line)
        or (isinstance(sight, Named) and sight.said_at == line)
    )


def _has_valid_cante_before(
    table: Table, before: Iterable[Cante], suit: Suit, cante: Cante
) -> bool:
    """Whether an earlier cante of this suit was valid when another cante was sung."""
    deal = table.deal
    assert deal is not None
    open_ones = (
        replace(one, is_barred=False, verdict=deal.sung.verdict_of_line(one.line))
        for one in before
        if one.suit == suit and (one.is_repeated or not one.is_barred)
    )
    return any(_was_valid_at(table, one, cante.line) for one in open_ones)


def _rejudge_tutes(table: Table, line: Line, sung: SungEvidence) -> Table:
    """The table with a finding on each tute that the cards known so far disprove."""
    deal = table.deal
    assert deal is not None
    tutes = {ending.line for ending in table.endings if ending.how == "tute"}
    false = {f.line for f in table.findings if f.rule == Rule.TUTE_DISPROVED}
    for sight in deal.sights:
        if isinstance(sight, Sang) and sight.line in tutes:
            answer = sung.verdict_of_line(sight.line).answer
            if (answer == "unlawful") != (sight.line in false):
                seat = deal.seats[sight.seat]
                table = _update_disproof_finding(
                    table, Finding(sight.line, Rule.TUTE_DISPROVED, seat, line), answer
                )
    return table


def _rejudge_repeated_cante(
    table: Table, line: Line, cante: Cante, before: Iterable[Cante]
) -> tuple[Table, Cante]:
    """A cante barred only as a repeat, judged again by the cantes that were valid before it.

    A cante that the cards disproved by the line of this one, or that a ruling annulled, had not.
    """
    deal = table.deal
    assert deal is not None
    had = [one for one in before if _was_valid_at(table, one, cante.line)]
    is_sung = _is_suit_announced(had, cante.suit, deal.trump)
    if is_sung == cante.is_barred:
        return table, cante
    rule = Rule.CANTE_ALREADY_SUNG
    others = (f for f in table.findings if f.line != cante.line or f.rule != rule)
    table = replace(table, findings=tuple(others))
    noted = add_finding(
        table, cante.line, rule, cante.seat, line, suit=_suit_letter_of_cante(cante)
    )
    verdict = Verdict("unlawful", line) if is_sung else Verdict("open")
    again = 0 if is_sung or line == cante.line else line
    cante = replace(cante, is_barred=is_sung, void=is_sung, verdict=verdict, again=again)
    return noted if is_sung else table, cante


def _was_valid_at(table: Table, cante: Cante, line: Line) -> bool:
    """Whether a cante was valid at a line, as far as is known now."""
    if cante.is_barred or cante.line in table.ruled_out:
        return False
    answer, since, *_ = cante.verdict
    return answer != "unlawful" or table.came_before(line, since)


def _update_disproof_finding(table: Table, finding: Finding, answer: ActAnswer) -> Table:
    """The table with a finding if the cards disprove an announcement, without it if they do not."""
    line, rule, seat, known_at, facts = astuple(finding)
    others = (f for f in table.findings if f.line != line or f.rule != rule)
    table = replace(table, findings=tuple(others))
    if answer != "unlawful":
        return table
    return add_finding(table, line, rule, seat, known_at, **dict(facts))


def _suit_letter_of_cante(cante: Cante) -> str:
    """Letter of the suit, empty if it is not named."""
    return "" if cante.suit == HIDDEN else SUITS[cante.suit]
