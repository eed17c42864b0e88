"""Verdicts: each act of a record, judged by the seen cards, with its proof.

Rules about turns and windows are judged from the act alone; duties and cantes depend on cards, and
therefore on the evidence. Law: section 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    ClaimMade,
    DealStarted,
    IncidentNoted,
    PintaSwapped,
    RenuncioDenounced,
    TableAct,
    TrickReviewed,
    TuteAnnounced,
    WrongDraw,
)
from referee.rules.articles import ABOUT, Rule
from referee.rules.cards import BIT, Card, Mask, cards_in
from referee.rules.evidence.questions import ActAnswer, Verdict
from referee.rules.evidence.sights import (
    Dealt,
    Drew,
    Held,
    Played,
    Recalled,
    Resized,
    Sang,
    Sight,
    Swapped,
    Turned,
    WasDealt,
)
from referee.rules.evidence.slips import LaidCard, LaidCards, RecordedTricks, Slip, slip_behind
from referee.rules.evidence.verdicts import Evidence
from referee.rules.seats import Seat
from referee.table.reading import StandingAct
from referee.table.retelling import slip_behind_count
from referee.table.state import Deal, Finding, Line, Table

CONDUCT = (
    CardPlayed,
    CardDrawn,
    WrongDraw,
    CanteAnnounced,
    PintaSwapped,
    TuteAnnounced,
    TrickReviewed,
    ClaimMade,
    RenuncioDenounced,
    DealStarted,
    IncidentNoted,
)
"""Acts of the players, which may be lawful or not."""

DealEvidence: TypeAlias = dict[int, Evidence]
"""Evidence of each deal of a table, by the number of the deal."""


class Judged(msgspec.Struct, frozen=True):
    """An act with its verdict.

    ``rule`` is the duty broken, or the first rule that the act itself offends; ``option`` the one
    on which a duty rests. ``proof`` are the lines that prove it, ``cards`` the cards certainly held
    that do; ``by_count``: proved by the count of the remaining cards, without a seen card.
    ``settles`` are the unseen cards on which an open act depends; ``tricks``: tricks to turn over
    to see them.
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
    slip: Slip | None = None


def evidence_of(deal: Deal) -> Evidence:
    """Evidence from the sights of a deal."""
    return Evidence().see_all(deal.sights)


def evidence_by_deal(table: Table) -> DealEvidence:
    """Evidence of each deal that counts, by its number."""
    return {deal.number: evidence_of(deal) for deal in table.all_deals}


def judged(
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
    for deal in table.all_deals:
        evidence = known[deal.number]
        course = course_of(table, deal) if with_slips else None
        sung = {cante.line: cante for cante in deal.cantes}
        for line, verdict in evidence.verdicts.items():
            if line in sung and sung[line].is_barred:
                continue
            row = found[line] = _with_reasons(deal, course, line, verdict)
            if course is not None and row.by_count and row.answer == "unlawful":
                slip = slip_behind_count(table, deal, entries, course, (line, row.since))
                found[line] = msgspec.structs.replace(row, slip=slip)
    offences: dict[Line, Finding] = {}
    for finding in table.findings:
        if ABOUT[finding.rule].kind == "finding":
            offences.setdefault(finding.line, finding)
    rows = (
        _row(entry.line, entry.act, found.get(entry.line), offences.get(entry.line))
        for entry in entries
        if isinstance(entry.act, CONDUCT)
    )
    return tuple(row for row in rows if row is not None)


def _row(line: Line, act: TableAct, known: Judged | None, offence: Finding | None) -> Judged | None:
    """Verdict on an act from its cards, and from rules that need no cards."""
    if known is not None and (known.answer == "unlawful" or offence is None):
        return known
    seat = next((getattr(act, n) for n in ("seat", "dealer", "by") if hasattr(act, n)), "")
    if offence is not None:
        return Judged(line, seat, "unlawful", offence.known_at, offence.rule, proof=(line,))
    return None if isinstance(act, CardPlayed) else Judged(line, seat, "lawful", line)


def _with_reasons(
    deal: Deal, course: RecordedTricks | None, line: Line, verdict: Verdict
) -> Judged:
    place = next(s.seat for s in deal.sights if isinstance(s, Played | Sang) and s.line == line)
    seat = deal.seats[place]
    if verdict.answer == "open":
        cards = tuple(cards_in(verdict.settles))
        return Judged(line, seat, "open", settles=cards, tricks=_unseen_tricks(deal))
    if verdict.charge is None:
        rule = None if verdict.answer == "lawful" else Rule.CANTE_DISPROVED
        lines = _shown(deal, place, verdict.proof) if verdict.answer == "lawful" else [line]
        proof = tuple(cards_in(verdict.proof))
        return Judged(line, seat, verdict.answer, verdict.since, rule, "", tuple(lines), proof)
    shown = _shown(deal, place, _one_of(deal, place, verdict))
    trick = _trick_until(deal, line)
    slip = None
    if course is not None and shown:
        slip = slip_behind(course, line, shown[0])
    return Judged(
        line,
        seat,
        "unlawful",
        verdict.since,
        verdict.charge.rule,
        verdict.charge.option,
        tuple(dict.fromkeys((*trick, *(shown or (verdict.since,))))),
        tuple(cards_in(verdict.proof)),
        by_count=not shown,
        slip=slip,
    )


def _one_of(deal: Deal, place: int, verdict: Verdict) -> Mask:
    """The card that proved a breach first: the one seen at the line since which it is known."""
    shown = {card: _shown(deal, place, BIT[card]) for card in cards_in(verdict.proof)}
    first = [card for card, lines in shown.items() if verdict.since in lines]
    chosen = first or [card for card, lines in shown.items() if lines]
    return BIT[chosen[0]] if chosen else 0


def _shown(deal: Deal, place: int, cards: Mask) -> list[Line]:
    """Lines that first show each of these cards in a hand, in order of play."""
    found: dict[Card, Line] = {}
    for sight in deal.sights:
        for card in cards_in(shown_by(sight, place) & cards):
            found.setdefault(card, sight.line)
    return list(dict.fromkeys(line for line in found.values() if line))


def shown_by(sight: Sight, place: int) -> Mask:
    """Cards that a sight shows to be, or to have been, in the hand of a seat."""
    match sight:
        case Played(_, seat, card, _) | Drew(_, seat, card) | Recalled(_, seat, card) if (
            seat == place and card >= 0
        ):
            return BIT[card]
        case Turned(_, card, seat) if seat == place:
            return BIT[card]
        case Held(_, seat, cards, _) | WasDealt(_, seat, cards, _) if seat == place:
            return cards
        case Swapped(_, seat, gave, took, _) if seat == place:
            return BIT[gave] | BIT[took]
        case _:
            return 0


def _trick_until(deal: Deal, line: Line) -> list[Line]:
    """Lines of the trick of a play, up to it."""
    tricks = [[p.line for p in plays] for plays in (*(t.plays for t in deal.tricks), deal.laid)]
    lines = next(lines for lines in tricks if line in lines)
    return lines[: lines.index(line) + 1]


def _unseen_tricks(deal: Deal) -> tuple[int, ...]:
    return tuple(number for number, trick in enumerate(deal.tricks, 1) if not trick.plays)


def course_of(table: Table, deal: Deal) -> RecordedTricks | None:
    """The tricks of a deal as the analysis of slips takes them; None if a trick has no cards."""
    closed = [trick.plays for trick in deal.tricks]
    if deal.trump < 0 or not all(closed):
        return None
    laid = [*closed, deal.laid] if deal.laid else closed
    tricks: tuple[LaidCards, ...] = tuple(
        tuple(LaidCard(deal.place(play.seat), play.card, play.line) for play in plays)
        for plays in laid
    )
    return RecordedTricks(
        tricks,
        len(deal.seats),
        _first_with_duties(table, deal, tricks),
        deal.place(deal.order[0]),
        deal.trump,
        table.options,
        deal.deck,
        deal.held,
        _may_have_had(deal),
    )


def _may_have_had(deal: Deal) -> tuple[Mask, ...]:
    """For each seat the cards that it can have had, by what was seen besides the cards it laid."""
    known, many = [0] * len(deal.seats), [0] * len(deal.seats)
    for sight in deal.sights:
        match sight:
            case Dealt(_, _, sizes, _):
                many = list(sizes)
            case Drew(_, seat, _) | Swapped(_, seat, _, _, _):
                many[seat] += 1
            case Resized(_, seat, more):
                many[seat] += more
            case _:
                pass
        if not isinstance(sight, Played):
            known = [cards | shown_by(sight, place) for place, cards in enumerate(known)]
    found = []
    for place, cards in enumerate(known):
        others = 0
        for other in known[:place] + known[place + 1 :]:
            others |= other
        is_whole = cards.bit_count() >= many[place]
        found.append(cards if is_whole else cards | deal.deck & ~others)
    return tuple(found)


def _first_with_duties(table: Table, deal: Deal, tricks: tuple[LaidCards, ...]) -> int:
    """Number of the first trick in which the duties hold, from 0."""
    if table.options.duties_from == "first_trick":
        return 0
    stock, free = 0, set()
    for sight in deal.sights:
        match sight:
            case Dealt():
                stock = sight.stock
            case Drew():
                stock -= 1
            case Resized(_, _, more):
                stock -= more if stock else 0
            case Played() if stock > 0:
                free.add(sight.line)
            case _:
                pass
    return sum(any(lay.line in free for lay in trick) for trick in tricks)
