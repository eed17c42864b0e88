"""Accusations of renuncio: proved by the record, too late, or unfounded."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules.articles import Rule, decides
from referee.rules.duties import case_of
from referee.rules.evidence.verdicts import Evidence
from referee.rules.seats import Seat
from referee.table.notes import note
from referee.table.state import ConductRenuncio, Deal, Denunciation, Line, Table


def renuncios_of(table: Table, deal: Deal) -> list[ConductRenuncio]:
    """Renuncios of a deal, as the profile defines them and the record proves them."""
    cases = table.options.renuncio_cases
    proved = [ConductRenuncio(b.line, b.rule, b.seat, b.trick) for b in deal.breaches]
    known = {fault.line for fault in proved}
    proved += [fault for fault in _by_count(deal) if fault.line not in known]
    against_duty = [fault for fault in proved if case_of(fault.rule) in cases]
    return [fault for fault in (*against_duty, *deal.faults) if fault.line not in table.ruled_out]


def _by_count(deal: Deal) -> Iterator[ConductRenuncio]:
    """Plays that were breaches for every distribution of unseen cards, without a card as proof."""
    verdicts = Evidence().see_all(deal.sights).verdicts if deal.watches else {}
    for watch in deal.watches:
        charge = verdicts[watch.line].charge
        if charge is not None:
            yield ConductRenuncio(watch.line, charge.rule, watch.seat, watch.trick)


def denounced(table: Table, deal: Deal, said: Denunciation) -> list[ConductRenuncio]:
    """Renuncios that an accusation means: of that seat, before it, of the trick if one is named."""
    before = table.all_deals[: deal.number] if said.trick == 0 else (deal,)
    return [
        fault
        for each in before
        for fault in renuncios_of(table, each)
        if fault.seat == said.against
        and table.came_before(fault.line, said.line)
        and said.trick in (0, fault.trick)
    ]


def denounced_in_time(table: Table, deal: Deal, said: Denunciation) -> list[ConductRenuncio]:
    """The denounced renuncios, without those that were denounced too late."""
    until = table.options.renuncio_until
    found = denounced(table, deal, said)
    if until == "end_of_partida":
        return found
    of_deal = [fault for fault in found if table.came_before(deal.line, fault.line)]
    if until == "end_of_deal":
        return of_deal
    return [fault for fault in of_deal if said.closed <= fault.trick]


@decides(Rule.RENUNCIO)
def proved_renuncio(table: Table) -> tuple[Line, Seat] | None:
    """Line and seat of the earliest renuncio that was denounced in time and is proved."""
    found = [
        (fault.line, fault.seat)
        for deal, said in _standing(table)
        for fault in denounced_in_time(table, deal, said)
    ]
    return min(found, key=lambda fault: table.lines.index(fault[0]), default=None)


def lost_by_accusing(table: Table) -> tuple[Line, Seat] | None:
    """Line and seat of the first unfounded accusation, if that loses under the profile."""
    if table.options.false_accusation != "lose_partida":
        return None
    standing = {said.line for _, said in _standing(table)}
    found = [f for f in table.findings if f.rule == Rule.ACCUSATION_UNFOUNDED]
    kept = [f for f in found if f.line in standing]
    return (kept[0].line, kept[0].seat) if kept else None


def accusations_noted(table: Table, line: Line) -> Table:
    """The table with findings on accusations that were late or unfounded."""
    for deal, said in _standing(table):
        meant = denounced(table, deal, said)
        if meant and not denounced_in_time(table, deal, said):
            table = _noted(table, line, Rule.DENOUNCED_LATE, said)
        if not meant and deal.is_played_out and not deal.is_entered:
            table = _noted(table, line, Rule.ACCUSATION_UNFOUNDED, said)
    return table


def _standing(table: Table) -> Iterator[tuple[Deal, Denunciation]]:
    for deal in table.all_deals:
        for said in deal.denunciations:
            if said.line not in table.ruled_out:
                yield deal, said


def _noted(table: Table, line: Line, rule: Rule, said: Denunciation) -> Table:
    if any(finding.line == said.line and finding.rule == rule for finding in table.findings):
        return table
    return note(table, said.line, rule, said.by, known_at=line, against=said.against)
