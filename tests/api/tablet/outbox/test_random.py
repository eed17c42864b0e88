"""Random faults of a tablet: each act is once in the log or once in the list of acts set aside."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.javascript import NodePage
from tests.support.outbox import Club, NodeTablet
from tests.support.servers.long_runs import RUNS
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

STEPS = 30
SEEDS = range(5 * RUNS)
_LATEST = """async () => {
  const { latestLine } = await modules("/static/tablet/outbox/commands.js");
  const { entries } = table.state().partidas[0];
  const line = latestLine(entries);
  const found = entries.find((one) => one.line === line);
  return found ? found.act.text ?? "amend" : null;
}"""
_HAS_A_CHOICE = "table.state().status === 'refused' || table.state().queue[0]?.problem?.theirs"


def said(text: str) -> dict[str, Any]:
    """A unique act that is always possible."""
    return {"kind": "incident", "incident": "other", "text": text}


class Evening:
    """A random history: acts tapped here, acts of others, undone acts."""

    def __init__(self, one: NodeTablet, club: Club, chance: random.Random) -> None:
        self.one, self.club, self.chance = one, club, chance
        self.mine: list[str] = []
        self.theirs: list[str] = []
        self.taken_back: list[str] = []
        self.is_on = True

    def tap(self) -> None:
        self.mine.append(f"mine {len(self.mine)}")
        self.one.record(said(self.mine[-1]))

    def undo(self) -> None:
        target = self.one.do(_LATEST)
        if target is not None:
            self.one.undo()
            self.taken_back.append(target)

    def rival(self) -> None:
        self.theirs.append(f"theirs {len(self.theirs)}")
        self.club.record(self.one.encuentro, said(self.theirs[-1]))

    def lose(self) -> None:
        self.one.lose(self.chance.randint(1, 2))

    def network(self) -> None:
        self.is_on = not self.is_on
        self.one.network(is_on=self.is_on)

    def reload(self) -> None:
        self.one.reload()

    def restart(self) -> None:
        self.club.served.kill_all()
        self.club.served.start()

    def choose(self) -> None:
        """The arbiter decides, if there is something to decide."""
        ways = {"conflict": [{"how": "both"}, {"how": "both"}, {"how": "theirs"}]}
        choices = ways.get(self.one.status(), [{"how": "aside"}])
        self.one.do("(choice) => table.resolve(choice)", self.chance.choice(choices))

    def step(self) -> None:
        """One random step."""
        often = [self.tap] * 8 + [self.network, self.rival, self.choose] * 2
        happens = self.chance.choice([*often, self.undo, self.lose, self.reload, self.restart])
        happens()

    def settle(self) -> None:
        """Restore the network, and decide everything."""
        self.one.lose(0)
        if not self.is_on:
            self.network()
        while self.one.wait("sent", "conflict", "refused") != "sent":
            self.one.wait_for(_HAS_A_CHOICE)
            self.choose()


@pytest.mark.parametrize("seed", SEEDS)
def test_each_act_is_once_in_the_log_or_in_the_drawer_and_in_order(
    node: NodePage, served: Served, club: Club, seed: int
) -> None:
    where = club.encuentro()
    one = NodeTablet(node, served, where).sent()
    evening = Evening(one, club, random.Random(seed))
    for _ in range(STEPS):
        evening.step()
    evening.settle()
    wait_for(lambda: one.shown() == club.log(where), "the last acts of the others")
    entries = club.partidas(where)[0]["entries"]
    recorded = {e["line"]: e["act"].get("text", "amend") for e in entries}
    log = [text for text in recorded.values() if text != "amend"]
    drawer = one.aside()
    assert [text for text in log if text in evening.theirs] == evening.theirs
    assert sorted([t for t in [*log, *drawer] if t.startswith("mine")]) == sorted(evening.mine)
    kept = [text for text in log if text in evening.mine]
    assert kept == [text for text in evening.mine if text in kept]
    gone = [
        recorded[change["line"]]
        for entry in entries
        if entry["act"]["kind"] == "amend"
        for change in entry["act"]["changes"]
    ]
    assert gone == [text for text in evening.taken_back if text in gone]
