"""A proof says in words where one principal did what is for two, in both verifiers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from api.http.languages import LANGUAGES, say
from tests.api.audit.test_proofs import sign
from tests.api.cases.test_cases import ANA, BLAS, JUEZ, OTRO, dispute, ruling
from tests.api.cli.test_cli import guinote
from tests.api.results.test_results import Finished
from tests.support.browser.in_browser import bring, found, opened
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path / "data") as found:
        yield found


OF_ONE = ["decided", "confirmed", "reopened"]


class Proved(Finished):
    """An encuentro confirmed, signed, reopened and signed; ``others``: the second of two."""

    def __init__(self, table: HttpTable, folder: Path, others: dict[str, str]) -> None:
        super().__init__(table)
        case = dispute(table, f"{self.where}/partidas/1", lines=[])
        table.post(f"{case}/ruling", {**ruling(), "partida_version": 0}, 1)
        table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2)
        decision = {"by": OTRO, "because": "Está visto.", "partida_version": 1}
        assert table.post(f"{case}/decision", decision, 3, **others).status_code == 200
        assert table.post(f"{case}/closing", {"by": JUEZ}, 4).status_code == 200
        for path, body, who in (
            ("reports", {"by": ANA, "side": "A"}, {}),
            ("confirmations", {"by": BLAS, "side": "B"}, others),
            ("signature", {"by": JUEZ}, {}),
            ("reopenings", {"by": {"name": "Rosa"}, "second": OTRO, "because": "Error."}, others),
            ("signature", {"by": JUEZ, "because": "Se fueron."}, {}),
        ):
            answer = self.post(f"result/{path}", body, **who)
            assert answer.status_code == 200, answer.text
        sign(folder)
        self.file = folder / "proof.json"
        self.file.write_bytes(table.get(f"{self.where}/proof").data)

    def verified(self) -> tuple[int, list[dict[str, Any]]]:
        """Exit code and lines of the program that verifies the file."""
        code, said, _ = guinote("audit", "verify", str(self.file))
        return code, [json.loads(line) for line in said.splitlines()]


def test_both_verifiers_say_it_in_words_and_find_no_difference(
    table: HttpTable, tmp_path: Path, browser: Browser
) -> None:
    proved = Proved(table, tmp_path, {})
    code, (*noted, total) = proved.verified()
    assert (code, total["differences"]) == (0, 0)
    assert [one["noted"] for one in noted] == OF_ONE
    words = [say(f"one_principal.{one['noted']}", "en", side=one["side"]) for one in noted]
    assert [one["words"] for one in noted] == words
    with opened(browser, offline=True) as page:
        bring(page, proved.file.read_bytes())
        assert found(page) == ("unaltered", [])
        for lang in LANGUAGES:
            page.select_option("#language", lang)
            steps = page.locator("#steps li[data-noted]")
            assert steps.all_inner_texts() == [
                say(f"one_principal.{one['noted']}", lang, side=one["side"]) for one in noted
            ]
            places = steps.evaluate_all("all => all.map((one) => one.dataset.index)")
            assert places == [str(one["index"]) for one in noted]


def test_of_two_principals_there_is_nothing_to_say(
    table: HttpTable, tmp_path: Path, browser: Browser
) -> None:
    proved = Proved(table, tmp_path, table.signed_in("arbiter"))
    proof = proved.file.read_bytes()
    code, (total,) = proved.verified()
    assert (code, total["differences"]) == (0, 0)
    with opened(browser, offline=True) as page:
        bring(page, proof)
        assert found(page) == ("unaltered", [])
        assert page.locator("#steps li[data-noted]").count() == 0


class Told(Finished):
    """A score told by a side, another entered officially and taken back, the first confirmed."""

    def __init__(self, table: HttpTable, folder: Path) -> None:
        self.table, self.where = table, table.encuentro()
        arbiter = table.signed_in("arbiter")
        for path, body, who in (
            ("scores", {"score": {"A": 2, "B": 0}, "side": "A", "by": ANA}, {}),
            ("scores", {"score": {"A": 0, "B": 2}}, arbiter),
            ("scores/withdrawal", {}, arbiter),
            ("confirmations", {"by": BLAS, "side": "B"}, {}),
            ("signature", {"by": JUEZ}, {}),
        ):
            answer = self.post(f"result/{path}", body, **who)
            assert answer.status_code == 200, (path, answer.text)
        sign(folder)
        self.file = folder / "proof.json"
        self.file.write_bytes(table.get(f"{self.where}/proof").data)


def test_a_score_that_was_taken_back_leaves_the_report_of_before_to_both_verifiers(
    table: HttpTable, tmp_path: Path, browser: Browser
) -> None:
    told = Told(table, tmp_path)
    code, said, _ = guinote("audit", "verify", str(told.file))
    *noted, total = [json.loads(line) for line in said.splitlines()]
    assert (code, total["differences"]) == (0, 0)
    assert [one["noted"] for one in noted] == ["confirmed"]
    with opened(browser, offline=True) as page:
        bring(page, told.file.read_bytes())
        assert found(page) == ("unaltered", [])
        page.select_option("#language", "es")
        assert page.locator("#steps li[data-noted]").all_inner_texts() == [
            say("one_principal.confirmed", "es", side="B")
        ]
        assert "Resultado final: 2–0" in (page.locator("body").text_content() or "")
