"""Data of an acta: an encuentro, or one of its cases, for a page that is signed.

It is worked out from the log whenever it is made. The views of the read side are a copy that
anybody with the machine can change; a paper that is signed must not repeat such a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.audit.trail import TrailEntryData, entry_with_texts
from api.cases import views as case_views
from api.cases.acta_types import (
    ActaAmendmentData,
    ActaOutcomeData,
    ActaPartidaData,
    ActaProfileData,
    ActaRenuncioData,
    ActaResultData,
    ActaRulingData,
    ActaWhoData,
    AmendmentWordsData,
    CaseActaData,
    CaseLineData,
    ChangeWordsData,
    EncuentroActaData,
    EncuentroRulingWordsData,
    HeadOfLogData,
    LineWordsData,
    Moment,
    SignedData,
    StoodData,
    SubstitutionWordsData,
    TableRulingWordsData,
)
from api.cases.exhibits import Exhibits, exhibits_of_lines
from api.cases.views import WordedCaseData
from api.encuentros import views
from api.encuentros.views import NamedEncuentroData
from api.encuentros.words import (
    NameOfAct,
    act_in_words,
    effect_in_words,
    namer_of_stored_acts,
    ruling_article_in_words,
)
from api.http.languages import language, say
from api.http.renuncios import renuncio_in_words
from api.http.services import current_services
from api.profiles.findings import frozen_profile_of_encuentro
from projections.audit_trail import TrailEntry
from projections.cases.record import EncuentroRecord, record_of_encuentro
from projections.cases.views import CaseData
from projections.facts import FactData, PartidaWonData
from projections.legality.evidence import deciding_renuncio
from projections.legality.findings import article_of_rule
from projections.replay.frames import partida_view_at_line, state_at_line
from projections.scores.encuentros import EncuentroPartidaData
from projections.scores.partidas import PartidaData
from projections.views import view_as
from referee import events
from referee.audit.checkpoint import read_checkpoint
from referee.audit.proofs import NotSigned
from referee.audit.resguardo import resguardo_from_proof
from referee.errors import NotFound
from referee.events import SideName, TextId
from referee.kinds import case_id, partida_id
from referee.rules.articles import Rule
from referee.rules.seats import SEATS, side_of


def log_head_of_encuentro(encuentro_id: UUID) -> HeadOfLogData | None:
    """The signed head of the log for an encuentro, with its resguardo as text.

    None if nothing of the encuentro is signed yet.
    """
    try:
        proof = current_services().auditor.prove_encuentro(encuentro_id)
    except NotSigned:
        return None
    note = read_checkpoint(proof.checkpoint)
    held = resguardo_from_proof(proof)
    return HeadOfLogData(
        origin=note.origin,
        size=note.size,
        root=note.root.hex(),
        head=held.head.hex(),
        events=held.count,
        unsigned=proof.recorded - held.count,
        text=held.text,
    )


def _read_record(encuentro_id: UUID) -> EncuentroRecord:
    """The record of an encuentro, folded from the log up to its last event.

    :raises NotFound: there is none
    """
    referee = current_services().referee
    found = record_of_encuentro(referee.rows_of_stream, encuentro_id, referee.position())
    if found is None:
        raise NotFound(str(encuentro_id))
    return found


def encuentro_acta_data(encuentro_id: UUID) -> EncuentroActaData:
    """Data of the acta of an encuentro.

    :raises NotFound: there is none
    """
    record = _read_record(encuentro_id)
    view, log = views.encuentro_with_names(record.view), _trail_with_texts(record.trail)
    cases = [case_views.with_texts(one) for one in record.cases]
    return view_as(
        EncuentroActaData,
        _acta_header(view),
        version=view.version,
        opened_at=log[0].at,
        substitutions=[
            substitution_words_data(one) for one in _entries_of_event(log, "PlayerSubstituted")
        ],
        partidas=[
            _acta_of_partida(encuentro_id, held, _trail_with_texts(entries), (log, cases))
            for held, entries in zip(view.partidas, record.partidas, strict=True)
        ],
        cotos=view.standing.made,
        standing=view.standing,
        counts=view.final.counts,
        told=view.told or None,
        decided=view.decided,
        rulings=[
            encuentro_ruling_words_data(one) for one in _entries_of_event(log, "EncuentroRuled")
        ],
        cases=[_case_summary(one) for one in cases],
        warnings=_warning_counts_by_side(record),
        result=_encuentro_result(view, log),
        proof=log_head_of_encuentro(encuentro_id),
    )


def case_acta_data(encuentro_id: UUID, number: int) -> CaseActaData:
    """Data of the acta of a case.

    :raises NotFound: there is none
    """
    record = _read_record(encuentro_id)
    if number > len(record.cases):
        raise NotFound(str(case_id(encuentro_id, number)))
    case = case_views.with_texts(record.cases[number - 1])
    entries = _trail_with_texts(record.partidas[case.partida - 1])
    lines = {one.line: one for one in entries if is_act(one)}
    called = namer_of_stored_acts(encuentro_id, case.partida)
    return view_as(
        CaseActaData,
        _acta_header(views.encuentro_with_names(record.view)),
        case=case,
        moments=[one.at for one in record.case_trails[number - 1]],
        lines=[
            line_words_data(lines[one], called) for one in lines_in_dispute(case) if one in lines
        ],
        stood=_partida_at_rulings(partida_id(encuentro_id, case.partida), case),
        warnings=_warning_counts_by_side(record),
        proof=log_head_of_encuentro(encuentro_id),
    )


def exhibits_of_case(encuentro_id: UUID, case: CaseData) -> Exhibits:
    """What the partida of a case shows about its lines and those of its evidence."""
    before = case.ruled.act if case.ruled else None
    return exhibits_of_lines(encuentro_id, case.partida, lines_in_dispute(case), before)


def lines_in_dispute(case: CaseData) -> list[int]:
    """Lines of a case, then those of its evidence only."""
    attached = {line for one in case.evidence for line in one.lines}
    return [*sorted(case.lines), *sorted(attached - set(case.lines))]


# --- parts ---------------------------------------------------------------------------------------


def _trail_with_texts(trail: Iterable[TrailEntry]) -> list[TrailEntryData]:
    """Entries of a trail with their texts."""
    return [entry_with_texts(one) for one in trail]


def _warning_counts_by_side(record: EncuentroRecord) -> dict[SideName, int]:
    """Count of the warnings of each side."""
    return {side: len(found) for side, found in views.warnings_by_side(record.warnings).items()}


def _acta_header(view: NamedEncuentroData) -> ActaWhoData:
    """Players, date, place and profile."""
    profile, names = view.profile, view.names
    seats = {
        seat: names.get(view.seats[seat], "") for seat in SEATS[view.players] if seat in view.seats
    }
    sides: dict[str, list[str]] = {}
    for seat in SEATS[view.players]:
        name = seats.get(seat) or (say("grammar.nameless", language()) if seat in seats else seat)
        sides.setdefault(side_of(seat), []).append(name)
    return ActaWhoData(
        encuentro=view.id,
        date=view.date,
        place=view.place,
        players=view.players,
        profile=ActaProfileData(
            id=profile.id, edition=profile.edition, hash=profile.hash, base=profile.base or ""
        ),
        seats=seats,
        sides=sides,
    )


def _entries_of_event(log: Sequence[TrailEntryData], name: str) -> list[TrailEntryData]:
    """Entries of one kind of event."""
    return [one for one in log if one.event.partition(".")[0] == name]


def _acta_of_partida(
    encuentro_id: UUID,
    held: EncuentroPartidaData,
    entries: Sequence[TrailEntryData],
    of_all: tuple[Sequence[TrailEntryData], Sequence[CaseData]],
) -> ActaPartidaData:
    """A partida: its current and its first outcome, and all changes in it.

    ``entries``: its trail. ``of_all``: trail and cases of the encuentro.
    """
    number, (log, cases) = held.partida, of_all
    now, known = _outcome_of(msgspec.to_builtins(held)), _outcomes_of_partida(log, number)
    of_cases = _cases_by_ruling_line(cases, number)
    by_line = {one.line: one for one in entries if is_act(one)}
    called = namer_of_stored_acts(encuentro_id, number)
    rulings = [
        view_as(ActaRulingData, ruling_words_data(one, called), case=of_cases.get(one.line))
        for one in _entries_of_event(entries, "RulingGiven")
    ]
    return view_as(
        ActaPartidaData,
        now,
        partida=number,
        flagged=held.flagged,
        first=known[0] if known and known[0] != now else None,
        acts=len(by_line),
        deals=len(_entries_of_event(entries, "DealStarted")),
        amendments=[
            view_as(
                ActaAmendmentData,
                amendment_words_data(one, by_line, called),
                case=of_cases.get(one.line),
                at_once=_is_immediate_undo(one, by_line),
            )
            for one in _entries_of_event(entries, "LogAmended")
        ],
        rulings=rulings,
        renuncio=_decisive_renuncio(encuentro_id, number) if held.how == "renuncio" else None,
    )


def _outcomes_of_partida(log: Sequence[TrailEntryData], number: int) -> list[ActaOutcomeData]:
    """Every outcome that a partida had, in order."""
    found = (one.fact for one in _entries_of_event(log, "OutcomeFollowed"))
    of_partida = (one for one in found if one["partida"] == number and one["how"] != "undecided")
    return [_outcome_of(one) for one in of_partida]


def _decisive_renuncio(encuentro_id: UUID, number: int) -> ActaRenuncioData | None:
    lost = deciding_renuncio(views.call_on_history(encuentro_id, number, None, state_at_line).table)
    if lost is None:
        return None
    article = article_of_rule(Rule(lost.rule), frozen_profile_of_encuentro(encuentro_id))
    return ActaRenuncioData(text=renuncio_in_words(lost, language()), article=article)


def _cases_by_ruling_line(cases: Sequence[CaseData], number: int) -> dict[int, int]:
    """Numbers of the cases of a partida by the lines at which their rulings were recorded."""
    of = [one for one in cases if one.partida == number]
    return {line: case.number for case in of for line in _ruling_lines(case)}


def _is_immediate_undo(entry: TrailEntryData, by_line: Mapping[int, TrailEntryData]) -> bool:
    """Whether a correction only takes back, without a reason, what was keyed in just before it."""
    taken_back = [one["line"] for one in entry.fact["changes"] if one["how"] == "withdraw"]
    if len(taken_back) != len(entry.fact["changes"]) or entry.fact.get("text"):
        return False
    before = {
        *taken_back,
        *(line for line, one in by_line.items() if _is_corrected_since(one, entry.line)),
    }
    return all(line in before for line in range(min(taken_back), entry.line))


def _is_corrected_since(entry: TrailEntryData, since: int) -> bool:
    """Whether an act is a correction, or was corrected before a line."""
    is_correction = bool(_entries_of_event([entry], "LogAmended"))
    return is_correction or any(line < since for line in entry.amended_by)


def _outcome_of(one: PartidaWonData) -> ActaOutcomeData:
    return ActaOutcomeData(winner=one["winner"], how=one["how"], totals=one["totals"])


def _ruling_lines(case: CaseData) -> list[int]:
    """Lines that a case took in its partida."""
    ruled = [case.ruled.act] if case.ruled else []
    return [*ruled, *(case.decided.acts if case.decided else ())]


def _case_summary(case: WordedCaseData) -> CaseLineData:
    """Summary of a case for the acta: the dispute, and its outcome."""
    decided, ruled = case.decided, case.ruled
    return CaseLineData(
        number=case.number,
        partida=case.partida,
        stage=case.stage,
        side=case.side,
        because=case.texts.get(case.text) or "",
        ruling=case.words.get("ruled"),
        by=case.names.get(ruled.by) if ruled else None,
        appeal=None if not decided else "changed" if decided.verdict else "upheld",
        decision=case.words.get("decided"),
        decided_by=case.names.get(decided.by) if decided else None,
        one_principal=bool(decided and decided.one_principal),
    )


def _encuentro_result(view: NamedEncuentroData, log: Sequence[TrailEntryData]) -> ActaResultData:
    """Reports and confirmations of the result, with their time."""
    result, persons = view.result, current_services().persons

    def signatures(name: str) -> list[SignedData]:
        return [
            SignedData(
                by=persons.name(one.fact["by"]),
                second=persons.name(one.fact.get("second", "")),
                side=one.fact.get("side", ""),
                entered_by=one.fact.get("entered_by", ""),
                with_="code" if one.fact.get("code") else "device",
                at=one.at,
                because=persons.text_by_id(one.fact.get("text", "")),
                one_principal=False,
            )
            for one in _entries_of_event(log, name)
        ]

    confirmed = result.confirmed if result.stands else []
    reported, official = signatures("ResultReported"), signatures("ResultMadeOfficial")
    return ActaResultData(
        stage=result.stage,
        reported=reported[-1] if result.reported and result.stands else None,
        confirmed=[
            replace(
                [said for said in signatures("ResultConfirmed") if said.side == one.side][-1],
                one_principal=bool(one.one_principal),
            )
            for one in sorted(confirmed, key=lambda one: one.side)
        ],
        official=official[-1] if result.official else None,
        reopened=[
            replace(said, one_principal=bool(one.one_principal))
            for said, one in zip(signatures("ResultReopened"), result.reopened, strict=True)
        ],
    )


def _partida_at_rulings(partida: UUID, case: CaseData) -> list[StoodData]:
    """The partida before the ruling, after it, and after the appeal if that changed it."""
    history = current_services().referee.history(partida)
    ruled, decided = case.ruled, case.decided
    if not ruled:
        return []
    moments: list[tuple[Moment, int]] = [("before", ruled.act - 1), ("ruled", ruled.act)]
    if decided and decided.verdict:
        moments.append(("settled", max(decided.acts)))
    return [
        _state_data_of_moment(name, line, partida_view_at_line(history, line))
        for name, line in moments
    ]


def _state_data_of_moment(moment: Moment, line: int, view: PartidaData) -> StoodData:
    return StoodData(
        moment=moment, line=line, totals=view.totals, decided=view.decided, warnings=view.warnings
    )


def is_act(entry: TrailEntryData) -> bool:
    """Whether an entry is an act, and not a conclusion."""
    struct = getattr(events, entry.event.partition(".")[0], None)
    return struct is not None and issubclass(struct, events.Act)


def line_words_data(entry: TrailEntryData, called: NameOfAct) -> LineWordsData:
    """A recorded act in words, for the acta: its line, time and card, and what corrected it."""
    name = entry.event.partition(".")[0]
    kind = getattr(events, name).__struct_config__.tag
    words = _act_words({"kind": kind, **entry.fact}, entry.texts, called)
    return LineWordsData(
        line=entry.line,
        at=entry.at,
        words=words,
        card=entry.fact.get("card", ""),
        amended_by=list(entry.amended_by),
    )


def amendment_words_data(
    entry: TrailEntryData, lines: Mapping[int, TrailEntryData], called: NameOfAct
) -> AmendmentWordsData:
    """Data of a correction in words: each line as it was and as it is."""
    changes: list[ChangeWordsData] = []
    for change in entry.fact["changes"]:
        was = lines.get(change["line"]) if change["how"] != "insert" else None
        act = change.get("act")
        changes.append(
            ChangeWordsData(
                line=change["line"],
                how=change["how"],
                was=line_words_data(was, called).words.rstrip(".") if was else None,
                is_=_act_words(act, entry.texts, called).rstrip(".") if act else None,
            )
        )
    because = entry.texts.get(entry.fact.get("text", "")) or ""
    return AmendmentWordsData(line=entry.line, at=entry.at, because=because, changes=changes)


def ruling_words_data(entry: TrailEntryData, called: NameOfAct) -> TableRulingWordsData:
    """Data of a ruling in a partida: its effect in words, article and reason."""
    fact = entry.fact
    return TableRulingWordsData(
        line=entry.line,
        at=entry.at,
        effect=effect_in_words(fact, language(), called),
        article=ruling_article_in_words(fact.get("article", ""), language()),
        because=entry.texts.get(fact.get("text", "")) or "",
        amended_by=list(entry.amended_by),
    )


def encuentro_ruling_words_data(entry: TrailEntryData) -> EncuentroRulingWordsData:
    """Data of a ruling on the encuentro itself: time, winner and reason."""
    because = entry.texts.get(entry.fact["text"]) or ""
    return EncuentroRulingWordsData(at=entry.at, winner=entry.fact["winner"], because=because)


def substitution_words_data(entry: TrailEntryData) -> SubstitutionWordsData:
    """Data of a substitution: seat, name of the new person and reason."""
    fact = entry.fact
    name = current_services().persons.name(fact["person"])
    because = entry.texts.get(fact.get("text", "")) or ""
    return SubstitutionWordsData(
        at=entry.at,
        seat=fact["seat"],
        name=name,
        because=because,
        partida=fact.get("partida", 0),
        line=fact.get("line", 0),
    )


def _act_words(act: FactData, texts: Mapping[TextId, str | None], called: NameOfAct) -> str:
    if act["kind"] == "ruling":
        return effect_in_words(act, language(), called)
    return act_in_words(act, language(), texts.get, called)
