"""Data of an acta: an encuentro, or one of its cases, for a page that is signed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from api.audit import trail
from api.audit.trail import TrailEntryData
from api.cases import acta_words
from api.cases import views as case_views
from api.cases.views import WordedCaseData
from api.encuentros import reading
from api.encuentros.reading import NamedEncuentroData
from api.http.services import current_services
from projections.official.cases import CaseData
from projections.official.scores import EncuentroPartidaData
from projections.official.table import PartidaData
from projections.replay.moments import at_line
from referee.audit.checkpoint import read_checkpoint
from referee.audit.proofs import NotSigned
from referee.audit.resguardo import resguardo_of
from referee.encuentro.streams import case_id, partida_id
from referee.rules.seats import SEATS, side_of

Data = dict[str, Any]


def head_of_log(encuentro_id: UUID) -> Data | None:
    """The signed head of the log, with the resguardo as a code.

    None if nothing of the encuentro is signed yet.
    """
    try:
        proof = current_services().auditor.proof(encuentro_id)
    except NotSigned:
        return None
    note = read_checkpoint(proof.checkpoint)
    held = resguardo_of(proof)
    return {
        "origin": note.origin,
        "size": note.size,
        "root": note.root.hex(),
        "head": held.head.hex(),
        "events": held.count,
        "unsigned": proof.recorded - held.count,
        "text": held.text,
    }


def encuentro_acta(encuentro_id: UUID) -> Data:
    """Data of the acta of an encuentro.

    :raises NotFound: there is none
    """
    view = reading.encuentro(encuentro_id)
    log = trail.log(encuentro_id)
    files = case_views.cases(encuentro_id)
    return {
        **_who(view),
        "version": view["version"],
        "opened_at": log[0]["at"],
        "substitutions": [
            acta_words.substitution_words(one) for one in _of(log, "PlayerSubstituted")
        ],
        "partidas": [_partida(encuentro_id, one, log, files["items"]) for one in view["partidas"]],
        "cotos": view["standing"]["made"],
        "standing": view["standing"],
        "decided": view["decided"],
        "rulings": [acta_words.match_ruling_words(one) for one in _of(log, "EncuentroRuled")],
        "cases": [_case_line(one) for one in files["items"]],
        "warnings": {side: len(found) for side, found in files["warnings"].items()},
        "result": _result(view, log),
        "proof": head_of_log(encuentro_id),
    }


def case_acta(encuentro_id: UUID, number: int) -> Data:
    """Data of the acta of a case.

    :raises NotFound: there is none
    """
    view = reading.encuentro(encuentro_id)
    case = case_views.case(encuentro_id, number)
    moments = [one["at"] for one in trail.log(case_id(encuentro_id, number))]
    partida = partida_id(encuentro_id, case["partida"])
    lines = {one["line"]: one for one in trail.log(partida) if acta_words.is_act(one)}
    disputed = sorted({*case["lines"], *(n for one in case["evidence"] for n in one["lines"])})
    return {
        **_who(view),
        "case": case,
        "moments": moments,
        "lines": [acta_words.line_words(lines[one]) for one in disputed if one in lines],
        "stood": _stood(partida, case),
        "warnings": {
            side: len(found) for side, found in case_views.cases(encuentro_id)["warnings"].items()
        },
        "proof": head_of_log(encuentro_id),
    }


# --- parts ---------------------------------------------------------------------------------------


def _who(view: NamedEncuentroData) -> Data:
    """Players, date, place and profile."""
    profile, names = view["profile"], view["names"]
    seats = {
        seat: names.get(view["seats"][seat], "")
        for seat in SEATS[view["players"]]
        if seat in view["seats"]
    }
    sides: dict[str, list[str]] = {}
    for seat in SEATS[view["players"]]:
        sides.setdefault(side_of(seat), []).append(seats.get(seat) or seat)
    kept = ("id", "edition", "hash", "base")
    return {
        "encuentro": view["id"],
        "date": view["date"],
        "place": view["place"],
        "players": view["players"],
        "profile": {name: profile.get(name, "") for name in kept},
        "seats": seats,
        "sides": sides,
    }


def _of(log: Sequence[TrailEntryData], name: str) -> list[TrailEntryData]:
    """Entries of one kind of event."""
    return [one for one in log if one["event"].partition(".")[0] == name]


def _partida(
    encuentro_id: UUID,
    held: EncuentroPartidaData,
    log: Sequence[TrailEntryData],
    cases: Sequence[CaseData],
) -> Data:
    """A partida: its current and its first outcome, and all changes in it."""
    number = held["partida"]
    entries = trail.log(partida_id(encuentro_id, number))
    outcomes = [
        one["fact"]
        for one in _of(log, "OutcomeFollowed")
        if one["fact"]["partida"] == number and one["fact"]["how"] != "undecided"
    ]
    first = outcomes[0] if outcomes else None
    now = {"winner": held["winner"], "how": held["how"], "totals": held["totals"]}
    was = None if first is None else {name: first[name] for name in now}
    of_cases = {
        line: case["number"]
        for case in cases
        if case["partida"] == number
        for line in _lines_of(case)
    }
    by_line = {one["line"]: one for one in entries if acta_words.is_act(one)}
    return {
        "partida": number,
        **now,
        "flagged": held["flagged"],
        "first": was if was != now else None,
        "acts": len(by_line),
        "deals": len(_of(entries, "DealStarted")),
        "amendments": [
            {**acta_words.amendment_words(one, by_line), "case": of_cases.get(one["line"])}
            for one in _of(entries, "LogAmended")
        ],
        "rulings": [
            {**acta_words.ruling_words(one), "case": of_cases.get(one["line"])}
            for one in _of(entries, "RulingGiven")
        ],
    }


def _lines_of(case: CaseData) -> list[int]:
    """Lines that a case took in its partida."""
    ruled = [case["ruled"]["act"]] if case["ruled"] else []
    return [*ruled, *(case["decided"]["acts"] if case["decided"] else ())]


def _case_line(case: WordedCaseData) -> Data:
    """A case in two lines: the dispute, and its outcome."""
    decided, ruled = case["decided"], case["ruled"]
    return {
        "number": case["number"],
        "partida": case["partida"],
        "stage": case["stage"],
        "side": case["side"],
        "because": case["texts"].get(case["text"]) or "",
        "ruling": case["words"].get("ruled"),
        "by": case["names"].get(ruled["by"]) if ruled else None,
        "appeal": None if not decided else "changed" if decided["verdict"] else "upheld",
        "decision": case["words"].get("decided"),
        "decided_by": case["names"].get(decided["by"]) if decided else None,
    }


def _result(view: NamedEncuentroData, log: Sequence[TrailEntryData]) -> Data:
    """Reports and confirmations of the result, with their time."""
    result, persons = view["result"], current_services().persons

    def signed(name: str) -> list[Data]:
        return [
            {
                "by": persons.name(one["fact"]["by"]),
                "second": persons.name(one["fact"].get("second", "")),
                "side": one["fact"].get("side", ""),
                "with": "code" if one["fact"].get("code") else "device",
                "at": one["at"],
                "because": persons.text(one["fact"].get("text", "")),
            }
            for one in _of(log, name)
        ]

    confirmed = {one["side"] for one in result["confirmed"]} if result["stands"] else set()
    reported, official = signed("ResultReported"), signed("ResultMadeOfficial")
    return {
        "stage": result["stage"],
        "reported": reported[-1] if result["reported"] and result["stands"] else None,
        "confirmed": [
            [one for one in signed("ResultConfirmed") if one["side"] == side][-1]
            for side in sorted(confirmed)
        ],
        "official": official[-1] if result["official"] else None,
        "reopened": signed("ResultReopened"),
    }


def _stood(partida: UUID, case: CaseData) -> list[Data]:
    """The partida before the ruling, after it, and after the appeal if that changed it."""
    history = current_services().referee.log.history(partida)
    ruled, decided = case["ruled"], case["decided"]
    if not ruled:
        return []
    moments: list[tuple[str, int]] = [("before", ruled["act"] - 1), ("ruled", ruled["act"])]
    if decided and decided["verdict"]:
        moments.append(("settled", max(decided["acts"])))
    return [
        {"moment": name, "line": line, **_stands(at_line(history, line))} for name, line in moments
    ]


def _stands(view: PartidaData) -> Data:
    return {"totals": view["totals"], "decided": view["decided"], "warnings": view["warnings"]}
