"""Who lets whom in, and what a revocation ends: over HTTP, as somebody would try to get around it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from api.cli.main import main
from api.server.clubs.birth import make_first_admin_link
from referee.events import AccessRevoked, DevicePaired, RoleGranted
from referee.kinds import ACCESS, ACCESS_ID
from referee.log.streams import PendingWrite, WriteMetadata
from tests.api.accounts.test_second_factor import set_up
from tests.support.servers.accounts import (
    OURS,
    PASSWORD,
    holder_of,
    joined,
    offered,
    owner,
    paired,
    status,
)
from tests.support.servers.http_table import ENCUENTROS, HttpTable


def revoked(table: HttpTable, who: str, *also: str, by: Any = None) -> int:
    answer = (by or owner(table)).post(f"/casa/{who}/baja", data={"also": list(also)}, headers=OURS)
    return int(answer.status_code)


def takes(table: HttpTable, secret: str, name: str = "Otra") -> Any:
    form = {"invitation": secret, "name": name, "password": PASSWORD}
    return table.app.test_client().post("/alta", data=form)


# --- nobody gives what they do not have ----------------------------------------------------------


def test_a_director_cannot_pair_an_arbiter_device(table: HttpTable) -> None:
    director = joined(table, "Pilar", role="director")
    answer = director.post("/casa/codigos", data={"role": "arbiter"}, headers=OURS)
    assert answer.status_code == 403
    assert "Nadie da un papel que no tiene" in answer.text
    assert 'value="arbiter"' not in director.get("/casa").text
    assert offered(director, "codigos", role="spectator")


def test_an_arbiter_pairs_devices_of_their_own_role(table: HttpTable) -> None:
    arbiter = joined(table, "Pilar", role="arbiter")
    tablet = paired(table, arbiter, role="arbiter")
    assert status(tablet, ENCUENTROS) == 200
    assert status(tablet, "/casa") == 403  # a device lets nobody in
    page = arbiter.get("/casa").text
    assert "Invitar a una persona" not in page
    assert "Cuentas" not in page


def test_an_arbiter_of_one_table_pairs_for_that_table_alone(table: HttpTable) -> None:
    here, there = (table.encuentro().rpartition("/")[2] for _ in range(2))
    arbiter = joined(table, "Pilar", role="arbiter", encuentro=here)
    scorer = paired(table, arbiter, role="scorer", encuentro=here)
    assert status(scorer, f"{ENCUENTROS}/{here}") == 200
    for form in ({"role": "scorer", "encuentro": there}, {"role": "arbiter"}):
        assert arbiter.post("/casa/codigos", data=form, headers=OURS).status_code == 403
    page = arbiter.get("/casa").text
    assert f'value="{here}"' in page
    assert there not in page


def test_an_offer_is_worth_nothing_once_its_maker_may_not_grant_it(table: HttpTable) -> None:
    secretary = owner(table)
    admin = joined(table, "Pilar", role="admin")
    secret, code = (
        offered(admin, "invitaciones", role="arbiter"),
        offered(admin, "codigos", role="arbiter"),
    )
    who = holder_of(table, admin)
    keys = table.app.extensions["guinote"]().keys
    meta = WriteMetadata("owner", "console", table.app.extensions["guinote"]().clock())
    table.app.extensions["guinote"]().referee.roles.record(RoleGranted(who, "director"), meta)
    assert len(keys.offers()) == 2  # what the rows say does not matter
    assert takes(table, secret).status_code == 403
    assert table.app.test_client().post("/p", data={"code": code}).status_code == 403
    assert secret not in secretary.get("/casa").text
    assert "Invitaciones y códigos sin usar" not in secretary.get("/casa").text


def test_who_gets_another_role_offers_nothing_any_more(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    code = offered(admin, "codigos", role="scorer", encuentro=table.encuentro().rpartition("/")[2])
    form = {"role": "director"}
    secretary = owner(table)
    secretary.post(f"/casa/{holder_of(table, admin)}/papel", data=form, headers=OURS)
    assert table.app.test_client().post("/p", data={"code": code}).status_code == 403


# --- revoked is revoked --------------------------------------------------------------------------


def test_a_revoked_admin_cannot_take_their_own_invitation(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    secret = offered(admin, "invitaciones", role="admin")
    assert revoked(table, holder_of(table, admin)) == 303
    assert takes(table, secret).status_code == 403
    assert status(table.app.test_client(), "/casa") == 302


def test_a_revoked_admin_cannot_use_their_own_code(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    code = offered(admin, "codigos", role="arbiter")
    assert revoked(table, holder_of(table, admin)) == 303
    assert table.app.test_client().post("/p", data={"code": code}).status_code == 403


def test_a_revocation_between_taking_and_granting_wins(table: HttpTable) -> None:
    """The row of the offer is still there, as when both happen in the same moment."""
    admin = joined(table, "Pilar", role="admin")
    secret = offered(admin, "invitaciones", role="admin")
    here = table.app.extensions["guinote"]()
    meta = WriteMetadata("owner", "console", here.clock())
    here.referee.roles.record(AccessRevoked(holder_of(table, admin)), meta)
    assert here.keys.find_offer("invitation", secret)
    assert not here.admission.accept_offer_or_none("invitation", secret, "intruder", here.clock())
    assert here.referee.roles.access().active_holder("intruder") is None


def test_a_revocation_offers_to_revoke_whom_they_let_in(table: HttpTable) -> None:
    secretary, admin = owner(table), joined(table, "Pilar", role="admin")
    puppet = joined(table, "Luis", admin, role="admin")
    tablet, phone = paired(table, puppet, role="arbiter"), paired(table, admin, role="arbiter")
    other = joined(table, "Marta", role="arbiter")
    offered(admin, "invitaciones", role="director")
    who = holder_of(table, admin)
    page = secretary.get(f"/casa/{who}/baja").text
    ticked = re.findall(r'name="also" value="(\w{16})" checked', page)
    let_in = [holder_of(table, one) for one in (puppet, phone, tablet)]
    assert sorted(ticked) == sorted(let_in)
    assert "Dirección" in page  # the invitation that ends with them
    stays = let_in.pop(1)
    assert revoked(table, who, *let_in) == 303
    for client in (admin, puppet, tablet):
        assert status(client, ENCUENTROS) == 401
    assert status(phone, ENCUENTROS) == status(other, ENCUENTROS) == 200
    assert stays in secretary.get("/casa").text


def test_who_was_let_in_by_somebody_revoked_and_stays_is_marked(table: HttpTable) -> None:
    """Also those whose guarantor was revoked before there was a list to tick."""
    secretary, admin = owner(table), joined(table, "Pilar", role="admin")
    luis, marta = (joined(table, name, admin, role="arbiter") for name in ("Luis", "Marta"))
    mark = "le dejó entrar alguien de baja"
    assert mark not in secretary.get("/casa").text
    assert revoked(table, holder_of(table, admin)) == 303
    assert secretary.get("/casa").text.count(mark) == 2
    path = f"/casa/{holder_of(table, luis)}/papel"
    secretary.post(path, data={"role": "arbiter"}, headers=OURS)  # somebody vouches for them again
    (row,) = re.findall(r'<td class="text">(.*?)</td>', secretary.get("/casa").text)[1:2]
    assert secretary.get("/casa").text.count(mark) == 1
    assert row.startswith("Marta")
    assert status(marta, ENCUENTROS) == 200


def test_nobody_else_is_revoked_by_the_way(table: HttpTable) -> None:
    admin, other = joined(table, "Pilar", role="admin"), joined(table, "Marta", role="arbiter")
    assert revoked(table, holder_of(table, admin), holder_of(table, other)) == 400
    assert status(admin, "/casa") == 200


def test_whoever_revokes_is_not_on_the_list_that_they_revoke(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    let_in = joined(table, "Luis", admin, role="admin")
    page = let_in.get(f"/casa/{holder_of(table, admin)}/baja").text
    assert 'name="also"' not in page


def test_grants_of_before_are_found_by_their_envelopes(table: HttpTable) -> None:
    """Their events do not say who granted them."""
    admin = joined(table, "Pilar", role="admin")
    here = table.app.extensions["guinote"]()
    who = holder_of(table, admin)
    meta = WriteMetadata(who, who, here.clock())
    bare = here.referee

    def draft() -> PendingWrite:
        stream = bare.stream_or_empty(ACCESS, ACCESS_ID)
        return PendingWrite(
            *ACCESS.grow_and_place_events(stream, [DevicePaired("0123456789abcdef", "arbiter")])
        )

    bare.plan_and_save(draft, meta)
    assert here.referee.roles.active_descendants_of_holder(who) == ["0123456789abcdef"]


def test_the_last_admin_stays_unless_the_owner_says_otherwise(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    who = holder_of(table, admin)
    for path, form in (("baja", {}), ("papel", {"role": "arbiter"})):
        answer = admin.post(f"/casa/{who}/{path}", data=form, headers=OURS)
        assert answer.status_code == 409
        assert "la única persona que administra el club" in answer.text
    assert status(admin, "/casa") == 200
    second = joined(table, "Luis", admin, role="admin")
    assert revoked(table, who, by=admin) == 303
    assert status(second, "/casa") == 200
    assert revoked(table, holder_of(table, second)) == 303


# --- offers and sessions, listed -----------------------------------------------------------------


def test_open_offers_are_listed_without_secrets_and_withdrawn(table: HttpTable) -> None:
    admin, director = joined(table, "Pilar", role="admin"), joined(table, "Luis", role="director")
    secret = offered(admin, "invitaciones", role="arbiter")
    code = offered(director, "codigos", role="spectator")
    seen, seen_by_director = (one.get("/casa").text for one in (admin, director))
    assert secret not in seen
    assert code not in seen
    withdrawals = re.findall(r"/casa/ofertas/\w{16}/retirada", seen)
    (own,) = re.findall(r"/casa/ofertas/\w{16}/retirada", seen_by_director)
    assert len(withdrawals) == 2
    (foreign,) = set(withdrawals) - {own}
    assert director.post(foreign, headers=OURS).status_code == 404
    assert takes(table, secret, "Marta").status_code == 303
    assert admin.post(own, headers=OURS).status_code == 303
    assert table.app.test_client().post("/p", data={"code": code}).status_code == 403


def test_a_session_is_listed_and_ended_by_its_account_and_by_an_admin(table: HttpTable) -> None:
    admin, here = joined(table, "Pilar", role="admin"), joined(table, "Luis", role="arbiter")
    firefox = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"}
    there = table.app.test_client()
    there.post("/entrar", data={"name": "Luis", "password": PASSWORD}, headers=firefox)
    page = here.get("/cuenta").text
    assert "Firefox · Linux" in page
    (ending,) = re.findall(r"/cuenta/entradas/\w{16}/salida(?=.{20,40}Firefox)", page)
    form = {"old": PASSWORD}
    assert admin.post(ending, data=form, headers=OURS).status_code == 303  # not theirs: it stays
    assert 'name="old"' in here.get(ending).text
    wrong = here.post(ending, data={"old": "no"}, headers=OURS)
    assert (wrong.status_code, 'role="alert"' in wrong.text) == (403, True)
    assert status(there, ENCUENTROS) == 200
    here.post(ending, data=form, headers=OURS)
    assert (status(there, ENCUENTROS), status(here, ENCUENTROS)) == (401, 200)
    assert table.app.extensions["guinote"]().security.latest_entries(1)[0].kind == "sign_out"
    (ending,) = re.findall(r"/casa/entradas/\w{16}/salida(?=.{20,40}Luis)", admin.get("/casa").text)
    assert admin.post(ending, headers=OURS).status_code == 303
    assert status(here, ENCUENTROS) == 401


def test_signing_out_everywhere_ends_every_session_of_the_account(table: HttpTable) -> None:
    here, other = joined(table, "Pilar", role="arbiter"), joined(table, "Luis", role="arbiter")
    there = table.app.test_client()
    there.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    who = holder_of(table, here)
    assert here.post("/cuenta/salida", headers=OURS).status_code == 403
    assert [status(one, ENCUENTROS) for one in (here, there)] == [200, 200]
    answer = here.post("/cuenta/salida", data={"old": PASSWORD}, headers=OURS)
    entry = table.app.extensions["guinote"]().security.latest_entries(1)[0]
    assert (entry.kind, entry.by) == ("sign_out", who)
    assert answer.headers["Location"] == "/entrar"
    assert [status(one, ENCUENTROS) for one in (here, there, other)] == [401, 401, 200]


def test_whoever_has_a_second_step_types_its_code_too_to_end_a_session(table: HttpTable) -> None:
    here = joined(table, "Pilar", role="arbiter")
    _, codes = set_up(here)
    assert 'name="code"' in here.get("/cuenta/salida").text
    form = {"old": PASSWORD}
    assert here.post("/cuenta/salida", data=form, headers=OURS).status_code == 403
    assert here.post("/cuenta/salida", data={**form, "code": "0"}, headers=OURS).status_code == 403
    answer = here.post("/cuenta/salida", data={**form, "code": codes[0]}, headers=OURS)
    assert (answer.status_code, status(here, ENCUENTROS)) == (303, 401)


def test_the_owner_types_the_token_and_a_device_nothing_to_end_a_session(table: HttpTable) -> None:
    here, there = owner(table), owner(table)
    tablet = paired(table, here, role="arbiter")
    assert 'name="token"' in here.get("/cuenta/salida").text
    wrong = here.post("/cuenta/salida", data={"token": "guess"}, headers=OURS)
    assert wrong.status_code == 403
    answer = here.post("/cuenta/salida", data={"token": table.token}, headers=OURS)
    assert answer.status_code == 303
    assert [status(one, ENCUENTROS) for one in (here, there, tablet)] == [401, 401, 200]
    assert "<input" not in tablet.get("/cuenta/salida").text.partition("<main")[2]
    tablet.post("/cuenta/salida", headers=OURS)
    assert status(tablet, ENCUENTROS) == 401


def test_ones_own_session_ends_in_the_list_and_is_not_opened_again(table: HttpTable) -> None:
    here = joined(table, "Pilar", role="arbiter")
    (ending,) = re.findall(r"/cuenta/entradas/\w{16}/salida", here.get("/cuenta").text)
    answer = here.post(ending, data={"old": PASSWORD}, headers=OURS)
    assert (answer.status_code, status(here, ENCUENTROS)) == (303, 401)
    open_to = [one.holder for one in table.app.extensions["guinote"]().keys.all_valid_tokens()]
    assert open_to == ["owner"]  # who made the invitation


def test_signing_in_ends_the_session_that_the_browser_had(table: HttpTable) -> None:
    here, thief = joined(table, "Pilar", role="arbiter"), table.app.test_client()
    thief.set_cookie("guinote", here.get_cookie("guinote").value)
    assert status(thief, ENCUENTROS) == 200
    here.post("/entrar", data={"name": "Pilar", "password": PASSWORD}, headers=OURS)
    assert [status(one, ENCUENTROS) for one in (here, thief)] == [200, 401]


def test_of_the_links_for_the_first_admin_the_latest_alone_opens_an_account(
    table: HttpTable, tmp_path: Path
) -> None:
    printed = [str(make_first_admin_link(tmp_path / "data", "http://localhost")) for _ in range(2)]
    early, late = (link.partition("#")[2] for link in printed)
    assert (takes(table, early).status_code, takes(table, late).status_code) == (403, 303)
    assert make_first_admin_link(tmp_path / "data", "http://localhost") is None


def test_the_console_revokes_with_all_whom_they_let_in(table: HttpTable, tmp_path: Path) -> None:
    admin = joined(table, "Pilar", role="admin")
    tablet = paired(table, admin, role="arbiter")
    who = holder_of(table, admin)

    def run(*words: str) -> Any:
        return CliRunner().invoke(main, ["--data", str(tmp_path / "data"), "access", *words])

    assert run("revoke", who, "--let-in").exit_code == 0
    assert status(tablet, ENCUENTROS) == 401


# --- what one tap cannot do ----------------------------------------------------------------------


def test_the_only_admin_is_not_offered_to_revoke_themselves(table: HttpTable) -> None:
    admin = joined(table, "Pilar", role="admin")
    who = holder_of(table, admin)
    page = admin.get("/casa").text
    assert f"/casa/{who}/baja" not in page
    assert "Es la única persona que administra el club: no se puede dar de baja" in page
    asked = admin.get(f"/casa/{who}/baja")
    assert asked.status_code == 409
    assert f"/casa/{who}/baja" not in asked.text
    assert revoked(table, who, by=admin) == 409
    assert f"/casa/{who}/baja" in owner(table).get("/casa").text
    joined(table, "Luis", role="admin")
    asked = admin.get(f"/casa/{who}/baja").text
    assert "Eres tú" in asked
    assert '<button class="danger">Dar de baja</button>' in asked


def test_ending_something_asks_on_a_page_of_its_own(table: HttpTable) -> None:
    admin, luis = joined(table, "Pilar", role="admin"), joined(table, "Luis", role="arbiter")
    offered(admin, "invitaciones", role="arbiter")
    at = table.app.extensions["guinote"]().keys.all_valid_tokens()
    (own,) = (one.id for one in at if one.holder == holder_of(table, admin))
    (other,) = (one.id for one in at if one.holder == holder_of(table, luis))
    (offer,) = re.findall(r"/casa/ofertas/\w{16}/retirada", admin.get("/casa").text)
    for where, back in {
        "/cuenta/salida": "/cuenta",
        f"/cuenta/entradas/{own}/salida": "/cuenta",
        f"/casa/entradas/{other}/salida": "/casa",
        offer: "/casa",
    }.items():
        listed, page = admin.get(back).text, admin.get(where).text
        assert f'href="{where}"' in listed
        assert f'action="{where}"' not in listed
        assert f'<form class="login" method="post" action="{where}">' in page
        assert f'href="{back}">No, volver' in page
    for gone in ("/casa/ofertas/{}/retirada", "/casa/entradas/{}/salida", "/casa/{}/segundo/baja"):
        assert status(admin, gone.format("0" * 16)) == 404
    assert status(admin, "/cuenta/entradas/0000000000000000/salida") == 404
    assert status(luis, f"/casa/entradas/{own}/salida") == 403
