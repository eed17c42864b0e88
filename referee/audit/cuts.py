"""Conclusions that a proof lacks because it was cut, told from conclusions that are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from referee.audit.completeness import MissingPart, kind_of, missing_in
from referee.audit.differences import AuditDifference
from referee.audit.proofs import Proof, ProvedEvent
from referee.audit.resguardo import Resguardo
from referee.audit.verify.streams import StreamDifference

_Problem: TypeAlias = AuditDifference | StreamDifference


def without_cuts(
    proof: Proof, concluded: Iterable[_Problem], resguardos: Sequence[Resguardo]
) -> tuple[list[_Problem], list[MissingPart]]:
    """Differences that no cut explains, and what is missing.

    A cut takes the ends of streams away. So it explains that something is not there which would be
    at the end of its stream, and never that something is there.
    """
    missing = [*missing_in(proof, resguardos)]
    every = [*concluded]
    missing += [
        _at_the_end_of(proof, one.stream)
        for one in every
        if isinstance(one, StreamDifference) and _is_last_conclusion(one, proof)
    ]
    wrong = [
        one
        for one in every
        if not isinstance(one, StreamDifference) or not _is_cut(one, proof, missing)
    ]
    return wrong, missing


def _is_cut(one: StreamDifference, proof: Proof, missing: Sequence[MissingPart]) -> bool:
    """Whether what a difference names is only not there."""
    whats = {part.what for part in missing}

    def lacks(what: str, number: object) -> bool:
        return any((part.what, part.number) == (what, number) for part in missing)

    match one.what:
        case "missing_conclusion":
            found = _is_last_conclusion(one, proof)
        case "partida_missing":
            found = lacks("partida_left_out", one.computed)
        case "case_missing":
            found = lacks("case_left_out", one.computed)
        case "outcome_wrong":
            number = one.stored["partida"]
            found = lacks("cause_left_out", number) or lacks("outcome_left_out", number)
            found = found or _is_not_followed_yet(number, proof, missing)
        case "case_wrong":
            is_cause_missing = "cause_left_out" in whats
            found = _begins(one.stored, one.computed)
            found = found or (is_cause_missing and _begins(one.computed, one.stored))
        case "ruling_wrong":
            found = one.stored is None and "lines_left_out" in whats
        case "dealer_wrong":
            found = _ends_before_the_one_before(proof, one.stream)
        case _:
            found = False
    return found


def _events_of(proof: Proof, stream: str) -> list[ProvedEvent]:
    return [one for one in proof.events if one.stream == UUID(stream).hex]


def _partida(proof: Proof, number: int) -> list[ProvedEvent]:
    """Events of a partida; none if it is not there."""
    opened = (one for one in proof.events if kind_of(one) == "PartidaOpened")
    streams = [one.stream for one in opened if one.state["fact"]["number"] == number]
    return _events_of(proof, streams[0]) if streams else []


def _is_last_conclusion(one: StreamDifference, proof: Proof) -> bool:
    """Whether a conclusion is missing at the last line of its stream."""
    if one.what != "missing_conclusion":
        return False
    return bool(_events_of(proof, one.stream)[-1].state.get("line") == one.line)


def _at_the_end_of(proof: Proof, stream: str) -> MissingPart:
    last = _events_of(proof, stream)[-1]
    return MissingPart("conclusion_left_out", last.index, last.stream, last.version)


def _is_not_followed_yet(number: int, proof: Proof, missing: Sequence[MissingPart]) -> bool:
    """Whether a partida ends before its last conclusion, and nothing was followed of it since."""
    events = _partida(proof, number)
    if not events or not any(
        (p.what, p.stream) == ("conclusion_left_out", events[0].stream) for p in missing
    ):
        return False
    last = events[-1].index
    followed = (one for one in proof.events if kind_of(one) == "OutcomeFollowed")
    return all(one.index < last for one in followed if one.state["fact"]["partida"] == number)


def _begins(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether a list is the beginning of another, and not the whole of it."""
    return len(one) < len(other) and list(other[: len(one)]) == list(one)


def _ends_before_the_one_before(proof: Proof, stream: str) -> bool:
    """Whether a partida ends before the last event of the one before it.

    That one decides who deals; the later partida records it in the same write.
    """
    events = _events_of(proof, stream)
    before = _partida(proof, events[0].state["fact"]["number"] - 1)
    return bool(before) and events[-1].index < before[-1].index
