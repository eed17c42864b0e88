"""Pairs made from lines: players who are new, their pairs, and names of these, in one write."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from api.club import acts as club_acts
from api.club import views as club_views
from api.club.messages import parse_pasted_list
from api.club.name_matches import NO_ANSWERS, KnownNames, NameDoubt, are_name_doubts_answered
from api.club.pairs.lines import (
    Identity,
    PairLine,
    SplitLine,
    doubts_about_pairs,
    pairs_and_faults_of_lines,
    split_lines_into_names,
)
from api.club.phones.book import erase_earlier_phones, phone_acts
from api.club.phones.numbers import PhoneLine, phones_of_names
from api.club.players_csv import CellFault, faults_for_left_out_text
from api.http.services import PendingTexts, await_end_of_log, current_services
from referee.aggregates.club import PARTNERS
from referee.events import ClubAct, PairId, PairNamed, PersonId, PlayerListed
from referee.log.streams import Answer, WriteMetadata

_ID_BYTES = 16


class PairsRead(NamedTuple):
    """Pairs of a pasted list. ``faults``: lines without a pair.

    ``doubts``: names that may be one of several players; ``unclear``: else to be looked at first,
    also what was left out of the lines.
    """

    lines: list[PairLine]
    faults: list[CellFault]
    doubts: list[NameDoubt]
    unclear: list[CellFault]
    phones: tuple[PhoneLine, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether the pairs can be made without a question."""
        return not self.faults and not self.unclear and are_name_doubts_answered(self.doubts)


class DraftedPairs(NamedTuple):
    """Acts of the club that make pairs, and the pairs with their players, in the given order.

    ``persons``: everybody in them.
    """

    acts: list[ClubAct]
    pairs: dict[PairId, tuple[PersonId, ...]]
    persons: dict[Identity, PersonId]


def parse_pasted_pairs(text: str, answers: Mapping[str, str] = NO_ANSWERS) -> PairsRead:
    """The pairs of a pasted list, matched with the club as it is now.

    ``answers``: who a name in doubt is, by the field of the question.
    """
    message = parse_pasted_list(text)
    read = match_pairs(split_lines_into_names(text), answers, faults_for_left_out_text(message))
    names = {one.line: [who.name for who in one.players] for one in read.lines}
    return read._replace(phones=phones_of_names(message.phones, names))


def match_pairs(
    split: Sequence[SplitLine], answers: Mapping[str, str], left_out: Sequence[CellFault] = ()
) -> PairsRead:
    """The pairs of lines that are split already, matched with the players and pairs of the club."""
    await_end_of_log()
    players, pairs = club_views.players(), club_views.pairs()
    lines, faults = pairs_and_faults_of_lines(
        split, PARTNERS, players, pairs, answers, are_asked=True
    )
    new = [who.name for one in lines for who in one.players if not who.person]
    doubts = KnownNames(players).doubts_about_names(new, answers)
    return PairsRead(lines, faults, doubts, [*left_out, *doubts_about_pairs(lines, pairs)])


def draft_acts_for_pairs(lines: Sequence[PairLine], put: PendingTexts) -> DraftedPairs:
    """The pairs of some lines, and the acts by which the club knows them.

    New names become persons; a name that occurs twice is one person. A pair that the club knows
    gets a name only if the line has one. Write the acts with those that need the pairs, or with
    ``Referee.players.record``.
    """
    club = current_services().referee.players.club()
    standing = club.pairs_after_merges()
    known = {one.players: pair for pair, one in standing.items()}
    persons = _ensure_person_ids(lines, put)
    acts: list[ClubAct] = []
    pairs: dict[PairId, tuple[PersonId, ...]] = {}
    texts = iter(put.add_texts([one.name for one in lines if one.name]))
    listed = set(club.players)
    for one in lines:
        players = tuple(sorted(persons[who.identity] for who in one.players))
        name = next(texts) if one.name else ""
        pair = known.setdefault(frozenset(players), secrets.token_hex(_ID_BYTES))
        acts += [PlayerListed(who) for who in players if who not in listed]
        listed.update(players)
        if name or (pair not in standing and pair not in pairs):
            acts.append(PairNamed(pair, players, name))
        pairs[pair] = players
    return DraftedPairs(acts, pairs, persons)


def _ensure_person_ids(lines: Sequence[PairLine], put: PendingTexts) -> dict[Identity, PersonId]:
    """Person id of each player of some lines; new names become pending persons."""
    players = {who.identity: who for one in lines for who in one.players}
    new = [who for who in players.values() if not who.person]
    made = iter(put.add_persons([who.name for who in new]))
    return {one: who.person or next(made) for one, who in players.items()}


def record_pairs_of_lines(
    lines: Sequence[PairLine], meta: WriteMetadata, phones: Sequence[PhoneLine] = ()
) -> Answer | None:
    """Record the pairs of a list in one transaction; None if nothing in it is new.

    ``phones``: of their players, who agree that they are kept.
    """
    if answer := current_services().referee.answer_to(meta):
        return answer
    club = current_services().referee.players.club()
    if not _has_changes(lines) and not phones:
        return None
    numbers = {(one.line, one.name): one.number for one in phones}
    reached = {
        who.identity: numbers[one.line, who.name]
        for one in lines
        for who in one.players
        if (one.line, who.name) in numbers
    }

    def draft_pairs_acts(put: PendingTexts) -> list[ClubAct]:
        drafted = draft_acts_for_pairs(lines, put)
        noted = {drafted.persons[who]: number for who, number in reached.items()}
        return [*drafted.acts, *phone_acts(noted, put, club, listed=[*drafted.persons.values()])]

    answer = club_acts.record_club_acts(draft_pairs_acts, meta, club.version)
    erase_earlier_phones(club, [person for person, _ in reached if person], meta.by)
    return answer


def _has_changes(lines: Sequence[PairLine]) -> bool:
    """Whether a line makes a pair or names one."""
    names = {one.pair: one.name for one in club_views.pairs()}
    return any(not one.pair or (one.name and one.name != names.get(one.pair)) for one in lines)
