"""Previews: what a ruling, an appeal or a correction would change, also in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias, cast
from uuid import UUID

from flask import Response

from api.http.languages import language, say
from api.http.rest import conclusions_among, reply
from api.previews.outlooks import (
    standings_difference_words,
    standings_outlook,
    tournament_difference_words,
    tournament_outlook,
)
from api.previews.shapes import (
    DifferenceData,
    EncuentroOutlookData,
    OutlookData,
    PartidaOutlookData,
)
from api.profiles.findings import findings_with_text_and_article
from projections.scores.encuentros import WinnerData, standing_view
from projections.scores.partidas import partida_view
from referee.aggregates.encuentro import Encuentro, options_of, result_stage
from referee.aggregates.partida import (
    Partida,
    dealer_due_next_partida,
    partida_under_newest_law_or_none,
)
from referee.events import SideName
from referee.handlers.encuentros import EncuentroState, Preview

_Counted: TypeAlias = Literal["partidas", "camas", "cotos"]
_WHOLE: Final = ("decided",)
"""Members that are always given whole: the winner needs the reason beside it."""


def preview_answer(
    preview: Preview, encuentro_id: UUID, *, case_version: int | None = None
) -> Response:
    """The response to a preview; its ETag is what the client sends in order to record the act.

    ``case_version``: version of the case that would change it, which is then confirmed as well.
    """
    about: dict[str, int] = {"version": preview.version_to_confirm}
    if case_version is not None:
        about = {"version": case_version, "partida_version": preview.version_to_confirm}
    view = {**about, **difference_of_preview(preview, encuentro_id)}
    return reply(view, headers={"ETag": f'"{about["version"]}"'})


def difference_of_preview(preview: Preview, encuentro_id: UUID) -> DifferenceData:
    """What an act would change, before and after it: score, partida, coto, encuentro, standings.

    Only what differs.

    Of the tables of points of its session, season and tournament: the rows that would change.
    """
    before, after = (
        outlook_with_encuentro_state(preview.before, encuentro_id),
        outlook_with_encuentro_state(preview.after, encuentro_id),
    )
    gone, new = _parts_gone_and_new(before, after)
    said = list(_difference_words(gone, new, _text_keys_by_count(preview.after)))
    is_secret = _is_in_vueltas(preview.before) or _is_in_vueltas(preview.after)
    return {
        "before": gone,
        "after": new,
        "words": said or [say("preview.nothing", language())],
        "secret": list(_total_difference_words(gone, new)) if is_secret else [],
        "earlier_law": _newest_law_change_words(preview.after, encuentro_id),
        "conclusions": conclusions_among(preview.events),
        "encuentro": preview.encuentro_events,
    }


def _newest_law_change_words(side: EncuentroState, encuentro_id: UUID) -> list[str]:
    """Texts on what today's law alone would change in a partida that began under older law."""
    today = side.partida and partida_under_newest_law_or_none(side.partida)
    if side.partida is None or today is None:
        return []
    before, after = (
        _partida_outlook(side.partida, encuentro_id),
        _partida_outlook(today, encuentro_id),
    )
    return list(_difference_words(*_parts_gone_and_new(before, after), _text_keys_by_count(side)))


def _is_in_vueltas(side: EncuentroState) -> bool:
    """Whether vueltas are played, of which no player may be told the points."""
    if side.partida is None:
        return False
    table = side.partida.table
    return table.in_vueltas and table.decided is None


def outlook_with_encuentro_state(side: EncuentroState, encuentro_id: UUID) -> OutlookData:
    """Score, partida, encuentro and tables as they stand with one state, before or after an act."""
    found: OutlookData = (
        {} if side.partida is None else _partida_outlook(side.partida, encuentro_id)
    )
    return {
        **found,
        **_encuentro_outlook(side.encuentro),
        **standings_outlook(side, encuentro_id),
        **tournament_outlook(side, encuentro_id),
    }


def _partida_outlook(state: Partida, encuentro_id: UUID) -> OutlookData:
    view = partida_view(state)
    return {
        "score": {
            "totals": view.totals,
            "said": {
                side: {"points": one.points, "buenas": one.buenas}
                for side, one in view.said.items()
            },
        },
        "partida": {
            "phase": view.phase,
            "decided": view.decided,
            "suspended": view.suspended,
            "warnings": view.warnings,
            "next_dealer": dealer_due_next_partida(state) if view.decided else "",
            "findings": findings_with_text_and_article(view.findings, encuentro_id),
        },
    }


def _encuentro_outlook(state: Encuentro) -> OutlookData:
    won, standing = state.win, standing_view(state)
    return {
        "coto": {
            "partidas": standing.partidas,
            "camas": standing.camas,
            "cotos": standing.cotos,
            "made": standing.made,
        },
        "encuentro": {
            "decided": None if won is None else WinnerData(winner=won.winner),
            "result": result_stage(state),
            "flagged": list(state.partidas_after_undecided),
        },
    }


def _parts_gone_and_new(before: OutlookData, after: OutlookData) -> tuple[OutlookData, OutlookData]:
    """What differs between two outlooks: as it was, and as it would be."""
    gone, new = _members_gone_and_new(before, after)
    return cast("OutlookData", gone), cast("OutlookData", new)


def _members_gone_and_new(
    before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Members that differ; of lists, the items in one of them only; some are given whole."""
    gone: dict[str, object] = {}
    new: dict[str, object] = {}
    for name in [*before, *(one for one in after if one not in before)]:
        old, now = before.get(name), after.get(name)
        if old == now:
            continue
        match old, now:
            case (dict(), dict()) if name not in _WHOLE:
                gone[name], new[name] = _members_gone_and_new(old, now)
            case (list(), list()):
                gone[name] = [one for one in old if one not in now]
                new[name] = [one for one in now if one not in old]
            case _:
                gone[name], new[name] = old, now
    return gone, new


# --- in words ------------------------------------------------------------------------------------


def _text_keys_by_count(side: EncuentroState) -> Mapping[_Counted, str]:
    """The counts that are shown, with the keys of their names.

    A cama of one partida is called a partida.
    """
    if options_of(side.encuentro).partidas_per_cama == 1:
        return {"camas": "partidas_of_coto", "cotos": "cotos"}
    return {"partidas": "partidas", "camas": "camas", "cotos": "cotos"}


def _difference_words(
    gone: OutlookData, new: OutlookData, counted: Mapping[_Counted, str]
) -> Iterator[str]:
    lang = language()
    old, now = gone.get("partida", {}), new.get("partida", {})
    if (was := _partida_winner_words(old)) != (is_now := _partida_winner_words(now)):
        yield say("preview.partida", lang, before=was, after=is_now)
    yield from _total_difference_words(gone, new)
    coto, new_coto = gone.get("coto", {}), new.get("coto", {})
    for name, called in counted.items():
        yield from _count_difference_words(called, coto.get(name, {}), new_coto.get(name, {}))
    match_old, match_now = gone.get("encuentro", {}), new.get("encuentro", {})
    if "decided" in match_now:
        yield say(
            "preview.encuentro",
            lang,
            before=_encuentro_winner_words(match_old),
            after=_encuentro_winner_words(match_now),
        )
    if "result" in match_now:
        stages = [say(f"result.{one['result']}", lang) for one in (match_old, match_now)]
        yield say("preview.result", lang, before=stages[0], after=stages[1])
    for number in match_now.get("flagged", ()):
        yield say("preview.flagged", lang, partida=number)
    yield from _warning_and_finding_difference_words(old, now)
    if dealer := now.get("next_dealer"):
        yield say("preview.dealer", lang, seat=dealer)
    yield from standings_difference_words(gone, new)
    yield from tournament_difference_words(gone, new)


def _total_difference_words(gone: OutlookData, new: OutlookData) -> Iterator[str]:
    score, new_score = gone.get("score", {}), new.get("score", {})
    yield from _count_difference_words(
        "totals", score.get("totals", {}), new_score.get("totals", {})
    )


def _partida_winner_words(view: PartidaOutlookData) -> str:
    decided = view.get("decided")
    if not decided:
        return say("how.undecided", language())
    how = say(f"how.{decided['how']}", language())
    return say("preview.won", language(), winner=decided["winner"], reason=how)


def _encuentro_winner_words(view: EncuentroOutlookData) -> str:
    decided = view.get("decided")
    if not decided:
        return say("how.undecided", language())
    if not decided.winner:
        return say("page.draw", language())
    return say("preview.side", language(), side=decided.winner)


def _count_difference_words(
    name: str, old: Mapping[SideName, int], now: Mapping[SideName, int]
) -> Iterator[str]:
    for side in sorted({*old, *now}):
        facts = {"side": side, "before": old.get(side, 0), "after": now.get(side, 0)}
        yield say(f"preview.{name}", language(), **facts)


def _warning_and_finding_difference_words(
    gone: PartidaOutlookData, new: PartidaOutlookData
) -> Iterator[str]:
    """Warnings and findings that are added or removed."""
    lang = language()
    for view, is_new in ((gone, False), (new, True)):
        for warning in view.get("warnings", ()):
            key = "preview.warned" if is_new else "preview.unwarned"
            yield say(key, lang, **({"side": warning.side} if warning.side else {}))
        for one in view.get("findings", ()):
            key = "preview.found" if is_new else "preview.unfound"
            yield say(key, lang, seat=one.seat, text=one.text)
