"""Verdicts: each act of a record, judged by the seen cards, with its proof.

Rules about turns and windows are judged from the act alone; duties and cantes depend on cards, and
therefore on the evidence. Law: section 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from referee import events as ev
from referee.rules.articles import ABOUT, Rule
from referee.rules.cards import BIT, Card, Mask, cards_in
from referee.rules.evidence.history import evidence_from_sights
from referee.rules.evidence.questions import ActAnswer, Verdict
from referee.rules.evidence.sights import Played, Sang, Sight
from referee.rules.evidence.slips import RecordedTricks, Slip, slip_that_explains_breach
from referee.rules.evidence.verdicts import Evidence
from referee.rules.seats import Seat
from referee.table.alternatives import RetoldDeal
from referee.table.course import cards_shown_by_sight, tricks_for_slip_analysis
from referee.table.readings import StandingAct
from referee.table.state import Deal, Finding, Line, Table

CONDUCT = (
    ev.CardPlayed,
    ev.CardDrawn,
    ev.WrongDraw,
    ev.CanteAnnounced,
    ev.SuitRequested,
    ev.PintaSwapped,
    ev.TuteAnnounced,
    ev.TrickReviewed,
    ev.ClaimMade,
    ev.RenuncioDenounced,
    ev.DealStarted,
    ev.IncidentNoted,
)
"""Acts of the players, which may be lawful or not."""

_BESIDE_A_CANTE = (Rule.CANTE_DISPROVED, Rule.CANTE_40_SHOWN)
"""Findings beside a cante that do not make it unlawful themselves."""

DealEvidence: TypeAlias = dict[int, Evidence]
"""Evidence of each deal of a table, by the number of the deal."""


class SeenLater(msgspec.Struct, frozen=True):
    """A line after that of a proof, which names the broken duty or shows a card that proves it."""

    line: Line
    cards: tuple[Card, ...] = ()


class Judged(msgspec.Struct, frozen=True):
    """An act with its verdict.

    ``rule`` is the duty broken, or the first rule that the act itself offends; ``option`` the one
    on which a duty rests. ``proof`` are the lines that prove it, none after ``since``, ``cards``
    the cards certainly held by then that do; ``by_count``: proved by the count of the remaining
    cards, without a seen card. ``later``: what a later line shows besides, of an act that was
    unlawful before. ``settles`` are the unseen cards on which an open act depends; ``tricks``:
    tricks to turn over to see them.
    """

    line: Line
    seat: Seat
    answer: ActAnswer
    since: Line = 0
    rule: Rule | None = None
    option: str = ""
    proof: tuple[Line, ...] = ()
    cards: tuple[Card, ...] = ()
    settles: tuple[Card, ...] = ()
    tricks: tuple[int, ...] = ()
    by_count: bool = False
    later: SeenLater | None = None
    slip: Slip | None = None


def evidence_of(deal: Deal) -> Evidence:
    """Evidence from the sights of a deal, cached: a sight is added only to a copy."""
    return evidence_from_sights(deal.sights)


def evidence_by_deal(table: Table) -> DealEvidence:
    """Evidence of each deal that counts, by its number."""
    return {deal.number: evidence_of(deal) for deal in table.all_deals}


def judge_acts(
    table: Table,
    entries: Iterable[StandingAct],
    known: DealEvidence | None = None,
    *,
    with_slips: bool = True,
) -> tuple[Judged, ...]:
    """Every act of a player with its verdict, in order of play.

    ``known`` is the evidence of the table, if the caller has it. Cards of a deal that was annulled
    have no verdict.
    """
    found: dict[Line, Judged] = {}
    entries = tuple(entries)
    known = evidence_by_deal(table) if known is None else known
    offences = _first_offence_by_line(table)
    for deal in table.all_deals:
        course = tricks_for_slip_analysis(table, deal) if with_slips else None
        sung = {cante.line: cante for cante in deal.cantes}
        retold = RetoldDeal(table, deal, entries, known)
        for line, verdict in known[deal.number].verdicts.items():
            if line in sung and (sung[line].is_barred or line in offences):
                continue
            row = _verdict_with_proof(deal, course, line, verdict)
            if line in sung and sung[line].again:
                row = _redate_verdict_by_ruling(table, row, sung[line].again)
            if not with_slips or row.answer != "unlawful":
                pass
            elif line in sung:
                row = msgspec.structs.replace(row, slip=retold.late_draw_that_explains_cante(line))
            elif course is not None and not _proof_by_shown_cards(deal, verdict, line):
                slip = retold.slip_that_explains_breach(course, (line, row.since))
                row = msgspec.structs.replace(row, slip=slip)
            found[line] = row
    rows = (
        _verdict_on_act(entry.line, entry.act, found.get(entry.line), offences.get(entry.line))
        for entry in entries
        if isinstance(entry.act, CONDUCT)
    )
    return tuple(row for row in rows if row is not None)


def _redate_verdict_by_ruling(table: Table, row: Judged, ruling: Line) -> Judged:
    """The verdict on a cante, not dated before the ruling that made it valid again."""
    if row.answer == "open" or not ruling:
        return row
    proof, since = tuple(dict.fromkeys((*row.proof, ruling))), row.since
    if table.came_before(since, ruling):
        since = ruling
    return msgspec.structs.replace(row, since=since, proof=proof)


def _first_offence_by_line(table: Table) -> dict[Line, Finding]:
    """The first finding that makes an act unlawful, by its line.

    Whether a cante was held is for the cards to say, and how a 40 is sung makes it no breach.
    """
    counting = {c.line for deal in table.all_deals for c in deal.cantes if not c.is_barred}
    found: dict[Line, Finding] = {}
    for finding in table.findings:
        is_beside = finding.line in counting and finding.rule in _BESIDE_A_CANTE
        if ABOUT[finding.rule].kind == "finding" and not is_beside:
            found.setdefault(finding.line, finding)
    return found


def _verdict_on_act(
    line: Line, act: ev.TableAct, known: Judged | None, offence: Finding | None
) -> Judged | None:
    """Verdict on an act from its cards, and from rules that need no cards."""
    is_judged_by_cards = isinstance(act, ev.CardPlayed | ev.CanteAnnounced)
    if known is not None and (
        offence is None or (known.answer == "unlawful" and is_judged_by_cards)
    ):
        return known
    seat = next((getattr(act, n) for n in ("seat", "dealer", "by") if hasattr(act, n)), "")
    if offence is not None:
        who, since = offence.seat or seat, offence.known_at
        proof = tuple(dict.fromkeys((line, since)))
        return Judged(line, who, "unlawful", since, offence.rule, proof=proof)
    return None if isinstance(act, ev.CardPlayed) else Judged(line, seat, "lawful", line)


def _verdict_with_proof(
    deal: Deal, course: RecordedTricks | None, line: Line, verdict: Verdict
) -> Judged:
    """Verdict on an act from the evidence, with its proof and the slip that would explain it."""
    place = _place_of_seat_at_line(deal, line)
    seat = deal.seats[place]
    if verdict.answer == "open":
        cards = tuple(cards_in(verdict.settles))
        return Judged(line, seat, "open", settles=cards, tricks=_numbers_of_unseen_tricks(deal))
    proof, seen = tuple(cards_in(verdict.proof)), _sights_until(deal, verdict.since)
    if verdict.charge is None:
        rule = None if verdict.answer == "lawful" else Rule.CANTE_DISPROVED
        shows = _lines_that_show(seen, place, verdict.proof)
        lines = dict.fromkeys(shows if verdict.answer == "lawful" else (line, verdict.since))
        return Judged(line, seat, verdict.answer, verdict.since, rule, "", tuple(lines), proof)
    shown = [at for _, at in _card_and_line_shown(seen, place, verdict.proof, verdict.since)]
    trick = _lines_of_trick_until(deal, line)
    slip, at_last = None, _proof_by_shown_cards(deal, verdict, line)
    if course is not None and at_last:
        slip = slip_that_explains_breach(course, line, at_last[0][1])
    return Judged(
        line,
        seat,
        "unlawful",
        verdict.since,
        verdict.charge.rule,
        verdict.charge.option,
        tuple(dict.fromkeys((*trick, *(shown or (verdict.since,))))),
        proof,
        by_count=not shown,
        later=_sight_after_proof(deal, verdict, at_last),
        slip=slip,
    )


def _place_of_seat_at_line(deal: Deal, line: Line) -> int:
    """Place of the seat that laid a card or sang at a line."""
    return next(s.seat for s in deal.sights if isinstance(s, Played | Sang) and s.line == line)


def _proof_by_shown_cards(deal: Deal, verdict: Verdict, line: Line) -> list[tuple[Card, Line]]:
    """The shown card that proves the breach of a play, with its line; empty if none was shown."""
    return _card_and_line_shown(
        deal.sights, _place_of_seat_at_line(deal, line), verdict.shown, verdict.named
    )


def _sight_after_proof(
    deal: Deal, verdict: Verdict, at_last: Iterable[tuple[Card, Line]]
) -> SeenLater | None:
    """What was seen of a breach after the line that proved it, if it says more."""
    after = [sight.line for sight in deal.sights[len(_sights_until(deal, verdict.since)) :]]
    lines = [line for line in (verdict.named, *(at for _, at in at_last)) if line in after]
    if not lines:
        return None
    return SeenLater(max(lines, key=after.index), tuple(card for card, _ in at_last))


def _sights_until(deal: Deal, line: Line) -> tuple[Sight, ...]:
    """What was seen of a deal up to a line."""
    last = max(at for at, sight in enumerate(deal.sights) if sight.line == line)
    return deal.sights[: last + 1]


def _card_and_line_shown(
    seen: tuple[Sight, ...], place: int, cards: Mask, since: Line
) -> list[tuple[Card, Line]]:
    """One of these cards that was shown in a hand, with its line, best that of ``since``."""
    lines = {card: _lines_that_show(seen, place, BIT[card]) for card in cards_in(cards)}
    shown = [(card, at[0]) for card, at in lines.items() if at]
    return sorted(shown, key=lambda one: one[1] != since)[:1]


def _lines_that_show(seen: tuple[Sight, ...], place: int, cards: Mask) -> list[Line]:
    """Lines that first show each of these cards in a hand, in order of play."""
    found: dict[Card, Line] = {}
    for sight in seen:
        for card in cards_in(cards_shown_by_sight(sight, place) & cards):
            found.setdefault(card, sight.line)
    return list(dict.fromkeys(line for line in found.values() if line))


def _lines_of_trick_until(deal: Deal, line: Line) -> list[Line]:
    """Lines of the trick of a play, up to it."""
    tricks = [[p.line for p in plays] for plays in (*(t.plays for t in deal.tricks), deal.laid)]
    lines = next(lines for lines in tricks if line in lines)
    return lines[: lines.index(line) + 1]


def _numbers_of_unseen_tricks(deal: Deal) -> tuple[int, ...]:
    return tuple(number for number, trick in enumerate(deal.tricks, 1) if not trick.plays)
