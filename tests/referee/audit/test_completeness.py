"""A proof that was cut short is incomplete, whatever was cut; what is wrong in it stays wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.audit.auditor import AuditResult, TrustedNotes, audit_proof
from referee.audit.completeness import MISSING, gaps_in_proof
from referee.audit.proofs import Proof, ProvedEvent
from referee.events import EncuentroRuled, ResultMadeOfficial, ResultReopened
from tests.referee.audit.logs.tampering import PARTIDA, edits, opened, with_tree
from tests.support.places import ROOT
from tests.support.proofs.signed_log import FIRST, SECOND, SignedLog
from tests.support.servers.one_log import new_referee

PAGE = (ROOT / "docs" / "operating" / "audit.md").read_text("utf-8")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedLog]:
    """A log with two encuentros of two partidas, the first of them with a signed result."""
    made = SignedLog(tmp_path_factory.mktemp("cut"))
    with closing(new_referee(made.log, 1)) as referee:
        for encuentro in (FIRST, SECOND):
            made.play(referee, encuentro)
        referee.encuentros.record_encuentro_act(FIRST, EncuentroRuled("A", "why"), made.meta())
        referee.encuentros.record_encuentro_act(
            FIRST, ResultMadeOfficial("juez", "why"), made.meta()
        )
    assert made.sign()
    yield made
    made.close()


def audited(proof: Proof, signed: SignedLog) -> AuditResult:
    return audit_proof(msgspec.json.encode(proof), TrustedNotes(signed.key))


def with_events(proof: Proof, events: tuple[ProvedEvent, ...]) -> Proof:
    """A proof with other events, that states to have all of them."""
    return msgspec.structs.replace(proof, events=events, recorded=len(events))


def cuts(proof: Proof) -> Iterator[tuple[ProvedEvent, ...]]:
    """Every way to take the end away: of the whole, and of a single stream."""
    for kept in range(1, len(proof.events)):
        yield proof.events[:kept]
    for stream, length in Counter(one.stream for one in proof.events).items():
        first = 1 if stream == FIRST.hex else 0
        for kept in range(first, length):
            yield tuple(e for e in proof.events if e.stream != stream or e.version <= kept)


def test_a_signed_result_ends_a_proof(signed: SignedLog) -> None:
    found = audited(signed.proof(FIRST), signed)
    assert (found.wrong, found.missing) == ((), ())
    (end,) = audited(signed.proof(SECOND), signed).missing
    assert (end.what, end.stream) == ("end_unknown", SECOND.hex)


def test_every_cut_is_found_and_none_is_called_an_alteration(signed: SignedLog) -> None:
    proof = signed.proof(FIRST)
    seen: set[str] = set()
    for events in cuts(proof):
        found = audited(with_events(proof, events), signed)
        assert found.wrong == (), [one.name for one in events]
        assert found.missing, [one.name for one in events]
        seen |= {one.what for one in found.missing}
    assert seen == {*MISSING} - {"case_left_out", "lines_left_out", "not_all_recorded"}


def test_the_count_that_a_proof_states_is_compared(signed: SignedLog) -> None:
    proof = signed.proof(FIRST)
    (one,) = audited(msgspec.structs.replace(proof, recorded=len(proof.events) + 2), signed).missing
    assert (one.what, one.number) == ("not_all_recorded", 2)


def test_a_result_that_was_opened_again_ends_nothing(tmp_path: Path) -> None:
    made = SignedLog(tmp_path)
    with closing(new_referee(made.log, 1)) as referee:
        made.play(referee, FIRST)
        for act in (
            EncuentroRuled("A", "why"),
            ResultMadeOfficial("juez", "why"),
            ResultReopened("otro", "juez", "why"),
        ):
            referee.encuentros.record_encuentro_act(FIRST, act, made.meta())
    made.sign()
    assert [one.what for one in audited(made.proof(FIRST), made).missing] == ["end_unknown"]
    made.close()


def test_a_resguardo_that_is_not_older_says_that_nothing_followed(signed: SignedLog) -> None:
    proof = signed.proof(SECOND)
    signed.resguardos.clear()
    signed.take_home(SECOND)
    whole = msgspec.json.encode(proof)
    assert audit_proof(whole, signed.kept()).missing == ()
    cut = msgspec.json.encode(with_events(proof, proof.events[:-1]))
    assert {one.what for one in audit_proof(cut, signed.kept()).wrong} == {"events_missing"}
    signed.resguardos.clear()


@pytest.mark.parametrize("stream", [FIRST.hex, PARTIDA])
def test_an_outcome_that_was_forged_before_it_was_signed_stays_wrong(
    tmp_path: Path, stream: str
) -> None:
    """The whole log is written anew and then signed: only the rules can tell."""
    made = SignedLog(tmp_path)
    with closing(new_referee(made.log, 1)) as referee:
        made.play(referee, FIRST)
    with opened(made.log) as log:
        with_tree(edits('"winner":"A"', '"winner":"B"', stream))(log)
    made.sign()
    found = audited(made.proof(FIRST), made)
    assert {one.what for one in found.wrong} <= {"outcome_wrong", "changed_conclusion"}
    assert found.wrong
    made.close()


@pytest.mark.parametrize("junk", [None, [], {}, "1", True, -1, 2**53 - 1, [[]]])
def test_values_of_other_kinds_are_read_without_an_error(signed: SignedLog, junk: Any) -> None:
    """Whoever has a key of their own can sign a proof of anything."""
    proof = signed.proof(FIRST)
    fields = ("number", "partida", "case", "winner", "how", "revised", "seen", "act", "acts")
    for state in ({"fact": junk}, {"fact": dict.fromkeys(fields, junk), "line": junk}):
        events = tuple(
            msgspec.structs.replace(one, state={**one.state, **state}) for one in proof.events
        )
        for name in ("CaseOpened.1", "OutcomeFollowed.1", "PartidaWon.1"):
            named = tuple(msgspec.structs.replace(one, name=name) for one in events)
            assert list(gaps_in_proof(with_events(proof, named)))
        assert list(gaps_in_proof(with_events(proof, events))) is not None


def test_the_page_says_what_each_code_means() -> None:
    assert [one for one in MISSING if f"`{one}`" not in PAGE] == []
