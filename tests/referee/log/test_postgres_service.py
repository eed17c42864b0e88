"""A service with its log in PostgreSQL: run, killed, backed up and moved by the same commands."""

from __future__ import annotations

import json
import os
import shutil
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.server.data_folder import Files
from projections.runner.log import LogReader
from referee.kinds import partida_id
from tests.api.http.test_kill import Writer
from tests.support.servers.own_postgres import Server, running
from tests.support.servers.served import ROOT, Served
from tests.support.waiting import wait_for

WRITERS = 4
RECORD = str(ROOT / "tests" / "records" / "observada.guinote")
NAME = "Pilar"


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """A separate server, because it is killed."""
    with running() as one:
        yield one


@pytest.fixture
def served(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Served, str]]:
    address = server.new_address()
    monkeypatch.setenv("GUINOTE_LOG", address)
    found = Served(tmp_path / "data")
    found.start()
    yield found, address
    found.kill_all()


def guinote(data: Path, log: str, *words: str) -> tuple[int, str]:
    """Exit code of a command and what it printed."""
    done = CliRunner().invoke(main, ["--data", str(data), *words], env={"GUINOTE_LOG": log})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout + done.stderr * (done.exit_code != 0)


def wait_for_acts(writers: list[Writer]) -> None:
    """Wait until every writer had two more acts acknowledged; the first may have been under way."""
    before = [writer.acknowledged for writer in writers]
    wait_for(
        lambda: all(
            writer.acknowledged > then + 1 for writer, then in zip(writers, before, strict=True)
        ),
        "two acts of every writer",
    )


def test_a_service_survives_a_database_failure_without_losing_or_repeating_acts(
    served: tuple[Served, str], server: Server, tmp_path: Path
) -> None:
    service, address = served
    stop = threading.Event()
    writers = [Writer(service, stop) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    for end in (server.kill, server.stop):
        wait_for_acts(writers)
        end()
        server.start()
    wait_for_acts(writers)
    service.kill_worker()
    wait_for_acts(writers)
    stop.set()
    for writer in writers:
        writer.join(30)
    assert [writer.wrong for writer in writers] == [[]] * WRITERS
    with closing(LogReader(address)) as log:
        for writer in writers:
            history = log.history(partida_id(uuid.UUID(writer.encuentro), 1), 2**40)
            lines = [one.line for one in history if one.line]
            assert lines == list(range(1, writer.acknowledged + 1))


def test_a_log_moves_to_a_file_and_back_by_its_backup(postgres: Server, tmp_path: Path) -> None:
    address, data, moved = postgres.new_address(), tmp_path / "data", tmp_path / "moved"
    for folder in (data, moved):
        folder.mkdir()
    code, imported = guinote(data, address, "import", RECORD)
    assert code == 0
    shutil.copy(Files(data).master_key_file, Files(moved).master_key_file)
    asked = ("export", json.loads(imported)["encuentro"])
    code, text = guinote(data, address, *asked)
    assert (code, NAME in text) == (0, True)
    for words in (("verify",), ("rebuild",), ("backup", str(tmp_path / "one"))):
        assert guinote(data, address, *words)[0] == 0
    assert guinote(moved, "", "restore", str(tmp_path / "one"))[0] == 0
    assert guinote(moved, "", *asked) == (0, text)
    assert guinote(moved, "", "backup", str(tmp_path / "two"))[0] == 0
    code, output = guinote(data, address, "restore", str(tmp_path / "two"))
    assert (code, "NotEmpty" in output) == (1, True)
    assert guinote(data, address, "restore", "--force", str(tmp_path / "two"))[0] == 0
    assert guinote(data, address, *asked) == (0, text)


def test_a_record_is_judged_into_a_log_that_the_address_names(postgres: Server) -> None:
    address = postgres.new_address()
    assert guinote(Path("var-of-no-test"), "", "referee", "--store", address, RECORD)[0] == 0
    with closing(LogReader(address)) as log:
        assert log.last_position() > 10


def test_a_database_that_does_not_answer_is_reported_in_a_line(tmp_path: Path) -> None:
    nowhere = f"postgresql://club:secret@/club?host={tmp_path}"
    for words in (("verify",), ("export", str(uuid.uuid4())), ("backup", str(tmp_path / "copy"))):
        code, output = guinote(tmp_path / "data", nowhere, *words)
        assert code == os.EX_UNAVAILABLE
        assert "OperationalError" in output
        assert "Traceback" not in output
        assert "secret" not in output
