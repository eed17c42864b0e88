"""Signed results: what a club publishes for rankings, as anybody reads and checks it.

The log of the club has an event with the people, a digest of each name and one of each month. The
file has names, results, that event, its path to a signed checkpoint and the key, so it needs no
other proof. The form is that of ``docs/law/rankings.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, date, datetime, timedelta
from typing import Final, Literal, NamedTuple

import msgspec

from referee.aggregates.publication import digest_of_month, fingerprint_of_club_key
from referee.audit.checkpoint import LogKey
from referee.audit.house_files import (
    BrokenFile,
    decode_proved_event,
    digests_of_facts,
    parse_file_into_type,
    verify_event_under_checkpoint,
)
from referee.audit.proofs import ProvedEvent
from referee.events.rankings import (
    Month,
    PublicId,
    ResultsIssued,
    StatedJoint,
    StatedPerson,
    StatedResult,
)
from referee.kinds import PUBLICATION_ID

FORMAT: Final = "guinote-results/1"
LONGEST_NAME: Final = 200
_MONTHS_BACK: Final = 12
_ZONES: Final = timedelta(days=1)
"""How far the day of a club may be from that of universal time."""


class PublishedPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person who agreed to a name, and who they are in other clubs."""

    person: PublicId
    name: str
    joints: tuple[StatedJoint, ...] = ()

    @property
    def person_without_name(self) -> StatedPerson:
        """This person as the log states them, without the name."""
        return StatedPerson(self.person, self.joints)


class SignedResults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a file with signed results; ``house``: name of the club."""

    format: Literal["guinote-results/1"]
    house: str
    nonce: str
    people: tuple[PublishedPerson, ...]
    months: Mapping[Month, tuple[StatedResult, ...]]
    key: str
    checkpoint: str
    event: ProvedEvent

    @property
    def digests(self) -> tuple[str, ...]:
        """A digest of the name of the club, then of each name."""
        names = [(one.person, one.name) for one in self.people]
        return digests_of_names(self.house, names, self.nonce)


class CheckedResults(NamedTuple):
    """Results whose proof holds, the key that signed them, what the log has of them, and when."""

    signed: SignedResults
    key: LogKey
    issued: ResultsIssued
    at: datetime


def digests_of_names(
    house: str, names: Sequence[tuple[PublicId, str]], nonce: str
) -> tuple[str, ...]:
    """Digests of the name of a club, then of the name of each person."""
    return digests_of_facts([["house", house], *(["person", *one] for one in names)], nonce)


def read_signed_results(text: bytes) -> CheckedResults:
    """The signed results in a file, after their proof was verified.

    :raises BrokenFile: it holds none, or it was changed since it was signed
    """
    signed = parse_file_into_type(text, SignedResults)
    key = verify_event_under_checkpoint(signed.key, signed.checkpoint, signed.event)
    issued = _decode_results_event(signed.event)
    _refuse_changed_names(signed, issued)
    people = [one.person_without_name for one in signed.people]
    at = _check_against_issued_digests(key, signed.event, issued, people, signed.months)
    return CheckedResults(signed, key, issued, at)


def check_stored_publication(
    key: str,
    checkpoint: str,
    event: str,
    people: Sequence[StatedPerson],
    months: Mapping[Month, Sequence[StatedResult]],
) -> None:
    """Raise an error unless a stored publication is what its club signed; names may be erased.

    ``event``: as JSON text.

    :raises BrokenFile: it is not what the key signed
    """
    try:
        proved = parse_file_into_type(event.encode(), ProvedEvent)
    except BrokenFile:
        raise BrokenFile("event") from None
    signer = verify_event_under_checkpoint(key, checkpoint, proved)
    issued = _decode_results_event(proved)
    _refuse_changed_people(people, issued)
    _check_against_issued_digests(signer, proved, issued, people, months)


def _check_against_issued_digests(
    key: LogKey,
    event: ProvedEvent,
    issued: ResultsIssued,
    people: Sequence[StatedPerson],
    months: Mapping[Month, Sequence[StatedResult]],
) -> datetime:
    """Check persons and results by month against the issued digests; returns when they were issued.

    :raises BrokenFile: they cannot be so, or are not as they were issued
    """
    at = _moment_of(event)
    _refuse_joint_in_own_club(people, fingerprint_of_club_key(key.text))
    if months.keys() != issued.months.keys():
        raise BrokenFile("months")
    named = {one.person for one in people}
    for month, results in months.items():
        if digest_of_month(month, results) != issued.months[month]:
            raise BrokenFile(f"months.{month}")
        _refuse_impossible_results(month, results, named, at)
    return at


def _decode_results_event(event: ProvedEvent) -> ResultsIssued:
    """The event by which a club issued its results; an error if it is another event."""
    try:
        fact = decode_proved_event(event)
    except Exception:  # noqa: BLE001 - whatever a foreign log may hold
        raise BrokenFile("event") from None
    if event.stream != PUBLICATION_ID.hex or not isinstance(fact, ResultsIssued):
        raise BrokenFile("event")
    return fact


def _moment_of(event: ProvedEvent) -> datetime:
    """When a publication went out, as its log says."""
    try:
        at = datetime.fromisoformat(event.state["at"])
    except ValueError:
        raise BrokenFile("event.state.at") from None
    if at.tzinfo is None or at.year == MAXYEAR:
        raise BrokenFile("event.state.at")
    return at


def _refuse_changed_names(signed: SignedResults, issued: ResultsIssued) -> None:
    digests, people = signed.digests, [one.person_without_name for one in signed.people]
    if len(digests) != len(issued.digests):
        raise BrokenFile("people")
    if digests[0] != issued.digests[0]:
        raise BrokenFile("house")
    _refuse_changed_people(people, issued)
    names = zip(signed.people, digests[1:], issued.digests[1:], strict=True)
    for line, (one, digest, known) in enumerate(names):
        if digest != known or not 0 < len(one.name) <= LONGEST_NAME:
            raise BrokenFile(f"people[{line}]")


def _refuse_changed_people(people: Sequence[StatedPerson], issued: ResultsIssued) -> None:
    if len(people) != len(issued.people):
        raise BrokenFile("people")
    for line, (one, known) in enumerate(zip(people, issued.people, strict=True)):
        if one != known:
            raise BrokenFile(f"people[{line}]")


def _refuse_joint_in_own_club(people: Sequence[StatedPerson], own: str) -> None:
    """Refuse persons joined to somebody of the same club, whose fingerprint is ``own``."""
    for line, one in enumerate(people):
        for at, joint in enumerate(one.joints):
            if joint.key == own:
                raise BrokenFile(f"people[{line}].joints[{at}]")


def _refuse_impossible_results(
    month: Month, results: Sequence[StatedResult], named: set[PublicId], at: datetime
) -> None:
    """Refuse results of another month, of fewer than two sides, or of persons who are not named."""
    for line, one in enumerate(results):
        stated = {who for side in one.sides for who in side if who}
        is_dated = one.date.startswith(f"{month}-") and _is_recent_day(one.date, at)
        is_sound = is_dated and len(one.sides) > 1 and all(one.sides)
        if not is_sound or not stated <= named or not 0 <= one.winner <= len(one.sides):
            raise BrokenFile(f"months.{month}[{line}]")


def _is_recent_day(text: str, at: datetime) -> bool:
    """Whether a text is a day of the twelve months that end at a moment."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    first = 12 * at.year + at.month - _MONTHS_BACK
    is_late_enough = 12 * day.year + day.month >= first
    return text == day.isoformat() and is_late_enough and day <= (at + _ZONES).date()
