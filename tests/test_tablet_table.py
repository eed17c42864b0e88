"""A table on the tablet: keyed in by taps in a real browser, over a real server."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from referee.events import TableAct
from referee.rules.options import Options
from referee.rules.profile import profile
from tests.dealt_out import Account, Player
from tests.in_browser import running
from tests.keying import NAMES, Keying
from tests.pages import TABLET, site, visiting
from tests.served import Served

_keys = itertools.count(1)
VIEWS = "/api/v1/encuentros"
PATIENCE_S = 20


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


def ask(served: Served, method: str, path: str, body: Any = None, **headers: str) -> dict[str, Any]:
    """What the service answers to the owner; it does as it is asked."""
    sent = {
        "Authorization": f"Bearer {served.token}",
        "Idempotency-Key": f"tablet-test-{next(_keys)}",
        **headers,
    }
    status, content = served.ask(method, path, body, sent)
    assert status in (200, 201), content
    return content


def opened(served: Served, options: Options, name: str, dealer: str) -> str:
    """Id of a new encuentro at which a seat was drawn to deal first."""
    seats = Player(options, 0).seats
    body = {
        "profile": {"id": name},
        "players": options.players,
        "deck": options.deck,
        "seats": {seat: {"name": NAMES[seat]} for seat in seats},
    }
    answer = ask(served, "POST", VIEWS, body)
    others = [seat for seat in seats if seat != dealer]
    cards = dict(zip([dealer, *others], ["AO", "2C", "4E", "5B"], strict=False))
    draw = {
        "method": "a_la_mas_alta",
        "purpose": "dealer",
        "candidates": list(seats),
        "cards": [[seat, cards[seat]] for seat in seats],
    }
    match = f'"{answer["version"]}"'
    ask(served, "POST", f"{VIEWS}/{answer['id']}/draws", draw, **{"If-Match": match})
    return str(answer["id"])


@contextmanager
def table(
    browser: Browser,
    served: Served,
    name: str = "club",
    players: int = 4,
    deck: int | None = None,
    dealer: str = "",
    **settings: Any,
) -> Iterator[tuple[Keying, str]]:
    """The page of a new table, its first partida begun."""
    options = profile(name).options(players, deck)
    encuentro = opened(served, options, name, dealer or Player(options, 0).seats[-1])
    where = f"/arbitro/#/mesa/{encuentro}"
    with visiting(browser, served, where, signed_in=True, **{**TABLET, **settings}) as page:
        page.get_by_role("button", name="Empezar la primera partida").tap()
        expect(page.locator(".table .pad")).to_be_visible()
        yield Keying(page), f"{VIEWS}/{encuentro}"


def played(
    name: str, players: int, deck: int | None, wanted: Callable[[Account], bool]
) -> tuple[list[TableAct], Account]:
    """A partida played out by chance that ends as wanted."""
    options = profile(name).options(players, deck)
    for seed in itertools.count():
        player = Player(options, seed, observed=True)
        acts = player.partida()
        if wanted(player.account):
            return acts, player.account
    raise AssertionError


def told(served: Served, address: str) -> dict[str, Any]:
    """The official view of the first partida, once it is decided there too."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        view = ask(served, "GET", f"{address}/partidas/1")
        if view["decided"]:
            return view
        time.sleep(0.1)
    raise AssertionError(view)


def test_a_partida_with_vueltas_takes_a_tap_a_card(browser: Browser, served: Served) -> None:
    def is_wanted(account: Account) -> bool:
        return account.how == "claim" and sum(account.cantes.values()) > 0

    acts, account = played("club", 4, 40, is_wanted)
    happened = Counter(type(act).__name__ for act in acts)
    with table(browser, served, dealer=acts[0].dealer) as (keying, address):
        keying.acts(acts)
        expect(keying.page.locator(".decided h2")).to_be_visible()
        assert keying.taps == {
            "pinta": happened["PintaTurned"],
            "card": happened["CardPlayed"],
            "cante": 2 * happened["CanteAnnounced"],
            "swap": 2 * happened["PintaSwapped"],
            "claim": 2,
        }
        view = told(served, address)
        assert (view["decided"]["winner"], view["decided"]["how"]) == (account.winner, "claim")
        assert view["totals"] == account.totals(profile("club").options(4, 40))
