"""Clubs at paths of one host: each leads only to itself, and a browser keeps them apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from api.cli.main import main
from api.http.languages import texts_of_language
from api.server.clubs.birth import make_club
from api.server.clubs.composition import clubs_app
from api.server.clubs.folder import OF_THE_LOBBY, BadClubName, ClubsFolder
from tests.support.browser.pages import address, connect, cut_off, kept_offline, sign_in
from tests.support.browser.tablets import tablet
from tests.support.installation import Installation
from tests.support.lobby import LobbyVisitor
from tests.support.outbox import OPENED, Club, played
from tests.support.page_in_node import expect, page_in_node
from tests.support.read_pages import Reader
from tests.support.servers.cookies import cookie_of
from tests.support.servers.served import Served

TRICK = played("A1 3O", "B1 4O", "A2 5O", "B2 6O")
_OUTBOX = """async (encuentro) => {
  const { openTable } = await modules("/penya/static/tablet/outbox/table.js");
  globalThis.table = await openTable(encuentro);
  table.subscribe(() => {});
}"""

_KEPT = """async () => [
  (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname).sort(),
  (await indexedDB.databases()).map(({ name }) => name).sort(),
  await caches.keys(),
]"""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    server = Installation(tmp_path_factory.mktemp("paths"), "penya", "penya-dos")
    server.clubs.choose_domain("localhost", is_by_path=True)
    server.start()
    yield server
    server.kill_all()


@pytest.fixture
def penya(installation: Installation) -> Served:
    return installation.club_below("penya")


@pytest.fixture
def other(installation: Installation) -> Served:
    return installation.club_below("penya-dos")


def set_cookies(served: Served) -> list[str]:
    """What the owner's sign-in sets."""
    with closing(served.connection()) as connection:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{served.prefix}/entrar", f"token={served.token}", form)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Location"]) == (303, f"{served.prefix}/")
        return answer.headers.get_all("Set-Cookie") or []


def test_a_cookie_of_a_club_is_sent_to_it_alone_and_opens_nothing_elsewhere(
    penya: Served, other: Served
) -> None:
    given = set_cookies(penya)
    assert [re.findall(r"Path=([^;]*)", one) for one in given] == [["/penya"]] * len(given) != []
    cookie = Reader(penya, cookie=cookie_of(penya))
    assert cookie.get("/penya/casa")[0].status == 200
    answer, _ = cookie.get("/penya-dos/casa")
    assert (answer.status, answer.headers["Location"]) == (
        302,
        "/penya-dos/entrar?next=/penya-dos/casa",
    )
    stranger = {"Authorization": f"Bearer {penya.token}"}
    assert other.ask("GET", "/api/v1/settings", headers=stranger)[0] == 401


@pytest.mark.parametrize("browser_sends", ["Sec-Fetch-Site", "Origin"])
def test_a_form_is_taken_from_pages_of_the_club_alone(penya: Served, browser_sends: str) -> None:
    cookie, place = cookie_of(penya), f"localhost:{penya.port}"
    sent = "same-origin" if browser_sends == "Sec-Fetch-Site" else f"http://{place}"

    def status(page: str) -> int:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            browser_sends: sent,
            "Host": place,
            "Cookie": cookie,
        }
        if page:
            headers["Referer"] = page
        with closing(penya.connection()) as connection:
            connection.request("POST", "/penya/casa/moviles", "reach=here", headers)
            return connection.getresponse().status

    for ours in (f"http://{place}/penya/cuenta", f"https://{place}/penya/"):
        assert status(ours) == 303, ours
    for path in ("/penya-dos/cuenta", "/", "/penyazo"):
        assert status(f"http://{place}{path}") == status(f"https://{place}{path}") == 403, path
    assert status("") == status("http://elsewhere.example/penya/cuenta") == status("//[") == 403


def test_the_owner_shuts_a_club_by_their_own_page_alone(installation: Installation) -> None:
    owner = LobbyVisitor(installation)
    owner.sign_in()
    path, clubs = "/instalacion/clubes/penya-dos", installation.clubs
    for page in ("/penya/", "/", "/instalacion-dos/", "/entrar-dos/"):
        answer = owner.send(path, {"Referer": owner.place + page}, state="shut")
        assert (answer.status, clubs.is_shut("penya-dos")) == (403, False), page
    assert owner.send(path, state="shut").status == 303
    assert clubs.is_shut("penya-dos")
    clubs.reopen("penya-dos")


def test_the_bare_name_of_a_club_leads_below_it(penya: Served) -> None:
    answer, _ = Reader(penya).get("/penya?lang=ca")
    assert (answer.status, answer.headers["Location"]) == (308, "/penya/?lang=ca")


def test_signing_in_leads_to_no_other_club(penya: Served) -> None:
    def goal(asked: str) -> str | None:
        form = urlencode({"token": penya.token, "next": asked})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        with closing(penya.connection()) as connection:
            connection.request("POST", "/penya/entrar", form, kind)
            return connection.getresponse().headers["Location"]

    assert goal("/penya/casa?of=../x") == "/penya/casa?of=../x"
    for step in ("..", "%2e%2E", ".%2e", "x/.."):
        for slash in "/\\":
            asked = f"/penya/{step}{slash}penya-dos{slash}entrar"
            assert goal(asked) == "/penya/", asked


def test_the_tablet_and_its_worker_are_below_the_path(penya: Served) -> None:
    reader = Reader(penya)
    _, worker = reader.get("/penya/arbitro/sw.js")
    (kept,) = re.findall(rb"self\.kept = (.*);", worker)
    assert {one.split("/static/")[0] for one in json.loads(kept)["assets"]} == {"/penya"}
    _, manifest = reader.get("/penya/arbitro/manifest.webmanifest")
    about = json.loads(manifest)
    assert {about[name] for name in ("id", "start_url", "scope")} == {"/penya/arbitro/"}
    assert all(one["src"].startswith("/penya/static/") for one in about["icons"])
    _, document = reader.get("/penya/api/openapi.json")
    assert json.loads(document)["servers"] == [{"url": "/penya"}]


def test_the_lobby_is_at_the_root_and_leads_to_the_clubs(installation: Installation) -> None:
    visitor = LobbyVisitor(installation)
    found = visitor.page("/?club=penya", Host=f"localhost:{installation.port}")
    assert found.values(".clubs a", "href") == [f"http://localhost:{installation.port}/penya/"]
    visitor.sign_in()
    answer = visitor.send("/instalacion/salir")
    (ended,) = answer.headers.get_all("Set-Cookie") or []
    assert ended.startswith("guinote-owner=;")
    assert "Path=/instalacion" in ended
    assert visitor.get("/nadie/")[0].status == 404
    assert visitor.get("/penya/", Host="elsewhere.example")[0].status == 421


def test_no_club_has_the_name_of_a_page_of_the_lobby(
    installation: Installation, tmp_path: Any
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUINOTE_CLUBS", str(tmp_path / "clubs"))
        made = clubs_app()
    lobby = made.wsgi_app
    while not hasattr(lobby, "_lobby"):
        lobby = lobby._app
    rules = lobby._lobby.app.url_map.iter_rules()
    first = {rule.rule.split("/")[1] for rule in rules} - {"", "static", ".well-known"}
    assert first | {"metrics", "tls"} == OF_THE_LOBBY
    for name in first:
        with pytest.raises(BadClubName):
            make_club(installation.clubs, name)


def test_a_club_that_is_added_gets_its_address(tmp_path: Any) -> None:
    run = CliRunner(catch_exceptions=False)
    command = ["clubs", "--folder", str(tmp_path)]
    assert (
        run.invoke(main, [*command, "domain", "uno.example", "--by-path"]).output
        == "uno.example/\n"
    )
    said = json.loads(run.invoke(main, [*command, "add", "sota"]).output)
    assert said["address"] == "https://uno.example/sota/"
    assert said["link"].startswith("https://uno.example/sota/alta#")
    assert run.invoke(main, [*command, "domain", "uno.example"]).output == "uno.example\n"
    assert not ClubsFolder(tmp_path).is_by_path


def test_an_outbox_below_a_path_sends_to_its_club(penya: Served, other: Served) -> None:
    club = Club(penya)
    where = club.encuentro()
    with page_in_node(penya, "/arbitro/", signed_in=True) as page:
        page.goto(f"#/mesa/{where}")
        expect(page.locator("main section.table")).to_be_visible()
        page.evaluate(_OUTBOX, where)
        page.network(is_on=False)
        page.evaluate("(acts) => table.record(1, acts)", OPENED)
        page.network(is_on=True)
        page.wait_for_function("table.state().status === 'sent'")
    assert club.log(where) == ["deal", "pinta"]
    assert other.ask("GET", "/api/v1/public/sala")[1]["tables"] == []


def test_a_live_board_below_a_path_follows_its_table(penya: Served) -> None:
    club = Club(penya)
    where = club.encuentro()
    club.partidas(where)
    with page_in_node(penya, f"/mesa/{where}") as page:
        view = page.locator("main").get_attribute("data-view")
        assert view == f"/penya/api/v1/public/encuentros/{where}"
        expect(page.locator("#state")).to_have_attribute("data-state", "live")
        expect(page.locator(".moment").first).to_contain_text("Entre repartos")
        club.record(where, *OPENED, *TRICK)
        expect(page.locator(".moment").first).to_contain_text("Con mazo")
        expect(page.locator("#state")).to_have_attribute("data-state", "live")


def test_a_browser_keeps_the_tablet_of_a_club_when_another_on_the_host_is_left(
    browser: Browser, penya: Served, other: Served
) -> None:
    where = Club(other).encuentro()
    with tablet(browser, other, where) as kept:
        kept.keep_offline().record(*OPENED)
        kept.sent()
        sign_in(kept.context, penya)
        page = kept.context.new_page()
        page.goto(address(penya, "/arbitro/"))
        kept_offline(page)
        scopes, databases, caches = page.evaluate(_KEPT)
        assert scopes == ["/penya-dos/arbitro/", "/penya/arbitro/"]
        assert databases == ["/penya guinote", "/penya-dos guinote"]
        assert {one.partition(" ")[0] for one in caches} == {"/penya", "/penya-dos"}
        page.goto(address(penya, "/salir"))
        page.get_by_role("button", name=texts_of_language("es")["leaving.leave"]).click()
        page.wait_for_url("**/penya/entrar")
        cut_off(kept.page)
        kept.reload()
        assert kept.shown() == ["deal", "pinta"]
        connect(kept.page)
        kept.record(*TRICK)
        kept.sent()
    assert Club(other).log(where) == ["deal", "pinta", "A1 3O", "B1 4O", "A2 5O", "B2 6O"]
