"""A proof says in words where one principal did what is for two, in both verifiers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.http.languages import LANGUAGES, say
from tests.api.audit.test_proofs import sign
from tests.api.audit.test_verifier import Verifier
from tests.api.cases.test_cases import ANA, BLAS, JUEZ, OTRO, dispute, ruling
from tests.api.cli.test_cli import guinote
from tests.api.results.test_results import Finished
from tests.support.javascript import node_page
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    with kept_table(tmp_path / "data") as found:
        yield found


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with node_page() as page:
        yield Verifier(page)


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
    table: HttpTable, tmp_path: Path, verifier: Verifier
) -> None:
    proved = Proved(table, tmp_path, {})
    code, (*noted, total) = proved.verified()
    assert (code, total["differences"]) == (0, 0)
    assert [one["noted"] for one in noted] == OF_ONE
    words = [say(f"one_principal.{one['noted']}", "en", side=one["side"]) for one in noted]
    assert [one["words"] for one in noted] == words
    seen = verifier.seen(proved.file.read_bytes())
    assert (seen["verdict"], seen["differences"]) == ("unaltered", [])
    for lang in LANGUAGES:
        assert verifier.in_language(lang)["noted"] == [
            [str(one["index"]), say(f"one_principal.{one['noted']}", lang, side=one["side"])]
            for one in noted
        ], lang


def test_of_two_principals_there_is_nothing_to_say(
    table: HttpTable, tmp_path: Path, verifier: Verifier
) -> None:
    proved = Proved(table, tmp_path, table.signed_in("arbiter"))
    proof = proved.file.read_bytes()
    code, (total,) = proved.verified()
    assert (code, total["differences"]) == (0, 0)
    seen = verifier.seen(proof)
    assert (seen["verdict"], seen["differences"], seen["noted"]) == ("unaltered", [], [])


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
    table: HttpTable, tmp_path: Path, verifier: Verifier
) -> None:
    told = Told(table, tmp_path)
    code, said, _ = guinote("audit", "verify", str(told.file))
    *noted, total = [json.loads(line) for line in said.splitlines()]
    assert (code, total["differences"]) == (0, 0)
    assert [one["noted"] for one in noted] == ["confirmed"]
    verifier.seen(told.file.read_bytes())
    seen = verifier.in_language("es")
    assert (seen["verdict"], seen["differences"]) == ("unaltered", [])
    assert [text for _, text in seen["noted"]] == [say("one_principal.confirmed", "es", side="B")]
    assert "Resultado final: 2–0" in seen["body"]
