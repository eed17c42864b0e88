"""What the program says of a text record: verdicts by line, totals and the claim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from projections.legality.evidence import partida_knowledge_view
from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import PartidaOpened
from referee.record import TextRecord, parse_record
from referee.record.profiles import frozen_profile_of_record
from referee.rules.articles import Rule
from referee.table.accusations import renuncios_to_ask
from referee.table.counts import assess_claim, partida_totals
from referee.table.verdicts import judge_acts

Hand = tuple[int, tuple[str, ...], tuple[str, ...]]
"""Number of cards, those certainly among them, and those that may be."""


@dataclass(frozen=True)
class Asked:
    """Answers of the program.

    ``refused``: the line and rule of an act that it did not record. ``renuncios``: lines of those that
    the arbiter is asked about.
    """

    verdicts: dict[int, tuple[str, int]]
    totals: dict[str, int]
    claim: dict[str, Any] | None
    winner: str = ""
    refused: tuple[int, str] | None = None
    renuncios: tuple[int, ...] = ()


@lru_cache(4)
def asked(text: str) -> Asked:
    """Record a partida act by act in this process, and ask for its verdicts."""
    record = parse_record(text)
    frozen = frozen_profile_of_record(record)
    state = fold([PartidaOpened("a table", 1, frozen.options, frozen.hash)])
    for line, act in enumerate(record.partidas[0].acts, 1):
        try:
            state = decide(Record(act), state).state
        except Refused as refused:
            return Asked({}, {}, None, refused=(line, refused.rule.value))
    return _answers(state)


def hands_asked(text: str) -> dict[str, Hand] | None:
    """What is known of each hand after the last line; None if an act was refused."""
    try:
        known = partida_knowledge_view(played(parse_record(text))).hands
    except Refused:
        return None
    return {
        seat: (hand.size, _sorted(hand.certain), _sorted(hand.certain + hand.possible))
        for seat, hand in known.items()
    }


def _sorted(cards: list[str]) -> tuple[str, ...]:
    return tuple(sorted(cards))


def played_text(text: str) -> Partida:
    """The partida of a text record."""
    return played(parse_record(text))


def played(record: TextRecord) -> Partida:
    """The partida of a record, recorded act by act under its profile."""
    frozen = frozen_profile_of_record(record)
    state = fold([PartidaOpened("a table", 1, frozen.options, frozen.hash)])
    for act in record.partidas[0].acts:
        state = decide(Record(act), state).state
    return state


REFUSED_NOW = {"bazas-sin-cartas-que-no-suman": Rule.POINTS_IMPOSSIBLE}
"""Records of ``tests/logs`` that were recorded when less was refused, and what refuses them."""


def stored(name: str, record: TextRecord) -> Partida:
    """The partida of a record of ``tests/logs``, as its log holds it."""
    if name not in REFUSED_NOW:
        return played(record)
    frozen = frozen_profile_of_record(record)
    opened = PartidaOpened("a table", 1, frozen.options, frozen.hash)
    return fold([opened, *record.partidas[0].acts])


def _answers(state: Partida) -> Asked:
    rows = judge_acts(state.table, state.standing_acts, with_slips=False)
    read = assess_claim(state.table)
    claim = None
    if read is not None:
        claim = {"line": read.line, "answer": read.answer, "bounds": (read.lower, read.upper)}
    verdicts = {row.line: (str(row.answer), row.since) for row in rows}
    won = state.table.decided
    totals = dict(won.totals) if won else dict(partida_totals(state.table))
    renuncios = tuple(one.line for one in renuncios_to_ask(state.table))
    return Asked(verdicts, totals, claim, won.winner if won else "", renuncios=renuncios)
