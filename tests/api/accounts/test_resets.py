"""A forgotten password: a link of an admin, good once, which ends sign-ins and leaves the second step."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from referee.access.password_recovery import RESET_S
from tests.api.accounts.test_second_factor import asked, code_of, set_up
from tests.support.guesses import use_up_strong
from tests.support.servers.accounts import OURS, PASSWORD, holder_of, joined, owner, status
from tests.support.servers.http_table import ENCUENTROS, HttpTable

NEW = "siete bastos y una sota"


def link(by: Any, holder: str) -> str:
    """Secret of the link that an admin just made, as the page shows it behind the number sign."""
    answer = by.post(f"/casa/{holder}/contrasena", headers=OURS)
    assert answer.status_code == 200, answer.text
    found = re.search(r'href="http://localhost/contrasena#(\w{64})"', answer.text)
    assert found
    return found[1]


def chosen(table: HttpTable, secret: str, password: str = NEW) -> Any:
    form = {"link": secret, "password": password}
    return table.app.test_client().post("/contrasena", data=form, headers=OURS)


def signed_in(table: HttpTable, password: str) -> Any:
    client = table.app.test_client()
    client.post("/entrar", data={"name": "Pilar", "password": password})
    return client


def security(table: HttpTable) -> list[tuple[str, str, str, str]]:
    entries = table.app.extensions["guinote"]().security.latest_entries(9)
    return [(one.kind, one.by, one.about, one.detail) for one in entries]


def test_a_link_gives_another_password_once_and_ends_every_sign_in(table: HttpTable) -> None:
    admin, pilar = owner(table), joined(table, "Pilar", role="arbiter")
    holder, elsewhere = holder_of(table, pilar), signed_in(table, PASSWORD)
    secret = link(admin, holder)
    assert [status(one, ENCUENTROS) for one in (pilar, elsewhere)] == [200, 200]
    answer = chosen(table, secret)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/entrar?contrasena=nueva")
    assert "Set-Cookie" not in answer.headers
    assert [status(one, ENCUENTROS) for one in (pilar, elsewhere)] == [401, 401]
    assert chosen(table, secret, "otra frase larga").status_code == 403
    assert status(signed_in(table, PASSWORD), ENCUENTROS) == 401
    assert status(signed_in(table, NEW), ENCUENTROS) == 200
    found = security(table)
    assert ("offer_made", "owner", holder, "password") in found
    assert ("password_changed", "owner", holder, "password_link") in found


def test_the_person_is_told_at_the_next_sign_in_and_once(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    chosen(table, link(owner(table), holder_of(table, pilar)))
    client = table.app.test_client()
    answer = client.post("/entrar", data={"name": "Pilar", "password": NEW})
    assert answer.headers["Location"] == "/cuenta?next=/"
    told = "se cambió con un enlace"
    assert told in client.get("/cuenta").text
    assert told not in client.get("/cuenta").text


def test_the_second_step_stays(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="admin")
    secret, _ = set_up(pilar)
    chosen(table, link(owner(table), holder_of(table, pilar)))
    client = table.app.test_client()
    _, waiting = asked(client, password=NEW)
    assert status(client, ENCUENTROS) == 401
    client.post("/entrar", data={"waiting": waiting, "code": code_of(secret)})
    assert status(client, ENCUENTROS) == 200


def test_a_bad_password_leaves_the_link_as_it_is(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    secret = link(owner(table), holder_of(table, pilar))
    assert chosen(table, secret, "corta").status_code == 422
    assert status(pilar, ENCUENTROS) == 200
    assert chosen(table, secret).status_code == 303


def test_a_later_link_replaces_the_earlier_and_a_day_ends_it(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin, pilar = owner(table), joined(table, "Pilar", role="arbiter")
    first, second = (link(admin, holder_of(table, pilar)) for _ in range(2))
    assert chosen(table, first).status_code == 403
    resets = table.app.extensions["guinote"]().resets
    monkeypatch.setattr(resets, "_clock", lambda: time.time() + RESET_S + 1)
    assert chosen(table, second).status_code == 403
    assert status(pilar, ENCUENTROS) == 200


def test_a_link_is_good_while_its_maker_is_admin_and_its_account_is_active(
    table: HttpTable,
) -> None:
    other = joined(table, "Otra", role="admin")
    pilar = joined(table, "Pilar", role="arbiter")
    secret = link(other, holder_of(table, pilar))
    owner(table).post(f"/casa/{holder_of(table, other)}/baja", headers=OURS)
    assert chosen(table, secret).status_code == 403
    secret = link(owner(table), holder_of(table, pilar))
    owner(table).post(f"/casa/{holder_of(table, pilar)}/baja", headers=OURS)
    assert chosen(table, secret).status_code == 403


def test_nobody_makes_one_for_their_own_account_for_a_device_or_without_the_right(
    table: HttpTable,
) -> None:
    admin, arbiter = (joined(table, role, role=role) for role in ("admin", "arbiter"))
    own, other = holder_of(table, admin), holder_of(table, arbiter)
    posted = [
        one.post(f"/casa/{holder}/contrasena", headers=OURS).status_code
        for one, holder in ((admin, own), (arbiter, own), (admin, "0" * 16), (admin, other))
    ]
    assert posted == [403, 403, 404, 200]


def test_wrong_links_are_limited_as_other_secrets_and_a_right_one_is_not(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    secret = link(owner(table), holder_of(table, pilar))
    assert chosen(table, f"{1:064}").status_code == 403
    use_up_strong(table.app)
    assert chosen(table, f"{2:064}").status_code == 429
    assert chosen(table, secret).status_code == 303


def test_a_row_that_somebody_wrote_into_the_tables_is_no_link(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    holder = holder_of(table, pilar)
    secret = link(owner(table), holder)
    tables = table.app.extensions["guinote"]().keys.tables
    with tables.transaction() as db:
        db.execute("UPDATE reset SET until = until + 1")
    assert chosen(table, secret).status_code == 403
    assert [(one.table, one.holder) for one in tables.wrong_rows()] == [("reset", holder)]
