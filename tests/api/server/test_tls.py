"""HTTPS: by the server itself, and by a proxy in front of it, each with a client that checks."""

from __future__ import annotations

import base64
import http.client
import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from api.server import certificates
from api.server.certificates import Certificates
from api.server.wiring import now
from tests.support.browser.in_browser import running
from tests.support.browser.pages import cut_off
from tests.support.kit import own_proxies
from tests.support.servers.served import Served, free_port
from tests.support.waiting import LONGEST_S, wait_for

HOSTS = ("127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates.write_certificate_files(tmp_path_factory.mktemp("tls"), HOSTS, now())


@pytest.fixture(scope="module")
def served(tls: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = Served(tmp_path_factory.mktemp("secure"), tls)
    one.start()
    yield one
    one.kill_all()


@pytest.fixture(scope="module", params=own_proxies.RECIPES)
def proxied(
    request: pytest.FixtureRequest, tls: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, int, int]]:
    name: str = request.param
    if own_proxies.found(name) is None:
        pytest.skip(own_proxies.NO_PROXY.format(name.upper()))
    folder = tmp_path_factory.mktemp("proxied")
    one = Served(folder / "data", GUINOTE_PROXIES="1")
    one.start()
    with own_proxies.before(name, one.port, folder / "proxy", tls) as (plain, secure):
        yield one, plain, secure
    one.kill_all()


def asked(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: str | None = None,
    **headers: str,
) -> tuple[int, http.client.HTTPMessage]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.headers


def signed_in(connection: http.client.HTTPConnection, token: str) -> str:
    """The cookie of a client that signs in."""
    form = {"Content_Type": "application/x-www-form-urlencoded", "Sec_Fetch_Site": "same-origin"}
    status, headers = asked(connection, "POST", "/entrar", urlencode({"token": token}), **form)
    assert status == 303
    return str(headers["Set-Cookie"])


def secure_to(port: int, tls: Certificates) -> http.client.HTTPSConnection:
    trusted = ssl.create_default_context(cafile=tls.root)
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=trusted)


def test_a_client_that_trusts_the_root_is_served_with_hsts(served: Served) -> None:
    status, headers = asked(served.connection(), "GET", "/entrar")
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_client_that_does_not_trust_it_goes_away(served: Served) -> None:
    context = ssl.create_default_context()
    stranger = http.client.HTTPSConnection("127.0.0.1", served.port, timeout=10, context=context)
    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/entrar")


def test_nothing_older_than_tls_1_2_is_spoken(served: Served, tls: Certificates) -> None:
    assert spoken(served, tls, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
    with (
        pytest.warns(DeprecationWarning, match="TLSv1_1"),
        pytest.raises((ssl.SSLError, ConnectionError)),
    ):
        spoken(served, tls, ssl.TLSVersion.TLSv1_1)


def spoken(served: Served, tls: Certificates, most: ssl.TLSVersion) -> str | None:
    context = ssl.create_default_context(cafile=tls.root)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = most
    with (
        socket.create_connection(("127.0.0.1", served.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as secure,
    ):
        return secure.version()


def test_who_signs_in_over_tls_gets_a_cookie_that_no_other_host_can_set(served: Served) -> None:
    cookie = signed_in(served.connection(), served.token)
    name, *rest = cookie.split(";")
    assert name.startswith("__Host-guinote=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= {one.strip() for one in rest}
    page = "/repeticion/importar"
    assert asked(served.connection(), "GET", page, Cookie=name)[0] == 200
    other = name.replace("__Host-", "")
    assert asked(served.connection(), "GET", page, Cookie=other)[0] == 302


def test_plain_http_gets_no_answer_and_the_next_client_is_served(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert b"200" not in plain.recv(1000)
    assert served.ask("GET", "/healthz")[0] == 200


def test_a_renewed_certificate_is_used_without_a_restart(tmp_path: Path) -> None:
    mine = certificates.write_certificate_files(tmp_path / "tls", HOSTS, now())
    one = Served(tmp_path / "data", mine)
    one.start()
    try:
        before = serial(one, mine)
        certificates.write_certificate_files(tmp_path / "tls", HOSTS[:1], now())
        assert serial(one, mine) != before
    finally:
        one.kill_all()


def serial(served: Served, tls: Certificates) -> int:
    connection = secure_to(served.port, tls)
    connection.connect()
    shown = connection.sock.getpeercert(binary_form=True)
    connection.close()
    assert shown
    return x509.load_der_x509_certificate(shown).serial_number


def spki(tls: Certificates) -> str:
    """The hash of the server's public key, which Chromium is set to trust."""
    shown = x509.load_pem_x509_certificate(tls.certificate.read_bytes())
    digest = Hash(SHA256())
    digest.update(shown.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    return base64.b64encode(digest.finalize()).decode()


def test_over_tls_a_browser_keeps_the_secure_cookie_and_is_in_a_secure_place(
    served: Served, tls: Certificates
) -> None:
    with running(f"--ignore-certificate-errors-spki-list={spki(tls)}") as browser:
        page = browser.new_page()
        page.goto(f"https://127.0.0.1:{served.port}/entrar")
        page.fill("[name=token]", served.token)
        page.locator("form.token button").click()
        page.wait_for_url(f"https://127.0.0.1:{served.port}/")
        assert page.evaluate("isSecureContext")
        found = {cookie["name"]: cookie["secure"] for cookie in page.context.cookies()}
        assert found == {"__Host-guinote": True, "__Host-guinote-known": True}


# --- a proxy -------------------------------------------------------------------------------------


def test_the_recipe_ends_tls_and_the_service_knows(
    proxied: tuple[Served, int, int], tls: Certificates
) -> None:
    served, _, port = proxied
    status, headers = asked(secure_to(port, tls), "GET", "/entrar")
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    cookie = signed_in(secure_to(port, tls), served.token)
    assert cookie.startswith("__Host-guinote=")
    key = cookie.split(";")[0]
    same = {"Origin": f"https://127.0.0.1:{port}", "Cookie": key}
    body = {"Content_Type": "application/json", "Idempotency_Key": "proxied-1", **same}
    opened = '{"profile": {"id": "club"}, "players": 4}'
    path = "/api/v1/encuentros"
    assert asked(secure_to(port, tls), "POST", path, opened, **body)[0] == 201
    other = body | {"Origin": "https://127.0.0.1:1"}
    assert asked(secure_to(port, tls), "POST", path, opened, **other)[0] == 403


def test_plain_http_is_sent_to_https(proxied: tuple[Served, int, int]) -> None:
    _, plain, _ = proxied
    connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=10)
    status, headers = asked(connection, "GET", "/mesa/1?lang=ca")
    assert status == 308
    assert headers["Location"].startswith("https://127.0.0.1")
    assert headers["Location"].endswith("/mesa/1?lang=ca")


def test_an_address_that_a_visitor_claims_is_not_believed(
    proxied: tuple[Served, int, int], tls: Certificates
) -> None:
    _, _, port = proxied
    form = {"Content_Type": "application/x-www-form-urlencoded", "Sec_Fetch_Site": "same-origin"}
    guess = urlencode({"name": "Pilar", "password": "no es esta frase"})
    codes = [
        asked(
            secure_to(port, tls),
            "POST",
            "/entrar",
            guess,
            X_Forwarded_For=f"10.0.0.{n}",
            **form,
        )[0]
        for n in range(12)
    ]
    assert 429 in codes


def test_the_command_serves_https(tmp_path: Path, tls: Certificates) -> None:
    port = free_port()
    words = ["serve", "--bind", f"127.0.0.1:{port}", "--tls", str(tls.certificate), str(tls.key)]
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli", *words],
        env={**os.environ, "GUINOTE_DATA": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(f"https://127.0.0.1:{port}/")
        assert _answered(port, tls) == 200
    finally:
        process.terminate()
        process.wait(LONGEST_S)
        process.stderr.close()


def _answered(port: int, tls: Certificates) -> int:
    return wait_for(lambda: asked(secure_to(port, tls), "GET", "/healthz")[0], "an answer", OSError)


def test_over_tls_a_browser_keeps_the_tablet_for_when_there_is_no_network(
    served: Served, tls: Certificates
) -> None:
    with running(f"--ignore-certificate-errors-spki-list={spki(tls)}") as browser:
        page = browser.new_page()
        here = f"https://127.0.0.1:{served.port}"
        page.goto(f"{here}/entrar?next=/arbitro/")
        page.fill("[name=token]", served.token)
        page.locator("form.token button").click()
        page.wait_for_url(f"{here}/arbitro/**")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        cut_off(page)
        page.reload()
        page.wait_for_selector("h1")
        assert page.evaluate("isSecureContext")
