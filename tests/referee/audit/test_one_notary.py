"""One notary signs a log: it holds the lock of the log, and the log names its key."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from referee.audit.auditor import Auditor, TrustedNotes, audit_log_from_start
from referee.audit.checkpoint import read_key, verify_checkpoint
from referee.audit.notary import KEY, RETIRED, Notary, NotaryRefusal
from referee.audit.one_notary import OneNotary, house_state_in_log
from referee.audit.publication import Published
from referee.events import TimeZoneChosen
from referee.log.ports import Address
from referee.log.stores import create_tables, is_postgres, open_for_audit
from referee.release import release_as_number
from tests.support.places import ROOT
from tests.support.servers.one_log import META, new_referee
from tests.support.waiting import wait_for


class Computers:
    """Computers over one log, each with a folder of keys; over files they share the data folder."""

    def __init__(self, address: Address, folder: Path, closing: ExitStack) -> None:
        self.address, self.folder, self.closing = address, folder, closing
        self.named = 0
        create_tables(address)

    def data(self, computer: str) -> Path:
        if not is_postgres(self.address):
            return Path(self.address).parent
        there = self.folder / f"data-{computer}"
        there.mkdir(exist_ok=True)
        return there

    def published(self, computer: str) -> Published:
        return self.closing.enter_context(closing(Published(self.address, self.data(computer))))

    def notary(self, computer: str, *, is_new: bool = False) -> OneNotary:
        keys = self.folder / f"keys-{computer}"
        made = OneNotary(
            *(self.address, self.published(computer)),
            *(lambda: Notary(keys, secrets.token_bytes), self._name),
            has_key=(keys / KEY).exists,
            is_new=is_new,
        )
        return self.closing.enter_context(closing(made))

    def _name(self, key: str, *, instead_of: str) -> None:
        self.named += 1
        with closing(new_referee(self.address, 9000 + self.named)) as referee:
            referee.house.name_notary(key, META, instead_of=instead_of)

    def found(self) -> None:
        with closing(new_referee(self.address, 50)) as referee:
            referee.house.record_founding(META)

    def record(self, zone: str) -> None:
        with closing(new_referee(self.address, 100 + len(zone))) as referee:
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)

    def named_key(self) -> str:
        with closing(open_for_audit(self.address)) as log:
            return house_state_in_log(log).notary


@pytest.fixture
def computers(address: Address, tmp_path: Path) -> Iterator[Computers]:
    with ExitStack() as closing:
        made = Computers(address, tmp_path, closing)
        made.found()
        made.record("Europe/Paris")
        yield made


def refused(notary: OneNotary) -> str:
    with pytest.raises(NotaryRefusal) as caught:
        notary.sign_and_publish(None)
    return caught.value.code


def signs(notary: OneNotary) -> bool:
    """Whether it signed: the server frees a lock a moment after its holder has ended."""
    try:
        return notary.sign_and_publish(None) is not None
    except NotaryRefusal as refusal:
        assert refusal.code == "in_use"
        return False


def test_the_log_names_the_key_once_and_the_first_checkpoint_is_over_that(
    computers: Computers,
) -> None:
    first = computers.notary("first")
    note = first.sign_and_publish(None)
    assert note is not None
    assert first.sign_and_publish(None) is None
    shown = computers.published("first").key()
    assert shown is not None
    assert (computers.named_key(), computers.named) == (shown.text.strip(), 1)
    with closing(open_for_audit(computers.address)) as log:
        assert verify_checkpoint(note, read_key(shown.text)).size == log.tree().size == 3
    assert audit_log_from_start(computers.address, TrustedNotes()).wrong == ()


def test_a_log_without_events_names_nobody(address: Address, tmp_path: Path) -> None:
    with ExitStack() as closing:
        computers = Computers(address, tmp_path, closing)
        assert computers.notary("first").sign_and_publish(None) is None
        assert computers.named_key() == ""


def test_a_second_notary_waits_for_the_lock_and_makes_no_key_for_a_log_that_names_one(
    computers: Computers,
) -> None:
    first, second = computers.notary("first"), computers.notary("second")
    assert first.sign_and_publish(None)
    assert refused(second) == "in_use"
    first.close()
    wait_for(lambda: refused(second) == "other_notary", "the lock")
    assert not (computers.folder / "keys-second").exists()


def test_a_key_made_elsewhere_signs_only_on_purpose_and_then_the_first_does_not(
    computers: Computers,
) -> None:
    with closing(Notary(computers.folder / "keys-second", secrets.token_bytes)) as made:
        key = made.key
    with closing(computers.notary("first")) as first:
        assert first.sign_and_publish(None)
    with closing(computers.notary("second")) as second:
        wait_for(lambda: refused(second) == "other_notary", "the lock")
    with closing(computers.notary("second", is_new=True)) as second:
        wait_for(lambda: signs(second), "the lock")
    note = computers.published("first").note()
    assert note is not None
    assert verify_checkpoint(note.text, key).size == 4
    assert computers.named_key() == key.text
    first = computers.notary("first")
    wait_for(lambda: refused(first) == "other_notary", "the lock")


def test_the_same_key_goes_on_after_the_first_has_ended(computers: Computers) -> None:
    first, again = computers.notary("first"), computers.notary("first")
    assert first.sign_and_publish(None)
    assert refused(again) == "in_use"
    first.close()
    computers.record("Atlantic/Canary")
    wait_for(lambda: signs(again), "the lock")
    assert computers.named == 1


def test_a_key_that_a_release_of_before_has_published_is_the_key_of_the_log(
    computers: Computers,
) -> None:
    with closing(Notary(computers.folder / "keys-first", secrets.token_bytes)) as before:
        computers.published("first").put(before.key.text, None)
    assert refused(computers.notary("second")) == "other_notary"


def test_a_log_that_an_earlier_release_can_read_stays_so_until_a_new_key_is_taken(
    address: Address, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        computers = Computers(address, tmp_path, stack)
        computers.record("Europe/Paris")
        with closing(computers.notary("first")) as first:
            assert first.sign_and_publish(None)
        with closing(open_for_audit(address)) as log:
            assert log.log_version() < release_as_number("0.2.0")
        second, new = computers.notary("second"), computers.notary("second", is_new=True)
        wait_for(lambda: refused(second) == "other_notary", "the lock")
        second.close()
        wait_for(lambda: signs(new), "the lock")
        assert computers.named == 1


def test_a_notary_that_was_replaced_is_retired_and_signs_nothing_ever_after(
    computers: Computers,
) -> None:
    first = computers.notary("one")
    first.sign_and_publish(None)
    old = computers.named_key()
    with pytest.raises(NotaryRefusal, match="still_named"):
        first.retire_replaced_notary()
    first.close()
    second = computers.notary("two", is_new=True)
    wait_for(lambda: signs(second), "the lock")
    first = computers.notary("one")
    first.retire_replaced_notary()
    first.close()
    keys = computers.folder / "keys-one"
    assert ((keys / RETIRED).read_text().strip(), (keys / KEY).exists()) == (old, False)
    with pytest.raises(NotaryRefusal, match="retired"):
        Notary(keys, secrets.token_bytes)
    assert computers.named_key() not in ("", old)


def test_why_a_notary_waits_is_believed_for_as_long_as_its_process_lives(tmp_path: Path) -> None:
    published = Published(tmp_path / "log.sqlite", tmp_path)
    waits = (
        "import sys; from pathlib import Path; from referee.audit.publication import Published;"
        "made = Published('log.sqlite', Path(sys.argv[1])); made.put_idle_reason('in_use');"
        "print('noted', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", waits, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"noted\n"
    assert published.idle_reason() == "in_use"
    process.kill()
    process.communicate()
    assert ((tmp_path / "notary.idle").exists(), published.idle_reason()) == (True, "")


def test_what_is_published_can_be_read_by_others_and_nothing_else_whatever_the_umask(
    tmp_path: Path,
) -> None:
    before, log = os.umask(0o077), tmp_path / "log.sqlite"
    try:
        Published(log, tmp_path).put("key", "note")
        assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o644}
        create_tables(log)
        os.umask(0)
        with closing(new_referee(log, 50)) as referee:
            referee.house.record_founding(META)
        with (
            closing(Notary(tmp_path / "keys", secrets.token_bytes)) as notary,
            closing(open_for_audit(log)) as opened,
        ):
            assert notary.sign(opened)
    finally:
        os.umask(before)
    assert {one.stat().st_mode & 0o777 for one in (tmp_path / "keys").iterdir()} == {0o600}


def test_every_computer_is_shown_what_one_has_signed(computers: Computers) -> None:
    note = computers.notary("first").sign_and_publish(None)
    with closing(Auditor(computers.address, computers.data("second"))) as auditor:
        assert auditor.require_checkpoint_text() == note
        assert auditor.require_key_text().strip() == computers.named_key()
        assert auditor.require_latest_checkpoint().size == 3


def test_a_notary_that_lost_its_connection_takes_the_lock_again_or_another_has_it(
    postgres: object, tmp_path: Path
) -> None:
    address = postgres.new_address()  # type: ignore[attr-defined]  # the server of the tests
    with ExitStack() as closing:
        computers = Computers(address, tmp_path, closing)
        computers.record("Europe/Paris")
        first, again = computers.notary("first"), computers.notary("first")
        assert first.sign_and_publish(None)
        _cut(address)
        computers.record("Atlantic/Canary")
        assert first.sign_and_publish(None)
        assert refused(again) == "in_use"
        _cut(address)
        computers.record("Europe/Madrid")
        first.close()
        assert again.sign_and_publish(None), "the server knows that the connection is gone"


def _cut(address: str) -> None:
    """End every connection that holds a lock of a notary."""
    ended = """SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
        WHERE locktype = 'advisory' AND classid = hashtext('guinote notary')::oid"""
    with psycopg.connect(address, autocommit=True) as c:
        assert c.execute(ended).fetchall() == [(True,)]
