"""What a club publishes as a decider: what is impossible is refused, with the fact against it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.aggregates.publication.rules import PublicationRule
from referee.aggregates.publication.state import AgreedName, Publication
from referee.errors import Refused
from referee.events import PersonId
from referee.events.publication import (
    JointOffered,
    MonthStated,
    NameAgreed,
    NameWithdrawn,
    PersonJoined,
    PersonParted,
    PublicationAct,
    PublishingChosen,
    ResultsIssued,
)

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
            return (_name(act, state),)
        case NameWithdrawn(person):
            _consent(person, state)
        case JointOffered():
            _refuse_many(_consent(act.person, state))
            _refuse_known(act.joint, "", state)
        case PersonJoined():
            _refuse_joint(act, state)
        case PersonParted(person, joint):
            known = _consent(person, state)
            if joint not in {*known.offered, *(one.joint for one in known.joints)}:
                raise Refused(PublicationRule.JOINT_UNKNOWN)
        case MonthStated():
            _refuse_month(act, state)
        case ResultsIssued():
            _refuse_issue(act, state)
    return (act,)


def _consent(person: PersonId, state: Publication) -> AgreedName:
    found = state.agreed.get(person)
    if found is None:
        raise Refused(PublicationRule.NOT_AGREED)
    return found


def _name(act: NameAgreed, state: Publication) -> NameAgreed:
    """A name, under the public id that the person has already if they have one."""
    before = state.agreed.get(act.person)
    if before is None:
        return act
    if before.name == act.name:
        raise Refused(PublicationRule.NAME_SAME)
    return replace(act, public=before.public)


def _refuse_many(known: AgreedName) -> None:
    if len(known.joints) + len(known.offered) >= MOST_JOINTS:
        raise Refused(PublicationRule.JOINTS_MANY, most=MOST_JOINTS)


def _refuse_known(joint: str, mine: PersonId, state: Publication) -> None:
    """Refuse a joint that somebody has; an offer of ``mine`` is there to be used."""
    for person, one in state.agreed.items():
        offered = () if person == mine else one.offered
        if joint in {*offered, *(each.joint for each in one.joints)}:
            raise Refused(PublicationRule.JOINT_KNOWN)


def _refuse_joint(act: PersonJoined, state: Publication) -> None:
    known = _consent(act.person, state)
    if act.joint not in known.offered:
        _refuse_many(known)
    _refuse_known(act.joint, act.person, state)
    if any((one.key, one.other) == (act.key, act.other) for one in known.joints):
        raise Refused(PublicationRule.JOINT_KNOWN)


def _refuse_month(act: MonthStated, state: Publication) -> None:
    if not state.is_published:
        raise Refused(PublicationRule.NOT_PUBLISHED)
    named = {one.public for one in state.agreed.values()}
    stated = {who for one in act.results for side in one.sides for who in side if who}
    if not stated <= named:
        raise Refused(PublicationRule.PERSON_UNNAMED)
    if state.months.get(act.month, ()) == act.results:
        raise Refused(PublicationRule.MONTH_SAME)


def _refuse_issue(act: ResultsIssued, state: Publication) -> None:
    """Refuse an issue of something else than what the club publishes."""
    if not state.is_published:
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
    is_own = (act.people, act.months) == (state.people(), state.month_digests())
    if not is_own or not stated <= named or len(act.digests) != 1 + len(act.people):
        raise Refused(PublicationRule.ISSUE_OTHERWISE)
