"""The lobby of an installation: clubs are found, born and looked after, and none is seen inside."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.clubs import clubs as command
from api.http.languages import LANGUAGES
from api.lobby.book import FILE, LobbyBook, TooManyRequests, Wish
from api.monitoring.security_contact import CONTACT_VARIABLE, PATH
from referee.audit.publication import PUBLISHED_NOTE
from tests.support.html import Html
from tests.support.installation import Installation
from tests.support.lobby import LobbyVisitor
from tests.support.mailbox import running_mailbox
from tests.support.page_in_node import expect, page_in_node
from tests.support.waiting import wait_for

PASSWORD = "un caballo de bastos y un as"
NAMES = ("penya-la-sota", "tute")
ASKED = {
    "name": "Centro Cívico",
    "short": "centro",
    "contact": "ana@example.org",
    "words": "Somos 12",
}
OPEN_TO_ALL = ("/", "/?club=sota", "/entrar", "/pedir")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    settings = {"GUINOTE_WORKERS": "2", CONTACT_VARIABLE: "ana@example.org"}
    server = Installation(tmp_path_factory.mktemp("clubs"), *NAMES, **settings)
    server.start()
    yield server
    server.kill_all()


@pytest.fixture
def visitor(installation: Installation) -> LobbyVisitor:
    return LobbyVisitor(installation)


@pytest.fixture
def owner(installation: Installation) -> LobbyVisitor:
    found = LobbyVisitor(installation)
    found.sign_in()
    return found


def said(installation: Installation, *words: str) -> str:
    """What a command about the installation prints."""
    folder = str(installation.clubs.path)
    return CliRunner().invoke(command, ["--folder", folder, *words], catch_exceptions=False).output


def test_a_club_is_found_by_a_word_of_its_name_and_leads_to_its_address(
    visitor: LobbyVisitor,
) -> None:
    for asked in ("La+Sota", "penya-la-sota", "PENYA"):
        port = visitor.installation.port
        page = visitor.page(f"/?club={asked}", Host=f"localhost:{port}")
        assert page.values(".clubs a", "href") == [f"http://penya-la-sota.localhost:{port}/"]
    for asked in ("so", "nadie", "-"):
        assert visitor.page(f"/?club={asked}").count(".clubs a") == 0


def test_a_stranger_reads_whom_to_tell_about_a_weakness(visitor: LobbyVisitor) -> None:
    answer, content = visitor.get(PATH)
    assert (answer.status, content.partition(b"\n")[0]) == (200, b"Contact: mailto:ana@example.org")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", OPEN_TO_ALL)
def test_pages_are_in_four_languages_with_strict_headers_and_no_cookie(
    visitor: LobbyVisitor, path: str, lang: str
) -> None:
    answer, content = visitor.get(path + ("&" if "?" in path else "?") + f"lang={lang}")
    assert answer.headers["Content-Language"] == lang
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Set-Cookie"] is None
    page = Html(content.decode())
    assert page.one("html").attributes["lang"] == lang
    assert "lobby." not in page.text()


def test_an_unknown_host_gets_one_page_and_no_other(visitor: LobbyVisitor) -> None:
    for path in ("/", "/entrar", "/instalacion", "/nuevo/x", "/libre?corto=tute"):
        answer, content = visitor.get(path, Host="nobody.example")
        assert answer.status == 421
        assert Html(content.decode()).text("h1") == "Aquí no hay ningún club"
    assert visitor.get("/static/html/guinote.css", Host="nobody.example")[0].status == 200
    answer, content = visitor.get("/api/v1/encuentros", Host="nobody.example")
    assert (answer.status, json.loads(content)) == (421, {"status": "no club"})


def test_an_invitation_makes_a_club_with_its_name_its_admin_and_an_example(
    installation: Installation, visitor: LobbyVisitor
) -> None:
    path = "/nuevo/" + said(installation, "invite").strip().rpartition("/")[2]
    assert visitor.page(path).count("input[name=example][checked]") == 1
    for short, field in (("tute", "short"), ("la sota", "short"), ("www", "short")):
        assert visitor.send(path, name="El As", short=short).status == 422
        assert visitor.shown.count("#wrong-short") == 1, (short, field)
        assert visitor.shown.values("#short", "aria-invalid") == ["true"]
    assert visitor.send(path, name=" ", short="el-as").status == 422
    assert visitor.shown.count("#wrong-name") == 1
    assert visitor.send(path, name="Peña El As", example="1").status == 200
    home, link, example = (str(one) for one in visitor.shown.values("main a", "href"))
    assert home.startswith("http://pena-el-as.localhost")
    for club, way in (("pena-el-as", link), ("pena-el-as-ejemplo", example)):
        form = {"invitation": way.partition("/alta#")[2], "name": "Ana", "password": PASSWORD}
        answer = visitor.send("/alta", {"Host": f"{club}.localhost"}, **form)
        assert answer.status == 303, visitor.shown.text()
    assert visitor.send(path).status == 200
    assert "tiene ya un administrador" in visitor.shown.text()
    shown = visitor.get("/", Host="pena-el-as.localhost")[1].decode()
    assert Html(shown).text(".brand") == "Peña El As"

    def seasons() -> int:
        content = visitor.get("/", Host="pena-el-as-ejemplo.localhost")[1].decode()
        return content.count('href="/temporadas/')

    wait_for(seasons, "the season of the example")


def test_however_often_a_form_is_sent_an_invitation_makes_one_club(
    installation: Installation, owner: LobbyVisitor
) -> None:
    path, before = owner.invitation(), set(installation.clubs.names())

    def send(which: int) -> tuple[int, list[str | None]]:
        visitor = LobbyVisitor(installation)
        answer = visitor.send(path, name="Oros", short=f"oros-{which}")
        return answer.status, visitor.shown.values(".host a", "href")

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(send, range(6)))
    made = set(installation.clubs.names()) - before
    assert len(made) == 1
    assert {status for status, _ in answers} == {200}
    assert len({str(links) for _, links in answers}) == 1
    visitor = LobbyVisitor(installation)
    assert visitor.page(path).count("input[name=name]") == 0


def test_a_club_that_is_shut_gives_no_link_to_who_made_it(
    installation: Installation, owner: LobbyVisitor, visitor: LobbyVisitor
) -> None:
    path = owner.invitation()
    visitor.send(path, name="Espadas", short="espadas")
    installation.clubs.shut("espadas")
    assert visitor.send(path).status == 503
    assert visitor.shown.text("h1") == "El club está cerrado ahora"
    installation.clubs.reopen("espadas")
    assert visitor.send(path).status == 200
    assert visitor.shown.count("main a.take") == 1


def test_who_dies_while_a_club_is_made_may_make_it_again(
    installation: Installation, owner: LobbyVisitor
) -> None:
    path = owner.invitation()
    with closing(LobbyBook(installation.clubs.path, lambda: 0.0)) as book:
        book.note_club_in_making(path.rpartition("/")[2], "bastos", "Bastos")
    visitor = LobbyVisitor(installation)
    assert visitor.page(path).count("input[name=name]") == 1
    assert visitor.send(path, name="Bastos", short="bastos").status == 200
    assert installation.clubs.has("bastos")


def test_an_old_invitation_gives_no_link_of_a_later_club_of_the_same_name(
    installation: Installation, owner: LobbyVisitor, visitor: LobbyVisitor
) -> None:
    old, new = owner.invitation(), owner.invitation()
    assert visitor.send(old, name="Caballo", short="caballo", example="1").status == 200
    for name in ("caballo", "caballo-ejemplo"):
        installation.clubs.shut(name)
        wait_for(lambda name=name: not installation.who_has(name), "no file of it is open")
    shutil.rmtree(installation.clubs.data_folder("caballo-ejemplo"))
    kept = installation.clubs.path / "kept"
    installation.clubs.data_folder("caballo").rename(kept)
    assert visitor.send(new, name="Caballo", short="caballo", example="1").status == 200
    assert visitor.get(old)[0].status == 404
    assert visitor.send(old).status == 404
    shutil.rmtree(installation.clubs.data_folder("caballo"))
    kept.rename(installation.clubs.data_folder("caballo"))
    installation.clubs.reopen("caballo")
    assert visitor.send(old).status == 200
    assert visitor.shown.count("main a.take") == 1
    assert visitor.shown.count("main a.button") == 0  # the example is that of the other one


def test_who_died_while_a_club_was_made_gets_no_link_of_who_took_its_name(
    installation: Installation, owner: LobbyVisitor, visitor: LobbyVisitor
) -> None:
    dead, other = owner.invitation(), owner.invitation()
    with closing(LobbyBook(installation.clubs.path, lambda: 0.0)) as book:
        book.note_club_in_making(dead.rpartition("/")[2], "sotas", "Sotas")
    assert visitor.send(other, name="Sotas", short="sotas").status == 200
    assert visitor.page(dead).count("input[name=name]") == 1
    assert visitor.send(dead, name="Sotas", short="sotas").status == 422
    assert visitor.shown.count("main a.take") == 0
    assert visitor.send(dead, name="Sotas", short="sotas-2").status == 200


def test_a_withdrawn_or_invented_invitation_opens_nothing(
    installation: Installation, owner: LobbyVisitor, visitor: LobbyVisitor
) -> None:
    path = owner.invitation()
    page = owner.page("/instalacion")
    for one in page.values("form[action$='/baja']", "action"):
        assert owner.send(str(one)).status == 303
    before = installation.clubs.names()
    for address in (path, "/nuevo/AAAAAAAAAAAAAAAAAAAAAA"):
        assert visitor.send(address, name="Copas", short="copas").status == 404
    assert installation.clubs.names() == before
    with closing(sqlite3.connect(installation.clubs.path / FILE)) as db:
        kept = str(db.execute("SELECT * FROM invitation").fetchall())
    assert path.rpartition("/")[2] not in kept


def test_who_asks_for_a_club_waits_for_the_owner_and_then_makes_it(
    installation: Installation, owner: LobbyVisitor, visitor: LobbyVisitor
) -> None:
    assert visitor.send("/pedir", **ASKED).status == 200  # says that it is closed
    assert owner.page("/instalacion").count(".request") == 0
    said(installation, "signup", "on")
    assert visitor.send("/pedir", **{**ASKED, "contact": ""}).status == 422
    assert visitor.shown.count("#wrong-contact") == 1
    path = str(visitor.send("/pedir", **ASKED).headers["Location"])
    other = str(visitor.send("/pedir", **{**ASKED, "short": "no"}).headers["Location"])
    assert "Todavía no" in visitor.page(path).text(".state")
    assert visitor.send(path, name="Centro", short="centro").status == 200
    assert not installation.clubs.has("centro")
    page = owner.page("/instalacion")
    assert [text for text in page.texts(".request .lead") if "ana@example.org" in text]
    yes, no = page.values(".request form", "action")
    owner.send(str(yes), answer="yes")
    owner.send(str(no), answer="no")
    assert "ana@example.org" not in owner.page("/instalacion").text()
    assert b"ana@example.org" not in (installation.clubs.path / FILE).read_bytes()
    assert "que no" in visitor.page(other).text(".state")
    assert visitor.page(path).values("#name", "value") == [ASKED["name"]]
    assert visitor.send(path, name="Centro", short="centro").status == 200
    assert installation.clubs.has("centro")
    said(installation, "signup", "off")
    assert visitor.page("/pedir").count("form") == 0


def test_who_gives_an_address_of_mail_gets_the_address_of_the_request_and_what_was_decided(
    tmp_path: Path,
) -> None:
    with running_mailbox() as box:
        settings = {"GUINOTE_SMTP": box.address, "GUINOTE_SMTP_FROM": "clubes@example.org"}
        server = Installation(tmp_path, GUINOTE_WORKERS="1", **settings)
        server.start()
        try:
            said(server, "signup", "on")
            visitor = LobbyVisitor(server)
            path = str(visitor.send("/pedir", **ASKED).headers["Location"])
            visitor.send("/pedir", **{**ASKED, "short": "b", "contact": "600 123 123"})
            wait_for(lambda: len(box.got) == 1, "the mail with the address")
            visitor.sign_in()
            for form in visitor.page("/instalacion").values(".request form", "action"):
                visitor.send(str(form), answer="yes")
            wait_for(lambda: len(box.got) == 2, "the mail with the answer")
        finally:
            server.kill_all()
    asked, answered = (message_from_bytes(one, policy=policy.default) for one in box.got)
    assert [one["To"] for one in (asked, answered)] == [ASKED["contact"]] * 2
    assert path in asked.get_content()
    assert "Centro Cívico" in answered["Subject"]


def test_requests_are_bounded_for_a_network_and_in_all(tmp_path: Path) -> None:
    wish, now = Wish("a", "A", "x", "", "es"), [1_000_000.0]
    with closing(LobbyBook(tmp_path, lambda: now[0])) as book:
        for _ in range(3):
            book.store_club_request(wish, "10.0.0.7")
        with pytest.raises(TooManyRequests):
            book.store_club_request(wish, "10.0.0.7")
        now[0] += 86_401
        book.store_club_request(wish, "10.0.0.7")
        for which in range(96):
            book.store_club_request(wish, f"10.0.1.{which}")
        with pytest.raises(TooManyRequests):
            book.store_club_request(wish, "10.0.2.1")
        now[0] += 15 * 86_400
        book.store_club_request(wish, "10.0.2.1")


def test_nobody_but_who_has_the_token_sees_the_installation(
    installation: Installation, visitor: LobbyVisitor
) -> None:
    wrong = {"token": "x" * 43}
    answers = [visitor.send(f"/instalacion/{one}") for one in ("invitaciones", "clubes/tute")]
    for answer in (visitor.get("/instalacion")[0], visitor.send("/instalacion/salir"), *answers):
        assert (answer.status, answer.headers["Location"]) == (303, "/entrar")
    assert visitor.send("/entrar", **wrong).status == 422
    club_cookie = {"Cookie": f"guinote={installation.club('tute').token}"}
    assert visitor.send("/instalacion/clubes/tute", club_cookie, state="shut").status == 303
    assert not installation.clubs.is_shut("tute")
    visitor.sign_in()
    for site in ("same-site", "cross-site"):  # a page of a club, and any other
        crossing = {"Sec-Fetch-Site": site}
        assert visitor.send("/instalacion/clubes/tute", crossing, state="shut").status == 403
    assert not installation.clubs.is_shut("tute")
    answer, _ = visitor.get("/casa", Host="tute.localhost")  # with the cookie of the owner
    assert (answer.status, answer.headers["Location"]) == (302, "/entrar?next=/casa")


def test_a_new_token_ends_the_sign_ins_of_the_one_before(installation: Installation) -> None:
    visitor = LobbyVisitor(installation)
    visitor.sign_in()
    before = said(installation, "token").strip()
    made = said(installation, "token", "--new").strip()
    assert before != made
    assert visitor.get("/instalacion")[0].status == 303
    visitor.sign_in()
    assert visitor.get("/instalacion")[0].status == 200


def test_guesses_of_the_token_are_bounded_for_an_address(installation: Installation) -> None:
    visitor = LobbyVisitor(installation)
    answers = [visitor.send("/entrar", token=f"guess {n}") for n in range(301)]
    assert answers[0].status == 422
    assert answers[-1].status == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    visitor.sign_in()  # a right one is taken all the same


def test_the_owner_shuts_and_opens_a_club_and_sees_no_person(installation: Installation) -> None:
    owner = LobbyVisitor(installation)
    owner.sign_in()
    club = installation.club("tute")
    body = {"name": "Encarnación Sobrino"}
    headers = {"Authorization": f"Bearer {club.token}", "Idempotency-Key": "k" * 16}
    assert club.ask("POST", "/api/v1/players", body, headers)[0] == 201
    row = wait_for(
        lambda: [
            one for one in owner.page("/instalacion").all("tbody tr") if "tute" in str(one.html)
        ],
        "the row of the club",
    )[0]
    assert re.search(r'class="n">[1-9]', str(row.html))
    assert "Encarnación" not in owner.page("/instalacion").text()
    assert owner.send("/instalacion/clubes/tute", state="shut").status == 303
    assert visitor_status(installation) == 503
    log = installation.clubs.data_folder("tute") / "log.sqlite"
    wait_for(lambda: not installation.who_has("tute"), "no file of it is open")
    whole = log.read_bytes()
    log.write_bytes(b"")  # it is restored now, and the page opens nothing of it
    assert "Dañado" not in owner.page("/instalacion").text("tbody")
    assert log.read_bytes() == b""
    log.write_bytes(whole)
    assert owner.send("/instalacion/clubes/tute", state="open").status == 303
    assert visitor_status(installation) == 200
    assert owner.send("/instalacion/clubes/nadie", state="shut").status == 404


def visitor_status(installation: Installation) -> int:
    return LobbyVisitor(installation).get("/", Host="tute.localhost")[0].status


def test_a_damaged_club_is_told_and_the_others_are_listed(installation: Installation) -> None:
    owner = LobbyVisitor(installation)
    owner.sign_in()
    log = installation.clubs.data_folder("penya-la-sota") / "log.sqlite"
    whole = log.read_bytes()
    log.write_bytes(b"\0" * len(whole))
    texts = owner.page("/instalacion").texts("tbody tr")
    log.write_bytes(whole)
    damaged = [text for text in texts if "Dañado" in text]
    assert len(damaged) == 1
    assert "penya-la-sota" in damaged[0]
    assert len(texts) == len(installation.clubs.names())


def test_a_club_whose_checkpoint_is_no_text_is_told_as_damaged(
    installation: Installation, owner: LobbyVisitor
) -> None:
    file = installation.clubs.data_folder("penya-la-sota") / PUBLISHED_NOTE
    wait_for(file.exists, "it is signed")
    whole = file.read_bytes()
    file.write_bytes(b"\xff\xfe\x00")
    texts = owner.page("/instalacion").texts("tbody tr")
    file.write_bytes(whole)
    assert ["Dañado" in text for text in texts if "penya-la-sota" in text] == [True]


def test_the_short_name_follows_the_name_and_is_told_at_once_if_it_is_taken(
    installation: Installation, owner: LobbyVisitor
) -> None:
    with page_in_node(installation, owner.invitation()) as page:
        page.fill("#name", "Tuté")
        expect(page.locator("#taken")).to_have_text(
            "Otro club tiene ya ese nombre corto. Elige otro."
        )
        expect(page.locator("#short")).to_have_attribute("aria-invalid", "true")
        page.fill("#name", "Peña Ñoños, 2")
        page.wait_for_function("() => document.getElementById('short').value === 'pena-nonos-2'")
        page.wait_for_function("() => document.getElementById('taken').hidden")
        expect(page.locator("#short")).to_have_attribute("aria-invalid", "false")
        page.fill("#short", "la sota")
        page.click("main button")
        expect(page.locator("#wrong-short")).to_be_visible()
        page.fill("#short", "la-sota-2")
        expect(page.locator("#wrong-short")).to_have_count(0)
