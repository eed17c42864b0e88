"""The table of forgeries of ``docs/operating/forgeries.md``, from the tests that commit them.

``PYTHONPATH=. python docs/generate_forgeries.py`` writes it between its two marks.
"""

from __future__ import annotations

from pathlib import Path

from tests.api.cli.house_forgeries import ACCOUNTS, NAMES, RECEIPTS, VIEWS
from tests.referee.audit.test_attacks import ATTACKS

PAGE = Path(__file__).resolve().parent / "operating" / "forgeries.md"
BEGIN = "<!-- forgeries: written by docs/generate_forgeries.py -->\n"
END = "<!-- end of forgeries -->\n"
HOUSE = "`guinote verify`"
INSIDE = "`guinote audit verify`"
OUTSIDE = "`guinote audit verify --key … --checkpoint …`"
_GROUPS = {
    "`log.sqlite`, receipts": RECEIPTS,
    "`views.sqlite`": VIEWS,
    "`persons.sqlite`": NAMES,
    "`access.sqlite`": ACCOUNTS,
}


def table() -> str:
    """A row for each forgery: the file, what is forged, the command that finds it, its code."""
    rows = ["| where | what | found by | as |", "|---|---|---|---|"]
    for name, (_, code, is_found_inside) in ATTACKS.items():
        command = INSIDE if is_found_inside else OUTSIDE
        rows.append(f"| the log | {name} | {command} | `{code}` |")
    for where, forgeries in _GROUPS.items():
        rows += [
            f"| {where} | {name} | {HOUSE} | `{code}` |" for name, (_, code) in forgeries.items()
        ]
    return "\n".join(rows) + "\n"


def written() -> str:
    """The whole page."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
