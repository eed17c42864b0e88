"""Names keep the same promises in a file and in PostgreSQL, and on every computer of a house."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.log.ports import Address
from referee.people.master_key import GivenKey, KeyFile, MasterKey
from referee.people.persons import KeyMissing, Persons, WrongKey

ACTS = st.lists(
    st.tuples(st.sampled_from(["person", "text", "rename", "erase", "discard"]), st.integers(0, 9)),
    max_size=25,
)


@pytest.fixture
def key(tmp_path: Path) -> MasterKey:
    return KeyFile(tmp_path / "persons.key")


@pytest.fixture
def persons(address: Address, key: MasterKey) -> Iterator[Persons]:
    with closing(opened(address, key)) as found:
        yield found


def opened(address: Address, key: MasterKey) -> Persons:
    return Persons(address, random=secrets.token_bytes, key=key)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=ACTS)
def test_any_history_is_read_at_another_computer_as_it_was_written(
    address: Address, key: MasterKey, persons: Persons, acts: list[tuple[str, int]]
) -> None:
    kept: dict[str, str] = {}
    erased: set[str] = set()
    with closing(opened(address, key)) as elsewhere:
        for at, (act, number) in enumerate(acts):
            one = sorted(kept)[number % len(kept)] if kept else ""
            if act == "person":
                kept[persons.add_person(f"Ana {at}")] = f"Ana {at}"
            elif act == "text":
                kept[persons.add_text(f"nota {at} 5%?")] = f"nota {at} 5%?"
            elif act == "rename" and persons.rename(one, f"Blas {at}"):
                kept[one] = f"Blas {at}"
            elif act == "erase" and persons.erase(one):
                erased.add(one)
                del kept[one]
            elif act == "discard" and persons.discard(one):
                del kept[one]
        ids = [*kept, *erased]
        read = {**elsewhere.texts_by_id(ids)}
        read |= {one: name for one, name in elsewhere.names_of(ids).items() if name is not None}
        assert read == {**dict.fromkeys(erased), **kept}
        assert set(elsewhere.erasures_with_soundness()) >= erased


def test_who_is_erased_at_one_computer_is_erased_at_the_other_at_once(
    address: Address, key: MasterKey, persons: Persons
) -> None:
    with closing(opened(address, key)) as elsewhere:
        ana = persons.add_person("Ana")
        assert elsewhere.name(ana) == "Ana"
        assert persons.erase(ana)
        assert (
            elsewhere.name(ana),
            elsewhere.person_ids(),
            elsewhere.erasures_with_soundness(),
        ) == (*(None, [], {ana: True}),)


def test_more_names_than_one_statement_asks_for_are_found(persons: Persons) -> None:
    names = [f"Ana {number}" for number in range(601)]
    ids = persons.add_persons(names)
    assert list(persons.names_of(ids).values()) == names
    assert dict(persons.ids_and_soundness("persons")) == dict.fromkeys(ids, True)
    assert dict(persons.ids_and_names()) == dict(zip(ids, names, strict=True))


def test_computers_that_start_at_once_make_one_store(address: Address, tmp_path: Path) -> None:
    key = GivenKey("GUINOTE_PERSONS_SECRET", secrets.token_hex(32))
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: opened(address, key), range(4)))
    ana = together[0].add_person("Ana")
    assert [one.name(ana) for one in together] == ["Ana"] * 4
    for one in together:
        one.close()


@pytest.mark.parametrize("text", ["", "cafe", "g" * 64, "00" * 31])
def test_a_variable_without_a_key_in_it_is_refused_by_its_name(address: Address, text: str) -> None:
    with pytest.raises(WrongKey, match=r"GUINOTE_PERSONS_SECRET holds no key: 64 hexadecimal"):
        opened(address, GivenKey("GUINOTE_PERSONS_SECRET", text))


def test_a_computer_with_another_key_or_none_is_refused(
    address: Address, persons: Persons, tmp_path: Path
) -> None:
    ana = persons.add_person("Ana")
    with pytest.raises(WrongKey, match="GUINOTE_PERSONS_SECRET is not the key of these names"):
        opened(address, GivenKey("GUINOTE_PERSONS_SECRET", "00" * 32))
    elsewhere = KeyFile(tmp_path / "elsewhere.key")
    with pytest.raises(KeyMissing, match=r"elsewhere\.key is not there"):
        opened(address, elsewhere)
    assert not elsewhere.path.exists()
    elsewhere.path.write_text("00" * 32)
    elsewhere.path.chmod(0o600)
    with pytest.raises(WrongKey, match=r"elsewhere\.key is not the key of these names"):
        opened(address, elsewhere)
    assert persons.name(ana) == "Ana"
