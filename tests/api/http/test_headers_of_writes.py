"""What a client sends in headers: accepted as it is, kept as a keyed hash, found again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from api.http import services
from referee.log.streams import PlainKey, WriteMetadata
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta

NAME = "Perico-el-de-los-palotes"
DEVICE = {"Guinote-Device": f"movil de {NAME}"}


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A context in which writes are recorded as versions did that kept headers as they came."""

    def as_sent(here: services.Services, by: str, _: str, plain: PlainKey) -> WriteMetadata:
        return WriteMetadata(by, plain.device, here.clock(), plain.key, plain.digest)

    def enter() -> None:
        monkeypatch.setattr(services, "_metadata_with_hashes", as_sent)

    return enter, monkeypatch.undo


def files_of_the_log(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.glob("log.sqlite*"))


def test_no_text_of_a_header_reaches_the_log(table: HttpTable, tmp_path: Path) -> None:
    partida = table.partida()
    key = f"clave-de-{NAME}"
    sent = ({"acts": [deal()]}, 0, key)
    first, again = (table.post(f"{partida}/acts", *sent, **DEVICE) for _ in range(2))
    assert (first.status_code, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert first.json == again.json
    assert table.post(f"{partida}/acts", {"acts": [deal("A1")]}, 0, key, **DEVICE).json["code"] == (
        "key_reused"
    )
    assert table.record(partida, 1, pinta()).status_code == 200  # another device's own key
    stored = files_of_the_log(tmp_path)
    assert b"DealStarted.1" in stored
    assert NAME.encode() not in stored


def test_no_digest_of_a_body_can_be_guessed_in_the_log(table: HttpTable, tmp_path: Path) -> None:
    body = '{"name":"Perico"}'
    answer = table.post("/api/v1/players", {"name": "Perico"})
    assert answer.status_code == 201
    plain = hashlib.sha256(f"POST /api/v1/players\n{body}".encode()).hexdigest()
    assert plain.encode() not in files_of_the_log(tmp_path)


def test_a_key_sent_before_the_upgrade_finds_its_receipt(
    table: HttpTable, before: Any, tmp_path: Path
) -> None:
    enter, leave = before
    partida = table.partida()
    sent = ({"acts": [deal()]}, 0, "clave-de-antes")
    enter()
    first = table.post(f"{partida}/acts", *sent, **DEVICE)
    opened = table.post(ENCUENTROS, {"profile": {"id": "club"}, "players": 2}, key="abrir-de-antes")
    assert (first.status_code, opened.status_code) == (200, 201)
    assert NAME.encode() in files_of_the_log(tmp_path)
    leave()
    again = table.post(f"{partida}/acts", *sent, **DEVICE)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    body = {"profile": {"id": "club"}, "players": 2}
    assert table.post(ENCUENTROS, body, key="abrir-de-antes").json == opened.json
    other = table.post(f"{partida}/acts", {"acts": [deal("A1")]}, 0, "clave-de-antes", **DEVICE)
    assert other.json["code"] == "key_reused"
    elsewhere = {"Guinote-Device": "otro movil"}
    assert table.post(f"{partida}/acts", *sent, **elsewhere).status_code == 412
    assert table.get(partida).json["version"] == 1


def test_the_trail_shows_devices_of_before_as_they_were(table: HttpTable, before: Any) -> None:
    enter, leave = before
    partida = table.partida()
    enter()
    table.post(f"{partida}/acts", {"acts": [deal(), pinta()]}, 0, **DEVICE)
    leave()
    table.post(f"{partida}/acts", {"acts": [card("A1", "3C")]}, 2, **DEVICE)
    shown = [one["device"] for one in table.get(f"{partida}/audit").json["items"]]
    assert DEVICE["Guinote-Device"] in shown
    assert shown[-1].startswith("hmac-")
