"""The page for the phones, and the word on sheets that no phone could open."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from api.accounts import phones
from tests.support.servers.http_table import HttpTable

ONLY_HERE = "Con esta dirección solo se abre en este ordenador"


@pytest.fixture
def port() -> Iterator[int]:
    """A port at which something answers on every address of this computer."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].close(), daemon=True).start()
        yield server.getsockname()[1]


def test_the_addresses_of_this_computer_are_its_own_and_not_loopback() -> None:
    for one in phones.own_addresses():
        assert not one.startswith("127.")
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as asked:
            asked.bind((one, 0))


def seen(table: HttpTable, path: str, base_url: str) -> str:
    """A page as the owner sees it who opened the house by an address."""
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token}, base_url=base_url)
    return str(client.get(path, base_url=base_url).text)


def test_the_page_says_whether_phones_can_come_in_and_how(table: HttpTable, port: int) -> None:
    closed = seen(table, "/casa/moviles", "http://127.0.0.1:1")
    assert "que solo vale en este ordenador" in closed
    if not phones.own_addresses():
        assert "no está en ninguna red" in closed
        return
    assert "guinote serve --bind 0.0.0.0:1<" in closed
    address = f"http://{phones.own_addresses()[0]}:{port}/"
    answers = seen(table, "/casa/moviles", f"http://127.0.0.1:{port}")
    assert f"<h2>{address}</h2><svg" in answers
    assert f'href="{address}casa/moviles"' in answers


def test_a_link_that_only_this_computer_opens_says_so(table: HttpTable) -> None:
    for base_url, is_said in (("http://127.0.0.1:8000", True), ("http://192.168.1.20:8000", False)):
        assert (ONLY_HERE in seen(table, "/sala/compartir", base_url)) is is_said
