"""What a message is sent to, and what its receiver cannot do with the house."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from contextlib import ExitStack

import pytest

from api.outgoing import transport
from api.outgoing.transport import (
    BadAddress,
    OutgoingAddress,
    is_public_ip_address,
    post_for_status_or_fault,
)
from api.server import certificates
from api.server.wiring import now
from tests.api.webhooks.receiver import Receiver
from tests.support.servers.served import Served, free_port

INSIDE = [
    *("127.0.0.1", "10.1.2.3", "192.168.1.10", "172.16.0.1", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fec0::1"),
    *("fe80::1%eth0", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "ff02::1"),
    *("64:ff9b::10.0.0.1", "2002:7f00:0001::", "2002:0a00:0001::1"),
    *("64:ff9b:1::10.0.0.1", "64:ff9b:1::1"),
]
OUTSIDE = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::93.184.215.14"]


@pytest.fixture
def receiver(tmp_path):
    found = Receiver(tmp_path / "receiver")
    yield found
    found.kill()


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_of_the_house_s_network_is_inside_in_every_form(address):
    assert not is_public_ip_address(address)


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_of_the_internet_is_outside(address):
    assert is_public_ip_address(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_nothing_is_sent_inside_however_it_is_written(receiver, host):
    receiver.start()
    address = f"http://{host}:{receiver.port}/hook"
    assert post_for_status_or_fault(address, b"{}", {}) in ("inside", "not_found")
    assert receiver.messages() == []


def test_a_name_that_means_another_address_the_second_time_gains_nothing(receiver, monkeypatch):
    """The name is resolved once, and every address that it means is checked."""
    receiver.start()
    asked, known = [], socket.getaddrinfo

    def resolve(host: str, port: int, **more: object) -> object:
        asked.append(host)
        return known("127.0.0.1" if len(asked) > 1 else "93.184.215.14", port, **more)

    def connect(_: socket.socket, place: tuple[str, int]) -> None:
        raise ConnectionRefusedError(place[0])

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)
    assert (
        post_for_status_or_fault(f"http://club.example:{receiver.port}/hook", b"{}", {})
        == "refused"
    )
    assert (asked, receiver.messages()) == (["club.example"], [])


def test_a_name_with_one_address_inside_is_inside(monkeypatch):
    of_both = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 80)) for one in (OUTSIDE[0], "10.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: of_both)
    assert post_for_status_or_fault("http://club.example/hook", b"{}", {}) == "inside"


def test_an_address_that_takes_no_connection_leaves_time_for_the_next(receiver, monkeypatch):
    receiver.start()
    monkeypatch.setattr(transport, "CONNECT_LIMIT_S", 0.5)
    with socket.socket() as deaf, ExitStack() as waiting:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for _ in range(3):  # its queue is full: the next one waits in vain
            peer = waiting.enter_context(socket.socket())
            peer.setblocking(False)
            peer.connect_ex(deaf.getsockname())
        places = deaf.getsockname(), ("127.0.0.1", receiver.port)
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in places]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        began = time.monotonic()
        assert _sent(receiver, webhook_id="msg_1") == "204"
        assert time.monotonic() - began < 5.0


@pytest.mark.parametrize(
    "address",
    [
        *(
            "ftp://club.example/x",
            "file:///etc/passwd",
            "club.example",
            "https://",
            "",
            "https:///x",
        ),
        *(
            "https://user@club.example/",
            "https://user:word@club.example/",
            "https://club.example/#x",
        ),
        *(
            "https://club.example:99999/",
            "https://club.example/a b",
            "http://[::1/",
            "https://ñ.es",
        ),
        *("http://club.example/\r\nx: y", "https://club.example/" + 500 * "x"),
    ],
)
def test_what_is_no_address_of_a_receiver_is_refused(address):
    with pytest.raises(BadAddress):
        OutgoingAddress(address)
    assert post_for_status_or_fault(address, b"{}", {}) == "address"


@pytest.mark.parametrize("mood", ["slow", "drip"])
def test_a_receiver_has_one_time_limit_whatever_it_does(receiver, mood, monkeypatch):
    monkeypatch.setattr(transport, "LIMIT_S", 1.0)
    receiver.start(mood)
    began = time.monotonic()
    assert _sent(receiver, webhook_id="msg_1") == "timeout"
    assert 0.5 < time.monotonic() - began < 5.0


@pytest.mark.parametrize(("mood", "answer"), [("redirect", "302"), ("huge", "200"), ("204", "204")])
def test_only_the_head_of_an_answer_counts(receiver, mood, answer):
    receiver.start(mood)
    began = time.monotonic()
    assert _sent(receiver, webhook_id="msg_1") == answer
    assert time.monotonic() - began < 5.0
    assert [one["path"] for one in receiver.messages()] == ["/hook"]


def test_what_prevents_a_message_has_a_code():
    nobody = f"http://127.0.0.1:{free_port()}/"
    assert post_for_status_or_fault(nobody, b"{}", {}, is_inside_allowed=True) == "refused"
    assert post_for_status_or_fault("http://no-such-name.invalid/", b"{}", {}) == "not_found"


def test_a_peer_that_speaks_no_http_is_broken():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        listener.settimeout(10)

        def answer() -> None:
            peer, _ = listener.accept()
            peer.recv(65_536)
            peer.sendall(b"hello\r\n\r\n")
            peer.close()

        work = threading.Thread(target=answer)
        work.start()
        assert (
            post_for_status_or_fault(f"http://127.0.0.1:{port}/", b"{}", {}, is_inside_allowed=True)
            == "broken"
        )
        work.join()


def _sent(receiver: Receiver, webhook_id: str) -> str:
    headers = {"webhook-id": webhook_id}
    return post_for_status_or_fault(receiver.address, b"{}", headers, is_inside_allowed=True)


def test_https_is_checked_and_an_endless_handshake_ends(tmp_path, monkeypatch):
    made = certificates.write_certificate_files(tmp_path, ("127.0.0.1",), now())
    served = Served(tmp_path / "data", made, is_forked=True)
    served.start()
    try:
        address = f"https://127.0.0.1:{served.port}/api/v1/draws/preview"
        assert post_for_status_or_fault(address, b"{}", {}, is_inside_allowed=True) == "certificate"
        trusted = ssl.create_default_context(cafile=made.root)
        monkeypatch.setattr(transport, "_tls_context", lambda: trusted)
        asked = {"content-type": "application/json"}
        assert post_for_status_or_fault(address, b"{}", asked, is_inside_allowed=True)[0] in "24"
    finally:
        served.kill_all()
    monkeypatch.setattr(transport, "LIMIT_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        assert post_for_status_or_fault(address, b"{}", {}, is_inside_allowed=True) == "timeout"
