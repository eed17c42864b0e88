"""Events of what a club publishes: names that people agreed to, joints, results, the issues."""

from __future__ import annotations

from typing import Literal, TypeAlias

from referee.events.base import Act, Fact, PersonId, TextId

Publishing: TypeAlias = Literal["published", "closed"]
"""Whether a club publishes its results for rankings between clubs."""
PublicId: TypeAlias = str
"""A person as the publications of one club know them: 128 random bits in hex; empty: unnamed."""
JointId: TypeAlias = str
"""What joins a person of two clubs: 128 random bits in hex, the same in both."""
Month: TypeAlias = str
"""A month, as ``2026-11``."""


class PublishingChosen(Act, frozen=True, tag="publishing"):
    """The club chose whether it publishes its results for rankings between clubs."""

    choice: Publishing


class NameAgreed(Act, frozen=True, tag="name_agree"):
    """A person agrees to be published under a name; agreed again, under another one."""

    person: PersonId
    name: TextId
    public: PublicId


class NameWithdrawn(Act, frozen=True, tag="name_withdraw"):
    """A person is published no more, and joined to nobody."""

    person: PersonId


class JointOffered(Act, frozen=True, tag="joint_offer"):
    """A person asked for a code by which they can say, in another club, who they are here."""

    person: PersonId
    joint: JointId


class PersonJoined(Act, frozen=True, tag="person_join"):
    """A person says who they are in another club. ``key``: fingerprint of the key of that club."""

    person: PersonId
    joint: JointId
    key: str
    other: PublicId


class PersonParted(Act, frozen=True, tag="person_part"):
    """A person undoes what joined them, or an offer of it."""

    person: PersonId
    joint: JointId


class PersonAddressRenewed(Act, frozen=True, tag="person_address"):
    """The address at which a person speaks for themselves is another one from now on."""

    person: PersonId


class StatedResult(Fact, frozen=True):
    """A confirmed result. ``sides``: public ids, an empty one for each person without a name.

    ``winner``: number of the side that won, from 1; 0: level.
    """

    date: str
    profile: str
    sides: tuple[tuple[PublicId, ...], ...]
    winner: int = 0


class StatedJoint(Fact, frozen=True):
    """Who a person is in another club, by the fingerprint of its key and their public id there."""

    joint: JointId
    key: str
    other: PublicId


class StatedPerson(Fact, frozen=True):
    """A person who is published, and who they are in other clubs."""

    person: PublicId
    joints: tuple[StatedJoint, ...] = ()


class MonthStated(Act, frozen=True, tag="month_state"):
    """All results of a month that are published; stated again, all of them as they are now."""

    month: Month
    results: tuple[StatedResult, ...] = ()


class ResultsIssued(Act, frozen=True, tag="results_issue"):
    """A publication went out: the next checkpoint signs it.

    ``digests``: of the name of the club and of each name, with the nonce. ``months``: a digest of
    the results of each month.
    """

    people: tuple[StatedPerson, ...]
    digests: tuple[str, ...]
    months: dict[Month, str]
    nonce: TextId


PublicationAct: TypeAlias = (
    PublishingChosen
    | NameAgreed
    | NameWithdrawn
    | JointOffered
    | PersonJoined
    | PersonParted
    | PersonAddressRenewed
    | MonthStated
    | ResultsIssued
)


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
