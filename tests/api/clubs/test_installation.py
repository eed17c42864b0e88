"""Many clubs in one server: each by itself, whatever becomes of the others and of the processes."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from api.server.backup import InService, restore_backup, write_backup
from api.server.clubs.usage import StillInUse, lock_club
from api.server.house import house_facts
from referee.audit.auditor import Auditor
from tests.support.html import Html
from tests.support.installation import Installation, ServedClub
from tests.support.outbox import OPENED, Club, played
from tests.support.read_pages import Reader
from tests.support.waiting import wait_for

NAMES = ("penya", "sota", "tute")
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    server = Installation(tmp_path_factory.mktemp("clubs"), *NAMES, GUINOTE_WORKERS="2")
    server.start()
    yield server
    server.kill_all()


def seen(club: ServedClub) -> list[dict[str, Any]]:
    """Tables that the hall of a club shows."""
    status, hall = club.ask("GET", "/api/v1/public/sala")
    assert status == 200
    return list(hall["tables"])


def await_tables(club: Club, tables: int) -> None:
    """Wait until the hall of a club shows so many."""
    wait_for(lambda: len(seen(club.served)) == tables, "its tables in the hall")


def test_each_club_has_its_own_tables_people_and_token(installation: Installation) -> None:
    clubs = [Club(installation.club(name)) for name in NAMES[:2]]
    tables = [club.encuentro() for club in clubs]
    for club, table in zip(clubs, tables, strict=True):
        club.record(table, *OPENED, *TRICK)
        assert club.log(table)[:3] == ["deal", "pinta", "A1 3O"]
        await_tables(club, 1)
    status, _ = clubs[0].answer("GET", f"/api/v1/encuentros/{tables[1]}/entries")
    assert status == 404
    stranger = {"Authorization": f"Bearer {clubs[1].token}"}
    status, answer = clubs[0].served.ask("GET", "/api/v1/accounts", headers=stranger)
    assert (status, answer.get("code")) != (200, None)
    assert seen(installation.club("tute")) == []


def test_a_host_of_no_club_is_answered_by_none(installation: Installation) -> None:
    for host in ("nobody.localhost", "penya.example.org", "..", "penya.localhost.x"):
        answer, content = Reader(installation).get("/", Host=host)
        assert (answer.status, Html(content.decode()).count("form")) == (421, 0)
    assert installation.ask("GET", "/readyz")[0] == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("penya.localhost", 200),
        ("localhost", 200),
        ("club.example", 200),
        ("nobody.localhost", 404),
        ("penya.localhost.example", 404),
        ("", 404),
    ],
)
def test_a_proxy_is_told_which_names_may_have_a_certificate(
    installation: Installation, asked: str, status: int
) -> None:
    installation.clubs.assign_host("penya", "club.example")
    connection = installation.connection()
    connection.request("GET", f"/tls/ask?domain={asked}", headers={"Host": "127.0.0.1:8000"})
    assert connection.getresponse().status == status


def test_a_host_of_its_own_leads_to_a_club(installation: Installation) -> None:
    installation.clubs.assign_host("tute", "Tute.Example")
    status, answer = installation.ask(
        "GET", "/api/v1/public/sala", headers={"Host": "tute.example:80"}
    )
    assert (status, answer["tables"]) == (200, [])


def test_a_shut_club_is_closed_everywhere_and_opens_again(installation: Installation) -> None:
    club = Club(installation.club("tute"))
    table = club.encuentro()
    installation.clubs.shut("tute")
    status, _ = installation.club("tute").page("/api/v1/public/sala")
    assert status == 503
    wait_for(lambda: not installation.who_has("tute"), "no file of it is open")
    installation.clubs.reopen("tute")
    club.record(table, *OPENED)
    await_tables(club, 1)


def test_the_notary_signs_each_club_with_a_key_of_its_own(installation: Installation) -> None:
    keys = set[str]()
    for name in NAMES[:2]:
        where = installation.clubs.files(name)
        file = where.folder / "log.vkey"
        wait_for(file.exists, f"{name} is signed")
        keys.add(file.read_text("ascii").split("+")[-1])
        with closing(Auditor(where.log, where.folder)) as auditor:
            assert auditor.require_latest_checkpoint().size > 0
    assert len(keys) == 2


@pytest.mark.parametrize(
    "killed", ["api.server.clubs.projector", "api.server.clubs.notary", "worker"]
)
def test_whatever_process_is_killed_no_act_is_lost_and_the_hall_goes_on(
    installation: Installation, killed: str
) -> None:
    club = Club(installation.club("penya"))
    table = club.encuentro()
    before = len(seen(club.served))
    beside = installation.beside("api.server.clubs")
    found = (
        installation.beside(killed)
        or [one for one in installation.children() if one not in beside][:1]
    )
    os.kill(found[0], signal.SIGKILL)
    club.record(table, *OPENED, *TRICK)
    assert len(club.log(table)) == 6
    other = club.encuentro()
    club.record(other, *OPENED)
    wait_for(lambda: len(seen(club.served)) > before, "the new table in the hall")


def test_a_notary_that_was_killed_has_a_successor(installation: Installation) -> None:
    for pid in installation.beside("api.server.clubs.notary"):
        os.kill(pid, signal.SIGKILL)
    club, where = Club(installation.club("penya")), installation.clubs.files("penya")
    club.record(club.encuentro(), *OPENED)
    with closing(Auditor(where.log, where.folder)) as auditor:
        wait_for(
            lambda: auditor.require_latest_checkpoint().size == house_facts(where).events,
            "all is signed",
        )


def test_a_backup_is_not_put_under_a_club_that_is_open(
    installation: Installation, tmp_path: Path
) -> None:
    club, where = Club(installation.club("tute")), installation.clubs.files("tute")
    table = club.encuentro()
    write_backup(where, tmp_path / "copy.guinote")
    club.record(table, *OPENED)
    with pytest.raises(InService):
        restore_backup(tmp_path / "copy.guinote", where, force=True)
    assert len(club.log(table)) == 2


def test_who_reads_slowly_keeps_no_files_of_a_club_that_opens_again(
    installation: Installation,
) -> None:
    club = Club(installation.club("tute"))
    table = club.encuentro()
    with socket.create_connection(("127.0.0.1", installation.port)) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: tute.localhost\r\n\r\n"
        slow.sendall(asked * 8)
        time.sleep(2)  # what fits into the buffers on the way is there: a thread waits
        installation.clubs.shut("tute")
        wait_for(lambda: club.served.page("/sala/")[0] == 503, "it is shut")
        with pytest.raises(StillInUse), lock_club(where_of(installation, "tute"), 3.0):
            pass
    with lock_club(where_of(installation, "tute"), 30.0):
        pass
    installation.clubs.reopen("tute")
    club.record(table, *OPENED)
    assert len(club.log(table)) == 2


def where_of(installation: Installation, name: str) -> Path:
    """The data folder of a club."""
    return installation.clubs.data_folder(name)


def test_a_damaged_club_answers_so_and_the_others_go_on(installation: Installation) -> None:
    installation.clubs.shut("sota")
    folder = installation.clubs.data_folder("sota")
    wait_for(lambda: not installation.who_has("sota"), "no file of it is open")
    log = folder / "log.sqlite"
    whole = log.read_bytes()
    for end in ("-wal", "-shm"):
        (folder / f"log.sqlite{end}").unlink(missing_ok=True)
    log.write_bytes(b"\0" * len(whole))
    installation.clubs.reopen("sota")
    status, answer = installation.club("sota").page("/api/v1/public/sala")
    assert status == 503, answer
    club = Club(installation.club("penya"))
    table = club.encuentro()
    club.record(table, *OPENED)
    log.write_bytes(whole)
