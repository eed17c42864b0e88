"""A list of players pasted or chosen as a file: what it would do first, then it is done."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from api import access, club_acts, club_reading, forms, players_csv
from api.club_acts import Entry
from api.faults import in_words
from api.forms import new_key, tried
from api.house import await_log, house
from api.i18n import language, say
from api.pages import page
from api.players import counted
from api.players_csv import BadFile, CellFault
from api.problems import Problem
from api.strict import MAX_BYTES

blp = Blueprint("player_import", __name__)


@blp.get("/jugadores/traer")
@access.needs("club:manage")
def ask() -> Response:
    """Where a list is pasted"""
    return _shown("")


@blp.post("/jugadores/traer")
@access.needs("club:manage")
def check() -> Response:
    """What a list would do, or what is wrong with it, with the list as it was; or it is done"""
    text = _text()
    try:
        read = players_csv.read_players(text)
    except BadFile as bad:
        return _shown(text, faults=[_told(one) for one in bad.faults], status=422)
    await_log()
    found = club_acts.entries(read.lines, club_reading.players())
    if request.form.get("take") != "yes":
        return _shown(text, found=found, ignored=read.ignored)
    meta, version = forms.meta_of_form(), forms.version_of("version")
    answer, wrong, status = tried(lambda: (club_acts.take(found, meta, version),))
    if answer is None:
        return _shown(text, found=found, ignored=read.ignored, wrong=wrong, status=status)
    return _shown("", taken=counted(found))


def _text() -> str:
    """The list that was sent, from the file if there is one.

    :raises Problem: it is larger than a list can be
    """
    file = request.files.get("file")
    content = file.read(MAX_BYTES + 1) if file is not None and file.filename else b""
    if len(content) > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES)
    return players_csv.decoded(content) if content else request.form.get("text", "")


def _told(one: CellFault) -> tuple[str, str]:
    """Where something is wrong, and what."""
    facts = {"line": one.line, "column": one.column}
    where = say("players.at" if one.column else "players.at_line", language(), **facts)
    return where, in_words([one.fault], language())[0]


def _shown(
    text: str, *, found: list[Entry] | None = None, status: int = 200, **values: Any
) -> Response:
    made = page(
        "players_import.html",
        text=text,
        found=found,
        counts=counted(found or []),
        version=house().referee.club().version,
        key=new_key(),
        **values,
    )
    made.status_code = status
    return made
