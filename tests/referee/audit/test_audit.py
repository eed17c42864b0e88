"""The audit trail: who, what, when, and what amended it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from projections.audit_trail import trail_page
from referee.aggregates.commands import Amend, Record
from referee.application import Referee
from referee.events import Change, IncidentNoted, LogAmended, ResultEntered
from tests.support.servers.one_log import META, PARTIDA
from tests.support.servers.read_side import Side, referee, side

__all__ = ["referee", "side"]  # fixtures


def test_the_trail_says_who_what_when_and_what_amended_it(
    referee: Referee, side: Callable[..., Side]
) -> None:
    referee.encuentros.record_partida_acts(PARTIDA, [Record(ResultEntered("A"))], META)
    replaced = Change(2, "replace", ResultEntered("B"))
    inserted = Change(1, "insert", IncidentNoted("talk", "B1"))
    referee.encuentros.record_partida_acts(PARTIDA, [Amend((replaced, inserted))], META)
    referee.encuentros.record_partida_acts(
        PARTIDA, [Amend((Change(2, "replace", ResultEntered("A")),))], META
    )
    one = side(batch=1)
    one.catch_up()
    with one.views.reading() as cursor:
        entries = trail_page(referee.rows_of_stream, cursor, PARTIDA)
        page = trail_page(referee.rows_of_stream, cursor, PARTIDA, after=1, limit=2)
    assert page == entries[1:3]
    history = referee.history(PARTIDA)
    assert [(e.version, e.line, e.at, e.by, e.device) for e in entries] == [
        (r.originator_version, r.line, r.at, r.by, r.device) for r in history
    ]
    amended = {e.line: e.amended_by for e in entries if e.amended_by}
    assert amended == {2: (3, 4)}
    change = next(e for e in entries if e.name == "LogAmended.1")
    assert msgspec.json.decode(change.fact, type=LogAmended).changes == (replaced, inserted)


def test_a_trail_goes_no_further_than_the_views(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    one.catch_up()
    stood = one.views.position()
    referee.encuentros.record_partida_acts(PARTIDA, [Record(ResultEntered("A"))], META)
    with one.views.reading() as cursor:
        before = trail_page(referee.rows_of_stream, cursor, PARTIDA)
    assert before
    assert all(entry.position <= stood for entry in before)
    one.catch_up()
    with one.views.reading() as cursor:
        entries = trail_page(referee.rows_of_stream, cursor, PARTIDA)
    assert entries[: len(before)] == before
    assert entries[len(before)].name == "ResultEntered.1"
    assert all(entry.position > stood for entry in entries[len(before) :])
