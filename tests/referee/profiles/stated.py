"""Options as the law settles them for each profile, and what a table of that profile notes.

A test of an option plays a few acts at tables of the profiles and tells, from what happens, which
value the option must have. It is compared with the table of the law, not with the profile.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from referee.events import TableAct
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from tests.referee.rules.test_profiles import BY_PLAYERS, COLUMNS, SIX_AND_STOCK, cells, written
from tests.support.records.table_text import dealt, draws, given, plays

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
LOST = plays("A1 6C, B1 3C, A2 7C, B2 CC")
DRAWN = draws("A1, B1, A2, B2")
FOUR_TRICKS = [
    *WON,
    *plays("A1 3C, B1 6C, A2 7C, B2 CC, A1 AE, B1 2E, A2 4E, B2 5E, A1 3E, B1 6E, A2 7E, B2 CE"),
]
"""A1 takes all of them; where there is a stock, B2 draws its last card."""


def tables_stating(
    option: str, *, without: Iterable[str] = (), players: int = 4
) -> pytest.MarkDecorator:
    """Profiles whose paper, or the law for ``club``, settles an option, each with its value.

    ``without``: profiles at whose tables the option decides nothing, since another one rules it out.
    """
    rows = {
        name: written(cell, club)[0]
        for each, name, cell, club in cells()
        if each == option and not cell.endswith("(s)") and cell != "-"
    }
    if option in SIX_AND_STOCK:
        values = {name: BY_PLAYERS.get((name, players), SIX_AND_STOCK) for name in COLUMNS}
        rows = {
            name: str(found[option])
            for name, found in values.items()
            if players in profile(name).players
        }
    found = [
        pytest.param((name, players), value, id=name)
        for name, value in rows.items()
        if name not in without
    ]
    return pytest.mark.parametrize(("options", "value"), found, indirect=["options"])


def finds(options: Options, rule: Rule, *said: TableAct, dealer_due: str = "") -> bool:
    """Whether the last of these acts is recorded with a finding of this rule."""
    scene = given(options, *said, dealer_due=dealer_due)
    return any(one.rule == rule and one.line == scene.state.version for one in scene.table.findings)


def flag(is_so: object) -> str:
    """How a yes or a no is written in the table of the law."""
    return str(bool(is_so)).lower()


def deal_until_arrastre(options: Options) -> list[TableAct]:
    """A deal until A1 has taken a trick with nothing left to draw."""
    return [*dealt(), *FOUR_TRICKS, *(DRAWN if options.has_stock else [])]
