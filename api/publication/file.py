"""The publication of the club as a file that anybody can check."""

from __future__ import annotations

from typing import Literal

import msgspec

from api.audit.rest import ProvedEventData
from api.http.services import current_services
from api.publication.issue import has_names_of_last_issue, house_name, public_ids_with_names
from referee.aggregates.publication import Publication, PublicationRule
from referee.audit.house_files import require_last_event_of_kind
from referee.audit.proofs import NotSigned
from referee.audit.result_files import FORMAT
from referee.errors import Refused
from referee.events.rankings import ResultsIssued, StatedJoint, StatedResult
from referee.kinds import PUBLICATION_ID


class JointData(msgspec.Struct, frozen=True):
    """Who a person is in another club, by the fingerprint of its key and their public id there."""

    joint: str
    key: str
    other: str


class PublishedPersonData(msgspec.Struct, frozen=True):
    """A person who agreed to a name, and who they are in other clubs."""

    person: str
    name: str
    joints: list[JointData]


class StatedResultData(msgspec.Struct, frozen=True):
    """A confirmed result; an empty id stands for somebody without a name."""

    date: str
    profile: str
    sides: list[list[str]]
    winner: int


class SignedResultsData(msgspec.Struct, frozen=True):
    """Signed results, as the page on rankings describes them."""

    format: Literal["guinote-results/1"]
    house: str
    nonce: str
    people: list[PublishedPersonData]
    months: dict[str, list[StatedResultData]]
    key: str
    checkpoint: str
    event: ProvedEventData


def require_results_file() -> SignedResultsData:
    """The last issue of the publication as a signed file, with a proof under the latest checkpoint.

    :raises NotSigned: it is not signed yet
    :raises Refused: the club publishes nothing, or something else by now
    """
    here = current_services()
    state = here.referee.publication.publication()
    if not state.is_club_publishing or state.issued is None:
        raise Refused(PublicationRule.NOT_PUBLISHED)
    if not state.is_unchanged_since_issue() or not has_names_of_last_issue(here, state):
        raise Refused(PublicationRule.ISSUE_OTHERWISE)
    proof = here.auditor.prove_encuentro(PUBLICATION_ID)
    event, issued = require_last_event_of_kind(proof, "ResultsIssued", ResultsIssued)
    if issued != state.issued:
        raise NotSigned(str(PUBLICATION_ID))
    joints = {one.person: one.joints for one in issued.people}
    return SignedResultsData(
        format=FORMAT,
        house=house_name(here),
        nonce=here.persons.text_by_id(issued.nonce) or "",
        people=[
            PublishedPersonData(person=who, name=name, joints=joints_data(joints[who]))
            for who, name in public_ids_with_names(here, state)
        ],
        months=months_data(state),
        key=proof.key,
        checkpoint=proof.checkpoint,
        event=msgspec.convert(msgspec.to_builtins(event), ProvedEventData),
    )


def results_file_or_none() -> SignedResultsData | None:
    """The last issue of the publication as a signed file.

    None if it is not signed, or not current.
    """
    try:
        return require_results_file()
    except (NotSigned, Refused):
        return None


def joints_data(joints: tuple[StatedJoint, ...]) -> list[JointData]:
    """Who a person is in other clubs, in the form of the file."""
    return [JointData(joint=one.joint, key=one.key, other=one.other) for one in joints]


def results_data(results: tuple[StatedResult, ...]) -> list[StatedResultData]:
    """Results in the form of the file."""
    return [
        StatedResultData(
            date=one.date,
            profile=one.profile,
            sides=[list(side) for side in one.sides],
            winner=one.winner,
        )
        for one in results
    ]


def months_data(state: Publication) -> dict[str, list[StatedResultData]]:
    """Results by month in the form of the file; months without any are left out."""
    return {month: results_data(found) for month, found in sorted(state.months.items()) if found}
