"""Lines of an acta in words."""

from __future__ import annotations

from collections.abc import Mapping

from api.audit.trail import TrailEntryData
from api.cases.acta_types import (
    AmendmentWordsData,
    ChangeWordsData,
    EncuentroRulingWordsData,
    LineWordsData,
    SubstitutionWordsData,
    TableRulingWordsData,
)
from api.encuentros.act_names import NameOfAct
from api.encuentros.wording import act_in_words, effect_in_words, ruling_article
from api.http.languages import language
from api.http.services import current_services
from projections.facts import FactData
from referee import events
from referee.events import TextId


def is_act(entry: TrailEntryData) -> bool:
    """Whether an entry is an act, and not a conclusion."""
    struct = getattr(events, entry["event"].partition(".")[0], None)
    return struct is not None and issubclass(struct, events.Act)


def line_words(entry: TrailEntryData, called: NameOfAct) -> LineWordsData:
    """A line of a record."""
    name = entry["event"].partition(".")[0]
    kind = getattr(events, name).__struct_config__.tag
    words = _act({"kind": kind, **entry["fact"]}, entry["texts"], called)
    return {
        "line": entry["line"],
        "at": entry["at"],
        "words": words,
        "card": entry["fact"].get("card", ""),
        "amended_by": list(entry["amended_by"]),
    }


def amendment_words(
    entry: TrailEntryData, lines: Mapping[int, TrailEntryData], called: NameOfAct
) -> AmendmentWordsData:
    """A correction: each line as it was and as it is."""
    changes: list[ChangeWordsData] = []
    for change in entry["fact"]["changes"]:
        was = lines.get(change["line"]) if change["how"] != "insert" else None
        act = change.get("act")
        changes.append(
            {
                "line": change["line"],
                "how": change["how"],
                "was": line_words(was, called)["words"].rstrip(".") if was else None,
                "is": _act(act, entry["texts"], called).rstrip(".") if act else None,
            }
        )
    because = entry["texts"].get(entry["fact"].get("text", "")) or ""
    return {"line": entry["line"], "at": entry["at"], "because": because, "changes": changes}


def ruling_words(entry: TrailEntryData, called: NameOfAct) -> TableRulingWordsData:
    """A ruling in a partida, with its article."""
    fact = entry["fact"]
    return {
        "line": entry["line"],
        "at": entry["at"],
        "effect": effect_in_words(fact, language(), called),
        "article": ruling_article(fact.get("article", ""), language()),
        "because": entry["texts"].get(fact.get("text", "")) or "",
        "amended_by": list(entry["amended_by"]),
    }


def match_ruling_words(entry: TrailEntryData) -> EncuentroRulingWordsData:
    """A ruling on the encuentro itself."""
    because = entry["texts"].get(entry["fact"]["text"]) or ""
    return {"at": entry["at"], "winner": entry["fact"]["winner"], "because": because}


def substitution_words(entry: TrailEntryData) -> SubstitutionWordsData:
    """A substitution: the person and the seat."""
    fact = entry["fact"]
    name = current_services().persons.name(fact["person"])
    because = entry["texts"].get(fact.get("text", "")) or ""
    return {
        "at": entry["at"],
        "seat": fact["seat"],
        "name": name,
        "because": because,
        "partida": fact.get("partida", 0),
        "line": fact.get("line", 0),
    }


def _act(act: FactData, texts: Mapping[TextId, str | None], called: NameOfAct) -> str:
    if act["kind"] == "ruling":
        return effect_in_words(act, language(), called)
    return act_in_words(act, language(), texts.get, called)
