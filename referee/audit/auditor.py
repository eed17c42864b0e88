"""Audits of a log or a proof against what was signed, and the proofs that a server publishes.

A log is read in one transaction, so a service may write meanwhile.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from referee import events as ev
from referee.aggregates import case as cases
from referee.aggregates import result as results
from referee.aggregates.case import Case
from referee.aggregates.result import Outcome, Result
from referee.audit.checkpoint import Checkpoint, LogKey, read_checkpoint, read_key
from referee.audit.completeness import MissingPart, separate_differences_and_gaps
from referee.audit.differences import AuditDifference, AuditProgress
from referee.audit.proofs import (
    NotSigned,
    Proof,
    ProvedEvent,
    leaf_of_event,
    proof_differences,
    proof_of_encuentro,
    read_proof,
)
from referee.audit.publication import PUBLISHED_KEY, PUBLISHED_NOTE, Published, PublishedText
from referee.audit.resguardo import Resguardo, resguardo_differences
from referee.audit.subtrees import SubtreeFile
from referee.audit.verification import verify_log, verify_notes
from referee.audit.verify.conclusions import StreamDifference as WrongConclusion
from referee.audit.verify.conclusions import differences_in_all_streams
from referee.errors import NotFound
from referee.kinds import case_id, partida_id
from referee.log.faults import error_in_one_line
from referee.log.mapper import CODEC, LoggedEvent, RecordedEvent, UnknownName
from referee.log.merkle import Subtrees, Unreadable, canonical_json
from referee.log.ports import Address, AuditedRows, Unsound
from referee.log.stores import open_for_audit

SecondAct: TypeAlias = Literal["confirmed", "reopened", "decided"]
_ANY_OUTCOME: Final = Outcome(None, ())


class OnePrincipal(msgspec.Struct, frozen=True):
    """An act that needed a second person, but was done by the same person as the act before.

    ``side``: if it has one.

    ``index``, ``stream``, ``version``: the place of its event, as in a difference.
    """

    noted: SecondAct
    side: ev.SideName
    index: int
    stream: str
    version: int


def acts_without_second_principal(
    events: Sequence[ProvedEvent], own: str
) -> Iterator[OnePrincipal]:
    """Acts of a proof that one person did where two people should have, in order.

    ``own``: Stream of the encuentro itself.
    """
    result, files = Result(), dict[str, Case]()
    before: list[Result] = []
    for one in events:
        event, file = _event_of_proof_entry_or_none(one), files.get(one.stream, cases.INITIAL)
        match event:
            case ev.ResultConfirmed(side=side) if results.is_second_by_same_principal(
                result, event
            ):
                yield OnePrincipal("confirmed", side, one.index, one.stream, one.version)
            case ev.ResultReopened() if results.is_second_by_same_principal(result, event):
                yield OnePrincipal("reopened", "", one.index, one.stream, one.version)
            case ev.AppealDecided() if cases.is_appeal_by_same_principal(file, event):
                yield OnePrincipal("decided", "", one.index, one.stream, one.version)
            case _:
                pass
        if one.stream == own:
            result = _result_after(result, event, before)
        elif isinstance(event, ev.CaseAct):
            files[one.stream] = cases.evolve(file, event)


def _result_after(result: Result, event: ev.Event | None, before: list[Result]) -> Result:
    """The result after an event.

    ``before``: results to return to when a final score is withdrawn.
    """
    match event:
        case ev.FinalScoreTold():
            before.append(result)
        case ev.FinalScoreWithdrawn() if before:
            return results.result_with_earlier_reports(result, before.pop())
        case _ if isinstance(event, ev.ResultAct):
            return results.evolve(result, event, _ANY_OUTCOME)
        case _:
            pass
    return result


def _event_of_proof_entry_or_none(one: ProvedEvent) -> ev.Event | None:
    """The event inside an entry of a proof; None if it cannot be read."""
    try:
        return CODEC.decode_row(
            UUID(one.stream), one.version, one.name, canonical_json(one.state)
        ).event
    except (UnknownName, msgspec.MsgspecError, ValueError):
        return None


__all__ = [
    "AuditResult",
    "AuditedHistories",
    "Auditor",
    "NotSigned",
    "TrustedNotes",
    "audit_log_from_start",
    "audit_proof",
]

AuditProblem: TypeAlias = AuditDifference | WrongConclusion


class TrustedNotes(msgspec.Struct, frozen=True):
    """What a verifier keeps outside the system: the public key, signed checkpoints, resguardos."""

    key: LogKey | None = None
    notes: tuple[str, ...] = ()
    resguardos: tuple[Resguardo, ...] = ()

    def checkpoints_and_differences(self) -> tuple[list[Checkpoint], list[AuditDifference]]:
        """Checkpoints that the key confirms, and differences of other notes; empty without key."""
        if self.key is None:
            return [], []
        return verify_notes([*self.notes, *(one.note for one in self.resguardos)], self.key)


class AuditResult(msgspec.Struct, frozen=True):
    """Result of an audit: count of events, root, count of checked checkpoints, differences.

    ``missing``: what a proof without differences lacks.
    ``noted``: acts of one principal in a proof that has no differences.
    """

    events: int
    root: bytes
    checkpoints: int
    wrong: tuple[AuditProblem, ...]
    missing: tuple[MissingPart, ...] = ()
    noted: tuple[OnePrincipal, ...] = ()


# --- a log ---------------------------------------------------------------------------------------


class AuditedHistories:
    """Events and histories of a log, for verifying its conclusions."""

    def __init__(self, log: AuditedRows) -> None:
        self._log = log

    def read_from(self, position: int, limit: int) -> list[LoggedEvent]:
        """At most ``limit`` events from this position on, itself among them.

        :raises Unsound: one of them cannot be read
        """
        return [
            LoggedEvent(place, name, _read_event(f"position {place}", stream, version, name, state))
            for place, stream, version, name, state in self._log.read_from(position, limit)
        ]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version.

        :raises Unsound: one of them cannot be read
        """
        return [
            _read_event(f"version {version} of {stream}", stream.hex, version, name, state)
            for version, name, state in self._log.stream_rows_to_version(stream, upto)
        ]


def _read_event(place: str, stream: str, version: int, name: str, state: bytes) -> RecordedEvent:
    """The event of a row. ``place``: where it is, in words."""
    try:
        return CODEC.decode_row(UUID(stream), version, name, state)
    except Exception as error:  # whatever was written there in place of an event
        raise Unsound(f"the event at {place} cannot be read: {error_in_one_line(error)}") from error


def audit_log_from_start(
    address: Address, kept: TrustedNotes, progress: AuditProgress | None = None
) -> AuditResult:
    """Audit of a whole log: events, leaves, tree, checkpoints, resguardos, official conclusions."""
    checkpoints, bad = kept.checkpoints_and_differences()

    def progress_of_part(part: int) -> AuditProgress | None:
        """Progress function for one of the two parts of the audit, so that both count as one."""
        return progress and (lambda done, total: progress(part * total + done, 2 * total))

    try:
        with closing(open_for_audit(address)) as log, log.hold_snapshot():
            found = verify_log(log, checkpoints, progress_of_part(0))
            wrong: list[AuditProblem] = [*bad, *found.differences]
            for held in kept.resguardos:
                wrong += resguardo_differences(
                    held, held.encuentro, _leaf_hashes_of_encuentro(log, held.encuentro)
                )
            wrong += _conclusion_differences(
                lambda: differences_in_all_streams(AuditedHistories(log), progress_of_part(1))
            )
    except (sqlite3.DatabaseError, UnicodeDecodeError, Unsound):  # also if the text is not UTF-8
        return AuditResult(0, b"", 0, (*bad, AuditDifference("store_unsound")))
    return AuditResult(found.tree.size, found.tree.root, len(checkpoints), tuple(wrong))


def _conclusion_differences(
    verify: Callable[[], Iterator[WrongConclusion]],
) -> Iterator[AuditProblem]:
    """Differences between stored and recomputed conclusions.

    One single difference if the record cannot be read.
    """
    try:
        yield from (one for one in verify() if one.what != "earlier_law")
    except Exception:  # noqa: BLE001 - whatever an altered record does to the rules
        yield AuditDifference("conclusions_unreadable")


def _leaf_hashes_of_encuentro(log: AuditedRows, encuentro: UUID) -> list[bytes]:
    """Stored leaf hashes of an encuentro, by rising index."""
    every = (
        i
        for stream in streams_of_encuentro(log, encuentro)
        for i in log.leaf_indices_of_stream(stream)
    )
    indices = sorted(index for index in every if isinstance(index, int))
    found = [leaf[3] for index in indices for leaf in log.leaf_rows(index, 1)]
    return [leaf if isinstance(leaf, bytes) else b"" for leaf in found]


def streams_of_encuentro(log: AuditedRows, encuentro: UUID) -> list[UUID]:
    """Streams of an encuentro: its own, its partidas, its cases."""
    found = [encuentro]
    for id_of in (partida_id, case_id):
        every = (id_of(encuentro, number) for number in count(1))
        found += takewhile(
            lambda stream: any(True for _ in log.leaf_indices_of_stream(stream)), every
        )
    return found


# --- a proof -------------------------------------------------------------------------------------


def audit_proof(text: bytes, kept: TrustedNotes) -> AuditResult:
    """Audit of a proof file alone: events, paths, checkpoints, resguardos, conclusions."""
    try:
        proof = read_proof(text)
    except Unreadable:
        return AuditResult(0, b"", 0, (AuditDifference("proof_malformed"),))
    checkpoints, bad = kept.checkpoints_and_differences()
    wrong: list[AuditProblem] = [*proof_differences(proof, kept.key), *bad]
    key = kept.key or (None if wrong else read_key(proof.key))
    own, _ = verify_notes([proof.checkpoint], key) if key else ([], [])
    for one in own:
        same = (other for other in checkpoints if other.size == one.size)
        wrong += (AuditDifference("root_differs", one.size) for other in same if other != one)
    hashes = [leaf_of_event(event) for event in proof.events]
    for held in kept.resguardos:
        wrong += resguardo_differences(held, UUID(proof.encuentro), hashes)
    missing: list[MissingPart] = []
    if not wrong:
        concluded = _conclusion_differences(lambda: differences_in_all_streams(_Proved(proof)))
        wrong, missing = separate_differences_and_gaps(proof, concluded, kept.resguardos)
    noted = () if wrong else acts_without_second_principal(proof.events, UUID(proof.encuentro).hex)
    return AuditResult(
        len(proof.events),
        own[0].root if own else b"",
        len(own) + len(checkpoints),
        tuple(wrong),
        tuple(missing),
        tuple(noted),
    )


class _Proved:
    """The events of a proof, read like a log."""

    def __init__(self, proof: Proof) -> None:
        self._every = [
            LoggedEvent(event.index + 1, event.name, _decode_event(event)) for event in proof.events
        ]

    def read_from(self, position: int, limit: int) -> list[LoggedEvent]:
        """At most ``limit`` events from this index on, itself among them."""
        return [one for one in self._every if one.position >= position][:limit]

    def history(self, stream: UUID, upto: int) -> list[RecordedEvent]:
        """Events of a stream up to a store version."""
        every = (one.recorded for one in self._every)
        return [
            one for one in every if one.originator_id == stream and one.originator_version <= upto
        ]


def _decode_event(event: ProvedEvent) -> RecordedEvent:
    state = msgspec.json.encode(event.state)
    return CODEC.decode_row(UUID(event.stream), event.version, event.name, state)


# --- what a server publishes
# ------------------------------------------------------------------------


class LatestCheckpoint(NamedTuple):
    """Count of events that are signed. ``published``: when its notary showed it last.

    In seconds since 1970, UTC; a notary shows it again and again, also if nothing is new.
    """

    size: int
    published: float


def _require_published_text(name: str, found: PublishedText | None) -> PublishedText:
    """The text that the notary published; an error if it has published none."""
    if found is None:
        raise NotSigned(name)
    return found


class Auditor:
    """Proofs of one log, and what its notary published. Safe for any thread."""

    def __init__(self, address: Address, folder: Path) -> None:
        self._address = address
        self._published = Published(address, folder)
        self._lock = threading.Lock()
        self._log: Any = None
        self._subtrees = Subtrees(lambda _first, _last: [])
        self._file = SubtreeFile(folder)
        self._is_from_file = True

    def require_checkpoint_text(self) -> str:
        """Text of the latest checkpoint, a signed note.

        :raises NotSigned: there is none yet
        """
        return _require_published_text(PUBLISHED_NOTE, self._published.note()).text

    def require_latest_checkpoint(self) -> LatestCheckpoint:
        """Size of the latest checkpoint, and its moment.

        :raises NotSigned: there is none yet
        :raises BadCheckpoint: it is malformed
        """
        note, published = _require_published_text(PUBLISHED_NOTE, self._published.note())
        return LatestCheckpoint(read_checkpoint(note).size, published)

    def notary_idle_reason(self) -> str:
        """Why the notary on this computer does not sign.

        Empty if it signs or there is no notary.
        """
        return self._published.idle_reason()

    def require_key_text(self) -> str:
        """Public key of the notary as one line of text.

        :raises NotSigned: there is none yet
        """
        return _require_published_text(PUBLISHED_KEY, self._published.key()).text

    def prove_encuentro(self, encuentro: UUID) -> Proof:
        """Proof of an encuentro under the latest checkpoint.

        :raises NotFound: no encuentro has this id
        :raises NotSigned: no checkpoint is of it yet
        """
        key, note = read_key(self.require_key_text()), self.require_checkpoint_text()
        with self._lock:
            log = self._open_log()
            with log.hold_snapshot():
                streams = streams_of_encuentro(log, encuentro)
                if not list(log.leaf_indices_of_stream(encuentro)):
                    raise NotFound(str(encuentro))
                return proof_of_encuentro(
                    log,
                    streams,
                    key,
                    note,
                    self._compute_subtrees_up_to(log, read_checkpoint(note)),
                )

    def compute_tree_hashes(self) -> None:
        """Hash the tree up to the latest checkpoint, so that no proof has to wait for it."""
        signed = read_checkpoint(self.require_checkpoint_text())
        with self._lock:
            log = self._open_log()
            with log.hold_snapshot():
                self._compute_subtrees_up_to(log, signed)

    def close(self) -> None:
        """Close the connections."""
        self._published.close()
        with self._lock:
            if self._log is not None:
                self._log.close()
                self._log = None

    def _compute_subtrees_up_to(self, log: AuditedRows, signed: Checkpoint) -> Subtrees:
        """Subtrees of the Merkle tree with every hash computed up to a signed checkpoint.

        Those in the file are used if the signed root follows from them; else it is written anew.
        """
        if signed.size > log.tree().size:
            return self._subtrees
        if self._subtrees(0, signed.size) != signed.root and self._is_from_file:
            self._file.remove()
            self._subtrees = self._make_subtrees(log, b"")
            self._subtrees(0, signed.size)
        self._is_from_file = False
        self._file.write(self._subtrees.packed_smallest_roots)
        return self._subtrees

    def _open_log(self) -> AuditedRows:
        if self._log is None:
            log = self._log = open_for_audit(self._address)
            self._subtrees = self._make_subtrees(log, self._file.read())
            self._is_from_file = True
        opened: AuditedRows = self._log
        return opened

    @staticmethod
    def _make_subtrees(log: AuditedRows, whole: bytes) -> Subtrees:
        def read_leaves(first: int, last: int) -> list[bytes]:
            return [leaf[3] for leaf in log.leaf_rows(first, last - first)]

        return Subtrees(read_leaves, whole)
