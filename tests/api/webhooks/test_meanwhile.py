"""What an admin does while messages are on their way holds, and no backlog is left or overtaken."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

import pytest

from api.server.clubs.folder import ClubsFolder
from api.server.clubs.webhooks import ClubOutboxes
from api.webhooks import sender as sender_module
from api.webhooks.outbox import Outbox
from api.webhooks.sender import MOST_OF_A_HOUSE, Sender
from referee.access.webhooks import FORMER_S, RETRIES_S
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for

ENDED = {"kind": "result", "winner": "A", "how": "concession"}
WEBHOOKS = "/api/v1/webhooks"
LONG_S = 10 * max(RETRIES_S)
"""Later than any attempt."""


class House:
    """A house with a webhook. ``sent``: addresses and ids of messages, in order."""

    def __init__(self, table: HttpTable) -> None:
        self.table, self.sent = table, list[tuple[str, str]]()
        self.webhook = self.subscribe("Web")
        self.name = self.webhook.rpartition("/")[2]
        services = table.app.extensions["guinote"]()
        self.deliveries = services.deliveries
        self.outbox = Outbox(services.open_log(), self.deliveries)
        self.during: Callable[[], object] = lambda: None
        self.answers: list[str] = []

    def subscribe(self, name: str) -> str:
        """Path of a new webhook."""
        return str(self.table.post(WEBHOOKS, _asked(name=name)).headers["Location"])

    def play(self, times: int = 1) -> None:
        """Partidas that end."""
        for _ in range(times):
            assert self.table.record(self.table.partida(), 0, ENDED).status_code == 200

    def change(self, **asked: object) -> None:
        """Change the webhook."""
        assert self.table.post(self.webhook, _asked(**asked)).status_code == 200

    def ask(self, what: str) -> None:
        """Ask something of the webhook."""
        assert self.table.post(f"{self.webhook}/messages", {"ask": what}).status_code == 200

    def remove(self) -> None:
        """Remove the webhook."""
        headers = self.table.headers_of_write(None, self.table.key())
        assert self.table.client.delete(self.webhook, headers=headers).status_code == 204

    def send(self, *answers: str, during: Callable[[], object] = lambda: None) -> int:
        """Send what is due sooner or later, and do something during the first attempt; how many.

        ``answers``: of the receiver; 204 to all after them.
        """
        self.answers, self.during = [*answers], during
        before = len(self.sent)
        for batch in self.outbox.due_batches(time.time() + LONG_S):
            Sender(self.post).send_batch(batch, self.outbox)
        return len(self.sent) - before

    def post(self, address: str, _body: bytes, headers: dict[str, str]) -> str:
        """Take a message."""
        self.sent.append((address, headers["webhook-id"]))
        act, self.during = self.during, lambda: None
        act()
        return self.answers.pop(0) if self.answers else "204"

    def stage(self) -> str:
        """Where the webhook stands."""
        return str(self.table.get(self.webhook).json["stage"])


def _asked(**asked: object) -> dict[str, object]:
    known = {"name": "Web", "address": "https://club.example/x", "notified": ["partida.ended"]}
    return {**known, **asked}


@pytest.fixture
def house(tmp_path):
    (tmp_path / "data").mkdir()
    table = HttpTable(tmp_path / "data")
    found = House(table)
    yield found
    table.close()


@pytest.mark.parametrize("answer", ["204", "500", "410"])
def test_all_that_is_given_up_during_an_attempt_is_not_sent(house, answer):
    house.play(3)
    assert house.send(answer, during=lambda: house.ask("skip_all")) == 1
    assert (house.send(), house.stage()) == (0, "ok")
    house.play()
    assert house.send() == 1


@pytest.mark.parametrize("answer", ["204", "500"])
def test_one_message_that_is_given_up_during_its_attempt_stays_given_up(house, answer):
    house.play(2)
    house.send(answer, during=lambda: house.ask("skip"))
    house.send()
    assert (len(house.sent), house.stage()) == (2, "ok")
    assert len(set(house.sent)) == 2


@pytest.mark.parametrize("answer", ["204", "500"])
def test_what_happens_while_a_webhook_is_off_during_an_attempt_is_not_sent(house, answer):
    def be_off_for_a_while() -> None:
        house.change(is_on=False)
        house.play(2)
        house.change(is_on=True)

    house.play(2)
    assert house.send(answer, during=be_off_for_a_while) == 1
    assert (house.send(), house.stage()) == (0, "ok")


def test_a_webhook_that_is_turned_off_during_an_attempt_gets_no_more(house):
    house.play(3)
    assert house.send(during=lambda: house.change(is_on=False)) == 1
    assert house.send() == 0


@pytest.mark.parametrize("what", ["test", "partida"])
@pytest.mark.parametrize("answer", ["204", "500"])
def test_nothing_remains_of_a_webhook_that_is_removed_during_an_attempt(house, answer, what):
    house.play(3)
    if what == "test":
        house.ask("test")
    assert house.send(answer, during=house.remove) == 1
    assert house.deliveries.messages(house.name) == []
    assert house.send() == 0


def test_messages_after_a_change_of_the_address_go_to_the_new_one(house):
    house.play(3)
    new = "https://other.example/x"
    house.send(during=lambda: house.change(address=new))
    house.send()
    assert [address for address, _ in house.sent] == ["https://club.example/x", new, new]
    assert len(set(house.sent)) == 3


def test_a_test_is_sent_before_the_rest_of_what_waits(house):
    house.play(3)
    assert house.send(during=lambda: house.ask("test")) == 1
    assert house.send() == 1
    assert house.sent[-1][1].startswith("test_")
    assert house.send() == 2


def test_a_success_begins_the_schedule_anew(house):
    house.play(2)
    for _ in RETRIES_S:
        assert house.send("500") == 1
    assert house.send("204", "500") == 2
    assert house.stage() == "failing"
    assert house.deliveries.progress_by_webhook()[house.name].tries == 1


def test_to_send_now_during_the_last_attempt_begins_the_schedule_anew(house):
    house.play()
    for _ in RETRIES_S:
        house.send("500")
    house.send("500", during=lambda: house.ask("retry"))
    assert house.stage() == "failing"
    assert house.send() == 1


def test_a_test_uses_up_no_attempt(house):
    house.play()
    house.send("500")
    due_at = house.deliveries.progress_by_webhook()[house.name].next_at
    house.ask("test")
    assert house.send("500") == 1
    at = house.deliveries.progress_by_webhook()[house.name]
    assert (at.tries, at.next_at) == (1, due_at)
    assert house.outbox.due_batches(due_at - 1) == []


def test_a_clock_that_was_ahead_for_a_moment_silences_nothing(house, monkeypatch):
    house.play()
    years_ahead = time.time() + 3 * 365 * FORMER_S
    with monkeypatch.context() as ahead:
        ahead.setattr(house.deliveries, "_clock", lambda: years_ahead)
        house.send("500")
        house.deliveries.renew_secret(
            house.name, house.deliveries.progress_by_webhook()[house.name].place
        )
        assert len(house.deliveries.secrets(house.name)) == 2
    assert len(house.outbox.due_batches(time.time())) == 1
    assert len(house.deliveries.secrets(house.name)) == 1


def test_each_webhook_of_a_house_has_its_turn(house):
    for number in range(MOST_OF_A_HOUSE):
        house.subscribe(f"Web {number}")
    house.play(25)
    sender = Sender(house.post)
    for _ in range(2):
        sender.begin_due_deliveries("", house.outbox)
        wait_for(lambda: not sender.is_sending_for_house(""), "the end of a turn")
    progress = house.deliveries.progress_by_webhook()
    assert len(progress) == MOST_OF_A_HOUSE + 1
    assert all(house.deliveries.messages(one) for one in progress)


@pytest.fixture
def clubs(tmp_path):
    """A folder with two clubs."""
    folder = ClubsFolder(tmp_path)
    folder.make_missing_folders()
    found = []
    for name in ("penya", "sota"):
        folder.data_folder(name).mkdir(mode=0o700)
        found.append(House(HttpTable(folder.data_folder(name))))
    yield folder, *found
    for one in found:
        one.table.close()


def test_a_club_of_which_nothing_is_heard_is_sent_all_that_waits(clubs):
    folder, club, _ = clubs
    club.play(45)

    def post(address: str, body: bytes, headers: dict[str, str]) -> str:
        time.sleep(0.05)
        return club.post(address, body, headers)

    with closing(ClubOutboxes(folder, Sender(post), idle_s=0.2)) as outboxes:

        def is_all_sent() -> bool:
            outboxes.send_due_webhooks(())
            return len(club.sent) == 45

        wait_for(is_all_sent, "the whole backlog")


def test_each_club_has_its_turn(clubs, monkeypatch):
    monkeypatch.setattr(sender_module, "MOST", 1)
    folder, *both = clubs
    for club in both:
        club.play(25)
    sender = Sender(both[0].post)
    with closing(ClubOutboxes(folder, sender)) as outboxes:
        for _ in range(2):
            outboxes.send_due_webhooks(())
            wait_for(
                lambda: not any(map(sender.is_sending_for_house, folder.names())),
                "the end of a turn",
            )
    assert all(club.deliveries.messages(club.name) for club in both)
