"""The acta is signed and reopened from its own page, by officials."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http.languages import say
from tests.api.cases.test_cases import ANA
from tests.api.results.test_results import AtDesk
from tests.support.servers.http_table import HttpTable

OURS = {"Sec-Fetch-Site": "same-origin"}
HIDDEN = re.compile(r'name="(key|version)" value="(\w+)"')


class Signing(AtDesk):
    """A decided encuentro, and the page that signs its acta."""

    def __init__(self, table: HttpTable) -> None:
        super().__init__(table, "firma")

    def page(self) -> str:
        """The page, with all that was written before."""
        return str(self.official.get(f"{self.path}?wait={self.table.position}").text)

    def send(self, what: str = "", **typed: str) -> Any:
        """The answer to the form of the page."""
        form = {**dict(HIDDEN.findall(self.page())), **typed}
        answer = self.official.post(f"{self.path}{what}", data=form, headers=OURS)
        self.table.position = self.table.app.extensions["guinote"]().referee.position()
        return answer


@pytest.fixture
def signing(table: HttpTable) -> Signing:
    return Signing(table)


def test_an_acta_is_signed_then_reopened_by_two(signing: Signing) -> None:
    signing.post("result/reports", {"by": ANA, "side": "A"})
    signing.post("result/confirmations", {"by": {"name": "Blas"}, "side": "B"})
    assert say("signing.agreed", "es") in signing.page()
    signed = signing.send(by="Julia Vera")
    assert signed.status_code == 303
    assert signing.result["stage"] == "official"
    acta = signing.official.get(signed.location).text
    assert "Julia Vera" in acta
    assert say("signing.reopen", "es") in acta

    alone = signing.send("/reapertura", by="Julia Vera", second="Julia Vera", because="Error.")
    assert (alone.status_code, signing.result["stage"]) == (409, "official")
    assert say("rule.same-person", "es") in alone.text
    assert "Error." in alone.text  # what was typed is still there
    two = signing.send("/reapertura", by="Julia Vera", second="Rosa Gil", because="Error.")
    assert (two.status_code, signing.result["stage"]) == (303, "provisional")
    reopened = signing.official.get(two.location).text
    assert "Rosa Gil" in reopened
    assert "Error." in reopened


def test_without_the_agreement_of_a_side_the_reason_is_said(signing: Signing) -> None:
    signing.post("result/reports", {"by": ANA, "side": "A"})
    page = signing.page()
    assert say("signing.missing", "es") in page
    assert "Blas" in page.split(say("signing.missing", "es"))[1].split("</p>")[0]
    refused = signing.send(by="Julia Vera")
    assert (refused.status_code, signing.result["stage"]) == (409, "provisional")
    assert signing.send(by="Julia Vera", because="Se fueron.").status_code == 303
    assert signing.result["stage"] == "official"


def test_what_cannot_be_signed_says_why(signing: Signing) -> None:
    opened = {"by": ANA, "side": "A", "partida": 1, "because": "Un renuncio."}
    signing.post("cases", opened)
    page = signing.page()
    assert say("signing.case_first", "es") in page
    assert 'name="key"' not in page
    playing = signing.table.encuentro()
    path = f"/e/{playing.rpartition('/')[2]}/firma"
    unfinished = signing.official.get(f"{path}?wait={signing.table.position}").text
    assert say("rule.result-open", "es") in unfinished
    assert 'name="key"' not in unfinished


def test_a_form_that_was_overtaken_signs_nothing(signing: Signing) -> None:
    old = dict(HIDDEN.findall(signing.page()))
    signing.post("result/reports", {"by": ANA, "side": "A"})
    form = {**old, "by": "Julia Vera", "because": "Se fueron."}
    late = signing.official.post(signing.path, data=form, headers=OURS)
    assert (late.status_code, signing.result["stage"]) == (412, "provisional")
    assert "Se fueron." in late.text


def test_only_officials_sign(signing: Signing) -> None:
    scorer = signing.table.scorer(signing.where)
    assert scorer.get(signing.path).status_code == 403
    for what in ("", "/reapertura"):
        form = {"key": "k" * 16, "version": "1", "by": "Ana"}
        assert scorer.post(f"{signing.path}{what}", data=form, headers=OURS).status_code == 403


def test_where_two_are_wanted_who_signed_does_not_reopen(signing: Signing) -> None:
    required = {"four_eyes": "required"}
    assert signing.table.post("/api/v1/settings", required, 0).status_code == 200
    assert signing.send(by="Julia Vera", because="Se fueron.").status_code == 303
    again = signing.send("/reapertura", by="Julia Vera", second="Rosa Gil", because="Error.")
    assert (again.status_code, signing.result["stage"]) == (409, "official")
    assert say("rule.same-principal", "es") in again.text
