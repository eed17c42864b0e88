"""A forgotten password by mail: the same answer for everybody, and a link to whoever has an address."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from typing import Any

import pytest

from api.http.access.reach import own_addresses
from referee.access.attempts import LINKS_BY_MAIL
from tests.api.accounts.test_mail import TO, Mailbox, mailbox
from tests.api.accounts.test_resets import NEW, chosen, security, signed_in
from tests.api.accounts.test_second_factor import asked, set_up
from tests.support.servers.accounts import OURS, PASSWORD, holder_of, joined, owner, status
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.waiting import wait_for


def kept(client: Any, mail: str = TO, password: str = PASSWORD, code: str = "") -> int:
    """Status of the answer to an address for one's own account."""
    form = {"mail": mail, "old": password, "code": code}
    return int(client.post("/cuenta/correo", data=form, headers=OURS).status_code)


def forgotten(table: HttpTable, who: str, **headers: str) -> Any:
    sent = {**OURS, **headers}
    return table.app.test_client().post("/entrar/olvido", data={"who": who}, headers=sent)


def letter(box: Mailbox, number: int = 1) -> Any:
    """The last of so many letters that arrived."""
    wait_for(lambda: len(box.got) >= number, "a letter")
    assert len(box.got) == number
    return message_from_bytes(box.got[-1], policy=policy.default)


def secret_in(box: Mailbox, number: int = 1) -> str:
    found = re.search(r"http://localhost/contrasena#(\w{64})", letter(box, number).get_content())
    assert found
    return found[1]


def test_the_link_leads_to_the_address_of_the_phones_if_they_may_come_in(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    table.app.extensions["reach"].choose_and_forget_visit("network")
    with mailbox(table) as box:
        kept(pilar)
        forgotten(table, "Pilar")
        address = next(iter(own_addresses()), "localhost")
        assert f"http://{address}/contrasena#" in letter(box).get_content()


@pytest.mark.parametrize("who", ["pilar", TO.upper()])
def test_the_link_comes_to_the_address_and_gives_another_password_once(
    table: HttpTable, who: str
) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    holder = holder_of(table, pilar)
    with mailbox(table) as box:
        assert kept(pilar) == 303
        assert forgotten(table, who).headers["Location"] == "/entrar?contrasena=pedida"
        secret = secret_in(box)
        assert letter(box)["To"] == TO
    assert chosen(table, secret).status_code == 303
    assert chosen(table, secret, "otra frase larga").status_code == 403
    assert status(pilar, ENCUENTROS) == 401
    client = signed_in(table, NEW)
    assert "enlace que se mandó a tu correo" in client.get("/cuenta").text
    found = security(table)
    assert ("offer_made", "", holder, "mail") in found
    assert ("password_changed", holder, holder, "password_link") in found


def test_nobody_learns_who_has_an_account_or_an_address(table: HttpTable) -> None:
    """Known with an address, known without, revoked, unknown, and nothing at all."""
    pilar = joined(table, "Pilar", role="arbiter")
    joined(table, "Blas", role="arbiter")
    gone = joined(table, "Eva", role="arbiter")
    with mailbox(table) as box:
        assert [kept(pilar), kept(gone, "eva@example.org")] == [303, 303]
        owner(table).post(f"/casa/{holder_of(table, gone)}/baja", headers=OURS)
        answers = [forgotten(table, who) for who in ("Blas", "Eva", "nadie", "", "a@b.example")]
        answers.append(forgotten(table, "Pilar"))
        told = {(one.status_code, one.headers["Location"], one.data) for one in answers}
        assert len(told) == 1
        assert letter(box)["To"] == TO
        page = table.app.test_client().get(answers[0].headers["Location"]).text
    assert "el enlace ya va de camino" in page


def test_the_second_step_stays(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="admin")
    _, codes = set_up(pilar)
    with mailbox(table) as box:
        assert kept(pilar) == 403
        assert kept(pilar, code=codes[0]) == 303
        forgotten(table, "Pilar")
        chosen(table, secret_in(box))
    client = table.app.test_client()
    assert asked(client, password=NEW)
    assert status(client, ENCUENTROS) == 401


def test_links_are_limited_for_known_and_unknown_alike(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    most = LINKS_BY_MAIL[0].number
    with mailbox(table) as box:
        kept(pilar)
        for who in ("Pilar", "nadie"):
            answers = [forgotten(table, who).status_code for _ in range(most + 1)]
            assert answers == [*[303] * most, 429]
        letter(box, most)
        letters = [message_from_bytes(one, policy=policy.default) for one in box.got]
    secrets = [re.search(r"#(\w{64})", one.get_content()) for one in letters]
    answers = [chosen(table, one[1]).status_code for one in secrets if one]
    assert sorted(answers) == [303, *[403] * (most - 1)]  # two threads send: any may come last


def test_an_address_needs_the_password_and_can_be_taken_away(table: HttpTable) -> None:
    pilar, admin = (joined(table, name, role="admin") for name in ("Pilar", "Otra"))
    with mailbox(table) as box:
        assert kept(pilar, password="otra cosa larga") == 403
        assert kept(pilar, "pilar") == 422
        assert kept(pilar) == 303
        assert TO in pilar.get("/cuenta").text
        assert TO not in admin.get("/casa").text + admin.get("/cuenta").text
        assert kept(pilar, "") == 303
        assert TO not in pilar.get("/cuenta").text
        forgotten(table, "Pilar")
        kept(admin)
        forgotten(table, "Otra")
        assert "Otra" in letter(box).get_content()  # and Pilar's request was before it


def test_an_address_is_sealed_and_goes_with_the_account(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    services = table.app.extensions["guinote"]()
    with mailbox(table):
        kept(pilar)
    tables, holder = services.keys.tables, holder_of(table, pilar)
    with tables.connection() as db:
        (row,) = db.execute("SELECT * FROM mail_address").fetchall()
    assert TO.encode() not in b"".join(part for part in row if isinstance(part, bytes))
    with tables.transaction() as db:
        db.execute("INSERT INTO mail_address VALUES ('other', ?, ?)", row[1:])
    assert services.mail_addresses.address_or_empty("other") == ""
    owner(table).post(f"/casa/{holder}/baja", headers=OURS)
    assert services.mail_addresses.address_or_empty(holder) == ""


def test_nothing_is_offered_without_a_server_or_under_a_host_of_somebody_else(
    table: HttpTable,
) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    form = 'action="/entrar/olvido"'
    assert form not in table.app.test_client().get("/entrar").text
    assert forgotten(table, "Pilar").status_code == 404
    assert "/cuenta/correo" not in pilar.get("/cuenta").text
    with mailbox(table) as box:
        kept(pilar)
        assert form in table.app.test_client().get("/entrar").text
        away = {"Host": "elsewhere.example"}
        assert form not in table.app.test_client().get("/entrar", headers=away).text
        assert forgotten(table, "Pilar", **away).status_code in (404, 421)
        assert box.got == []
