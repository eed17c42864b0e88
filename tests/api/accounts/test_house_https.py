"""HTTPS of the house by one tap: beside HTTP at once, installed and checked by a device itself."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509

from api.http.access.hosts import SOCKET
from api.http.access.reach import LOCAL_NAME, own_addresses
from api.server.https import make_certificate_if_needed
from tests.support.servers.accounts import OURS, owner
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import GUNICORN, Served

NOW = datetime(2026, 11, 28, tzinfo=UTC)
LARGE = "/static/html/figtree.woff2"


def names_of(folder: Path) -> set[str]:
    found = x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = map(str, names.get_values_for_type(x509.IPAddress))
    return {*names.get_values_for_type(x509.DNSName), *addresses}


def test_a_certificate_is_renewed_under_the_same_authority_when_it_is_time(tmp_path: Path) -> None:
    pem, root = tmp_path / "server.pem", tmp_path / "root.crt"
    make_certificate_if_needed(tmp_path, ["192.168.1.20"], NOW)
    first, authority = pem.read_bytes(), root.read_bytes()
    assert names_of(tmp_path) == {LOCAL_NAME, "192.168.1.20"}
    assert {pem.stat().st_mode & 0o777, (tmp_path / "root.key").stat().st_mode & 0o777} == {0o600}

    make_certificate_if_needed(tmp_path, ["192.168.1.20"], NOW + timedelta(days=700))
    assert pem.read_bytes() == first
    make_certificate_if_needed(tmp_path, ["10.0.0.7"], NOW)  # the router gave another address
    assert names_of(tmp_path) == {LOCAL_NAME, "10.0.0.7"}
    first = pem.read_bytes()
    make_certificate_if_needed(
        tmp_path, ["10.0.0.7", "203.0.113.9"], NOW
    )  # the authority is not for the internet
    assert pem.read_bytes() == first
    make_certificate_if_needed(tmp_path, ["10.0.0.7"], NOW + timedelta(days=800))
    assert pem.read_bytes() != first
    assert root.read_bytes() == authority


def test_no_certificate_is_longer_than_its_authority(tmp_path: Path) -> None:
    make_certificate_if_needed(tmp_path, [], NOW)
    late = NOW + timedelta(days=3630)
    make_certificate_if_needed(tmp_path, [], late)
    made = (tmp_path / "server.pem").read_bytes()
    until = x509.load_pem_x509_certificate(made).not_valid_after_utc
    assert until == NOW + timedelta(days=3650)
    make_certificate_if_needed(tmp_path, [], late)
    assert (tmp_path / "server.pem").read_bytes() == made


def test_the_page_makes_it_and_turns_green_when_a_device_trusts_it(table: HttpTable) -> None:
    client, stranger = owner(table), table.app.test_client()
    assert stranger.get("/certificado").status_code == 404
    assert stranger.get("/certificado/guinote.crt").status_code == 404
    assert client.post("/casa/moviles/https", headers=OURS).status_code == 303

    got = stranger.get("/certificado/guinote.crt")
    assert got.content_type == "application/x-x509-ca-cert"
    assert (
        "Guiñote guinote.local" in x509.load_der_x509_certificate(got.data).subject.rfc4514_string()
    )
    steps = stranger.get("/certificado", base_url="http://guinote.local:8000").text
    assert "Certificado de CA" in steps
    assert 'href="https://guinote.local:8000/certificado"' in steps
    secure = stranger.get("/certificado", base_url="https://guinote.local:8000").text
    assert "Comprobando" in secure
    assert 'href="http://guinote.local:8000/certificado"' in secure

    assert client.get("/casa/moviles/visita").json["opened"] is False
    stranger.post("/certificado", headers=OURS)  # over HTTP it says nothing
    assert client.get("/casa/moviles/visita").json["opened"] is False
    assert (
        stranger.post("/certificado", headers=OURS, base_url="https://guinote.local").status_code
        == 204
    )
    assert client.get("/casa/moviles/visita").json["opened"] is True


def test_the_page_for_the_phones_shows_the_way_and_the_fingerprint(
    table: HttpTable, port: int
) -> None:
    here = f"http://127.0.0.1:{port}"
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token}, base_url=here)
    table.app.extensions["reach"].choose_and_forget_visit("network")
    assert ("Poner HTTPS" in client.get("/casa/moviles", base_url=here).text) is bool(
        own_addresses()
    )
    client.post("/casa/moviles/https", headers=OURS, base_url=here)
    page = client.get("/casa/moviles", base_url=here).text
    for address in own_addresses()[:1]:
        assert f'href="http://{address}:{port}/certificado"' in page
        assert "Esperando al primer aparato que entre con él" in page
        root = client.get("/certificado/guinote.crt", base_url=here).data
        assert sha256(root).digest().hex(" ").upper() in page


class OfHouse:
    """The socket of a connection over the HTTPS of the house."""

    is_of_house = True

    def getsockname(self) -> tuple[str, int]:
        return ("192.168.1.20", 8000)


def test_links_lead_devices_without_the_certificate_to_http(table: HttpTable) -> None:
    client, over = table.app.test_client(), "https://guinote.local:8000"
    ours = {SOCKET: OfHouse()}
    client.post("/entrar", data={"token": table.token}, base_url=over, environ_base=ours)
    answer = client.get("/sala/compartir", base_url=over, environ_base=ours)
    assert "http://guinote.local:8000/" in answer.text
    assert "https://guinote.local" not in answer.text
    assert "Strict-Transport-Security" not in answer.headers  # HTTP stays
    elsewhere = client.get("/sala/compartir", base_url=over)  # a proxy in front
    assert "https://guinote.local:8000/" in elsewhere.text
    assert "Strict-Transport-Security" in elsewhere.headers


@pytest.fixture(params=[GUNICORN, ("api.cli", "serve", "--one-process")], ids=["gunicorn", "one"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    one = Served(tmp_path / "data")
    one.command = request.param
    one.start()
    try:
        yield one
    finally:
        one.kill_all()


def over_tls(served: Served) -> tuple[int, bytes]:
    """What a device is answered over HTTPS that trusts the authority alone, and its own report."""
    trusted = ssl.create_default_context(cafile=served.folder / "https" / "root.crt")

    class Secure(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            self.sock = trusted.wrap_socket(self.sock, server_hostname=LOCAL_NAME)

    with closing(Secure(served.host, served.port, timeout=60)) as device:
        for _ in range(2):  # the connection is kept
            device.request("GET", LARGE, headers={"Host": f"{LOCAL_NAME}:{served.port}"})
            body = device.getresponse().read()
        device.request("POST", "/certificado", headers={"Host": LOCAL_NAME, **OURS})
        return device.getresponse().status, body


def test_a_running_house_speaks_https_beside_http_from_the_tap_on(served: Served) -> None:
    with pytest.raises(OSError, match=r"SSL|EOF|reset|No such file"):
        over_tls(served)
    with closing(served.connection()) as computer:
        asked = {"Authorization": f"Bearer {served.token}", **OURS}
        asked["Content-Type"] = "application/x-www-form-urlencoded"
        computer.request("POST", "/casa/moviles/https", urlencode({}), asked)
        assert computer.getresponse().status == 303
    with closing(served.connection()) as phone:
        phone.request("GET", LARGE)
        plain = phone.getresponse().read()
    assert len(plain) > 16 * 1024  # more than a record of TLS
    assert over_tls(served) == (204, plain)
    assert (served.folder / "https" / "opened").exists()
    stranger = ssl.create_default_context()
    with closing(http.client.HTTPSConnection(served.host, served.port, context=stranger)) as one:
        with pytest.raises(ssl.SSLCertVerificationError):
            one.request("GET", "/")
    assert served.ask("GET", "/readyz")[0] == 200
