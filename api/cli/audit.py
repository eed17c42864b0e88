"""Commands of the audit: the notary, proofs, verification without a network."""

from __future__ import annotations

import base64
import io
import logging
import select
import shutil
import signal
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import UUID

import click
import msgspec
import segno

from api.cli.bench import print_json
from api.cli.data import progress_bar
from api.cli.security import note_command
from api.http.languages import say
from api.monitoring.log_lines import set_up_logging
from api.server import wiring
from api.server.data_folder import Files
from api.server.own_schema import LOG
from api.server.side_processes import DEFAULT_NOTARY, NOTARY_VARIABLE
from api.server.signer import Signer, notary_of_house
from referee.audit.auditor import (
    Auditor,
    AuditResult,
    TrustedNotes,
    audit_log_from_start,
    audit_proof,
)
from referee.audit.checkpoint import BadCheckpoint, LogKey, read_key, split_notes
from referee.audit.notary import (
    KEY,
    OF_ANOTHER,
    NotaryRefusal,
    refuse_retired,
)
from referee.audit.proofs import NotSigned
from referee.audit.publication import Published
from referee.audit.resguardo import BadResguardo, read_resguardo, resguardo_from_proof
from referee.errors import NotFound
from referee.log.ports import Address
from referee.log.stores import is_postgres

INCOMPLETE = 3
"""Exit code for a proof in which nothing is altered, and which lacks something."""
ANOTHER_SIGNS = 4
"""Exit code of a notary that did not sign since another one signs the log."""


_log = logging.getLogger(__name__)


# --- the notary ----------------------------------------------------------------------------------


@click.command()
@click.option(
    "--keys",
    envvar=NOTARY_VARIABLE,
    default=DEFAULT_NOTARY,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the private key and of every checkpoint; not in the data folder.",
)
@click.option("--origin", help="Name of the log, such as club.example/mesas; needed once.")
@click.option(
    "--every", type=click.FloatRange(min=1), metavar="SECONDS", help="Sign again and again."
)
@click.option("--once", is_flag=True, help="Sign now and end; so it does without --every.")
@click.option(
    "--new-key", is_flag=True, help="Sign though the log names another key, whose folder is lost."
)
@click.option("--retire", is_flag=True, help="Destroy its key, which another one has replaced.")
@click.option("--attached", is_flag=True, hidden=True, help="End with standard input.")
@click.option("--url", help="Where to send each checkpoint as well (POST, text/plain).")
@click.pass_context
def notary(  # noqa: PLR0913 - an option each
    context: click.Context,
    *,
    keys: Path,
    origin: str | None,
    every: float | None,
    once: bool,
    new_key: bool,
    retire: bool,
    attached: bool,
    url: str | None,
) -> None:
    """Sign the log as it is now, unless it no longer continues the log that was signed before."""
    where = wiring.files_of_folder(context.obj)
    _refuse_bad_options(where, keys, url, retire=retire)
    if attached:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
        set_up_logging()
    try:
        with (
            closing(Published(where.log, where.folder)) as published,
            closing(notary_of_house(where, keys, origin, published, is_new=new_key)) as found,
        ):
            refuse_retired(keys)
            if retire:
                found.retire_replaced_notary()
                published.put_idle_reason("")
            else:
                signer = Signer(found, where, url, tell=print_json, is_attached=attached)
                if once or every is None:
                    signer.sign(None)
                else:
                    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
                    wait = partial(_wait_and_check_server_end, every, attached=attached)
                    signer.sign_repeatedly(published, wait)
    except NotaryRefusal as refusal:
        print_json({"error": {"code": refusal.code, "at": refusal.difference}})
        if attached:
            _log.error("the notary does not sign: %s", refusal.code)
        context.exit(ANOTHER_SIGNS if refusal.code in {*OF_ANOTHER, "retired"} else 1)


def _refuse_bad_options(where: Files, keys: Path, url: str | None, *, retire: bool) -> None:
    """Refuse a key in the data folder, an address that is no URL, and no key to retire."""
    if keys.resolve().is_relative_to(where.folder.resolve()):
        raise click.ClickException("the key must not lie in the data folder")
    if url is not None and not url.startswith(("https://", "http://")):
        raise click.BadParameter("must begin with https:// or http://", param_hint="--url")
    if retire and not (keys / KEY).exists():
        raise click.ClickException(f"no notary in {keys}")


def _wait_and_check_server_end(every: float, *, attached: bool) -> bool:
    """Wait until the next signature is due; returns whether the server beside has ended."""
    if attached:
        return bool(select.select([sys.stdin], [], [], every)[0])
    time.sleep(every)
    return False


# --- what is shown -------------------------------------------------------------------------------


@click.group()
def audit() -> None:
    """The record nobody can alter unseen: proofs, checkpoints, verification."""


@contextmanager
def _open_auditor(data: Path) -> Iterator[Auditor]:
    where = wiring.files_of_folder(data)
    with closing(Auditor(where.log, where.folder)) as found:
        try:
            yield found
        except NotSigned:
            raise click.ClickException("nothing is signed yet: guinote notary --once") from None
        except NotFound as missing:
            raise click.ClickException(f"no encuentro {missing}") from None


@audit.command("checkpoint")
@click.pass_obj
def print_checkpoint(data: Path) -> None:
    """Print the latest checkpoint."""
    with _open_auditor(data) as found:
        click.echo(found.require_checkpoint_text(), nl=False)


@audit.command("key")
@click.pass_obj
def print_public_key(data: Path) -> None:
    """Print the public key, for the wall."""
    with _open_auditor(data) as found:
        click.echo(found.require_key_text(), nl=False)


@audit.command("prove")
@click.argument("encuentro", type=click.UUID)
@click.pass_obj
def print_proof_of_encuentro(data: Path, encuentro: UUID) -> None:
    """Print the proof file of an encuentro."""
    with _open_auditor(data) as found:
        click.echo(
            msgspec.json.format(msgspec.json.encode(found.prove_encuentro(encuentro)), indent=1)
        )
    note_command(data, "exported", about=str(encuentro), detail="proof")


@audit.command("qr")
@click.argument("encuentro", type=click.UUID)
@click.option("--text", is_flag=True, help="The line itself, without the picture.")
@click.pass_obj
def print_resguardo_qr(data: Path, encuentro: UUID, *, text: bool) -> None:
    """Print the resguardo of an encuentro as a QR code (SVG)."""
    with _open_auditor(data) as found:
        line = resguardo_from_proof(found.prove_encuentro(encuentro)).text
    if text:
        click.echo(line)
        return
    picture = io.BytesIO()
    segno.make(line, error="m", micro=False).save(picture, kind="svg", scale=4)
    click.echo(picture.getvalue().decode(), nl=False)


# --- verification --------------------------------------------------------------------------------


@audit.command("verify")
@click.argument("target", required=False, metavar="[FILE|STORE]")
@click.option("--key", "key_text", metavar="KEY|FILE", help="Public key, as on the wall.")
@click.option("--checkpoint", "notes", multiple=True, type=click.File(encoding="utf-8"))
@click.option("--resguardo", "held", multiple=True, metavar="TEXT|FILE", help="From a QR code.")
@click.pass_context
def verify_log_or_proof(
    context: click.Context,
    *,
    target: str | None,
    key_text: str | None,
    notes: tuple[io.TextIOBase, ...],
    held: tuple[str, ...],
) -> None:
    """Verify a log, a backup or a proof file; each difference is a JSON line, the last the sum.

    The exit code is 1 for differences, and 3 if there are none but a proof lacks something.
    Acts of one principal where the law wants two are lines too, in words; they are no differences.
    """
    kept = _key_notes_and_resguardos(key_text, notes, held)
    if kept.key is None and (kept.notes or kept.resguardos):
        raise click.UsageError("--checkpoint and --resguardo need --key")
    with _proof_bytes_or_log_address(context.obj, target) as found:
        if isinstance(found, bytes):
            audited = audit_proof(found, kept)
        else:
            if not kept.notes and not kept.resguardos:
                click.echo("no checkpoint: a log written anew as a whole is not found", err=True)
            with progress_bar("audit") as report:
                audited = audit_log_from_start(found, kept, report)
    _print_audit_result(audited)
    context.exit(1 if audited.wrong else INCOMPLETE if audited.missing else 0)


def _print_audit_result(audited: AuditResult) -> None:
    for one in (*audited.wrong, *audited.missing):
        print_json(one)
    for noted in audited.noted:
        words = say(f"one_principal.{noted.noted}", "en", side=noted.side)
        print_json({**msgspec.structs.asdict(noted), "words": words})
    print_json(
        {
            "events": audited.events,
            "root": base64.b64encode(audited.root).decode(),
            "checkpoints": audited.checkpoints,
            "differences": len(audited.wrong),
            "missing": len(audited.missing),
        }
    )


def _key_notes_and_resguardos(
    key_text: str | None, notes: tuple[io.TextIOBase, ...], held: tuple[str, ...]
) -> TrustedNotes:
    key: LogKey | None = None
    try:
        if key_text is not None:
            key = read_key(_read_text_or_file(key_text))
        resguardos = tuple(read_resguardo(_read_text_or_file(one)) for one in held)
    except BadCheckpoint:
        raise click.BadParameter("no public key", param_hint="--key") from None
    except BadResguardo:
        raise click.BadParameter("no resguardo", param_hint="--resguardo") from None
    every = tuple(note for file in notes for note in split_notes(file.read()) or [""])
    return TrustedNotes(key, every, resguardos)


def _read_text_or_file(text: str) -> str:
    is_said = "+" in text or " " in text
    try:
        return text if is_said else Path(text).read_text("utf-8")
    except (OSError, UnicodeError):
        raise click.ClickException(f"{text} cannot be read") from None


@contextmanager
def _proof_bytes_or_log_address(data: Path, target: str | None) -> Iterator[bytes | Address]:
    """Yield what is to be verified, for the length of the block.

    The bytes of a proof file, or the address of a log, copied first if it is a file.
    """
    if target is None or is_postgres(target):
        yield target or wiring.files_of_folder(data).log
        return
    path = Path(target)
    if path.is_dir():
        yield Files(path).log
        return
    try:
        with path.open("rb") as file:
            begins = file.read(16)
            if begins.lstrip()[:1] in (b"{", b""):
                yield begins + file.read()
                return
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror}") from None
    with tempfile.TemporaryDirectory() as folder:
        yield _copy_log(path, Path(folder) / LOG, is_backup=begins.startswith(b"PK"))


def _copy_log(source: Path, copy: Path, *, is_backup: bool) -> Path:
    """Copy of a log file for verification, since SQLite writes beside the file that it reads."""
    try:
        if is_backup:
            with (
                zipfile.ZipFile(source) as archive,
                archive.open(LOG) as packed,
                copy.open("wb") as into,
            ):
                shutil.copyfileobj(packed, into)
        else:
            for end in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{source}{end}", f"{copy}{end}")
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise click.ClickException(f"{source}: {error}") from None
    return copy
