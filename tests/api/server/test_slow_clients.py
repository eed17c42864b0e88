"""Peers that are slow or fall silent: with and without TLS, none takes a thread."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from api.server import certificates
from api.server.wiring import now
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

Peer = Callable[[Served, ExitStack], socket.socket]
SILENCE_S = 2
THREADS = 1
SOON_S = 8  # much less than slow peers could take; benchmarks.bench_slow_clients measures
LATE_S = 60
BEGUN = b"\x16\x03\x01\x02\x00"
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: he"


@pytest.fixture(scope="module", params=["https", "http"])
def small(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A server of one worker with the fewest threads."""
    folder = tmp_path_factory.mktemp("small")
    hosts = ("127.0.0.1", "localhost")
    tls = (
        certificates.make_certificate(folder / "tls", hosts, now())
        if request.param == "https"
        else None
    )
    few = {"GUINOTE_WORKERS": "1", "GUINOTE_THREADS": str(THREADS), "GUINOTE_STREAMS": "0"}
    one = Served(folder / "data", tls, GUINOTE_SILENCE=str(SILENCE_S), **few)
    one.start()
    yield one
    one.kill_all()


def connected(served: Served, stack: ExitStack) -> socket.socket:
    """A connection that stays open."""
    address = ("127.0.0.1", served.port)
    return stack.enter_context(socket.create_connection(address, timeout=30))


def half_a_request(served: Served, stack: ExitStack) -> socket.socket:
    """A peer that stops in the middle of a line."""
    peer = connected(served, stack)
    if served.trusted is not None:
        peer = stack.enter_context(served.trusted.wrap_socket(peer, server_hostname="127.0.0.1"))
    peer.sendall(REQUEST)
    return peer


def half_a_handshake(served: Served, stack: ExitStack) -> socket.socket:
    """A peer that stops in the middle of a TLS handshake."""
    peer = connected(served, stack)
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


def test_a_request_has_a_deadline_however_steadily_it_comes(small: Served) -> None:
    # connections of earlier tests, which the server has not closed yet, take the share of the address
    wait_for(lambda: asked_at(small, "127.0.0.1"), "an answer", OSError)
    with ExitStack() as stack:
        began = time.monotonic()
        peer = half_a_body(small, stack)
        while not is_hung_up_already(peer):
            assert time.monotonic() < began + LATE_S
            with suppress(OSError):  # it is being closed
                peer.sendall(b"a")
            time.sleep(0.3 * SILENCE_S)
        assert SILENCE_S < time.monotonic() - began < LATE_S


@pytest.mark.parametrize("begin", [half_a_handshake, half_a_request])
def test_peers_that_fall_silent_keep_no_thread(small: Served, begin: Peer) -> None:
    with ExitStack() as stack:
        peers = [begin(small, stack) for _ in range(2)]
        assert all(is_hung_up(peer) for peer in peers)
        assert small.ask("GET", "/healthz")[0] == 200


def test_as_many_silent_peers_as_threads_do_not_stop_the_service(small: Served) -> None:
    with ExitStack() as stack:
        for _ in range(THREADS + 2):
            half_a_handshake(small, stack)
        assert small.ask("GET", "/healthz")[0] == 200


def asked_at(served: Served, source: str, path: str = "/healthz") -> tuple[int, float]:
    """Status of an honest request from an address of this machine, and the seconds it took."""
    began = time.monotonic()
    with closing(served.connection()) as connection:
        connection.source_address = (source, 0)
        connection.request("GET", path)
        status = connection.getresponse().status
    return status, time.monotonic() - began


def half_a_body(served: Served, stack: ExitStack) -> socket.socket:
    """A peer that sends a body byte by byte."""
    peer = half_a_request(served, stack)
    peer.sendall(b"re\r\nContent-Length: 90000\r\n\r\na")
    return peer


@pytest.mark.parametrize("begin", [half_a_handshake, half_a_request, half_a_body])
def test_500_slow_connections_of_one_address_delay_nobody(small: Served, begin: Peer) -> None:
    with ExitStack() as stack:
        peers = [begin(small, stack) for _ in range(500)]
        for source in ("127.0.0.2", "127.0.0.1"):
            status, seconds = asked_at(small, source)
            assert (status, seconds < SOON_S) == (200, True), (source, seconds)
        is_over = [is_hung_up_already(peer) for peer in peers]
        assert sum(is_over) >= 250  # more than the share of an address: the oldest gave way


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


def test_a_peer_that_does_not_close_its_end_delays_nobody(small: Served) -> None:
    with ExitStack() as stack:
        for _ in range(20):  # earlier tests may still have the share of the address
            wait_for(lambda: is_answered(small, stack), "an answer", OSError)
        status, seconds = asked_at(small, "127.0.0.2")
        assert (status, seconds < SOON_S) == (200, True)


def raw(served: Served, *parts: bytes) -> bytes:
    """All that a server sends to a peer, until it closes the connection."""
    with ExitStack() as stack:
        peer = connected(served, stack)
        if served.trusted is not None:
            peer = stack.enter_context(
                served.trusted.wrap_socket(peer, server_hostname="127.0.0.1")
            )
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


def test_requests_behind_one_another_are_answered_in_turn(small: Served) -> None:
    for parts in ([WHOLE, WHOLE, LAST], [WHOLE + WHOLE + LAST], [WHOLE[:-5], WHOLE[-5:] + LAST]):
        answer = raw(small, *parts)
        assert answer.count(b"HTTP/1.1 200 OK") == b"".join(parts).count(b" HTTP/1.1")
        assert answer.endswith(b'{"status":"ok"}')


def test_no_header_of_a_visitor_moves_the_path(small: Served) -> None:
    moved = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nSCRIPT_NAME: /hea\r\nConnection: close\r\n\r\n"
    assert raw(small, moved).endswith(b'{"status":"ok"}')


def test_what_follows_a_body_that_is_not_read_is_no_request(small: Served) -> None:
    for length in (300_000, 10**30):
        large = POST + b"Content-Length: %d\r\n\r\n" % length
        assert raw(small, large + LAST).count(b"HTTP/1.1 ") == 1
    assert raw(small, b"POST /entrar HTTP/1.1\r\nHost: localhost\r\n" + large[len(POST) :] + LAST)


EARLY = [
    (b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411 "),
    (b"X: " + 66_000 * b"x", b"431 "),
    (b"Content-Length: 300000\r\n\r\n", b"413 "),
    (b"Content-Length: x\r\n\r\n", b"400 "),
    (b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400 "),
]


@pytest.mark.parametrize(("rest", "status"), EARLY)
def test_a_request_that_is_refused_early_ends_the_connection(
    small: Served, rest: bytes, status: bytes
) -> None:
    answer = raw(small, POST + rest)
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
