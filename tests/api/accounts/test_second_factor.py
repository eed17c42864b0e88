"""The second step over HTTP: set up, asked for before there is a session, taken off."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path
from typing import Any

import pyotp
from click.testing import CliRunner

from api.cli.main import main
from api.server.backup import write_backup
from api.server.wiring import files_of_folder
from tests.support.servers.accounts import OURS, PASSWORD, holder_of, joined, owner, status
from tests.support.servers.http_table import ENCUENTROS, HttpTable

STEP_S = 30


def posted(client: Any, path: str, **form: str) -> Any:
    return client.post(path, data=form, headers=OURS)


def code_of(secret: str, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(int(time.time()) + steps * STEP_S)


def set_up(client: Any) -> tuple[str, list[str]]:
    """The secret and the codes for recovery of an account that just got its second step."""
    page = posted(client, "/cuenta/segundo", old=PASSWORD).text
    found = re.search(r"secret=(\w+)&amp;issuer", page)
    assert found
    answer = posted(client, "/cuenta/segundo/codigo", code=code_of(found[1], -1))
    assert answer.status_code == 200, answer.text
    return found[1], re.findall(r"<code>([\w-]+)</code>", answer.text)


def asked(client: Any, **form: str) -> tuple[Any, str]:
    """The answer to the right password, and the token of the form for the code."""
    answer = client.post("/entrar", data={"name": "Pilar", "password": PASSWORD, **form})
    found = re.search(r'name="waiting" value="(\w{64})"', answer.text)
    assert found, answer.text
    return answer, found[1]


def test_the_code_is_asked_for_before_there_is_a_session(table: HttpTable) -> None:
    secret, codes = set_up(joined(table, "Pilar", role="admin"))
    assert len(codes) == 10
    client = table.app.test_client()
    answer, waiting = asked(client, next="/jornadas/")
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    wrong = client.post("/entrar", data={"waiting": waiting, "code": "000000"})
    assert wrong.status_code == 403
    assert "Set-Cookie" not in wrong.headers
    assert status(client, ENCUENTROS) == 401
    form = {"waiting": waiting, "code": code_of(secret), "next": "/jornadas/"}
    assert client.post("/entrar", data=form).headers["Location"] == "/jornadas/"
    assert status(client, ENCUENTROS) == 200
    again = table.app.test_client().post("/entrar", data=form)
    assert again.status_code == 403  # neither the form nor the code is good twice
    _, waiting = asked(table.app.test_client())
    again = table.app.test_client().post("/entrar", data={**form, "waiting": waiting})
    assert again.status_code == 403


def test_a_code_for_recovery_signs_in_once(table: HttpTable) -> None:
    _, codes = set_up(joined(table, "Pilar", role="admin"))
    for expected in (303, 403):
        client = table.app.test_client()
        form = {"waiting": asked(client)[1], "code": codes[0]}
        assert client.post("/entrar", data=form).status_code == expected
    client = table.app.test_client()
    client.post("/entrar", data={"waiting": asked(client)[1], "code": codes[1]})
    assert "sin usar: 8." in client.get("/cuenta").text


def test_whoever_knows_the_password_does_not_guess_the_code(table: HttpTable) -> None:
    set_up(joined(table, "Pilar", role="admin"))
    client = table.app.test_client()
    answers = []
    for guess in range(7):
        form = {"waiting": asked(client)[1], "code": f"{guess:06}"}
        answers.append(client.post("/entrar", data=form).status_code)
    assert answers == [403] * 5 + [429] * 2


def test_setting_up_takes_the_password_and_ends_other_sessions(table: HttpTable) -> None:
    here, there = joined(table, "Pilar", role="director"), table.app.test_client()
    there.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    assert posted(here, "/cuenta/segundo", old="otra cosa larga").status_code == 403
    assert posted(here, "/cuenta/segundo/codigo", code="123456").status_code == 404
    posted(here, "/cuenta/segundo", old=PASSWORD)
    assert posted(here, "/cuenta/segundo/codigo", code="000000").status_code == 403
    secret, codes = set_up(here)
    assert [status(one, ENCUENTROS) for one in (here, there)] == [200, 401]
    assert codes[0] not in here.get("/cuenta").text
    code = code_of(secret)
    assert posted(here, "/cuenta/segundo/codigos", old="no", code=code).status_code == 403
    renewed = posted(here, "/cuenta/segundo/codigos", old=PASSWORD, code=code).text
    assert codes[0] not in renewed
    assert len(re.findall(r"<code>[\w-]{29}</code>", renewed)) == 10


def test_it_is_taken_off_with_password_and_code_and_ends_other_sessions(table: HttpTable) -> None:
    client, there = joined(table, "Pilar", role="admin"), table.app.test_client()
    assert posted(client, "/cuenta/segundo/codigos", old=PASSWORD).status_code == 404
    secret, codes = set_up(client)
    there.post("/entrar", data={"waiting": asked(there)[1], "code": code_of(secret)})
    assert status(there, ENCUENTROS) == 200
    form = {"old": PASSWORD, "code": codes[0]}  # the telephone is lost
    assert posted(client, "/cuenta/segundo/baja", **{**form, "old": "no"}).status_code == 403
    assert posted(client, "/cuenta/segundo/baja", old=PASSWORD).status_code == 403
    assert posted(client, "/cuenta/segundo/baja", **form).status_code == 303
    assert [status(one, ENCUENTROS) for one in (client, there)] == [200, 401]
    answer = table.app.test_client().post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    assert answer.status_code == 303


def test_credentials_that_are_typed_again_give_a_new_token(table: HttpTable) -> None:
    client, thief = joined(table, "Pilar", role="admin"), table.app.test_client()
    for path in ("/cuenta/segundo", "/cuenta/segundo/codigos", "/cuenta/segundo/baja"):
        thief.set_cookie("guinote", client.get_cookie("guinote").value)
        assert status(thief, ENCUENTROS) == 200
        _, codes = set_up(client)
        thief.set_cookie("guinote", client.get_cookie("guinote").value)
        posted(client, path, old=PASSWORD, code=codes[0])
        assert [status(one, ENCUENTROS) for one in (client, thief)] == [200, 401]
        owner(table).post(f"/casa/{holder_of(table, client)}/segundo/baja", headers=OURS)


def test_secrets_come_from_the_operating_system(table: HttpTable) -> None:
    here = table.app.extensions["guinote"]()
    for one in (here.keys, here.factors, here.resets, here.known_browsers):
        assert vars(one)["_random"] is secrets.token_bytes


def test_an_admin_takes_it_off_another_account_which_is_told(table: HttpTable) -> None:
    pilar, luis = (joined(table, name, role="admin") for name in ("Pilar", "Luis"))
    set_up(pilar)
    who = holder_of(table, pilar)
    assert posted(pilar, f"/casa/{who}/segundo/baja").status_code == 403  # with the password only
    assert f"/casa/{who}/segundo/baja" in luis.get("/casa").text
    asked = luis.get(f"/casa/{who}/segundo/baja").text
    assert "Pilar" in asked
    assert "los códigos de reserva dejan de valer" in asked
    assert posted(luis, f"/casa/{who}/segundo/baja").status_code == 303
    entry = table.app.extensions["guinote"]().security.latest_entries(1)[0]
    assert (entry.kind, entry.about, entry.by) == (
        "second_factor_changed",
        who,
        holder_of(table, luis),
    )
    client = table.app.test_client()
    answer = client.post("/entrar", data={"name": "Pilar", "password": PASSWORD})
    assert answer.headers["Location"] == "/cuenta?next=/"
    told = "Quien administra el club ha quitado el segundo paso"
    assert told in client.get("/cuenta").text
    assert told not in client.get("/cuenta").text


def test_the_owner_and_the_console_let_a_locked_out_club_in(
    table: HttpTable, tmp_path: Path
) -> None:
    client = joined(table, "Pilar", role="admin")
    who = holder_of(table, client)

    def run(*words: str) -> Any:
        return CliRunner().invoke(main, ["--data", str(tmp_path / "data"), "access", *words])

    for take_off in (
        lambda: posted(owner(table), f"/casa/{who}/segundo/baja").status_code == 303,
        lambda: run("take-off-second-factor", who).exit_code == 0,
    ):
        set_up(client)
        assert '"has_second_factor": true' in run("list").output
        assert take_off()
        assert '"has_second_factor": true' not in run("list").output
    assert run("take-off-second-factor", who).exit_code == 1


def test_who_is_no_account_has_no_second_step(table: HttpTable) -> None:
    secretary = owner(table)
    assert "Segundo paso" not in secretary.get("/cuenta").text
    assert posted(secretary, "/cuenta/segundo", old=PASSWORD).status_code == 403


def test_a_new_password_ends_the_sign_ins_that_wait_for_a_code(table: HttpTable) -> None:
    client = joined(table, "Pilar", role="admin")
    secret, codes = set_up(client)
    thief = table.app.test_client()
    _, waiting = asked(thief)
    form = {"old": PASSWORD, "password": "una sota muy distinta"}
    assert posted(client, "/cuenta", **form).status_code == 403
    assert posted(client, "/cuenta", **form, code=codes[0]).status_code == 303
    answer = thief.post("/entrar", data={"waiting": waiting, "code": code_of(secret)})
    assert answer.status_code == 403
    assert "Ha pasado demasiado tiempo" in answer.text


def test_no_secret_is_in_a_backup_or_in_the_data_folder(table: HttpTable, tmp_path: Path) -> None:
    secret, codes = set_up(joined(table, "Pilar", role="admin"))
    write_backup(files_of_folder(tmp_path / "data"), tmp_path / "club.guinote")
    places = [*(tmp_path / "data").iterdir(), tmp_path / "club.guinote"]
    content = b"".join(one.read_bytes() for one in places if one.is_file())
    assert secret.encode() not in content
    assert codes[0].replace("-", "").encode() not in content
