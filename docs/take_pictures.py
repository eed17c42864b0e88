"""Pictures of the README: a table on the tablet, and the board on the wall.

``PYTHONPATH=. python docs/take_pictures.py`` takes them from a server of its own, in Chromium.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browser.in_browser import running
from tests.support.browser.pages import TABLET, site, visiting
from tests.support.servers.served import Served

PICTURES = Path(__file__).parent / "pictures"
WALL = {"viewport": {"width": 1280, "height": 720}}
RECORD = """\
[Guinote "1"]
[Profile "club"]
[Edition "2026-1"]
[Players "4"]
[Deck "40"]
[Place "Casino de la Unión, Barbastro"]
[Date "2026-03-14"]
[A1 "Pilar"]
[B1 "Andrés"]
[A2 "Joaquín"]
[B2 "Nieves"]

partida 1
resultado A idas A 112 B 38

partida 2
resultado B cantada A 84 B 106

partida 3
reparto B2 corte 10
pinta SB
A1 CE  B1 5E  A2 3C  B2 AC
+ A1 ?  B1 ?  A2 ?  B2 ?
A1 6B  B1 7O  A2 3B  B2 CC
+ A2 ?  B2 ?  A1 ?  B1 ?
A2 3O  B2 6C  A1 7C  B1 AB
cambia B1 7B
canta B2 espadas
+ B1 ?  A2 ?  B2 ?  A1 ?
B1 2O  A2 CB
"""


def record_a_table(served: Served) -> str:
    """Id of an encuentro in its third partida."""
    file = served.folder / "table.guinote"
    file.write_text(RECORD, encoding="utf-8")
    command = (sys.executable, "-m", "api.cli", "--data", served.folder, "import", file)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own command
    return str(json.loads(done.stdout)["encuentro"])


def take(browser: Browser, served: Served) -> None:
    """Both pictures."""
    encuentro = record_a_table(served)
    with visiting(
        browser, served, f"/arbitro/#/mesa/{encuentro}", signed_in=True, **TABLET
    ) as page:
        expect(page.locator(".felt").first).to_be_visible()
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURES / "table.png")
    with visiting(browser, served, f"/mesa/{encuentro}", **WALL) as page:
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURES / "board.png")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        site(Path(folder)) as served,
        running() as browser,
    ):
        take(browser, served)
