"""Refused acts are opened in their form, corrected and sent, or set aside; nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from referee.events import CardPlayed
from referee.rules.profile.profile import profile
from tests.api.tablet.test_agreement import PARTIDAS_OF_A_MATCH, won_by_a
from tests.support.browser.form_keying import TRICK
from tests.support.browser.keying import Keying, expect, opened, tablet_at
from tests.support.outbox import ENCUENTROS, Club
from tests.support.page_in_node import PageInNode
from tests.support.waiting import wait_for

_RECORD = """async ([id, acts]) => {
  const { openTable } = await modules("/static/tablet/outbox/table.js");
  await (await openTable(id)).record(1, acts);
}"""
_AMEND = """async ([id, changes, number = 1]) => {
  const { openTable } = await modules("/static/tablet/outbox/table.js");
  await (await openTable(id)).amend(number, changes);
}"""
TIME = {"kind": "time"}


class Refused(Keying):
    """The panel of what was refused."""

    def keep(self, *acts: dict[str, Any]) -> None:
        """Acts that a tablet kept while another one recorded."""
        self.page.evaluate(_RECORD, [self.encuentro, list(acts)])

    def panel(self, what: str) -> Any:
        """Something in the panel."""
        return self.page.locator(f"dialog.panel {what}")

    def pick(self, group: str, choice: str) -> None:
        """A choice in its form."""
        within = self.page.locator("dialog.panel").get_by_role("group", name=group, exact=True)
        within.get_by_role("button", name=choice, exact=True).tap()

    def send(self) -> None:
        """The form is sent, and taken."""
        self.panel("form .main").tap()
        expect(self.page.locator("dialog.panel")).to_have_count(0)

    def last(self, many: int = 1) -> list[dict[str, Any]]:
        """The latest acts of the log."""
        expect(self.page.locator("button.sync")).to_have_attribute("data-status", "sent")
        entries = self.club.partidas(self.encuentro)[0]["entries"]
        return [one["act"] for one in entries[-many:]]


@contextmanager
def at_table(tablet: PageInNode, club: Club) -> Iterator[Refused]:
    """A table in its second trick."""
    encuentro = opened(club, "club", profile("club").options(4, 40), "B2")
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 3)
    club.record(encuentro, *map(msgspec.to_builtins, [*TRICK, CardPlayed("A1", "3C")]))
    with panel_at(tablet, club, encuentro) as one:
        yield one


@contextmanager
def panel_at(tablet: PageInNode, club: Club, encuentro: str) -> Iterator[Refused]:
    """A table that there is."""
    with tablet_at(tablet, club.served, encuentro) as keying:
        expect(keying.page.locator("main section.table")).to_be_visible()
        yield Refused(keying.page, club, encuentro)


CASES = [
    (
        {"kind": "review", "seat": "B2", "trick": 9},
        lambda one: one.panel('[data-trick="1"]').tap(),
        {"kind": "review", "seat": "B2", "trick": 1},
    ),
    (
        {"kind": "show", "seat": "B1", "cards": ["AC", "RE"], "void": ["O"]},
        lambda one: one.panel('.pad [data-card="AC"]').tap(),
        {"kind": "show", "seat": "B1", "cards": ["RE"], "void": ["O"]},
    ),
    (
        {"kind": "draw", "seat": "A2", "card": "2C"},
        lambda one: one.panel('.pad [data-card="7B"]').tap(),
        {"kind": "draw", "seat": "A2", "card": "7B"},
    ),
    (
        {"kind": "wrong_deal", "seat": "A2", "cards": 40},
        lambda one: one.panel('[data-steps="cards"] .option').first.tap(),
        {"kind": "wrong_deal", "seat": "A2", "cards": 39},
    ),
    (
        {"kind": "incident", "incident": "exposed", "seat": "B1", "card": "7O", "text": "cae"},
        lambda one: one.panel('.pad [data-card="RB"]').tap(),
        {"kind": "incident", "incident": "exposed", "seat": "B1", "card": "RB", "text": "cae"},
    ),
]


@pytest.mark.parametrize(("kept", "put_right", "wanted"), CASES)
def test_an_act_is_opened_again_with_its_values_and_what_waits_behind_it_follows(
    tablet: PageInNode, club: Club, kept: dict[str, Any], put_right: Any, wanted: dict[str, Any]
) -> None:
    with at_table(tablet, club) as one:
        one.keep(kept)
        one.keep(TIME)
        expect(one.panel(".wrong")).to_be_visible()
        expect(one.panel("")).to_contain_text("En espera detrás: 1")
        put_right(one)
        one.send()
        assert one.last(2) == [wanted, TIME]


def test_of_several_acts_the_wrong_one_is_chosen(tablet: PageInNode, club: Club) -> None:
    with at_table(tablet, club) as one:
        draw = {"kind": "draw", "seat": "A2"}
        one.keep(draw, {"kind": "review", "seat": "B2", "trick": 9})
        one.pick("Corregir", "Diego mira la baza 9")
        one.panel('[data-trick="1"]').tap()
        one.send()
        assert one.last(2) == [draw, {"kind": "review", "seat": "B2", "trick": 1}]


def test_a_correction_is_put_right_too(tablet: PageInNode, club: Club) -> None:
    with at_table(tablet, club) as one:
        change = {"line": 4, "how": "replace"}
        act = {"kind": "card", "seat": "B1", "card": "AC"}
        one.page.evaluate(_AMEND, [one.encuentro, [{**change, "act": act}]])
        expect(one.panel(".wrong")).to_be_visible()
        one.panel('.pad [data-card="6C"]').tap()
        one.send()
        (amended,) = one.last()
        assert amended["changes"] == [{**change, "act": {**act, "card": "6C"}}]
        one.tap(one.button("Baza anterior"))
        expect(one.laid("6C")).to_be_visible()


@pytest.mark.parametrize("is_known", [True, False], ids=["known here", "not known here"])
def test_what_was_reported_is_taken_back_among_the_acts_for_a_reason(
    tablet: PageInNode, club: Club, *, is_known: bool
) -> None:
    encuentro = won_by_a(club)
    with panel_at(tablet, club, encuentro) as one:
        one.tap(one.page.locator("[data-report=A1]"))
        expect(one.page.locator("[data-confirm=B2]")).to_be_visible()
        undo = one.page.locator("button.undo")
        expect(undo).to_be_disabled()
        expect(undo).to_contain_text("Eso se corrige desde la página del encuentro.")
        if is_known:
            one.tap(one.button("Bazas"))
            one.tap(one.sheet("[data-line]"))
            one.tap(one.button("Quitarla"))
            reopen = one.button("Sí, reabrir la partida")
            expect(reopen).to_be_disabled()
            one.sheet("").get_by_label("Motivo").fill("la apuntó al revés")
            one.tap(reopen)
        else:
            withdrawal = [{"line": 1, "how": "withdraw"}]
            one.page.evaluate(_AMEND, [encuentro, withdrawal, PARTIDAS_OF_A_MATCH])
            expect(one.panel(".wrong")).to_be_visible()
            one.panel("").get_by_label("Motivo").fill("la apuntó al revés")
            one.send()
        expect(one.page.locator("button.sync")).to_have_attribute("data-status", "sent")

    def stands() -> tuple[str, str]:
        view = club.ask("GET", f"{ENCUENTROS}/{encuentro}")
        return view["result"]["stage"], view["partidas"][-1]["how"]

    wait_for(lambda: stands() == ("open", "undecided"), "nothing is decided any more")


def test_what_is_put_aside_is_in_the_drawer_and_can_be_sent_and_put_right(
    tablet: PageInNode, club: Club
) -> None:
    with at_table(tablet, club) as one:
        one.keep({"kind": "review", "seat": "B2", "trick": 9})
        one.panel("[data-choice=aside]").tap()
        expect(one.page.locator("dialog.panel")).to_have_count(0)
        one.page.locator("button.sync").tap()
        expect(one.panel("li")).to_contain_text("Diego mira la baza 9")
        one.button("Enviarlo ahora").tap()
        expect(one.panel(".wrong")).to_be_visible()
        one.panel('[data-trick="1"]').tap()
        one.send()
        assert one.last() == [{"kind": "review", "seat": "B2", "trick": 1}]
