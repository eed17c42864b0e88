"""Limits of the outbox: a restored server, changed line numbers, a browser without storage."""

from __future__ import annotations

from tests.api.tablet.outbox.conftest import Restored
from tests.support.javascript import NodePage
from tests.support.outbox import OPENED, Club, NodeTablet, played
from tests.support.servers.served import Served

OPENING = ["deal", "pinta"]
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
IN_SHORT = ["A1 3O", "B1 4O", "A2 5O", "B2 6O"]
NO_DISK = """() => {
  indexedDB.open = () => { throw new DOMException("a private window", "InvalidStateError"); };
}"""

OPEN_ANOTHER = """async (encuentro) => {
  const { openTable } = await modules("/static/tablet/outbox/table.js");
  globalThis.another = await openTable(encuentro);
}"""


# --- the server was restored from an older copy ----------------------------------------------------


def test_what_a_restored_server_lost_is_noticed_and_sent_again(
    node: NodePage, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    one = NodeTablet(node, restored.served, where)
    one.record(*OPENED, TRICK[0])
    one.sent()
    restored.keep()
    one.record(*TRICK[1:])
    one.amend({"line": 4, "how": "replace", "act": played("B1 2O")[0]}, because="era el dos")
    one.sent()
    restored.put_back()
    assert one.conflict()["lost"] == 4
    assert club.log(where) == [*OPENING, "A1 3O"]
    lost = [f"{act}?" for act in [*IN_SHORT[1:], "era el dos"]]
    assert one.shown() == [*OPENING, "A1 3O", *lost]
    one.reload()
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT, "era el dos"] == one.shown()
    (change,) = club.partidas(where)[0]["entries"][-1]["act"]["changes"]
    assert change["line"] == 4
    assert one.aside() == []


def test_what_waits_follows_what_a_restored_server_lost(node: NodePage, restored: Restored) -> None:
    club = restored.club
    where = club.encuentro()
    one = NodeTablet(node, restored.served, where)
    one.record(*OPENED)
    one.sent()
    restored.keep()
    one.record(*TRICK[:2])
    one.sent()
    one.network(is_on=False)
    restored.put_back()
    one.record(*TRICK[2:])
    one.network(is_on=True)
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT] == one.shown()


def test_a_partida_that_a_restored_server_lost_is_begun_again(
    node: NodePage, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    one = NodeTablet(node, restored.served, where)
    one.record({"kind": "concede", "side": "B"})
    one.sent()
    restored.keep()
    one.do("table.start('A1')")
    one.record(*OPENED, TRICK[0], number=2)
    one.sent()
    restored.put_back()
    one.conflict()
    assert len(club.partidas(where)) == 1
    one.choose("both")
    one.sent()
    assert club.log(where, 2) == [*OPENING, "A1 3O"] == one.shown(2)


def test_what_others_recorded_since_and_what_was_lost_are_both_kept(
    node: NodePage, restored: Restored
) -> None:
    club = restored.club
    where = club.encuentro()
    one = NodeTablet(node, restored.served, where)
    one.record(*OPENED)
    one.sent()
    restored.keep()
    one.record(TRICK[0], TRICK[1])
    one.sent()
    one.network(is_on=False)
    restored.put_back()
    club.record(where, TRICK[0], *played("B1 7O"))  # as many lines, one of them another
    one.network(is_on=True)
    one.reload()
    assert one.conflict()["theirs"] == ["B1 7O"]
    one.choose("theirs")
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O", "B1 7O"] == one.shown()
    assert one.aside() == ["B1 4O"]


def test_a_server_that_lost_nothing_raises_no_alarm(node: NodePage, restored: Restored) -> None:
    club = restored.club
    where = club.encuentro()
    one = NodeTablet(node, restored.served, where)
    one.record(*OPENED, *TRICK, {"kind": "incident", "incident": "talk", "seat": "B1"})
    one.undo()
    one.sent()
    restored.keep()
    restored.put_back()
    one.reload()
    club.record(where, *played("B2 7O"))
    one.wait_for("table.state().partidas[0].version === 9")
    assert (one.wait("sent"), one.aside()) == ("sent", [])


# --- numbers of lines and tricks -------------------------------------------------------------------


def test_a_denunciation_means_the_same_trick_after_a_conflict(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro()
    club.record(where, *OPENED)
    second = played("A1 AC", "B1 2C", "A2 4C", "B2 5C")
    denounced = {"kind": "denounce", "by": "A1", "against": "B1", "trick": 1}
    one = NodeTablet(node, served, where).sent()
    one.network(is_on=False)
    one.record(*second, denounced, {"kind": "review", "seat": "A1", "trick": 1})
    one.amend({"line": 7, "how": "replace", "act": {**denounced, "by": "A2"}})
    club.record(where, *TRICK)
    one.network(is_on=True)
    one.choose("both")
    one.sent()
    acts = [entry["act"] for entry in club.partidas(where)[0]["entries"]]
    assert [act["trick"] for act in acts if "trick" in act] == [2, 2]
    (change,) = acts[-1]["changes"]
    assert (change["line"], change["act"]["trick"], change["act"]["by"]) == (11, 2, "A2")
    assert one.aside() == []


def test_a_denunciation_of_what_both_keyed_keeps_its_number(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro()
    club.record(where, *OPENED)
    one = NodeTablet(node, served, where).sent()
    one.network(is_on=False)
    one.record(*TRICK, {"kind": "denounce", "by": "A1", "against": "B1", "trick": 1})
    club.record(where, *TRICK)
    one.network(is_on=True)
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, *IN_SHORT, "denounce"]
    assert club.partidas(where)[0]["entries"][-1]["act"]["trick"] == 1


# --- a browser without storage ------------------------------------------------------------------


def test_a_rival_is_met_where_nothing_is_kept(node: NodePage, served: Served, club: Club) -> None:
    where = club.encuentro()
    club.record(where, *OPENED)
    one = NodeTablet(node, served, where)
    one.do(NO_DISK)
    one.reload().sent()
    assert not one.do("table.state().isKept")
    one.network(is_on=False)
    one.record(*TRICK[:2])
    one.undo()
    club.record(where, {"kind": "incident", "incident": "other", "text": "theirs"})
    one.network(is_on=True)
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, "theirs", "A1 3O", "B1 4O", "-5"] == one.shown()


# --- two tables on one tablet -----------------------------------------------------------------------


def test_a_table_shows_that_the_tablet_is_signed_out_when_another_table_has_learnt_it(
    node: NodePage, served: Served, club: Club
) -> None:
    one = NodeTablet(node, served, club.encuentro())
    one.record(*OPENED)
    one.sent()
    one.do(OPEN_ANOTHER, club.encuentro())
    one.do("() => { site.cookies.clear(); }")
    one.record(*TRICK[:1])
    assert one.wait("signed_out") == "signed_out"
    one.do("() => { another.subscribe(() => {}); }")
    one.wait_for("another.state().status === 'signed_out'")
