"""Links by mail: handed to a real server, to one that is silent, to one that refuses, and to none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from typing import Any

import pytest

from api.accounts import mail
from api.accounts.mail import mail_server_from_settings
from tests.support.mailbox import REFUSING, SILENT, Mailbox, running_mailbox
from tests.support.servers.accounts import OURS, holder_of, joined, owner
from tests.support.servers.http_table import HttpTable

SENDER, TO = "mesas@club.example", "pilar@example.org"


@contextmanager
def mailbox(table: HttpTable, mood: str = "") -> Iterator[Mailbox]:
    """A server that the club sends its mail by."""
    with running_mailbox(mood) as box:
        table.app.extensions["mail"] = mail_server_from_settings(box.address, "", SENDER)
        try:
            yield box
        finally:
            table.app.extensions["mail"] = None


def link_of(client: Any, path: str, **form: str) -> str:
    """A link that was just made, as the form for mail has it."""
    text = client.post(path, data=form, headers=OURS).text
    found = re.search(r'name="link" value="([^"]+)"', text)
    assert found, text
    return found[1]


def sent(client: Any, link: str, to: str = TO) -> Any:
    return client.post("/casa/correo", data={"link": link, "mail": to}, headers=OURS)


def test_an_invitation_and_a_link_for_a_password_arrive(table: HttpTable) -> None:
    admin = owner(table)
    pilar = holder_of(table, joined(table, "Pilar", role="arbiter"))
    with mailbox(table) as box:
        links = [
            link_of(admin, "/casa/invitaciones", role="arbiter"),
            link_of(admin, f"/casa/{pilar}/contrasena"),
        ]
        answers = [sent(admin, link).text for link in links]
        assert all("Correo mandado." in text for text in answers)
        for got, link in zip(box.got, links, strict=True):
            found = message_from_bytes(got, policy=policy.default)
            assert (found["From"], found["To"]) == (SENDER, TO)
            assert link in found.get_content()
    entries = table.app.extensions["guinote"]().security.latest_entries(2)
    assert [(one.detail, one.about) for one in entries] == [("mail", pilar), ("mail", "")]


def test_nothing_but_an_open_link_is_sent_and_to_one_address_alone(table: HttpTable) -> None:
    admin = owner(table)
    with mailbox(table) as box:
        link = link_of(admin, "/casa/invitaciones", role="arbiter")
        wrong = ["http://elsewhere.example/", "http://localhost/alta#00", f"{link}0", ""]
        assert [sent(admin, one).status_code for one in wrong] == [404] * len(wrong)
        for to in (f"{TO}, b@example.org", f"{TO}\r\nBcc: b@example.org", "pilar"):
            assert "no es una dirección" in sent(admin, link, to).text
        arbiter = joined(table, "Blas", role="arbiter")
        assert sent(arbiter, link).status_code == 403
        assert box.got == []


def test_a_server_that_refuses_or_is_silent_is_said_and_nobody_waits_long(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "PATIENCE_S", 0.2)
    admin = owner(table)
    for mood, said in ((REFUSING, "El correo no ha salido"), (SILENT, "está saliendo")):
        with mailbox(table, mood):
            link = link_of(admin, "/casa/invitaciones", role="arbiter")
            monkeypatch.setattr(mail, "PATIENCE_S", 0.2 if mood == SILENT else 30.0)
            assert said in sent(admin, link).text
    assert joined(table, "Ana", role="arbiter")


def test_without_a_server_no_mail_is_offered(table: HttpTable) -> None:
    admin = owner(table)
    shown = admin.post("/casa/invitaciones", data={"role": "arbiter"}, headers=OURS).text
    assert "/casa/correo" not in shown
    assert sent(admin, "http://localhost/alta#00").status_code == 404


def test_a_password_is_not_said_to_a_server_without_tls(table: HttpTable) -> None:
    with mailbox(table) as box:
        found = mail_server_from_settings(box.address.replace("//", "//ana@"), "secret", SENDER)
        assert found is not None
        assert found.send_and_wait(TO, "x", "x") == "failed"
        assert box.got == []


@pytest.mark.parametrize(
    "wrong",
    [
        ("mail.example", "", SENDER),
        ("smtp://a:b@mail.example", "", SENDER),
        ("smtps://m.example", "", ""),
    ],
)
def test_wrong_settings_are_refused(wrong: tuple[str, str, str]) -> None:
    with pytest.raises(ValueError, match=r"smtps://|GUINOTE_SMTP_FROM"):
        mail_server_from_settings(*wrong)
