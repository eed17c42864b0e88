"""An app takes a code and gets a token, which says what it may do and can be revoked."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.access.keys import Offer
from referee.aggregates.access import OWNER
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

PAIRINGS = "/api/v1/pairings"


@pytest.fixture
def table(tmp_path: Path):
    with kept_table(tmp_path) as made:
        yield made


def code_of(table: HttpTable, encuentro: str) -> str:
    offer = Offer("scorer", encuentro, OWNER)
    return str(table.app.extensions["guinote"]().admission.make_offer("pairing", offer))


def test_the_token_opens_what_was_offered_until_it_is_revoked(table: HttpTable) -> None:
    mine, other = (table.encuentro().rpartition("/")[2] for _ in range(2))
    code = code_of(table, mine)
    visitor = table.app.test_client()
    paired = visitor.post(PAIRINGS, json={"code": f"{code[:4]}-{code[4:]}".lower()})
    assert paired.status_code == 201
    assert (paired.json["role"], paired.json["encuentro"]) == ("scorer", mine)
    assert paired.json["lasts_s"] == 90 * 24 * 3600
    shown = {"Authorization": f"Bearer {paired.json['token']}"}
    read = [visitor.get(f"/api/v1/encuentros/{one}", headers=shown) for one in (mine, other)]
    assert [one.status_code for one in read] == [200, 403]
    assert paired.json["device"][:4] in table.get("/casa").text
    ended = table.client.post(f"/casa/{paired.json['device']}/baja", headers=table.owner())
    assert ended.status_code < 400
    assert visitor.get(f"/api/v1/encuentros/{mine}", headers=shown).status_code == 401


def test_a_code_is_good_once(table: HttpTable) -> None:
    code, visitor = code_of(table, table.encuentro().rpartition("/")[2]), table.app.test_client()
    assert visitor.post(PAIRINGS, json={"code": code}).status_code == 201
    again = visitor.post(PAIRINGS, json={"code": code})
    assert again.status_code == 422
    assert again.json["codes"] == {"json": {"code": ["no_code"]}}
