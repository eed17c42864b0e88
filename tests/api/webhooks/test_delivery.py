"""Messages reach a real receiver, each event exactly once by its id, whatever dies meanwhile."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.api.webhooks.receiver import Receiver
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

WEBHOOKS = "/api/v1/webhooks"
ENDED = {"kind": "result", "winner": "A", "how": "concession"}


class Telling:
    """A served house with a receiver, and the client of its owner, which writes to the same log."""

    def __init__(self, folder: Path) -> None:
        self.served = Served(folder / "data", is_forked=True, GUINOTE_WEBHOOKS="local")
        self.receiver = Receiver(folder / "receiver")
        self.served.start()
        self.table = HttpTable(folder / "data")

    def subscribe(self, *notified: str, address: str = "") -> str:
        """Path of a new webhook."""
        asked = {
            "name": "La web",
            "address": address or self.receiver.address,
            "notified": notified or ["partida.ended"],
        }
        answer = self.table.post(WEBHOOKS, asked)
        assert answer.status_code == 201, answer.text
        return str(answer.headers["Location"])

    def play(self) -> str:
        """Address of the encuentro of a partida that was played to its end."""
        partida = self.table.partida()
        assert self.table.record(partida, 0, ENDED).status_code == 200
        return partida.rpartition("/partidas/")[0]

    def ask(self, webhook: str, what: str) -> None:
        """Ask something of a webhook."""
        assert self.table.post(f"{webhook}/messages", {"ask": what}).status_code == 200

    def stage(self, webhook: str) -> str:
        """Where a webhook stands."""
        return str(self.table.get(webhook).json["stage"])

    def told(self) -> list[str]:
        """Encuentros of which the receiver has heard, in order."""
        return [one["data"]["encuentro"] for one in self.receiver.accepted()]


@pytest.fixture
def telling(tmp_path):
    found = Telling(tmp_path)
    yield found
    found.receiver.kill()
    found.table.close()
    found.served.kill_all()


def ids_of(*encuentros: str) -> list[str]:
    return [one.rpartition("/")[2] for one in encuentros]


def test_a_receiver_that_is_killed_and_started_again_gets_each_event_once_by_its_id(telling):
    telling.play()  # before it was subscribed: not told
    telling.receiver.start()
    webhook = telling.subscribe()
    first = telling.play()
    wait_for(lambda: telling.told() == ids_of(first), "the first message")
    telling.receiver.kill()
    more = [telling.play() for _ in range(5)]
    wait_for(lambda: telling.stage(webhook) == "failing", "a failure")
    assert telling.table.get(webhook).json["waiting"] == len(more)
    telling.receiver.start()
    telling.ask(webhook, "retry")
    wait_for(lambda: telling.told() == ids_of(first, *more), "all of them, in order")
    assert set(telling.receiver.ids().values()) == {1}
    wait_for(lambda: telling.stage(webhook) == "ok", "nothing waits")


def test_messages_are_sent_on_by_another_worker_when_one_is_killed(telling):
    telling.receiver.start("slow")
    webhook = telling.subscribe()
    played = [telling.play()]
    wait_for(telling.receiver.messages, "a message that is being sent")
    for pid in telling.served.workers():  # the one that sends is among them
        os.kill(pid, signal.SIGKILL)
    telling.receiver.be("204")
    played += [telling.play() for _ in range(3)]
    wait_for(lambda: telling.told() == ids_of(*played), "all of them, in order")
    repeated = {one: times for one, times in telling.receiver.ids().items() if times > 1}
    assert len(repeated) == 1, "the one that was under way came again, with its id"
    wait_for(lambda: telling.stage(webhook) == "ok", "nothing waits")


@pytest.mark.parametrize("mood", ["500", "redirect", "404"])
def test_a_message_that_is_refused_is_repeated_until_it_arrives(telling, mood):
    telling.receiver.start(mood)
    webhook = telling.subscribe()
    played = [telling.play(), telling.play()]
    wait_for(lambda: telling.stage(webhook) == "failing", "a failure")
    seen = telling.table.get(webhook).json
    assert seen["last"]["answer"] == ("302" if mood == "redirect" else mood)
    assert (seen["waiting"], seen["stopped_at"]) == (2, None)
    assert {one["path"] for one in telling.receiver.messages()} == {"/hook"}, "no redirect"
    telling.receiver.be("204")
    telling.ask(webhook, "retry")
    wait_for(lambda: telling.told() == ids_of(*played), "both, in order")


def test_a_huge_answer_is_not_read(telling):
    telling.receiver.start("huge")
    webhook = telling.subscribe()
    telling.play()
    wait_for(lambda: telling.table.get(webhook).json["last"], "an attempt")
    assert telling.table.get(webhook).json["last"]["answer"] == "200"


def test_a_receiver_that_is_gone_for_good_stops_the_webhook_and_nothing_is_lost(telling):
    telling.receiver.start("410")
    webhook = telling.subscribe()
    played = [telling.play()]
    wait_for(lambda: telling.stage(webhook) == "stopped", "a stop")
    played.append(telling.play())
    telling.receiver.be("204")
    telling.ask(webhook, "retry")
    wait_for(lambda: telling.told() == ids_of(*played), "both, in order")


def test_a_test_is_sent_before_all_that_waits_and_is_not_repeated(telling):
    telling.receiver.start("500")
    webhook = telling.subscribe()
    telling.ask(webhook, "test")
    wait_for(lambda: telling.table.get(webhook).json["last"], "an attempt")
    sent = telling.table.get(webhook).json
    assert (sent["last"]["kind"], sent["last"]["stage"]) == ("webhook.test", "failed")
    assert sent["stage"] == "ok"


def test_one_message_or_all_can_be_given_up(telling):
    telling.receiver.start("500")
    webhook = telling.subscribe()
    played = [telling.play() for _ in range(4)]
    wait_for(lambda: telling.stage(webhook) == "failing", "a failure")
    telling.ask(webhook, "skip")
    seen = telling.table.get(webhook).json
    assert (seen["waiting"], seen["messages"][0]["stage"]) == (3, "skipped")
    telling.receiver.be("204")
    telling.ask(webhook, "retry")
    wait_for(lambda: telling.told() == ids_of(*played[1:]), "the others")
    telling.receiver.be("500")
    telling.play()
    wait_for(lambda: telling.stage(webhook) == "failing", "a failure")
    telling.ask(webhook, "skip_all")
    telling.receiver.be("204")
    last = telling.play()
    wait_for(lambda: telling.told() == ids_of(*played[1:], last), "the last one alone")
