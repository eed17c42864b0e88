"""Random faults of a tablet: each act is once in the log or once in the list of acts set aside."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser.pages import site
from tests.support.browser.tablets import Club, Tablet, tablet
from tests.support.servers.long_runs import RUNS

STEPS = 30
SEEDS = range(3 * RUNS)
_LATEST = """async () => {
  const { latestLine } = await import("/static/tablet/outbox/commands.js");
  const { entries } = table.state().partidas[0];
  const line = latestLine(entries);
  const found = entries.find((one) => one.line === line);
  return found ? found.act.text ?? "amend" : null;
}"""


def said(text: str) -> dict[str, Any]:
    """A unique act that is always possible."""
    return {"kind": "incident", "incident": "other", "text": text}


class Evening:
    """A random history: acts tapped here, acts of others, undone acts."""

    def __init__(self, one: Tablet, club: Club, chance: random.Random) -> None:
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
            assert self.one.do("table.undo(1)")
            self.taken_back.append(target)

    def rival(self) -> None:
        self.theirs.append(f"theirs {len(self.theirs)}")
        self.club.record(self.one.encuentro, said(self.theirs[-1]))

    def lose(self) -> None:
        self.one.do("(n) => { window.lost = n; }", self.chance.randint(1, 2))

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
        self.one.do("window.lost = 0")
        if not self.is_on:
            self.network()
        while self.one.wait("sent", "conflict", "refused") != "sent":
            self.one.page.wait_for_function(
                "() => table.state().status === 'refused' || table.state().queue[0]?.problem?.theirs"
            )
            self.choose()


@pytest.mark.parametrize("seed", SEEDS)
def test_each_act_is_once_in_the_log_or_in_the_drawer_and_in_order(
    browser: Browser, tmp_path: Path, seed: int
) -> None:
    with site(tmp_path) as served:
        club = Club(served)
        where = club.encuentro()
        with tablet(browser, served, where) as one:
            evening = Evening(one.keep_offline().sent(), club, random.Random(seed))
            for _ in range(STEPS):
                evening.step()
            evening.settle()
            entries = club.partidas(where)[0]["entries"]
            recorded = {e["line"]: e["act"].get("text", "amend") for e in entries}
            log = [text for text in recorded.values() if text != "amend"]
            drawer = one.aside()
            assert one.shown() == club.log(where)
            assert [text for text in log if text in evening.theirs] == evening.theirs
            assert sorted([t for t in [*log, *drawer] if t.startswith("mine")]) == sorted(
                evening.mine
            )
            kept = [text for text in log if text in evening.mine]
            assert kept == [text for text in evening.mine if text in kept]
            gone = [
                recorded[change["line"]]
                for entry in entries
                if entry["act"]["kind"] == "amend"
                for change in entry["act"]["changes"]
            ]
            assert gone == [text for text in evening.taken_back if text in gone]
