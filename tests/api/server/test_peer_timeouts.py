"""Peers that stop sending in the middle: with and without TLS, none blocks a thread.

Not covered: a peer whose request as a whole takes longer than the timeout, but each part of it less.
A test of that would depend on the load of the machine; the timeout of a socket is one of each read.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from api.server import certificates
from api.server.wiring import now
from tests.support.servers.served import Served

Peer = Callable[[Served, ExitStack], socket.socket]
SILENCE_S = 1
THREADS = 1
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
