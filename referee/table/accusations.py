"""Accusations of renuncio: proved by the record, too late, or unfounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.rules.articles import ABOUT, Rule, mark_rule_decider
from referee.rules.cards import BIT, Card, cards_in
from referee.rules.duties import Charge, renuncio_case_of_rule
from referee.rules.evidence.history import evidence_from_sights
from referee.rules.evidence.sights import (
    NOBODY,
    Drew,
    Held,
    Hidden,
    Played,
    Recalled,
    Swapped,
    Turned,
)
from referee.rules.evidence.slips import (
    RecordedTricks,
    may_slip_explain_turn,
    slip_that_explains_breach,
)
from referee.rules.seats import Seat
from referee.table.course import tricks_for_slip_analysis
from referee.table.state import NO_CARD, Deal, Denunciation, Line, Renuncio, Table, add_finding


def renuncios_of_deal(table: Table, deal: Deal) -> list[Renuncio]:
    """Proved renuncios of a deal, as the profile defines them, less those a ruling annulled."""
    cases = table.options.renuncio_cases
    proved = [Renuncio(b.line, b.rule, b.seat, b.trick, b.known_at) for b in deal.breaches]
    known = {renuncio.line for renuncio in proved}
    proved += [
        renuncio for renuncio in _renuncios_proved_without_card(deal) if renuncio.line not in known
    ]
    against_duty = [
        renuncio for renuncio in proved if renuncio_case_of_rule(renuncio.rule) in cases
    ]
    return [
        renuncio
        for renuncio in (*against_duty, *deal.conduct)
        if renuncio.line not in table.ruled_out
    ]


def _renuncios_proved_without_card(deal: Deal) -> Iterator[Renuncio]:
    """Plays that were breaches for every distribution of unseen cards, without a card as proof."""
    verdicts = evidence_from_sights(deal.sights).verdicts if deal.suspects else {}
    for suspect in deal.suspects:
        verdict = verdicts[suspect.line]
        if verdict.charge is not None:
            rule = verdict.charge.rule
            yield Renuncio(suspect.line, rule, suspect.seat, suspect.trick, verdict.since)


def renuncios_of_accusation(table: Table, deal: Deal, said: Denunciation) -> list[Renuncio]:
    """Renuncios that a denunciation is about: earlier ones of that seat, in the trick it names.

    ``deal`` is the one in which the accusation was made.
    """
    return [
        renuncio
        for each in _deals_of_accusation(table, deal, said)
        for renuncio in renuncios_of_deal(table, each)
        if renuncio.seat == said.against
        and table.came_before(renuncio.line, said.line)
        and said.trick in (0, renuncio.trick)
    ]


def _deals_of_accusation(table: Table, deal: Deal, said: Denunciation) -> tuple[Deal, ...]:
    """Deals that a denunciation is about: the one named, that of its trick, or all until then."""
    if said.deal:
        return table.all_deals[said.deal - 1 : said.deal]
    return (deal,) if said.trick else table.all_deals[: deal.number]


def renuncios_denounced_in_time(table: Table, deal: Deal, said: Denunciation) -> list[Renuncio]:
    """The denounced renuncios, without those that were denounced too late."""
    until = table.options.renuncio_until
    found = renuncios_of_accusation(table, deal, said)
    if until == "end_of_partida":
        return found
    of_deal = [renuncio for renuncio in found if table.came_before(deal.line, renuncio.line)]
    if until == "end_of_deal":
        return of_deal
    return [renuncio for renuncio in of_deal if said.closed <= renuncio.trick]


@mark_rule_decider(Rule.RENUNCIO)
def line_and_seat_of_costly_renuncio(table: Table) -> tuple[Line, Seat] | None:
    """Line and seat of the earliest renuncio that is proved, and denounced in time or confirmed.

    Where a renuncio costs without a denunciation, an earlier one that all could see proved by then
    comes first, though nobody spoke of it.
    """
    fallen = [*_lines_and_costly_renuncios(table)]
    if not fallen:
        return None
    place, found = table.lines.index, [one for _, one in fallen]
    if table.options.renuncio_costs == "when_proved":
        fell = min(max(place(said), _line_index_of_proof(table, one)) for said, one in fallen)
        found += _renuncios_to_confirm(table, fell)
    first = min(found, key=lambda renuncio: place(renuncio.line))
    return first.line, first.seat


def _line_index_of_proof(table: Table, renuncio: Renuncio) -> int:
    """Index of the line that proves a renuncio: by a card, or before that by the count."""
    place = table.lines.index
    proved = place(renuncio.known_at or renuncio.line)
    if ABOUT[renuncio.rule].kind != "duty":
        return proved
    deal = next(one for one in reversed(table.all_deals) if place(one.line) < place(renuncio.line))
    verdict = evidence_from_sights(deal.sights).verdicts[renuncio.line]
    since = verdict.since if _is_any_breach_renuncio(table) else verdict.named
    return min(proved, place(since)) if verdict.answer == "unlawful" else proved


def _is_any_breach_renuncio(table: Table) -> bool:
    """Whether the profile makes a renuncio of a breach of any duty, whichever it is."""
    return {"follow", "beat", "trump"} <= set(table.options.renuncio_cases)


def _lines_and_costly_renuncios(table: Table) -> Iterator[tuple[Line, Renuncio]]:
    """Renuncios that cost something, each with the line that denounced or confirmed it."""
    for deal, said in _deals_and_valid_denunciations(table):
        for renuncio in renuncios_denounced_in_time(table, deal, said):
            yield said.line, renuncio
    confirmed = {play: ruling for ruling, play in reversed(table.confirmed)}
    for deal in table.all_deals if confirmed else ():
        for renuncio in renuncios_of_deal(table, deal):
            if renuncio.line in confirmed:
                yield confirmed[renuncio.line], renuncio


def renuncios_to_ask(table: Table) -> list[Renuncio]:
    """Renuncios that the arbiter is asked about, since they cost something without a denunciation.

    They are proved by what everybody saw, no slip of the recorder would explain them, and no ruling
    has confirmed or annulled them. The earliest stands first. Nobody is asked once it is too late.
    """
    if table.options.renuncio_costs != "when_proved":
        return []
    answered = {line for _, line in table.confirmed}
    found = [one for one in _renuncios_to_confirm(table) if one.line not in answered]
    return sorted(found, key=lambda renuncio: table.lines.index(renuncio.line))


def _renuncios_to_confirm(table: Table, fell: int | None = None) -> Iterator[Renuncio]:
    """Renuncios that may still be confirmed: proved for everybody, and explained by no slip.

    ``fell``: place of a line at which they might have been confirmed, by what was recorded then.
    """
    for deal in table.all_deals:
        is_late = is_too_late_to_confirm(table, deal) and not _was_counted_after(table, deal, fell)
        proofs = {} if is_late else public_proof_by_renuncio_line(deal)
        course = tricks_for_slip_analysis(table, deal, fell) if proofs else None
        for renuncio in renuncios_of_deal(table, deal):
            proof = proofs.get(renuncio.line)
            if proof is None or (fell is not None and table.lines.index(proof) > fell):
                continue
            if not _may_be_slip(course, renuncio, proof):
                yield renuncio


def is_too_late_to_confirm(table: Table, deal: Deal) -> bool:
    """Whether it is too late to confirm a renuncio of a deal that nobody denounced.

    Where a renuncio costs nothing without a denunciation, a ruling is never late.
    """
    return table.options.renuncio_costs == "when_proved" and table.is_deal_settled(deal)


def _was_counted_after(table: Table, deal: Deal, fell: int | None) -> bool:
    """Whether a deal was closed at the line at which a renuncio was decided, or later."""
    closed = deal.count_line or deal.end_line
    return deal.is_counted and fell is not None and table.lines.index(closed) >= fell


def _may_be_slip(course: RecordedTricks | None, renuncio: Renuncio, proof: Line) -> bool:
    """Whether a slip of the recorder would explain a renuncio, or cannot be excluded."""
    match renuncio.rule:
        case Rule.TALK | Rule.SIGNAL:
            return False
        case Rule.OUT_OF_TURN_IN_ARRASTRE:
            return course is None or may_slip_explain_turn(course, renuncio.line)
        case _:
            return (
                course is None
                or slip_that_explains_breach(course, renuncio.line, proof) is not None
            )


def public_proof_by_renuncio_line(deal: Deal) -> dict[Line, Line]:
    """Line that proves each renuncio whose proof everybody could see, by the line of the renuncio.

    In arrastre nobody draws, so a card that a seat lays or shows later was in its hand; so was one
    that it had shown, taken with a swap or drawn as the pinta, and had not laid since.
    """
    found: dict[Line, Line] = {renuncio.line: renuncio.line for renuncio in deal.conduct}
    seen: list[dict[Card, Line]] = [{} for _ in deal.seats]
    for sight in reversed(deal.sights):
        match sight:
            case Played(line, seat, card, charges):
                lines = [
                    at for other, at in seen[seat].items() if _is_proof_of_charge(other, charges)
                ]
                if lines:
                    found[line] = lines[-1]
                seen[seat] = _earliest_line_by_card(seen[seat], (card,), line)
            case Held(line, seat, cards, _, False):
                seen[seat] = _earliest_line_by_card(seen[seat], cards_in(cards), line)
            case _:
                pass
    return found | _evident_breach_proofs(deal)


def _is_proof_of_charge(card: Card, charges: Iterable[Charge]) -> bool:
    """Whether a card, held besides the one laid, makes one of the charges true."""
    return any(charge.cards & BIT[card] for charge in charges)


def _earliest_line_by_card(
    seen: dict[Card, Line], cards: Iterable[Card], line: Line
) -> dict[Card, Line]:
    """Cards with the first line that shows each; ``cards`` are shown by this earlier line."""
    now = dict.fromkeys(cards, line)
    return {card: at for card, at in seen.items() if card not in now} | now


def _evident_breach_proofs(deal: Deal) -> dict[Line, Line]:
    """Plays that were breaches by what all knew when they were laid: a line proves itself."""
    found: dict[Line, Line] = {}
    pinta, hands = NO_CARD, [0] * len(deal.seats)
    for sight in deal.sights:
        match sight:
            case Turned(_, pinta, seat) if seat == NOBODY:
                pass
            case Turned(_, card, seat):
                hands[seat] |= BIT[card]
            case Swapped(_, seat, gave, took, _):
                pinta, hands[seat] = gave, hands[seat] & ~BIT[gave] | BIT[took]
            case Drew(_, seat, card) | Recalled(_, seat, card) if card == pinta:
                hands[seat] |= BIT[card]
            case Held(_, seat, cards, _, False):
                hands[seat] |= cards
            case Played(line, seat, card, charges):
                hands[seat] &= ~BIT[card]
                was_due = any(charge.cards & hands[seat] for charge in charges)
                found |= {line: line} if was_due else {}
            case Hidden():
                hands = [0] * len(hands)
            case _:
                pass
    return found


def line_and_seat_of_false_accuser(table: Table) -> tuple[Line, Seat] | None:
    """Line of the first unfounded denunciation and seat of its accuser, if that side loses."""
    if table.options.false_accusation != "lose_partida":
        return None
    standing = {said.line for _, said in _deals_and_valid_denunciations(table)}
    found = [f for f in table.findings if f.rule == Rule.ACCUSATION_UNFOUNDED]
    kept = [f for f in found if f.line in standing]
    return (kept[0].line, kept[0].seat) if kept else None


def table_after_faulty_accusations(table: Table, line: Line) -> Table:
    """The table with findings on denunciations that were late or unfounded."""
    for deal, said in _deals_and_valid_denunciations(table):
        meant = renuncios_of_accusation(table, deal, said)
        if meant and not renuncios_denounced_in_time(table, deal, said):
            table = _table_after_faulty_accusation(table, line, Rule.DENOUNCED_LATE, said)
        about = (deal, *_deals_of_accusation(table, deal, said))[-1]
        if not meant and about.is_played_out and not _may_hide_a_breach(about):
            table = _table_after_faulty_accusation(table, line, Rule.ACCUSATION_UNFOUNDED, said)
    return table


def _may_hide_a_breach(deal: Deal) -> bool:
    """Whether cards that nobody saw may hide a breach of a duty."""
    return deal.has_unseen_duties or (deal.is_entered and any(deal.sizes))


def _deals_and_valid_denunciations(table: Table) -> Iterator[tuple[Deal, Denunciation]]:
    """Denunciations that no ruling annulled, each with its deal."""
    for deal in table.all_deals:
        for said in deal.denunciations:
            if said.line not in table.ruled_out:
                yield deal, said


def _table_after_faulty_accusation(
    table: Table, line: Line, rule: Rule, said: Denunciation
) -> Table:
    """The table with a finding on a denunciation, added once."""
    if any(finding.line == said.line and finding.rule == rule for finding in table.findings):
        return table
    return add_finding(table, said.line, rule, said.by, known_at=line, against=said.against)
