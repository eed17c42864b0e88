"""A club evening as a decider: who is there, who plays whom, which tables were opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import fees
from referee.aggregates.session_tables import (
    draw_seed_prefix,
    mean_strength,
    persons_at_tables,
    persons_to_sit_out,
    side_size,
    tables_by_fewest_meetings,
    tables_by_seed,
    tables_by_strength,
)
from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.chance import shuffle_by_seed
from referee.rules.seats import SIDES

PLAYERS_OF_PAIRS: Final = 4
"""Players at a table at which pairs meet."""


class SessionTable(NamedTuple):
    """A table that was opened: its encuentro, its number, the pairs of its sides if pairs play."""

    encuentro: str
    number: int
    pairs: tuple[ev.PairId, ...] = ()


class Opening(NamedTuple):
    """Tables that were opened together: the place of their draw among the draws, their number."""

    draw: int
    tables: int


class AddressSubject(NamedTuple):
    """What of an evening has an address of its own: a table, by its number, or a pair.

    >>> str(AddressSubject(3)), str(AddressSubject(pair="0a1b"))
    ('table 3', 'pair 0a1b')
    """

    table: int = 0
    pair: ev.PairId = ""

    def __str__(self) -> str:
        return f"pair {self.pair}" if self.pair else f"table {self.table}"


class Session(msgspec.Struct, frozen=True):
    """An evening folded from its log.

    ``present``: who is there now, in the order in which they came; ``pairs``: the pairs among
    them. ``resting``: who sits out in each draw, in the order of the draws; ``seals``: what each
    of them mixed with its seed. ``tables``: every table opened, ``openings``: which of them
    together. ``renewed``: how often the address of a subject was. ``version`` counts the acts.
    """

    opened: ev.SessionOpened | None = None
    present: tuple[ev.PersonId, ...] = ()
    pairs: Mapping[ev.PairId, ev.DrawnSide] = {}
    draws: tuple[ev.TablesDrawn, ...] = ()
    resting: tuple[tuple[ev.PersonId, ...], ...] = ()
    seals: tuple[str, ...] = ()
    is_waiting: bool = False
    tables: tuple[SessionTable, ...] = ()
    openings: tuple[Opening, ...] = ()
    renewed: Mapping[AddressSubject, int] = {}
    fees: fees.Fees = fees.NO_FEES
    is_closed: bool = False
    version: int = 0

    @property
    def unopened_draw(self) -> ev.TablesDrawn | None:
        """The last draw if its tables are not opened yet."""
        return self.draws[-1] if self.is_waiting else None

    @property
    def encuentro_ids(self) -> tuple[str, ...]:
        """Encuentros of every table opened, in their order."""
        return tuple(table.encuentro for table in self.tables)

    @property
    def tables_by_round(self) -> tuple[tuple[ev.DrawnTable, ...], ...]:
        """Tables that were opened, round by round."""
        return tuple(self.draws[opening.draw].tables for opening in self.openings)

    @property
    def persons_who_played(self) -> tuple[ev.PersonId, ...]:
        """Persons of the tables opened, in their order."""
        return tuple(
            dict.fromkeys(one for each in self.tables_by_round for one in persons_at_tables(each))
        )

    @property
    def sit_out_counts(self) -> dict[ev.PersonId, int]:
        """How often each person sat out while others played at tables that were opened."""
        return dict(Counter(one for at in self.openings for one in self.resting[at.draw]))

    @property
    def persons_who_played_or_are_there(self) -> tuple[ev.PersonId, ...]:
        """Persons who played or are still there."""
        return tuple(dict.fromkeys((*self.persons_who_played, *self.present)))


INITIAL: Final = Session()


def evolve(state: Session, event: ev.SessionAct) -> Session:  # noqa: C901, PLR0911, PLR0912 - a case an event
    """The evening after one event. It never refuses: only ``decide`` checks rules."""
    state = replace(state, version=state.version + 1)
    match event:
        case ev.SessionOpened():
            return replace(state, opened=event)
        case ev.SessionChanged():
            return replace(state, opened=_session_opened_after_change(state, event))
        case ev.PlayerCame(person):
            return replace(state, present=(*state.present, person))
        case ev.PlayerLeft(person):
            return replace(state, present=tuple(one for one in state.present if one != person))
        case ev.PairCame(pair, players):
            pairs = {**state.pairs, pair: players}
            return replace(state, pairs=pairs, present=(*state.present, *players))
        case ev.PairLeft(pair):
            pairs = {one: players for one, players in state.pairs.items() if one != pair}
            gone = state.pairs.get(pair, ())
            present = tuple(one for one in state.present if one not in gone)
            return replace(state, pairs=pairs, present=present)
        case ev.TablesDrawn():
            seated = persons_at_tables(event.tables)
            rest = tuple(one for one in state.present if one not in seated)
            return replace(
                state,
                draws=(*state.draws, event),
                resting=(*state.resting, rest),
                seals=(*state.seals, next_draw_seed_prefix(state)),
                is_waiting=True,
            )
        case ev.TablesOpened(encuentros):
            return _with_tables_opened(state, encuentros)
        case ev.TablesTakenBack():
            return _without_last_tables(state)
        case ev.AddressRenewed(table, pair):
            subject = AddressSubject(table, pair)
            renewed = {**state.renewed, subject: state.renewed.get(subject, 0) + 1}
            return replace(state, renewed=renewed)
        case ev.FeesSet() | ev.FeePaid() | ev.PaymentTakenBack():
            return replace(state, fees=fees.evolve(state.fees, event))
        case ev.SessionClosed():
            return replace(state, is_closed=True)
        case ev.SessionReopened():
            return replace(state, is_closed=False)
        case _:
            assert_never(event)


def _session_opened_after_change(state: Session, event: ev.SessionChanged) -> ev.SessionOpened:
    assert state.opened is not None
    return ev.SessionOpened(
        event.date,
        event.profile,
        event.name,
        event.place,
        event.season,
        event.tables,
        state.opened.of,
    )


def _with_tables_opened(state: Session, encuentros: tuple[str, ...]) -> Session:
    """The evening once the tables of its last draw are opened."""
    if not state.draws:
        return state
    drawn, pairs = state.draws[-1], {frozenset(side): pair for pair, side in state.pairs.items()}
    tables = tuple(
        SessionTable(
            encuentro,
            table.number,
            tuple(pairs[frozenset(side)] for side in table.sides if frozenset(side) in pairs),
        )
        for encuentro, table in zip(encuentros, drawn.tables, strict=False)
    )
    return replace(
        state,
        tables=(*state.tables, *tables),
        openings=(*state.openings, Opening(len(state.draws) - 1, len(tables))),
        is_waiting=False,
    )


def _without_last_tables(state: Session) -> Session:
    """The evening as it was before its last tables were opened."""
    if not state.openings:
        return state
    *openings, last = state.openings
    tables = state.tables[: len(state.tables) - last.tables]
    return replace(state, tables=tables, openings=tuple(openings), is_waiting=True)


def address_subjects(state: Session) -> tuple[AddressSubject, ...]:
    """Tables and pairs of an evening that have an address of their own."""
    numbers = sorted({table.number for draw in state.draws for table in draw.tables})
    pairs = dict.fromkeys((*state.pairs, *(one for table in state.tables for one in table.pairs)))
    return (*map(AddressSubject, numbers), *(AddressSubject(pair=pair) for pair in pairs))


def latest_table_of_subject(state: Session, subject: AddressSubject) -> SessionTable | None:
    """The table that a subject plays at now; None before it is opened."""
    return next(
        (
            table
            for table in reversed(state.tables)
            if table.number == subject.table or subject.pair in table.pairs
        ),
        None,
    )


def players_per_table(state: Session) -> int:
    """Number of players at a table."""
    assert state.opened is not None
    return ev.options_from(state.opened.profile.options).players


def next_draw_seed_prefix(state: Session) -> str:
    """Text that the next draw mixes with its seed."""
    assert state.opened is not None
    return draw_seed_prefix(state.opened.date, len(state.draws) + 1)


def draw_by_seed(
    state: Session,
    seed: str,
    together: Iterable[ev.DrawnSide] = (),
    rested: Mapping[ev.PersonId, int] | None = None,
) -> ev.TablesDrawn:
    """A draw of tables for those who are there, from a seed.

    ``together``: partners who are not to be parted; pairs never are. ``rested``: how often each
    sat out before.
    """
    kept, seal = _sides_to_keep(state, together), next_draw_seed_prefix(state)
    there, staying = _players_and_sides_by_seed(state, seed, kept, rested)
    drawn = tables_by_seed(seed, seal, there, staying, players_per_table(state))
    return ev.TablesDrawn(
        "seed", drawn[: _table_cap(state)], seed=seed, together=kept, rested=dict(rested or {})
    )


def draw_by_fewest_meetings(
    state: Session,
    seed: str,
    together: Iterable[ev.DrawnSide] = (),
    rested: Mapping[ev.PersonId, int] | None = None,
) -> ev.TablesDrawn:
    """A draw of tables for those who met least before; a seed decides between equals."""
    kept, seal = _sides_to_keep(state, together), next_draw_seed_prefix(state)
    there, staying = _players_and_sides_by_seed(state, seed, kept, rested)
    rounds, size = state.tables_by_round, players_per_table(state)
    drawn = tables_by_fewest_meetings(seed, seal, there, staying, rounds, size)
    return ev.TablesDrawn(
        "rotation", drawn[: _table_cap(state)], seed=seed, together=kept, rested=dict(rested or {})
    )


def draw_by_strength(
    state: Session,
    strengths: dict[ev.PersonId, int],
    together: Iterable[ev.DrawnSide] = (),
    rested: Mapping[ev.PersonId, int] | None = None,
) -> ev.TablesDrawn:
    """A draw of tables of like strength for those who are there; ``strengths`` has each of them.

    Who sat out equally often sits out by strength, the weakest first.
    """
    kept = _sides_to_keep(state, together)
    units = sorted(_sides_then_singles(state, kept), key=partial(mean_strength, strengths))
    there, staying = _players_and_sides(state, kept, units, rested)
    drawn = tables_by_strength(
        {one: strengths[one] for one in there}, staying, players_per_table(state)
    )
    return ev.TablesDrawn(
        "strength",
        drawn[: _table_cap(state)],
        together=kept,
        strengths=strengths,
        rested=dict(rested or {}),
    )


def _sides_to_keep(state: Session, together: Iterable[ev.DrawnSide]) -> tuple[ev.DrawnSide, ...]:
    """Sides that stay together: those asked for, and in an evening of pairs every pair."""
    return tuple(sorted(state.pairs.values())) if _is_of_pairs(state) else tuple(together)


def _competitor_kind(state: Session) -> ev.Competitors:
    assert state.opened is not None
    return state.opened.of


def _is_of_pairs(state: Session) -> bool:
    return _competitor_kind(state) == "pairs"


def _sides_then_singles(state: Session, kept: Iterable[ev.DrawnSide]) -> list[ev.DrawnSide]:
    """One list: sides that stay together, then single persons as sides of one, each by id."""
    sides = sorted(kept)
    in_sides = {one for side in sides for one in side}
    return [*sides, *((one,) for one in sorted(state.present) if one not in in_sides)]


def _players_and_sides_by_seed(
    state: Session,
    seed: str,
    kept: Iterable[ev.DrawnSide],
    rested: Mapping[ev.PersonId, int] | None,
) -> tuple[list[ev.PersonId], list[ev.DrawnSide]]:
    """Persons who play, and sides that stay together; a seed decides who of equals sits out."""
    seal = f"{next_draw_seed_prefix(state)}rest\n".encode()
    units = shuffle_by_seed(seal, seed, _sides_then_singles(state, kept))
    return _players_and_sides(state, kept, units, rested)


def _players_and_sides(
    state: Session,
    kept: Iterable[ev.DrawnSide],
    units: Sequence[ev.DrawnSide],
    rested: Mapping[ev.PersonId, int] | None,
) -> tuple[list[ev.PersonId], list[ev.DrawnSide]]:
    """Persons who play, and the sides among them that stay together.

    Without ``rested``, as in draws of before, everybody: who is left over by the draw sits out.
    """
    out = (
        persons_to_sit_out(units, rested, players_per_table(state), _table_cap(state))
        if rested
        else frozenset()
    )
    there = [one for one in state.present if one not in out]
    return there, [side for side in kept if out.isdisjoint(side)]


def _table_cap(state: Session) -> int | None:
    """Number of tables in the room; None if there is no limit."""
    assert state.opened is not None
    return state.opened.tables or None


def decide(act: ev.SessionAct, state: Session) -> tuple[ev.SessionAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: it cannot be true
    """
    _refuse_untimely(act, state)
    match act:
        case ev.SessionOpened(of="pairs"):
            _refuse_pairs_without_four_players(act)
        case ev.SessionChanged() if _is_of_pairs(state):
            _refuse_pairs_without_four_players(act)
        case ev.PlayerCame() | ev.PlayerLeft() | ev.PairCame() | ev.PairLeft():
            _refuse_impossible_visit(act, state)
        case ev.TablesDrawn():
            _refuse_wrong_tables(act, state)
        case ev.TablesOpened() | ev.TablesTakenBack():
            _refuse_no_tables(act, state)
        case ev.AddressRenewed(table, pair) if AddressSubject(table, pair) not in address_subjects(
            state
        ):
            raise Refused(Rule.NO_SUCH_ADDRESS)
        case ev.FeesSet() | ev.FeePaid() | ev.PaymentTakenBack():
            fees.refuse_impossible_fees_act(act, state.fees, _competitor_kind(state))
        case _:
            pass
    return (act,)


def _refuse_untimely(act: ev.SessionAct, state: Session) -> None:
    """Refuse what a closed evening does not take, a second opening, and a reopening while open."""
    match act:
        case ev.SessionReopened():
            if not state.is_closed:
                raise Refused(Rule.SESSION_OPEN)
        case ev.SessionOpened():
            if state.opened is not None:
                raise Refused(Rule.SESSION_CLOSED)
        case _ if state.is_closed and not _is_allowed_any_time(act, state):
            raise Refused(Rule.SESSION_CLOSED)
        case _:
            pass


def session_season_change(state: Session, season: str) -> ev.SessionChanged:
    """The act that gives the evening another season (empty: none), and changes nothing else."""
    opened = state.opened
    assert opened is not None
    return ev.SessionChanged(
        opened.date, opened.profile, opened.name, opened.place, season, opened.tables
    )


def session_day_change(state: Session, day: str) -> ev.SessionChanged:
    """The act that gives the evening another day, and changes nothing else."""
    assert state.opened is not None
    return replace(session_season_change(state, state.opened.season), date=day)


def _is_allowed_any_time(act: ev.SessionAct, state: Session) -> bool:
    """Whether an act is possible at any time: on fees, or on the season or the day alone."""
    return isinstance(act, ev.FeesAct) or (
        isinstance(act, ev.SessionChanged)
        and act in (session_season_change(state, act.season), session_day_change(state, act.date))
    )


def _refuse_no_tables(act: ev.TablesOpened | ev.TablesTakenBack, state: Session) -> None:
    is_there = (
        state.unopened_draw is not None
        if isinstance(act, ev.TablesOpened)
        else bool(state.openings)
    )
    if not is_there:
        raise Refused(Rule.NO_TABLES)


def _refuse_pairs_without_four_players(act: ev.SessionOpened | ev.SessionChanged) -> None:
    """Refuse an evening of pairs under a profile that is not for four players."""
    if ev.options_from(act.profile.options).players != PLAYERS_OF_PAIRS:
        raise Refused(Rule.PAIRS_NEED_FOUR)


def _refuse_impossible_visit(
    act: ev.PlayerCame | ev.PlayerLeft | ev.PairCame | ev.PairLeft, state: Session
) -> None:
    """Refuse who is there already, who is not, and a person where pairs play or the reverse."""
    if isinstance(act, ev.PairCame | ev.PairLeft) != _is_of_pairs(state):
        raise Refused(Rule.OTHER_COMPETITORS)
    match act:
        case ev.PlayerCame(person) if person in state.present:
            raise Refused(Rule.PLAYER_PRESENT, person=person)
        case ev.PlayerLeft(person) if person not in state.present:
            raise Refused(Rule.PLAYER_ABSENT, person=person)
        case ev.PairCame(players=players):
            if len(set(players)) != side_size(PLAYERS_OF_PAIRS):
                raise Refused(Rule.PLAYER_TWICE)
            if present := sorted(set(players) & set(state.present)):
                raise Refused(Rule.PLAYER_PRESENT, person=present[0])
        case ev.PairLeft(pair) if pair not in state.pairs:
            raise Refused(Rule.PLAYER_ABSENT, person=pair)
        case _:
            pass


def _refuse_wrong_tables(act: ev.TablesDrawn, state: Session) -> None:
    """Refuse tables that cannot be played at, or are not those of the seed or the strengths."""
    if not act.tables:
        raise Refused(Rule.NO_TABLES)
    players = players_per_table(state)
    sides = [side for table in act.tables for side in table.sides]
    seated = [one for side in sides for one in side]
    for person in [*seated, *(one for side in act.together for one in side), *act.strengths]:
        if person not in state.present:
            raise Refused(Rule.PLAYER_ABSENT, person=person)
    numbers = [table.number for table in act.tables]
    is_full = all(len(table.sides) == len(SIDES[players]) for table in act.tables)
    has_pairs = all(len(side) == side_size(players) for side in (*sides, *act.together))
    kept = [one for side in act.together for one in side]
    has_twice = any(len(set(all_)) < len(all_) for all_ in (seated, numbers, kept))
    if not (is_full and has_pairs) or has_twice:
        raise Refused(Rule.TABLES_INCOMPLETE)
    if _is_of_pairs(state):
        pairs = {frozenset(pair) for pair in state.pairs.values()}
        if not pairs.issuperset(map(frozenset, sides)):
            raise Refused(Rule.OTHER_COMPETITORS)
    if act.method == "strength" and set(act.strengths) != set(state.present):
        raise Refused(Rule.TABLES_OTHERWISE)
    if act.rested and set(act.rested) != set(state.present):
        raise Refused(Rule.TABLES_OTHERWISE)
    if act.method != "hand" and act != _recompute_draw(act, state):
        raise Refused(Rule.TABLES_OTHERWISE)


def _recompute_draw(act: ev.TablesDrawn, state: Session) -> ev.TablesDrawn:
    """The same draw, recomputed."""
    if act.method in ("seed", "rotation"):
        draw = draw_by_seed if act.method == "seed" else draw_by_fewest_meetings
        return draw(state, act.seed, act.together, act.rested)
    return draw_by_strength(state, act.strengths, act.together, act.rested)
