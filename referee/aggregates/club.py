"""The club as a decider: its players, which of them are one person, its pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.errors import Refused
from referee.rules.articles import Rule

PARTNERS: Final = 2


class Listed(NamedTuple):
    """Current data of a player. ``texts``: every text ever recorded about them."""

    nickname: ev.TextId
    club: ev.TextId
    texts: tuple[ev.TextId, ...] = ()


class PairOf(NamedTuple):
    """A pair as it was named last. ``texts``: every name that it ever had."""

    players: frozenset[ev.PersonId]
    name: ev.TextId
    texts: tuple[ev.TextId, ...] = ()


class NotedPhone(NamedTuple):
    """A telephone that the organisers keep: the text that it is, the day, and the season."""

    phone: ev.TextId
    date: str
    season: str


class Club(msgspec.Struct, frozen=True):
    """Players, merges (from who is gone to who was kept), pairs. ``version`` counts the acts.

    ``retired``: who plays no more, by the id that the act named. ``phones``: every telephone that
    was noted, with the id that the act named, in their order; most are erased by now.
    """

    players: Mapping[ev.PersonId, Listed] = {}
    merged: Mapping[ev.PersonId, ev.PersonId] = {}
    pairs: Mapping[ev.PairId, PairOf] = {}
    retired: frozenset[ev.PersonId] = frozenset()
    phones: tuple[tuple[ev.PersonId, NotedPhone], ...] = ()
    version: int = 0

    def id_after_merges(self, person: ev.PersonId) -> ev.PersonId:
        """The id of a player after all merges; their own id if they were never merged."""
        seen = {person}
        while (after := self.merged.get(person, person)) not in seen:
            person = after
            seen.add(person)
        return person

    def ids_of_player(self, person: ev.PersonId) -> list[ev.PersonId]:
        """Every id of a player after all merges, their own first."""
        return [person, *(gone for gone in self.merged if self.id_after_merges(gone) == person)]

    def parts_by_repeated_person(
        self, parts: Mapping[str, Iterable[ev.PersonId]]
    ) -> dict[ev.PersonId, tuple[str, ...]]:
        """Persons who, after all merges, are in more than one part, or twice in one; those parts.

        >>> parts = {"1": ["ana", "blas"], "2": ["anna", "eva"]}
        >>> Club(merged={"anna": "ana"}).parts_by_repeated_person(parts)
        {'ana': ('1', '2')}
        """
        found: dict[ev.PersonId, list[str]] = {}
        for part, persons in parts.items():
            for person in persons:
                found.setdefault(self.id_after_merges(person), []).append(part)
        return {person: tuple(names) for person, names in found.items() if len(names) > 1}

    def text_ids_of_person(self, person: ev.PersonId) -> set[ev.TextId]:
        """Ids of all texts ever recorded about a player, under any id, and about their pairs."""
        same = self.ids_of_player(person)
        listed = (self.players[one].texts for one in same if one in self.players)
        named = (pair.texts for pair in self.pairs.values() if not pair.players.isdisjoint(same))
        phones = (noted.phone for one, noted in self.phones if one in same)
        return {*phones, *(text for texts in (*listed, *named) for text in texts)}

    def latest_phones(self) -> dict[ev.PersonId, NotedPhone]:
        """The telephone that was noted last of each player, after all merges."""
        return {self.id_after_merges(person): noted for person, noted in self.phones}

    def ids_to_erase(self, person: ev.PersonId) -> tuple[ev.PersonId | ev.TextId, ...]:
        """Ids of all that is erased with a person.

        Their name under each id, and the texts about them.
        """
        kept = self.id_after_merges(person)
        return (*self.ids_of_player(kept), *sorted(self.text_ids_of_person(kept)))

    def pair_ids_after_merges(self) -> dict[ev.PairId, ev.PairId]:
        """For each pair, the id that it has after all merges of players.

        Its own id if the pair no longer exists.
        """
        standing = {one.players: pair for pair, one in self.pairs_after_merges().items()}
        players = {
            pair: frozenset(map(self.id_after_merges, one.players))
            for pair, one in self.pairs.items()
        }
        return {pair: standing.get(both, pair) for pair, both in players.items()}

    def pairs_after_merges(self) -> dict[ev.PairId, PairOf]:
        """Pairs after all merges of players.

        Of two that became the same pair, the older one stays, with its name.

        A pair whose players became one person is none any more.
        """
        found: dict[frozenset[ev.PersonId], tuple[ev.PairId, PairOf]] = {}
        for pair, known in self.pairs.items():
            players = frozenset(self.id_after_merges(one) for one in known.players)
            if len(players) == PARTNERS:
                found.setdefault(players, (pair, known._replace(players=players)))
        return dict(found.values())


INITIAL: Final = Club()


def evolve(state: Club, event: ev.ClubAct) -> Club:
    """The club after one event. It never refuses: only ``decide`` checks rules."""
    match event:
        case ev.PlayerListed():
            texts = _text_ids_with_more(state.players.get(event.person), event.nickname, event.club)
            listed = Listed(event.nickname, event.club, texts)
            changed = replace(state, players={**state.players, event.person: listed})
        case ev.PlayersMerged():
            changed = replace(state, merged={**state.merged, event.gone: event.kept})
        case ev.PlayerRetired(person):
            changed = replace(state, retired=state.retired | {person})
        case ev.PlayerReturned(person):
            changed = replace(state, retired=state.retired - {person})
        case ev.PhoneNoted(person, phone, date, season):
            noted = (person, NotedPhone(phone, date, season))
            changed = replace(state, phones=(*state.phones, noted))
        case ev.PairNamed():
            texts = _text_ids_with_more(state.pairs.get(event.pair), event.name)
            pair = PairOf(frozenset(event.players), event.name, texts)
            changed = replace(state, pairs={**state.pairs, event.pair: pair})
        case _:
            assert_never(event)
    return replace(changed, version=state.version + 1)


def _text_ids_with_more(before: Listed | PairOf | None, *said: ev.TextId) -> tuple[ev.TextId, ...]:
    """Ids of the texts known before and of some more, without repetition or empty ones."""
    known = () if before is None else before.texts
    return tuple(dict.fromkeys([*known, *filter(None, said)]))


def decide(act: ev.ClubAct, state: Club) -> tuple[ev.ClubAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: if it cannot be so
    """
    match act:
        case ev.PlayerListed():
            if act.person in state.merged:
                raise Refused(Rule.PLAYER_MERGED)
        case ev.PlayersMerged():
            _refuse_unlisted((act.kept, act.gone), state)
            if act.kept == act.gone:
                raise Refused(Rule.PLAYER_TWICE)
            both = frozenset((act.kept, act.gone))
            if any(one.players == both for one in state.pairs_after_merges().values()):
                raise Refused(Rule.PLAYERS_MET)
        case ev.PlayerRetired(person) | ev.PlayerReturned(person) | ev.PhoneNoted(person):
            _refuse_unlisted((person,), state)
        case ev.PairNamed():
            _refuse_impossible_pair(act, state)
        case _:
            assert_never(act)
    return (act,)


def _refuse_unlisted(persons: Iterable[ev.PersonId], state: Club) -> None:
    """Refuse a person who is not a player of the club, and one whose id was merged into another."""
    for person in persons:
        if person not in state.players:
            raise Refused(Rule.PLAYER_UNKNOWN)
        if person in state.merged:
            raise Refused(Rule.PLAYER_MERGED)


def _refuse_impossible_pair(act: ev.PairNamed, state: Club) -> None:
    """Refuse anybody but two players, and those who have a pair of another id."""
    _refuse_unlisted(act.players, state)
    players = frozenset(act.players)
    if len(act.players) != PARTNERS or len(players) != PARTNERS:
        raise Refused(Rule.PLAYER_TWICE)
    for pair, known in state.pairs_after_merges().items():
        if (pair == act.pair) != (known.players == players):
            raise Refused(Rule.PAIR_KNOWN)
