"""Meetings of a tournament: tables, calls, results, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec
from flask import Response, g

from api.audit.trail import TrailPageData, trail_entries_from_cursor
from api.http import rest
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    Page,
    encuentro_api_address,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import (
    PendingTexts,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.tournaments.acts import record_tournament_acts, require_director_for_write
from api.tournaments.schemas import (
    HourIn,
    HoursIn,
    PaperResult,
    SettlementIn,
    TableNamesIn,
    TablesIn,
)
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.settlement import CorrectionChoice, ways_to_settle_correction
from referee.events.tournament import (
    CorrectionSettled,
    HoursGiven,
    MeetingHeld,
    MeetingId,
    ResultTakenBack,
    ResultTold,
    TableCalled,
    TablesAssigned,
    TablesNamed,
)


class MovedData(msgspec.Struct, frozen=True):
    """A pair that moves in the table: places and points before and after."""

    pair: Pair
    places: tuple[int, int]
    points: tuple[int, int]


class ChangedTieData(msgspec.Struct, frozen=True):
    """A tie with other pairs; none of a side that is not known."""

    bracket: str
    round: int
    place: int
    before: list[Pair | None]
    after: list[Pair | None]


class ChoiceData(msgspec.Struct, frozen=True):
    """A choice, and what it would change; ``problem``: why it cannot be taken."""

    what: str
    moved: list[MovedData]
    gone: list[MeetingId]
    new: list[MeetingId]
    void: list[MeetingId]
    to_play: list[MeetingId]
    changed: list[ChangedTieData]
    problem: str


class ChoicesData(msgspec.Struct, frozen=True):
    """What can be done about a result that changed too late; ``version``: to settle it with."""

    version: int
    meeting: MeetingId
    choices: list[ChoiceData]


blp = Noun(
    "tournament_meetings",
    __name__,
    url_prefix="/api/v1/tournaments",
    description="Meetings of tournaments",
)


@blp.route("/<uuid:tournament_id>/tables", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(TablesIn)
def assign_tables(body: Body, tournament_id: UUID) -> Response:
    """Give meetings their tables; without any named, the lowest free ones to whoever waits"""
    return response_to_write(
        record_tournament_acts(tournament_id, TablesAssigned(tuple(body["tables"].items())))
    )


@blp.route("/<uuid:tournament_id>/tables/names", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(TableNamesIn)
def name_tables(body: Body, tournament_id: UUID) -> Response:
    """What the club calls its tables, instead of what was said before"""
    with pending_texts() as put:
        return response_to_write(
            put.erase_if_replayed(
                record_tournament_acts(tournament_id, draft_table_names_act(body["names"], put))
            )
        )


def draft_table_names_act(names: Sequence[str], put: PendingTexts) -> TablesNamed:
    """Act that names tables; adds the names, without outer spaces, to the pending texts."""
    return TablesNamed(tuple(put.add_texts([one.strip() for one in names])))


@blp.route("/<uuid:tournament_id>/rounds/<int:number>/hours", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(HoursIn)
def spread_meetings_over_hours(body: Body, tournament_id: UUID, number: int) -> Response:
    """Spread the open meetings of a round over the hours of its shifts; without any, take them"""
    return response_to_write(
        record_tournament_acts(
            tournament_id, act_to_spread_over_hours(tournament_id, number, body["hours"])
        )
    )


def act_to_spread_over_hours(tournament_id: UUID, number: int, hours: Sequence[str]) -> HoursGiven:
    """The act that spreads the open meetings of a round over hours, in their order."""
    state = current_services().referee.tournaments.tournament(tournament_id)
    waiting = [one.id for one in state.meetings.values() if one.round == number and one.is_open]
    shifts = sorted(hours) or [""]
    each = (shifts[at * len(shifts) // len(waiting)] for at in range(len(waiting)))
    return HoursGiven(tuple(zip(waiting, each, strict=True)))


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/hour", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(HourIn)
def give_hour(body: Body, tournament_id: UUID, meeting: str) -> Response:
    """The hour of one meeting; empty for none"""
    return response_to_write(
        record_tournament_acts(tournament_id, HoursGiven(((meeting, body["hour"]),)))
    )


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/call", methods=["POST"])
@require_director_for_write(blp)
def call_meeting_to_table(tournament_id: UUID, meeting: str) -> Response:
    """Call both pairs of a meeting to their table"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, TableCalled(meeting)))


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/encuentro", methods=["POST"])
@require_director_for_write(blp, 201)
def open_encuentro(tournament_id: UUID, meeting: str) -> Response:
    """Open the encuentro of a meeting, its players seated; the tournament follows it"""
    rest.refuse_body()
    answer = current_services().referee.tournaments.open_meeting_encuentro(
        tournament_id, meeting, metadata_of_request(), g.expected_version
    )
    (held,) = (e.event for e in answer.events if isinstance(e.event, MeetingHeld))
    location = encuentro_api_address(UUID(held.encuentro))
    return response_to_write(answer, 201, location=location, encuentro=held.encuentro)


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/encuentro/calling-off", methods=["POST"])
@require_director_for_write(blp)
def call_off_encuentro(tournament_id: UUID, meeting: str) -> Response:
    """Call off the encuentro of a meeting at which nothing is recorded"""
    rest.refuse_body()
    return response_to_write(
        current_services().referee.tournaments.call_off_meeting_encuentro(
            tournament_id, meeting, metadata_of_request(), g.expected_version
        )
    )


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/result", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(PaperResult)
def tell_result(body: Body, tournament_id: UUID, meeting: str) -> Response:
    """The result of a meeting from paper"""
    act = ResultTold(
        meeting,
        body["winner"],
        tuple(body["cotos"]),
        tuple(body["partidas"]),
        body["is_walkover"],
    )
    return response_to_write(record_tournament_acts(tournament_id, act))


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/result/withdrawal", methods=["POST"])
@require_director_for_write(blp)
def take_result_back(tournament_id: UUID, meeting: str) -> Response:
    """The result of a meeting from paper does not stand, until something rests on it"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, ResultTakenBack(meeting)))


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/choices")
@guard.requires("tournaments:run")
@takes_headers_and_query()
@blp.response(200, register_answer_schema(ChoicesData))
def show_correction_choices(tournament_id: UUID, meeting: str) -> Response:
    """What can be done about a result that changed too late, and what each choice would change"""
    state = current_services().referee.tournaments.tournament(tournament_id)
    found = [choice_view(one) for one in ways_to_settle_correction(state, meeting)]
    return reply({"version": state.version, "meeting": meeting, "choices": found})


@blp.route("/<uuid:tournament_id>/meetings/<meeting>/settlement", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(SettlementIn)
def settle_correction(body: Body, tournament_id: UUID, meeting: str) -> Response:
    """Take one of the choices about a result that changed too late"""
    seen = body.get("winner")
    act = CorrectionSettled(meeting, body["what"], winner=seen, method="ahead")
    return response_to_write(record_tournament_acts(tournament_id, act))


@blp.route("/<uuid:tournament_id>/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(TrailPageData))
def show_audit_trail(query: Body, tournament_id: UUID) -> Response:
    """Who recorded what of a tournament, when and on which device"""
    await_position_in_request()
    current_services().referee.tournaments.tournament(tournament_id)
    return reply(trail_entries_from_cursor(tournament_id, query.get("cursor", ""), query["limit"]))


def choice_view(option: CorrectionChoice) -> ChoiceData:
    """A choice as JSON: its name, and its effect."""
    ties: list[ChangedTieData] = [
        ChangedTieData(
            bracket=tie[0],
            round=tie[1],
            place=tie[2],
            before=list(was),
            after=list(now),
        )
        for tie, was, now in option.changed
    ]
    return ChoiceData(
        what=option.act.what,
        moved=[
            MovedData(pair=one.pair, places=one.places, points=one.points) for one in option.moved
        ],
        gone=list(option.gone),
        new=list(option.new),
        void=list(option.void),
        to_play=list(option.to_play),
        changed=ties,
        problem=option.problem,
    )
