"""How a publication changes by each event. Nothing is refused here: ``decide`` checks rules."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from referee.aggregates.publication.state import AgreedName, Publication
from referee.events.publication import (
    JointOffered,
    MonthStated,
    NameAgreed,
    NameWithdrawn,
    PersonAddressRenewed,
    PersonJoined,
    PersonParted,
    PublicationAct,
    PublishingChosen,
    ResultsIssued,
    StatedJoint,
)

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
            return _with_joint(state, event)
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
    """A person with a name; who has one keeps their joints."""
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


def _with_joint(state: Publication, event: JointAct) -> Publication:
    """A person with one offer or joint more, or without one."""
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
