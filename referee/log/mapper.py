"""The stored form of an event: its name, its envelope, and the upcast of older versions.

``Codec`` does this without a database; ``EventMapper`` adapts it to ``eventsourcing``. Only names
in the table can be read: any other name is an error, and a row can never cause an import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent, Transcoder

from referee.events import Event, Fact
from referee.log.names import NAMES, SINCE
from referee.log.ports import MOVED, HouseMoved, NewerData, NoTables
from referee.log.sqlite.schema import SCHEMA_VERSION
from referee.log.upcasts import UPCASTS, EventBody, Upcast
from referee.release import RELEASE, release_as_number, release_from_number

FactT = TypeVar("FactT")

LARGEST_INT = 2**53 - 1
"""Largest whole number that every reader of JSON keeps exactly."""

_NUMBERS: Final = {name: release_as_number(release) for name, release in SINCE.items()}
_OWN: Final = release_as_number(RELEASE)
_MARKED: Final = release_as_number("0.3.0")
"""The release that brought the mark of a wrong clock, which earlier ones cannot read."""
_MARK: Final = re.compile(rb'\},"behind_s":-?\d+\}\Z')
_LONGEST_MARK: Final = 40
_KNOWN: Final = (SCHEMA_VERSION, *sorted({*_NUMBERS.values(), _MARKED}))


class UnknownName(Exception):  # noqa: N818 - it says what the row holds
    """A stored name that this program has never written, nor an earlier release."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is no event that guinote {RELEASE} knows")


class Unstorable(Exception):  # noqa: N818 - the name states the condition
    """A value that may not be on the log: a float, or a whole number beyond 2^53."""


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event in its stream: where, at which line, when, by whom, on which device.

    ``originator_version`` counts every event of the stream, ``line`` only its acts; ``salt`` keeps
    a hash of the event from revealing its content; ``at`` is UTC in ISO form. ``behind_s``: seconds
    that the clock which ``at`` comes from was known to be behind, below 0 ahead.
    """

    originator_id: UUID
    originator_version: int
    line: int
    at: str
    by: str
    device: str
    salt: str
    event: Event
    behind_s: int = 0

    @property
    def corrected_at(self) -> str:
        """When the event was recorded, as UTC text; corrected if the clock was wrong."""
        if not self.behind_s:
            return self.at
        return timestamp_of_datetime(
            datetime.fromisoformat(self.at) + timedelta(seconds=self.behind_s)
        )


class _Envelope(
    msgspec.Struct, Generic[FactT], frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Stored form of ``RecordedEvent``; stream, version and name have columns of their own.

    Without the mark of a wrong clock, ``fact`` is the last of its values.
    """

    at: str
    by: str
    on: str
    line: int
    salt: str
    fact: FactT
    behind_s: int = 0


class Codec:
    """Encodes events for the log and decodes them, older versions too."""

    def __init__(
        self,
        names: Mapping[str, type[Fact]] = NAMES,
        upcasts: Mapping[str, Upcast] = UPCASTS,
    ) -> None:
        self._classes = dict(names)
        self._upcasts = dict(upcasts)
        self._names: dict[type[Fact], str] = {cls: name for name, cls in names.items()}
        self._kinds = {cls: _json_prefix(cls) for cls in names.values()}
        self._encode = msgspec.json.Encoder(order="deterministic").encode
        envelope_of: Any = _Envelope
        self._decoders = {
            name: msgspec.json.Decoder(envelope_of[cls]).decode for name, cls in names.items()
        }
        self._older = msgspec.json.Decoder(_Envelope[EventBody]).decode

    def event_name_in_log(self, event: Event) -> str:
        """Stored name of an event."""
        return self._names[type(event)]

    def encode_with_name(self, recorded: RecordedEvent) -> tuple[str, bytes]:
        """Stored name and bytes of an event."""
        _refuse_inexact_numbers(msgspec.to_builtins(recorded.event))
        envelope = _Envelope(
            recorded.at,
            recorded.by,
            recorded.device,
            recorded.line,
            recorded.salt,
            msgspec.Raw(self.encode_without_kind(recorded.event)),
            recorded.behind_s,
        )
        return self._names[type(recorded.event)], self._encode(envelope)

    def encode_without_kind(self, event: Event) -> bytes:
        """JSON of an event without its kind, which its stored name says."""
        whole, kind = self._encode(event), self._kinds[type(event)]
        assert whole.startswith(kind), whole
        return b"{" + whole[len(kind) :].removeprefix(b",")

    def decode_row(self, stream: UUID, version: int, name: str, state: bytes) -> RecordedEvent:
        """The event of a stored row, upcast if its name is of an older version.

        :raises UnknownName: the name is not in the table
        """
        decoder = self._decoders.get(name)
        e: _Envelope[Any] = (
            self._decode_older_envelope(name, state) if decoder is None else decoder(state)
        )
        return RecordedEvent(stream, version, e.line, e.at, e.by, e.on, e.salt, e.fact, e.behind_s)

    def _decode_older_envelope(self, name: str, state: bytes) -> _Envelope[Any]:
        """Envelope of an event of an older version, its fact upcast to the present one."""
        if name not in self._upcasts:
            raise UnknownName(name)
        older = self._older(state)
        body = older.fact
        while name not in self._classes:
            if name not in self._upcasts:
                raise UnknownName(name)
            body = _upcast_one_version(self._upcasts[name], name, body)
            name = next_version_name(name)
        return msgspec.structs.replace(older, fact=msgspec.convert(body, self._classes[name]))


def _upcast_one_version(upcast: Upcast, name: str, body: EventBody) -> EventBody:
    """Body of an event in the next version of its form.

    An error if it does not have the older form.
    """
    try:
        return upcast(body)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise msgspec.ValidationError(f"{name}: {error}") from None


def _json_prefix(cls: type[Fact]) -> bytes:
    """First bytes of the JSON of an event of this class.

    Its tag, which the stored name makes needless.
    """
    config = cls.__struct_config__
    return f'{{"{config.tag_field}":"{config.tag}"'.encode()


def next_version_name(name: str) -> str:
    """Stored name of the version after this one.

    >>> next_version_name("CardPlayed.1")
    'CardPlayed.2'
    """
    stem, _, number = name.rpartition(".")
    return f"{stem}.{int(number) + 1}"


def log_version_for_names(names: Iterable[str]) -> int:
    """Lowest version number that a log with events of these stored names must have.

    0 if every release can read them.

    A log has the version of its tables until the first event of a name that earlier releases
    cannot read; then it has the number of the release that brought the name. So releases side by
    side over one log understand each other until then, and the older one knows it afterwards.

    >>> log_version_for_names(["CardPlayed.1"])
    0
    >>> log_version_for_names(["CardPlayed.1", "AddressRenewed.2"])
    200
    """
    return max((_NUMBERS.get(name, 0) for name in names), default=0)


def log_version_for_rows(rows: Sequence[StoredEvent]) -> int:
    """Least version of a log with these stored events: by their names, and if one has a mark."""
    return max(map(_log_version_for_row, rows), default=0)


def _log_version_for_row(row: StoredEvent) -> int:
    """Lowest version number that a log with this stored event must have."""
    has_mark = _MARK.search(row.state[-_LONGEST_MARK:]) is not None
    return max(_MARKED * has_mark, _NUMBERS.get(row.topic, 0))


def refuse_newer_version(what: object, version: int) -> None:
    """Raise an error if a later release of this program has written to the log.

    :raises NewerData: it is one
    """
    if version % MOVED > _OWN:
        raise NewerData(what, release_from_number(version % MOVED))


def assert_version_writable(what: object, version: int) -> None:
    """Raise an error unless this release may write to a log with this version number.

    :raises HouseMoved: the house is elsewhere
    :raises NoTables: this release does not read it
    """
    assert_version_readable(what, version)
    if version >= MOVED:
        raise HouseMoved(f"{what} is closed: the house moved")


def assert_version_readable(what: object, version: int) -> None:
    """Raise an error unless this release can read a log with this version number.

    :raises NewerData: a later release has written it
    :raises NoTables: it is no version of a log
    """
    refuse_newer_version(what, version)
    if version % MOVED not in _KNOWN:
        raise NoTables(f"{what} has tables of version {version}")


def event_classes_by_name() -> dict[str, type[Fact]]:
    """Event class of each stored name that can be read, names of older versions included."""
    found = dict(NAMES)
    for older in UPCASTS:
        name = older
        while name in UPCASTS:
            name = next_version_name(name)
        found[older] = NAMES[name]
    return found


def timestamp_of_datetime(moment: datetime) -> str:
    """Text of a moment as it is stored: UTC, to the millisecond.

    >>> timestamp_of_datetime(datetime(2026, 11, 21, 20, 15, tzinfo=UTC))
    '2026-11-21T20:15:00.000Z'
    """
    assert moment.tzinfo is not None, moment
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _refuse_inexact_numbers(whole: object) -> None:
    """Raise an error if a value or a value inside it is a float or too large a whole number."""
    waiting = [whole]
    while waiting:
        match value := waiting.pop():
            case bool() | str() | None:
                pass
            case int() if abs(value) <= LARGEST_INT:
                pass
            case dict():
                waiting += value.values()
            case list() | tuple():
                waiting += value
            case _:
                raise Unstorable(repr(value))


CODEC = Codec()


class NoTranscoder(Transcoder):
    """Stub for the library's transcoder, which is not used here."""

    def encode(self, obj: Any) -> bytes:
        """Not used: events are encoded elsewhere, and the library only demands the method."""
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        """Not used: events are decoded elsewhere, and the library only demands the method."""
        raise NotImplementedError


class EventMapper(Mapper[UUID]):
    """Adapter of the codec for ``eventsourcing``."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Row of an event."""
        name, state = CODEC.encode_with_name(domain_event)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, name, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Event of a row."""
        stream = stored_event.originator_id
        assert isinstance(stream, UUID), stream
        return CODEC.decode_row(
            stream, stored_event.originator_version, stored_event.topic, stored_event.state
        )


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event with its position in the whole log and its stored name."""

    position: int
    name: str
    recorded: RecordedEvent
