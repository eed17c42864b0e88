"""The second factor: codes of an authenticator, and codes for recovery, each good once."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pyotp
import pytest

from referee.access.second_factor import PROPOSED_S, RECOVERY_CODES, WAITING_S, SecondFactors
from referee.access.tables import AccessTables
from referee.log.ports import Address
from referee.people.master_key import Seal


class House:
    """Tables with second factors, and their clock."""

    def __init__(self, address: Address) -> None:
        self.now = 1_800_000_000.0
        self.tables = AccessTables(address)
        self.factors = self.sealed_by(bytes(32))

    def sealed_by(self, key: bytes) -> SecondFactors:
        seal = Seal(key, secrets.token_bytes)
        return SecondFactors(self.tables, lambda: seal, lambda: self.now, secrets.token_bytes)

    def code(self, secret: str, later_s: float = 0.0) -> str:
        return pyotp.TOTP(secret).at(int(self.now + later_s))

    def set_up(self, holder: str = "ana") -> tuple[str, list[str]]:
        secret = self.factors.propose(holder)
        codes = self.factors.confirm(holder, self.code(secret))
        assert codes is not None
        return secret, codes


@pytest.fixture
def house(address: Address) -> Iterator[House]:
    made = House(address)
    with closing(made.tables):
        yield made


def test_a_secret_counts_once_its_first_code_was_typed(house: House) -> None:
    secret = house.factors.propose("ana")
    assert house.factors.holders() == frozenset()
    assert house.factors.proposal("ana") == secret
    assert house.factors.confirm("ana", "000000") is None
    assert house.factors.confirm("blas", house.code(secret)) is None
    codes = house.factors.confirm("ana", house.code(secret))
    assert codes is not None
    assert len(set(codes)) == RECOVERY_CODES
    assert house.factors.holders() == {"ana"}
    assert house.factors.proposal("ana") is None


def test_a_proposed_secret_is_worth_nothing_when_it_is_old(house: House) -> None:
    secret = house.factors.propose("ana")
    house.now += PROPOSED_S + 1
    assert house.factors.confirm("ana", house.code(secret)) is None


def test_a_code_is_good_once_and_so_is_every_earlier_one(house: House) -> None:
    secret, _ = house.set_up()
    assert not house.factors.use_code("ana", house.code(secret))  # it was used to set it up
    assert house.factors.use_code("ana", house.code(secret, 30))
    assert not house.factors.use_code("ana", house.code(secret, 30))
    house.now += 30
    assert not house.factors.use_code("ana", house.code(secret))
    house.now += 30
    assert house.factors.use_code("ana", f" {house.code(secret)[:3]} {house.code(secret)[3:]}")


def test_of_many_who_show_one_code_at_once_one_gets_in(house: House) -> None:
    secret, codes = house.set_up()
    for code in (house.code(secret, 30), codes[0]):
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(house.factors.use_code, ["ana"] * 16, [code] * 16))
        assert answers.count(True) == 1


def test_a_code_is_good_for_a_step_before_and_after(house: House) -> None:
    secret, _ = house.set_up()
    house.now += 600
    for off in (-60, 60):
        assert not house.factors.use_code("ana", house.code(secret, off))
    for off in (-30, 0, 30):
        assert house.factors.use_code("ana", house.code(secret, off))


def test_codes_are_those_of_the_published_method(house: House) -> None:
    """RFC 6238, appendix B: the last six digits of its table for SHA-1."""
    house.now = 1_111_111_109.0
    seal, seeds = Seal(bytes(32), secrets.token_bytes), iter([b"12345678901234567890"])
    factors = SecondFactors(
        house.tables,
        lambda: seal,
        lambda: house.now,
        lambda n: next(seeds, secrets.token_bytes(n)),
    )
    factors.propose("ana")
    assert factors.confirm("ana", "081804")
    house.now = 2_000_000_000.0
    assert factors.use_code("ana", "279037")


def test_a_code_for_recovery_is_good_once_for_its_account(house: House) -> None:
    _, codes = house.set_up()
    _, others = house.set_up("blas")
    assert not house.factors.use_code("ana", others[0])
    assert house.factors.use_code("ana", codes[3].lower().replace("-", " "))
    assert not house.factors.use_code("ana", codes[3])
    assert house.factors.recovery_codes_left("ana") == RECOVERY_CODES - 1
    house.factors.new_recovery_codes("ana")
    assert not house.factors.use_code("ana", codes[4])
    assert house.factors.recovery_codes_left("ana") == RECOVERY_CODES


def test_another_phone_replaces_the_first_only_when_it_works(house: House) -> None:
    first, _ = house.set_up()
    second = house.factors.propose("ana")
    house.now += 60
    assert house.factors.use_code("ana", house.code(first))
    assert house.factors.confirm("ana", house.code(second))
    house.now += 60
    assert not house.factors.use_code("ana", house.code(first))
    assert house.factors.use_code("ana", house.code(second))


def test_what_was_taken_off_takes_no_code(house: House) -> None:
    secret, codes = house.set_up()
    assert house.factors.remove("ana")
    assert not house.factors.remove("ana")
    house.now += 60
    assert not house.factors.use_code("ana", house.code(secret))
    assert not house.factors.use_code("ana", codes[0])


def test_a_sign_in_waits_for_its_code_for_five_minutes(house: House) -> None:
    token = house.factors.begin_sign_in("ana")
    assert house.factors.waiting_account(token) == "ana"
    assert house.factors.waiting_account("another") is None
    house.factors.forget_waiting_sign_in(token)
    assert house.factors.waiting_account(token) is None
    token = house.factors.begin_sign_in("ana")
    house.now += WAITING_S + 1
    assert house.factors.waiting_account(token) is None


def test_neither_secret_nor_codes_are_in_the_file(tmp_path: Path) -> None:
    house = House(tmp_path / "access.sqlite")
    secret, codes = house.set_up()
    token = house.factors.begin_sign_in("ana")
    house.tables.close()
    content = b"".join(one.read_bytes() for one in tmp_path.glob("access.sqlite*"))
    assert b"waiting" in content
    for hidden in (secret, token, *codes, *(code.replace("-", "") for code in codes)):
        assert hidden.encode() not in content


def test_without_its_key_and_in_another_row_a_secret_is_worth_nothing(house: House) -> None:
    secret, codes = house.set_up()
    house.set_up("blas")
    house.now += 60
    other_house = house.sealed_by(bytes(31) + b"1")
    assert not other_house.use_code("ana", house.code(secret))
    assert other_house.use_code("ana", codes[0])  # recovery needs no key
    with house.tables.transaction() as db:
        row = db.execute("SELECT wrapped, sealed FROM factor WHERE holder = 'ana'").fetchone()
        db.execute("UPDATE factor SET wrapped = ?, sealed = ? WHERE holder = 'blas'", row)
    assert not house.factors.use_code("blas", house.code(secret))


def test_a_first_code_sent_twice_at_once_leaves_the_second_factor_on(house: House) -> None:
    secret = house.factors.propose("ana")
    code, sealed = house.code(secret), Seal(bytes(32), secrets.token_bytes)
    answers: list[list[str] | None] = []

    def seal() -> Seal:  # opened after the secret was read: the other form comes in between
        answers.append(house.factors.confirm("ana", code))
        return sealed

    late = SecondFactors(house.tables, seal, lambda: house.now, secrets.token_bytes)
    assert late.confirm("ana", code) is None
    assert answers[0] is not None
    assert house.factors.holders() == {"ana"}
    assert house.factors.use_code("ana", house.code(secret, 30.0))
