"""Composition: the only module that chooses files, clock, randomness and threads.

``app()`` is what gunicorn calls. Nothing is opened before the first request of a process (or
``start``), so the process may fork before that.
"""

from __future__ import annotations

import atexit
import logging
import os
import random
import secrets
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from api.accounts import mail
from api.http.access import origins
from api.http.access.prefix import FixedPrefix
from api.http.access.reach import HouseReach
from api.http.access.tokens import Owner, TokenElsewhere
from api.http.clock.witnesses import ClockWitnesses
from api.http.live import LiveHub, StreamPlaces, stream_limit
from api.http.services import HouseLimits, ProcessServices, Services
from api.monitoring.log_lines import requests_log
from api.monitoring.measures import Measures
from api.monitoring.operators import Operators, metrics_token
from api.monitoring.readiness import Readiness, Report
from api.monitoring.requests import ObservedRequests, RequestLines, routes_of
from api.server.certificates import TLS_VARIABLES
from api.server.data_folder import (
    DEFAULT_FOLDER,
    FOLDER_VARIABLE,
    LOG_VARIABLE,
    Files,
    database_address_or_empty,
    prepare_data_folder,
)
from api.server.faults.answers import store_problem
from api.server.faults.exits import STORE_ERRORS, UNUSABLE, end_process, exit_line_and_code
from api.server.faults.log_check import LogCheck
from api.server.faults.read_only import READABLE, copy_to_ram_disk, fault_of_trial_write
from api.server.file_upgrades import add_missing_seals
from api.server.house import assert_one_house, house_facts, names_fault, note_house_in_parts
from api.server.house_backups import wire_backup_places
from api.server.https import https_settings_of_house
from api.server.serve_settings import PROXIES_VARIABLE, is_behind_proxy, path_prefix, read_hosts
from api.server.side_processes import is_to_start_projector, takeover_timeout_s
from api.webhooks.setting import VARIABLE as WEBHOOKS_VARIABLE
from api.webhooks.setting import parse_webhook_setting
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import OnNewerData, Runner
from projections.runner.views import Views
from referee.access.addresses import PURPOSE as ADDRESSES
from referee.access.addresses import Addresses
from referee.access.attempts import Attempts, KnownBrowsers
from referee.access.house_token import PURPOSE as OWNER_TOKEN
from referee.access.house_token import HouseToken
from referee.access.keys import Keys
from referee.access.password_recovery import MailAddresses, PasswordResets
from referee.access.second_factor import SecondFactors
from referee.access.security_log import SECURITY_LAYOUT, SecurityLog
from referee.access.tables import ACCESS_LAYOUT
from referee.access.tables import PURPOSE as ACCOUNTS
from referee.access.webhooks import Deliveries
from referee.aggregates.access import OWNER
from referee.application import Referee
from referee.audit.auditor import Auditor
from referee.log.ports import Address, NewerData
from referee.log.stores import (
    NoDriver,
    create_tables,
    is_postgres,
    is_valid_postgres_url,
    might_exist,
    refuse_newer_log,
)
from referee.log.streams import WriteMetadata
from referee.people.master_key import Seal
from referee.people.missing_names import LostNames, NamesLost
from referee.people.persons import Persons
from referee.people.tables import NAMES_LAYOUT
from referee.store.databases import HasRows, move_into_database
from referee.store.ports import Layout
from referee.system import exits

SettingT = TypeVar("SettingT")
NO_ADDRESS = (
    "no address of PostgreSQL; it is postgresql://user:password@host:port/database,"
    " with / @ : % # ? and spaces in a password written as %2F %40 %3A %25 %23 %3F %20"
)
"""What is wrong with an address, which is not repeated: a password may be in it."""
SEED_BYTES = 16


def files_of_folder(folder: str | Path | None = None) -> Files:
    """Files of a data folder, by default that of the environment; it is made if missing.

    :raises SystemExit: others may read it, and that cannot be changed; or the address of the log
        is none of PostgreSQL
    """
    elsewhere = os.environ.get(LOG_VARIABLE, "")
    if elsewhere and not _may_be_log_address(elsewhere):
        end_process(f"{LOG_VARIABLE}: {NO_ADDRESS}", exits.EX_CONFIG)
    chosen = Path(folder or os.environ.get(FOLDER_VARIABLE) or DEFAULT_FOLDER)
    prepare_data_folder(chosen)
    return Files(chosen, elsewhere or database_address_or_empty(chosen))


def _may_be_log_address(elsewhere: str) -> bool:
    """Whether a setting may be the address of a PostgreSQL log, also if no driver can tell."""
    try:
        return is_valid_postgres_url(elsewhere)
    except NoDriver:
        return True


def has_stores(where: Files) -> bool:
    """Whether there is a log, and names."""
    return bool(where.elsewhere) or all(Path(one).exists() for one in (where.log, where.persons))


def open_referee(where: Files) -> Referee:
    """Open the write side; tables are made at the first start.

    :raises WrongHouse: the log is not that of the names, accounts and views
    """
    assert_one_house(where)
    return open_referee_of_any_house(where)


def open_referee_of_any_house(where: Files) -> Referee:
    """Open the write side without checking that log, names, accounts and views belong together."""
    create_tables(where.log)
    return Referee(where.log, salt=secrets.token_bytes, new_id=uuid.uuid4)


def open_persons(where: Files) -> Persons:
    """Open the erasable store; the master key is made at the first start.

    :raises NamesLost: they are damaged, or those of a house are not there
    :raises PersonsError: the key is missing or wrong
    """
    if why := names_fault(where):
        raise NamesLost(why)
    return open_persons_though_lost(where)


def open_persons_though_lost(where: Files) -> Persons:
    """Open the store of names, as a new store if the names of the house are lost."""
    _move_store_into_database(where.folder / "persons.sqlite", where.persons, NAMES_LAYOUT)
    return Persons(where.persons, key=where.master_key_source, random=secrets.token_bytes)


def _names_or_stand_in(where: Files, stack: ExitStack) -> Persons:
    """The store of names, or an empty stand-in while the names are lost."""
    why = names_fault(where)
    if not why:
        return open_persons_though_lost(where)
    empty = stack.enter_context(tempfile.TemporaryDirectory(prefix="guinote-"))
    return LostNames(Path(empty), why=why, random=secrets.token_bytes, key=where.master_key_source)


def open_views(where: Files) -> Views:
    """Open the read side."""
    return Views(where.views, every_projection())


def open_accounts(where: Files) -> Keys:
    """Open the accounts; their tables and the master key are made at the first start.

    :raises PersonsError: the master key is missing or wrong
    """
    if is_postgres(where.persons) or not (might_exist(where.persons) or names_fault(where)):
        open_persons(where).close()
    _move_store_into_database(where.folder / "access.sqlite", where.accounts, ACCESS_LAYOUT)
    key = partial(where.master_key_source.derive, ACCOUNTS)
    return Keys(where.accounts, clock=time.time, random=secrets.token_bytes, key=key)


def owner_token_of(where: Files, keys: Callable[[], Keys]) -> Owner:
    """The owner's token of a house, one for all its computers.

    ``keys``: Called when accounts are needed.
    """
    if not is_postgres(where.accounts):
        return Owner(where.folder)
    key = cache(partial(where.master_key_source.derive, OWNER_TOKEN))
    return Owner(where.folder, lambda: HouseToken(keys().tables, key))


def open_second_factors(where: Files, keys: Keys) -> SecondFactors:
    """Second factors of the accounts; their seal is opened at its first use."""
    key = where.master_key_source
    seal = cache(lambda: Seal(key.derive("second factors"), secrets.token_bytes))
    return SecondFactors(keys.tables, seal, time.time, secrets.token_bytes)


def open_mail_addresses(where: Files, keys: Keys) -> MailAddresses:
    """Addresses of mail of the accounts; their seal is opened at its first use."""
    key = where.master_key_source
    seal = cache(lambda: Seal(key.derive("mail addresses"), secrets.token_bytes))
    return MailAddresses(keys.tables, seal)


def open_deliveries(where: Files, keys: Keys) -> Deliveries:
    """Store of the deliveries of webhooks; their seal is opened at its first use."""
    key = where.master_key_source
    seal = cache(lambda: Seal(key.derive("webhooks"), secrets.token_bytes))
    return Deliveries(keys.tables, seal, time.time, secrets.token_bytes)


def open_private_addresses(where: Files) -> Addresses:
    """Private addresses of evenings; their key is derived at its first use."""
    return Addresses(cache(partial(where.master_key_source.derive, ADDRESSES)))


def open_security_log(where: Files) -> SecurityLog:
    """Open the security log; its table is made at the first start."""
    _move_store_into_database(where.folder / "security.sqlite", where.security_log, SECURITY_LAYOUT)
    return SecurityLog(where.security_log, clock=time.time)


def _move_store_into_database(file: Path, address: Address, layout: Layout) -> None:
    """Move a store of before from its file into the database of the house, and say so in a line."""
    try:
        rows = move_into_database(file, address, layout)
    except HasRows:
        sys.stderr.write(
            f"{file}: not used, since the database has its rows already; move it elsewhere\n"
        )
    else:
        if rows is not None:
            sys.stderr.write(
                f"{file}: its {rows} rows are in the database now; the file is {file.name}.moved\n"
            )


now = partial(datetime.now, UTC)
"""The current time in UTC."""


def initialise_house(where: Files) -> None:
    """Give a new log its house, and store its id in every part; once, before workers are forked.

    :raises WrongHouse: log, names, accounts and views do not belong together
    :raises PersonsError: the master key is missing or wrong
    """
    assert_one_house(where)
    with ExitStack() as stack:
        _names_or_stand_in(where, stack).close()
    open_accounts(where).close()
    with closing(open_views(where)) as views:
        views.forget_lost_events()
    with closing(open_referee_of_any_house(where)) as referee:
        if not referee.position():
            referee.house.record_founding(WriteMetadata(OWNER, "server", now()))
    note_house_in_parts(where, house_facts(where).house)
    if is_postgres(where.accounts):
        _ensure_owner_token(where)


def _ensure_owner_token(where: Files) -> None:
    """Make the owner's token if the house has none; report it if this computer has another one."""
    with closing(open_accounts(where)) as keys:
        owner = owner_token_of(where, lambda: keys)
        try:
            owner.token()
        except TokenElsewhere as elsewhere:
            if owner.file.exists():
                sys.stderr.write(f"{elsewhere}\n")


class LazyServices(ProcessServices):
    """The services of one data folder, opened at their first use.

    ``with_projector``: A thread updates the views.
    """

    def __init__(self, where: Files, *, with_projector: bool) -> None:
        super().__init__()
        self.files = where
        self._with_projector = with_projector
        self.check: Callable[[Files], object] = assert_one_house
        self.on_newer: OnNewerData = logging.getLogger(__name__).error
        self.measures: Measures | None = None
        self.limits: HouseLimits | None = None
        self.stream_places: StreamPlaces | None = None
        """Places for streams that several houses of a process share."""

    def open_services(self, stack: ExitStack) -> Services:
        """Services over the files of the folder, or over a copy if its disk takes no writes."""
        try:
            return self._open_services(self.files, stack)
        except STORE_ERRORS:
            # SQLite may say of a file on a read-only disk only that it cannot be opened
            fault = fault_of_trial_write(self.files.folder)
            if fault not in READABLE or not has_stores(self.files):
                raise
            stack.close()
            copy = replace(self.files, folder=copy_to_ram_disk(self.files.folder, stack))
            return replace(self._open_services(copy, stack), no_writes=store_problem(fault).code)

    def _make_live_hub(self, views: Views) -> LiveHub:
        return LiveHub(views.position, stream_limit(), random.random, self.stream_places)

    def _open_services(self, where: Files, stack: ExitStack) -> Services:
        kept = stack.enter_context
        self.check(where)  # before anything is made that another house would lack
        persons = kept(closing(_names_or_stand_in(where, stack)))
        referee = kept(closing(open_referee_of_any_house(where)))
        views = open_views(where)
        stack.callback(views.close_all)
        auditor = kept(closing(Auditor(where.log, where.folder)))
        hub = kept(closing(self._make_live_hub(views)))
        keys = kept(closing(open_accounts(where)))
        security = kept(closing(open_security_log(where)))
        add_missing_seals(where.log, persons, keys, security)
        if self._with_projector:
            log = kept(closing(LogReader(where.log)))
            follower = kept(
                Runner(log, views).follow_in_thread(takeover_timeout_s(), self.on_newer)
            )
            referee.on_commit.append(follower.wake)
        if self.measures is not None:
            _connect_measures(self.measures, referee, hub, security)
        checkpoint = auditor.require_latest_checkpoint
        witnesses = ClockWitnesses(referee.newest_moment_or_empty, lambda: checkpoint().published)
        referee.clock_behind_s = witnesses.behind_s
        seed = partial(secrets.token_hex, SEED_BYTES)
        return Services(
            *(referee, persons, views, now, seed, auditor, hub, keys),
            attempts=Attempts(keys.tables, time.time, secrets.token_bytes),
            factors=open_second_factors(where, keys),
            known_browsers=KnownBrowsers(keys.tables, time.time, secrets.token_bytes),
            security=security,
            addresses=open_private_addresses(where),
            resets=PasswordResets(keys.tables, time.time, secrets.token_bytes),
            mail_addresses=open_mail_addresses(where, keys),
            deliveries=open_deliveries(where, keys),
            open_log=partial(LogReader, where.log),
            witnesses=witnesses,
            limits=self.limits,
        )


def app(folder: str | Path | None = None, *, with_projector: bool | None = None) -> Flask:
    """The application, for gunicorn: ``gunicorn -c python:api.server.gunicorn_conf 'api…:app()'``.

    :raises SystemExit: gunicorn has settings of its own
    """
    if os.environ.get("SERVER_SOFTWARE", "").startswith("gunicorn/"):
        from api.server.worker import require_our_gunicorn_settings  # noqa: PLC0415 - for gunicorn alone

        require_our_gunicorn_settings()
    where = files_of_folder(folder)
    _exit_if_log_is_newer(where.log)
    services = LazyServices(
        where, with_projector=is_to_start_projector() if with_projector is None else with_projector
    )
    owner = owner_token_of(where, lambda: services().keys)
    try:
        if not is_postgres(where.accounts):  # a database is not asked before the process forks
            owner.token()
    except OSError as error:
        end_process(*exit_line_and_code(error, owner.file))
    from api.server.application import create_app  # noqa: PLC0415 - every page; commands need none

    made = create_app(services, owner, UNUSABLE)
    made.extensions["hosts"] = read_hosts(where.folder, os.environ.get(TLS_VARIABLES[0], ""))
    made.extensions |= extensions_of_house(services, is_https_offered=not _is_https_in_settings())
    services.measures = configure_app(made, made.extensions["readiness"].report)
    atexit.register(services.close)
    return made


def extensions_of_house(services: LazyServices, *, is_https_offered: bool) -> dict[str, Any]:
    """Parts that each house has of its own, by name, for ``house_component_or_none``."""
    where = services.files
    stores = (where.log, where.accounts, where.security_log)
    check = LogCheck(stores, where.folder, time.time, partial(_note_log_damage, services))
    return {
        "reach": HouseReach(where.folder),
        "https": https_settings_of_house(where.folder, is_offered=is_https_offered),
        "backups": wire_backup_places(where),
        "log_check": check,
        "readiness": Readiness(services, where.folder, damage=check.damage_in_last_check),
    }


def configure_app(made: Flask, report: Callable[[], Report]) -> Measures:
    """Apply the settings to an application, and count and log its requests.

    ``report``: state of the parts, for the metrics.
    """
    origins.set_allowed_origins(
        made,
        _setting_or_end(origins.EMBED_VARIABLE, origins.read_origins),
        _setting_or_end(origins.CORS_VARIABLE, origins.read_origins),
    )
    made.extensions["mail"] = _mail_server()
    made.extensions["webhook_setting"] = _setting_or_end(WEBHOOKS_VARIABLE, parse_webhook_setting)
    made.extensions["operators"] = operators = Operators(metrics_token())
    made.extensions["measures"] = measures = Measures(routes_of(made))
    if below := path_prefix():
        made.wsgi_app = FixedPrefix(made.wsgi_app, below)  # type: ignore[method-assign]  # as the framework's pages do
    if hops := int(os.environ.get(PROXIES_VARIABLE, "0")):
        proxied: Any = ProxyFix(made.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)
        made.wsgi_app = proxied  # type: ignore[method-assign]  # as the framework's pages do
    page = cache(partial(_make_exposition, measures, report))
    stderr = open(2, "wb", buffering=0, closefd=False)  # noqa: SIM115 - it stays open
    lines = RequestLines(requests_log(stderr))
    atexit.register(lines.flush)
    observed: Any = ObservedRequests(
        *(made.wsgi_app, measures, operators, lambda accepted: page().page(accepted), lines)
    )
    made.wsgi_app = observed  # type: ignore[method-assign]  # as the framework's pages do
    return measures


def _is_https_in_settings() -> bool:
    """Whether HTTPS is done by a proxy in front, or with a certificate of the settings."""
    has_certificate = any(os.environ.get(one) for one in TLS_VARIABLES)
    return has_certificate or is_behind_proxy()


def _mail_server() -> mail.MailServer | None:
    """The server for mail that the settings name, if any.

    :raises SystemExit: they are wrong
    """
    names = (mail.SERVER_VARIABLE, mail.PASSWORD_VARIABLE, mail.SENDER_VARIABLE)
    try:
        return mail.mail_server_from_settings(*(os.environ.get(name, "") for name in names))
    except ValueError as error:
        end_process(f"Error: {mail.SERVER_VARIABLE}: {error}", exits.EX_CONFIG)


def _setting_or_end(name: str, read: Callable[[str], SettingT]) -> SettingT:
    """What a setting says, by the function that reads it.

    :raises SystemExit: it says something else
    """
    try:
        return read(os.environ.get(name, ""))
    except ValueError as error:
        end_process(f"Error: {name}: {error}", exits.EX_CONFIG)


def _exit_if_log_is_newer(log: Address) -> None:
    """End before a worker is forked if a later release has written to the log.

    :raises SystemExit: it has, and stderr says so
    """
    try:
        refuse_newer_log(log)
    except NewerData as newer:
        end_process(*exit_line_and_code(newer, log))
    except STORE_ERRORS:
        pass  # what is wrong is said by the check of every store, before the workers are forked


def _note_log_damage(services: LazyServices, fault: str) -> None:
    """Add an entry about damage of the log to the security log."""
    services().security.note("damaged", about="log", detail=fault)


def _connect_measures(
    measures: Measures, referee: Referee, hub: LiveHub, security: SecurityLog
) -> None:
    """Connect the metrics to the write side, the live streams and the security log."""
    referee.on_commit.append(measures.count_acts_and_findings)
    referee.on_refusal.append(measures.count_refusal)
    referee.set_waiting_context(measures.measure_write_wait)
    hub.on_count = measures.streams.set_gauge_of_process
    security.on_note.append(measures.count_security)


def _make_exposition(measures: Measures, report: Callable[[], Report]) -> Any:
    from api.monitoring.exposition import Exposition  # noqa: PLC0415 - at the first scrape only

    return Exposition(measures, report)


def open_app_services(made: Flask) -> None:
    """Open the services of an application now, for a worker that was just forked."""
    made.extensions["guinote"]()
