"""Acts of a director over HTTP: entries, the draw, rounds."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Response, g

from api.http import people, rest
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Decorator,
    Noun,
    RouteT,
    answer_header_schemas,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import (
    PendingTexts,
    current_services,
    metadata_of_request,
    pending_texts,
    refuse_text_with_names,
    timestamp_now,
)
from api.profiles.rest import frozen_profile_of_request
from api.tournaments.entries import OrganisedEntriesData, entries_view
from api.tournaments.schemas import (
    AbsenceIn,
    ClockIn,
    Directed,
    DrawTakenBackIn,
    DrawToCommit,
    EntryFeeIn,
    PairsIn,
    PlayersIn,
    PriceIn,
    RepechageToCommit,
    TournamentIn,
    WordIn,
)
from api.tournaments.views import api_path_of_tournament
from referee.aggregates.tournament.entries import commitment_act_for_seed
from referee.aggregates.tournament.repechage import make_repechage_commitment
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament
from referee.errors import Refused
from referee.events.fees import Prize
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    ClockStarted,
    ClockStopped,
    DrawCommitted,
    DrawTakenBack,
    EntryFeeNoted,
    LotsDrawn,
    PairEntered,
    PairReturned,
    PairSubstituted,
    PairWithdrawn,
    PhaseBegun,
    RepechageCommitted,
    RepechageDrawn,
    RoundDrawn,
    RoundTakenBack,
    TournamentAct,
    TournamentCancelled,
    TournamentClosed,
    TournamentOpened,
    TournamentPlan,
    TournamentPriced,
    TournamentReopened,
)
from referee.log.streams import Answer, WriteMetadata

blp = Noun(
    "tournament_acts",
    __name__,
    url_prefix="/api/v1/tournaments",
    description="What directors do in tournaments",
)
_WRITE = answer_header_schemas(tag=True, replayed=True)


def require_director_for_write(noun: Noun, status: int = 200) -> Decorator:
    """Decorator for a write in a tournament, which needs permission to direct it."""

    def decorate(view: RouteT) -> RouteT:
        answered = noun.response(status, Directed, headers=_WRITE)(view)
        return guard.requires("tournaments:run")(
            takes_headers_and_query(key=True, match=True)(answered)
        )

    return decorate


def record_tournament_acts(tournament_id: UUID, *acts: TournamentAct) -> Answer:
    """Record acts of a tournament together."""
    return current_services().referee.tournaments.record(
        tournament_id, acts, metadata_of_request(), g.expected_version
    )


def _store_persons_of_body(
    given: list[dict[str, str]], put: PendingTexts, field: str = "players"
) -> tuple[str, ...]:
    """Ids of the persons in a body; new persons are stored."""
    return tuple(people.ids_of_persons(field, dict(enumerate(given)), put).values())


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True)
@blp.arguments(TournamentIn)
@blp.response(201, Directed, headers=_WRITE)
def open_tournament(body: Body) -> Response:
    """Open a tournament under a profile, which is frozen with it"""
    answer = open_tournament_from_body(body, metadata_of_request())
    return response_to_write(answer, 201, location=f"{prefix()}{api_path_of_tournament(answer.id)}")


def open_tournament_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a tournament from a body.

    :raises Refused: its plan is not playable
    """
    plan = msgspec.convert(body["plan"], TournamentPlan)
    with pending_texts() as put:
        act = TournamentOpened(
            put.add_text(body["name"]),
            frozen_profile_of_request(body),
            plan,
            put.add_text(body.get("place", "")),
            body.get("date", ""),
            put.add_text(body.get("contact", "")),
        )
        return put.erase_if_replayed(current_services().referee.tournaments.open(act, asked))


# --- who takes part ------------------------------------------------------------------------------


@blp.route("/<uuid:tournament_id>/pairs", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(PairsIn)
def enter_pairs(body: Body, tournament_id: UUID) -> Response:
    """Enter pairs, all or none; after the draw since the next round"""
    with pending_texts() as put:
        acts = [
            PairEntered("", _store_persons_of_body(one["players"], put, "pairs"), one["strength"])
            for one in body["pairs"]
        ]
        answer = put.erase_if_replayed(record_tournament_acts(tournament_id, *acts))
    entered = [e.event.pair for e in answer.events if isinstance(e.event, PairEntered)]
    return response_to_write(answer, pairs=entered)


@blp.route("/<uuid:tournament_id>/pairs/<pair>/substitution", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(PlayersIn)
def substitute_players(body: Body, tournament_id: UUID, pair: str) -> Response:
    """Have other players play for a pair from now on"""
    with pending_texts() as put:
        act = PairSubstituted(pair, _store_persons_of_body(body["players"], put))
        answer = put.erase_if_replayed(record_tournament_acts(tournament_id, act))
    return response_to_write(answer)


@blp.route("/<uuid:tournament_id>/pairs/<pair>/withdrawal", methods=["POST"])
@require_director_for_write(blp)
def withdraw_pair(tournament_id: UUID, pair: str) -> Response:
    """Withdraw a pair, which plays no more"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, PairWithdrawn(pair)))


@blp.route("/<uuid:tournament_id>/pairs/<pair>/return", methods=["POST"])
@require_director_for_write(blp)
def readmit_pair(tournament_id: UUID, pair: str) -> Response:
    """Let a pair that had withdrawn play on, until the next draw"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, PairReturned(pair)))


@blp.route("/<uuid:tournament_id>/pairs/<pair>/absences", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(AbsenceIn)
def note_absence(body: Body, tournament_id: UUID, pair: str) -> Response:
    """Note that a pair is not there in a round"""
    return response_to_write(
        record_tournament_acts(tournament_id, AbsenceNoted(pair, body["round"]))
    )


@blp.route("/<uuid:tournament_id>/pairs/<pair>/absences/withdrawal", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(AbsenceIn)
def withdraw_absence(body: Body, tournament_id: UUID, pair: str) -> Response:
    """Note that a pair is there after all; a meeting that it lost by that is to be played"""
    return response_to_write(
        record_tournament_acts(tournament_id, AbsenceWithdrawn(pair, body["round"]))
    )


@blp.route("/<uuid:tournament_id>/entries")
@guard.requires("tournaments:run")
@takes_headers_and_query()
@blp.response(200, register_answer_schema(OrganisedEntriesData))
def show_entries_to_organiser(tournament_id: UUID) -> Response:
    """Entries for the organiser: who is in, waits or has left, from which bar, and who has paid"""
    return reply(entries_view(tournament_id))


@blp.route("/<uuid:tournament_id>/pairs/<pair>/payment", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(EntryFeeIn)
def note_payment(body: Body, tournament_id: UUID, pair: str) -> Response:
    """Note whether a pair has paid to take part"""
    return response_to_write(
        record_tournament_acts(tournament_id, EntryFeeNoted(pair, body["paid"]))
    )


@blp.route("/<uuid:tournament_id>/price", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(PriceIn)
def set_fee_and_prizes(body: Body, tournament_id: UUID) -> Response:
    """Set what a pair pays, and what each place is worth, instead of what was said before"""
    with pending_texts() as put:
        return response_to_write(
            put.erase_if_replayed(
                record_tournament_acts(tournament_id, fee_and_prizes_act_of_body(body, put))
            )
        )


def fee_and_prizes_act_of_body(body: Body, put: PendingTexts) -> TournamentPriced:
    """The act that says fee and prizes."""
    words = put.add_texts([one.get("words", "") for one in body["prizes"]])
    amounts = (one.get("amount", 0) for one in body["prizes"])
    prizes = tuple(Prize(*one) for one in zip(amounts, words, strict=True))
    return TournamentPriced(body["fee"], prizes)


# --- the draw ------------------------------------------------------------------------------------


@blp.route("/<uuid:tournament_id>/draw", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(DrawToCommit)
def commit_to_draw(body: Body, tournament_id: UUID) -> Response:
    """Commit to a seed, which stays sealed until the lots are drawn"""
    with pending_texts() as put:
        answer = put.erase_if_replayed(
            record_tournament_acts(tournament_id, commitment_act(tournament_id, body, put))
        )
    (committed,) = (e.event for e in answer.events if isinstance(e.event, DrawCommitted))
    return response_to_write(answer, commitment=committed.commitment)


@blp.route("/<uuid:tournament_id>/lots", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(WordIn)
def draw_lots(body: Body, tournament_id: UUID) -> Response:
    """Reveal the seed and draw; with the word, if one was to be said"""
    return response_to_write(
        record_tournament_acts(tournament_id, reveal_act(tournament_id, body.get("word", "")))
    )


@blp.route("/<uuid:tournament_id>/draw/withdrawal", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(DrawTakenBackIn)
def take_draw_back(body: Body, tournament_id: UUID) -> Response:
    """Take back the draw, before the first result; what was published of it stays in view"""
    with pending_texts() as put:
        return response_to_write(
            put.erase_if_replayed(
                record_tournament_acts(tournament_id, DrawTakenBack(put.add_text(body["reason"])))
            )
        )


def commitment_act(tournament_id: UUID, body: Body, put: PendingTexts) -> DrawCommitted:
    """The act that commits to a new seed; the body says ``heads``, ``word_from``, ``apart``.

    :raises Refused: the draw is not possible
    """
    seed, state = current_services().draw_seed(), state_of(tournament_id)
    (text, source), seeded = put.add_texts([seed, body.get("word_from", "")]), body["heads"]
    apart, about = tuple(map(tuple, body.get("apart", ()))), (str(tournament_id), (), "", text)
    draft = DrawCommitted(*about, seeded, word_source=source, apart=apart)
    return commitment_act_for_seed(state, draft, seed)


def reveal_act(tournament_id: UUID, word: str) -> LotsDrawn:
    """The act that reveals the seed that was committed to, and draws.

    :raises Refused: the seed was erased
    :raises Problem: the word names somebody
    """
    refuse_text_with_names("word", word)
    return LotsDrawn(_seed_of_commitment(state_of(tournament_id).committed), word)


def _seed_of_commitment(sealed: DrawCommitted | RepechageCommitted | None) -> str:
    """The seed that was committed to; empty if there is none.

    :raises Refused: it was erased
    """
    seed = "" if sealed is None else current_services().persons.text_by_id(sealed.seed)
    if seed is None:
        raise Refused(TournamentRule.SEED_MISSING)
    return seed


def state_of(tournament_id: UUID) -> Tournament:
    """State of a tournament, from the log."""
    return current_services().referee.tournaments.tournament(tournament_id)


@blp.route("/<uuid:tournament_id>/repechage", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(RepechageToCommit)
def commit_to_repechage(body: Body, tournament_id: UUID) -> Response:
    """Commit to a seed by which the losers of round one are drawn"""
    with pending_texts() as put:
        source = body.get("word_from", "")
        answer = put.erase_if_replayed(
            record_tournament_acts(
                tournament_id, repechage_commitment_act(tournament_id, source, put)
            )
        )
    (committed,) = (e.event for e in answer.events if isinstance(e.event, RepechageCommitted))
    return response_to_write(answer, commitment=committed.commitment)


@blp.route("/<uuid:tournament_id>/repechage/lots", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(WordIn)
def draw_repechage(body: Body, tournament_id: UUID) -> Response:
    """Reveal that seed and draw who plays on"""
    act = repechage_reveal_act(tournament_id, body.get("word", ""))
    return response_to_write(record_tournament_acts(tournament_id, act))


def repechage_commitment_act(
    tournament_id: UUID, word_from: str, put: PendingTexts
) -> RepechageCommitted:
    """The act that commits to a new seed for the repechage.

    :raises Refused: it is not possible now
    """
    seed = current_services().draw_seed()
    text, source = put.add_texts([seed, word_from])
    draft = RepechageCommitted(str(tournament_id), (), "", text, source)
    return make_repechage_commitment(state_of(tournament_id), draft, seed)


def repechage_reveal_act(tournament_id: UUID, word: str) -> RepechageDrawn:
    """The act that draws the repechage by the seed that was committed to.

    :raises Refused: the seed was erased
    :raises Problem: the word names somebody
    """
    refuse_text_with_names("word", word)
    return RepechageDrawn(_seed_of_commitment(state_of(tournament_id).repechage), word)


# --- rounds --------------------------------------------------------------------------------------


@blp.route("/<uuid:tournament_id>/rounds", methods=["POST"])
@require_director_for_write(blp)
def draw_round(tournament_id: UUID) -> Response:
    """Draw the next round of a Swiss tournament, of groups or of a round robin"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, RoundDrawn(0, method="ahead")))


@blp.route("/<uuid:tournament_id>/rounds/<int:number>/withdrawal", methods=["POST"])
@require_director_for_write(blp)
def take_round_back(tournament_id: UUID, number: int) -> Response:
    """Take back the round drawn last, until something is recorded in it"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, RoundTakenBack(number)))


@blp.route("/<uuid:tournament_id>/knock-out", methods=["POST"])
@require_director_for_write(blp)
def begin_knock_out(tournament_id: UUID) -> Response:
    """Begin the knock-out of those whom the groups send on"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, PhaseBegun()))


@blp.route("/<uuid:tournament_id>/rounds/<int:number>/clock", methods=["POST"])
@require_director_for_write(blp)
@blp.arguments(ClockIn)
def start_clock(body: Body, tournament_id: UUID, number: int) -> Response:
    """Start the clock of a round"""
    act = ClockStarted(number, body["minutes"], timestamp_now())
    return response_to_write(record_tournament_acts(tournament_id, act))


@blp.route("/<uuid:tournament_id>/rounds/<int:number>/clock/stop", methods=["POST"])
@require_director_for_write(blp)
def stop_clock(tournament_id: UUID, number: int) -> Response:
    """Stop the clock of a round"""
    rest.refuse_body()
    return response_to_write(
        record_tournament_acts(tournament_id, ClockStopped(number, timestamp_now()))
    )


@blp.route("/<uuid:tournament_id>/closing", methods=["POST"])
@require_director_for_write(blp)
def close(tournament_id: UUID) -> Response:
    """Close a tournament that is over"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, TournamentClosed()))


@blp.route("/<uuid:tournament_id>/cancellation", methods=["POST"])
@require_director_for_write(blp)
def cancel(tournament_id: UUID) -> Response:
    """Cancel a tournament, before it begins or on the way"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, TournamentCancelled()))


@blp.route("/<uuid:tournament_id>/reopening", methods=["POST"])
@require_director_for_write(blp)
def reopen(tournament_id: UUID) -> Response:
    """Open a closed or cancelled tournament again"""
    rest.refuse_body()
    return response_to_write(record_tournament_acts(tournament_id, TournamentReopened()))
