"""A house knows itself: what does not belong together is refused, and both are named."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server import wiring
from api.server.data_folder import Files
from api.server.faults.exits import WrongHouse
from api.server.house import assert_one_house, house_facts
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.events import TimeZoneChosen
from referee.log.stores import open_for_audit
from tests.support.servers.one_log import META, new_log
from tests.support.servers.own_postgres import Server


def settled(folder: Path, elsewhere: str = "") -> Files:
    """A house with its first events, whose parts have noted it and whose views have read it."""
    folder.mkdir(0o700)
    where = Files(folder, elsewhere)
    wiring.initialise_house(where)
    with closing(wiring.open_persons(where)) as persons:
        persons.add_person("Ana")
    follow(where)
    return where


def follow(where: Files) -> None:
    with closing(LogReader(where.log)) as log, closing(wiring.open_views(where)) as views:
        Runner(log, views).rebuild()


def sign(where: Files, zones: list[str]) -> int:
    """Record choices, and sign and publish the log; returns how many events were signed."""
    with closing(wiring.open_referee(where)) as referee:
        for zone in zones:
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)
    keys = where.folder.with_name(f"keys-{len(zones)}")
    with (
        closing(Notary(keys, secrets.token_bytes)) as notary,
        closing(open_for_audit(where.log)) as log,
    ):
        assert notary.sign(log)
        notary.publish(Published(where.log, where.folder))
        return log.tree().size


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["--data", str(folder), *words], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_a_new_house_has_its_id_in_every_part_from_the_first_start_on(tmp_path: Path) -> None:
    found = house_facts(settled(tmp_path / "club"))
    assert len(found.house) == 32
    assert {part.house for part in found.parts} == {found.house}
    assert (found.events, found.viewed) == (1, 1)
    wiring.initialise_house(Files(tmp_path / "club"))
    assert house_facts(Files(tmp_path / "club")) == found


def test_a_house_of_before_adopts_the_id_of_its_first_event(tmp_path: Path) -> None:
    where = Files(tmp_path)
    new_log(where.log).close()
    wiring.open_persons(where).close()
    before = house_facts(where)
    wiring.initialise_house(where)
    after = house_facts(where)
    assert (before.house, before.events) == (after.house, after.events)
    assert ({part.house for part in before.parts}, {part.house for part in after.parts}) == (
        *({""}, {after.house}),
    )


@pytest.mark.parametrize("left", ["persons.sqlite", "access.sqlite", "views.sqlite"])
def test_an_empty_log_beside_a_part_of_a_full_house_is_refused(tmp_path: Path, left: str) -> None:
    house = house_facts(settled(tmp_path / "club")).house
    for file in (tmp_path / "club").iterdir():
        if not file.name.startswith((left, "persons.key")):
            file.unlink()
    with pytest.raises(WrongHouse) as refused:
        assert_one_house(Files(tmp_path / "club"))
    assert all(word in str(refused.value) for word in (house, left, "log.sqlite", "GUINOTE_LOG"))


def test_the_log_of_another_house_is_refused_and_both_are_named(tmp_path: Path) -> None:
    ours, other = settled(tmp_path / "ours"), settled(tmp_path / "other")
    houses = [house_facts(one).house for one in (ours, other)]
    assert houses[0] != houses[1]
    shutil.copy(other.log, ours.log)
    with pytest.raises(WrongHouse) as refused:
        wiring.open_referee(ours)
    assert all(one in str(refused.value) for one in houses)
    code, out, err = run(ours.folder, "settings")
    assert (code, out) == (os.EX_CONFIG, "")
    assert all(one in err for one in houses)


def test_a_forgotten_address_of_the_log_does_not_open_an_empty_club(
    tmp_path: Path, postgres: Server
) -> None:
    where = settled(tmp_path / "club", postgres.new_address())
    assert_one_house(where)
    files = set((tmp_path / "club").iterdir())
    command = [sys.executable, "-m", "api.cli", "--data", str(where.folder), "serve"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == os.EX_CONFIG
    assert len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in ("views.sqlite", "GUINOTE_LOG"))
    assert set((tmp_path / "club").iterdir()) - files <= {where.folder / "hosts.checked"}


def test_a_database_with_the_names_of_another_folder_is_refused(
    tmp_path: Path, postgres: Server
) -> None:
    address = postgres.new_address()
    house = house_facts(settled(tmp_path / "first", address)).house
    other = settled(tmp_path / "second")
    (other.folder / "views.sqlite").unlink()
    with pytest.raises(WrongHouse) as refused:
        assert_one_house(Files(other.folder, address))
    assert all(one in str(refused.value) for one in (house, house_facts(other).house))


def test_names_of_before_are_taken_over_into_the_database_of_their_log_once(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    address = postgres.new_address()
    with closing(wiring.open_persons(Files(tmp_path))) as persons:
        ana = persons.add_person("Ana")
    new_log(address).close()
    where = Files(tmp_path, address)
    wiring.initialise_house(where)
    assert "persons.sqlite.moved" in capsys.readouterr().err
    for _ in range(2):
        with closing(wiring.open_persons(where)) as persons:
            assert persons.name(ana) == "Ana"
    assert not (tmp_path / "persons.sqlite").exists()
    assert capsys.readouterr().err == ""


def with_older_log(tmp_path: Path) -> tuple[Files, int]:
    """A house whose log is a copy of before it was signed, and the events that were signed."""
    where = settled(tmp_path / "club")
    shutil.copy(where.log, tmp_path / "older.sqlite")
    signed = sign(where, ["Atlantic/Canary", "Europe/Paris"])
    shutil.copy(tmp_path / "older.sqlite", where.log)
    for journal in where.folder.glob("log.sqlite-*"):
        journal.unlink()
    return where, signed


def test_an_older_copy_of_the_log_passes_only_after_it_was_recorded(tmp_path: Path) -> None:
    where, signed = with_older_log(tmp_path)
    with pytest.raises(WrongHouse, match=r"older copy.*guinote house --restored"):
        assert_one_house(where)
    code, _, err = run(where.folder, "house")
    assert (code, "older copy" in err) == (1, True)
    code, out, _ = run(where.folder, "house", "--restored")
    assert (code, json.loads(out)["given_up"]) == (0, signed)
    assert_one_house(where)
    assert run(where.folder, "verify")[0] == 0
    assert run(where.folder, "house", "--restored")[0] == 1
    sign(where, ["Atlantic/Canary"] * 3)
    assert_one_house(where)


@pytest.mark.parametrize("more", [0, 4])
def test_the_log_of_another_house_beside_a_checkpoint_is_refused(tmp_path: Path, more: int) -> None:
    """Nothing else tells: both are in a folder where no part has noted its house yet."""
    ours, other = settled(tmp_path / "ours"), settled(tmp_path / "other")
    signed = sign(ours, ["Atlantic/Canary", "Europe/Paris"])
    zones = ["Atlantic/Canary", "Europe/Paris"] * 3
    with closing(wiring.open_referee(other)) as referee:
        for zone in zones[: signed - 1 + more]:
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)
    assert_one_house(other)
    shutil.copy(ours.folder / "log.checkpoint", other.folder)
    origin = (ours.folder / "log.checkpoint").read_text("utf-8").split("\n")[0]
    command = [sys.executable, "-m", "api.cli", "--data", str(other.folder), "serve"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == os.EX_CONFIG
    assert len(done.stderr.splitlines()) == 1
    named = (house_facts(other).house, "log.sqlite", "log.checkpoint", origin, "--restored")
    assert [word for word in named if word not in done.stderr] == []
    shutil.copy(ours.log, other.log)
    with pytest.raises(WrongHouse, match=house_facts(ours).house):  # now it is of the others
        assert_one_house(other)


def test_an_older_copy_that_went_on_passes_only_after_it_was_recorded(tmp_path: Path) -> None:
    where, signed = with_older_log(tmp_path)
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        for zone in ("Europe/Paris", "Atlantic/Canary", "Europe/Paris"):
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)
    assert house_facts(where).events > signed
    with pytest.raises(WrongHouse, match=r"guinote verify.*guinote house --restored"):
        assert_one_house(where)
    code, out, _ = run(where.folder, "house", "--restored")
    assert (code, json.loads(out)["given_up"]) == (0, signed)
    assert_one_house(where)
    assert run(where.folder, "house", "--restored")[0] == 1
    follow(where)
    assert house_facts(where).viewed == house_facts(where).events
    sign(where, ["Atlantic/Canary"] * 3)
    assert_one_house(where)


def test_a_checkpoint_is_of_the_log_that_went_on_after_it(tmp_path: Path) -> None:
    where = settled(tmp_path / "club")
    with closing(wiring.open_referee(where)) as referee:
        for zone in ("Europe/Paris", "Atlantic/Canary") * 6:
            referee.settings.record_settings_acts([TimeZoneChosen(zone)], META)
            sign(where, [])
            note = (where.folder / "log.checkpoint").read_text("utf-8")
            for late in ("Atlantic/Azores", "Europe/Paris"):
                referee.settings.record_settings_acts([TimeZoneChosen(late)], META)
                (where.folder / "log.checkpoint").write_text(note, "utf-8")
                assert_one_house(where)


def test_a_checkpoint_beside_no_log_is_refused(tmp_path: Path) -> None:
    where = settled(tmp_path / "club")
    sign(where, ["Europe/Paris"])
    (tmp_path / "empty").mkdir(0o700)
    shutil.copy(where.folder / "log.checkpoint", tmp_path / "empty")
    with pytest.raises(WrongHouse, match=r"no event.*log\.checkpoint.*GUINOTE_LOG"):
        assert_one_house(Files(tmp_path / "empty"))


def test_two_folders_over_one_database_have_one_token_of_the_owner(
    tmp_path: Path, postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    first = settled(tmp_path / "first", postgres.new_address())
    second = Files(tmp_path / "second", first.elsewhere)
    second.folder.mkdir(0o700)
    shutil.copy(first.folder / "persons.key", second.folder)
    wiring.initialise_house(second)
    assert (capsys.readouterr().err, (second.folder / "owner.token").exists()) == ("", False)
    (second.folder / "owner.token").write_text("of before, made by itself\n", "ascii")
    wiring.initialise_house(second)
    assert "guinote token rotate" in capsys.readouterr().err
    token = (first.folder / "owner.token").read_text("ascii").strip()
    with closing(wiring.open_accounts(second)) as keys:
        owner, here = (
            wiring.owner_token_of(second, lambda: keys),
            wiring.owner_token_of(first, lambda: keys),
        )
        asked = [here.token(), *(owner.knows(one) for one in (token, "of before, made by itself"))]
        assert asked == [token, True, False]
        mark = here.mark()
        made = owner.rotate()
        assert [here.knows(one) for one in (made, token, "")] == [True, False, False]
        assert (here.is_mark_current(mark), here.mark() == owner.mark()) == (False, True)
        with keys.tables.transaction() as db:  # whoever writes the tables cannot choose a token
            db.execute("UPDATE owner_token SET hash = ?", (hashlib.sha256(b"ours").digest(),))
        assert not owner.knows("ours")


def test_an_empty_file_of_the_token_opens_nothing_in_a_database_either(
    tmp_path: Path, postgres: Server
) -> None:
    where = Files(tmp_path, postgres.new_address())
    (tmp_path / "owner.token").write_text("")
    wiring.initialise_house(where)
    with closing(wiring.open_accounts(where)) as keys:
        assert not wiring.owner_token_of(where, lambda: keys).knows("")
