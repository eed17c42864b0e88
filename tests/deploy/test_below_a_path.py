"""A real server below ``/guinote/`` of a real proxy, as the page on operations says."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPResponse, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from api.server import certificates
from api.server.certificates import Certificates
from api.server.wiring import now
from tests.support.html import Html
from tests.support.kit import own_proxies
from tests.support.servers.served import Served

CHANGES = {
    "nginx": (
        ("location / {", "location /guinote/ {"),
        ("proxy_pass http://127.0.0.1:8000;", "proxy_pass http://127.0.0.1:8000/;"),
    ),
    "caddy": (
        ("\treverse_proxy", "\thandle_path /guinote/* {\n\treverse_proxy"),
        ("flush_interval -1\n\t}", "flush_interval -1\n\t}\n\t}"),
    ),
}
"""What the page on operations has otherwise than the recipe."""
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


class Below(NamedTuple):
    """A server, and the port of the proxy in front of it."""

    served: Served
    port: int
    tls: Certificates

    def connection(self) -> HTTPSConnection:
        trusted = ssl.create_default_context(cafile=self.tls.root)
        return HTTPSConnection("127.0.0.1", self.port, timeout=10, context=trusted)

    def ask(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> tuple[HTTPResponse, str]:
        with closing(self.connection()) as connection:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer, answer.read().decode()

    def cookies(self) -> list[str]:
        """What the owner's sign-in sets."""
        form = urlencode({"token": self.served.token})
        page = f"https://127.0.0.1:{self.port}/guinote/entrar"
        answer, _ = self.ask("POST", "/guinote/entrar", form, Referer=page, **FORM)
        assert (answer.status, answer.headers["Location"]) == (303, "/guinote/")
        return answer.headers.get_all("Set-Cookie") or []


@pytest.fixture(scope="module", params=own_proxies.RECIPES)
def below(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Below]:
    name: str = request.param
    if own_proxies.found(name) is None:
        pytest.skip(own_proxies.NO_PROXY.format(name.upper()))
    folder = tmp_path_factory.mktemp("below")
    tls = certificates.write_certificate_files(folder / "tls", ("127.0.0.1", "localhost"), now())
    one = Served(folder / "data", is_forked=True, GUINOTE_PROXIES="1", GUINOTE_PREFIX="/guinote")
    one.start()
    recipe = own_proxies.recipe
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_proxies, "recipe", lambda of, *more: recipe(of, *CHANGES[of], *more))
        with own_proxies.before(name, one.port, folder / "proxy", tls) as (_, port):
            yield Below(one, port, tls)
            one.kill_all()  # before the proxy, which waits for its streams to end


def test_what_a_page_leads_to_is_below_the_path_and_answers(below: Below) -> None:
    answer, content = below.ask("GET", "/guinote/sala/")
    page = Html(content)
    assert (answer.status, page.values("html", "data-prefix")) == (200, ["/guinote"])
    led = [*page.values("link[href]", "href"), *page.values("script[src]", "src")]
    led += page.values("a[href^='/']", "href")
    assert len(led) > 5
    for one in led:
        assert str(one).startswith("/guinote/")
        assert below.ask("GET", str(one))[0].status == 200, one
    _, other = below.ask("GET", "/sala/")  # what else is there is not ours
    assert Html(other).values("html", "data-prefix") != ["/guinote"]


def test_who_signs_in_gets_a_cookie_of_the_path_and_writes(below: Below) -> None:
    cookies = below.cookies()
    assert len(cookies) > 0
    for one in cookies:
        assert one.startswith("__Secure-guinote")
        assert {"Secure", "Path=/guinote"} <= {part.strip() for part in one.split(";")}
    key = cookies[0].split(";")[0]
    opened = '{"profile": {"id": "club"}, "players": 4}'
    headers = {
        "Content_Type": "application/json",
        "Idempotency_Key": "below-the-path",
        "Origin": f"https://127.0.0.1:{below.port}",
        "Referer": f"https://127.0.0.1:{below.port}/guinote/arbitro/",
        "Cookie": key,
    }
    answer, _ = below.ask("POST", "/guinote/api/v1/encuentros", opened, **headers)
    assert answer.status == 201
    where = str(answer.headers["Location"])
    assert where.startswith("/guinote/api/v1/encuentros/")
    assert below.ask("GET", where, Cookie=key)[0].status == 200


def test_the_document_names_the_path_and_a_board_hears_its_stream(below: Below) -> None:
    _, document = below.ask("GET", "/guinote/api/openapi.json")
    assert json.loads(document)["servers"] == [{"url": "/guinote"}]
    with closing(below.connection()) as connection:
        connection.request("GET", "/guinote/api/v1/public/sala/stream")
        with closing(connection.getresponse()) as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            lines = [answer.readline() for _ in range(4)]
    assert any(line.startswith(b"event: view") for line in lines), lines


def test_a_visitor_does_not_say_below_which_path_the_service_is(below: Below) -> None:
    _, content = below.ask("GET", "/guinote/sala/", X_Forwarded_Prefix="/elsewhere")
    assert Html(content).values("html", "data-prefix") == ["/guinote"]
