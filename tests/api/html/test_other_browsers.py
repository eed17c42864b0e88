"""The main ways of a club in Firefox and in WebKit, the engine of an iPad; everything else is tested in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import dev
from referee.rules.profile.profile import profile_by_id_at_edition
from tests.api.html.firefox import FirefoxPage
from tests.api.html.webkit import WebKitPage
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser.evenings import evening
from tests.support.browser.replayed import saved_file
from tests.support.browser.tablets import OPENED, Club, played
from tests.support.driven.page import NO_FIREFOX, NO_WEBKIT, DrivenPage
from tests.support.records.dealt_out import Player
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

BROWSERS = [
    pytest.param(
        FirefoxPage, marks=pytest.mark.skipif(not dev.firefox(), reason=NO_FIREFOX), id="firefox"
    ),
    pytest.param(
        WebKitPage, marks=pytest.mark.skipif(not dev.webkit(), reason=NO_WEBKIT), id="webkit"
    ),
]
TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
_THREE_OF_OROS = '.table > .pad [data-card="3O"]'
_STEP = "() => document.querySelector('.replay .count').textContent"


@pytest.fixture(scope="module", params=BROWSERS)
def page(
    request: pytest.FixtureRequest, served: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DrivenPage]:
    """The browser of an arbiter, who signed in through the form."""
    driven: DrivenPage = request.param(tmp_path_factory.mktemp("driven"))
    try:
        driven.open(at(served, "/entrar"))
        driven.write("[name=token]", served.token)
        driven.tap("form.token button")
        driven.sees("header form.leave button")
        yield driven
    finally:
        driven.close()


def at(served: Served, path: str) -> str:
    return f"http://127.0.0.1:{served.port}{path}"


def test_a_card_noted_without_the_service_is_sent_when_it_is_back(
    page: DrivenPage, served: Served
) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED)
    page.open(at(served, f"/arbitro/#/mesa/{where}"))
    page.sees(_THREE_OF_OROS)  # the table is kept here; the bar says "sent" before it is
    page.wait("() => navigator.serviceWorker.controller !== null")
    served.kill_all()
    try:
        page.open(at(served, f"/arbitro/?again#/mesa/{where}"))
        page.tap(_THREE_OF_OROS)
        page.sees("button.sync[data-status=offline]")
        page.sees(".table .play")
    finally:
        served.start()
    page.sees("button.sync[data-status=sent]")
    assert club.log(where) == ["deal", "pinta", "A1 3O"]


def test_a_board_follows_the_table(page: DrivenPage, served: Served) -> None:
    club = Club(served)
    where = club.encuentro()
    page.open(at(served, f"/mesa/{where}"))
    page.sees("#state[data-state=live]")
    club.record(where, *OPENED, *TRICK)
    page.sees("#main svg.card.O")


def test_a_result_is_told_at_the_address_of_a_card(page: DrivenPage, served: Served) -> None:
    path = evening(served, 1)
    page.open(at(served, path))
    page.open(at(served, f"{path.partition('?')[0]}/tarjetas"))
    address = page.wait("() => document.querySelector('.address').textContent.trim()")
    page.open(at(served, address[address.index("/m/") :]))
    if page.ask("() => document.querySelector('a.pick') !== null"):
        page.tap("a.pick")
    page.tap("form.scores button[name=score]")
    page.sees(".said")


def test_a_replay_goes_step_by_step(page: DrivenPage, served: Served) -> None:
    club = Club(served)
    where = club.encuentro()
    club.record(where, *OPENED, *TRICK)
    page.open(at(served, f"/repeticion/{where}/1"))
    page.sees(".replay .felt")
    before = int(page.ask(_STEP).partition("/")[0])
    page.tap(".replay button.on")
    wait_for(lambda: int(page.ask(_STEP).partition("/")[0]) == before + 1, "the next step")
    page.tap(".replay button.last")
    page.wait("() => document.querySelector('.replay button.on') !== null")
    assert page.ask(_STEP) == "6 / 6"


@NEEDS_ENGINE
def test_a_saved_file_works_out_a_whole_deal_in_workers_of_its_own(
    page: DrivenPage, tmp_path: Path
) -> None:
    player = Player(profile_by_id_at_edition("sin-mazo").options(4), 1, observed=True)
    player.breaches_left = 2
    player.partida()
    page.open(f"{saved_file(tmp_path, 'sin-mazo', 4, player.acts).as_uri()}#linea=3")
    page.wait("() => document.querySelectorAll('.leads circle').length === 40")
