"""The move of a house between files and PostgreSQL: log, names, accounts and security log, whole.

Writers wait while it runs, and readers do not. At no time can both places be written:

1. The log is copied, closed from the moment at which it is there, and then what is beside it.
2. What was copied is verified.
3. The source is closed, its names first. What it notes as its house is the place it moved to.
4. The target is opened.

If it is interrupted before the third step the house is where it was, during or after that step in
neither place; either way it is run again, and copies everything again.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from api.server import wiring
from api.server.backup import copy_database, database_size
from api.server.backup_file import ByteProgress, CopyProgress
from api.server.data_folder import Files
from api.server.house import KnownHouse, house_facts
from api.server.own_schema import LOG
from referee.access.house_token import PURPOSE as OWNER_TOKEN
from referee.access.house_token import HouseToken
from referee.access.security_log import SECURITY_LAYOUT
from referee.access.tables import ACCESS_LAYOUT, AccessTables
from referee.access.tables import PURPOSE as ACCOUNTS
from referee.audit.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from referee.audit.publication import Published
from referee.log.durable import connect, create_private_file_if_missing
from referee.log.merkle import Tree, tree_and_leaves_after_events
from referee.log.ports import MOVED, Address, AuditedRows, InUse
from referee.log.stores import (
    create_tables,
    is_postgres,
    is_there,
    is_valid_postgres_url,
    open_for_audit,
    open_log,
    replace_log_by_file,
)
from referee.people.master_key import MasterKey
from referee.people.persons import Persons
from referee.people.tables import NAMES_LAYOUT
from referee.store.databases import column_names, copy_tables_in_transaction, open_database
from referee.store.ports import MOVED_TO, Database, Layout, Statements
from referee.system import ports

FILES: Final = "files"
"""Word for the files of the data folder, in place of the address of a database."""
_PASSES: Final = 3
"""How often the log is read: for a copy, for the target, for the comparison."""
_LEAVING_S: Final = 3.0
"""How long a server may take to notice that our own connections have ended."""
_PASSWORD: Final = re.compile(r"(?<=://)([^/@:]*):[^@/]*@|(?<=[?&])password=[^&]*&?")
_AT_ONCE: Final = 10_000


class CannotMove(Exception):  # noqa: N818 - it says what is the case
    """The house is not here, or the place where it shall go has something already."""


class MovedHouse(NamedTuple):
    """What was moved: the place where it is now, its id, and how much of each."""

    place: str
    house: str
    events: int
    root: str
    names: int
    accounts: int
    security: int


class _HeldStore(NamedTuple):
    """A store of the source, in a transaction that keeps others from writing."""

    database: Database
    rows: Statements


def destination_files(source: Files, address: str) -> Files:
    """Files of the place to which a house moves. ``address``: ``files``, or that of a database.

    :raises CannotMove: it is neither
    """
    if address != FILES and not is_valid_postgres_url(address):
        raise CannotMove(f"the target is neither {FILES!r} nor an address: {wiring.NO_ADDRESS}")
    return replace(source, elsewhere="" if address == FILES else address)


def printable_place(where: Files) -> str:
    """Place of a house in words, without a password."""
    return (
        _strip_password(where.elsewhere)
        if where.elsewhere
        else f"files in {where.folder.absolute()}"
    )


def _strip_password(address: str) -> str:
    """An address without its password.

    >>> _strip_password("postgresql://club:secret@db/guinote?password=other&sslmode=require")
    'postgresql://club@db/guinote?sslmode=require'
    """
    return _PASSWORD.sub(lambda found: f"{found[1]}@" if found[1] else "", address)


def move_house(
    source: Files,
    target: Files,
    progress: CopyProgress | None = None,
    carry: Callable[[], object] = lambda: None,
) -> MovedHouse:
    """Move a house, and close the place where it was.

    ``carry``: as of ``hold_house_copy_and_close``.

    :raises CannotMove: there is no house to move, or no empty place for it
    :raises InUse: a program has the log of the target open
    :raises NotTheSame: the copy is not what was copied; the house stays where it is
    """
    here = require_movable_house(source, target)
    upgrade_before_copy(source, here)
    steps = byte_progress_of_copy(source, progress)
    with hold_house_copy_and_close(source, target, here.house, steps, carry) as copied:
        copied.place = printable_place(target)
    publish_key_and_checkpoint(source, target)
    discard_stale_owner_token(source, target)
    allow_log_writes(target)
    steps.end()
    security, accounts, names = copied.counts
    return MovedHouse(
        *(copied.place, here.house, copied.tree.size, copied.tree.root.hex()),
        *(names, accounts, security),
    )


def upgrade_before_copy(source: Files, here: KnownHouse) -> None:
    """Upgrade the stores of a house from an earlier version before they are copied."""
    if not note_of_move(here):
        for part in (wiring.open_persons, wiring.open_accounts, wiring.open_security_log):
            part(source).close()
    create_tables(source.log)


def byte_progress_of_copy(source: Files, progress: CopyProgress | None) -> ByteProgress:
    """Progress counter for a copy of a house by ``hold_house_copy_and_close``."""
    return ByteProgress(_PASSES * database_size(LOG, source.log), progress)


class HouseCopy:
    """Result of a copy of a house: the tree of its log, and the number of rows of each store.

    ``place``: where the house is now, as the place that it leaves notes it.
    """

    def __init__(self, tree: Tree, counts: list[int]) -> None:
        self.tree, self.counts, self.place = tree, counts, ""


@contextmanager
def hold_house_copy_and_close(
    source: Files,
    target: Files,
    house: str,
    steps: ByteProgress,
    carry: Callable[[], object] = lambda: None,
) -> Iterator[HouseCopy]:
    """Context with the verified copy of a house at the target, made while nobody writes.

    Afterwards the source is closed, unless something is raised. ``carry``: called once the log is
    there.

    :raises NotTheSame: the copy is not what was copied
    """
    with closing(open_log(source.log)) as log, log.hold_write_lock():
        _copy_log(source.log, target.log, steps)
        tree = assert_same_log(source, target.log)
        carry()
        steps.add(steps.total // _PASSES // 2)
        with ExitStack() as stack:
            held = [*_enter_store_transactions(source, stack)]
            counts = [
                _copy_store(one, store, layout, house)
                for one, (store, layout) in zip(held, stores_beside_log(target), strict=True)
            ]
            assert_names_decrypt(target, source.master_key_source)
            steps.add(steps.total // _PASSES // 4)
            copied = HouseCopy(tree, counts)
            yield copied
            for one in held:
                one.database.set_house_id(one.rows, MOVED_TO + copied.place)
        log.set_closed_by_move(is_moved=True)


def allow_log_writes(where: Files) -> None:
    """Let the log of the target be written again, after a move has filled it."""
    with closing(open_log(where.log)) as opened, opened.hold_write_lock():
        opened.set_closed_by_move(is_moved=False)


def stores_beside_log(where: Files) -> Iterator[tuple[Address, Layout]]:
    """Stores of a house beside the log, with their layouts; the names are last."""
    yield where.security_log, SECURITY_LAYOUT
    yield where.accounts, ACCESS_LAYOUT
    yield where.persons, NAMES_LAYOUT


def require_movable_house(source: Files, target: Files) -> KnownHouse:
    """The house of the source, after a check that it may move to the target.

    :raises CannotMove: it may not
    """
    if printable_place(source) == printable_place(target):
        raise CannotMove(f"the house is at {printable_place(target)}")
    there = house_facts(target)
    here = require_unmoved_house(source, printable_place(target) if there.is_closed else "")
    is_rest = there.is_closed and there.house == here.house
    """Whether the target has what an earlier move of this house left there, and nobody uses."""
    if not is_rest and (
        there.house or any(_is_store_filled(*one) for one in stores_beside_log(target))
    ):
        raise CannotMove(f"{printable_place(target)} has a house, or a part of one")
    return here


def require_unmoved_house(source: Files, place: str) -> KnownHouse:
    """The house of a place, after a check that it has not moved to another place than ``place``.

    :raises CannotMove: there is none
    """
    here = house_facts(source) if is_there(source.log) else None
    if here is None or not here.house:
        raise CannotMove(f"no house at {printable_place(source)}")
    moved = note_of_move(here)
    if moved and moved != MOVED_TO + place:
        raise CannotMove(f"the house was {moved}")
    if here.is_closed and not moved:
        raise CannotMove("a move that fills this place has not ended: run that again")
    return here


def note_of_move(here: KnownHouse) -> str:
    """Note in a moved house about where it moved; empty if it was not moved."""
    return next((one.house for one in here.parts if one.house.startswith(MOVED_TO)), "")


def _is_store_filled(address: Address, layout: Layout) -> bool:
    if not is_postgres(address) and not Path(address).exists():
        return False
    with closing(open_database(address, layout)) as store, store.connection() as db:
        found = (db.execute(f"SELECT 1 FROM {one} LIMIT 1") for one in layout.tables)  # noqa: S608 - literals
        return any(one.fetchone() for one in found)


def _copy_log(source: Address, target: Address, steps: ByteProgress) -> None:
    """Copy the log to the target, closed for writing."""
    beside = Path(source if is_postgres(target) else target).parent
    with tempfile.TemporaryDirectory(dir=beside, prefix=".move-") as folder:
        copy = Path(folder) / LOG
        copy_database(LOG, source, copy, steps)
        with closing(sqlite3.connect(copy)) as made:
            (version,) = made.execute("PRAGMA user_version").fetchone()
            made.execute(f"PRAGMA user_version = {version % MOVED + MOVED}")
        if is_postgres(target):
            _fill_log_database(copy, target)
        else:
            _fill_log_file(copy, Path(target))
    steps.add(steps.total // _PASSES)


def _fill_log_database(copy: Path, target: Address) -> None:
    """Copy a log into a database; waits a moment while connections of ours end."""
    until = time.monotonic() + _LEAVING_S
    while True:
        try:
            return replace_log_by_file(copy, target)
        except InUse:
            if time.monotonic() > until:
                raise
            time.sleep(_LEAVING_S / 50)


def _fill_log_file(copy: Path, target: Path) -> None:
    """Copy a log over a file in one transaction, which another program may have open."""
    create_private_file_if_missing(target)
    with closing(sqlite3.connect(copy)) as made, closing(connect(target)) as file:
        made.backup(file)
    ports.sync_folder(target.absolute().parent)


def _enter_store_transactions(source: Files, stack: ExitStack) -> Iterator[_HeldStore]:
    """The stores of the source, each in a transaction that ends with the stack."""
    for address, layout in stores_beside_log(source):
        database = stack.enter_context(closing(open_database(address, layout)))
        yield _HeldStore(database, stack.enter_context(database.transaction(though_moved=True)))


def _copy_store(held: _HeldStore, address: Address, layout: Layout, house: str) -> int:
    """Copy a store and compare it; returns its rows."""
    with closing(open_database(address, layout)) as target:
        state = held.database.store_state_number(held.rows)
        copied = copy_tables_in_transaction(held.rows, target, layout, (state, house), over=True)
        target.erase_deleted_bytes()  # of what was there before, names too
        with target.connection() as db:
            assert_same_rows(held.rows, db, layout)
    return copied


def publish_key_and_checkpoint(source: Files, target: Files) -> None:
    """Publish the key and the checkpoint of the notary at the target too."""
    with (
        closing(Published(source.log, source.folder)) as here,
        closing(Published(target.log, target.folder)) as there,
    ):
        key, note = here.key(), here.note()
        if key is not None:
            there.put(key.text.rstrip(), note.text if note else None)


def discard_stale_owner_token(source: Files, target: Files) -> None:
    """Forget an owner's token that was replaced, so that it is not valid again at the target.

    A database forgets the one that it had before. A file that has not the token of the house is
    removed; the next start makes another.
    """
    if not is_postgres(source.accounts) and not is_postgres(target.accounts):
        return
    place = target if is_postgres(target.accounts) else source
    with closing(AccessTables(place.accounts)) as tables:
        token = HouseToken(tables, partial(place.master_key_source.derive, OWNER_TOKEN))
        file = wiring.owner_token_of(target, partial(wiring.open_accounts, target)).file
        known = token.read_hash_or_empty()
        if place is target:
            token.forget()
        elif known and file.exists() and token.hash_of(file.read_text("ascii").strip()) != known:
            file.unlink()


def assert_names_decrypt(target: Files, key: MasterKey) -> None:
    """Check that every name opens, and that the seals of the accounts are right.

    :raises NotTheSame: they are not
    """
    with closing(Persons(target.persons, key=key, random=secrets.token_bytes)) as persons:
        for table in ("persons", "texts"):
            if shut := [one for one, opens in persons.ids_and_soundness(table) if not opens]:
                raise NotTheSame(f"{len(shut)} {table} do not open: guinote verify names them")
    with closing(AccessTables(target.accounts, partial(key.derive, ACCOUNTS))) as accounts:
        if wrong := accounts.wrong_rows():
            raise NotTheSame(f"{len(wrong)} rows of accounts: guinote verify names them")


class NotTheSame(Exception):  # noqa: N818 - it says what is the case
    """A copy differs from what was copied, or was not sound before; the text says in what."""


def assert_same_log(source: Files, target: Address) -> Tree:
    """Check that a copy of a log has its tree, worked out again from the events, and its receipts.

    The checkpoint in the folder must hold for the copy.

    :raises NotTheSame: something differs
    """
    with (
        closing(open_for_audit(source.log)) as ours,
        closing(open_for_audit(target)) as theirs,
        ours.hold_snapshot(),
        theirs.hold_snapshot(),
    ):
        tree = ours.tree()
        if (
            _tree_from_events(theirs, _checkpoint_of_notary(source)) != tree
            or theirs.tree() != tree
        ):
            raise NotTheSame("the tree of the log")
        for one, other in zip_longest(ours.receipt_rows(), theirs.receipt_rows(), fillvalue=()):
            if tuple(one) != tuple(other):
                raise NotTheSame("receipts of the log")
    return tree


def _checkpoint_of_notary(source: Files) -> Checkpoint | None:
    """Checkpoint that the notary of the source has published; None if there is none."""
    with (
        closing(Published(source.log, source.folder)) as published,
        suppress(OSError, UnicodeError, BadCheckpoint),
    ):
        note = published.note()
        return read_checkpoint(note.text) if note else None
    return None


def _tree_from_events(log: AuditedRows, signed: Checkpoint | None) -> Tree:
    """Tree computed from all events of a log; the checkpoint must fit it on the way.

    :raises NotTheSame: it has another
    """
    tree, position = Tree(), 0
    while rows := list(log.read_from(position + 1, _AT_ONCE)):
        if signed is not None and tree.size < signed.size <= tree.size + len(rows):
            part, _ = tree_and_leaves_after_events(
                tree, [row[1:] for row in rows[: signed.size - tree.size]]
            )
            if part.root != signed.root:
                raise NotTheSame(f"the log under its checkpoint of {signed.size} events")
        tree, _ = tree_and_leaves_after_events(tree, [row[1:] for row in rows])
        position = rows[-1][0]
    return tree


def assert_same_rows(source: Statements, target: Statements, layout: Layout) -> None:
    """Check that every table of a store has the same rows.

    :raises NotTheSame: one has not
    """
    for table in layout.tables:
        listed = ", ".join(f'"{name}"' for name in column_names(source, table))
        asked = f"SELECT {listed} FROM {table}"  # noqa: S608 - literals
        ours, theirs = (Counter(map(tuple, one.execute(asked))) for one in (source, target))
        if ours != theirs:
            raise NotTheSame(f"table {table} of {layout.name}")
