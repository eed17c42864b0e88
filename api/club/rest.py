"""Players and pairs of the club: listed, edited, merged, named; many at once as a table."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, g

from api.club import acts as club_acts
from api.club import players_csv, schemas
from api.club import views as club_views
from api.club.acts import ImportRow
from api.club.players_csv import BadFile, CellFault, PlayersFile
from api.http.access import guard
from api.http.access.security import note_security
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.rest import (
    POSITION_HEADER,
    Noun,
    answer_header_schemas,
    official_view_response,
    reply,
    takes_headers_and_query,
)
from api.http.rows import page_of_list
from api.http.services import (
    await_end_of_log,
    await_position_in_request,
    current_services,
    metadata_of_request,
)
from api.http.spreadsheets import print_csv
from referee.log.streams import Answer

blp = Noun("players", __name__, url_prefix="/api/v1", description="Players and pairs")
_PLAYER = "/players/<string(length=32):person_id>"
_WRITE = answer_header_schemas(tag=True, replayed=True)
CSV = "text/csv"


@blp.route("/players")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.arguments(schemas.PlayerQuery, location="query")
@blp.response(200, schemas.PlayerPage)
def list_players(query: Body) -> Response:
    """Players by name; ``q`` seeks beginnings of words of name, nickname and club"""
    await_position_in_request()
    found = [one.view() for one in club_views.players(query.get("q", ""))]
    return reply(page_of_list(found, query))


@blp.route("/players", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.PlayerIn)
@blp.response(201, schemas.Enrolled, headers=_WRITE)
def add_player(body: Body) -> Response:
    """Put a new player on the list"""
    return _reply_club_write(club_acts.record_new_player(body, metadata_of_request()), 201)


@blp.route(_PLAYER)
@guard.requires("read")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, schemas.PlayerView, headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_player(person_id: str) -> Response:
    """A player"""
    await_position_in_request()
    return official_view_response(club_views.player(person_id))


@blp.route(_PLAYER, methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.PlayerEditIn)
@blp.response(200, schemas.Enrolled, headers=_WRITE)
def edit_player(body: Body, person_id: str) -> Response:
    """Change the name, the nickname or the club of a player"""
    return _reply_club_write(
        club_acts.record_player_edit(person_id, body, metadata_of_request(), g.expected_version)
    )


@blp.route(f"{_PLAYER}/playing", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.PlaysIn)
@blp.response(200, schemas.Enrolled, headers=_WRITE)
def retire_or_return_player(body: Body, person_id: str) -> Response:
    """A player plays no more and is put aside, or plays again"""
    return _reply_club_write(
        club_acts.record_retirement_or_return(
            person_id, body["plays"], metadata_of_request(), g.expected_version
        )
    )


@blp.route("/players/merges", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.MergeIn)
@blp.response(200, schemas.Enrolled, headers=_WRITE)
def merge_players(body: Body) -> Response:
    """Merge two persons into one; this cannot be undone"""
    return _reply_club_write(club_acts.record_player_merge(body, metadata_of_request()))


@blp.route("/players/merges/preview", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query()
@blp.arguments(schemas.MergeIn)
@blp.response(200, schemas.MergePreview)
def preview_merge(body: Body) -> Response:
    """What a merge would join; nothing is recorded"""
    await_end_of_log()
    return reply(club_views.merge_preview(body["kept"], body["gone"]))


@blp.route("/players/file")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.response(200, {"type": "string"}, content_type=CSV)
def export_players() -> Response:
    """All players as a table for a spreadsheet"""
    await_position_in_request()
    return csv_response_of_players()


@blp.route("/players/file", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.FileIn)
@blp.response(200, schemas.Enrolled, headers=_WRITE)
def import_player_file(body: Body) -> Response:
    """Import the players of a file: all of them, or none if anything is wrong"""
    asked, version = metadata_of_request(), current_services().referee.players.club().version
    answer = club_acts.record_imported_players(_read_import(body["text"])[1], asked, version)
    if answer is None:
        nothing: dict[str, list[str]] = {"players": [], "pairs": []}
        return reply(
            {"version": version, "position": current_services().reads.position(), **nothing}
        )
    return _reply_club_write(answer)


@blp.route("/players/file/preview", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query()
@blp.arguments(schemas.FileIn)
@blp.response(200, schemas.ImportPreview)
def preview_player_import(body: Body) -> Response:
    """What a file would do, line by line; nothing is recorded"""
    version = current_services().referee.players.club().version
    read, found = _read_import(body["text"])
    lines = [
        {**one.line._asdict(), "state": one.state, "player": one.player, "before": one.before}
        for one in found
    ]
    counts = count_by_state(found)
    return reply({"version": version, "lines": lines, "counts": counts, "ignored": read.ignored})


@blp.route("/pairs")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.arguments(schemas.PlayerQuery, location="query")
@blp.response(200, schemas.PartnersPage)
def list_pairs(query: Body) -> Response:
    """Pairs by name; ``q`` finds beginnings of words of it and of the names of the players"""
    await_position_in_request()
    return reply(page_of_list(club_views.pairs(query.get("q", "")), query))


@blp.route("/pairs", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.PartnersIn)
@blp.response(201, schemas.Enrolled, headers=_WRITE)
def name_pair(body: Body) -> Response:
    """Name the pair of two players"""
    return _reply_club_write(club_acts.record_pair_name(body, metadata_of_request()), 201)


@blp.route("/pairs/<string(length=32):pair_id>", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.PairNameIn)
@blp.response(200, schemas.Enrolled, headers=_WRITE)
def rename_pair(body: Body, pair_id: str) -> Response:
    """Another name for a pair, or none"""
    named = club_acts.record_pair_rename(
        pair_id, body["name"], metadata_of_request(), g.expected_version
    )
    return _reply_club_write(named)


# --- shared with the pages -----------------------------------------------------------------------


def csv_response_of_players() -> Response:
    """Every player as a file for a spreadsheet, headings in the language of the reader."""
    note_security("exported", detail="players")
    rows = [(one.name, one.nickname, one.club) for one in club_views.players()]
    headings = [say(f"players.{one}", language()).lower() for one in players_csv.FIELDS]
    text = print_csv(headings, rows, language())
    response = Response(text, content_type=f"{CSV}; charset=utf-8")
    name = say("players.file_name", language())
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response.headers["Cache-Control"] = "no-store"
    return response


def count_by_state(found: list[ImportRow]) -> dict[str, int]:
    """Number of lines of each state."""
    states = [one.state for one in found]
    return {one: states.count(one) for one in ("new", "edited", "known", "repeated")}


def _read_import(text: str) -> tuple[PlayersFile, list[ImportRow]]:
    """The players of a file, and what the import would do with each line.

    :raises Problem: something in it is wrong; ``errors`` say where by line and column
    """
    try:
        read = players_csv.parse_players_file(text)
    except BadFile as bad:
        raise problem_of_cells(bad.faults) from None
    await_end_of_log()
    return read, club_acts.effects_of_import_lines(read.lines, club_views.players())


def problem_of_cells(faults: Sequence[CellFault]) -> Problem:
    """Problem for a table in a text; ``errors`` say what is wrong, by line and column."""
    errors: dict[str, dict[str, list[FieldFault]]] = {}
    for one in faults:
        errors.setdefault(str(one.line), {}).setdefault(str(one.column), []).append(one.fault)
    return Problem("invalid", errors={"json": {"text": errors}})


def _reply_club_write(answer: Answer, status: int = 200) -> Response:
    body = {
        "version": answer.version,
        "position": answer.position,
        **club_acts.player_and_pair_ids_of_answer(answer),
    }
    headers = {POSITION_HEADER: str(answer.position)}
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return reply(body, status, tag=answer.version, headers=headers)
