"""Who sees the record of a decided partida, as the club chose: everybody, who has the code, the club."""

from __future__ import annotations

from uuid import UUID

import pytest

from api.html.qr_codes import qr_response
from tests.api.door.test_door import RENUNCIO
from tests.api.replay.test_rest import disputed
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

SETTINGS = "/api/v1/settings"


@pytest.fixture
def partida(table: HttpTable) -> str:
    """Path of a decided partida."""
    found = disputed(table)
    assert table.record(found, 10, RENUNCIO).status_code == 200
    return found


def chosen(table: HttpTable, audience: str) -> None:
    version = table.get(SETTINGS).json["version"]
    body = {"record_audience": audience}
    assert table.post(SETTINGS, body, version).status_code == 200


def addresses_of(partida: str) -> list[str]:
    """Everything that shows the record."""
    encuentro = partida.split("/")[4]
    door, replay = f"/encuentro/{encuentro}", f"/repeticion/{encuentro}/1"
    return [door, f"{door}/fichero", replay, f"{replay}/fichero", f"{partida}/reel"]


def seen(client: object, partida: str) -> list[bool]:
    return [client.get(one).status_code == 200 for one in addresses_of(partida)]


def test_everybody_sees_records_of_a_club_that_chose_nothing(table: HttpTable, partida: str):
    assert table.get(SETTINGS).json["record_audience"] == "everybody"
    assert all(seen(table.app.test_client(), partida))


def test_of_a_club_that_shows_them_to_itself_nobody_else_sees_any(table: HttpTable, partida: str):
    chosen(table, "club")
    encuentro = partida.split("/")[4]
    code = table.app.extensions["guinote"]().addresses.secret_code_of_record(UUID(encuentro).hex)
    nobody = table.app.test_client()
    assert nobody.get(f"/encuentro/{encuentro}?c={code}").status_code == 302
    assert not any(seen(nobody, partida))
    board = nobody.get(f"/mesa/{encuentro}?wait=60")
    assert board.status_code == 200
    assert f"/encuentro/{encuentro}" not in Html(board.text).values("a", "href")
    assert table.get(f"{partida}/reel").status_code == 200


def test_the_code_opens_the_record_of_its_encuentro_and_no_other(table: HttpTable, partida: str):
    chosen(table, "with_code")
    other = disputed(table)
    assert table.record(other, 10, RENUNCIO).status_code == 200
    encuentro = partida.split("/")[4]
    table.client.post("/entrar", data={"token": table.token})
    picture = table.client.get(f"/encuentro/{encuentro}/qr.svg").text
    code = table.app.extensions["guinote"]().addresses.secret_code_of_record(UUID(encuentro).hex)
    address = f"http://localhost/encuentro/{encuentro}?c={code}"
    with table.app.test_request_context():
        assert picture == qr_response(address).get_data(as_text=True)
    phone = table.app.test_client()
    assert not any(seen(phone, partida))
    assert phone.get(f"{address[:-4]}AAAA").status_code == 302
    assert phone.get(address).status_code == 200
    assert all(seen(phone, partida)), "the browser keeps the code"
    assert not any(seen(phone, other))
    assert not any(seen(table.app.test_client(), partida))
