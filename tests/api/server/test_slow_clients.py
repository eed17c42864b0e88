"""Peers that are slow or fall silent: with and without TLS, none takes a thread."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from gunicorn.config import Config

from api.server import certificates
from api.server.certificates import Certificates
from api.server.connections import IncomingConnection
from api.server.wiring import now
from api.server.worker import WholeRequestWorker
from tests.support.servers.served import Served
from tests.support.waiting import LONGEST_S, wait_for

Peer = Callable[[Served, ExitStack, str], socket.socket]
HERE = "127.0.0.1"
ELSEWHERE = "127.0.0.2"
SILENCE_S = 1
NEVER_S = 3600
"""A timeout that no test reaches: nobody is dropped for being silent."""
THREADS = 1
SHARE = 250
"""Connections that an address may have, of the thousand of a worker."""
BEGUN = b"\x16\x03\x01\x02\x00"
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: he"


@pytest.fixture(scope="module", params=["https", "http"])
def tls(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Certificates | None:
    """Certificates of the servers, if they have any."""
    if request.param == "http":
        return None
    folder = tmp_path_factory.mktemp("tls")
    return certificates.write_certificate_files(folder / "tls", (HERE, "localhost"), now())


def served(folder: Path, tls: Certificates | None, silence_s: int) -> Iterator[Served]:
    """A server of one worker with the fewest threads."""
    few = {"GUINOTE_WORKERS": "1", "GUINOTE_THREADS": str(THREADS), "GUINOTE_STREAMS": "0"}
    one = Served(folder / "data", tls, is_forked=True, GUINOTE_SILENCE=str(silence_s), **few)
    one.start()
    yield one
    one.kill_all()


@pytest.fixture(scope="module")
def strict(tls: Certificates | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that drops silent peers."""
    yield from served(tmp_path_factory.mktemp("strict"), tls, SILENCE_S)


@pytest.fixture(scope="module")
def patient(tls: Certificates | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that drops no peer for being slow: what a slow peer holds, it holds for ever."""
    yield from served(tmp_path_factory.mktemp("patient"), tls, NEVER_S)


def connected(served: Served, stack: ExitStack, source: str = HERE) -> socket.socket:
    """A connection that stays open, from an address of this machine."""
    peer = socket.create_connection((HERE, served.port), LONGEST_S, (source, 0))
    return stack.enter_context(peer)


def half_a_request(served: Served, stack: ExitStack, source: str = HERE) -> socket.socket:
    """A peer that stops in the middle of a line."""
    peer = connected(served, stack, source)
    if served.trusted is not None:
        peer = stack.enter_context(served.trusted.wrap_socket(peer, server_hostname=HERE))
    peer.sendall(REQUEST)
    return peer


def half_a_handshake(served: Served, stack: ExitStack, source: str = HERE) -> socket.socket:
    """A peer that stops in the middle of a TLS handshake."""
    peer = connected(served, stack, source)
    peer.sendall(BEGUN)
    return peer


def is_hung_up(peer: socket.socket) -> bool:
    """Whether the server closes the connection within the timeout of the socket."""
    try:
        while peer.recv(1000):
            pass
    except (ConnectionError, ssl.SSLError):
        return True
    except TimeoutError:
        return False
    return True


def test_a_request_has_a_deadline_however_steadily_it_comes(strict: Served) -> None:
    with ExitStack() as stack:
        began = time.monotonic()
        peer = half_a_body(strict, stack)

        def is_dropped() -> bool:
            with suppress(OSError):  # it is being closed
                peer.sendall(b"a")
            time.sleep(0.3 * SILENCE_S)
            return is_hung_up_already(peer)

        wait_for(is_dropped, "the end of a request that never ends")
        assert time.monotonic() - began > SILENCE_S


@pytest.mark.parametrize("begin", [half_a_handshake, half_a_request])
def test_peers_that_fall_silent_are_dropped(strict: Served, begin: Peer) -> None:
    with ExitStack() as stack:
        began = time.monotonic()
        peers = [begin(strict, stack, HERE) for _ in range(2)]
        assert all(is_hung_up(peer) for peer in peers)
        assert time.monotonic() - began > SILENCE_S
        wait_for(lambda: strict.ask("GET", "/healthz")[0] == 200, "an answer", OSError)


@pytest.mark.parametrize("begin", [half_a_handshake, half_a_request])
def test_more_silent_peers_than_threads_do_not_stop_the_service(
    patient: Served, begin: Peer
) -> None:
    with ExitStack() as stack:
        peers = [begin(patient, stack, HERE) for _ in range(THREADS + 2)]
        assert status_at(patient, HERE) == 200
        assert not any(is_hung_up_already(peer) for peer in peers)


def status_at(served: Served, source: str, path: str = "/healthz") -> int:
    """Status of an honest request from an address of this machine."""
    with closing(served.connection()) as connection:
        connection.source_address, connection.timeout = (source, 0), LONGEST_S
        connection.request("GET", path)
        return connection.getresponse().status


def half_a_body(served: Served, stack: ExitStack, source: str = HERE) -> socket.socket:
    """A peer that sends a body byte by byte."""
    peer = half_a_request(served, stack, source)
    peer.sendall(b"re\r\nContent-Length: 90000\r\n\r\na")
    return peer


@pytest.mark.parametrize(
    ("begin", "source"),  # addresses of their own: their share is in use for a while after the test
    [
        (half_a_handshake, "127.0.0.3"),
        (half_a_request, "127.0.0.4"),
        (half_a_body, "127.0.0.5"),
    ],
)
def test_500_slow_connections_of_one_address_stop_nobody(
    patient: Served, begin: Peer, source: str
) -> None:
    with ExitStack() as stack:
        peers = [begin(patient, stack, source) for _ in range(2 * SHARE)]
        assert [status_at(patient, one) for one in (ELSEWHERE, source)] == [200, 200]
        wait_for(
            lambda: sum(map(is_hung_up_already, peers)) >= SHARE, "the oldest to have given way"
        )
        assert not any(map(is_hung_up_already, peers[SHARE + 20 :]))


def is_hung_up_already(peer: socket.socket) -> bool:
    peer.setblocking(False)
    try:
        return not peer.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True


def is_answered(served: Served, stack: ExitStack) -> bool:
    """Whether a peer that stays open is answered."""
    peer = half_a_request(served, stack)
    peer.sendall(b"re\r\nConnection: close\r\n\r\n")
    return peer.recv(1000).startswith(b"HTTP/1.1 200")


def test_peers_that_do_not_close_their_end_stop_nobody(patient: Served) -> None:
    with ExitStack() as stack:
        assert all(is_answered(patient, stack) for _ in range(20))
        assert status_at(patient, ELSEWHERE) == 200


def test_closing_a_connection_does_not_wait_for_the_peer() -> None:
    worker = WholeRequestWorker(0, os.getppid(), [], None, 30, Config(), None)
    worker.poller = selectors.DefaultSelector()
    ours, peer = socket.socketpair()
    with closing(worker.tmp), closing(worker.poller), closing(peer):
        conn = IncomingConnection(worker, ours, (ELSEWHERE, 1), (HERE, 2))
        worker.by_address[ELSEWHERE] = 1
        conn.close(graceful=True)
        assert peer.recv(1) == b""  # the answer is over
        (waiting,) = worker.lingering
        assert waiting.fileno() >= 0
        peer.close()
        ((key, _),) = worker.poller.select()
        key.data(key.fileobj)
        assert (waiting.fileno(), worker.lingering) == (-1, {})


def raw(served: Served, *parts: bytes) -> bytes:
    """All that a server sends to a peer, until it closes the connection."""
    with ExitStack() as stack:
        peer = connected(served, stack)
        if served.trusted is not None:
            peer = stack.enter_context(served.trusted.wrap_socket(peer, server_hostname=HERE))
        for part in parts:
            peer.sendall(part)
            time.sleep(0.02)
        answer = b""
        while piece := peer.recv(100_000):
            answer += piece
    return answer


POST = (
    b"POST /api/v1/profiles/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
)
BODY = b'{"profile": {"id": "club"}}'
WHOLE = POST + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
LAST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def test_requests_behind_one_another_are_answered_in_turn(patient: Served) -> None:
    for parts in ([WHOLE, WHOLE, LAST], [WHOLE + WHOLE + LAST], [WHOLE[:-5], WHOLE[-5:] + LAST]):
        answer = raw(patient, *parts)
        assert answer.count(b"HTTP/1.1 200 OK") == b"".join(parts).count(b" HTTP/1.1")
        assert answer.endswith(b'{"status":"ok"}')


def test_no_header_of_a_visitor_moves_the_path(patient: Served) -> None:
    moved = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nSCRIPT_NAME: /hea\r\nConnection: close\r\n\r\n"
    assert raw(patient, moved).endswith(b'{"status":"ok"}')


def test_what_follows_a_body_that_is_not_read_is_no_request(patient: Served) -> None:
    for length in (300_000, 10**30):
        large = POST + b"Content-Length: %d\r\n\r\n" % length
        assert raw(patient, large + LAST).count(b"HTTP/1.1 ") == 1
    assert raw(patient, b"POST /entrar HTTP/1.1\r\nHost: localhost\r\n" + large[len(POST) :] + LAST)


EARLY = [
    (b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411 "),
    (b"X: " + 66_000 * b"x", b"431 "),
    (b"Content-Length: 300000\r\n\r\n", b"413 "),
    (b"Content-Length: x\r\n\r\n", b"400 "),
    (b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400 "),
]


@pytest.mark.parametrize(("rest", "status"), EARLY)
def test_a_request_that_is_refused_early_ends_the_connection(
    patient: Served, rest: bytes, status: bytes
) -> None:
    answer = raw(patient, POST + rest)
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
