"""A deal read again with one slip corrected, for breaches that only the count proves.

For a breach proved by a card, ``slip_that_explains_breach`` compares the tricks alone, which is
faster. A draw noted one act late may explain a cante that the cards disprove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from msgspec.structs import replace

from referee.events import CanteAnnounced, CardDrawn, CardPlayed, DealStarted
from referee.rules.articles import Rule
from referee.rules.cards import TOKENS
from referee.rules.evidence.sights import Sight
from referee.rules.evidence.slips import RecordedTricks, Slip, slips_near
from referee.rules.evidence.verdicts import Evidence
from referee.table.readings import StandingAct, apply_without_conclusions, empty_table
from referee.table.state import Deal, Line, Table

_ASTRAY = frozenset({Rule.OUT_OF_TURN, Rule.OUT_OF_TURN_IN_ARRASTRE})


class RetoldDeal:
    """A deal of a record, read again with slips of the recorder corrected.

    What was seen in a deal, and who was out of turn, depend on its own acts alone. So only the deal
    is read, from the first act that a slip changes, and its evidence is judged once, at the end.
    ``known`` is the evidence of each deal of the record as it is.
    """

    def __init__(
        self,
        table: Table,
        deal: Deal,
        entries: Sequence[StandingAct],
        known: Mapping[int, Evidence],
    ) -> None:
        self._deal, self._acts, self._table = deal, _acts_of_deal(deal, entries), table
        self._wrong, self._astray = _unlawful_lines(known[deal.number]), _lines_out_of_turn(table)
        others = (one for number, one in known.items() if number != deal.number)
        self._is_consistent_elsewhere = not any(one.broken for one in others)
        self._evidence: dict[int, Evidence] = {}  # before so many acts of the deal
        self._outcomes: dict[Slip, frozenset[Line] | None] = {}

    def slip_that_explains_breach(
        self, course: RecordedTricks, lines: tuple[Line, Line]
    ) -> Slip | None:
        """One slip near either line that would explain the breach of the first; None if none would.

        The corrected record is consistent, has no breach there, no new breach elsewhere, and nobody
        newly out of turn. The other line is where the breach became provable.
        """
        for slip in slips_near(course, set(lines)) if self._is_consistent_elsewhere else ():
            if slip not in self._outcomes:
                self._outcomes[slip] = self._breach_lines_or_none(slip)
            outcome = self._outcomes[slip]
            if outcome is not None and lines[0] not in outcome:
                return slip
        return None

    def late_draw_that_explains_cante(self, line: Line) -> Slip | None:
        """Slip of a draw noted after a cante that may be true if it came before; else None."""
        at = next(n for n, entry in enumerate(self._acts) if entry.line == line)
        cante, *after = self._acts[at : at + 2]
        drawn = after[0].act if after else None
        assert isinstance(cante.act, CanteAnnounced)
        if not isinstance(drawn, CardDrawn) or drawn.seat != cante.act.seat:
            return None
        table = empty_table(self._table.options)
        for entry in (*self._acts[:at], *after, cante, *self._acts[at + 2 :]):
            table = apply_without_conclusions(table, entry.line, entry.act)
        evidence = Evidence().see_all(_sights(table))
        is_true = not evidence.broken and line not in _unlawful_lines(evidence)
        return Slip("draw_late", (line, after[0].line), ()) if is_true else None

    def _breach_lines_or_none(self, slip: Slip) -> frozenset[Line] | None:
        """Lines of unlawful plays that remain if a slip is corrected; None if that cannot be.

        None if that makes a play wrong which was lawful before.
        """
        at = next(n for n, entry in enumerate(self._acts) if entry.line in slip.lines)
        table, evidence = self._tables_before_acts[at], self._evidence_before_index(at)
        for entry in self._acts_from_index_without_slip(at, slip):
            before, table = table, apply_without_conclusions(table, entry.line, entry.act)
            evidence = _evidence_with_new_sights(evidence, before, table)
            if evidence.broken or not _lines_out_of_turn(table) <= self._astray:
                return None
        evidence.judge()
        wrong = _unlawful_lines(evidence)
        return wrong if wrong <= self._wrong and not evidence.broken else None

    @cached_property
    def _tables_before_acts(self) -> list[Table]:
        """The table before each act of the deal as recorded, and that after the last."""
        empty, acts = empty_table(self._table.options), self._acts
        return list(
            accumulate(
                acts, lambda t, a: apply_without_conclusions(t, a.line, a.act), initial=empty
            )
        )

    def _evidence_before_index(self, at: int) -> Evidence:
        """Copy of the evidence before the act at an index, as recorded; callers may add others."""
        if at not in self._evidence:
            last = max((n for n in self._evidence if n < at), default=0)
            evidence = self._evidence[last].copy() if last else Evidence()
            self._evidence[at] = _evidence_with_new_sights(
                evidence, self._tables_before_acts[last], self._tables_before_acts[at]
            )
        return self._evidence[at].copy()

    def _acts_from_index_without_slip(self, at: int, slip: Slip) -> Iterator[StandingAct]:
        """Acts from an index on, as they would have been recorded without a slip."""
        corrected = dict(zip(slip.lines, slip.cards, strict=True))
        for entry in self._acts[at:]:
            act = entry.act
            if entry.line not in corrected or not isinstance(act, CardPlayed):
                yield entry
                continue
            token = TOKENS[corrected[entry.line]]
            if slip.kind == "left_out":
                seat = self._deal.seats[self._deal.place_of_seat(act.seat) - 1]
                yield StandingAct(max(self._table.lines) + 1, CardPlayed(seat, token))
                yield entry
            elif slip.kind != "entered_twice":
                yield StandingAct(entry.line, replace(act, card=token))


def _acts_of_deal(deal: Deal, entries: Sequence[StandingAct]) -> Sequence[StandingAct]:
    """The acts of a deal, from its start to that of the next."""
    first = next(n for n, entry in enumerate(entries) if entry.line == deal.line)
    starts = (n for n, one in enumerate(entries) if isinstance(one.act, DealStarted))
    return entries[first : next((n for n in starts if n > first), len(entries))]


def _sights(table: Table) -> tuple[Sight, ...]:
    return () if table.deal is None else table.deal.sights


def _evidence_with_new_sights(evidence: Evidence, before: Table, table: Table) -> Evidence:
    """Evidence with the new sights of a table; made anew if an earlier sight differs."""
    old, sights = _sights(before), _sights(table)
    if sights[: len(old)] != old:
        old, evidence = (), Evidence()
    evidence.see_unjudged(sights[len(old) :])
    return evidence


def _unlawful_lines(evidence: Evidence) -> frozenset[Line]:
    verdicts = evidence.verdicts.items()
    return frozenset(line for line, one in verdicts if one.answer == "unlawful")


def _lines_out_of_turn(table: Table) -> frozenset[Line]:
    return frozenset(finding.line for finding in table.findings if finding.rule in _ASTRAY)
