"""What a file of results would write into the house as it is: nothing is recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias
from uuid import UUID

from api.club import views as club_views
from api.club.name_matches import NO_ANSWERS, KnownNames, NameDoubt
from api.club.pairs.lines import (
    Identity,
    NamedPlayer,
    PairLine,
    pair_or_faults_of_each_line,
    split_line_of_side,
)
from api.club.players_csv import CellFault
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.names import fold_name
from api.http.services import await_end_of_log, current_services
from api.profiles.rest import frozen_profile_of_request
from api.results import final_scores
from api.results.files.results_csv import ResultLine, read_results
from api.seasons import schemas, sessions
from api.seasons.rules import body_with_rules
from projections.seasons import projection as seasons
from referee.aggregates.encuentro import options_of, standing_over_partidas
from referee.aggregates.session import Session, players_per_table
from referee.aggregates.session_tables import side_size
from referee.events import Competitors, SideName, options_from
from referee.rules.match_scores import may_still_end_with_score, read_score, standing_at_start
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, side_of

LineState: TypeAlias = Literal["new", "open", "known", "differs"]
"""Of a result: a table more, a table that waits for it, written already, written otherwise."""
STATES: Final[tuple[LineState, ...]] = ("new", "open", "known", "differs")
_ANY_DAY: Final = "2000-01-01"

Side: TypeAlias = frozenset[Identity]
Sides: TypeAlias = Mapping[tuple[str, int], PairLine | list[FieldFault]]
"""Who is meant by a side as written, by the text and the number of its players."""


class Terms(NamedTuple):
    """For which season evenings are written (empty: none), who competes, their rules if new."""

    season: str
    of: Competitors
    options: Options


def new_evening_body(asked: Body) -> Body:
    """Request body for the new evenings of a file, whose day is set for each.

    ``asked``: season and rules, if any.

    :raises ma.ValidationError: they cannot be read
    """
    body: Body = schemas.SessionIn().load({**asked, "date": _ANY_DAY})
    return body


def evening_terms(opening: Body) -> Terms:
    """The terms of new evenings.

    :raises Problem: neither season nor request names rules, or there is no such season
    """
    season = sessions.require_season(opening.get("season"))
    options = options_from(frozen_profile_of_request(body_with_rules(opening)).options)
    opened = current_services().referee.seasons.season(UUID(season)).opened if season else None
    return Terms(season, opened.of if opened else "persons", options)


class PlannedResult(NamedTuple):
    """A result, who plays on each side, and what it would do.

    ``encuentro``: the table where it belongs; empty for a new one. ``score``: in the order of the
    sides of that table. ``stands``: what is written there otherwise.
    """

    line: ResultLine
    sides: tuple[PairLine, ...]
    score: dict[SideName, int]
    state: LineState = "new"
    encuentro: str = ""
    stands: str = ""


@dataclass(frozen=True, slots=True)
class PlannedEvening:
    """An evening: its day, its id if it is known, its results, and who only came."""

    day: str
    session: str
    results: tuple[PlannedResult, ...]
    visits: tuple[PairLine, ...]

    def results_of_state(self, state: LineState) -> list[PlannedResult]:
        """The results of one state."""
        return [one for one in self.results if one.state == state]

    @property
    def has_news(self) -> bool:
        """Whether the evening gets something that it does not have."""
        return bool(self.visits or self.results_of_state("new") or self.results_of_state("open"))


class ImportPlan(NamedTuple):
    """What a file would do. ``new``: names that nobody has; ``doubts``: who is meant by some.

    ``position``: of the log that it was compared with. ``notes``: lines that are read otherwise
    than they stand in the file.
    """

    evenings: tuple[PlannedEvening, ...]
    faults: tuple[CellFault, ...]
    doubts: tuple[NameDoubt, ...]
    new: tuple[str, ...]
    ignored: tuple[str, ...]
    position: int
    notes: tuple[CellFault, ...] = ()

    @property
    def has_news(self) -> bool:
        """Whether there is anything to write."""
        return any(one.has_news for one in self.evenings)

    @property
    def result_counts_by_state(self) -> dict[str, int]:
        """How many results are of each state."""
        every = [one.state for evening in self.evenings for one in evening.results]
        return {state: every.count(state) for state in STATES}


class _Standing(NamedTuple):
    """A table of an evening: who sits on each side, its score, what it could still end with."""

    encuentro: str
    sides: dict[Side, SideName]
    score: str
    options: Options

    def score_by_table_sides(self, result: PlannedResult) -> dict[SideName, int]:
        """The score of a result, by the sides of this table."""
        letters = [self.sides[_identities_of_side(one)] for one in result.sides]
        return dict(sorted(zip(letters, result.line.score, strict=True)))


def plan_import(text: str, terms: Terms, answers: Mapping[str, str] | None) -> ImportPlan:
    """What a file would do. ``answers``: who a name in doubt is, by the field of the question.

    None: nobody can be asked, and a name that several have is a fault.
    """
    await_end_of_log()
    position = current_services().reads.position()
    read, days = read_results(text), defaultdict(list)
    for line in read.lines:
        days[line.day].append(line)
    held = _evenings_by_day(terms, days)
    sides, doubts = _identify_sides(days, held, terms, answers)
    evenings, faults = [], list(read.faults)
    for day, lines in sorted(days.items()):
        evening, wrong = _plan_evening(day, lines, held.get(day, []), sides, terms)
        evenings.append(evening)
        faults += wrong
    used = {who.identity: who for evening in evenings for who in players_of_evening(evening)}
    new = tuple(who.name for who in used.values() if not who.person)
    faults.sort(key=lambda one: one.line)
    return ImportPlan(
        tuple(evenings), tuple(faults), tuple(doubts), new, read.ignored, position, read.notes
    )


def players_of_evening(evening: PlannedEvening) -> Iterator[NamedPlayer]:
    """Everybody of an evening, as often as they are named."""
    for side in (*(side for one in evening.results for side in one.sides), *evening.visits):
        yield from side.players


# --- what stands ---------------------------------------------------------------------------------


def _evenings_by_day(terms: Terms, days: Collection[str]) -> dict[str, list[tuple[str, Session]]]:
    """The evenings of the season (or of none) on some days, by their day."""
    here = current_services()
    with here.reads.reading() as rows:
        found = seasons.sessions_of_season(rows, terms.season, seasons.ALL_EVENINGS)
    held = defaultdict(list)
    for one in found:
        if one.of == terms.of and one.date in days:
            held[one.date].append((one.id, here.referee.seasons.session(UUID(one.id))))
    return held


def _tables_on_record(sessions: Iterable[tuple[str, Session]]) -> list[_Standing]:
    """Encuentro, sides, score and options of each table of some evenings, unless called off."""
    here = current_services()
    club, found = here.referee.players.club(), []
    for _, session in sessions:
        for encuentro in session.encuentro_ids:
            state = here.referee.encuentros.encuentro(UUID(encuentro))
            sides: dict[SideName, set[Identity]] = defaultdict(set)
            for seat, person in state.seats:
                sides[side_of(seat)].add((club.id_after_merges(person), ""))
            by_side = {frozenset(players): side for side, players in sides.items()}
            score = final_scores.current_result(state).score
            if not state.is_called_off:
                found.append(_Standing(encuentro, by_side, score, options_of(state)))
    return found


def _attendees_on_record(held: Iterable[tuple[str, Session]]) -> set[Identity]:
    """Who attended some evenings."""
    club = current_services().referee.players.club()
    return {
        (club.id_after_merges(one), "")
        for _, session in held
        for one in session.persons_who_played_or_are_there
    }


# --- who is meant --------------------------------------------------------------------------------


def _identify_sides(
    days: Mapping[str, Sequence[ResultLine]],
    held: Mapping[str, Sequence[tuple[str, Session]]],
    terms: Terms,
    answers: Mapping[str, str] | None,
) -> tuple[Sides, list[NameDoubt]]:
    """Who is meant by each side of a file, and names that may be one of several."""
    known, pairs, said = club_views.players(), club_views.pairs(), answers or NO_ANSWERS
    texts: dict[tuple[str, int], None] = {}
    for day, lines in days.items():
        size = side_size(_players_per_table(held.get(day, ()), terms))
        for line in lines:
            of_side = 1 if line.has_only_attendance and terms.of == "persons" else size
            texts |= dict.fromkeys((text, of_side) for text in line.sides)
    found: dict[tuple[str, int], PairLine | list[FieldFault]] = {}
    for of_side in sorted({of_side for _, of_side in texts}):
        its = [text for text, size in texts if size == of_side]
        split = [split_line_of_side(number, text) for number, text in enumerate(its, 1)]
        read = pair_or_faults_of_each_line(
            split, of_side, known, pairs, said, are_asked=answers is not None
        )
        found |= {(text, of_side): one for text, one in zip(its, read, strict=True)}
    named = [one for one in found.values() if isinstance(one, PairLine)]
    by_name = {fold_name(one.name): one for one in named if one.name}
    found |= {at: by_name[name] for at in found if (name := fold_name(at[0])) in by_name}
    new = [who.name for one in named for who in one.players if not who.person]
    return found, KnownNames(known).doubts_about_names(new, said)


def _players_per_table(held: Sequence[tuple[str, Session]], terms: Terms) -> int:
    """Players at a table of an evening, one that is known or a new one."""
    return players_per_table(held[0][1]) if held else terms.options.players


# --- what a line would do ------------------------------------------------------------------------


def _plan_evening(
    day: str,
    lines: Sequence[ResultLine],
    held: Sequence[tuple[str, Session]],
    sides: Sides,
    terms: Terms,
) -> tuple[PlannedEvening, list[CellFault]]:
    """An evening with what it would get, and what is wrong with some of its lines."""
    opened = held[0][1].opened if held else None
    options = options_from(opened.profile.options) if opened else terms.options
    there = _attendees_on_record(held)
    results, visits, faults = [], [], []
    for line in lines:
        read = _sides_of_line_or_fault(line, sides, options, terms)
        if isinstance(read, FieldFault):
            faults.append(CellFault(line.line, 0, read))
        elif line.has_only_attendance:
            visits.append(read[0])
        else:
            score = dict(zip(SIDES[options.players], line.score, strict=True))
            results.append(PlannedResult(line, read, score))
    playing = {who for one in results for side in one.sides for who in _identities_of_side(side)}
    coming = [
        one for one in dict.fromkeys(visits) if not _identities_of_side(one) <= there | playing
    ]
    placed = _match_to_recorded_tables(results, _tables_on_record(held))
    possible: list[PlannedResult] = []
    is_waiting = bool(held) and held[0][1].is_waiting
    for one in placed:
        code = _fault_of_result(one, options, is_waiting=is_waiting)
        if code:
            faults.append(CellFault(one.line.line, 0, FieldFault(code)))
        else:
            possible.append(one)
    session = held[0][0] if held else ""
    return PlannedEvening(day, session, tuple(possible), tuple(coming)), faults


def _sides_of_line_or_fault(
    line: ResultLine, sides: Sides, options: Options, terms: Terms
) -> tuple[PairLine, ...] | FieldFault:
    """Who plays on each side of a line, or what is wrong with it."""
    wanted, size = len(SIDES[options.players]), side_size(options.players)
    if len(line.sides) != wanted and not line.has_only_attendance:
        return FieldFault("sides_wanted", n=wanted)
    of_side = 1 if line.has_only_attendance and terms.of == "persons" else size
    found: list[PairLine] = []
    for text in line.sides:
        read = sides[text, of_side]
        if not isinstance(read, PairLine):
            return read[0]
        found.append(read)
    everybody = [who.identity for one in found for who in one.players]
    if len(set(everybody)) < len(everybody):
        return FieldFault("person_twice")
    return tuple(found)


def _match_to_recorded_tables(
    results: Sequence[PlannedResult], standing: Sequence[_Standing]
) -> list[PlannedResult]:
    """Results with the recorded tables that they belong to: equal scores first, then the others."""
    free = list(standing)
    placed: dict[int, PlannedResult] = {}
    rules: tuple[LineState, ...] = ("known", "open", "differs")
    for state in rules:
        for at, one in enumerate(results):
            if at in placed:
                continue
            table = next((it for it in free if _is_table_of(one, it, state)), None)
            if table is not None:
                free.remove(table)
                made, stands = (
                    table.score_by_table_sides(one),
                    table.score if state == "differs" else "",
                )
                placed[at] = one._replace(
                    state=state, encuentro=table.encuentro, score=made, stands=stands
                )
    return [placed.get(at, one) for at, one in enumerate(results)]


def _is_table_of(result: PlannedResult, table: _Standing, state: LineState) -> bool:
    """Whether a result is of the players of a table, and its score as the state says."""
    if {_identities_of_side(one) for one in result.sides} != set(table.sides):
        return False
    if state == "open":
        return not table.score
    if state == "known":
        return bool(table.score) and _score_of_table(table) == table.score_by_table_sides(result)
    return bool(table.score)


def _score_of_table(table: _Standing) -> dict[SideName, int]:
    return dict(read_score(table.score, table.options.players))


def _identities_of_side(one: PairLine) -> Side:
    return frozenset(who.identity for who in one.players)


def _fault_of_result(one: PlannedResult, options: Options, *, is_waiting: bool) -> str:
    """Why a result cannot be written; empty if it can be, or is already."""
    if one.state == "new":
        if is_waiting:
            return "evening_waits"
        fits = may_still_end_with_score(one.score, options, standing_at_start(options))
        return "" if fits else "score_impossible"
    if one.state == "open":
        state = current_services().referee.encuentros.encuentro(UUID(one.encuentro))
        fits = may_still_end_with_score(one.score, options_of(state), standing_over_partidas(state))
        return "" if fits else "score_impossible"
    return ""
