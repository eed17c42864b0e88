"""What a proof of an encuentro lacks, as far as the proof itself shows it.

Streams, causes, lines, the end.

A proof in which nothing is altered may be cut short. The signed tree has a place for each event,
and none for what is not there; but events of one stream tell of events of others, and those of one
write have consecutive places. What is found here is no difference: what is there is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec

from referee.audit.checkpoint import read_checkpoint
from referee.audit.differences import AuditDifference
from referee.audit.proofs import Proof, ProvedEvent, leaf_of_event
from referee.audit.resguardo import Resguardo
from referee.audit.verify.streams import StreamDifference
from referee.log.merkle import root_of_leaves

_FOLLOWED: Final = ("OutcomeFollowed", "CaseFollowed")
_OFFICIAL: Final = "ResultMadeOfficial"
_OF_THE_END: Final = (_OFFICIAL, "ResultReopened")


class MissingPart(msgspec.Struct, frozen=True):
    """Something that a proof lacks: a stable code, and where it shows.

    ``index``, ``stream`` and ``version``: the event that shows it. ``number``: of the partida or
    the case that it is about, or how many events are missing.
    """

    what: str
    index: int | None = None
    stream: str | None = None
    version: int | None = None
    number: int | None = None


MISSING: Final = (
    "not_all_recorded",
    "partida_left_out",
    "case_left_out",
    "cause_left_out",
    "outcome_left_out",
    "lines_left_out",
    "conclusion_left_out",
    "end_unknown",
)
"""Every code. ``docs/operating/audit.md`` says what each means."""


def gaps_in_proof(proof: Proof, resguardos: Sequence[Resguardo] = ()) -> Iterator[MissingPart]:
    """Parts that a correct proof lacks. ``resguardos``: of its encuentro, kept elsewhere."""
    missing = proof.recorded - len(proof.events)
    if missing > 0:
        yield MissingPart("not_all_recorded", number=missing)
    own = [one for one in proof.events if one.stream == UUID(proof.encuentro).hex]
    partidas = _events_by_partida_or_case(proof.events, "PartidaOpened")
    cases = _events_by_partida_or_case(proof.events, "CaseOpened")
    yield from _stream_gaps(own, "PartidaStarted", "number", partidas, "partida_left_out")
    yield from _stream_gaps(own, "CaseFollowed", "case", cases, "case_left_out")
    yield from _cause_gaps(proof.events, own)
    for number, events in partidas.items():
        yield from _outcome_gaps(number, events, own)
    for events in cases.values():
        yield from _partida_line_gaps(events, partidas)
    yield from _end_gaps(proof, own, resguardos)


def name_without_version(event: ProvedEvent) -> str:
    """Stored name of an event without its version."""
    return event.name.rpartition(".")[0]


def _fact_of(event: ProvedEvent) -> Mapping[str, Any]:
    fact = event.state.get("fact")
    return fact if isinstance(fact, dict) else {}


def _value_if_int(value: object) -> int | None:
    """The value if it is a whole number, else None: a forged proof may hold anything."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _events_by_partida_or_case(
    events: Sequence[ProvedEvent], first: str
) -> dict[int | None, list[ProvedEvent]]:
    """Events of each partida or case, by its number."""
    found: dict[str, list[ProvedEvent]] = {}
    for one in events:
        found.setdefault(one.stream, []).append(one)
    return {
        _value_if_int(_fact_of(one[0]).get("number")): one
        for one in found.values()
        if name_without_version(one[0]) == first
    }


def _stream_gaps(
    own: Sequence[ProvedEvent],
    kind: str,
    field: str,
    there: Mapping[int | None, Sequence[ProvedEvent]],
    what: str,
) -> Iterator[MissingPart]:
    """A missing part for each partida or case that the encuentro mentions and the proof lacks."""
    seen: set[int | None] = set()
    for one in own:
        number = _value_if_int(_fact_of(one).get(field))
        if name_without_version(one) == kind and number not in there and number not in seen:
            seen.add(number)
            yield MissingPart(what, one.index, one.stream, one.version, number)


def _cause_gaps(events: Sequence[ProvedEvent], own: Sequence[ProvedEvent]) -> Iterator[MissingPart]:
    """A missing part for each followed event without its cause, recorded directly before it."""
    indices = {one.index for one in events}
    for one in own:
        if name_without_version(one) in _FOLLOWED and one.index - 1 not in indices:
            number = _value_if_int(_fact_of(one).get("partida"))
            yield MissingPart("cause_left_out", one.index, one.stream, one.version, number)


def _outcome_gaps(
    number: int | None, events: Sequence[ProvedEvent], own: Sequence[ProvedEvent]
) -> Iterator[MissingPart]:
    """A missing part if the encuentro has not recorded the last outcome of a partida."""
    won: tuple[object, object] = ("", "undecided")
    at: ProvedEvent | None = None
    for one in events:
        fact = _fact_of(one)
        if name_without_version(one) == "PartidaWon":
            won, at = (fact.get("winner"), fact.get("how")), one
        elif (
            name_without_version(one) == "ConclusionRevised"
            and _kind_revised(fact) == "partida_won"
        ):
            won, at = ("", "undecided"), one
    followed = [
        one
        for one in own
        if name_without_version(one) == "OutcomeFollowed"
        and _value_if_int(_fact_of(one).get("partida")) == number
    ]
    fact = _fact_of(followed[-1]) if followed else {"winner": "", "how": "undecided"}
    is_behind = at is not None and (not followed or followed[-1].index < at.index)
    if at is not None and is_behind and (fact.get("winner"), fact.get("how")) != won:
        yield MissingPart("outcome_left_out", at.index, at.stream, at.version, number)


def _kind_revised(fact: Mapping[str, Any]) -> object:
    revised = fact.get("revised")
    return revised.get("kind") if isinstance(revised, dict) else None


def _partida_line_gaps(
    case: Sequence[ProvedEvent], partidas: Mapping[int | None, Sequence[ProvedEvent]]
) -> Iterator[MissingPart]:
    """A missing part if a case refers to lines which the events of its partida do not reach."""
    number = _value_if_int(_fact_of(case[0]).get("partida"))
    if number not in partidas:
        return
    last = max(_value_if_int(one.state.get("line")) or 0 for one in partidas[number])
    for one in case:
        fact = _fact_of(one)
        acts = fact.get("acts")
        named = [fact.get("seen"), fact.get("act"), *(acts if isinstance(acts, list) else [])]
        if any((_value_if_int(line) or 0) > last for line in named):
            yield MissingPart("lines_left_out", one.index, one.stream, one.version, number)
            return


def _end_gaps(
    proof: Proof, own: Sequence[ProvedEvent], resguardos: Sequence[Resguardo]
) -> Iterator[MissingPart]:
    """A missing part if later events may exist.

    Unless the last event is the signed acta, or a resguardo confirms the end.

    A resguardo that is not older than the proof, and counts the same events, says that none was.
    """
    ends = [name_without_version(one) for one in own if name_without_version(one) in _OF_THE_END]
    if ends[-1:] == [_OFFICIAL]:
        return
    size = read_checkpoint(proof.checkpoint).size
    head = root_of_leaves([leaf_of_event(one) for one in proof.events])
    if any(read_checkpoint(one.note).size >= size and one.head == head for one in resguardos):
        return
    last = own[-1]
    yield MissingPart("end_unknown", last.index, last.stream, last.version)


_Problem: TypeAlias = AuditDifference | StreamDifference


def separate_differences_and_gaps(
    proof: Proof, concluded: Iterable[_Problem], resguardos: Sequence[Resguardo]
) -> tuple[list[_Problem], list[MissingPart]]:
    """Differences that no cut explains, and what is missing.

    A cut takes the ends of streams away. So it explains that something is not there which would be
    at the end of its stream, and never that something is there.
    """
    missing = [*gaps_in_proof(proof, resguardos)]
    every = [*concluded]
    missing += [
        _missing_part_for_conclusion(proof, one.stream)
        for one in every
        if isinstance(one, StreamDifference) and _is_last_conclusion_missing(one, proof)
    ]
    wrong = [
        one
        for one in every
        if not isinstance(one, StreamDifference) or not _is_explained_by_gaps(one, proof, missing)
    ]
    return wrong, missing


def _is_explained_by_gaps(
    one: StreamDifference, proof: Proof, missing: Sequence[MissingPart]
) -> bool:
    """Whether a difference only says that something is missing which the proof left out."""
    whats = {part.what for part in missing}

    def is_part_missing(what: str, number: object) -> bool:
        return any((part.what, part.number) == (what, number) for part in missing)

    match one.what:
        case "missing_conclusion":
            found = _is_last_conclusion_missing(one, proof)
        case "partida_missing":
            found = is_part_missing("partida_left_out", one.computed)
        case "case_missing":
            found = is_part_missing("case_left_out", one.computed)
        case "outcome_wrong":
            number = one.stored["partida"]
            found = is_part_missing("cause_left_out", number) or is_part_missing(
                "outcome_left_out", number
            )
            found = found or _is_outcome_not_followed(number, proof, missing)
        case "case_wrong":
            is_cause_missing = "cause_left_out" in whats
            found = _is_proper_prefix(one.stored, one.computed)
            found = found or (is_cause_missing and _is_proper_prefix(one.computed, one.stored))
        case "ruling_wrong":
            found = one.stored is None and "lines_left_out" in whats
        case "dealer_wrong":
            found = _ends_before_previous_partida(proof, one.stream)
        case _:
            found = False
    return found


def _events_of_stream(proof: Proof, stream: str) -> list[ProvedEvent]:
    return [one for one in proof.events if one.stream == UUID(stream).hex]


def _events_of_partida(proof: Proof, number: int) -> list[ProvedEvent]:
    """Events of a partida; none if it is not there."""
    opened = (one for one in proof.events if name_without_version(one) == "PartidaOpened")
    streams = [one.stream for one in opened if one.state["fact"]["number"] == number]
    return _events_of_stream(proof, streams[0]) if streams else []


def _is_last_conclusion_missing(one: StreamDifference, proof: Proof) -> bool:
    """Whether the difference is a conclusion that is missing at the last line of its stream."""
    if one.what != "missing_conclusion":
        return False
    return bool(_events_of_stream(proof, one.stream)[-1].state.get("line") == one.line)


def _missing_part_for_conclusion(proof: Proof, stream: str) -> MissingPart:
    """How a proof lacks the conclusion at the end of a stream, which is known to be left out."""
    last = _events_of_stream(proof, stream)[-1]
    return MissingPart("conclusion_left_out", last.index, last.stream, last.version)


def _is_outcome_not_followed(number: int, proof: Proof, missing: Sequence[MissingPart]) -> bool:
    """Whether a partida ends before its last conclusion, and nothing was followed of it since."""
    events = _events_of_partida(proof, number)
    if not events or not any(
        (p.what, p.stream) == ("conclusion_left_out", events[0].stream) for p in missing
    ):
        return False
    last = events[-1].index
    followed = (one for one in proof.events if name_without_version(one) == "OutcomeFollowed")
    return all(one.index < last for one in followed if one.state["fact"]["partida"] == number)


def _is_proper_prefix(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether a list is a proper prefix of another."""
    return len(one) < len(other) and list(other[: len(one)]) == list(one)


def _ends_before_previous_partida(proof: Proof, stream: str) -> bool:
    """Whether the events of a partida end before the last event of the previous partida.

    That one decides who deals; the later partida records it in the same write.
    """
    events = _events_of_stream(proof, stream)
    before = _events_of_partida(proof, events[0].state["fact"]["number"] - 1)
    return bool(before) and events[-1].index < before[-1].index
