"""A planned import, written by the commands of an evening: opened, drawn by hand, played, closed.

Whoever sends the same file again finds everything known, so that an import that broke off goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID, uuid5

from flask import g

from api.club.pairs.drafts import draft_acts_for_pairs
from api.club.pairs.lines import Identity, NamedPlayer, PairLine
from api.http.bodies import Body
from api.http.services import PendingTexts, current_services, pending_texts
from api.results import final_scores
from api.results.files.plan import (
    ImportPlan,
    PlannedEvening,
    PlannedResult,
    Terms,
    players_of_evening,
)
from api.seasons import sessions
from referee import events as ev
from referee.aggregates.session import Session
from referee.errors import Stale
from referee.log.streams import Answer, WriteMetadata

MetaOf: TypeAlias = Callable[[str], WriteMetadata]
"""Metadata of a part of a request, with a key of its own."""
Couple: TypeAlias = frozenset[ev.PersonId]
_NO_SEASON: Final = UUID(int=0)


class Step(NamedTuple):
    """A write of an evening: what its key is made of, and the write."""

    part: str
    write: Callable[[WriteMetadata], Answer]


def write_import(plan: ImportPlan, terms: Terms, opening: Body, meta: MetaOf) -> Answer | None:
    """Write what a plan has that is new, and answer as the last write does; None: nothing is new.

    ``opening``: a request for a new evening, whose day is set for each. The last write has the key
    of the request itself: an answer to it says that all is written.

    :raises Refused: an evening does not take it, as when its season is closed
    :raises Stale: somebody wrote the same in between
    """
    working = [one for one in plan.evenings if one.has_news]
    if not working:
        return None
    people = _People(terms)
    people.record_new_people(working, meta("names"))
    within = UUID(terms.season) if terms.season else _NO_SEASON
    steps: list[Step] = []
    for evening in working:
        new = uuid5(within, f"results {evening.day} {plan.position}")
        steps += _EveningWriter(evening, people, opening, new).steps()
    *before, last = steps
    for step in before:
        step.write(meta(step.part))
    return last.write(meta(""))


class _People:
    """The persons and pairs of a plan by what is written of them, once the club knows them."""

    def __init__(self, terms: Terms) -> None:
        self.are_pairs = terms.of == "pairs"
        self._persons: dict[Identity, ev.PersonId] = {}
        self._pairs: dict[Couple, ev.PairId] = {}

    def record_new_people(self, evenings: Sequence[PlannedEvening], meta: WriteMetadata) -> None:
        """Put on the lists of the club whoever is new.

        :raises Stale: this was written before
        """
        players = {who.identity: who for one in evenings for who in players_of_evening(one)}
        new = [who for who in players.values() if not who.person]
        with pending_texts() as put:
            ids = iter(put.add_persons([who.name for who in new]))
            self._persons = {one: who.person or next(ids) for one, who in players.items()}
            acts = self._draft_pair_acts(evenings, put) if self.are_pairs else self._listing_acts()
            if acts:
                answer = put.erase_if_replayed(
                    current_services().referee.players.record(acts, meta)
                )
                if answer.replayed:
                    raise Stale(answer.version)

    def ids_of_side(self, side: PairLine) -> tuple[ev.PersonId, ...]:
        """Ids of the players of a side."""
        return tuple(self._persons[who.identity] for who in side.players)

    def pair_id(self, side: Iterable[ev.PersonId]) -> ev.PairId:
        """Id of the pair of two players."""
        return self._pairs[frozenset(side)]

    def _listing_acts(self) -> list[ev.ClubAct]:
        club = current_services().referee.players.club()
        return [ev.PlayerListed(one) for one in self._persons.values() if one not in club.players]

    def _draft_pair_acts(
        self, evenings: Sequence[PlannedEvening], put: PendingTexts
    ) -> list[ev.ClubAct]:
        """Draft pairs, keep their ids, return the acts; one that the club knows keeps its name."""
        lines: dict[Couple, PairLine] = {}
        for evening in evenings:
            for side in (*(each for one in evening.results for each in one.sides), *evening.visits):
                known = tuple(
                    map(NamedPlayer, (who.name for who in side.players), self.ids_of_side(side))
                )
                named = side._replace(players=known, name="" if side.pair else side.name)
                lines.setdefault(frozenset(self.ids_of_side(side)), named)
        drafted = draft_acts_for_pairs([*lines.values()], put)
        self._pairs = {frozenset(players): pair for pair, players in drafted.pairs.items()}
        return drafted.acts


class _EveningWriter:
    """Writes one evening of a plan. ``new``: its id, if it is new."""

    def __init__(self, evening: PlannedEvening, people: _People, opening: Body, new: UUID) -> None:
        self._evening, self._people, self._opening = evening, people, opening
        self._id = UUID(evening.session) if evening.session else new
        self._encuentros: dict[int, str] = {}
        self._seasons = current_services().referee.seasons
        self._club = current_services().referee.players.club()

    def steps(self) -> Iterator[Step]:
        """The writes of the evening; a new one, and one that was closed, is closed in the end."""
        evening, day = self._evening, self._evening.day
        is_new, rounds = not evening.session, self._rounds_of_new_results()
        is_closed = not is_new and self._state.is_closed and bool(rounds or evening.visits)
        if is_new:
            yield Step(f"{day} opening", self._open_evening)
        if is_closed:
            yield Step(f"{day} reopening", self._write_of_acts(lambda: [ev.SessionReopened()]))
        for some in rounds:
            line = some[0].line.line
            yield Step(f"{day} draw {line}", self._write_of_acts(partial(self._draw_acts, some)))
            yield Step(f"{day} tables {line}", partial(self._open_tables, some))
            yield from map(self._score_step, some)
        for side in evening.visits:
            who = " ".join(self._people.ids_of_side(side))
            yield Step(
                f"{day} visit {who}", self._write_of_acts(partial(self._arrival_acts, [side]))
            )
        yield from map(self._score_step, evening.results_of_state("open"))
        if is_new or is_closed:
            yield Step(f"{day} closing", self._write_of_acts(lambda: [ev.SessionClosed()]))

    def _rounds_of_new_results(self) -> list[list[PlannedResult]]:
        """New results in rounds, in each of which everybody sits at one table."""
        rounds: list[tuple[set[ev.PersonId], list[PlannedResult]]] = []
        for one in self._evening.results_of_state("new"):
            seated = {who for side in one.sides for who in self._people.ids_of_side(side)}
            if not rounds or rounds[-1][0] & seated:
                rounds.append((set(), []))
            rounds[-1][0].update(seated)
            rounds[-1][1].append(one)
        return [some for _, some in rounds]

    # --- the evening ---

    @property
    def _state(self) -> Session:
        return self._seasons.session(self._id)

    def _open_evening(self, meta: WriteMetadata) -> Answer:
        of = "pairs" if self._people.are_pairs else "persons"
        body = {**self._opening, "date": self._evening.day, "of": of}
        return sessions.open_session_from_body(body, meta, self._id)

    def _write_of_acts(self, acts: Callable[[], Sequence[ev.SessionAct]]) -> Callable[..., Answer]:
        """A write of acts that follow from how the evening is when it is made."""

        def write(meta: WriteMetadata) -> Answer:
            version = self._state.version
            return self._seasons.record_session_acts(self._id, acts(), meta, version)

        return write

    def _arrival_acts(self, sides: Sequence[PairLine]) -> list[ev.SessionAct]:
        """Who has to come, and pairs that leave since one of their players comes with another."""
        state, kept = self._state, self._club.id_after_merges
        coming = [self._people.ids_of_side(side) for side in sides]
        if not self._people.are_pairs:
            there = {kept(one) for one in state.present}
            persons = dict.fromkeys(one for side in coming for one in side)
            return [ev.PlayerCame(one) for one in persons if one not in there]
        pairs = {pair: frozenset(map(kept, two)) for pair, two in state.pairs.items()}
        wanted = [side for side in coming if frozenset(side) not in pairs.values()]
        moving = {one for side in wanted for one in side}
        left = [ev.PairLeft(pair) for pair, two in pairs.items() if two & moving]
        return [*left, *(ev.PairCame(self._people.pair_id(side), side) for side in wanted)]

    def _draw_acts(self, some: Sequence[PlannedResult]) -> list[ev.SessionAct]:
        """Who comes for a round, and its tables, with the number of the file if it is free."""
        came = self._arrival_acts([side for one in some for side in one.sides])
        here = {self._club.id_after_merges(one): one for one in self._state.present}
        asked = {one.line.table for one in some}
        free = (number for number in count(1) if number not in asked)
        tables: dict[int, ev.DrawnTable] = {}
        for one in some:
            is_free = one.line.table and one.line.table not in tables
            number = one.line.table if is_free else next(free)
            sides = [self._people.ids_of_side(side) for side in one.sides]
            seated = tuple(tuple(here.get(who, who) for who in side) for side in sides)
            tables[number] = ev.DrawnTable(number, seated)
        return [*came, ev.TablesDrawn("hand", tuple(tables.values()))]

    # --- its tables ---

    def _open_tables(self, some: Sequence[PlannedResult], meta: WriteMetadata) -> Answer:
        """Open the tables of a round."""
        answer = self._seasons.open_tables(self._id, meta, self._state.version)
        (act,) = (one.event for one in answer.events if isinstance(one.event, ev.TablesOpened))
        lines = [one.line.line for one in some]
        self._encuentros |= dict(zip(lines, act.encuentros, strict=True))
        return answer

    def _score_step(self, one: PlannedResult) -> Step:
        """The write of a final score, as an official of the club enters it."""

        def write(meta: WriteMetadata) -> Answer:
            encuentro = one.encuentro or self._encuentros[one.line.line]
            acts = final_scores.score_acts(one.score, "", "official", device=g.actor.via)
            return current_services().referee.encuentros.record_encuentro_acts(
                UUID(encuentro), acts, meta
            )

        return Step(f"{self._evening.day} result {one.line.line}", write)
