"""The state of what a club publishes: who agreed to which name, joints, months, the last issue."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias, assert_never

import msgspec
import rfc8785
from msgspec.structs import replace

from referee.errors import Refused
from referee.events import PersonId, TextId
from referee.events.rankings import (
    JointId,
    JointOffered,
    Month,
    MonthStated,
    NameAgreed,
    NameWithdrawn,
    PersonAddressRenewed,
    PersonJoined,
    PersonParted,
    PublicationAct,
    PublicId,
    Publishing,
    PublishingChosen,
    ResultsIssued,
    StatedJoint,
    StatedPerson,
    StatedResult,
)


class PublicationRule(StrEnum):
    """Why something cannot be recorded of what a club publishes."""

    PUBLISHING_SAME = "publishing-same"
    NOT_PUBLISHED = "not-published"
    NOT_AGREED = "not-agreed"
    NAME_SAME = "name-same"
    PERSON_UNNAMED = "person-unnamed"
    MONTH_SAME = "month-same"
    ISSUE_OTHERWISE = "issue-otherwise"
    JOINTS_MANY = "joints-many"
    JOINT_KNOWN = "joint-known"
    JOINT_UNKNOWN = "joint-unknown"
    JOINT_OWN = "joint-own"
    CODE_BROKEN = "code-broken"


class AgreedName(msgspec.Struct, frozen=True):
    """What a person agreed to. ``offered``: joints that they asked a code for."""

    name: TextId
    public: PublicId
    joints: tuple[StatedJoint, ...] = ()
    offered: tuple[JointId, ...] = ()


class Publication(msgspec.Struct, frozen=True):
    """What a club publishes, folded from its log; ``version`` counts its acts.

    ``texts``: every name that each person ever agreed to. ``renewals``: of their addresses.
    ``months``: results as they were stated last. ``nonces``: of the last two issues.
    """

    choice: Publishing = "closed"
    agreed: Mapping[PersonId, AgreedName] = {}
    texts: Mapping[PersonId, tuple[TextId, ...]] = {}
    renewals: Mapping[PersonId, int] = {}
    months: Mapping[Month, tuple[StatedResult, ...]] = {}
    issued: ResultsIssued | None = None
    nonces: tuple[TextId, ...] = ()
    version: int = 0

    @property
    def is_club_publishing(self) -> bool:
        """Whether the club publishes its results."""
        return self.choice == "published"

    def every_name_id_of_persons(self, persons: Iterable[PersonId]) -> tuple[TextId, ...]:
        """Ids of the texts of every name that some persons ever agreed to."""
        return tuple(text for one in persons for text in self.texts.get(one, ()))

    def people_who_agreed(self) -> tuple[StatedPerson, ...]:
        """Everybody who agreed, by public id."""
        found = (StatedPerson(one.public, one.joints) for one in self.agreed.values())
        return tuple(sorted(found, key=lambda one: one.person))

    def month_digests(self) -> dict[Month, str]:
        """A digest of each month that has a result."""
        return {
            month: digest_of_month(month, results)
            for month, results in sorted(self.months.items())
            if results
        }

    def is_unchanged_since_issue(self) -> bool:
        """Whether nothing has changed since the last issue, but for names."""
        issued = self.issued
        stands = (self.people_who_agreed(), self.month_digests())
        return issued is not None and (issued.people, issued.months) == stands


INITIAL: Final = Publication()


def digest_of_month(month: Month, results: Iterable[StatedResult]) -> str:
    """SHA-256 of the canonical JSON of a month and its results.

    >>> digest_of_month("2026-11", [StatedResult("2026-11-21", "club", (("a",), ("b",)), 1)])[:16]
    '1e504ffa11ff9e54'
    """
    rows = [[one.date, one.profile, [*map(list, one.sides)], one.winner] for one in results]
    return hashlib.sha256(rfc8785.dumps([month, rows])).hexdigest()  # type: ignore[list-item]  # rows are JSON


JointAct: TypeAlias = JointOffered | PersonJoined | PersonParted


def evolve(state: Publication, event: PublicationAct) -> Publication:  # noqa: PLR0911 - a case an event
    """What a club publishes after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case PublishingChosen(choice):
            return replace(state, choice=choice)
        case NameAgreed():
            return _with_name(state, event)
        case NameWithdrawn(person):
            left = {one: agreed for one, agreed in state.agreed.items() if one != person}
            return replace(state, agreed=left)
        case JointOffered() | PersonJoined() | PersonParted():
            return _with_joint_change(state, event)
        case PersonAddressRenewed(person):
            renewals = {**state.renewals, person: state.renewals.get(person, 0) + 1}
            return replace(state, renewals=renewals)
        case MonthStated(month, results):
            return replace(state, months={**state.months, month: results})
        case ResultsIssued():
            before = () if state.issued is None else (state.issued.nonce,)
            return replace(state, issued=event, nonces=(*before, event.nonce))
        case _:
            assert_never(event)


def _with_name(state: Publication, event: NameAgreed) -> Publication:
    """The publication with a person under a name; joints that they have already are kept."""
    before = state.agreed.get(event.person)
    now = AgreedName(event.name, event.public)
    if before is not None:
        now = replace(before, name=event.name, public=event.public)
    texts = (*state.texts.get(event.person, ()), event.name)
    return replace(
        state,
        agreed={**state.agreed, event.person: now},
        texts={**state.texts, event.person: texts},
    )


def _with_joint_change(state: Publication, event: JointAct) -> Publication:
    """The publication with an offer or a joint of a person added or removed."""
    before = state.agreed.get(event.person)
    if before is None:
        return state
    offered = tuple(one for one in before.offered if one != event.joint)
    joints = tuple(one for one in before.joints if one.joint != event.joint)
    if isinstance(event, JointOffered):
        offered = (*offered, event.joint)
    elif isinstance(event, PersonJoined):
        joints = (*joints, StatedJoint(event.joint, event.key, event.other))
    now = replace(before, joints=joints, offered=offered)
    return replace(state, agreed={**state.agreed, event.person: now})


ID_BYTES: Final = 16


def fingerprint_of_club_key(key: str) -> str:
    """Fingerprint of the public key of a club: 128 bits of its SHA-256, in hex.

    >>> fingerprint_of_club_key("club.example/mesas+9f86d081+AQAB")
    '956bcf308d9c45b216441911b1a5d030'
    """
    return hashlib.sha256(key.strip().encode()).hexdigest()[: 2 * ID_BYTES]


class JointCode(NamedTuple):
    """What a code says: the joint, the fingerprint of a club, a person of it by public id."""

    joint: JointId
    key: str
    person: PublicId

    @property
    def text(self) -> str:
        """The code as it is copied: 64 characters.

        >>> JointCode("00" * 16, "00" * 16, "00" * 16).text
        'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
        """
        return urlsafe_b64encode(bytes.fromhex("".join(self))).decode()


def read_joint_code(text: str) -> JointCode:
    """The parts of a code.

    :raises Refused: it is none
    """
    try:
        whole = urlsafe_b64decode("".join(text.split()))
    except ValueError:
        whole = b""
    if len(whole) != 3 * ID_BYTES:
        raise Refused(PublicationRule.CODE_BROKEN)
    parts = (whole[at : at + ID_BYTES].hex() for at in range(0, len(whole), ID_BYTES))
    return JointCode(*parts)


MOST_JOINTS: Final = 8
"""Joints and offers of one person."""


def decide(act: PublicationAct, state: Publication) -> tuple[PublicationAct, ...]:  # noqa: C901 - a case an act
    """The act that was asked to be recorded.

    :raises Refused: it cannot be so
    """
    match act:
        case PublishingChosen(choice):
            if choice == state.choice:
                raise Refused(PublicationRule.PUBLISHING_SAME)
        case NameAgreed():
            return (_act_with_known_public_id(act, state),)
        case NameWithdrawn(person):
            _require_agreed_name(person, state)
        case JointOffered():
            _refuse_if_joints_full(_require_agreed_name(act.person, state))
            _refuse_known_joint(act.joint, "", state)
        case PersonJoined():
            _refuse_joint(act, state)
        case PersonParted(person, joint):
            known = _require_agreed_name(person, state)
            if joint not in {*known.offered, *(one.joint for one in known.joints)}:
                raise Refused(PublicationRule.JOINT_UNKNOWN)
        case MonthStated():
            _refuse_month_statement(act, state)
        case ResultsIssued():
            _refuse_issue(act, state)
    return (act,)


def _require_agreed_name(person: PersonId, state: Publication) -> AgreedName:
    found = state.agreed.get(person)
    if found is None:
        raise Refused(PublicationRule.NOT_AGREED)
    return found


def _act_with_known_public_id(act: NameAgreed, state: Publication) -> NameAgreed:
    """The act with the public id that the person may have already; refuses the same name again."""
    before = state.agreed.get(act.person)
    if before is None:
        return act
    if before.name == act.name:
        raise Refused(PublicationRule.NAME_SAME)
    return replace(act, public=before.public)


def _refuse_if_joints_full(known: AgreedName) -> None:
    if len(known.joints) + len(known.offered) >= MOST_JOINTS:
        raise Refused(PublicationRule.JOINTS_MANY, most=MOST_JOINTS)


def _refuse_known_joint(joint: str, mine: PersonId, state: Publication) -> None:
    """Refuse a joint that is in use or on offer; the offer of ``mine`` is there to be used."""
    for person, one in state.agreed.items():
        offered = () if person == mine else one.offered
        if joint in {*offered, *(each.joint for each in one.joints)}:
            raise Refused(PublicationRule.JOINT_KNOWN)


def _refuse_joint(act: PersonJoined, state: Publication) -> None:
    known = _require_agreed_name(act.person, state)
    if act.joint not in known.offered:
        _refuse_if_joints_full(known)
    _refuse_known_joint(act.joint, act.person, state)
    if any((one.key, one.other) == (act.key, act.other) for one in known.joints):
        raise Refused(PublicationRule.JOINT_KNOWN)


def _refuse_month_statement(act: MonthStated, state: Publication) -> None:
    if not state.is_club_publishing:
        raise Refused(PublicationRule.NOT_PUBLISHED)
    named = {one.public for one in state.agreed.values()}
    stated = {who for one in act.results for side in one.sides for who in side if who}
    if not stated <= named:
        raise Refused(PublicationRule.PERSON_UNNAMED)
    if state.months.get(act.month, ()) == act.results:
        raise Refused(PublicationRule.MONTH_SAME)


def _refuse_issue(act: ResultsIssued, state: Publication) -> None:
    """Refuse an issue that differs from what the club publishes now."""
    if not state.is_club_publishing:
        raise Refused(PublicationRule.NOT_PUBLISHED)
    named = {one.public for one in state.agreed.values()}
    stated = {
        who
        for results in state.months.values()
        for one in results
        for side in one.sides
        for who in side
        if who
    }
    is_own = (act.people, act.months) == (state.people_who_agreed(), state.month_digests())
    if not is_own or not stated <= named or len(act.digests) != 1 + len(act.people):
        raise Refused(PublicationRule.ISSUE_OTHERWISE)
