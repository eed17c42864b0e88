"""Verdicts of every published edition of the six profiles are what they were."""

from __future__ import annotations

from itertools import product

import pytest

from referee.events import CanteAnnounced
from referee.record import parse_record
from referee.rules.profile.options import EDITIONS
from referee.rules.profile.profile import profiles
from tests.referee.editions.verdicts import EACH, EVERY, blocks, said_in, written

TABLES = [(one.id, *table) for one in profiles() for table in product(one.players, one.decks)]
FEWEST = 5


@pytest.mark.parametrize("table", TABLES, ids=lambda table: " ".join(map(str, table)))
def test_no_verdict_of_a_published_edition_has_changed(table):
    """Where a change is meant, the command in the file writes it again."""
    stored = {record: block for record, block in blocks() if record[:3] == table}
    assert len(stored) >= FEWEST
    assert written(stored) == written(stored, list(stored.values()))


def test_the_records_have_every_answer_and_editions_that_differ():
    said = [lines for _, block in blocks() for lines in said_in(block).items()]
    words = {word for _, text in said for one in text.split(EACH) for word in one.split()}
    assert {"lawful", "unlawful", "open", "claim", "by"} <= words
    assert {name for name, _ in said} == {EVERY, *EDITIONS}


def test_editions_differ_in_cantes_and_in_points():
    for record, block in blocks():
        acts = parse_record(record.text).partidas[0].acts
        for name, text in said_in(block).items():
            lines = [one.removeprefix("% ").split()[0] for one in text.split(EACH)]
            about = [acts[int(line) - 1] for line in lines if line.isdigit()]
            assert name == EVERY or all(isinstance(act, CanteAnnounced) for act in about), block
