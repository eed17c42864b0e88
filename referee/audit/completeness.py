"""What a proof lacks, as far as the proof itself shows it: streams, causes, lines, the end.

A proof in which nothing is altered may be cut short. The signed tree has a place for each event,
and none for what is not there; but events of one stream tell of events of others, and those of one
write have consecutive places. What is found here is no difference: what is there is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec

from referee.audit.checkpoint import read_checkpoint
from referee.audit.proofs import Proof, ProvedEvent, leaf_of_event
from referee.audit.resguardo import Resguardo
from referee.log.merkle import root_over

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


def missing_in(proof: Proof, resguardos: Sequence[Resguardo] = ()) -> Iterator[MissingPart]:
    """What a proof without differences lacks. ``resguardos``: of its encuentro, kept elsewhere."""
    missing = proof.recorded - len(proof.events)
    if missing > 0:
        yield MissingPart("not_all_recorded", number=missing)
    own = [one for one in proof.events if one.stream == UUID(proof.encuentro).hex]
    partidas = _by_number(proof.events, "PartidaOpened")
    cases = _by_number(proof.events, "CaseOpened")
    yield from _streams_left_out(own, "PartidaStarted", "number", partidas, "partida_left_out")
    yield from _streams_left_out(own, "CaseFollowed", "case", cases, "case_left_out")
    yield from _causes_left_out(proof.events, own)
    for number, events in partidas.items():
        yield from _outcome_left_out(number, events, own)
    for events in cases.values():
        yield from _lines_left_out(events, partidas)
    yield from _end_unknown(proof, own, resguardos)


def kind_of(event: ProvedEvent) -> str:
    """Stored name of an event without its version."""
    return event.name.rpartition(".")[0]


def _fact(event: ProvedEvent) -> Mapping[str, Any]:
    fact = event.state.get("fact")
    return fact if isinstance(fact, dict) else {}


def _int_or_none(value: object) -> int | None:
    """A whole number, or nothing: whoever has a key of their own writes what they like."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _by_number(events: Sequence[ProvedEvent], first: str) -> dict[int | None, list[ProvedEvent]]:
    """Events of each partida or case, by its number."""
    found: dict[str, list[ProvedEvent]] = {}
    for one in events:
        found.setdefault(one.stream, []).append(one)
    return {
        _int_or_none(_fact(one[0]).get("number")): one
        for one in found.values()
        if kind_of(one[0]) == first
    }


def _streams_left_out(
    own: Sequence[ProvedEvent],
    kind: str,
    field: str,
    there: Mapping[int | None, Sequence[ProvedEvent]],
    what: str,
) -> Iterator[MissingPart]:
    """Partidas that were started, and cases that were followed, of which nothing is there."""
    seen: set[int | None] = set()
    for one in own:
        number = _int_or_none(_fact(one).get(field))
        if kind_of(one) == kind and number not in there and number not in seen:
            seen.add(number)
            yield MissingPart(what, one.index, one.stream, one.version, number)


def _causes_left_out(
    events: Sequence[ProvedEvent], own: Sequence[ProvedEvent]
) -> Iterator[MissingPart]:
    """What was followed without its cause, which was recorded directly before it."""
    indices = {one.index for one in events}
    for one in own:
        if kind_of(one) in _FOLLOWED and one.index - 1 not in indices:
            number = _int_or_none(_fact(one).get("partida"))
            yield MissingPart("cause_left_out", one.index, one.stream, one.version, number)


def _outcome_left_out(
    number: int | None, events: Sequence[ProvedEvent], own: Sequence[ProvedEvent]
) -> Iterator[MissingPart]:
    """An outcome of a partida that its encuentro has not followed."""
    won: tuple[object, object] = ("", "undecided")
    at: ProvedEvent | None = None
    for one in events:
        fact = _fact(one)
        if kind_of(one) == "PartidaWon":
            won, at = (fact.get("winner"), fact.get("how")), one
        elif kind_of(one) == "ConclusionRevised" and _kind_revised(fact) == "partida_won":
            won, at = ("", "undecided"), one
    followed = [
        one
        for one in own
        if kind_of(one) == "OutcomeFollowed" and _int_or_none(_fact(one).get("partida")) == number
    ]
    fact = _fact(followed[-1]) if followed else {"winner": "", "how": "undecided"}
    is_behind = at is not None and (not followed or followed[-1].index < at.index)
    if at is not None and is_behind and (fact.get("winner"), fact.get("how")) != won:
        yield MissingPart("outcome_left_out", at.index, at.stream, at.version, number)


def _kind_revised(fact: Mapping[str, Any]) -> object:
    revised = fact.get("revised")
    return revised.get("kind") if isinstance(revised, dict) else None


def _lines_left_out(
    case: Sequence[ProvedEvent], partidas: Mapping[int | None, Sequence[ProvedEvent]]
) -> Iterator[MissingPart]:
    """A case that tells of lines that its partida has not."""
    number = _int_or_none(_fact(case[0]).get("partida"))
    if number not in partidas:
        return
    last = max(_int_or_none(one.state.get("line")) or 0 for one in partidas[number])
    for one in case:
        fact = _fact(one)
        acts = fact.get("acts")
        named = [fact.get("seen"), fact.get("act"), *(acts if isinstance(acts, list) else [])]
        if any((_int_or_none(line) or 0) > last for line in named):
            yield MissingPart("lines_left_out", one.index, one.stream, one.version, number)
            return


def _end_unknown(
    proof: Proof, own: Sequence[ProvedEvent], resguardos: Sequence[Resguardo]
) -> Iterator[MissingPart]:
    """Whether more was recorded after the last event: unknown unless it is the signature.

    A resguardo that is not older than the proof, and counts the same events, says that none was.
    """
    ends = [kind_of(one) for one in own if kind_of(one) in _OF_THE_END]
    if ends[-1:] == [_OFFICIAL]:
        return
    size = read_checkpoint(proof.checkpoint).size
    head = root_over([leaf_of_event(one) for one in proof.events])
    if any(read_checkpoint(one.note).size >= size and one.head == head for one in resguardos):
        return
    last = own[-1]
    yield MissingPart("end_unknown", last.index, last.stream, last.version)
