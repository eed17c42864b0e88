"""The security log of a club: what is noted over HTTP and on the console, and what is not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from api.accounts import settings
from api.accounts.security import ROWS, _setting_words
from api.cli.main import main
from api.http.languages import LANGUAGES, say, texts_of_language
from referee.access.security_log import SECURITY_KINDS, SecurityEntry
from referee.aggregates.access import PERMISSIONS
from referee.events import ClubColourChosen, ClubLogoChosen, ClubNamed, SettingsAct
from tests.support.places import ROOT
from tests.support.servers.forked import GUNICORN
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

PASSWORD = "caballo de copas"
WRONG = "sota de bastos 4711"
OURS = {"Sec-Fetch-Site": "same-origin"}


def entries(table: HttpTable) -> list[SecurityEntry]:
    """The whole log, oldest first."""
    return list(reversed(table.app.extensions["guinote"]().security.latest_entries(999)))


def kinds(table: HttpTable) -> list[str]:
    return [one.kind for one in entries(table)]


def owner(table: HttpTable) -> Any:
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token})
    return client


def offered(client: Any, what: str, role: str) -> str:
    answer = client.post(f"/casa/{what}", data={"role": role}, headers=OURS)
    (secret,) = re.findall(r'href="http://localhost/(?:alta|p)#(\w+)"', answer.text)
    return str(secret)


def test_who_came_in_and_who_let_them_in_is_noted(table: HttpTable) -> None:
    secretary, pilar = owner(table), table.app.test_client()
    form = {"invitation": offered(secretary, "invitaciones", "arbiter"), "name": "Pilar"}
    pilar.post("/alta", data={**form, "password": PASSWORD})
    pilar.post("/salir", headers=OURS)
    pilar.post("/entrar", data={"name": "Pilar", "password": WRONG})
    pilar.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    holder = entries(table)[-1].by
    secretary.post(f"/casa/{holder}/papel", data={"role": "admin"}, headers=OURS)
    secretary.post(f"/casa/{holder}/baja", headers=OURS)
    found = [(one.kind, one.by, one.about, one.detail) for one in entries(table)]
    assert found == [
        ("sign_in", "owner", "", "token"),
        ("offer_made", "owner", "", "arbiter"),
        ("account_opened", "owner", holder, "arbiter"),
        ("sign_out", holder, "", ""),
        ("sign_in_failed", "", holder, ""),
        ("sign_in", holder, "", ""),
        ("granted", "owner", holder, "admin"),
        ("revoked", "owner", holder, ""),
    ]
    assert {one.address for one in entries(table)} == {"127.0.0.1"}


def test_what_somebody_may_not_do_is_noted_with_the_permission_that_they_lack(
    table: HttpTable,
) -> None:
    secretary, pilar = owner(table), table.app.test_client()
    form = {"invitation": offered(secretary, "invitaciones", "arbiter"), "name": "Pilar"}
    pilar.post("/alta", data={**form, "password": PASSWORD})
    holder = entries(table)[-1].about
    refused = pilar.post("/casa/invitaciones", data={"role": "admin"}, headers=OURS)
    elsewhere = pilar.post("/salir", headers={"Sec-Fetch-Site": "cross-site"})
    assert (refused.status_code, elsewhere.status_code) == (403, 403)
    assert [(one.kind, one.by, one.detail) for one in entries(table)[-2:]] == [
        ("forbidden", holder, "access:manage"),
        ("forbidden", "", "cross_site"),
    ]


def test_exports_and_erasures_are_noted_with_the_person_they_are_about(table: HttpTable) -> None:
    person = table.post("/api/v1/players", {"name": "Ana"}).json["players"][0]
    table.get("/api/v1/players/file")
    table.client.delete(f"/api/v1/persons/{person}", headers=table.owner())
    assert [(one.kind, one.by, one.about, one.detail) for one in entries(table)] == [
        ("exported", "owner", "", "players"),
        ("erased", "owner", person, ""),
    ]


def test_commands_are_noted_as_done_on_the_console(table: HttpTable, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(main, ["--data", str(tmp_path / "data"), *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    table.encuentro()
    run("access", "invite", "--role", "director")
    run("token", "rotate")
    run("backup", str(tmp_path / "club.guinote"))
    table.close()
    run("restore", "--force", str(tmp_path / "club.guinote"))
    lines = [json.loads(line) for line in run("security").splitlines()]
    assert [(one["kind"], one["by"], one["address"], one["detail"]) for one in lines] == [
        ("offer_made", "owner", "console", "director"),
        ("owner_token_changed", "owner", "console", ""),
        ("exported", "owner", "console", "backup"),
        ("restored", "owner", "console", "backup"),
    ]
    assert run("security", "--since", "2999-01-01") == ""


def test_the_log_has_no_name_no_password_and_no_code(table: HttpTable) -> None:
    secretary, pilar = owner(table), table.app.test_client()
    secret = offered(secretary, "invitaciones", "arbiter")
    pilar.post("/alta", data={"invitation": secret, "name": "Pilar", "password": PASSWORD})
    pilar.post("/entrar", data={"name": WRONG, "password": WRONG})
    code = offered(pilar, "codigos", "arbiter")
    table.app.test_client().post("/p", data={"code": code})
    assert kinds(table).count("device_paired") == 1
    folder = Path(table.app.extensions["guinote"].files.folder)
    content = b"".join(one.read_bytes() for one in folder.glob("security.sqlite*"))
    for hidden in (secret, "Pilar", PASSWORD, WRONG, code, table.token):
        assert hidden.encode() not in content


def test_an_admin_reads_the_log_by_pages_and_by_kind(table: HttpTable) -> None:
    secretary = owner(table)
    security = table.app.extensions["guinote"]().security
    encuentro = table.encuentro().rpartition("/")[2]
    for number in range(ROWS + 5):
        security.note("code_failed", about=encuentro, address=f"10.0.0.{number}", detail="A")
    first = secretary.get("/casa/seguridad").text
    assert first.count("<tr><td>") == ROWS
    assert f'href="/e/{encuentro}"' in first
    assert f">{say('access.owner', 'es')}<" not in first
    (older,) = re.findall(r'href="(/casa/seguridad\?before=\d+)"', first)
    second = secretary.get(older).text
    assert second.count("<tr><td>") == 6
    assert f">{say('access.owner', 'es')}<" in second
    assert secretary.get("/casa/seguridad?kind=sign_in").text.count("<tr><td>") == 1
    assert secretary.get("/casa/seguridad?kind=erased").text.count("<tr><td>") == 0
    for wrong in ("kind=king", "before=x", "before=-1", "before=" + 20 * "9"):
        assert secretary.get(f"/casa/seguridad?{wrong}").status_code == 400
    assert 'href="/casa/seguridad"' in secretary.get("/casa").text


def test_settings_and_tables_are_said_as_people_say_them(table: HttpTable) -> None:
    secretary = owner(table)
    encuentro = table.encuentro().rpartition("/")[2]
    view = table.get(f"/api/v1/encuentros/{encuentro}").json
    names, gone = view["names"], view["seats"]["A1"]
    table.client.delete(f"/api/v1/persons/{gone}", headers=table.owner())
    chosen = {"league_audience": "everybody", "time_zone": "Atlantic/Canary"}
    version = table.get("/api/v1/settings").json["version"]
    assert table.post("/api/v1/settings", chosen, version).status_code == 200
    security = table.app.extensions["guinote"]().security
    security.note("code_failed", about=encuentro, address="10.0.0.1", detail="B")
    page = unescape(secretary.get("/casa/seguridad").text)
    said = [re.sub(r"<[^>]+>", "", one) for one in re.findall(r'<td class="text">(.*?)</td>', page)]
    seated = [names.get(view["seats"][seat]) for seat in ("B1", "A2", "B2")]
    assert ", ".join(["sin nombre", *seated]) in said
    assert f"Clave de tarjeta equivocada · {seated[0]}, {seated[2]}" in said
    assert "Ajuste cambiado · quién puede ver la liga: todo el mundo" in said
    assert "Ajuste cambiado · la hora de dónde: Canary" in said
    for raw in ("league_audience", "Atlantic/", f">Mesa {encuentro[:8]}", gone):
        assert raw not in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_can_be_refused_or_chosen_has_its_words(lang: str) -> None:
    words = texts_of_language(lang)
    permissions = {one for role in PERMISSIONS.values() for one in role}
    assert [one for one in permissions if f"security.may.{one}" not in words] == []
    chosen = {
        "four_eyes": "noted",
        "time_zone": "UTC",
        "deal_luck": "shown",
        "study_consent": "none",
    }
    audiences = dict.fromkeys(("league_audience", "puzzle_audience", "record_audience"), "club")
    acts = settings.settings_acts({**chosen, **audiences})
    acts += [ClubNamed(""), ClubColourChosen("#112233"), ClubLogoChosen("")]
    details = [settings.security_detail_of_choice(one) for one in acts]
    said = [_setting_words(one, words) for one in details]
    assert len(set(said)) == len(get_args(SettingsAct))
    assert [one for one in said if "_" in one] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_entry_has_its_words(lang: str) -> None:
    words = texts_of_language(lang)
    assert [one for one in SECURITY_KINDS if f"security.kind.{one}" not in words] == []


def test_a_server_writes_each_entry_to_its_standard_error(tmp_path: Path) -> None:
    served = Served(tmp_path / "data")
    command = [sys.executable, "-m", *GUNICORN]
    environment = {**os.environ, "GUINOTE_DATA": str(served.folder)}
    environment["GUINOTE_BIND"] = f"127.0.0.1:{served.port}"
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE) as server:
        try:
            wait_for(lambda: served.ask("GET", "/healthz")[0] == 200, "an answer", OSError)
            wrong = {"Authorization": "Bearer wrong"}
            assert served.ask("GET", "/api/v1/players", None, wrong)[0] == 401
        finally:
            server.terminate()
        _, written = server.communicate(timeout=60)
    lines = [json.loads(one) for one in written.decode().splitlines() if one.startswith("{")]
    assert [(one["kind"], one["address"]) for one in lines] == [("token_failed", "127.0.0.1")]
