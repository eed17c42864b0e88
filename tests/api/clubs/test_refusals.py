"""A request that no route gets is refused in words, of its language and its club."""

from __future__ import annotations

import http.client
import json
import socket
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from api.http.languages import LANGUAGES, texts_of_language
from api.server.clubs.turns import AT_ONCE, MOST_WAITING
from api.server.faults.answers import EarlyRefusal
from tests.support.html import Html
from tests.support.installation import Installation
from tests.support.read_pages import Reader
from tests.support.servers.kept_apps import kept_table


class Received:
    """Bytes of an answer, to be read as those of a socket."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def makefile(self, _: str) -> BytesIO:
        return BytesIO(self._answer)


def read(answer: bytes, method: str = "GET") -> tuple[http.client.HTTPResponse, str]:
    """An answer, and its text."""
    found = http.client.HTTPResponse(Received(answer), method=method)  # type: ignore[arg-type]  # it is read alone
    found.begin()
    return found, found.read().decode()


def asked(path: str, method: str = "GET", **headers: str) -> bytes:
    lines = (f"{name}: {value}" for name, value in {"Host": "a.example", **headers}.items())
    return "\r\n".join((f"{method} {path} HTTP/1.1", *lines, "", "")).encode()


@pytest.fixture(scope="module")
def refusal(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with kept_table(tmp_path_factory.mktemp("house")) as table:
        yield EarlyRefusal(table.app, "busy", 5)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_and_a_problem_are_in_the_language_that_is_asked_for(
    refusal: EarlyRefusal, lang: str
) -> None:
    said = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": f"{lang};q=0.9,de;q=0.5"}
    answer, text = read(refusal.refusal_bytes(asked("/sala/", **said), "/sala/", "/penya"))
    page = Html(text)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Content-Security-Policy"]
    assert page.text("h1") == texts_of_language(lang)["problem.busy"]
    assert page.text("h1 + p") == texts_of_language(lang)["problem.busy.detail"]
    assert 'href="/penya/"' in text
    path = "/api/v1/encuentros"
    answer, text = read(refusal.refusal_bytes(asked(path, "POST", **said), path, ""))
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(text)
    assert (problem["code"], problem["title"]) == ("busy", texts_of_language(lang)["problem.busy"])


def test_an_earlier_choice_of_a_language_counts_and_a_head_has_no_body(
    refusal: EarlyRefusal,
) -> None:
    said = {"Accept": "text/html", "Accept-Language": "es", "Cookie": "a=b; lang=fr; c=d"}
    answer, text = read(refusal.refusal_bytes(asked("/", **said), "/", ""))
    assert Html(text).text("h1") == texts_of_language("fr")["problem.busy"]
    head, nothing = read(refusal.refusal_bytes(asked("/", "HEAD", **said), "/", ""), "HEAD")
    assert (head.status, nothing) == (503, "")
    assert head.headers["Content-Length"] == answer.headers["Content-Length"]


def test_what_a_club_that_floods_is_refused_has_words(tmp_path: Path) -> None:
    server = Installation(tmp_path, "penya", GUINOTE_WORKERS="1", GUINOTE_PROXIES="1")
    server.start()
    request = asked("/api/openapi.json").replace(b"a.example", b"penya.localhost")
    request = request.replace(b"\r\n\r\n", b"\r\nAccept-Language: ca\r\n\r\n")
    sockets = [
        socket.create_connection(("127.0.0.1", server.port))
        for _ in range(AT_ONCE + MOST_WAITING + 50)
    ]
    try:
        for one in sockets:
            one.sendall(request)
        answers = [http.client.HTTPResponse(one) for one in sockets]
        for answer in answers:
            answer.begin()
        refused = [json.loads(one.read()) for one in answers if one.status == 503]
        assert refused
        assert {one["title"] for one in refused} == {texts_of_language("ca")["problem.busy"]}
        status, text = server.club("penya").page("/livez")
        assert status == 200, text
    finally:
        for one in sockets:
            one.close()
        server.kill_all()


def test_a_shut_club_says_so_in_words_and_in_its_style(tmp_path: Path) -> None:
    server = Installation(tmp_path, "penya", GUINOTE_WORKERS="1")
    server.start()
    try:
        server.clubs.shut("penya")
        reader = Reader(server)
        said = {"Host": "penya.localhost", "Accept": "text/html"}
        answer, content = reader.get("/sala/", **said)
        page = Html(content.decode())
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert page.text("h1") == texts_of_language("es")["problem.unavailable"]
        styles = page.values("link[rel=stylesheet]", "href")
        assert styles
        assert {reader.get(str(one), **said)[0].status for one in styles} == {200}
    finally:
        server.kill_all()
