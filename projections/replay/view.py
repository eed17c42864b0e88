"""The data of a replay of a partida, as one JSON value.

It has a frame for each standing act in order of play, stored as the difference from the frame
before. It also has verdicts with their proof, corrections with before and after, and conclusions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from projections.facts import (
    ClaimReadData,
    FactData,
    PartidaWonData,
    TableActData,
    TableConclusionData,
)
from projections.legality.evidence import ContradictionData, VerdictData, partida_evidence_view
from projections.legality.findings import ArticleData, FindingData, article_of_rule, finding_view
from projections.replay.frames import (
    Frame,
    FrameData,
    ReplayStep,
    deck_by_suit,
    frame_changes,
    seat_token_and_line,
    steps_of,
)
from projections.scores.partidas import CanteData, cante_view
from projections.views import view_as
from referee import events as ev
from referee.aggregates.partida import (
    Partida,
    RecordedAct,
    acts_after_corrections,
    lines_of_withdrawn_amendments,
)
from referee.events import CardToken, FrozenProfile, LogAmended, SeatName, TableAct, TextId
from referee.rules.articles import ABOUT
from referee.rules.cards import TOKENS
from referee.rules.profile.profile import Profile
from referee.rules.seats import Direction, Seat
from referee.table.comparison import NotComparable, comparable_options_of_profile
from referee.table.counts import score_items
from referee.table.readings import StandingAct, TableReading
from referee.table.state import NO_CARD, Deal, Table

FORMAT: Final = "guinote-reel 1"


class ReplayProfileData(msgspec.Struct, frozen=True):
    """The profile by which a record is judged."""

    id: str
    edition: str
    base: str


class StepData(msgspec.Struct, frozen=True, kw_only=True):
    """An act, the conclusions that it brought, and what it changed on the table."""

    line: int
    act: TableActData
    said: list[TableConclusionData] | UnsetType = UNSET
    set: FrameData


class ReplayTrickData(msgspec.Struct, frozen=True):
    """A closed trick; its plays as seat, card, line."""

    plays: list[list[str | int]]
    taker: SeatName
    points: int | None
    line: int


class ReplayDealData(msgspec.Struct, frozen=True):
    """A deal after its last act; items as side, reason, points, line."""

    number: int
    line: int
    dealer: SeatName
    mano: SeatName
    pinta: CardToken
    counts: bool
    cards: list[CardToken]
    tricks: list[ReplayTrickData]
    cantes: list[CanteData]
    items: list[list[str | int]]


class ReplayFindingData(FindingData, frozen=True):
    """A finding with its article."""

    article: ArticleData | None


class ChangeData(msgspec.Struct, frozen=True):
    """Act of a line before and after a correction."""

    line: int
    how: str
    before: TableActData | None
    after: TableActData | None


class AmendmentData(msgspec.Struct, frozen=True):
    """A correction of the record; ``stands``: it was not taken back."""

    line: int
    text: TextId
    stands: bool
    changes: list[ChangeData]


class ReplayFactsData(msgspec.Struct, frozen=True):
    """The part of a replay that is the same in every language."""

    format: str
    encuentro: str
    partida: int
    line: int
    players: int
    direction: Direction
    seats: list[SeatName]
    target: int
    profile: ReplayProfileData
    outcome: PartidaWonData | None
    deals: list[ReplayDealData]
    contradicted: list[ContradictionData]
    claim: ClaimReadData | None


class ReplayViewData(ReplayFactsData, frozen=True):
    """The data of a replay; persons and texts by their ids."""

    steps: list[StepData]
    verdicts: list[VerdictData]
    findings: list[ReplayFindingData]
    amendments: list[AmendmentData]


def replay_view(state: Partida, profile: FrozenProfile) -> ReplayViewData:
    """The data of a replay of a partida under the profile of its options.

    Cards, seats and sides as on the log; persons and texts by their ids. ``set`` of a step has the
    differences of its frame from the frame before.
    """
    assert state.opened is not None
    table, steps = state.table, list(steps_of(state))
    judged = partida_evidence_view(state, profile)
    judged_acts = {(one.line, one.rule) for one in judged.acts}
    return ReplayViewData(
        format=FORMAT,
        encuentro=state.opened.encuentro,
        partida=state.opened.number,
        line=state.version,
        players=table.players,
        direction=table.options.direction,
        seats=list(table.seats),
        target=table.options.target,
        profile=ReplayProfileData(id=profile.id, edition=profile.edition, base=profile.base),
        outcome=msgspec.to_builtins(table.decided),
        steps=list(_steps_data(steps)),
        deals=_deals_data(table, steps),
        verdicts=judged.acts,
        findings=[
            view_as(
                ReplayFindingData, finding_view(one), article=article_of_rule(one.rule, profile)
            )
            for one in table.findings
            if ABOUT[one.rule].kind != "duty" and (one.line, one.rule.value) not in judged_acts
        ],
        contradicted=judged.contradicted,
        claim=judged.claim,
        amendments=amendments_data(state.log),
    )


def _steps_data(steps: Sequence[ReplayStep]) -> list[StepData]:
    """Steps with their acts, the conclusions that each brought, and what changed on the table."""
    frame: Frame = {}
    stated: tuple[Any, ...] = ()
    found: list[StepData] = []
    for step in steps:
        now = step.table.conclusions
        line, act = step.entry.line, msgspec.to_builtins(step.entry.act)
        change = frame_changes(frame, step.frame)
        if new := [msgspec.to_builtins(one) for one in now if one not in stated]:
            found.append(StepData(line=line, act=act, said=new, set=change))
        else:
            found.append(StepData(line=line, act=act, set=change))
        frame, stated = step.frame, now
    return found


def _deals_data(table: Table, steps: Sequence[ReplayStep]) -> list[ReplayDealData]:
    """View of every deal that was begun, after its last act; annulled ones too."""
    last: dict[int, tuple[ReplayStep, Deal]] = {}
    for step in steps:
        if step.table.deal is not None:
            last[step.frame["deal"]] = (step, step.table.deal)
    counting = {deal.line for deal in table.all_deals}
    return [
        _deal_data(step.table, deal, counts=deal.line in counting) for step, deal in last.values()
    ]


def _deal_data(table: Table, deal: Deal, *, counts: bool) -> ReplayDealData:
    items = score_items(deal, table.options.last_trick_points, table.ruled_out)
    return ReplayDealData(
        number=deal.number,
        line=deal.line,
        dealer=deal.dealer,
        mano=deal.seats_from_mano[0],
        pinta=TOKENS[deal.pinta] if deal.pinta != NO_CARD else "",
        counts=counts,
        cards=deck_by_suit(deal.deck),
        tricks=[
            ReplayTrickData(
                plays=[seat_token_and_line(play) for play in trick.plays],
                taker=trick.taker,
                points=trick.points,
                line=trick.line,
            )
            for trick in deal.tricks
        ],
        cantes=[cante_view(cante) for cante in deal.cantes],
        items=[[one.side, one.reason, one.points, one.line] for one in items],
    )


def amendments_data(log: Sequence[RecordedAct]) -> list[AmendmentData]:
    """View of every correction, with the act of each changed line before and after."""
    taken_back = lines_of_withdrawn_amendments(log)
    return [
        AmendmentData(
            line=one.line,
            text=one.act.text,
            stands=one.line not in taken_back,
            changes=[
                ChangeData(
                    line=change.line,
                    how=change.how,
                    before=_act_before_correction(log[:place], change.line, change.how),
                    after=msgspec.to_builtins(change.act),
                )
                for change in one.act.changes
            ],
        )
        for place, one in enumerate(log)
        if isinstance(one.act, LogAmended)
    ]


def _act_before_correction(log: Sequence[RecordedAct], line: int, how: str) -> FactData | None:
    """The act at a line before a correction; None if the correction inserts the line."""
    if how == "insert":
        return None
    acts: dict[int, TableAct] = {entry.line: entry.act for entry in acts_after_corrections(log)}
    found: FactData | None = msgspec.to_builtins(acts.get(line))
    return found


def apply_profile(state: Partida, other: Profile) -> Partida:
    """State of a partida with the same record, judged by another profile.

    :raises NotComparable: the cards are dealt otherwise
    """
    start = replace(
        state.table_at_start,
        options=comparable_options_of_profile(state.table_at_start.options, other),
    )
    return replace(state, reading=TableReading(start, state.standing_acts))


def ids_of_comparable_profiles(state: Partida, others: Iterable[Profile]) -> list[str]:
    """Ids of those profiles by which the record can be judged as well."""
    found = []
    for other in others:
        with suppress(NotComparable):
            apply_profile(state, other)
            found.append(other.id)
    return found


def partida_as_seen_by(state: Partida, seat: Seat) -> Partida:
    """State of a partida with only what one seat could see.

    Lines keep their numbers. Lines that this seat could not see and all texts of the arbiter are
    left out.
    """
    acts = (
        StandingAct(entry.line, act)
        for entry in state.standing_acts
        if (act := _visible_act(entry.act, seat))
    )
    log = (
        RecordedAct(one.line, visible)
        for one in state.log
        if (visible := _visible_act_or_correction(one.act, seat))
    )
    return replace(state, reading=TableReading(state.table_at_start, tuple(acts)), log=tuple(log))


def _visible_act_or_correction(act: ev.PartidaAct, seat: Seat) -> ev.PartidaAct | None:
    """What a seat could see of an act or of a correction; None if nothing."""
    if not isinstance(act, ev.LogAmended):
        return _visible_act(act, seat)
    kept = [c for c in act.changes if c.act is None or _visible_act(c.act, seat) is not None]
    changes = [ev.Change(c.line, c.how, c.act and _visible_act(c.act, seat)) for c in kept]
    return ev.LogAmended(tuple(changes))


def _visible_act(act: ev.TableAct, seat: Seat) -> ev.TableAct | None:
    """An act as a seat could see it; None if the seat saw nothing of it."""
    match act:
        case ev.StockEntered():
            return None
        case ev.HandEntered():
            return act if act.seat == seat else None
        case ev.CardDrawn() | ev.WrongDraw():
            return act if act.seat == seat else replace(act, card="")
        case ev.IncidentNoted():
            return replace(act, text="", card=act.card if act.incident == "exposed" else "")
        case ev.PlaySuspended() | ev.DealAnnulled() | ev.RulingGiven():
            return replace(act, text="")
        case _:
            return act
