"""``guinote referee``: partidas of files, recorded act by act and judged."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from api.encuentros.record_import import profile_of_header
from projections.views import view_as
from referee.aggregates.commands import Amend, Record
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import Partida
from referee.application import Referee
from referee.errors import Refused
from referee.events import EncuentroOpened, FrozenProfile, LogAmended, PartidaAct
from referee.kinds import partida_id
from referee.log.streams import WriteMetadata
from referee.record import BadRecord, ReadRecord, TextPlace, read_record
from referee.record.causes import PartidaCauses
from referee.record.profiles import CannotImport, import_error_at_tag
from referee.record.samples import BadSample, Sample, parse_sample
from referee.rules.profile.profile import (
    BadProfile,
    Profile,
    UnknownProfile,
    profile_by_id_at_edition,
)
from referee.rules.profile.values import parse_value
from referee.rules.seats import SIDES, side_of
from referee.table.counts import partida_totals

AUTHOR: Final = "guinote referee"


PrintedLine: TypeAlias = Mapping[str, object]
"""A line of the output: the judgement of a partida, or another report of it, or an ``error``."""


class FaultData(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was not recorded: a stable code, the field, and the detail.

    ``line`` and ``column``: where it is in a text record, counted from 1.
    """

    code: str
    field: str
    detail: object
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


class PrintedFindingData(msgspec.Struct, frozen=True):
    """A finding: the line that it is about, its rule, and the seat."""

    line: int
    rule: str
    seat: str


class JudgementData(msgspec.Struct, frozen=True):
    """Winner, how, points, trick winners by deal, points of valid cantes, findings of a partida."""

    winner: str | None
    how: str
    points: dict[str, int]
    tricks: list[list[str]]
    cantes: dict[str, int]
    findings: list[PrintedFindingData]


@dataclass(eq=False)
class CannotReferee(Exception):  # noqa: N818 - an answer about a file, not an error of the program
    """Why a partida cannot be refereed: a stable code, the field or option, and the detail."""

    code: str
    field: str
    detail: str
    place: TextPlace | None = None

    def fault_data(self) -> FaultData:
        """The fault as data to be printed."""
        view = FaultData(code=self.code, field=self.field, detail=self.detail)
        return _fault_with_place(view, self.place) if self.place else view


def profile_with_changes(name: str, changes: Iterable[str]) -> Profile:
    """The profile ``club`` or ``club@2026-1`` with changed options, given as ``name=value``.

    :raises CannotReferee: no such profile, option or value, or options contradict each other
    """
    try:
        base = profile_by_id_at_edition(name)
    except UnknownProfile:
        raise CannotReferee("unknown_profile", "profile", name) from None
    given: dict[str, object] = {}
    for change in changes:
        option, _, text = change.partition("=")
        try:
            given[option] = (
                int(text) if option in ("players", "deck") else parse_value(option, text)
            )
        except KeyError:
            raise CannotReferee("unknown_option", option, change) from None
        except ValueError:
            raise CannotReferee("bad_value", option, change) from None
    try:
        return base.changed(f"{base.id}-changed", base.edition, given) if given else base
    except BadProfile as bad:
        raise _profile_fault(bad) from None


def _profile_fault(bad: BadProfile) -> CannotReferee:
    names = sorted({name for problem in bad.problems for name in problem.options})
    codes = sorted({problem.code for problem in bad.problems})
    return CannotReferee("profile", ",".join(names), ",".join(codes))


def freeze_profile_for_sample(sample: Sample, chosen: Profile) -> FrozenProfile:
    """The profile frozen for the table of a sample.

    :raises CannotReferee: the profile cannot hold it; the option is named
    """
    try:
        frozen = freeze_profile(chosen, sample.players, sample.deck)
    except BadProfile as bad:
        raise _profile_fault(bad) from None
    if frozen.options["hand_size"] != sample.hand_size:
        raise CannotReferee("profile", "hand_size", f"{sample.hand_size} cards were dealt to each")
    return frozen


class FileReferee:
    """Records partidas into a log, act by act, and reports on each."""

    def __init__(
        self,
        referee: Referee,
        clock: Callable[[], datetime],
        say: Callable[[Partida, FrozenProfile], PrintedLine] | None = None,
    ) -> None:
        """``say``: makes the report of a partida; by default its winner."""
        self._referee = referee
        self._clock = clock
        self._say = say

    def _metadata_for_write(self) -> WriteMetadata:
        return WriteMetadata(by=AUTHOR, device="cli", at=self._clock())

    def open_encuentro(self, frozen: FrozenProfile) -> UUID:
        """Open an encuentro under this profile."""
        return self._referee.encuentros.open(EncuentroOpened(frozen), self._metadata_for_write()).id

    def record_and_report_partida(
        self, encuentro: UUID, acts: Iterable[PartidaAct], places: Sequence[TextPlace] = ()
    ) -> PrintedLine:
        """Record the next partida of an encuentro; returns its report, with refused acts.

        ``places``: of the acts in their text.
        """
        self._referee.encuentros.start_partida(encuentro, self._metadata_for_write())
        errors = [
            *self._record_acts_and_yield_faults(self._latest_partida_id(encuentro), acts, places)
        ]
        view = self._partida_report(encuentro, self.latest_partida(encuentro))
        return {**view, "error": errors[0], "errors": errors} if errors else view

    def latest_partida(self, encuentro: UUID) -> Partida:
        """State of the partida recorded last in an encuentro."""
        return self._referee.encuentros.partida_by_id(self._latest_partida_id(encuentro))

    def _latest_partida_id(self, encuentro: UUID) -> UUID:
        return partida_id(encuentro, len(self._referee.encuentros.encuentro(encuentro).partidas))

    def _partida_report(self, encuentro: UUID, state: Partida) -> PrintedLine:
        if self._say is None:
            return _builtins_to_print(judgement(state))
        opened = self._referee.encuentros.encuentro(encuentro).opened
        assert opened is not None
        return _builtins_to_print(self._say(state, opened.profile))

    def _record_acts_and_yield_faults(
        self, found: UUID, acts: Iterable[PartidaAct], places: Sequence[TextPlace]
    ) -> Iterator[FaultData]:
        causes = PartidaCauses()
        for number, act in enumerate(acts, 1):
            if isinstance(act, LogAmended):
                command: Amend | Record = Amend(act.changes, act.text)
            else:
                command = Record(act)
            try:
                self._referee.encuentros.record_partida_acts(
                    found, [command], self._metadata_for_write()
                )
            except Refused as refused:
                if causes.add_act_and_check_cause(act, refused):
                    facts = msgspec.to_builtins(dict(refused.facts))
                    detail = {"act": number, "kind": act.__struct_config__.tag, **facts}
                    fault = FaultData(code=refused.rule.value, field="acts", detail=detail)
                    yield _fault_with_place(fault, places[number - 1]) if places else fault
            else:
                causes.add_act_and_check_cause(act, None)


def _builtins_to_print(view: object) -> PrintedLine:
    line: PrintedLine = msgspec.to_builtins(view)
    return line


def _fault_with_place(fault: FaultData, place: TextPlace) -> FaultData:
    return view_as(FaultData, fault, line=place.line, column=place.column)


def judgement(state: Partida) -> JudgementData:
    """Judgement of a partida: winner, how, points, trick winners, valid cantes and findings."""
    table = state.table
    won = table.decided
    sides = SIDES[table.players]
    cantes = dict.fromkeys(sides, 0)
    for deal in table.all_deals:
        for cante in deal.cantes:
            if not cante.void and cante.line not in table.ruled_out:
                cantes[side_of(cante.seat)] += cante.points
    return JudgementData(
        winner=(won.winner or None) if won else None,
        how=won.how if won else "undecided",
        points=points_of(state),
        tricks=[[trick.taker for trick in deal.tricks] for deal in table.all_deals],
        cantes=cantes,
        findings=[
            PrintedFindingData(line=f.line, rule=f.rule.value, seat=f.seat)
            for f in sorted(table.findings, key=lambda f: (f.line, f.known_at))
        ],
    )


def points_of(state: Partida) -> dict[str, int]:
    """Final totals of the sides, or those so far."""
    table = state.table
    return dict(table.decided.totals) if table.decided else partida_totals(table)


def referee_file(
    bench: FileReferee, content: bytes, chosen: Profile | None, *, observed: bool
) -> Iterator[PrintedLine]:
    """Record and judge every partida of a file: JSON lines of samples, or a text record.

    ``chosen`` is None if the file names its profile; samples then are judged by ``club``.
    ``observed`` is for samples only: the lines of a text record are addresses, none is left out.
    """
    if content.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
        for line in content.decode("utf-8-sig", "replace").splitlines():
            if line.strip():
                yield referee_sample(
                    bench, line, chosen or profile_by_id_at_edition("club"), observed=observed
                )
    elif observed:
        yield {"error": CannotReferee("only_samples", "observed", "text record").fault_data()}
    else:
        yield from _lines_of_record(bench, content, chosen)


def referee_sample(
    bench: FileReferee, line: str, chosen: Profile, *, observed: bool
) -> PrintedLine:
    """Record and judge one line of a sample file; a fault is returned as ``error``."""
    named: dict[str, object] = {}
    try:
        given = msgspec.json.decode(line, type=dict[str, Any])
        named = {"game": given["game"]} if "game" in given else {}
        sample = parse_sample(given, observed=observed)
        encuentro = bench.open_encuentro(freeze_profile_for_sample(sample, chosen))
    except msgspec.MsgspecError as error:
        return {"error": CannotReferee("malformed", "line", str(error)).fault_data()}
    except BadSample as bad:
        return {**named, "error": CannotReferee("malformed", bad.field, bad.detail).fault_data()}
    except CannotReferee as fault:
        return {**named, "error": fault.fault_data()}
    view = bench.record_and_report_partida(
        encuentro, [act for deal in sample.deals for act in deal]
    )
    won = bench.latest_partida(encuentro).table.decided
    if won is not None and won.how == "false_claim":
        totals = ", ".join(f"{side} {total}" for side, total in sorted(won.totals.items()))
        below = CannotReferee("winner_below_target", "winner_team", totals)
        return {**named, "error": below.fault_data()}
    return {**named, **view}


def _lines_of_record(
    bench: FileReferee, content: bytes, chosen: Profile | None
) -> Iterator[PrintedLine]:
    try:
        read = read_record(content)
        frozen = _freeze_profile_for_record(read, chosen)
    except BadRecord as bad:
        first = bad.errors[0]
        where = {"line": first.line, "column": first.column}
        yield {"error": {"code": "malformed", **where, "errors": msgspec.to_builtins(bad.errors)}}
    except CannotReferee as cannot:
        yield {"error": cannot.fault_data()}
    else:
        encuentro = bench.open_encuentro(frozen)
        for partida in read.record.partidas:
            lines = range(1, len(partida.acts) + 1)
            places = [read.places[partida.number, line] for line in lines]
            try:
                yield bench.record_and_report_partida(encuentro, partida.acts, places)
            except Refused as refused:
                detail = msgspec.to_builtins(dict(refused.facts))
                running = FaultData(code=refused.rule.value, field="partidas", detail=detail)
                begun = read.places.get((partida.number, 0))
                yield {"error": _fault_with_place(running, begun) if begun else running}


def _freeze_profile_for_record(read: ReadRecord, chosen: Profile | None) -> FrozenProfile:
    """The profile that a record names, or the one that was chosen.

    :raises CannotReferee: the program does not know it, or it cannot hold the record
    """
    try:
        if chosen is None:
            return profile_of_header(read.record)
        return freeze_profile(chosen, read.record.players, read.record.deck)
    except CannotImport as cannot:
        place = import_error_at_tag(cannot, read)
        where = TextPlace(place.line, place.column)
        raise CannotReferee(cannot.code, cannot.field, cannot.detail, where) from None
    except BadProfile as bad:
        raise _profile_fault(bad) from None
