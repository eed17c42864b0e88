"""A club is made by who has mail: a code over TLS, typed in time, and no address that is kept."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from api.accounts.mail import PATIENCE_S, is_mail_address, mail_server_from_settings
from api.cli.clubs import clubs as command
from api.http.languages import LANGUAGES, texts_of_language
from api.lobby.book import FILE, LobbyBook, TooManyRequests
from api.server.certificates import Certificates, write_certificate_files
from tests.support.installation import Installation
from tests.support.lobby import LobbyVisitor
from tests.support.mailbox import REFUSING, SILENT, Mailbox, running_mailbox
from tests.support.waiting import wait_for

SENDER, TO = "clubes@example.org", "ana@example.org"
CRAFTED = (
    "a" * 200,
    "ana(Gana.en.www.evil.example)@club.example",
    "=?utf-8?q?victim=40a.example=2C?=@b.example",
    "=?utf-8?q?a=0aBcc=3Ax=40y.zz?=@b.example",
    "=?utf-8?q??=@b.example",
    "(@b.example",
    "\0@b.example",
)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("tls")
    return write_certificate_files(folder, ("127.0.0.1",), datetime.now(UTC))


@pytest.fixture(scope="module")
def box(tls: Certificates) -> Iterator[Mailbox]:
    with running_mailbox(tls=tls) as found:
        yield found


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, tls: Certificates, box: Mailbox
) -> Iterator[Installation]:
    mail = {"GUINOTE_SMTP": box.address, "GUINOTE_SMTP_FROM": SENDER}
    trusted = {"SSL_CERT_FILE": str(tls.root), "GUINOTE_PROXIES": "1"}
    server = Installation(tmp_path_factory.mktemp("clubs"), GUINOTE_WORKERS="1", **mail, **trusted)
    server.start()
    choose(server.clubs.path, "mail")
    yield server
    server.kill_all()


class Founder(LobbyVisitor):
    """Somebody who makes a club, at an address of the network of their own."""

    def __init__(self, installation: Installation, address: str) -> None:
        super().__init__(installation)
        self.forwarded = {"X-Forwarded-For": address}

    def sends(self, path: str, /, **form: str) -> tuple[int, str]:
        answer = self.send(path, self.forwarded, **form)
        return answer.status, answer.headers["Location"] or ""


def choose(folder: Path, state: str) -> None:
    done = CliRunner().invoke(command, ["--folder", str(folder), "signup", state])
    assert done.exit_code == 0, done.output


def text_of(box: Mailbox, to: str = TO) -> str:
    made = message_from_bytes(box.got[-1], policy=policy.default)
    assert (made["From"], made["To"]) == (SENDER, to)
    return f"{made['Subject']}\n{made.get_content()}"


def begin(founder: Founder, box: Mailbox, to: str = TO) -> tuple[str, str]:
    """Where the code of a mail is typed, and the code."""
    before = len(box.got)
    status, path = founder.sends("/empezar", mail=to)
    assert status == 303
    wait_for(lambda: len(box.got) > before, "the mail with the code")
    return path, code_of(box, to)


def code_of(box: Mailbox, to: str) -> str:
    found = re.findall(r"\b\d{6}\b", text_of(box, to))
    assert len(set(found)) == 1
    return found[0]


def test_who_has_mail_makes_a_club_with_forms_alone(
    installation: Installation, box: Mailbox
) -> None:
    founder = Founder(installation, "192.0.2.1")
    (way,) = founder.page("/").values("main a.take", "href")
    assert (way, founder.page(way).count("script")) == ("/empezar", 0)
    path, code = begin(founder, box)
    assert founder.page(path).count("#code") == 1
    assert founder.get("/nuevo/" + path.rpartition("/")[2])[0].status == 404
    wrong = f"{(int(code) + 1) % 10**6:06}"
    assert founder.sends(path, code=wrong)[0] == 422
    assert founder.shown.count("#wrong-code") == 1
    status, form = founder.sends(path, code=f" {code[:3]} {code[3:]} ")
    assert status == 303
    assert founder.sends(path, code=code)[0] == 404, "a code is good once"
    assert founder.sends(form, name="Peña del Correo", short="correo")[0] == 200
    assert founder.shown.count("main a.take") == 1
    assert installation.clubs.has("correo")
    kept = [one.read_bytes() for one in installation.clubs.path.rglob("*") if one.is_file()]
    assert [one for one in kept if TO.encode() in one] == []


def test_nothing_that_somebody_typed_is_in_the_mail(
    installation: Installation, box: Mailbox
) -> None:
    founder = Founder(installation, "192.0.2.2")
    typed = {"name": "COMPRE AQUI", "short": "compre", "words": "https://spam.example"}
    for which, (path, form) in enumerate((("/empezar", {"mail": TO}), ("/pedir", {"contact": TO}))):
        before = len(box.got)
        assert founder.sends(path, **form, **typed)[0] == 303
        wait_for(lambda: len(box.got) > before, "the mail")  # noqa: B023 - called at once
        said = text_of(box)
        assert [one for one in typed.values() if one.lower() in said.lower()] == []
        assert ("localhost", "/nuevo/")[which] in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_and_mail_are_in_the_language_of_the_page(lang: str, tmp_path: Path) -> None:
    words = texts_of_language(lang)
    assert "{code}" in words["lobby.mail_code_text"]
    with closing(LobbyBook(tmp_path, lambda: 0.0)) as book:
        key, code = book.create_mail_key_and_code(TO, "", lang)
        assert book.redeem_mail_code(key, code) == "right"
        found = book.find(key)
        assert found is not None
        assert found.lang == lang


def test_what_is_no_address_and_what_cannot_be_sent_are_told_at_the_field(
    installation: Installation,
) -> None:
    founder = Founder(installation, "192.0.2.3")
    for typed in ("", "ana", "ana@example.org, beto@example.org", "ana@exámple.org", *CRAFTED):
        assert founder.sends("/empezar", mail=typed)[0] == 422
        assert founder.shown.count("#wrong-mail") == 1
    crossing = {"Sec-Fetch-Site": "cross-site", **founder.forwarded}
    assert founder.send("/empezar", crossing, mail=TO).status == 403


def test_a_network_sends_so_many_mails_and_an_address_gets_so_many(
    installation: Installation, box: Mailbox
) -> None:
    before = len(box.got)
    network = Founder(installation, "192.0.2.4")
    wish = {"name": "Oros", "short": "oros"}
    answers = [network.sends("/empezar", mail=f"n{which}@example.org")[0] for which in range(7)]
    assert answers == [303] * 5 + [422] * 2
    assert "demasiadas" in network.shown.text().lower()
    others = [Founder(installation, f"192.0.2.{10 + which}") for which in range(5)]
    assert others[0].sends("/pedir", contact="beto@example.org", **wish)[0] == 303
    same = ("Beto@example.org", "beto+1@example.org", "BETO+2@example.org", "beto@Example.org")
    answers = [one.sends("/empezar", mail=to)[0] for one, to in zip(others, same, strict=False)]
    assert answers == [303] * 2 + [422] * 2
    assert others[4].sends("/pedir", contact="beto@example.org", **wish)[0] == 303, "no mail"
    assert others[4].sends("/empezar", mail="carla@example.org")[0] == 303
    wait_for(lambda: b"carla@" in b"".join(box.got[before:]), "the last mail")
    wait_for(lambda: len(box.got) >= before + 9, "the mails")
    assert len(box.got) == before + 9


def test_a_server_that_is_silent_keeps_nobody_waiting(tmp_path: Path) -> None:
    with running_mailbox(SILENT) as box:
        mail = {"GUINOTE_SMTP": box.address, "GUINOTE_SMTP_FROM": SENDER}
        server = Installation(tmp_path, GUINOTE_WORKERS="1", **mail)
        server.start()
        try:
            choose(server.clubs.path, "mail")
            begun = time.monotonic()
            for which in range(4):
                answer = LobbyVisitor(server).send("/empezar", mail=f"s{which}@example.org")
                assert answer.status == 303
            assert LobbyVisitor(server).get("/livez")[0].status == 200
            assert time.monotonic() - begun < PATIENCE_S
        finally:
            server.kill_all()


def test_a_mail_that_is_refused_is_told_on_its_page_and_counts_for_nobody(
    installation: Installation, box: Mailbox
) -> None:
    founder, paths = Founder(installation, "192.0.2.30"), []
    box.mood = REFUSING
    try:
        for _ in range(6):
            status, path = founder.sends("/empezar", mail="dora@example.org")
            assert status == 303
            wait_for(lambda: founder.get(path)[0].status == 422, "word of it")  # noqa: B023 - called at once
            paths.append(path)
    finally:
        box.mood = ""
    founder.get(paths[-1])
    assert founder.sends(paths[-1], code="123456")[0] == 422
    begin(founder, box, "dora@example.org")


def test_codes_that_are_out_end_when_mail_is_no_longer_enough(
    installation: Installation, box: Mailbox
) -> None:
    founder = Founder(installation, "192.0.2.31")
    typed, code = begin(founder, box, "eva@example.org")
    waiting, other = begin(founder, box, "eva@example.org")
    status, form = founder.sends(typed, code=code)
    assert status == 303
    try:
        choose(installation.clubs.path, "off")
        assert founder.sends(waiting, code=other)[0] == 404
        assert founder.sends(form, name="Tarde", short="tarde")[0] == 404
        assert not installation.clubs.has("tarde")
    finally:
        choose(installation.clubs.path, "mail")


@given(st.from_regex(r"[^@]{1,20}@[a-z0-9.-]{1,20}", fullmatch=True, alphabet=st.characters()))
@example("!#$%&'*+/^_{|}~-@b.example")
@example(f"{'a' * 64}@{'b' * 60}.example")
def test_what_passes_for_an_address_is_one_recipient_as_it_was_typed(typed: str) -> None:
    if is_mail_address(typed):
        made = EmailMessage()
        made["To"] = Address(addr_spec=typed)
        read = message_from_bytes(bytes(made), policy=policy.default)
        assert [one.addr_spec for one in read["To"].addresses] == [typed]


def test_failed_mails_of_a_network_are_bounded_too(tmp_path: Path) -> None:
    with closing(LobbyBook(tmp_path, lambda: 0.0)) as book:
        for which in range(20):
            key, _ = book.create_mail_key_and_code(f"{which}@example.org", "192.0.2.1", "es")
            book.note_unsent_mail(f"{which}@example.org", key)
            assert book.mail_state_by_key(key) == "failed"
        with pytest.raises(TooManyRequests):
            book.count_mail_or_refuse(TO, "192.0.2.1")
        for _ in range(3):
            book.count_mail_or_refuse(TO, "192.0.2.2")


def test_who_was_invited_by_the_owner_stays_so(tmp_path: Path) -> None:
    with closing(LobbyBook(tmp_path, lambda: 0.0)) as book:
        invited = book.create_invitation()
        book.set_signup_mode("mail")
        book.set_signup_mode("off")
        assert book.find(invited)


def test_the_book_bounds_tries_time_and_all_mails(tmp_path: Path) -> None:
    now = [1_000_000.0]
    with closing(LobbyBook(tmp_path, lambda: now[0])) as book:
        key, code = book.create_mail_key_and_code(TO, "", "es")
        wrong = f"{(int(code) + 1) % 10**6:06}"
        assert [book.redeem_mail_code(key, wrong) for _ in range(6)] == ["wrong"] * 5 + ["over"]
        assert (book.redeem_mail_code(key, code), book.mail_state_by_key(key)) == ("over", "over")
        key, code = book.create_mail_key_and_code(TO, "", "es")
        now[0] += 15 * 60 - 1
        assert book.mail_state_by_key(key) == "going"
        now[0] += 2
        assert (book.mail_state_by_key(key), book.redeem_mail_code(key, code)) == ("over", "over")
        assert book.find(key) is None
        for which in range(98):
            book.create_mail_key_and_code(f"{which}@example.org", "", "es")
        with pytest.raises(TooManyRequests):
            book.create_mail_key_and_code("one.more@example.org", "", "es")
        now[0] += 86_401
        book.create_mail_key_and_code(TO, "", "es")
    kept = (tmp_path / FILE).read_bytes()
    assert TO.encode() not in kept
    assert code.encode() not in kept


def test_an_unknown_key_opens_nothing(installation: Installation) -> None:
    founder = Founder(installation, "192.0.2.5")
    assert founder.get("/empezar/AAAAAAAAAAAAAAAAAAAAAA")[0].status == 404
    assert founder.sends("/empezar/AAAAAAAAAAAAAAAAAAAAAA", code="123456")[0] == 404


def test_without_mail_a_club_is_asked_for_and_approved(
    installation: Installation, tmp_path: Path
) -> None:
    assert Founder(installation, "192.0.2.6").page("/empezar").values("main p a", "href") == [
        "/pedir"
    ]
    server = Installation(tmp_path, GUINOTE_WORKERS="1")
    server.start()
    try:
        choose(server.clubs.path, "mail")
        founder = LobbyVisitor(server)
        assert founder.page("/").values("main a.take", "href") == ["/pedir"]
        for answer in (founder.get("/empezar")[0], founder.send("/empezar", mail=TO)):
            assert (answer.status, answer.headers["Location"]) == (303, "/pedir")
        assert founder.page("/pedir").count("#contact") == 1
        choose(server.clubs.path, "off")
        assert founder.page("/").count("main a.take") == 0
    finally:
        server.kill_all()


def test_mail_goes_over_tls_to_who_is_trusted_and_never_in_clear_to_another_computer(
    tls: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_mailbox(tls=tls) as secret:
        found = mail_server_from_settings(secret.address, "", SENDER)
        assert found is not None
        assert found.send_and_wait(TO, "a", "b") == "failed", "nobody trusts its certificate"
        trusted = ssl.create_default_context(cafile=tls.root)
        monkeypatch.setattr(ssl, "create_default_context", lambda: trusted)
        assert found.send_and_wait(TO, "a", "b") == "sent"
        assert len(secret.got) == 1
    with running_mailbox() as plain:
        address = plain.address.replace("127.0.0.1", "mail.example")
        real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: real("127.0.0.1", *rest))
        outcomes = {}
        for scheme in ("smtp", "smtp+plain"):
            found = mail_server_from_settings(address.replace("smtp", scheme, 1), "", SENDER)
            assert found is not None
            outcomes[scheme] = found.send_and_wait(TO, "a", "b")
        assert outcomes == {"smtp": "failed", "smtp+plain": "sent"}
        assert len(plain.got) == 1
