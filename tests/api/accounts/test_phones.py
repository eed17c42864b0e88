"""The page for the phones, and the word on sheets that no phone could open."""

from __future__ import annotations

import socket

import pytest

from api.http.access.reach import own_addresses
from tests.support.servers.accounts import PASSWORD, offered, owner
from tests.support.servers.http_table import HttpTable

SAME = {"Sec-Fetch-Site": "same-origin"}
ONLY_HERE = "Con esta dirección solo se abre en este ordenador"


def test_the_addresses_of_this_computer_are_its_own_and_not_loopback() -> None:
    for one in own_addresses():
        assert not one.startswith("127.")
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as asked:
            asked.bind((one, 0))


def seen(table: HttpTable, path: str, base_url: str) -> str:
    """A page as the owner sees it who opened the house by an address."""
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token}, base_url=base_url)
    return str(client.get(path, base_url=base_url).text)


def test_the_page_asks_who_may_come_in_and_keeps_it(table: HttpTable, port: int) -> None:
    here = f"http://127.0.0.1:{port}"
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token}, base_url=here)
    first = client.get("/casa/moviles", base_url=here).text
    assert 'value="here" checked' in first
    for choice in ("internet", "network"):
        answer = client.post("/casa/moviles", data={"reach": choice}, base_url=here, headers=SAME)
        assert answer.status_code == 303
        assert f'value="{choice}" checked' in client.get("/casa/moviles", base_url=here).text
    client.post("/casa/moviles", data={"reach": "everybody"}, base_url=here, headers=SAME)
    assert 'value="network" checked' in client.get("/casa/moviles", base_url=here).text


def test_links_made_at_this_computer_lead_to_the_address_of_the_phones(
    table: HttpTable, port: int
) -> None:
    here = f"http://127.0.0.1:{port}"
    table.app.extensions["reach"].choose_and_forget_visit("network")
    if not own_addresses():
        assert ONLY_HERE in seen(table, "/sala/compartir", here)
        return
    address = f"http://{own_addresses()[0]}:{port}/"
    page = seen(table, "/casa/moviles", here)
    assert f"<h2>{address}</h2><svg" in page
    assert "Esperando al primer móvil" in page
    shared = seen(table, "/sala/compartir", here)
    assert address in shared
    assert ONLY_HERE not in shared
    table.app.extensions["reach"].note_visit()
    assert 'class="came"' in seen(table, "/casa/moviles", here)


def test_the_page_says_on_which_papers_an_address_is_that_leads_here_no_more(
    table: HttpTable, port: int
) -> None:
    reach = table.app.extensions["reach"]
    reach.choose_and_forget_visit("network")
    now = [f"{one}:{port}" for one in own_addresses()]
    for place in ("192.168.250.250:8000", *now, "192.168.250.250:8000"):
        reach.note_visit_address(place)
    page = seen(table, "/casa/moviles", f"http://127.0.0.1:{port}")
    said = "Ya no entra ningún móvil por 192.168.250.250:8000:"
    assert (said in page) is bool(now)
    assert reach.visit_addresses() == ["192.168.250.250:8000", *now]


def test_a_code_is_asked_for_again_since_the_address_may_change(
    table: HttpTable, port: int
) -> None:
    client, here = table.app.test_client(), f"http://127.0.0.1:{port}"
    first = client.get("/sala/qr.svg", base_url=here)
    assert first.headers["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/sala/qr.svg", base_url=here, headers=known).status_code == 304
    table.app.extensions["reach"].choose_and_forget_visit("network")
    again = client.get("/sala/qr.svg", base_url=here, headers=known).status_code
    assert again == (200 if own_addresses() else 304)


def test_a_link_that_only_this_computer_opens_says_so(table: HttpTable) -> None:
    for base_url, is_said in (("http://127.0.0.1:8000", True), ("http://192.168.1.20:8000", False)):
        assert (ONLY_HERE in seen(table, "/sala/compartir", base_url)) is is_said


@pytest.mark.parametrize(
    ("role", "chosen", "kept", "next_page"),
    [
        ("admin", "network", "network", "/casa/moviles"),
        ("admin", "here", "here", "/"),
        ("admin", "everybody", None, "/"),
        ("arbiter", "network", None, "/"),
    ],
)
def test_the_first_admin_is_asked_who_may_come_in(
    table: HttpTable, role: str, chosen: str, kept: str | None, next_page: str
) -> None:
    client, reach = table.app.test_client(), table.app.extensions["reach"]
    assert 'name="reach" value="network"' in client.get("/alta").text
    form = {"invitation": offered(owner(table), "invitaciones", role=role), "name": "Pilar"}
    answer = client.post("/alta", data={**form, "password": PASSWORD, "reach": chosen})
    assert (reach.choice(), answer.headers["Location"]) == (kept, next_page)
    assert ('name="reach"' in client.get("/alta").text) is (role == "arbiter")


def test_the_page_says_what_is_lost_without_https(table: HttpTable, port: int) -> None:
    table.app.extensions["reach"].choose_and_forget_visit("network")
    lost = "Una tableta no vuelve a abrir la página sin red"
    assert (lost in seen(table, "/casa/moviles", f"http://127.0.0.1:{port}")) is bool(
        own_addresses()
    )
    assert lost not in seen(table, "/casa/moviles", f"https://127.0.0.1:{port}")
