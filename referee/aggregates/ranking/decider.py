"""A ranking between clubs as a decider: what is impossible is refused, with the fact against it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.aggregates.publication.state import digest_of_month
from referee.aggregates.ranking.rules import RankingRule
from referee.aggregates.ranking.state import RankedClub, Ranking
from referee.errors import Refused
from referee.events.ranking import (
    ClubAddressGiven,
    ClubAdmitted,
    ClubDropped,
    PublicationTaken,
    RankedClubId,
    RankingAct,
    RankingOpened,
)

MOST_CLUBS: Final = 500


def decide(act: RankingAct, state: Ranking) -> tuple[RankingAct, ...]:
    """The act that was asked to be recorded, with its number.

    :raises Refused: it cannot be so
    """
    match act:
        case RankingOpened():
            if state.opened is not None:
                raise Refused(RankingRule.RANKING_OPEN)
        case ClubAdmitted():
            return (_club(act, state),)
        case ClubAddressGiven(club) | ClubDropped(club):
            find_club(club, state)
        case PublicationTaken():
            _refuse_publication(act, find_club(act.club, state), state)
    return (act,)


def find_club(club: RankedClubId, state: Ranking) -> RankedClub:
    """A club that takes part.

    :raises Refused: none of this number does
    """
    found = state.clubs.get(club)
    if found is None or found.is_dropped:
        raise Refused(RankingRule.RANKED_CLUB_UNKNOWN, club=club)
    return found


def _club(act: ClubAdmitted, state: Ranking) -> ClubAdmitted:
    """A club with its number."""
    if any(one.key == act.key for one in state.counting):
        raise Refused(RankingRule.RANKED_KEY_KNOWN)
    if len(state.clubs) >= MOST_CLUBS:
        raise Refused(RankingRule.RANKED_CLUBS_MANY, most=MOST_CLUBS)
    return replace(act, club=str(len(state.clubs) + 1))


def _refuse_publication(act: PublicationTaken, club: RankedClub, state: Ranking) -> None:
    """Refuse what the club published before, and months that are not as the club signed them.

    A club that was dropped and comes back has no older publication than before either: names may
    have been taken back since.
    """
    if club.taken is not None and act.index == club.taken.index:
        raise Refused(RankingRule.PUBLICATION_SAME)
    if act.index < state.latest.get(club.key, act.index):
        raise Refused(RankingRule.PUBLICATION_OLDER)
    known = {**club.months, **act.months}
    for month, digest in act.digests.items():
        if digest_of_month(month, known.get(month, ())) != digest:
            raise Refused(RankingRule.PUBLICATION_BROKEN, field=f"months.{month}")
    if not act.months.keys() <= act.digests.keys():
        raise Refused(RankingRule.PUBLICATION_BROKEN, field="months")
