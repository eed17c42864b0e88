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

from referee import events
from referee.events import Event, Fact, tournament
from referee.log.ports import MOVED, HouseMoved, NewerData, NoTables
from referee.log.sqlite.schema import SCHEMA_VERSION
from referee.log.upcasts import UPCASTS, EventBody, Upcast
from referee.release import RELEASE, number_of, release_of

FactT = TypeVar("FactT")

LARGEST_INT = 2**53 - 1
"""Largest whole number that every reader of JSON keeps exactly."""

NAMES: dict[str, type[Fact]] = {
    # acts of a partida
    "DealStarted.1": events.DealStarted,
    "Misdealt.1": events.Misdealt,
    "WrongDealFound.1": events.WrongDealFound,
    "PintaTurned.1": events.PintaTurned,
    "HandEntered.1": events.HandEntered,
    "StockEntered.1": events.StockEntered,
    "CardPlayed.1": events.CardPlayed,
    "CardDrawn.1": events.CardDrawn,
    "WrongDraw.1": events.WrongDraw,
    "CanteAnnounced.1": events.CanteAnnounced,
    "SuitRequested.1": events.SuitRequested,
    "PintaSwapped.1": events.PintaSwapped,
    "TuteAnnounced.1": events.TuteAnnounced,
    "TrickReviewed.1": events.TrickReviewed,
    "CardsShown.1": events.CardsShown,
    "IncidentNoted.1": events.IncidentNoted,
    "RenuncioDenounced.1": events.RenuncioDenounced,
    "ClaimMade.1": events.ClaimMade,
    "RestClaimed.1": events.RestClaimed,
    "CountEntered.1": events.CountEntered,
    "Conceded.1": events.Conceded,
    "Abandoned.1": events.Abandoned,
    "TimeCalled.1": events.TimeCalled,
    "PlaySuspended.1": events.PlaySuspended,
    "PlayResumed.1": events.PlayResumed,
    "DealAnnulled.1": events.DealAnnulled,
    "TrickEntered.1": events.TrickEntered,
    "ResultEntered.1": events.ResultEntered,
    "RulingGiven.1": events.RulingGiven,
    "LogAmended.1": events.LogAmended,
    # conclusions of a partida
    "PartidaOpened.1": events.PartidaOpened,
    "DealerDue.1": events.DealerDue,
    "DealCounted.1": events.DealCounted,
    "VueltasBegun.1": events.VueltasBegun,
    "ClaimJudged.1": events.ClaimJudged,
    "PartidaWon.1": events.PartidaWon,
    "ConclusionRevised.1": events.ConclusionRevised,
    # acts of an encuentro
    "EncuentroOpened.1": events.EncuentroOpened,
    "OpeningChanged.1": events.OpeningChanged,
    "DrawMade.1": events.DrawMade,
    "PlayersSeated.1": events.PlayersSeated,
    "PlayerSubstituted.1": events.PlayerSubstituted,
    "PartidaStarted.1": events.PartidaStarted,
    "EncuentroRuled.1": events.EncuentroRuled,
    "FinalScoreTold.1": events.FinalScoreTold,
    "FinalScoreWithdrawn.1": events.FinalScoreWithdrawn,
    "EncuentroCalledOff.1": events.EncuentroCalledOff,
    # conclusions of an encuentro
    "OutcomeFollowed.1": events.OutcomeFollowed,
    "CotoWon.1": events.CotoWon,
    "EncuentroWon.1": events.EncuentroWon,
    "EncuentroRevised.1": events.EncuentroRevised,
    "CaseFollowed.1": events.CaseFollowed,
    # the result of an encuentro
    "CodeGiven.1": events.CodeGiven,
    "ResultReported.1": events.ResultReported,
    "ResultConfirmed.1": events.ResultConfirmed,
    "ResultDenied.1": events.ResultDenied,
    "ResultContested.1": events.ResultContested,
    "ResultMadeOfficial.1": events.ResultMadeOfficial,
    "ResultReopened.1": events.ResultReopened,
    # acts of a case
    "CaseOpened.1": events.CaseOpened,
    "EvidenceAttached.1": events.EvidenceAttached,
    "CaseRuled.1": events.CaseRuled,
    "Appealed.1": events.Appealed,
    "AppealDecided.1": events.AppealDecided,
    "CaseClosed.1": events.CaseClosed,
    # access
    "RoleGranted.1": events.RoleGranted,
    "DevicePaired.1": events.DevicePaired,
    "AccessRevoked.1": events.AccessRevoked,
    # seasons and sessions
    "SeasonOpened.1": events.SeasonOpened,
    "ScoringSet.1": events.ScoringSet,
    "CalendarSet.1": events.CalendarSet,
    "SeasonClosed.1": events.SeasonClosed,
    "SessionOpened.1": events.SessionOpened,
    "SessionChanged.1": events.SessionChanged,
    "PlayerCame.1": events.PlayerCame,
    "PlayerLeft.1": events.PlayerLeft,
    "PairCame.1": events.PairCame,
    "PairLeft.1": events.PairLeft,
    "TablesDrawn.1": events.TablesDrawn,
    "TablesOpened.1": events.TablesOpened,
    "TablesTakenBack.1": events.TablesTakenBack,
    "AddressRenewed.2": events.AddressRenewed,
    "SessionClosed.1": events.SessionClosed,
    "SessionReopened.1": events.SessionReopened,
    # money of a season or a session
    "FeesSet.1": events.FeesSet,
    "FeePaid.1": events.FeePaid,
    "PaymentTakenBack.1": events.PaymentTakenBack,
    # a tournament
    "TournamentOpened.1": tournament.TournamentOpened,
    "TournamentDated.1": tournament.TournamentDated,
    "PairEntered.1": tournament.PairEntered,
    "PairSubstituted.1": tournament.PairSubstituted,
    "PairWithdrawn.1": tournament.PairWithdrawn,
    "AbsenceNoted.1": tournament.AbsenceNoted,
    "AbsenceWithdrawn.1": tournament.AbsenceWithdrawn,
    "PairReturned.1": tournament.PairReturned,
    "DrawCommitted.2": tournament.DrawCommitted,
    "LotsDrawn.1": tournament.LotsDrawn,
    "RoundDrawn.1": tournament.RoundDrawn,
    "PhaseBegun.1": tournament.PhaseBegun,
    "TablesAssigned.1": tournament.TablesAssigned,
    "TableCalled.1": tournament.TableCalled,
    "ClockStarted.1": tournament.ClockStarted,
    "ClockStopped.1": tournament.ClockStopped,
    "MeetingHeld.1": tournament.MeetingHeld,
    "MeetingReleased.1": tournament.MeetingReleased,
    "RoundTakenBack.1": tournament.RoundTakenBack,
    "ResultTold.1": tournament.ResultTold,
    "ResultTakenBack.1": tournament.ResultTakenBack,
    "CorrectionSettled.1": tournament.CorrectionSettled,
    "TournamentClosed.1": tournament.TournamentClosed,
    "TournamentReopened.1": tournament.TournamentReopened,
    "MeetingFollowed.1": tournament.MeetingFollowed,
    # the players of the club
    "PlayerListed.1": events.PlayerListed,
    "PlayersMerged.1": events.PlayersMerged,
    "PhoneNoted.1": events.PhoneNoted,
    "PlayerRetired.1": events.PlayerRetired,
    "PlayerReturned.1": events.PlayerReturned,
    "PairNamed.1": events.PairNamed,
    # the rules of the club
    "RulesStated.1": events.RulesStated,
    "RulesRetired.1": events.RulesRetired,
    # the settings of the club
    "FourEyesChosen.1": events.FourEyesChosen,
    "TimeZoneChosen.1": events.TimeZoneChosen,
    "LeagueAudienceChosen.1": events.LeagueAudienceChosen,
    "PuzzleAudienceChosen.1": events.PuzzleAudienceChosen,
    "DealLuckChosen.1": events.DealLuckChosen,
    "RecordAudienceChosen.1": events.RecordAudienceChosen,
    "ClubNamed.1": events.ClubNamed,
    "ClubColourChosen.1": events.ClubColourChosen,
    "ClubLogoChosen.1": events.ClubLogoChosen,
    # the house
    "HouseFounded.1": events.HouseFounded,
    "HouseRestored.1": events.HouseRestored,
    "NotaryNamed.1": events.NotaryNamed,
}
"""Stored names that are written. A published one is never edited: a new version gets ``.2``, and
an upcast from the older one, which leaves this table."""

SINCE: Final[Mapping[str, str]] = {
    "AddressRenewed.2": "0.2.0",
    "DrawCommitted.2": "0.3.0",
    "ClubColourChosen.1": "0.2.0",
    "ClubLogoChosen.1": "0.2.0",
    "ClubNamed.1": "0.2.0",
    "DealLuckChosen.1": "0.2.0",
    "FeePaid.1": "0.3.0",
    "FeesSet.1": "0.3.0",
    "HouseFounded.1": "0.2.0",
    "HouseRestored.1": "0.2.0",
    "LeagueAudienceChosen.1": "0.2.0",
    "NotaryNamed.1": "0.2.0",
    "PaymentTakenBack.1": "0.3.0",
    "PhoneNoted.1": "0.3.0",
    "PlayerRetired.1": "0.3.0",
    "PlayerReturned.1": "0.3.0",
    "PuzzleAudienceChosen.1": "0.2.0",
    "RecordAudienceChosen.1": "0.3.0",
    "RestClaimed.1": "0.2.0",
    "ResultTakenBack.1": "0.3.0",
    "RoundTakenBack.1": "0.3.0",
    "TournamentDated.1": "0.3.0",
}
"""The release that brought a stored name; 0.1.0 had those that are missing here."""
_NUMBERS: Final = {name: number_of(release) for name, release in SINCE.items()}
_OWN: Final = number_of(RELEASE)
_MARKED: Final = number_of("0.3.0")
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
    def moment(self) -> str:
        """When it was recorded, by a clock that is right, as far as is known."""
        if not self.behind_s:
            return self.at
        return timestamp(datetime.fromisoformat(self.at) + timedelta(seconds=self.behind_s))


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
    """Stored bytes from events and back."""

    def __init__(
        self,
        names: Mapping[str, type[Fact]] = NAMES,
        upcasts: Mapping[str, Upcast] = UPCASTS,
    ) -> None:
        self._classes = dict(names)
        self._upcasts = dict(upcasts)
        self._names: dict[type[Fact], str] = {cls: name for name, cls in names.items()}
        self._kinds = {cls: _kind_of(cls) for cls in names.values()}
        self._encode = msgspec.json.Encoder(order="deterministic").encode
        envelope_of: Any = _Envelope
        self._decoders = {
            name: msgspec.json.Decoder(envelope_of[cls]).decode for name, cls in names.items()
        }
        self._older = msgspec.json.Decoder(_Envelope[EventBody]).decode

    def name_of(self, event: Event) -> str:
        """Stored name of an event."""
        return self._names[type(event)]

    def encode(self, recorded: RecordedEvent) -> tuple[str, bytes]:
        """Stored name and bytes of an event."""
        _refuse_inexact(msgspec.to_builtins(recorded.event))
        envelope = _Envelope(
            recorded.at,
            recorded.by,
            recorded.device,
            recorded.line,
            recorded.salt,
            msgspec.Raw(self.body(recorded.event)),
            recorded.behind_s,
        )
        return self._names[type(recorded.event)], self._encode(envelope)

    def body(self, event: Event) -> bytes:
        """JSON of an event without its kind, which its stored name says."""
        whole, kind = self._encode(event), self._kinds[type(event)]
        assert whole.startswith(kind), whole
        return b"{" + whole[len(kind) :].removeprefix(b",")

    def decode(self, stream: UUID, version: int, name: str, state: bytes) -> RecordedEvent:
        """The event of a stored row.

        :raises UnknownName: the name is not in the table
        """
        decoder = self._decoders.get(name)
        e: _Envelope[Any] = self._raise_up(name, state) if decoder is None else decoder(state)
        return RecordedEvent(stream, version, e.line, e.at, e.by, e.on, e.salt, e.fact, e.behind_s)

    def _raise_up(self, name: str, state: bytes) -> _Envelope[Any]:
        """An event of an older version, upcast to the present one."""
        if name not in self._upcasts:
            raise UnknownName(name)
        older = self._older(state)
        body = older.fact
        while name not in self._classes:
            if name not in self._upcasts:
                raise UnknownName(name)
            body = _upcast(self._upcasts[name], name, body)
            name = successor(name)
        return msgspec.structs.replace(older, fact=msgspec.convert(body, self._classes[name]))


def _upcast(upcast: Upcast, name: str, body: EventBody) -> EventBody:
    """The next version of a body; one that is not of the older version is a wrong body."""
    try:
        return upcast(body)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise msgspec.ValidationError(f"{name}: {error}") from None


def _kind_of(cls: type[Fact]) -> bytes:
    """Start of the JSON of an event of this class."""
    config = cls.__struct_config__
    return f'{{"{config.tag_field}":"{config.tag}"'.encode()


def successor(name: str) -> str:
    """Stored name of the version after this one.

    >>> successor("CardPlayed.1")
    'CardPlayed.2'
    """
    stem, _, number = name.rpartition(".")
    return f"{stem}.{int(number) + 1}"


def version_with(names: Iterable[str]) -> int:
    """Least version of a log with events of these names; 0 if any will do.

    A log has the version of its tables until the first event of a name that earlier releases
    cannot read; then it has the number of the release that brought the name. So releases side by
    side over one log understand each other until then, and the older one knows it afterwards.

    >>> version_with(["CardPlayed.1"]), version_with(["CardPlayed.1", "AddressRenewed.2"])
    (0, 200)
    """
    return max((_NUMBERS.get(name, 0) for name in names), default=0)


def version_with_rows(rows: Sequence[StoredEvent]) -> int:
    """Least version of a log with these stored events: by their names, and if one has a mark."""
    has_mark = any(_MARK.search(one.state[-_LONGEST_MARK:]) for one in rows)
    return max(_MARKED * has_mark, version_with(one.topic for one in rows))


def refuse_newer(what: object, version: int) -> None:
    """Refuse a log of a later release.

    :raises NewerData: it is one
    """
    if version % MOVED > _OWN:
        raise NewerData(what, release_of(version % MOVED))


def assert_writable(what: object, version: int) -> None:
    """Check that a log of a version may be written.

    :raises HouseMoved: the house is elsewhere
    :raises NoTables: this release does not read it
    """
    assert_readable(what, version)
    if version >= MOVED:
        raise HouseMoved(f"{what} is closed: the house moved")


def assert_readable(what: object, version: int) -> None:
    """Check that this release reads a log of a version.

    :raises NewerData: a later release has written it
    :raises NoTables: it is no version of a log
    """
    refuse_newer(what, version)
    if version % MOVED not in _KNOWN:
        raise NoTables(f"{what} has tables of version {version}")


def every_name() -> dict[str, type[Fact]]:
    """Every stored name that can be read, older ones too, with its class."""
    found = dict(NAMES)
    for older in UPCASTS:
        name = older
        while name in UPCASTS:
            name = successor(name)
        found[older] = NAMES[name]
    return found


def timestamp(moment: datetime) -> str:
    """A moment as it is stored: UTC, to the millisecond.

    >>> timestamp(datetime(2026, 11, 21, 20, 15, tzinfo=UTC))
    '2026-11-21T20:15:00.000Z'
    """
    assert moment.tzinfo is not None, moment
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _refuse_inexact(value: object) -> None:
    match value:
        case bool() | str() | None:
            pass
        case int() if abs(value) <= LARGEST_INT:
            pass
        case dict():
            for inner in value.values():
                _refuse_inexact(inner)
        case list() | tuple():
            for inner in value:
                _refuse_inexact(inner)
        case _:
            raise Unstorable(repr(value))


CODEC = Codec()


class NoTranscoder(Transcoder):
    """Stub for the library's transcoder, which is not used here."""

    def encode(self, obj: Any) -> bytes:
        """Nothing."""
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        """Nothing."""
        raise NotImplementedError


class EventMapper(Mapper[UUID]):
    """Adapter of the codec for ``eventsourcing``."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Row of an event."""
        name, state = CODEC.encode(domain_event)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, name, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Event of a row."""
        stream = stored_event.originator_id
        assert isinstance(stream, UUID), stream
        return CODEC.decode(
            stream, stored_event.originator_version, stored_event.topic, stored_event.state
        )


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event with its position in the whole log and its stored name."""

    position: int
    name: str
    recorded: RecordedEvent
