"""Import of a pasted or chosen text record.

Its faults or its replay are shown, and it may be kept as an encuentro.
"""

from __future__ import annotations

from uuid import UUID, uuid4

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.encuentros.record_import import (
    import_as_new_encuentro,
    read_encuentro_record,
    read_valid_record,
)
from api.html.pages import page
from api.http.access import guard
from api.http.bodies import MAX_BYTES
from api.http.languages import language
from api.http.problems import Problem
from api.http.services import current_services, metadata_without_key
from api.replay.pages import parse_optional_number, replay_page
from api.replay.replays import ReplayRequest, replay_of
from api.replay.texts import (
    RecordErrorData,
    import_fault_in_words,
    record_errors_with_words,
    replay_source_of_record,
)
from referee.errors import Stale
from referee.record import BadRecord
from referee.record.profiles import CannotImport

blp = Blueprint("replay_import", __name__)


@blp.get("/repeticion/importar")
@guard.requires("read")
def show_import_form() -> Response:
    """The form for a text record"""
    return page("replay/replay_import.html", text="", errors=[], fault=None)


@blp.post("/repeticion/importar")
@guard.requires("read")
def show_pasted_replay() -> Response:
    """The replay of what was pasted, or what is wrong with it"""
    content = _text_in_form()
    number = parse_optional_number(request.form.get("partida", ""))
    try:
        record = read_valid_record(content)
        source = replay_source_of_record(record, number)
    except BadRecord as bad:
        return _refusal_page(content, errors=record_errors_with_words(bad, content, language()))
    except LookupError:
        return _refusal_page(content, fault=CannotImport("no_partida", "", ""))
    text = content.decode("utf-8-sig")
    partidas = [one.number for one in record.partidas]
    return replay_page(
        replay_of(source, ReplayRequest()), "", text=text, partidas=partidas, new=uuid4()
    )


@blp.post("/repeticion/importar/anotar")
@guard.requires("encuentros:open")
def keep_as_encuentro() -> AnyResponse:
    """Keep what was pasted as an encuentro, and show its replay"""
    content, new = _text_in_form(), _new_encuentro_id_in_form()
    meta = metadata_without_key()
    try:
        found = import_as_new_encuentro(
            current_services().referee,
            current_services().persons,
            read_encuentro_record(content),
            meta,
            new,
        )
    except Stale:  # the button was pressed twice
        found = new
    except BadRecord as bad:
        return _refusal_page(content, errors=record_errors_with_words(bad, content, language()))
    except CannotImport as cannot:
        return _refusal_page(content, fault=cannot)
    return redirect(url_for("pages.replays.show_replay", encuentro_id=found, n=1), 303)


def _new_encuentro_id_in_form() -> UUID:
    """The id, from a hidden field, that the encuentro will have once it is kept.

    :raises Problem: it is none
    """
    try:
        return UUID(request.form.get("new", ""))
    except ValueError:
        raise Problem("bad_request") from None


def _text_in_form() -> bytes:
    """The text record that was sent: the file if there is one, else what was pasted.

    :raises Problem: it is larger than a record can be
    """
    file = request.files.get("file")
    content = file.read(MAX_BYTES + 1) if file is not None and file.filename else b""
    content = content or request.form.get("text", "").encode()
    if len(content) > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES)
    return content


def _refusal_page(
    content: bytes,
    *,
    errors: list[RecordErrorData] | None = None,
    fault: CannotImport | None = None,
) -> Response:
    text = content.decode("utf-8-sig", "replace")
    reason = None if fault is None else import_fault_in_words(fault, language())
    return page(
        "replay/replay_import.html", text=text, errors=errors or [], fault=reason, status=422
    )
