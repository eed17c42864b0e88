"""Tables in every state that the tablet shows, with long names, and the sheets that open there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
from playwright.sync_api import Page

from referee.events import (
    DealStarted,
    PintaTurned,
    PlaySuspended,
    RenuncioDenounced,
    ResultEntered,
    TableAct,
)
from referee.rules.profile.profile import profile
from referee.rules.seats import SEATS
from tests.support.browser.keying import first_deal, opened, played
from tests.support.browser.tablets import ENCUENTROS, Club
from tests.support.records.table_text import plays

LONG_NAMES = {
    "A1": "María Pilar Ezquerra",
    "B1": "José Antonio Lahoz",
    "A2": "Montserrat Casanovas",
    "B2": "Jean-Christophe Delacroix",
    "C1": "Concepción Marraco",
}
CLUB = ("club", 4, 40)
NO_STOCK = ("sin-mazo", 4, 40)
"""Its renuncios cost the partida when they are proved."""
OF_SHEET = "dialog.sheet[open]"
MORE = ".bar > button:last-of-type"
OPENED: list[TableAct] = [DealStarted("B2"), PintaTurned("7O")]
TRICK = [*OPENED, *plays("A1 AC, B1 2C, A2 4C, B2 5C")]
NEXT_TRICK = [*TRICK, *plays("A1 3E, B1 2E")]
UNFOLLOWED = [*OPENED, *plays("A1 2C, B1 3C, A2 AB, B2 5C")]
"""Ten cards each, trump oros. A2 does not follow, at line 5; what proves it, no slip explains."""
SHOWN = plays("B1 2B, A2 RC, B2 4B, A1 5B, A1 4E, B1 5E, A2 7C, B2 6E, A1 3B")
WON = ResultEntered("A", "claim", {"A": 104, "B": 77}, "")


@dataclass(frozen=True)
class TableState:
    """A table at which this happened; ``taps`` follow, and then ``shows`` is on the page."""

    name: str
    acts: Sequence[TableAct] = ()
    taps: Sequence[str] = ()
    shows: str = ".table .bar"
    of: tuple[str, int, int] = CLUB
    is_drawn: bool = True
    partidas: Sequence[ResultEntered | None] = (None,)


def states() -> Iterator[TableState]:
    """Every state of a table, without sheets."""
    yield TableState("not-begun", shows=".table.empty .next", partidas=())
    yield TableState("who-deals", is_drawn=False)
    yield TableState("pinta", shows=".seat.turn")
    yield TableState("dealt", OPENED)
    yield TableState("trick", NEXT_TRICK)
    yield TableState("last-trick", NEXT_TRICK, [".felt .last"], ".last[aria-pressed=true]")
    yield TableState("full-trick", TRICK)
    yield TableState("out-of-turn", NEXT_TRICK, ['.seat[data-seat="B1"]'], ".seat.chosen")
    yield TableState("correcting", NEXT_TRICK, [".felt .play"], ".prompt.asks")
    yield TableState("findings", [*NEXT_TRICK, *plays("B2 6E")], shows=".bar .quiet")
    yield TableState("suspended", [*NEXT_TRICK, PlaySuspended("")], shows=".prompt .main")
    yield TableState("asked", [*UNFOLLOWED, *SHOWN], shows=".asked", of=NO_STOCK)
    yield from _of_a_whole_partida()
    for of in (("club", 2, 40), ("guinyot", 3, 40), ("escuela", 4, 48), ("baraja-francesa", 4, 40)):
        acts, _ = played(of=of)
        yield TableState("-".join(map(str, of)), acts[:9], of=of)


def _of_a_whole_partida() -> Iterator[TableState]:
    acts, _ = played(lambda account: account.how == "claim" and account.winner == "A")
    first = first_deal(acts)
    start = len(first)
    yield TableState("between", first, shows=".count")
    yield TableState("between-last-trick", first, [".felt .last"], ".last[aria-pressed=true]")
    yield TableState("vueltas", acts[: start + 9], shows=".peek")
    yield TableState("vueltas-full-trick", acts[: start + 6], shows=".peek")
    yield TableState("arrastre", acts[:-6], shows=".peek")
    yield TableState("decided", acts, shows=".decided h2")
    yield TableState("decided-alone", [WON], shows=".decided h2")
    yield TableState("over", [WON], shows=".agreement [data-report]", partidas=(WON,) * 5 + (None,))


def sheets() -> Iterator[TableState]:
    """Every sheet of a table."""
    for name in ("cante", "swap", "claim", "log", "more"):
        place = ("cante", "swap", "claim", "log", "more").index(name) + 2
        yield TableState(name, NEXT_TRICK, [f".bar > button:nth-of-type({place})"], OF_SHEET)
    found = [*NEXT_TRICK, *plays("B2 6E")]
    yield TableState("findings", found, [".bar .quiet"], f"{OF_SHEET} .findings")
    seen = '.table > .pad [data-card="AC"]'
    yield TableState("seen", NEXT_TRICK, [seen], f"{OF_SHEET} [data-slip]")
    other = [".felt .last", '.felt .play[data-card="2C"]', '.table > .pad [data-card="3O"]']
    yield TableState("confirm", NEXT_TRICK, other, f"{OF_SHEET} .changes li")
    look = [".asked .main"]
    yield TableState("ask", [*UNFOLLOWED, *SHOWN], look, f"{OF_SHEET} .findings", of=NO_STOCK)
    denounced = [*NEXT_TRICK, RenuncioDenounced("A1", "B2", 1)]
    log = [".bar > button:nth-of-type(5)", f"{OF_SHEET} .acts li:last-child button"]
    yield TableState("accused", denounced, log, f"{OF_SHEET} .accused[data-from=service]")
    for kind in ("denounce", "show", "misdeal", "incident", "wrong_draw"):
        form = f'{OF_SHEET} [data-kind="{kind}"]'
        yield TableState(kind, NEXT_TRICK, [MORE, form], f"{OF_SHEET} form .main")
    yield TableState("result", (), [".bar > button:nth-of-type(2)"], f"{OF_SHEET} form.result")
    yield TableState("uncarded", (), [".bar > button:nth-of-type(3)"], OF_SHEET)


def made(club: Club, state: TableState) -> str:
    """Id of a new encuentro in that state."""
    name, players, deck = state.of
    options = profile(name).options(players, deck)
    dealer = SEATS[players][-1] if state.is_drawn else ""
    found = opened(club, name, options, dealer, LONG_NAMES)
    for number, result in enumerate(state.partidas, 1):
        version = (2 if state.is_drawn else 1) + number
        club.ask("POST", f"{ENCUENTROS}/{found}/partidas", {}, version)
        acts = state.acts if result is None else [result]
        for at in range(0, len(acts), 100):
            recorded = (msgspec.to_builtins(act) for act in acts[at : at + 100])
            club.record(found, *recorded, number=number)
    return found


def show(page: Page, state: TableState, encuentro: str) -> None:
    """Go from any view of the tablet to a table in this state; a click is enough where only the layout counts."""
    page.evaluate(_SHOW, [encuentro, list(state.taps), state.shows])


_SHOW = """async ([encuentro, taps, shows]) => {
  const there = async (css) => {
    for (const end = performance.now() + 30_000; performance.now() < end; await new Promise(requestAnimationFrame)) {
      const one = document.querySelector(css);
      if (one?.checkVisibility()) return one;
    }
    throw new Error(css);
  };
  location.hash = "#/";
  await there("main .club");
  location.hash = `#/mesa/${encuentro}`;
  await there("section.table");
  for (const tapped of taps) (await there(tapped)).click();
  await there(shows);
}"""
