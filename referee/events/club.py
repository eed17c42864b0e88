"""Events about the players of a club: persons, duplicates that were merged, pairs.

Persons are random ids. Their names, nicknames and clubs, and the names of pairs, are texts of the
erasable store.
"""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, PersonId, TextId

PairId: TypeAlias = str


class PlayerListed(Act, frozen=True, tag="player"):
    """A person is a player of the club; listed again, with their current data."""

    person: PersonId
    nickname: TextId = ""
    club: TextId = ""


class PlayersMerged(Act, frozen=True, tag="merge"):
    """Two listed persons are one: whatever ``gone`` did, ``kept`` did."""

    kept: PersonId
    gone: PersonId


class PairNamed(Act, frozen=True, tag="pair_name"):
    """Two players are a pair with a name; named again, with another one.

    ``players``: two of them, in no order.
    """

    pair: PairId
    players: tuple[PersonId, ...]
    name: TextId = ""


ClubAct: TypeAlias = PlayerListed | PlayersMerged | PairNamed
