"""The outbox: no tapped act is lost, repeated or reordered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.browser.pages import site
from tests.support.faults.small_disks import disk, fill, first_refused
from tests.support.javascript import NodePage
from tests.support.outbox import OPENED, Club, NodeTablet, played
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

__all__ = ["disk"]  # a fixture

TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
OPENING = ["deal", "pinta"]
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]
_WATCH = """() => {
  globalThis.statuses = [];
  table.subscribe(({ status }) => statuses.push(status));
}"""


def test_what_is_tapped_offline_stays_over_a_reload_in_mid_deal_and_is_sent_in_order(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro()
    one = NodeTablet(node, served, where)
    one.record(*OPENED, TRICK[0])
    one.sent()
    one.network(is_on=False)
    one.record(TRICK[1])
    one.reload().record(TRICK[2])
    one.reload()
    assert one.shown() == [*OPENING, "A1 3O", "B1 4O?", "A2 5O?"]
    assert (one.wait("offline"), club.log(where)) == ("offline", [*OPENING, "A1 3O"])
    one.record(TRICK[3])
    one.network(is_on=True)
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()


def test_a_whole_partida_may_be_begun_undone_and_corrected_offline(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro(partidas=0)
    one = NodeTablet(node, served, where)
    one.network(is_on=False)
    assert one.do("table.start('B2')")
    one.record(*OPENED, *TRICK[:2])
    one.amend({"line": 3, "how": "replace", "act": played("A1 AO")[0]}, because="era el as")
    one.undo()
    one.undo()
    one.record({"kind": "concede", "side": "B"})
    one.do("table.start('A1')")
    one.record(OPENED[0], number=2)
    one.network(is_on=True)
    one.sent()
    partidas = club.partidas(where)
    assert [one["version"] for one in partidas] == [8, 1]
    texts = ["era el as", "-5", "-4", "concede"]
    assert club.log(where) == [*OPENING, "A1 3O", "B1 4O", *texts]
    assert one.shown(2) == ["deal"]


def test_an_answer_that_is_lost_after_the_server_recorded_it_does_no_harm(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro()
    one = NodeTablet(node, served, where)
    one.lose(2)
    one.record(*OPENED)
    wait_for(lambda: club.log(where), "the first was recorded")
    one.record(*TRICK)
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT]
    first, second, third, *_ = one.keys_sent()
    assert first == second == third  # the same key, version and body each time


def test_one_answer_that_does_not_come_is_not_yet_called_a_lost_connection(
    node: NodePage, served: Served, club: Club
) -> None:
    one = NodeTablet(node, served, club.encuentro())
    one.do(_WATCH)
    one.record(*OPENED)
    one.sent()
    one.lose(1)
    one.record(TRICK[0])
    one.sent()
    assert "offline" not in one.do("statuses")
    one.network(is_on=False)
    one.record(TRICK[1])
    assert one.wait("offline") == "offline"


def test_a_server_that_is_killed_and_started_again_gets_each_act_once(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro()
    one = NodeTablet(node, served, where)
    one.record(*OPENED)
    one.sent()
    one.do("table.record(1, [{kind: 'card', seat: 'A1', card: '3O'}])")
    served.kill_all()
    one.record(*TRICK[1:])
    assert one.wait("offline") == "offline"
    served.start()
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT]


def test_what_is_tapped_while_the_disk_is_full_waits_here_and_is_sent_when_there_is_room(
    node: NodePage, disk: Path
) -> None:
    with site(disk / "data") as served:
        club = Club(served)
        where = club.encuentro()

        def write() -> tuple[int, dict[str, Any]]:
            return club.answer(
                "POST", "/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4}
            )

        one = NodeTablet(node, served, where)
        one.record(*OPENED)
        one.sent()
        filler = fill(disk)
        assert first_refused(write) == (507, "disk_full")
        one.record(*TRICK)
        assert one.wait("full") == "full"
        filler.unlink()
        one.sent()
        assert club.log(where) == [*OPENING, *IN_SHORT]
