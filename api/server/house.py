"""The identity of a house: checks that log, names, accounts, views and checkpoint belong together.

The id of a house is the beginning of the hash of the first event of its log, so a log without
events is none yet. The other parts note it. What does not belong together is refused before
anything is written, since the service would show a club without its past, or without its names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from api.server.data_folder import Files
from api.server.faults.exits import WrongHouse
from projections.every import every_projection
from projections.runner.views import ReadEvent, Views, read_house_note
from referee.access.tables import ACCESS_LAYOUT
from referee.audit.auditor import AuditedHistories
from referee.audit.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from referee.audit.one_notary import house_state_in_log
from referee.audit.publication import PUBLISHED_NOTE, Published
from referee.audit.subtrees import SubtreeFile, is_root_at
from referee.log.faults import StoreFault, store_fault_or_none
from referee.log.mapper import RecordedEvent
from referee.log.merkle import EMPTY_ROOT
from referee.log.ports import MOVED, Address, AuditedRows, NoTables, Unsound
from referee.log.sqlite.schema import damage_of_file_or_empty
from referee.log.stores import create_tables, is_postgres, is_there, open_for_audit
from referee.people.tables import NAMES_LAYOUT
from referee.store.databases import has_moved, house_id_of_address_or_empty, note_house
from referee.store.ports import MOVED_TO

ID_DIGITS: Final = 32
NOTHING_SIGNED: Final = Checkpoint("", 0, EMPTY_ROOT)
_NAMES_MARK: Final = "SELECT 1 FROM sqlite_schema WHERE name = 'persons'"
"""Finds a row in a file of names of any version."""


class HousePart(NamedTuple):
    """A part beside the log: what it is, where, and the house that it noted, if any."""

    what: str
    place: str
    house: str


class KnownHouse(NamedTuple):
    """What a folder says of its house.

    ``house``: id, empty of a log without events; ``events`` of the log; ``viewed``: events that
    the views have read; ``signed``: events under the checkpoint, ``signer``: origin of it;
    ``given_up``: size of a checkpoint that need not be of the log; ``is_closed``: the log was
    moved, or is filled by a move; ``is_signed``: it has the root of the checkpoint at its size;
    ``missed``: position of the furthest event that the views have read and the log lacks, else 0;
    ``last_at``: when the last event of the log was recorded.
    """

    house: str
    log: str
    events: int
    given_up: int
    is_closed: bool
    is_signed: bool
    missed: int
    last_at: str
    parts: tuple[HousePart, ...]
    viewed: int
    signed: int
    signer: str

    @property
    def fits_checkpoint(self) -> bool:
        """Whether the log has what was signed, unless an older copy was taken back on purpose."""
        return self.is_signed or self.signed <= self.given_up

    @property
    def is_noted_in_every_part(self) -> bool:
        """Whether there is a house, and names, accounts and views have noted it."""
        return bool(self.house) and all(part.house == self.house for part in self.parts)

    @property
    def lost_event_count(self) -> int:
        """Number of events that the views or the checkpoint know and the end of the log lacks.

        0 if none.
        """
        return max(self.missed, 0 if self.fits_checkpoint else self.signed)


def house_facts(where: Files) -> KnownHouse:
    """What the parts of a house say of themselves; nothing is changed, except the subtrees."""
    views = read_house_note(where.views)
    parts = (
        HousePart("names", _address_words(where.persons), _house_of_names(where)),
        HousePart(
            "accounts",
            _address_words(where.accounts),
            house_id_of_address_or_empty(where.accounts, ACCESS_LAYOUT),
        ),
        HousePart("views", str(where.views), views.house),
        *(_names_part_left_in_file(where)),
    )
    # before the log, which goes on: so it has all that was signed by then
    signed = _checkpoint_of_notary(where)
    return KnownHouse(
        log=_address_words(where.log),
        parts=parts,
        viewed=views.position,
        signed=signed.size,
        signer=signed.origin,
        **msgspec.structs.asdict(_log_facts(where, signed, views.read)),
    )


def assert_one_house(where: Files) -> KnownHouse:
    """Check that what is in a folder, and the log, belong together.

    :raises WrongHouse: they do not
    """
    found = house_facts(where)
    refuse_closed_house(found)
    for part in found.parts:
        if part.house and not found.house:
            raise WrongHouse(
                _empty_log_text(found, f"{part.what} of house {part.house}", part.place)
            )
        if part.house and part.house != found.house:
            raise WrongHouse(
                f"{found.log} is the log of house {found.house}, and {part.place} has {part.what} "
                f"of house {part.house}. Restore both from one backup, or move the one away that "
                "does not belong here."
            )
    if found.viewed and not found.house:
        raise WrongHouse(
            _empty_log_text(found, f"views of {found.viewed} events", str(where.views))
        )
    if found.signed and not found.house:
        what = f"a checkpoint of {found.signer} over {found.signed} events"
        raise WrongHouse(_empty_log_text(found, what, _checkpoint_place_words(where)))
    if why := fault_of_accounts(where, found):
        raise WrongHouse(why)
    if not found.fits_checkpoint:
        raise WrongHouse(_checkpoint_misfit_text(found, _checkpoint_place_words(where)))
    if found.missed:
        raise WrongHouse(_text_on_lost_acts(found, str(where.views)))
    return found


def refuse_closed_house(found: KnownHouse) -> None:
    """Refuse a data folder whose house was moved away, or into which a move has not finished.

    :raises WrongHouse: it is one; the text says where the house is
    """
    for part in found.parts:
        if part.house.startswith(MOVED_TO):
            raise WrongHouse(
                f"{part.place}: the house was {part.house}: go on there. If that says that a "
                "move has not ended, run guinote move again."
            )
    if found.is_closed:
        raise WrongHouse(
            f"{found.log} is closed, because a move has not ended: run guinote move again. A move "
            "that fills this place has left the house where it was."
        )


def note_house_in_parts(where: Files, house: str) -> None:
    """Store the id of the house in names, accounts and views where it is missing."""
    if not names_fault(where):
        note_house(where.persons, NAMES_LAYOUT, house)
    note_house(where.accounts, ACCESS_LAYOUT, house)
    if read_house_note(where.views).house != house:
        with closing(Views(where.views, every_projection())) as views:
            views.note_house(house)


def names_fault(where: Files) -> str:
    """Why the names of a house cannot be read, in a line with the remedy; empty if nothing is lost.

    Nothing is before there is a house. Without the master key there is no house without names
    either: nobody could be told to be who they say. In a database names are beside the log.
    """
    why = damage_of_names(where.persons)
    if not why or not where.master_key_source.is_there() or not _has_events_in_log(where):
        return ""
    return (
        f"{where.persons}: {why}; put it back, or take it from a backup "
        "(guinote restore --only-names FILE), or, if there is none, give the names up "
        "(guinote persons give-up)"
    )


def fault_of_accounts(where: Files, found: KnownHouse) -> str:
    """Message about the accounts of a house if their file is missing.

    Empty if it is there or none was made.

    The start that notes the house in its parts has made them too.
    """
    if is_postgres(where.accounts) or not found.house:
        return ""
    file = Path(where.accounts)
    if file.exists() and (not file.is_file() or file.stat().st_size):
        return ""
    if all(part.house != found.house for part in found.parts):
        return ""
    return (
        f"{file}: the accounts of house {found.house} are not there, so nobody could sign in. Put "
        "the file back, or a backup (guinote restore --force FILE); if there is none, give the "
        "accounts up (guinote access give-up)"
    )


def damage_of_names(address: Address) -> str:
    """Why a file cannot be that of names, in a line; empty if it can, or is a database."""
    if is_postgres(address):
        return ""
    file = Path(address)
    if not file.exists() or (file.is_file() and not file.stat().st_size):
        return "the names are not there"
    return damage_of_file_or_empty(file, _NAMES_MARK, wholly=True)


def _has_events_in_log(where: Files) -> bool:
    """Whether a log has events; False also if it cannot be read."""
    try:
        return bool(_log_facts(where, NOTHING_SIGNED).house)
    except (sqlite3.DatabaseError, NoTables, Unsound, OSError):
        return False


def _house_of_names(where: Files) -> str:
    """Id of the house that the store of names has noted; empty if the names are lost."""
    try:
        return house_id_of_address_or_empty(where.persons, NAMES_LAYOUT)
    except sqlite3.DatabaseError:
        if names_fault(where):
            return ""
        raise


def _empty_log_text(found: KnownHouse, what: str, place: str) -> str:
    """Message about a log without events beside another part of a house."""
    return (
        f"{found.log} has no event, and {place} has {what}. Was GUINOTE_LOG forgotten? If the log "
        "is lost, put it back, or a backup (guinote restore --force FILE). To begin another house "
        "choose another folder."
    )


def _checkpoint_misfit_text(found: KnownHouse, place: str) -> str:
    """Message about a log that does not fit the published checkpoint."""
    fault = f"the log is an older copy. {_missing_acts_text(found, found.lost_event_count)}"
    if found.signed <= found.events:
        fault = (
            "the log is of another house, or is not as it was signed (guinote verify says where). "
            "Restore log and checkpoint from one backup, or move the checkpoint away if it does "
            "not belong here."
        )
    return (
        f"{found.log} is the log of house {found.house} with {found.events} events, and {place} of "
        f"{found.signer} was signed over {found.signed}: {fault} If an older copy was taken back "
        "on purpose: guinote house --restored"
    )


def _text_on_lost_acts(found: KnownHouse, views: str) -> str:
    """Message about a log that lacks events which its own views have read."""
    fault = _missing_acts_text(found, found.missed)
    if found.missed <= found.events:
        fault = (
            f"another event is at {found.missed} now: the log is an older copy that went on, and "
            f"acts before {found.missed} are missing."
        )
    return (
        f"{found.log} is the log of house {found.house} with {found.events} events, and {views} "
        f"has read {found.missed} of it: {fault} Put back what belongs to the log (its -wal, if "
        "only that was left behind), or a backup that has these acts; tablets that still hold "
        "some send them again. To go on without them: guinote house --restored"
    )


def _missing_acts_text(found: KnownHouse, known: int) -> str:
    """Which acts are missing at the end of a log, and since when."""
    return (
        f"Acts {found.events + 1} to {known} are missing: what was recorded after "
        f"{found.last_at or 'the beginning'}."
    )


class _LogData(msgspec.Struct, frozen=True):
    """What ``KnownHouse`` says of a log alone."""

    house: str
    events: int
    given_up: int
    is_closed: bool
    is_signed: bool
    missed: int
    last_at: str


_NO_LOG: Final = _LogData(
    house="", events=0, given_up=0, is_closed=False, is_signed=False, missed=0, last_at=""
)


def _log_facts(where: Files, signed: Checkpoint, read: Sequence[ReadEvent] = ()) -> _LogData:
    """Facts about a log and its house.

    ``read``: Events that the views have read, to look for in the log.
    """
    if not is_there(where.log):
        return _NO_LOG
    create_tables(where.log)  # a log of the first versions gets its tree
    with closing(open_for_audit(where.log)) as log, log.hold_snapshot():
        first = next(iter(log.leaf_rows(0, 1)), None)
        house = first[3].hex()[:ID_DIGITS] if first else ""
        size, given_up = log.tree().size, house_state_in_log(log).given_up
        is_signed = signed.size <= size and is_root_at(
            log, signed.size, signed.root, SubtreeFile(where.folder)
        )
        missed = max((one.position for one in read if not _has_event(log, one)), default=0)
        last = _event_at_or_none(log, log.last_position()) if size else None
        return _LogData(
            house=house,
            events=size,
            given_up=given_up,
            is_closed=log.log_version() >= MOVED,
            is_signed=is_signed,
            missed=missed if house else 0,
            last_at=last.at if last else "",
        )


def _has_event(log: AuditedRows, read: ReadEvent) -> bool:
    """Whether a log still has an event that the views have read; True also if it cannot be read."""
    if log.last_position() < read.position:
        return False
    found = _event_at_or_none(log, read.position)
    return found is None or found.salt == read.mark


def _event_at_or_none(log: AuditedRows, position: int) -> RecordedEvent | None:
    """Event of the log at a position; None if it is damaged."""
    try:
        found = AuditedHistories(log).read_from(position, 1)
    except Unsound:
        return None
    except sqlite3.DatabaseError as error:
        if store_fault_or_none(error) is StoreFault.DAMAGED:
            return None
        raise
    return found[0].recorded if found and found[0].position == position else None


def _names_part_left_in_file(where: Files) -> list[HousePart]:
    """Names left in a file of the folder though the house keeps its names in a database."""
    file = where.folder / "persons.sqlite"
    if not is_postgres(where.persons):
        return []
    try:
        if not file.exists() or has_moved(file):
            return []
        return [HousePart("names", str(file), house_id_of_address_or_empty(file, NAMES_LAYOUT))]
    except sqlite3.OperationalError:
        if file.exists():
            raise
        return []  # another process moved it into the database meanwhile


def _address_words(address: Address) -> str:
    """Address of a store in words for the operator, without a password."""
    return "the database of GUINOTE_LOG" if is_postgres(address) else str(address)


def _checkpoint_place_words(where: Files) -> str:
    """Where the published checkpoint is, in words."""
    return "its checkpoint there" if is_postgres(where.log) else str(where.folder / PUBLISHED_NOTE)


def _checkpoint_of_notary(where: Files) -> Checkpoint:
    """The checkpoint that the notary has published; that of an empty log if there is none."""
    with (
        closing(Published(where.log, where.folder)) as published,
        suppress(OSError, UnicodeError, BadCheckpoint),
    ):
        if note := published.note():
            return read_checkpoint(note.text)
    return NOTHING_SIGNED
