"""Events of a ranking between clubs: whose publications it takes, and what was in them."""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, Fact, TextId
from referee.events.publication import Month, PublicId, StatedJoint, StatedResult

RankedClubId: TypeAlias = str
"""Number of a club in a ranking, from 1, in the order in which they were admitted."""


class RankingOpened(Act, frozen=True, tag="ranking_open"):
    """A ranking of several clubs begins."""

    name: TextId
    contact: TextId = ""


class ClubAdmitted(Act, frozen=True, tag="club_admit"):
    """A club takes part. ``key``: of its notary, which the organiser compared with its poster.

    ``address``: where its publication is; empty if it comes as a file. ``club``: the next number.
    """

    name: TextId
    key: str
    address: TextId = ""
    club: RankedClubId = ""


class TakenPerson(Fact, frozen=True):
    """A person of a publication, with their name as a text of this house."""

    person: PublicId
    name: TextId
    joints: tuple[StatedJoint, ...] = ()


class ClubAddressGiven(Act, frozen=True, tag="club_address"):
    """Where the publication of a club is from now on; empty: it comes as a file."""

    club: RankedClubId
    address: TextId = ""


class ClubDropped(Act, frozen=True, tag="club_drop"):
    """A club takes part no more, and its results do not count.

    ``erased``: persons of it who were erased in this house, and stay so if it comes back.
    """

    club: RankedClubId
    erased: tuple[TakenPerson, ...] = ()


class PublicationTaken(Act, frozen=True, tag="publication_take"):
    """What a club publishes, checked. A later publication takes its place.

    ``index``: where the log of the club has it. ``months``: those that are not as before.
    ``digests``: of every month. ``checkpoint``, ``event``: the proof, as the file had it.
    ``erased``: as of a club that is dropped, of persons who are not in this publication.
    """

    club: RankedClubId
    index: int
    house: TextId
    nonce: TextId
    people: tuple[TakenPerson, ...]
    months: dict[Month, tuple[StatedResult, ...]]
    digests: dict[Month, str]
    checkpoint: str
    event: str
    erased: tuple[TakenPerson, ...] = ()


RankingAct: TypeAlias = (
    RankingOpened | ClubAdmitted | ClubAddressGiven | ClubDropped | PublicationTaken
)
