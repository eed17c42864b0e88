"""What is sent after a backup was restored, a log taken back, projections rebuilt, a kind asked for."""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.server.backup import restore_backup, write_backup
from api.server.data_folder import Files
from api.server.webhooks import open_webhook_outbox
from api.server.wiring import initialise_house, open_views
from api.webhooks import outbox as outbox_module
from api.webhooks.sender import Sender
from projections.runner.log import LogReader
from projections.runner.runner import Runner
from referee.access.webhooks import RETRIES_S
from tests.support.servers.http_table import HttpTable

ENDED = {"kind": "result", "winner": "A", "how": "concession"}
WEBHOOKS = "/api/v1/webhooks"


class House:
    """A house whose messages are sent when a test says so; ``sent``: their ids, in order."""

    def __init__(self, where: Files) -> None:
        self.where, self.sent, self.answer = where, list[str](), "204"

    def table(self) -> HttpTable:
        return HttpTable(self.where.folder)

    def send(self, after_s: float = 0.0) -> list[str]:
        """Send what is due, so many seconds from now; the ids of this time."""
        before = len(self.sent)
        with ExitStack() as closing_later:
            outbox = open_webhook_outbox(self.where, closing_later)
            while due := outbox.due_batches(time.time() + after_s):
                for batch in due:
                    Sender(self._post).send_batch(batch, outbox)
                if not self.answer.startswith("2"):
                    break
        return self.sent[before:]

    def _post(self, _address: str, _body: bytes, headers: dict[str, str]) -> str:
        self.sent.append(headers["webhook-id"])
        return self.answer


@pytest.fixture
def where(request, tmp_path, monkeypatch):
    if getattr(request, "param", "sqlite") == "sqlite":
        return Files(tmp_path / "data")
    address = request.getfixturevalue("postgres").new_address()
    monkeypatch.setenv("GUINOTE_LOG", address)
    return Files(tmp_path / "data", address)


@pytest.fixture
def house(where):
    where.folder.mkdir()
    initialise_house(where)
    found = House(where)
    found.its_table = found.table()
    yield found
    found.its_table.close()


def subscribe(house: House, *notified: str) -> str:
    asked = {"name": "Web", "address": "https://club.example/x"}
    body = {**asked, "notified": notified or ["partida.ended"]}
    return str(house.its_table.post(WEBHOOKS, body).headers["Location"])


def play(house: House) -> None:
    table = house.its_table
    assert table.record(table.partida(), 0, ENDED).status_code == 200


def rebuild(where: Files) -> None:
    views, log = open_views(where), LogReader(where.log)
    Runner(log, views).rebuild()
    views.close()
    log.close()


@pytest.mark.parametrize("where", ["sqlite", "postgres"], indirect=True)
def test_each_event_is_sent_once_and_a_rebuild_sends_nothing(house):
    play(house)
    subscribe(house)
    assert house.send() == []
    play(house)
    play(house)
    assert len(house.send()) == 2
    rebuild(house.where)
    assert house.send() == []
    play(house)
    assert len(house.send()) == 1
    assert len(set(house.sent)) == 3


def test_a_restored_house_sends_what_waited_with_its_id_and_nothing_of_the_past(house, tmp_path):
    subscribe(house)
    play(house)
    (past,) = house.send()
    house.answer = "500"
    play(house)
    (waiting,) = house.send()
    write_backup(house.where, tmp_path / "copy.guinote")
    (tmp_path / "other").mkdir(mode=0o700)
    copy = House(Files(tmp_path / "other"))
    restore_backup(tmp_path / "copy.guinote", copy.where)
    shutil.copy(house.where.master_key_file, copy.where.master_key_file)
    assert copy.send(after_s=60) == [waiting]
    assert past not in copy.sent
    assert copy.send(after_s=60) == []


def test_an_older_log_in_the_place_of_a_newer_one_sends_nothing_anew(house, tmp_path):
    subscribe(house)
    play(house)
    house.its_table.close()
    older = shutil.copytree(house.where.folder, tmp_path / "older")
    for _ in range(2):
        play(house)
    assert len(house.send()) == 3
    house.its_table.close()
    for file in house.where.folder.glob("log.sqlite*"):
        file.unlink()
    for file in Path(older).glob("log.sqlite*"):
        shutil.copy(file, house.where.folder)
    assert house.send() == []
    assert house.send() == []


def test_what_happens_while_a_webhook_is_off_is_not_sent(house):
    webhook = subscribe(house)
    asked = {"name": "Web", "address": "https://club.example/x", "notified": ["partida.ended"]}
    house.its_table.post(webhook, {**asked, "is_on": False})
    play(house)
    assert house.send() == []
    house.its_table.post(webhook, asked)
    assert house.send() == []
    play(house)
    assert len(house.send()) == 1


def test_the_place_is_noted_when_nothing_was_to_be_sent_for_long(house, monkeypatch):
    monkeypatch.setattr(outbox_module, "NOTED_EVERY", 3)
    webhook = subscribe(house, "round.drawn").rpartition("/")[2]
    with ExitStack() as closing_later:
        outbox = open_webhook_outbox(house.where, closing_later)
        before = outbox.deliveries.progress_by_webhook()[webhook].place
        play(house)
        assert outbox.due_batches(time.time()) == []
        after = outbox.deliveries.progress_by_webhook()[webhook].place
        assert after.position >= before.position + 3
        assert outbox.due_batches(time.time()) == []


def test_attempts_follow_the_schedule_and_end(house):
    webhook = subscribe(house)
    play(house)
    house.answer, at = "500", 0.0
    for pause_s in RETRIES_S:
        assert len(house.send(at)) == 1
        assert house.send(pause_s - 2) == [], "not before its time"
        at = pause_s + 1
    assert len(house.send(at)) == 1
    assert house.its_table.get(webhook).json["stage"] == "stopped"
    assert house.send(10 * at) == []
    assert len(set(house.sent)) == 1
    ready = house.its_table.get("/readyz").json
    assert ready["parts"]["webhooks"]["status"] == "late"
