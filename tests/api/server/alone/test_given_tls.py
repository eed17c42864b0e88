"""HTTPS of a house in one process, with a client that checks."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from api.server import certificates
from api.server.certificates import Certificates
from api.server.wiring import now
from tests.api.cli.test_one_process import SERVE
from tests.api.server.test_tls import HOSTS, asked, serial, signed_in, spoken
from tests.support.servers.served import Served
from tests.support.waiting import LONGEST_S, wait_for

STREAM = "/api/v1/public/sala/stream"
LARGE = "/verificador"
SLOW_WINDOW = 4096
TIMES, MORE_THAN_A_SYSTEM_KEEPS = 40, 5_000_000
HALF_OF_A_BODY = b" " * 100_000


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates.write_certificate_files(tmp_path_factory.mktemp("tls"), HOSTS, now())


@pytest.fixture(scope="module")
def served(tls: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    one = Served(tmp_path_factory.mktemp("secure"), tls, GUINOTE_STREAMS="1", GUINOTE_THREADS="2")
    one.command = SERVE
    one.start()
    try:
        yield one
    finally:
        one.kill_all()


def test_a_client_that_trusts_the_root_is_served_and_signs_in(
    served: Served, tls: Certificates
) -> None:
    status, headers = asked(served.connection(), "GET", "/entrar")
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert signed_in(served.connection(), served.token).startswith("__Host-guinote=")
    assert spoken(served, tls, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"


def test_an_answer_reaches_a_slow_reader_whole_while_others_are_answered(
    served: Served, tls: Certificates
) -> None:
    whole = served.connection()
    whole.request("GET", LARGE)
    wanted = whole.getresponse().read()
    assert len(wanted) * TIMES > MORE_THAN_A_SYSTEM_KEEPS
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLOW_WINDOW)
        plain.settimeout(LONGEST_S)
        plain.connect(("127.0.0.1", served.port))
        context = ssl.create_default_context(cafile=tls.root)
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as slow:
            asked_for = f"GET {LARGE} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            rest = [f"{asked_for}\r\n"] * (TIMES - 1) + [f"{asked_for}Connection: close\r\n\r\n"]
            slow.sendall("".join(rest).encode())
            for _ in range(2 * TIMES):  # meanwhile the system takes no more of what is not read
                assert served.ask("GET", "/healthz")[0] == 200
            with slow.makefile("rb") as came:
                assert came.read().count(wanted) == TIMES


def test_a_body_of_many_records_is_read_and_the_connection_is_kept(served: Served) -> None:
    kept = served.connection()
    for _ in range(3):
        headers = {"Authorization": f"Bearer {served.token}", "Content-Type": "application/json"}
        kept.request("POST", "/api/v1/encuentros", 2 * HALF_OF_A_BODY, headers)
        answer = kept.getresponse()
        assert answer.status == 400  # there is no key of idempotency, which the API says
        assert answer.read().startswith(b"{")


def test_a_stream_runs_beside_requests_and_its_place_is_free_when_it_ends(served: Served) -> None:
    def listened() -> http.client.HTTPConnection | None:
        one = served.connection()
        one.request("GET", STREAM)
        if (answer := one.getresponse()).status == 200:
            assert answer.readline() == b"retry: 2000\n"
            one.answer = answer  # type: ignore[attr-defined]  # kept, or it is closed
            return one
        one.close()
        return None

    first = listened()
    assert first is not None
    assert listened() is None
    assert served.ask("GET", "/readyz")[0] == 200
    first.answer.close()  # type: ignore[attr-defined]  # as above
    first.close()
    again = wait_for(listened, "the place of who has left")
    assert again is not None
    again.close()


def test_plain_http_gets_no_answer_and_the_next_client_is_served(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), LONGEST_S) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        with suppress(ConnectionResetError):
            assert b"200" not in plain.recv(1000)
    assert served.ask("GET", "/healthz")[0] == 200


def test_a_renewed_certificate_is_used_without_a_restart_once_it_is_whole(tmp_path: Path) -> None:
    mine = certificates.write_certificate_files(tmp_path / "tls", HOSTS, now())
    one = Served(tmp_path / "data", mine)
    one.command = SERVE
    one.start()
    try:
        before = serial(one, mine)
        whole = mine.certificate.read_bytes()
        mine.certificate.write_bytes(whole[:100])
        assert serial(one, mine) == before
        mine.certificate.write_bytes(whole)
        certificates.write_certificate_files(tmp_path / "tls", HOSTS[:1], now())
        assert serial(one, mine) != before
    finally:
        one.kill_all()
