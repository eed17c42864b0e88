"""Streams under a real gunicorn: they do not delay writers, and end with the server."""

from __future__ import annotations

import http.client
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.http.live import DEFAULT_STREAMS, SHARE
from api.server import serving
from tests.support.browser.pages import site
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

STREAM = "/api/v1/public/sala/stream"
WORKERS, EACH = 2, 3


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("GUINOTE_STREAMS", str(EACH))
    monkeypatch.setenv("GUINOTE_THREADS", "1")
    with site(tmp_path) as one:
        yield one


def listen(
    served: Served, address: str = "127.0.0.1", **headers: str
) -> tuple[int, http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(
        "127.0.0.1", served.port, timeout=20, source_address=(address, 0)
    )
    connection.request("GET", STREAM, headers=headers)
    answer = connection.getresponse()
    if answer.status != 200:
        answer.read()
    else:
        assert answer.readline() == b"retry: 2000\n"
    connection.answer = answer  # type: ignore[attr-defined]  # kept, or it is closed
    return answer.status, connection


def may_listen(served: Served) -> bool:
    """Whether a place is free; it is not kept."""
    status, connection = listen(served)
    connection.close()
    return status == 200


def test_requests_are_answered_however_many_streams_are_open(served: Served) -> None:
    listening = [listen(served) for _ in range(8 * EACH)]
    held = [one for status, one in listening if status == 200]
    assert {status for status, _ in listening} == {200, 503}
    assert EACH <= len(held) <= WORKERS * EACH
    for _ in range(20):
        assert served.ask("GET", "/api/v1/public/sala")[0] == 200
        assert served.ask("GET", "/readyz")[0] == 200
    for one in held:
        one.close()


def test_a_client_that_disconnects_leaves_its_place_to_the_next(served: Served) -> None:
    for _ in range(4):
        listening = [listen(served) for _ in range(8 * EACH)]
        assert 503 in {status for status, _ in listening}
        for _, connection in listening:
            connection.close()
        wait_for(lambda: may_listen(served), "a free place")


def test_a_server_that_is_asked_to_stop_does_not_wait_for_streams(served: Served) -> None:
    status, connection = listen(served)
    assert status == 200
    assert served.process is not None
    served.process.send_signal(signal.SIGTERM)
    # A stream that is cut off after the grace of gunicorn is read as incomplete, which raises.
    assert connection.answer.read().count(b"event: view") == 1  # type: ignore[attr-defined]  # as above
    served.process.wait(60)
    connection.close()


def test_one_visitor_leaves_streams_for_others_and_none_keeps_a_board_of_the_house_out(
    tmp_path: Path,
) -> None:
    with site(tmp_path) as served:
        greedy = [listen(served) for _ in range(2 * DEFAULT_STREAMS)]
        held = [one for status, one in greedy if status == 200]
        share = DEFAULT_STREAMS // SHARE
        assert share <= len(held) <= WORKERS * share
        assert listen(served, "127.0.0.2")[0] == 200
        crowd = [listen(served, f"127.0.0.{n}") for n in range(3, 15) for _ in range(share)]
        assert 503 in {status for status, _ in crowd}
        pairs = {"Authorization": f"Bearer {served.token}"}
        boards = [listen(served, **pairs) for _ in range(4)]
        assert [status for status, _ in boards] == [200] * 4
        assert served.ask("GET", "/api/v1/public/sala")[0] == 200
        for _, one in (*greedy, *crowd, *boards):
            one.close()


@pytest.mark.parametrize(("threads", "streams", "all_"), [("1", "0", 1), ("4", "48", 52)])
def test_threads_are_those_for_answers_and_one_a_stream(
    monkeypatch: pytest.MonkeyPatch, threads: str, streams: str, all_: int
) -> None:
    monkeypatch.setenv("GUINOTE_THREADS", threads)
    monkeypatch.setenv("GUINOTE_STREAMS", streams)
    assert serving.gunicorn_settings()["threads"] == all_


def test_a_server_without_a_thread_for_answers_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GUINOTE_THREADS", "0")
    with pytest.raises(SystemExit, match="GUINOTE_THREADS"):
        serving.gunicorn_settings()
