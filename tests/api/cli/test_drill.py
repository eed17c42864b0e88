"""Recovery drill: a service is backed up, deleted and restored; its answers are the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from click.testing import CliRunner

from api.cli.main import main
from tests.support.servers.served import Served

API = "/api/v1"
NOUNS = ("encuentros", "tournaments", "seasons", "sessions")
PASSWORD = "una contraseña larga"


def read(served: Served, path: str) -> Any:
    """Answer to the owner at a path."""
    status, body = served.ask("GET", path, headers={"Authorization": f"Bearer {served.token}"})
    assert status == 200, (path, body)
    return body


def everything(served: Served) -> dict[str, Any]:
    """All answers about encuentros, cases, tournaments, seasons and players."""
    found = {noun: read(served, f"{API}/{noun}") for noun in (*NOUNS, "players")}
    for noun in NOUNS:
        assert found[noun]["items"], noun
        for one in found[noun]["items"]:
            path = f"{API}/{noun}/{one['id']}"
            found[path] = read(served, path)
            if noun == "encuentros":
                found[f"{path}/cases"] = read(served, f"{path}/cases")
    return found


def sent(served: Served, path: str, **form: str) -> int:
    """Status of the answer to a form."""
    asked = served.connection()
    head = {"Content-Type": "application/x-www-form-urlencoded"}
    asked.request("POST", path, urlencode(form), head)
    status = asked.getresponse().status
    asked.close()
    return status


def run(folder: Path, *words: str, code: int = 0) -> str:
    """What a command on a data folder prints, if it ends with this code."""
    done = CliRunner().invoke(main, ["--data", str(folder), *words])
    assert done.exit_code == code, done.output
    return done.output


def test_lost_data_restored_from_a_backup_give_the_same_answers(tmp_path: Path) -> None:
    old, new = Served(tmp_path / "old"), Served(tmp_path / "new")
    kept = tmp_path / "kept"
    kept.mkdir()
    run(old.folder, "demo")
    run(old.folder, "rebuild")
    link = run(old.folder, "access", "invite", "--role", "director").strip()
    run(old.folder, "notary", "--keys", str(tmp_path / "keys"))
    old.start()
    try:
        invitation = link.partition("#")[2]
        assert sent(old, "/alta", invitation=invitation, name="Pilar", password=PASSWORD) == 303
        before = everything(old)
        encuentro = before["encuentros"]["items"][0]["id"]
        proof = read(old, f"{API}/encuentros/{encuentro}/proof")
        (kept / "proof.json").write_text(json.dumps(proof), "utf-8")
        for name in ("key", "checkpoint"):
            with urlopen(f"http://127.0.0.1:{old.port}{API}/log/{name}") as answer:
                (kept / name).write_bytes(answer.read())
        run(old.folder, "backup", str(kept / "copy"))  # while it serves
        shutil.copy(old.folder / "persons.key", kept)
    finally:
        old.kill_all()
    shutil.rmtree(old.folder)

    new.folder.mkdir()
    shutil.copy(kept / "persons.key", new.folder)
    run(new.folder, "restore", str(kept / "copy"))
    signed = ("--key", str(kept / "key"), "--checkpoint", str(kept / "checkpoint"))
    assert "0 differences" in run(new.folder, "verify")
    assert '"differences": 0' in run(new.folder, "audit", "verify", *signed)
    proved = ("audit", "verify", str(kept / "proof.json"), "--key", str(kept / "key"))
    assert '"differences": 0, "missing": 1' in run(new.folder, *proved, code=3)  # not signed yet
    new.start()
    try:
        assert everything(new) == before
        assert sent(new, "/entrar", name="Pilar", password=PASSWORD) == 303
        assert sent(new, "/entrar", name="Pilar", password="otra") == 403
    finally:
        new.kill_all()
