"""The forms of the tablet, filled in with taps."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.events import CardPlayed, DealStarted, PintaTurned, TableAct
from tests.support.browser.keying import Keying, expect, first_deal, played
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.servers.http_table import NAMES

SEATS = ("A1", "B1", "A2", "B2")


def dealt(*cards: str, dealer: str = "B2") -> list[TableAct]:
    """A deal of oros, and these cards laid one after the other in the first trick and those that A1 leads."""
    plays = [CardPlayed(SEATS[place % 4], card) for place, card in enumerate(cards)]
    return [DealStarted(dealer), PintaTurned("7O"), *plays]


TRICK = dealt("AC", "2C", "4C", "5C")


def more(keying: Keying, kind: str) -> None:
    """Open a form of the less frequent acts."""
    keying.tap(keying.button("Más"))
    entry = "misdeal" if kind == "wrong_deal" else kind
    keying.tap(keying.sheet(f'[data-kind="{entry}"]'))
    if kind == "wrong_deal":
        keying.tap(keying.button("Se sigue jugando"))


def among(keying: Keying, group: str, choice: str) -> Any:
    """A button of a group of the open sheet."""
    found = keying.page.locator("dialog.sheet").get_by_role("group", name=group, exact=True)
    return found.get_by_role("button", name=choice, exact=True)


def trick(keying: Keying, number: int) -> Any:
    """A trick in the open sheet, which is chosen by its cards."""
    return keying.sheet(f'[aria-label="Baza"] [data-trick="{number}"]')


def choose(keying: Keying, **choices: str) -> None:
    """A choice in each of these groups; `_` stands for a space."""
    for group, choice in choices.items():
        keying.tap(among(keying, group.replace("_", " "), choice))


def cards(keying: Keying, *tokens: str) -> None:
    """Cards of the pad in the open sheet."""
    for card in tokens:
        keying.tap(keying.sheet(f'.pad [data-card="{card}"]'))


def note(keying: Keying) -> None:
    """Record the form."""
    keying.tap(keying.sheet("form .main"))
    expect(keying.page.locator("dialog.sheet")).to_have_count(0)


def recorded(keying: Keying) -> list[dict[str, Any]]:
    """Acts that the server has."""
    keying.view()
    return [one["act"] for one in keying.club.partidas(keying.encuentro)[0]["entries"]]


def findings(keying: Keying) -> list[tuple[str, str]]:
    """What the service noticed."""
    return [(one["seat"], one["rule"]) for one in keying.view()["findings"]]


def in_vueltas_with_renuncios_of_all_deals(club: Club) -> str:
    """Id of an encuentro in its second deal, where a renuncio of the first one may still be denounced."""
    changes = {"renuncio_until": "end_of_partida"}
    rules = {"id": "club", "as": {"id": "casa", "edition": "1"}, "changes": changes}
    seats = {seat: {"name": NAMES[seat]} for seat in SEATS}
    body = {"profile": rules, "players": 4, "seats": seats}
    encuentro = str(club.ask("POST", ENCUENTROS, body)["id"])
    club.ask("POST", f"{ENCUENTROS}/{encuentro}/partidas", {}, 2)
    acts, _ = played(lambda account: len(account.takers) > 1)
    acts = acts[: len(first_deal(acts)) + 2 + 2 * len(SEATS)]
    club.record(encuentro, *map(msgspec.to_builtins, acts))
    return encuentro
