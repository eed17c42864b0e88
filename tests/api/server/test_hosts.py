"""Hosts: only those of this service are answered; a house of before is warned first."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from api.http.access.hosts import KnownHosts
from api.server import certificates, data_folder, wiring
from api.server.serve_settings import read_hosts
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.served import Served

LOOPBACK = (
    "localhost",
    "mesa.localhost:8000",
    "localhost:8000",
    "127.0.0.1:8000",
    "127.0.0.2",
    "[::1]:8000",
)
STRANGE = ("evil.example", "10.99.99.99", "localhost.evil.example", "127.0.0.1.evil.example")


def asked(table: HttpTable, host: str, path: str = "/entrar", **headers: str) -> Any:
    return table.client.get(path, headers={"Host": host, **headers})


def of_before(folder: Path) -> Path:
    """A data folder whose service was started before it had the setting."""
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "owner.token").write_text("of before\n", "ascii")
    (folder / "owner.token").chmod(0o600)
    return folder


def test_unset_the_computer_itself_is_answered_and_nothing_else(tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    name = socket.gethostname()
    for host in (*LOOPBACK, name, f"{name}.local:8000", name.upper()):
        assert asked(table, host).status_code == 200, host
    for host in STRANGE:
        for path in ("/entrar", "/", "/nothing", ENCUENTROS, "/static/html/guinote.css"):
            assert asked(table, host, path).status_code == 421, (host, path)
    assert asked(table, "probe.example", "/healthz").status_code == 200


def test_an_unknown_host_is_told_which_setting_names_it(tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    words = {"es": "ordenador", "ca": "ordinador", "en": "computer", "fr": "ordinateur"}
    for lang, word in words.items():
        answer = asked(table, "club.example", "/", **{"Accept-Language": lang})
        assert answer.content_type == "text/plain; charset=utf-8"
        assert all(one in answer.text for one in ("club.example", "GUINOTE_HOST", word))


def test_the_setting_is_a_list_of_names_and_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUINOTE_HOST", "club.example, 192.168.1.20,[2001:db8::7]")
    table = HttpTable(tmp_path)
    for host in ("club.example:8443", "CLUB.example.", "192.168.1.20", "[2001:db8::7]:8000"):
        assert asked(table, host).status_code == 200, host
    for host in (*STRANGE, "www.club.example", socket.gethostname()):
        assert asked(table, host).status_code == 421, host
    assert asked(table, "127.0.0.1").status_code == 200  # whoever watches the machine


def test_a_house_of_before_is_warned_and_not_locked_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    table = HttpTable(of_before(tmp_path))
    assert "GUINOTE_HOST" in capsys.readouterr().err
    assert [asked(table, "club.example").status_code for _ in range(3)] == [200] * 3
    assert [one.message for one in caplog.records if "club.example" in one.message] == [
        "asked for the host 'club.example', which GUINOTE_HOST does not name"
    ]
    client = table.app.test_client()
    client.post("/entrar", data={"token": "of before"})
    page = client.get("/casa").text
    assert "GUINOTE_HOST" in page
    assert "club.example" in page


def test_a_house_that_was_configured_once_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    of_before(tmp_path)
    monkeypatch.setenv("GUINOTE_HOST", "club.example")
    assert read_hosts(tmp_path).is_strict
    monkeypatch.delenv("GUINOTE_HOST")
    table = HttpTable(tmp_path)
    assert asked(table, "club.example").status_code == 421
    assert "GUINOTE_HOST" not in capsys.readouterr().err
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token})
    assert "GUINOTE_HOST" not in client.get("/casa").text


def test_a_new_house_stays_strict_when_commands_came_before_the_service(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    where = wiring.files_of_folder(folder)
    with closing(wiring.open_referee(where)), closing(wiring.open_persons(where)):
        pass
    assert read_hosts(wiring.files_of_folder(folder).folder).is_strict


def test_names_of_the_certificate_are_names_of_the_service(tmp_path: Path) -> None:
    names = ("mesas.local", "192.168.1.20")
    made = certificates.write_certificate_files(tmp_path / "tls", names, wiring.now())
    data_folder.enable_host_check(tmp_path)
    hosts = read_hosts(tmp_path, str(made.certificate))
    assert all(hosts.knows(one, str) for one in names)
    assert not hosts.knows("other.local", str)


def test_an_address_at_which_the_computer_was_reached_is_its_own() -> None:
    hosts = KnownHosts((), is_strict=True)
    assert hosts.knows("192.168.1.20:8000", lambda: "192.168.1.20")
    assert not hosts.knows("192.168.1.21:8000", lambda: "192.168.1.20")
    assert not hosts.knows("", str)


def test_a_server_on_every_address_knows_the_one_that_was_reached(tmp_path: Path) -> None:
    served = Served(tmp_path / "data", is_forked=True)
    served.start()
    try:
        for host, status in (("127.0.0.1", 200), ("evil.example", 421)):
            with closing(served.connection()) as connection:
                connection.request("GET", "/entrar", headers={"Host": f"{host}:{served.port}"})
                assert connection.getresponse().status == status
    finally:
        served.kill_all()


ORIGINS = [
    ("http://localhost", "http://localhost", 201),
    ("http://localhost", "https://localhost", 403),
    ("https://localhost", "http://localhost", 403),
    ("https://localhost", "https://localhost", 201),
    ("http://localhost:8000", "http://localhost", 403),
    ("http://localhost", "null", 403),
]


@pytest.mark.parametrize(("ours", "origin", "status"), ORIGINS)
def test_an_origin_is_compared_with_its_scheme(
    table: HttpTable, ours: str, origin: str, status: int
) -> None:
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token}, base_url=ours)
    sent = {"Origin": origin, "Idempotency-Key": table.key()}
    body = {"profile": {"id": "club"}}
    assert client.post(ENCUENTROS, json=body, headers=sent, base_url=ours).status_code == status


def modes(folder: Path) -> dict[str, int]:
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in (folder, *folder.iterdir())}


def test_a_folder_that_others_could_read_is_mended_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("log.sqlite", "persons.key", "views.sqlite-wal", "log.vkey", "a letter.txt"):
        (folder / name).touch()
    for one in (folder, *folder.iterdir()):
        one.chmod(0o755)
    wiring.files_of_folder(folder)
    found = modes(folder)
    assert found["data"] == 0o700
    assert {found[name] for name in ("log.sqlite", "persons.key", "views.sqlite-wal")} == {0o600}
    assert (found["log.vkey"], found["a letter.txt"]) == (0o755, 0o755)  # public; not ours
    told = capsys.readouterr().err
    assert all(name in told for name in ("data: others", "log.sqlite", "persons.key"))
    wiring.files_of_folder(folder)
    assert capsys.readouterr().err == ""


def test_a_folder_that_cannot_be_mended_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o755)

    def refused(_: Path, __: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", refused)
        with pytest.raises(SystemExit) as caught:
            wiring.files_of_folder(tmp_path)
    assert caught.value.code == os.EX_NOPERM
    said = capsys.readouterr().err
    assert "others may read it" in said
    assert "700" in said
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(SystemExit):
        wiring.files_of_folder(shared)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


def test_every_file_of_a_new_house_is_its_owners_alone(tmp_path: Path) -> None:
    served = Served(tmp_path / "data")
    served.start()
    try:
        assert served.ask("GET", "/readyz")[0] == 200
        found = modes(tmp_path / "data")
    finally:
        served.kill_all()
    assert found.pop("data") == 0o700
    assert {"log.sqlite", "views.sqlite", "access.sqlite", "owner.token"} <= set(found)
    assert set(found.values()) == {0o600}
