"""The pages of backups: the last one, another one, a second place, and a look into one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, Response, g, jsonify, request, send_file
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from api.backups.places import BackupPlaces, CannotBackUp, KeptBackup
from api.backups.releases import INSTALLATIONS, changes_of, installation, last_opening
from api.backups.uploads import LARGEST, Upload
from api.html.pages import page
from api.http import bodies, moments
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.languages import language, say, texts
from api.http.problems import Problem
from api.http.services import current_services, house_part
from api.uploads.pieces import BadUpload, OutOfTurn
from referee.release import RELEASE

blp = Blueprint("backups", __name__)
_OLD_DAYS: Final = 8
"""Age from which the last backup is too old for a club that plays each week."""
_ONE: Final = "/casa/copias/<string(length=24):name>"


@blp.get("/casa/copias")
@guard.requires("access:manage")
def show() -> Response:
    """Where the last backup lies and how old it is, and all that can be done about it"""
    return _every()


@blp.post("/casa/copias")
@guard.requires("access:manage")
def make() -> AnyResponse:
    """Make a backup; the page that follows downloads it."""
    try:
        name = _places().make(_now())
    except CannotBackUp as cannot:
        return _every(wrong="backups.cannot", why=str(cannot), status=503)
    note_security("exported", detail="backup")
    return redirect(f"{prefix()}/casa/copias?hecha={name}", 303)


@blp.post("/casa/copias/lugar")
@guard.requires("access:manage")
def choose() -> AnyResponse:
    """Choose a second place, in which one backup is kept each day, or none."""
    if _places().is_hosted:
        raise Problem("not_found")
    typed = request.form.get("place", "").replace("\0", "").strip()
    if fault := _places().choose(typed):
        return _every(wrong=f"backups.place_{fault}", typed=typed, status=422)
    note_security("settings_changed", detail="backup place")
    if typed:
        try:
            _places().keep_today(_now())
        except CannotBackUp as cannot:
            return _every(wrong="backups.cannot", why=str(cannot), status=503)
    return redirect(f"{prefix()}/casa/copias#lugar", 303)


@blp.post("/casa/copias/subida")
@guard.requires("access:manage")
def receive_piece() -> Response:
    """A piece of a backup from elsewhere; with the last one it is checked, and then listed"""
    asked = request.args
    try:
        at, size = (int(asked.get(one, "")) for one in ("at", "size"))
        upload = Upload(_places(), asked.get("id", ""), size)
        there = upload.add(at, bodies.body(request))
        if there < size:
            return _answer_to_upload(there=there)
        name = upload.finish(asked.get("name", ""), _now())
    except ValueError:
        raise Problem("bad_request") from None
    except OutOfTurn as turn:
        return _answer_to_upload(409, there=turn.there)
    except BadUpload as bad:
        said = say(f"backups.up_{bad.fault}", language(), most=LARGEST // 1024**2)
        return _answer_to_upload(422, wrong=said)
    note_security("settings_changed", detail="backup brought")
    return _answer_to_upload(page=f"{prefix()}/casa/copias/{name}")


def _answer_to_upload(status: int = 200, **values: str | int) -> Response:
    answer = jsonify(values)
    answer.status_code = status
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.get(f"{_ONE}/descarga")
@guard.requires("access:manage")
def download(name: str) -> Response:
    """A backup, as a file"""
    found = _backup_named(name)
    note_security("exported", detail="backup")
    answer = send_file(
        found.file, "application/octet-stream", as_attachment=True, download_name=found.name
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.get(_ONE)
@guard.requires("access:manage")
def show_contents(name: str) -> Response:
    """What is in a backup, and how it differs from what the house has now"""
    found = _backup_named(name)
    try:
        content, why = _places().content(found.file), ""
    except CannotBackUp as cannot:
        content, why = None, str(cannot)
    more = 0 if content is None else content.acts - content.acts_now
    may_restore = _places().may_restore() and content is not None and content.is_ours
    return page(
        "backups/backup.html",
        one=found,
        content=content,
        why=why,
        more=more,
        may_restore=may_restore and content is not None and content.opens,
    )


@blp.get(f"{_ONE}/vuelta")
@guard.requires("access:manage")
def ask(name: str) -> Response:
    """Whether this backup shall replace what the house has now"""
    return _ask(_backup_named(name))


@blp.post(f"{_ONE}/vuelta")
@guard.requires("access:manage")
def restore(name: str) -> Response:
    """Put a backup in the place of the house, which starts anew with it."""
    found = _backup_named(name)
    try:
        _places().restore(found.file, g.actor.by)
    except CannotBackUp as cannot:
        return _ask(found, why=str(cannot), status=422)
    return page("backups/restoring.html")


@blp.get("/casa/copias/vuelta")
@guard.requires("access:manage")
def wait() -> Response:
    """Whether the house is still to start with the backup, for the script of the page"""
    answer = jsonify(waits=_places().is_waiting())
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.get("/casa/copias/version")
@guard.requires("access:manage")
def release() -> Response:
    """What this release brought, what opened the data before it, and how to put in another one"""
    return page(
        "backups/release.html",
        release=RELEASE,
        opened=last_opening(_places().folder),
        own=installation(),
        kinds=INSTALLATIONS,
        changes=changes_of(RELEASE),
    )


def _ask(found: KeptBackup, why: str = "", status: int = 200) -> Response:
    if not _places().may_restore():
        raise Problem("not_found")
    lang = language()
    moment = moments.short_moment(found.moment, texts(lang))
    return page(
        "backups/ask.html",
        title=say("backups.restore", lang),
        says=[
            say("backups.restore_what", lang, moment=moment),
            say("backups.restore_before", lang),
            say("backups.restore_signed_out", lang),
        ],
        why=why,
        action=f"{prefix()}/casa/copias/{found.name}/vuelta",
        button=say("backups.restore_do", lang),
        back=f"{prefix()}/casa/copias/{found.name}",
        status=status,
    )


def _every(wrong: str = "", why: str = "", typed: str | None = None, status: int = 200) -> Response:
    places = _places()
    every, second = places.every(), places.second()
    days = (_now() - every[0].moment).days if every else 0
    made = next((one for one in every if one.name == request.args.get("hecha")), None)
    answer = page(
        "backups/backups.html",
        wrong=wrong,
        why=why,
        every=every,
        days=days,
        is_old=days >= _OLD_DAYS,
        made=made,
        second=second,
        typed=typed if typed is not None else str(second or ""),
        is_there=places.is_second_there(),
        is_same_disk=places.is_on_same_disk(),
        restored=places.last_restoration(),
        own=places.own,
        is_hosted=places.is_hosted,
        release=RELEASE,
    )
    if made is not None:
        answer.headers["Refresh"] = f"0; url=/casa/copias/{made.name}/descarga"
    answer.status_code = status
    return answer


def _places() -> BackupPlaces:
    found: BackupPlaces = house_part("backups")
    return found


def _backup_named(name: str) -> KeptBackup:
    found = _places().find(name)
    if found is None:
        raise Problem("not_found")
    return found


def _now() -> datetime:
    return current_services().clock().astimezone(UTC)
