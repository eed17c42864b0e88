"""Confirmation by the other side on a phone: without an account, and only with its code."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http.languages import say
from tests.api.cases.test_cases import ANA
from tests.api.results.test_results import Finished
from tests.support.servers.http_table import HttpTable


class Reported(Finished):
    """An encuentro whose result side A reported; side B has its code."""

    def __init__(self, table: HttpTable) -> None:
        super().__init__(table)
        assert self.post("result/reports", {"by": ANA, "side": "A"}).status_code == 200
        self.code: str = self.post("result/codes", {"side": "B"}).json["code"]
        self.page = f"/r/{self.where.rpartition('/')[2]}"
        self.result  # the read side has it  # noqa: B018

    def form(self) -> dict[str, str]:
        text = self.table.client.get(self.page).text
        found = re.search(r'name="key" value="(\w+)"', text)
        return {"seat": "B1", "code": self.code, "key": found[1] if found else "k"}

    def agreed(self, **changed: str) -> Any:
        answer = self.table.client.post(self.page, data={**self.form(), **changed})
        if answer.status_code == 303:
            self.table.client.get(answer.headers["Location"])  # it waits until the result is read
        return answer


@pytest.fixture
def reported(table: HttpTable) -> Reported:
    return Reported(table)


def test_a_side_agrees_with_its_code_and_no_account(reported: Reported) -> None:
    page = reported.table.client.get(reported.page).text
    assert "Blas" in page
    assert 'value="A1"' not in page  # who reported need not agree
    assert reported.agreed(code=reported.code.lower()).status_code == 303
    assert reported.result["stage"] == "confirmed"
    by_code = reported.result["confirmed"][0]
    assert by_code["side"] == "B"
    after = reported.table.client.get(reported.page).text
    assert 'method="post"' not in after
    assert say("result.confirmed", "es") in after


def test_a_wrong_code_agrees_to_nothing_and_soon_has_to_wait_and_a_right_one_never(
    reported: Reported,
) -> None:
    for _ in range(5):
        wrong = reported.agreed(code="2222-2222")
        assert wrong.status_code == 409
        assert "Esa clave no es la de Blas y Diego." in wrong.text
    assert reported.agreed(code="2222-2222").status_code == 429
    assert reported.result["stage"] == "provisional"
    assert reported.agreed().status_code == 303
    assert reported.result["stage"] == "confirmed"


def test_the_length_of_the_log_is_not_disclosed_there(reported: Reported) -> None:
    stranger = reported.table.app.test_client()
    answers = [stranger.get(f"{reported.page}?wait={far}") for far in ("1", "999999")]
    assert [answer.status_code for answer in answers] == [200, 200]


def test_a_form_sent_twice_agrees_once(reported: Reported) -> None:
    form = reported.form()
    answers = [reported.table.client.post(reported.page, data=form) for _ in "12"]
    assert [answer.status_code for answer in answers] == [303, 303]
    reported.table.client.get(answers[0].location)  # it waits until the result is read
    assert len(reported.result["confirmed"]) == 1


@pytest.mark.parametrize("changed", [{"seat": "Z9"}, {"seat": ""}, {"code": ""}, {"key": ""}])
def test_a_form_of_somebody_else_is_refused(reported: Reported, changed: dict[str, str]) -> None:
    assert reported.agreed(**changed).status_code == 400
    assert reported.result["stage"] == "provisional"


def test_who_reported_cannot_agree_with_himself(reported: Reported) -> None:
    own = reported.post("result/codes", {"side": "A"}).json["code"]
    assert reported.agreed(seat="A2", code=own).status_code == 409
    assert reported.result["stage"] == "provisional"


def test_another_site_cannot_agree_for_anybody(reported: Reported) -> None:
    sent = reported.table.client.post(
        reported.page, data=reported.form(), headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert sent.status_code == 403
    assert reported.result["stage"] == "provisional"


def test_there_is_nothing_to_agree_to_before_a_report(table: HttpTable) -> None:
    finished = Finished(table)
    assert finished.result["stage"] == "provisional"
    page = table.client.get(f"/r/{finished.where.rpartition('/')[2]}").text
    assert say("page.confirm_nothing", "es") in page
