"""Private addresses of an evening: worth something for one table of it, until it is renewed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.access.addresses import LENGTH, Addresses, parse_private_address
from referee.aggregates.session import (
    AddressSubject,
    Session,
    SessionTable,
    address_subjects,
    decide,
    evolve,
    latest_table_of_subject,
)
from referee.errors import Refused
from referee.events import AddressRenewed, DrawnTable, TablesDrawn
from referee.rules.articles import Rule

EVENING, OTHER = "1" * 32, "2" * 32
DRAWN = TablesDrawn("hand", tuple(DrawnTable(n, (("a",), ("b",))) for n in (1, 2)))
STATE = Session(
    draws=(DRAWN,),
    pairs={"p": ("a", "b")},
    tables=(SessionTable("e1", 1, ("p", "q")), SessionTable("e2", 2), SessionTable("e3", 1)),
)
KEPT = Addresses(lambda: bytes(32))
FIRST, SECOND = AddressSubject(1), AddressSubject(2)
P, Q = AddressSubject(pair="p"), AddressSubject(pair="q")


def test_every_table_and_pair_has_an_address_of_its_own() -> None:
    assert address_subjects(STATE) == (FIRST, SECOND, P, Q)
    found = {
        KEPT.secret_address_of_table_or_pair(EVENING, STATE, one): one
        for one in address_subjects(STATE)
    }
    assert len(found) == 4
    for text, subject in found.items():
        given = parse_private_address(text)
        assert given is not None
        assert (len(text), given.owner_id) == (LENGTH, EVENING)
        assert KEPT.find_table_or_pair(given, STATE) == subject


def test_an_address_is_of_one_evening_one_key_and_one_generation() -> None:
    text = KEPT.secret_address_of_table_or_pair(EVENING, STATE, FIRST)
    given = parse_private_address(text)
    assert given is not None
    assert KEPT.find_table_or_pair(given._replace(owner_id=OTHER), STATE) is None
    assert Addresses(lambda: bytes([1]) * 32).find_table_or_pair(given, STATE) is None
    renewed = replace(STATE, renewed={FIRST: 1})
    assert KEPT.find_table_or_pair(given, renewed) is None
    assert KEPT.secret_address_of_table_or_pair(EVENING, renewed, FIRST) != text
    assert KEPT.secret_address_of_table_or_pair(
        EVENING, renewed, SECOND
    ) == KEPT.secret_address_of_table_or_pair(EVENING, STATE, SECOND)


def test_what_is_no_address_is_read_as_none() -> None:
    text = KEPT.secret_address_of_table_or_pair(EVENING, STATE, FIRST)
    for wrong in ("", "x", text[:-1], text + "A", text[:-1] + "é", "/" * LENGTH, text + "=="):
        assert parse_private_address(wrong) is None, wrong


def test_only_what_has_an_address_gets_another_one() -> None:
    for act in (
        AddressRenewed(9),
        AddressRenewed(pair="x"),
        AddressRenewed(1, "p"),
        AddressRenewed(),
    ):
        with pytest.raises(Refused) as refused:
            decide(act, STATE)
        assert refused.value.rule == Rule.NO_SUCH_ADDRESS
    after = STATE
    for _ in range(2):
        (event,) = decide(AddressRenewed(1), after)
        after = evolve(after, event)
    assert (after.renewed, after.version) == ({FIRST: 2}, 2)


def test_a_subject_is_at_the_table_that_was_opened_last() -> None:
    assert latest_table_of_subject(STATE, FIRST) == STATE.tables[2]
    assert latest_table_of_subject(STATE, Q) == STATE.tables[0]
    assert latest_table_of_subject(STATE, AddressSubject(3)) is None


def test_an_address_that_was_printed_by_an_earlier_version_is_valid() -> None:
    printed = {
        FIRST: "EREREREREREREREREREREek3Z3WozpimOf7HLQ",
        P: "EREREREREREREREREREREWmwJB9J0R3btzre-w",
    }
    assert {
        one: KEPT.secret_address_of_table_or_pair(EVENING, STATE, one) for one in printed
    } == printed
