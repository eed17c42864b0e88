"""Two tablets on one table, and refused acts: nothing is lost, the arbiter chooses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.javascript import NodePage, kept_node
from tests.support.outbox import ENCUENTROS, OPENED, Club, NodeTablet, played
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

OPENING = ["deal", "pinta"]
LED = played("A1 3O")
_PULL = (
    """async (encuentro) => (await modules("/static/tablet/outbox/following.js")).pull(encuentro)"""
)
_TAKING_BACK = """async ([log, upTo]) => {
  const { takingBack } = await import("/static/tablet/outbox/taking_back.js");
  return takingBack(log, upTo).map((changes) => changes.map(({ line }) => line));
}"""


def said(text: str) -> dict[str, Any]:
    """An incident that is always possible."""
    return {"kind": "incident", "incident": "other", "text": text}


@pytest.fixture
def one(node: NodePage, served: Served, where: str) -> NodeTablet:
    """A tablet at this table, on which nothing waits."""
    return NodeTablet(node, served, where).sent()


def apart(
    one: NodeTablet, club: Club, mine: list[dict[str, Any]], theirs: list[dict[str, Any]]
) -> None:
    """The tablet records offline while another device records; then they synchronise."""
    one.network(is_on=False)
    one.record(*mine)
    club.record(one.encuentro, *theirs)
    one.network(is_on=True)
    one.conflict()


def test_theirs_and_then_mine_with_corrections_that_still_mean_the_same_lines(
    one: NodeTablet, club: Club, where: str
) -> None:
    one.network(is_on=False)
    one.record(said("mine 1"), said("mine 2"))
    one.undo()
    change = {"line": 3, "how": "replace", "act": said("mine 1 corrected")}
    one.amend(change)
    club.record(where, said("theirs 1"), said("theirs 2"))
    one.network(is_on=True)
    one.conflict()
    assert club.log(where) == [*OPENING, "theirs 1", "theirs 2"]
    assert one.do(_PULL, where) == "waiting"  # it must not update while acts wait
    assert one.shown() == [*OPENING, "mine 1?", "mine 2?", "-4?", "amend?"]
    one.choose("both")
    one.sent()
    log = [*OPENING, "theirs 1", "theirs 2", "mine 1", "mine 2", "-6", "amend"]
    assert club.log(where) == log == one.shown()
    (last,) = club.partidas(where)[0]["entries"][-1]["act"]["changes"]
    assert last == {**change, "line": 5}


def test_only_theirs_and_mine_in_the_drawer_from_which_it_is_sent_after_all(
    one: NodeTablet, club: Club, where: str
) -> None:
    apart(one, club, [said("mine 1"), said("mine 2")], [said("theirs")])
    one.choose("theirs")
    one.sent()
    assert (club.log(where), one.aside()) == ([*OPENING, "theirs"], ["mine 1", "mine 2"])
    one.reload()
    assert one.do("table.sendAside(table.state().aside[1].seq)")
    one.sent()
    assert (club.log(where), one.aside()) == ([*OPENING, "theirs", "mine 2"], ["mine 1"])


def test_only_mine_takes_back_what_the_other_recorded_and_keeps_my_order(
    one: NodeTablet, club: Club, where: str
) -> None:
    club.record(where, *LED)
    wait_for(lambda: one.shown() == [*OPENING, "A1 3O"], "the act of the other")
    one.network(is_on=False)
    one.record(*played("B1 4O"), said("mine"))
    club.record(where, *played("B1 5O"), said("theirs"))
    version = club.partidas(where)[0]["version"]
    corrected = [{"line": 3, "how": "replace", "act": played("A1 AO")[0]}]
    path = f"{ENCUENTROS}/{where}/partidas/1"
    club.ask("POST", f"{path}/amendments", {"changes": corrected}, version)
    one.network(is_on=True)
    one.choose("mine", because="Vale lo de esta.")
    one.sent()
    log = [*OPENING, "A1 3O", "B1 5O", "theirs", "amend", "Vale lo de esta.", "B1 4O", "mine"]
    assert (club.log(where), one.aside()) == (log, [])
    assert one.shown() == log

    def on_table() -> list[tuple[str, str]]:
        view = club.ask("GET", path)
        return [(play["seat"], play["card"]) for play in view["deals"][0]["on_table"]]

    wait_for(lambda: on_table() == [("A1", "3O"), ("B1", "4O")], "mine are on the table")
    taken_back = club.partidas(where)[0]["entries"][6]["act"]
    assert [change["line"] for change in taken_back["changes"]] == [4, 5, 6]


def test_what_the_other_withdrew_with_a_correction_of_mine_does_not_stand_again(
    node: NodePage,
) -> None:
    amended = {"kind": "amend", "changes": [{"line": line, "how": "withdraw"} for line in (1, 3)]}
    acts = [*OPENED, said("theirs"), amended]
    log = [{"line": line, "act": act} for line, act in enumerate(acts, 1)]
    assert node.evaluate(_TAKING_BACK, [log, 2]) == [[4], [3]]
    assert node.evaluate(_TAKING_BACK, [log[:2], 2]) == []


def test_what_both_keyed_alike_is_asked_once_and_recorded_once(
    one: NodeTablet, club: Club, where: str
) -> None:
    mine = played("A1 3O", "B1 4O", "A2 5O")
    apart(one, club, mine, [*mine[:1], said("theirs"), *mine[1:2]])
    assert len(one.conflict()["same"]) == 2
    one.choose("both")
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O", "theirs", "B1 4O", "A2 5O"] == one.shown()
    assert one.aside() == []


def test_what_looks_alike_may_have_happened_twice(one: NodeTablet, club: Club, where: str) -> None:
    apart(one, club, [said("they talk")], [said("they talk")])
    one.choose("both", same=[])
    one.sent()
    assert club.log(where) == [*OPENING, "they talk", "they talk"]


def test_two_tablets_that_begin_the_same_partida_begin_it_once(
    node: NodePage, served: Served, club: Club
) -> None:
    where = club.encuentro(partidas=0)
    one = NodeTablet(node, served, where)
    one.network(is_on=False)
    one.do("table.start()")
    one.record(*OPENED, said("mine"))
    club.ask("POST", f"{ENCUENTROS}/{where}/partidas", {}, 2)
    club.record(where, OPENED[0], said("theirs"))
    one.network(is_on=True)
    one.choose("both")
    one.sent()
    assert len(club.partidas(where)) == 1
    assert club.log(where) == ["deal", "theirs", "pinta", "mine"] == one.shown()


def test_a_conflict_is_still_there_after_a_reload_without_network(
    one: NodeTablet, club: Club, where: str
) -> None:
    apart(one, club, [said("mine")], [said("theirs")])
    one.network(is_on=False)
    one.reload()
    assert one.conflict()["theirs"] == ["theirs"]
    assert one.shown() == [*OPENING, "mine?"]
    one.choose("both")
    one.network(is_on=True)
    one.sent()
    assert club.log(where) == [*OPENING, "theirs", "mine"]


def test_a_tablet_with_nothing_to_send_follows_the_other(
    one: NodeTablet, served: Served, club: Club, where: str
) -> None:
    with kept_node() as another:
        other = NodeTablet(another, served, where)
        other.record(*LED)
        other.sent()
        wait_for(lambda: one.shown() == [*OPENING, "A1 3O"], "the act of the other")
        one.record(*played("B1 4O"))
        wait_for(lambda: other.shown()[-1] == "B1 4O", "the act of the one")
        club.ask("POST", f"{ENCUENTROS}/{where}/partidas/1/acts", {"acts": [said("x")]}, 4)
        wait_for(lambda: one.shown()[-1] == "x" == other.shown()[-1], "the act of a program")


def test_a_refused_act_is_corrected_and_what_waits_behind_it_follows(
    one: NodeTablet, club: Club, where: str
) -> None:
    one.record(*LED)
    one.sent()
    one.network(is_on=False)
    one.record(*played("B1 3O", "A2 5O"))
    one.network(is_on=True)
    one.wait("refused")
    assert club.log(where) == [*OPENING, "A1 3O"]
    assert "tres de oros" in one.do("table.state().queue[0].problem.detail")
    one.choose("instead", acts=played("B1 4O"))
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O", "B1 4O", "A2 5O"] == one.shown()


def test_a_refused_act_is_set_aside_with_the_corrections_of_it(
    one: NodeTablet, club: Club, where: str
) -> None:
    one.record(*LED)
    one.sent()
    one.network(is_on=False)
    one.record(*played("B1 3O"))
    one.amend({"line": 4, "how": "replace", "act": played("B1 AO")[0]})
    one.record(said("talk"))
    one.undo()
    one.network(is_on=True)
    one.choose("aside")
    one.sent()
    assert club.log(where) == [*OPENING, "A1 3O", "talk", "-4"] == one.shown()
    assert one.aside() == ["B1 3O", "amend"]
