"""Proofs and resguardos: the corpus for every verifier, and checks that need the whole log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.audit.auditor import TrustedNotes, audit_log_from_start, audit_proof
from referee.audit.checkpoint import parse_signing_key, read_checkpoint, read_key
from referee.audit.completeness import gaps_in_proof
from referee.audit.differences import AuditDifference
from referee.audit.proofs import NotSigned, read_proof
from referee.audit.resguardo import BadResguardo, read_resguardo
from referee.log.merkle import canonical_json, entry_bytes_of_event, leaf_hash
from tests.referee.audit.logs.golden import FILE, compact, corpus, edited
from tests.support.proofs.signed_log import FIRST, SECOND, SignedLog, signed_log

CORPUS = json.loads(FILE.read_text("utf-8"))


def codes(text: bytes, kept: TrustedNotes) -> list[str]:
    """Codes of the proof; its conclusions use a profile without a rulebook."""
    return sorted(
        {one.what for one in audit_proof(text, kept).wrong if isinstance(one, AuditDifference)}
    )


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: case["name"])
def test_what_is_wrong_with_a_proof_is_said(case: Any) -> None:
    text = json.dumps(edited(CORPUS["proof"], case["edits"])).encode()
    key = read_key(CORPUS["key"]) if case["has_key"] else None
    assert codes(text, TrustedNotes(key)) == case["expected"]


@pytest.mark.parametrize(
    "case",
    [case for case in CORPUS["cases"] if not case["expected"]],
    ids=lambda case: case["name"],
)
def test_what_a_proof_lacks_is_said(case: Any) -> None:
    text = json.dumps(edited(CORPUS["proof"], case["edits"])).encode()
    missing = gaps_in_proof(read_proof(text))
    assert sorted({one.what for one in missing}) == case["missing"]


@pytest.mark.parametrize("case", CORPUS["texts"], ids=lambda case: case["name"])
def test_a_text_that_two_readers_could_read_in_two_ways_is_no_proof(case: Any) -> None:
    whole = compact(CORPUS["proof"])
    key = TrustedNotes(read_key(CORPUS["key"]))
    assert codes(whole.encode(), key) == []
    assert codes(whole.replace(case["old"], case["new"], 1).encode(), key) == case["expected"]


def test_the_corpus_is_what_the_program_makes() -> None:
    assert json.loads(json.dumps(corpus())) == CORPUS


@pytest.mark.parametrize("entry", CORPUS["entries"], ids=lambda entry: entry["leaf"][:8])
def test_entries_are_written_in_one_way(entry: Any) -> None:
    form = canonical_json(entry["state"])
    assert form.decode() == entry["canonical"]
    made = entry_bytes_of_event("0" * 31 + "a", 7, "CardPlayed.1", form)
    assert (made.decode(), leaf_hash(made).hex()) == (entry["entry"], entry["leaf"])


def test_what_is_no_json_is_no_proof() -> None:
    for text in (b"", b"{", b"[]", b"\xff", b'{"format":' + b"[" * 100_000):
        assert codes(text, TrustedNotes()) == ["proof_malformed"]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedLog]:
    found = signed_log(tmp_path_factory.mktemp("data"))
    yield found
    found.close()


def test_a_pair_finds_its_encuentro_in_the_log_and_in_any_later_proof(signed: SignedLog) -> None:
    assert audit_log_from_start(signed.log, signed.kept()).wrong == ()
    earlier = signed.resguardos[0]
    proof = msgspec.json.encode(signed.proof(FIRST))
    assert audit_proof(proof, TrustedNotes(signed.key, (), (earlier,))).wrong == ()
    found = audit_proof(proof, TrustedNotes(signed.key, (), (signed.resguardos[1],)))
    assert [one.what for one in found.wrong] == ["other_encuentro"]
    for change, code in (
        ({"head": bytes(32)}, "head_differs"),
        ({"count": 99}, "events_missing"),
    ):
        held = msgspec.structs.replace(earlier, **change)
        found = audit_proof(proof, TrustedNotes(signed.key, (), (held,)))
        assert [one.what for one in found.wrong] == [code]


def test_a_resguardo_is_one_line_and_is_read_back(signed: SignedLog) -> None:
    held = signed.resguardos[0]
    assert "\n" not in held.text
    assert len(held.text) < 350
    assert read_resguardo(held.text + "\n") == held
    parts = held.text.split(" ")
    for n, bad in ((0, "x"), (2, "07"), (3, "="), (5, "1"), (6, "x"), (6, "01"), (7, "?")):
        with pytest.raises(BadResguardo):
            read_resguardo(" ".join([*parts[:n], bad, *parts[n + 1 :]]))
    with pytest.raises(BadResguardo):
        read_resguardo(held.text + " x")


def test_of_what_is_not_signed_there_is_no_proof(signed: SignedLog) -> None:
    note = signed.notes[0]
    file = signed.data / "log.checkpoint"
    now = file.read_text()
    file.write_text(note)
    with pytest.raises(NotSigned):
        signed.proof(SECOND)
    file.write_text(now)
    assert signed.proof(SECOND).events


def test_a_checkpoint_of_the_same_size_with_another_root_is_reported(signed: SignedLog) -> None:
    proof = signed.proof(FIRST)
    other = msgspec.json.encode(proof)
    key = parse_signing_key((signed.keys / "notary.key").read_text())
    forked = key.sign_checkpoint(read_checkpoint(proof.checkpoint).size, bytes(32))
    found = audit_proof(other, TrustedNotes(signed.key, (forked,)))
    assert [one.what for one in found.wrong] == ["root_differs"]
