"""Results over HTTP: reported, confirmed by the other side or with its code, contested, signed."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.articles import Rule
from tests.api.cases.test_cases import ANA, BLAS, JUEZ, OTRO, of
from tests.support.servers.http_table import HttpTable


class Finished:
    """An encuentro that is decided."""

    def __init__(self, table: HttpTable) -> None:
        self.table = table
        self.where = of(table.partida())
        body = {"winner": "A", "because": "Se fueron."}
        assert self.post("rulings", body).status_code == 200

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        version = self.table.get(self.where).json["version"]
        return self.table.post(f"{self.where}/{path}", body, version, **headers)

    @property
    def result(self) -> dict[str, Any]:
        return dict(self.table.get(self.where).json["result"])


class AtDesk(Finished):
    """A decided encuentro, and the browser of an official at a page of it."""

    def __init__(self, table: HttpTable, page: str) -> None:
        super().__init__(table)
        self.id = self.where.rpartition("/")[2]
        self.path = f"/e/{self.id}/{page}"
        self.official: Any = table.app.test_client()
        self.official.post("/entrar", data={"token": table.token})


@pytest.fixture
def finished(table: HttpTable) -> Finished:
    return Finished(table)


def test_a_result_is_confirmed_by_the_other_side_and_signed(finished: Finished) -> None:
    assert finished.result["stage"] == "provisional"
    ana = finished.post("result/reports", {"by": ANA, "side": "A"})
    assert ana.status_code == 200
    same = finished.post("result/confirmations", {"by": ANA, "side": "B"})
    assert same.json["code"] == Rule.SAME_PERSON.value
    unsigned = finished.post("result/signature", {"by": JUEZ})
    assert unsigned.json["code"] == Rule.RESULT_UNCONFIRMED.value
    other = finished.post("result/confirmations", {"by": BLAS, "side": "B"})
    assert other.status_code == 200
    assert finished.result["stage"] == "confirmed"
    assert finished.post("result/signature", {"by": JUEZ}).status_code == 200
    assert finished.result["stage"] == "official"
    late = finished.post("rulings", {"winner": "B", "because": "Me equivoqué."})
    assert late.json["code"] == Rule.ACTA_SIGNED.value
    body = {"by": JUEZ, "second": {"name": "julia juez"}, "because": "Error."}
    assert finished.post("result/reopenings", body).json["code"] == Rule.SAME_PERSON.value
    assert finished.post("result/reopenings", {**body, "second": OTRO}).status_code == 200
    assert finished.post("rulings", {"winner": "B", "because": "Error."}).status_code == 200


def test_or_with_a_code_that_is_shown_once_and_kept_as_a_hash(finished: Finished) -> None:
    key = finished.table.key()
    version = finished.table.get(finished.where).json["version"]
    address = f"{finished.where}/result/codes"
    given, again = (finished.table.post(address, {"side": "B"}, version, key) for _ in range(2))
    code = given.json["code"]
    assert (given.status_code, again.status_code, again.json["code"]) == (200, 200, None)
    assert finished.result["codes"] == ["B"]
    audit = finished.table.get(f"{finished.where}/audit").text
    assert code not in audit
    assert code.replace("-", "") not in audit
    finished.post("result/reports", {"by": ANA, "side": "A"})
    body = {"by": BLAS, "side": "B", "code": "2222-2222"}
    for _ in range(5):
        wrong = finished.post("result/confirmations", body)
        assert (wrong.status_code, wrong.json["code"]) == (409, Rule.CODE_WRONG.value)
    assert finished.post("result/confirmations", body).status_code == 429
    right = {**body, "code": code.lower()}
    assert finished.post("result/confirmations", right).status_code == 200


def test_a_code_is_read_however_it_is_written(finished: Finished) -> None:
    code = finished.post("result/codes", {"side": "B"}).json["code"]
    finished.post("result/reports", {"by": ANA, "side": "A"})
    body = {"by": BLAS, "side": "B", "code": code.replace("-", "").lower()}
    assert finished.post("result/confirmations", body).status_code == 200
    assert finished.result["confirmed"][0]["with"] == "code"
    nobody = {"by": OTRO, "side": "A", "code": code}
    assert finished.post("result/confirmations", nobody).status_code == 409


def test_a_contested_result_opens_a_case_that_holds_it_up(finished: Finished) -> None:
    body = {"by": BLAS, "side": "B", "because": "No es ese."}
    opened = finished.post("result/contests", body)
    assert opened.status_code == 201
    case = opened.headers["Location"]
    assert finished.table.get(case).json["partida"] == 1
    assert finished.result["stage"] == "disputed"
    held = finished.post("result/signature", {"by": JUEZ, "because": "Ya."})
    assert held.json["code"] == Rule.CASE_RUNNING.value
    closing = {"by": JUEZ, "because": "Lo retiran."}
    assert finished.table.post(f"{case}/closing", closing, 1).status_code == 200
    assert finished.post("result/signature", {"by": JUEZ, "because": "Ya."}).status_code == 200
