"""A house is opened to its network on a page, without a restart, and a phone that comes is seen."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf

from api.http.access.reach import LOCAL_NAME, HouseReach
from tests.chaos.means.wire import Wire
from tests.support.kit import own_network
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

HERE = """
import http.client, sys
port, token, method, path, body = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "same-origin",
           "Accept-Language": "es", "Content-Type": "application/x-www-form-urlencoded"}
one = http.client.HTTPConnection("127.0.0.1", int(port), timeout=10)
one.request(method, path, body or None, headers)
print(one.getresponse().read().decode())
"""
pytestmark = pytest.mark.skipif(not own_network.may_have(), reason=own_network.NO_NETWORK)


class Computer:
    """A computer in a network of its own with the service; the test is the phone beside it."""

    def __init__(self, folder: Path, wire: Wire) -> None:
        self.served, self.address, self.far = Served(folder), wire.near, wire.far
        self.served.inside = wire.inside
        self.phone_url = f"http://{self.address}:{self.served.port}/"

    def ask(self, method: str, path: str, body: str = "") -> str:
        """A page, as it is seen by whoever sits at the computer."""
        asked = (str(self.served.port), self.served.token, method, path, body)
        command = [*self.served.inside, sys.executable, "-c", HERE, *asked]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def address_of_name(self) -> list[str]:
        """Where the name of the house leads, as the phone learns it in the network."""
        with closing(Zeroconf([self.far], ip_version=IPVersion.V4Only)) as phone:
            asked = AddressResolverIPv4(f"{LOCAL_NAME}.")
            return asked.parsed_addresses() if asked.request(phone, 1000) else []

    def places(self) -> list[str]:
        """Where other devices came in or could."""
        return HouseReach(self.served.folder).visit_addresses()

    def is_up(self) -> bool:
        try:
            return "Guiñote" in self.ask("GET", "/")
        except (OSError, subprocess.CalledProcessError):
            return False

    def phone_gets(self, path: str) -> int:
        """What the phone is answered; 0 if nobody listens."""
        phone = http.client.HTTPConnection(self.address, self.served.port, timeout=5)
        with closing(phone):
            try:
                phone.request("GET", path)
                return phone.getresponse().status
            except OSError:
                return 0


@contextmanager
def started(folder: Path) -> Iterator[Computer]:
    with closing(Wire()) as wire:
        computer = Computer(folder, wire)
        computer.served.spawn()
        try:
            wait_for(computer.is_up, "a page at the computer")
            yield computer
        finally:
            computer.served.kill_all()


def test_the_page_opens_and_closes_the_house_and_sees_the_first_phone(tmp_path: Path) -> None:
    with started(tmp_path / "data") as computer:
        assert computer.phone_gets("/") == 0
        assert "solo vale en este ordenador" in computer.ask("GET", "/casa/moviles")
        assert computer.phone_url not in computer.ask("GET", "/sala/compartir")

        computer.ask("POST", "/casa/moviles", "reach=network")
        page = computer.ask("GET", "/casa/moviles")
        assert f"<h2>{computer.phone_url}</h2><svg" in page
        assert "Esperando al primer móvil" in page
        assert computer.phone_url in computer.ask("GET", "/sala/compartir")

        wait_for(lambda: computer.phone_gets("/sala/") == 200, "the hall on the phone")
        wait_for(lambda: "true" in computer.ask("GET", "/casa/moviles/visita"), "a visit")
        assert 'class="came"' in computer.ask("GET", "/casa/moviles")

        assert computer.phone_url[len("http://") : -1] in (places := computer.places())
        assert len(places) == 1

        wait_for(lambda: computer.address_of_name() == [computer.address], "the name")
        wait_for(
            lambda: f"http://{LOCAL_NAME}:" in computer.ask("GET", "/casa/moviles"), "the name"
        )

        computer.ask("POST", "/casa/moviles", "reach=here")
        wait_for(lambda: computer.phone_gets("/") == 0, "a closed door")
        wait_for(lambda: computer.address_of_name() == [], "no name")
        assert computer.is_up()
