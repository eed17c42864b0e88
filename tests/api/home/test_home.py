"""The home page: it shows only links that the visitor may follow, and no names to a stranger."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.html.ways import MAIN, PLACES
from tests.api.http.test_access_matrix import EVERYBODY, Site, Who
from tests.support.browser.kept_pages import kept_page
from tests.support.browser.pages import LOOKED_AT, PHONE, no_violations_in_any_language
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

JOB = re.compile(r'<li><a href="([^"]+)"><strong>')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("who", EVERYBODY, ids=[who.name for who in EVERYBODY])
def test_every_door_shown_opens(site: Site, who: Who) -> None:
    client = site.clients[who.name]
    page = client.get("/").text
    jobs = JOB.findall(page)
    assert jobs
    assert {path: client.get(path).status_code for path in jobs} == dict.fromkeys(jobs, 200)


def test_a_person_with_all_rights_is_shown_every_job_of_their_role(site: Site) -> None:
    for role in ("admin", "director", "arbiter"):
        shown = site.clients[role].get("/").text.split('class="main-ways"')[1].split("</nav>")[0]
        assert re.findall(r'href="([^"]+)"', shown) == [PLACES[way] for way in MAIN[role]]


def test_a_stranger_sees_no_name_and_no_table(site: Site) -> None:
    for name, sees in (("stranger", 0), ("revoked", 0), ("spectator", 0), ("scorer here", 1)):
        page = site.clients[name].get("/").text
        assert ("Ana" in page, page.count('href="/e/')) == (bool(sees), sees), name


def test_the_home_page_of_an_empty_site_opens(tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    table.client.post("/entrar", data={"token": table.token})
    for client in (table.client, table.app.test_client()):
        assert client.get("/").status_code == 200


@pytest.mark.parametrize("lang", LOOKED_AT)
@pytest.mark.parametrize("signed_in", [True, False])
def test_everybody_can_read_it(browser, served: Served, lang: str, signed_in: bool) -> None:
    with kept_page(browser, served, f"/?lang={lang}", signed_in=signed_in, **PHONE) as page:
        no_violations_in_any_language(page)
        assert page.locator("h1").count() == 1
