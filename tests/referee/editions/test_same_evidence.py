"""What the cards prove is the same under every edition: logic, not law."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from referee.aggregates.partida import Partida, fold
from referee.errors import Refused
from referee.events import PartidaOpened, TableAct
from referee.record import parse_record
from referee.record.profiles import frozen_profile_of_record
from referee.rules.profile.options import EARLIER_LAW, LAW, LawEdition
from referee.table.possible import refuse_impossible
from referee.table.readings import table_after_act
from referee.table.state import Deal, Table
from tests.support.places import ROOT

RECORDS = sorted(
    path for folder in ("logs", "playthroughs") for path in (ROOT / "tests" / folder).iterdir()
)
OF_THE_CARDS = (
    *("sights", "held", "absent", "sizes", "stock", "lies", "supposed", "gap", "otherwise"),
    *("suspects", "breaches", "sung", "laid", "tricks", "conduct"),
)
"""What a deal says of cards and draws; its cantes are for the law to count."""


def read_under(law: LawEdition, state: Partida) -> list[tuple[Table, str]]:
    """The table after each act, as an edition of this law reads it, and why it would refuse it."""
    table = structs.replace(
        state.table_at_start, options=replace(state.table_at_start.options, law=law)
    )
    tables = []
    for entry in state.standing_acts:
        refusal = refusal_of(table, entry.act)
        table = table_after_act(table, entry.line, entry.act)
        tables.append((table, refusal))
    return tables


def refusal_of(table: Table, act: TableAct) -> str:
    try:
        refuse_impossible(table, act)
    except Refused as refused:
        return str(refused)
    return ""


def of_the_cards(deal: Deal | None) -> dict[str, object]:
    return {} if deal is None else {name: getattr(deal, name) for name in OF_THE_CARDS}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_older_edition_reads_the_same_of_the_cards(path):
    record = parse_record(path.read_text(encoding="utf-8"))
    frozen = frozen_profile_of_record(record)
    opened = PartidaOpened("a table", 1, frozen.options, frozen.hash)
    state = fold([opened, *record.partidas[0].acts])
    earlier, newest = read_under(EARLIER_LAW, state), read_under(LAW, state)
    for entry, (one, refusal), (other, today) in zip(
        state.standing_acts, earlier, newest, strict=True
    ):
        assert of_the_cards(one.deal) == of_the_cards(other.deal), entry
        assert refusal == today, entry
