"""A record read again with one slip corrected, for breaches that only the count proves.

For a breach proved by a card, ``slip_behind`` compares the tricks alone, which is faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from referee.events import CardPlayed
from referee.rules.articles import Rule
from referee.rules.cards import TOKENS
from referee.rules.evidence.slips import RecordedTricks, Slip, slips_near
from referee.rules.evidence.verdicts import Evidence
from referee.table.reading import StandingAct, empty_table, read
from referee.table.state import Deal, Line, Table

_ASTRAY = frozenset({Rule.OUT_OF_TURN, Rule.OUT_OF_TURN_IN_ARRASTRE})


def slip_behind_count(
    table: Table,
    deal: Deal,
    entries: Sequence[StandingAct],
    course: RecordedTricks,
    lines: tuple[Line, Line],
) -> Slip | None:
    """One slip near either line that would explain the breach of the first; None if none would.

    The corrected record is consistent, has no breach there, no new breach elsewhere, and nobody
    newly out of turn. The other line is where the breach became provable.
    """
    before, astray = _wrong(_evidence(table)), _out_of_turn(table)
    for slip in slips_near(course, set(lines)):
        other = read(empty_table(table.options), _corrected(table, deal, entries, slip))
        found = _evidence(other)
        after = _wrong(found)
        is_right = lines[0] not in after and after <= before and _out_of_turn(other) <= astray
        if is_right and not any(one.broken for one in found):
            return slip
    return None


def _evidence(table: Table) -> list[Evidence]:
    return [Evidence().see_all(deal.sights) for deal in table.all_deals]


def _wrong(evidence: Iterable[Evidence]) -> set[Line]:
    """Lines that are unlawful by the cards."""
    verdicts = [one.verdicts for one in evidence]
    return {line for found in verdicts for line, one in found.items() if one.answer == "unlawful"}


def _out_of_turn(table: Table) -> set[Line]:
    return {finding.line for finding in table.findings if finding.rule in _ASTRAY}


def _corrected(
    table: Table, deal: Deal, entries: Sequence[StandingAct], slip: Slip
) -> Iterator[StandingAct]:
    """The acts as they would have been recorded without a slip."""
    corrected = dict(zip(slip.lines, slip.cards, strict=True))
    for entry in entries:
        act = entry.act
        if entry.line not in corrected or not isinstance(act, CardPlayed):
            yield entry
        elif slip.kind == "left_out":
            missing = CardPlayed(
                deal.seats[deal.place(act.seat) - 1], TOKENS[corrected[entry.line]]
            )
            yield StandingAct(table.lines[-1] + 1, missing)
            yield entry
        elif slip.kind != "entered_twice":
            yield StandingAct(entry.line, replace(act, card=TOKENS[corrected[entry.line]]))
