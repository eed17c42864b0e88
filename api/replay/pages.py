"""Pages of the replay: a disputed hand step by step, its QR code, and the same as one file."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import segno
from flask import Blueprint, Response, request, url_for

from api.html.addresses import origin_for_others, url_for_others
from api.html.pages import page
from api.http.access import guard, records, security_headers
from api.http.languages import language, use_card_pack
from api.http.problems import Problem
from api.http.table_names import use_table_names
from api.replay.file import card_symbols_of_replay, replay_html, replay_texts
from api.replay.replays import (
    ReplayData,
    ReplayRequest,
    is_partida_decided,
    replay_of,
    replay_source_of_partida,
    table_names_of_replay,
)
from referee.analysis.engine import wasm_base64

blp = Blueprint("replays", __name__)
_PLACE = "/repeticion/<uuid:encuentro_id>/<int(min=1,max=9999):n>"
_LARGEST = 6


def parse_optional_number(sent: str) -> int | None:
    """A number of a line or a partida in a request; None if the text is empty.

    :raises Problem: it is not a possible number
    """
    if not sent:
        return None
    if not (sent.isascii() and sent.isdigit() and len(sent) <= _LARGEST):
        raise Problem("not_found")
    return int(sent)


def replay_of_request(encuentro_id: UUID, n: int) -> ReplayData:
    """The data of the replay that a request asks for.

    Up to which line, from which seat, by which rules.

    :raises NotFound: there is no such partida, or no such line in it
    """
    upto = parse_optional_number(request.args.get("hasta", ""))
    asked = ReplayRequest(request.args.get("puesto", ""), request.args.get("normas", ""))
    return replay_of(replay_source_of_partida(encuentro_id, n, upto), asked)


@blp.get(_PLACE)
@guard.requires("read")
@records.open_record_when(is_partida_decided)
def show_replay(encuentro_id: UUID, n: int) -> Response:
    """A partida step by step; with ``?marco=1`` to stand in a page of somebody else"""
    framed = request.args.get("marco") == "1"
    place = url_for("pages.replays.show_replay", encuentro_id=encuentro_id, n=n)
    made = replay_page(replay_of_request(encuentro_id, n), place, framed=framed)
    if framed:
        made.headers["Content-Security-Policy"] = security_headers.POLICY_IN_A_FRAME
    return made


def replay_page(
    replay: ReplayData,
    place: str,
    *,
    framed: bool = False,
    template: str = "replay/replay.html",
    **more: Any,
) -> Response:
    """The page of a replay; ``place`` is its address, empty if it is not stored."""
    chosen = {
        name: request.args[name]
        for name in ("linea", "puesto", "normas", "hasta")
        if request.args.get(name)
    }
    chain = urlencode(chosen)
    query = f"?{chain}" if chain else ""
    with use_card_pack(replay.pack), use_table_names(table_names_of_replay(replay)):
        return page(
            template,
            replay=replay,
            spoken=replay_texts(replay, language()),
            drawings=card_symbols_of_replay(replay),
            engine=wasm_base64() if replay.arrastres else "",
            place=place,
            framed=framed,
            wishes=bool(place),
            line=chosen.get("linea", ""),
            query=query,
            link=f"{origin_for_others()}{place}{query}",
            kept=f"&{chain}" if chain else "",
            **more,
        )


@blp.get(f"{_PLACE}/fichero")
@guard.requires("read")
@records.open_record_when(is_partida_decided)
def download_replay(encuentro_id: UUID, n: int) -> Response:
    """The replay as one file, to be kept"""
    made = Response(
        replay_html(replay_of_request(encuentro_id, n)), content_type="text/html; charset=utf-8"
    )
    made.headers["Content-Disposition"] = f'attachment; filename="partida-{n}.html"'
    made.headers["Cache-Control"] = "no-store"
    return made


@blp.get(f"{_PLACE}/qr.svg")
@guard.requires("read")
@records.open_record_when(is_partida_decided)
def show_replay_qr(encuentro_id: UUID, n: int) -> Response:
    """QR code with the address of a moment of a replay"""
    place = url_for_others("pages.replays.show_replay", encuentro_id=encuentro_id, n=n)
    line = parse_optional_number(request.args.get("linea", ""))
    picture = io.BytesIO()
    address = place if line is None else f"{place}?linea={line}"
    segno.make(address, error="m", micro=False).save(picture, kind="svg", border=2, scale=5)
    response = Response(picture.getvalue(), content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
