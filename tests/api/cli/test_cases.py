"""Cases on the command line, as the service recorded them."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from tests.api.cases.test_cases import BLAS, OTRO, confirmed, dispute, of, ruling, verdict
from tests.api.cli.test_cli import guinote, lines
from tests.support.servers.http_table import HttpTable, card, deal, pinta

ARTICLE = {"kind": "article", "option": "renuncio_penalty", "basis": "stated"}


def test_each_case_says_how_it_stands(table: HttpTable, tmp_path: Path) -> None:
    partida = table.partida()
    table.record(partida, 0, deal(), pinta(), card("A1", "AC"))
    encuentro = of(partida).rpartition("/")[2]
    assert guinote("cases", encuentro, data=tmp_path) == (0, "", "")
    first = dispute(table, partida)
    confirmed(table, f"{first}/ruling", ruling(verdict=verdict("warning", side="B")))
    second = dispute(table, partida, side="B", by=BLAS, lines=[])
    code, output, _ = guinote("cases", encuentro, data=tmp_path)
    assert code == 0
    ruled, opened = lines(output)
    assert ruled == {
        "case": 1,
        "partida": 1,
        "lines": [3],
        "side": "A",
        "state": "ruled",
        "ruling": "warning",
        "article": {"kind": "sovereign"},
        "warnings": [{"side": "B", "line": 4}],
    }
    assert (opened["case"], opened["state"], opened["side"]) == (2, "open", "B")
    assert (opened["ruling"], opened["article"], opened["warnings"]) == (None, None, [])
    body = ruling(by=OTRO, verdict=verdict("none", ground=ARTICLE))
    assert confirmed(table, f"{second}/ruling", body).status_code == 200
    cited = lines(guinote("cases", encuentro, data=tmp_path)[1])[1]["article"]
    assert cited == {**ARTICLE, "profile": "club", "section": ""}


def test_a_missing_case_is_reported_in_one_line(table: HttpTable, tmp_path: Path) -> None:
    table.encuentro()
    code, output, said = guinote("cases", str(UUID(int=9)), data=tmp_path)
    assert (code, output, said) == (1, "", f"Error: no encuentro {UUID(int=9)}\n")
    code, output, said = guinote("cases", str(UUID(int=9)), data=tmp_path / "empty")
    assert (code, output) == (1, "")
    assert said.startswith("Error: no log ")
