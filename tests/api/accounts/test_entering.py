"""Sign-in and sign-out over HTTP as a browser does it: invitations, passwords, pairing."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from werkzeug.security import generate_password_hash

from api.cli.main import main
from api.server.backup import restore_backup, write_backup
from api.server.wiring import files_of_folder
from referee.access import keys
from tests.support.places import ROOT
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
from tests.support.servers.kept_apps import kept_table


def test_an_invitation_opens_one_account_with_its_role(table: HttpTable) -> None:
    secret = offered(owner(table), "invitaciones", role="arbiter")
    form = {"invitation": secret, "name": "Pilar", "password": PASSWORD}
    first, second = table.app.test_client(), table.app.test_client()
    answer = first.post("/alta", data=form)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert status(first, ENCUENTROS) == 200
    assert status(first, "/casa") == 200
    assert status(first, "/torneos/nuevo") == 403
    assert "Pilar" in first.get("/cuenta").text
    again = second.post("/alta", data={**form, "name": "Luis"})
    assert again.status_code == 403
    assert status(second, ENCUENTROS) == 401
    assert table.app.test_client().post("/entrar", data={"name": "Luis", "password": PASSWORD})


def test_an_invitation_offers_the_role_that_may_only_look_unless_another_is_chosen(
    table: HttpTable,
) -> None:
    shown = owner(table).get("/casa").text
    roles = re.findall(r'<select id="account-role".*?</select>', shown, re.DOTALL)[0]
    assert re.findall(r'value="(\w+)"( selected)?', roles)[0] == ("admin", "")
    assert re.findall(r'value="(\w+)" selected', roles) == ["spectator"]


def test_a_new_house_has_no_account_and_a_token_of_its_own(tmp_path: Path) -> None:
    tokens = set()
    for name in ("one", "other"):
        with kept_table(tmp_path / name) as table:
            assert table.app.extensions["guinote"]().keys.account_names() == {}
            tokens.add(table.token)
            for user in ("admin", "root", "owner", "guinote"):
                form = {"name": user, "password": user}
                assert table.app.test_client().post("/entrar", data=form).status_code == 403
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 43  # 256 bits


def test_fields_for_secrets_hide_them_and_tell_password_managers_what_they_are(
    table: HttpTable,
) -> None:
    pilar = joined(table, "Pilar", role="arbiter")
    stranger = table.app.test_client()
    pages = [stranger.get(path).text for path in ("/entrar", "/alta", "/contrasena")]
    pages += [pilar.get(path).text for path in ("/cuenta", "/cuenta/salida")]
    found = [one for page in pages for one in re.findall("<input [^>]+>", page)]
    secret = [one for one in found if re.search(' name="(password|old|token)"', one)]
    assert len(secret) == 8
    for one in secret:
        assert ' type="password"' in one
        assert re.search(' autocomplete="(current-password|new-password|off)"', one)
        assert ('"off"' in one) == (' name="token"' in one)
    scripts = [one.read_text("utf-8") for one in (ROOT / "api").rglob("*.js")]
    assert not [one for one in (*pages, *scripts) if re.search("onpaste|[\"']paste[\"']", one)]


def test_the_way_out_is_on_every_page_of_who_is_signed_in(table: HttpTable) -> None:
    pilar = joined(table, "Pilar", role="admin")
    for path in ("/", "/casa", "/casa/seguridad", "/cuenta", "/jornadas/", "/torneos/", "/mesas/"):
        assert 'action="/salir"' in pilar.get(path).text, path
        assert 'action="/salir"' not in table.app.test_client().get(path).text, path


def test_a_password_signs_in_and_out(table: HttpTable) -> None:
    joined(table, "Pilar", role="director")
    client = table.app.test_client()
    for name, password in (("Pilar", "caballo de oros"), ("Luis", PASSWORD), ("", "")):
        answer = client.post("/entrar", data={"name": name, "password": password})
        assert answer.status_code == 403
        assert 'role="alert"' in answer.text
    assert client.post("/entrar", data={"name": "pilar", "password": PASSWORD}).status_code == 303
    assert status(client, "/casa") == 200
    (cookie,) = (one.value for one in [client.get_cookie("guinote")] if one)
    client.post("/salir", headers=OURS)
    thief = table.app.test_client()
    thief.set_cookie("guinote", cookie)
    assert status(thief, ENCUENTROS) == 401


def test_another_password_signs_everybody_out_but_who_chose_it(table: HttpTable) -> None:
    here = joined(table, "Pilar", role="arbiter")
    there = table.app.test_client()
    there.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    form = {"old": PASSWORD, "password": "sota y caballo"}
    assert here.post("/cuenta", data={**form, "old": "no"}, headers=OURS).status_code == 403
    assert here.post("/cuenta", data={**form, "password": "x"}, headers=OURS).status_code == 422
    assert here.post("/cuenta", data=form, headers=OURS).status_code == 303
    assert status(here, ENCUENTROS) == 200
    assert status(there, ENCUENTROS) == 401


def test_a_short_password_of_before_signs_in_and_is_asked_to_change(table: HttpTable) -> None:
    client = joined(table, "Pilar", role="arbiter")
    short = generate_password_hash("diez-signos", "scrypt:32768:8:1")
    tables = table.app.extensions["guinote"]().keys.tables
    with tables.transaction() as db:
        db.execute("UPDATE account SET password = ?", (short,))
        tables.seals.seal_all(db)
    client = table.app.test_client()
    form = {"name": "Pilar", "password": "diez-signos", "next": "/jornadas/"}
    for _ in range(2):  # as often as they sign in with it
        answer = client.post("/entrar", data=form, headers=OURS)
        assert answer.headers["Location"] == "/cuenta?next=/jornadas/"
        page = client.get(answer.headers["Location"]).text
        assert "Tu contraseña es corta" in page
        assert 'href="/jornadas/"' in page
    better = {"old": "diez-signos", "password": "sota, caballo y rey"}
    assert client.post("/cuenta", data=better, headers=OURS).status_code == 303
    assert "Tu contraseña es corta" not in client.get("/cuenta").text
    answer = client.post("/entrar", data={**form, "password": better["password"]}, headers=OURS)
    assert answer.headers["Location"] == "/jornadas/"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"name": ""}, 422),
        ({"name": "x" * 81}, 422),
        ({"password": "corta"}, 422),
        ({"password": "x" * 201}, 422),
        ({"password": "onze-signos"}, 422),
        ({"password": "Luis Luis Luis"}, 422),
        ({"password": "pfqwtd27121988"}, 422),  # leaked
        ({"name": "PILAR"}, 409),
        ({"invitation": "0" * 64}, 403),
    ],
)
def test_a_wrong_account_is_reported_and_the_invitation_stays(
    table: HttpTable, form: dict[str, str], code: int
) -> None:
    joined(table, "Pilar", role="arbiter")
    secret = offered(owner(table), "invitaciones", role="arbiter")
    good = {"invitation": secret, "name": "Luis", "password": PASSWORD}
    client = table.app.test_client()
    answer = client.post("/alta", data={**good, **form})
    assert answer.status_code == code
    assert 'role="alert"' in answer.text
    assert client.post("/alta", data=good).status_code == 303


def test_a_device_is_paired_once_and_keys_in_at_its_table(table: HttpTable) -> None:
    here, there = table.encuentro(), table.encuentro()
    code = offered(owner(table), "codigos", role="scorer", encuentro=here.rpartition("/")[2])
    assert re.fullmatch(f"[{keys.SYMBOLS}]{{8}}", code)
    tablet, other = table.app.test_client(), table.app.test_client()
    assert tablet.post("/p", data={"code": code.lower()}).headers["Location"] == "/arbitro/"
    assert other.post("/p", data={"code": code}).status_code == 403
    assert status(tablet, here) == 200
    assert status(tablet, there) == 403
    assert [one["id"] for one in tablet.get(ENCUENTROS).json["items"]] == [here.rpartition("/")[2]]
    assert status(tablet, "/arbitro/") == 200
    device = tablet.get(f"{here}/audit").status_code
    assert device == 403
    version = tablet.get(here).json["version"]
    sent = {**OURS, "Idempotency-Key": "key-of-tablet", "If-Match": f'"{version}"'}
    answer = tablet.post(f"{here}/partidas", json={}, headers={**sent, "Guinote-Device": "liar"})
    assert answer.status_code == 201, answer.text
    table.position = int(answer.headers["Guinote-Position"])
    (event, *_) = [
        one for one in table.get(f"{here}/audit").json["items"] if "PartidaStarted" in one["event"]
    ]
    assert event["by"] == event["device"] != "liar"


def test_a_revoked_device_is_out_at_once_in_every_worker(table: HttpTable, tmp_path: Path) -> None:
    here = table.encuentro()
    secretary = owner(table)
    code = offered(secretary, "codigos", role="arbiter")
    with kept_table(tmp_path / "data") as other:  # another process of the same server
        tablet = other.app.test_client()
        tablet.post("/p", data={"code": code})
        assert status(tablet, here) == 200
        found = re.search(r"/casa/(\w{16})/baja", secretary.get("/casa").text)
        assert found
        assert secretary.post(f"/casa/{found[1]}/baja", headers=OURS).status_code == 303
        assert status(tablet, here) == 401
        assert secretary.post(f"/casa/{found[1]}/baja", headers=OURS).status_code == 409


def test_a_role_is_changed_and_counts_at_once(table: HttpTable) -> None:
    client, secretary = joined(table, "Pilar", role="spectator"), owner(table)
    assert status(client, ENCUENTROS) == 403
    found = re.search(r"/casa/(\w{16})/baja", secretary.get("/casa").text)
    assert found
    grant = f"/casa/{found[1]}/papel"
    assert secretary.post(grant, data={"role": "scorer"}, headers=OURS).status_code == 409
    assert secretary.post(grant, data={"role": "king"}, headers=OURS).status_code == 400
    assert secretary.post(grant, data={"role": "arbiter"}, headers=OURS).status_code == 303
    assert status(client, ENCUENTROS) == 200
    nobody = "/casa/Perico de Huesca/papel"
    assert secretary.post(nobody, data={"role": "arbiter"}, headers=OURS).status_code == 409


def test_a_director_pairs_tablets_and_makes_no_admins(table: HttpTable) -> None:
    director = joined(table, "Pilar", role="director")
    for what, form in (("codigos", {"role": "admin"}), ("invitaciones", {"role": "arbiter"})):
        assert director.post(f"/casa/{what}", data=form, headers=OURS).status_code == 403
    assert offered(director, "codigos", role="spectator")
    unknown = {"role": "scorer", "encuentro": "00000000-0000-0000-0000-00000000dead"}
    assert director.post("/casa/codigos", data=unknown, headers=OURS).status_code == 404


def test_what_has_run_out_opens_nothing(tmp_path: Path) -> None:
    now = 0.0
    made = keys.Keys(tmp_path / "access.sqlite", clock=lambda: now, random=lambda n: b"7" * n)
    offer = keys.Offer("scorer", "table", "owner")
    code, token = made.make_offer("pairing", offer), made.give_token("device", "tablet")
    link = made.make_offer("invitation", offer)
    now = 300.0
    assert made.find_offer("pairing", code) == offer
    assert made.find_offer("invitation", code) is None
    now = 301.0
    assert made.try_use_up_offer("pairing", code) is None
    assert made.holder_id_of_token(token) == "tablet"
    now = 7 * keys.DAY_S
    assert made.find_offer("invitation", link) == offer
    now += 1
    assert made.try_use_up_offer("invitation", link) is None
    now = 90 * keys.DAY_S + 1
    assert made.holder_id_of_token(token) is None
    made.close()


def test_neither_password_nor_token_nor_code_is_in_the_file(table: HttpTable) -> None:
    client = joined(table, "Pilar", role="admin")
    code = offered(client, "codigos", role="arbiter")
    cookie = client.get_cookie("guinote")
    folder = Path(table.app.extensions["guinote"].files.folder)
    content = b"".join(one.read_bytes() for one in folder.glob("*.sqlite*"))
    for secret in (PASSWORD, code, cookie.value):
        assert secret.encode() not in content
    assert b"Pilar" not in (folder / "log.sqlite").read_bytes()
    assert oct((folder / "access.sqlite").stat().st_mode)[-3:] == "600"


def test_who_was_revoked_leaves_no_name_behind(table: HttpTable) -> None:
    joined(table, "Pilar Extraña", role="arbiter")
    secretary = owner(table)
    found = re.search(r"/casa/(\w{16})/baja", secretary.get("/casa").text)
    assert found
    secretary.post(f"/casa/{found[1]}/baja", headers=OURS)
    home = table.app.extensions["guinote"]
    home.close()
    folder = Path(home.files.folder)
    with sqlite3.connect(folder / "access.sqlite") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = b"".join(one.read_bytes() for one in folder.glob("access.sqlite*"))
    assert "Extraña".encode() not in content


def test_the_console_invites_lists_and_revokes(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")

    def run(*words: str) -> Any:
        return CliRunner().invoke(main, ["--data", folder, "access", *words])

    link = run("invite", "--role", "admin", "--root", "http://club").output.strip()
    assert link.startswith("http://club/alta#")
    secret = link.rpartition("#")[2]
    with kept_table(tmp_path / "data") as table:
        client = table.app.test_client()
        client.post("/alta", data={"invitation": secret, "name": "Pilar", "password": PASSWORD})
        assert status(client, "/casa") == 200
        listed = run("list").output
        assert '"name": "Pilar"' in listed
        (holder,) = re.findall(r'"holder": "(\w+)"', listed)
        assert run("revoke", holder).exit_code == 0
        assert status(client, "/casa") == 302
    assert run("revoke", holder).exit_code == 1
    assert run("invite", "--role", "scorer").exit_code == 1


def test_accounts_and_grants_come_back_with_a_backup(table: HttpTable, tmp_path: Path) -> None:
    client = joined(table, "Pilar", role="arbiter")
    assert status(client, ENCUENTROS) == 200
    write_backup(files_of_folder(tmp_path / "data"), tmp_path / "club.guinote")
    restore_backup(tmp_path / "club.guinote", files_of_folder(tmp_path / "new"))
    shutil.copy(tmp_path / "data" / "persons.key", tmp_path / "new")
    with kept_table(tmp_path / "new") as other:
        moved = other.app.test_client()
        answer = moved.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
        assert answer.status_code == 303
        assert status(moved, ENCUENTROS) == 200
        assert status(moved, "/torneos/nuevo") == 403


def test_signing_out_tells_the_browser_to_clear_what_it_keeps(table: HttpTable) -> None:
    """The worker stays for the page without network if our script cleared the tables itself."""
    client = joined(table, "Pilar", role="arbiter")
    assert status(client, "/salir") == 200
    assert status(client, ENCUENTROS) == 200
    for form, told in (({"cleared": "yes"}, '"cache"'), ({}, '"cache", "storage"')):
        answer = client.post("/salir", data=form, headers=OURS)
        assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (303, told)
    assert status(client, ENCUENTROS) == 401


def test_only_a_session_that_somebody_ended_is_told_so(table: HttpTable) -> None:
    def code(client: Any) -> str:
        return str(client.get(ENCUENTROS).json["code"])

    secretary, encuentro = owner(table), table.encuentro().rpartition("/")[2]
    tablet = paired(table, secretary, role="scorer", encuentro=encuentro)
    holder = holder_of(table, tablet)
    assert secretary.post(f"/casa/{holder}/baja", headers=OURS).status_code == 303
    assert code(tablet) == "revoked"
    luis = joined(table, "Luis", role="arbiter")
    luis.post("/salir", headers=OURS)
    assert code(luis) == "not_signed_in"
    stranger = table.app.test_client()
    assert code(stranger) == "not_signed_in"
    stranger.set_cookie("guinote", "0" * 64)
    assert code(stranger) == "not_signed_in"
