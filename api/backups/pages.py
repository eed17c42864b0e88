"""Pages about backups.

The list, making one, the second folder, an upload, a look inside, a restoration.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, Response, g, jsonify, request, send_file
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from api.backups.places import (
    BackupPlaces,
    CannotBackUp,
    KeptBackup,
    backup_name,
    backups_by_moment,
    moment_in_file_name,
)
from api.backups.releases import (
    INSTALLATIONS,
    changelog_of_release,
    installation_kind,
    read_last_opening_or_none,
)
from api.html.pages import page
from api.http import bodies, moments
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.languages import language, say, texts_of_language
from api.http.problems import Problem
from api.http.services import current_services, house_component_or_none
from api.uploads.pieces import BadUpload, OutOfTurn, PiecedFile
from referee.release import RELEASE

LARGEST: Final = 1024 * 1024 * 1024
_MOST_KEPT: Final = 5


class Upload(PiecedFile):
    """A backup file that is uploaded in pieces."""

    def __init__(self, places: BackupPlaces, one: str, size: int) -> None:
        """Begin, or go on.

        :raises BadUpload: it can never be taken
        """
        super().__init__(places.brought, one, size, LARGEST)
        self._places = places

    def check_and_keep(self, called: str, now: datetime) -> str:
        """Check the whole file, keep it, and return its new name.

        ``called``: Its name where it came from.

        :raises BadUpload: it is of no use, and nothing is left of it
        """
        try:
            content = self._places.content(self.file)
            if not content.is_ours:
                raise BadUpload("other_house")
        except CannotBackUp as cannot:
            raise BadUpload(cannot.fault) from None
        else:
            moment = moment_in_file_name(called) or now
            while self._places.find_backup(backup_name(moment)):
                moment += timedelta(seconds=1)
            self.file.replace(self._places.brought / backup_name(moment))
            self._delete_all_but_newest()
            return backup_name(moment)
        finally:
            self.drop()

    def _delete_all_but_newest(self) -> None:
        """Delete the backups that were uploaded first, so that only the last few stay."""
        kept = sorted(
            backups_by_moment(self._places.brought).values(), key=lambda file: file.stat().st_mtime
        )
        for file in kept[:-_MOST_KEPT]:
            file.unlink(missing_ok=True)


blp = Blueprint("backups", __name__)
_OLD_DAYS: Final = 8
"""Age from which the last backup is too old for a club that plays each week."""
_ONE: Final = "/casa/copias/<string(length=24):name>"


@blp.get("/casa/copias")
@guard.requires("access:manage")
def show() -> Response:
    """Where the last backup lies and how old it is, and all that can be done about it"""
    return _backups_page()


@blp.post("/casa/copias")
@guard.requires("access:manage")
def make() -> AnyResponse:
    """Make a backup; the page that follows downloads it."""
    try:
        name = _backup_places().make_backup(_now())
    except CannotBackUp as cannot:
        return _backups_page(wrong="backups.cannot", why=str(cannot), status=503)
    note_security("exported", detail="backup")
    return redirect(f"{prefix()}/casa/copias?hecha={name}", 303)


@blp.post("/casa/copias/lugar")
@guard.requires("access:manage")
def choose_daily_backup_folder() -> AnyResponse:
    """Choose a second folder that gets one backup a day, or choose that there is none."""
    if _backup_places().is_hosted:
        raise Problem("not_found")
    typed = request.form.get("place", "").replace("\0", "").strip()
    if fault := _backup_places().choose_daily_backup_folder_or_fault(typed):
        return _backups_page(wrong=f"backups.place_{fault}", typed=typed, status=422)
    note_security("settings_changed", detail="backup place")
    if typed:
        try:
            _backup_places().make_daily_backup_if_due(_now())
        except CannotBackUp as cannot:
            return _backups_page(wrong="backups.cannot", why=str(cannot), status=503)
    return redirect(f"{prefix()}/casa/copias#lugar", 303)


@blp.post("/casa/copias/subida")
@guard.requires("access:manage")
def receive_piece() -> Response:
    """Receive a piece of a backup that is uploaded; after the last one it is checked and listed"""
    asked = request.args
    try:
        at, size = (int(asked.get(one, "")) for one in ("at", "size"))
        upload = Upload(_backup_places(), asked.get("id", ""), size)
        there = upload.add(at, bodies.raw_body(request))
        if there < size:
            return _answer_to_upload(there=there)
        name = upload.check_and_keep(asked.get("name", ""), _now())
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
        content, why = _backup_places().content(found.file), ""
    except CannotBackUp as cannot:
        content, why = None, str(cannot)
    more = 0 if content is None else content.acts - content.acts_now
    may_restore = (
        _backup_places().is_restoration_possible() and content is not None and content.is_ours
    )
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
def ask_to_restore(name: str) -> Response:
    """Ask whether this backup shall replace all data of the club"""
    return _restore_confirmation_page(_backup_named(name))


@blp.post(f"{_ONE}/vuelta")
@guard.requires("access:manage")
def restore(name: str) -> Response:
    """Replace all data of the club by a backup; the service restarts with it."""
    found = _backup_named(name)
    try:
        _backup_places().restore_by_restart(found.file, g.actor.by)
    except CannotBackUp as cannot:
        return _restore_confirmation_page(found, why=str(cannot), status=422)
    return page("backups/restoring.html")


@blp.get("/casa/copias/vuelta")
@guard.requires("access:manage")
def restoration_state() -> Response:
    """Whether the restart with the backup is still to come, as JSON for the script of the page"""
    answer = jsonify(waits=_backup_places().is_restoration_due())
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.get("/casa/copias/version")
@guard.requires("access:manage")
def release_page() -> Response:
    """What this release brought, which one was here before, and how to install another one"""
    return page(
        "backups/release.html",
        release=RELEASE,
        opened=read_last_opening_or_none(_backup_places().folder),
        own=installation_kind(),
        kinds=INSTALLATIONS,
        changes=changelog_of_release(RELEASE),
    )


def _restore_confirmation_page(found: KeptBackup, why: str = "", status: int = 200) -> Response:
    if not _backup_places().is_restoration_possible():
        raise Problem("not_found")
    lang = language()
    moment = moments.short_moment(found.moment, texts_of_language(lang))
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


def _backups_page(
    wrong: str = "", why: str = "", typed: str | None = None, status: int = 200
) -> Response:
    places = _backup_places()
    every, second = places.every_backup(), places.daily_backup_folder()
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
        is_there=places.is_second_writable(),
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


def _backup_places() -> BackupPlaces:
    found: BackupPlaces = house_component_or_none("backups")
    return found


def _backup_named(name: str) -> KeptBackup:
    found = _backup_places().find_backup(name)
    if found is None:
        raise Problem("not_found")
    return found


def _now() -> datetime:
    return current_services().clock().astimezone(UTC)
