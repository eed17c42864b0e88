"""The services of a process: everything that routes need, composed once in each process."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self, cast

from flask import current_app, g, request

from api.http import bodies, rest
from api.http.access.roles import Actor
from api.http.clock.witnesses import ClockFault, ClockWitnesses
from api.http.fields import FieldFault
from api.http.live import LiveHub
from api.http.names import are_name_words_in_text, words_of_folded_text
from api.http.problems import Problem
from projections.rankings.tables import RankingTables
from projections.runner.log import LogReader
from projections.runner.views import Views
from referee.access.addresses import Addresses
from referee.access.admission import Admission
from referee.access.attempts import Attempts, KnownBrowsers
from referee.access.keys import Keys
from referee.access.password_recovery import MailAddresses, PasswordResets
from referee.access.second_factor import SecondFactors
from referee.access.security_log import SecurityLog
from referee.access.webhooks import Deliveries
from referee.application import Referee
from referee.audit.auditor import Auditor
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.log.mapper import timestamp_of_datetime
from referee.log.streams import Answer, PlainKey, WriteMetadata
from referee.people.persons import Persons

DEVICE_HEADER = "Guinote-Device"
VIEWS_TIMEOUT_S = 2.0
_LONGEST_DEVICE = 80
_LONGEST_POSITION = 16
_LAST_POSITION = 2**53


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a route may use.

    Write side, names, read side, live updates, accounts and clock.

    ``no_writes``: code of the problem that answers every write, if nothing can be stored now.
    ``limits``: those of a club among many; a house alone has none.
    """

    referee: Referee
    persons: Persons
    reads: Views
    clock: Callable[[], datetime]
    draw_seed: Callable[[], str]
    auditor: Auditor
    hub: LiveHub
    keys: Keys
    attempts: Attempts
    known_browsers: KnownBrowsers
    factors: SecondFactors
    security: SecurityLog
    addresses: Addresses
    resets: PasswordResets
    mail_addresses: MailAddresses
    deliveries: Deliveries
    open_log: Callable[[], LogReader]
    witnesses: ClockWitnesses
    no_writes: str = ""
    limits: HouseLimits | None = None
    ranking_tables: RankingTables = field(default_factory=RankingTables)

    def clock_fault(self) -> ClockFault | None:
        """What is known to be wrong with the clock of this computer; None if nothing."""
        return self.witnesses.clock_fault_or_none(self.clock())

    @property
    def admission(self) -> Admission:
        """Invitations and pairings: offering and taking them, and revoking access."""
        return Admission(self.referee.roles, self.keys)


class ProcessServices(ABC):
    """Services that are opened at their first use, once in each process: it may fork before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._services: Services | None = None
        self._closing = ExitStack()

    @abstractmethod
    def open_services(self, stack: ExitStack) -> Services:
        """Open the services; the stack closes them later."""

    def __call__(self) -> Services:
        """The services of this process."""
        if self._services is None or self._process != os.getpid():
            with self._lock:
                if self._services is None or self._process != os.getpid():
                    with ExitStack() as closing:  # of what is open, if opening fails
                        self._services, self._process = self.open_services(closing), os.getpid()
                        self._closing = closing.pop_all()
        return self._services

    def end_streams(self) -> None:
        """End every live stream, because the process is stopping."""
        if self._services is not None and self._process == os.getpid():
            self._services.hub.close()

    def close(self) -> None:
        """Close the services of this process, with every file."""
        if self._process == os.getpid():
            self._services = None
            self._closing.close()


class HouseLimits(Protocol):
    """Limits that the operator of an installation has set for a house."""

    @property
    def is_over_disk_limit(self) -> bool:
        """Whether it takes no writes, since it has used its room."""
        ...

    @property
    def most_people_or_zero(self) -> int:
        """Number of people whom the house may name; 0 for any number."""
        ...


def current_services() -> Services:
    """Services of the house that the request is for."""
    if "services" not in g:
        g.services = current_app.extensions["guinote"]()
    return cast("Services", g.services)


def house_component_or_none(name: str) -> Any:
    """A part of the house that the request is of; None if it has none.

    Of several houses in one process each has its own, by ``extensions["house"]``; what all of them
    share, and every part of a house alone, is an extension of the application.
    """
    extensions = current_app.extensions
    own = extensions["house"]() if "house" in extensions else {}
    return own[name] if name in own else extensions.get(name)


def timestamp_now() -> str:
    """The present moment of the house, as text of an event."""
    return timestamp_of_datetime(current_services().clock())


def metadata_without_key() -> WriteMetadata:
    """Author, device and time of a write of the request that cannot be repeated by a key."""
    return WriteMetadata(by=g.actor.by, device=g.actor.via, at=current_services().clock())


def metadata_of_request(*, part: str = "") -> WriteMetadata:
    """Author, time and idempotency key of the write that the request makes.

    ``part`` separates several writes of one request; a client's key never has a space.
    """
    here, key = current_services(), g.idempotency_key
    actor: Actor = g.actor
    sent = None if actor.is_device else request.headers.get(DEVICE_HEADER)
    is_name = sent is None or (sent.isascii() and sent.isprintable() and ":" not in sent)
    if not is_name or len(sent or "") > _LONGEST_DEVICE:
        raise Problem("bad_request")
    device = actor.via if sent is None else here.persons.keyed_hash(DEVICE_HEADER, sent)
    named = actor.via if sent is None else sent
    plain = PlainKey(named, f"{key} {part}" if part else key, bodies.request_digest(request))
    return _metadata_with_hashes(here, actor.by, device, plain)


def metadata_of_form_values(by: str, device: str, key: str, sent: Any) -> WriteMetadata:
    """Author, time and key of a write by form. ``sent``: all values of the form, as plain JSON."""
    digest = hashlib.sha256(json.dumps(sent).encode()).hexdigest()
    return _metadata_with_hashes(current_services(), by, device, PlainKey(device, key, digest))


def _metadata_with_hashes(here: Services, by: str, device: str, plain: PlainKey) -> WriteMetadata:
    """Metadata of a write, with its key and digest hashed, since they may reveal a name."""
    key = here.persons.keyed_hash("Idempotency-Key", plain.key)
    digest = here.persons.keyed_hash("request", plain.digest)
    return WriteMetadata(by, device, here.clock(), key, digest, plain)


def refuse_text_with_names(field: str, text: str) -> None:
    """Refuse a text with a known person's name in it, since it stays on the log in clear.

    :raises Problem: one is
    """
    spoken = words_of_folded_text(text)
    names = (
        words_of_folded_text(name)
        for _, name in current_services().persons.ids_and_names()
        if spoken
    )
    if any(are_name_words_in_text(name, spoken) for name in names):
        raise Problem("invalid", errors={"json": {field: [FieldFault("names_somebody")]}})


class PendingTexts:
    """Names and texts stored for a write, and erased again if the write is refused.

    After a failure of the machine they stay, since the write may exist.
    """

    def __init__(self, persons: Persons, limits: HouseLimits | None = None) -> None:
        self._persons, self._limits = persons, limits
        self._put: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, (Refused, Stale, KeyReused, NotFound, Problem)):
            self.erase_stored_texts()

    def add_text(self, text: str) -> str:
        """Store a text; returns its id, empty for an empty text."""
        return self.add_texts([text])[0]

    def add_texts(self, texts: Sequence[str]) -> list[str]:
        """Store several texts; returns their ids, empty for empty texts."""
        found = self._persons.add_texts([text for text in texts if text])
        self._put += found
        waiting = iter(found)
        return [next(waiting) if text else "" for text in texts]

    def add_picture(self, picture: bytes) -> str:
        """Store a picture; returns its id."""
        self._put.append(found := self._persons.add_picture(picture))
        return found

    def add_person(self, name: str) -> str:
        """Store the name of a new person; returns the id."""
        return self.add_persons([name])[0]

    def add_persons(self, names: Sequence[str]) -> list[str]:
        """Store the names of new persons; returns their ids.

        :raises Problem: the house may not have so many
        """
        most = self._limits.most_people_or_zero if self._limits and names else 0
        if most and len(self._persons.person_ids()) + len(names) > most:
            raise Problem("people_full", most=most)
        found = self._persons.add_persons(names)
        self._put += found
        return found

    def erase_stored_texts(self) -> None:
        """Erase the names and texts that were stored for the write."""
        if self._put:
            with suppress(TimeoutError):
                self._persons.discard(*self._put)

    def erase_if_replayed(self, answer: Answer) -> Answer:
        """Return the answer to the write; if it is a repeated one, erase what was stored."""
        if answer.replayed:
            self.erase_stored_texts()
        return answer


def pending_texts() -> PendingTexts:
    """Store for the names and texts of one write of the request."""
    here = current_services()
    return PendingTexts(here.persons, here.limits)


def are_seasons_public(**_about: object) -> bool:
    """Whether the club lets everybody see its seasons; the arguments are ignored."""
    return current_services().referee.settings.are_seasons_public()


def are_team_leagues_public(**_about: object) -> bool:
    """Whether the club lets everybody see its leagues of teams; the arguments are ignored."""
    return current_services().referee.settings.are_team_leagues_public()


def await_position_in_request() -> None:
    """Wait until the read side has reached the position in the request.

    Callers without permission cannot wait, since the position would reveal the number of secret
    acts.
    """
    asked = request.args.get("wait", request.headers.get(rest.POSITION_HEADER))
    if asked is None:
        return
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= _LONGEST_POSITION
    if not (is_number and int(asked) <= _LAST_POSITION):
        raise Problem("invalid", errors={"query": {"wait": [FieldFault("not_a_position")]}})
    position, here = int(asked), current_services()
    if here.reads.position() >= position:
        return
    last = here.referee.position()
    if position > last and g.actor is not None:
        raise Problem("invalid", errors={"query": {"wait": [FieldFault("beyond_log")]}})
    if not here.reads.wait(min(position, last), VIEWS_TIMEOUT_S):
        raise Problem("not_yet", headers={"Retry-After": "1"})


def await_end_of_log() -> None:
    """Wait until the read side has reached the end of the log.

    :raises Problem: it takes too long
    """
    here = current_services()
    last = here.referee.position()
    if here.reads.position() < last and not here.reads.wait(last, VIEWS_TIMEOUT_S):
        raise Problem("not_yet", headers={"Retry-After": "1"})


NOT_STORED = "…"
"""Placeholder for a text or a new person in a preview, which stores nothing."""
