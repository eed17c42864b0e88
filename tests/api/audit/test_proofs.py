"""Checkpoints and proofs over HTTP: public, a proof once its encuentro is official."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from referee.audit.auditor import TrustedNotes, audit_proof
from referee.audit.checkpoint import read_key, verify_checkpoint
from referee.events import EncuentroRuled, ResultMadeOfficial
from tests.support.proofs.signing import sign
from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.one_log import META

LOG = "/api/v1/log"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    (tmp_path / "data").mkdir()
    with kept_table(tmp_path / "data") as found:
        yield found


def record(table: HttpTable) -> str:
    """Acts of a partida; the answer is the encuentro."""
    partida = table.partida()
    assert table.record(partida, 0, deal(), pinta(), card("A1", "AO")).status_code == 200
    return partida.split("/")[4]


def test_before_the_notary_has_signed_there_is_nothing(table: HttpTable) -> None:
    encuentro = record(table)
    for path in (f"{LOG}/checkpoint", f"{LOG}/key", f"{ENCUENTROS}/{encuentro}/proof"):
        answer = table.get(path)
        assert (answer.status_code, answer.json["code"]) == (404, "not_signed")


def test_everybody_may_have_checkpoint_and_key(table: HttpTable, tmp_path: Path) -> None:
    record(table)
    sign(tmp_path)
    note, key = table.client.get(f"{LOG}/checkpoint"), table.client.get(f"{LOG}/key")
    assert note.content_type == key.content_type == "text/plain; charset=utf-8"
    found = verify_checkpoint(note.text, read_key(key.text))
    assert (found.origin, found.size) == ("club.example/mesas", table.position)


def test_a_proof_from_the_service_is_verified_without_it(table: HttpTable, tmp_path: Path) -> None:
    encuentro = record(table)
    sign(tmp_path)
    answer = table.get(f"{ENCUENTROS}/{encuentro}/proof")
    key = read_key(table.client.get(f"{LOG}/key").text)
    found = audit_proof(answer.data, TrustedNotes(key))
    assert (found.wrong, found.events) == ((), answer.json["recorded"])
    altered = answer.data.replace(b'"card":"AO"', b'"card":"3O"')
    assert altered != answer.data
    assert {one.what for one in audit_proof(altered, TrustedNotes(key)).wrong} == {
        "entry_differs",
        "not_included",
    }


def test_what_is_not_signed_yet_is_not_in_the_proof(table: HttpTable, tmp_path: Path) -> None:
    encuentro = record(table)
    sign(tmp_path)
    later = record(table)
    answer = table.get(f"{ENCUENTROS}/{later}/proof")
    assert (answer.status_code, answer.json["code"]) == (404, "not_signed")
    assert table.post(f"{ENCUENTROS}/{encuentro}/partidas", version=2).status_code in (201, 412)
    proof = table.get(f"{ENCUENTROS}/{encuentro}/proof").json
    assert len(proof["events"]) <= proof["recorded"]
    assert table.get(f"{ENCUENTROS}/{uuid4()}/proof").json["code"] == "not_found"


def test_a_proof_is_for_the_owner_until_the_result_is_official(
    table: HttpTable, tmp_path: Path
) -> None:
    encuentro = record(table)
    sign(tmp_path)
    path = f"{ENCUENTROS}/{encuentro}/proof"
    assert table.client.get(path).status_code == 401
    assert table.client.get(f"{ENCUENTROS}/{uuid4()}/proof").status_code == 401
    referee = table.app.extensions["guinote"]().referee
    referee.encuentros.record_encuentro_act(UUID(encuentro), EncuentroRuled("A", "reason"), META)
    assert table.client.get(path).status_code == 401
    referee.encuentros.record_encuentro_act(
        UUID(encuentro), ResultMadeOfficial("juez", "reason"), META
    )
    assert table.client.get(path).json["encuentro"] == encuentro
