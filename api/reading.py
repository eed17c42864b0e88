"""Reading: what routes and pages ask the read side, with names and texts put in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from api import boards
from api.faults import FieldFault
from api.house import PATIENCE_S, house
from api.i18n import language, say
from api.problems import Problem
from projections import tables
from projections.audit import Entry, trail
from projections.legality import article_of
from projections.replay import at_line
from referee.application import partida_id
from referee.errors import NotFound
from referee.events import FrozenProfile
from referee.rules.articles import Rule

RowT = TypeVar("RowT")
_LONGEST_CURSOR = 15
_TEXT_FIELDS = ("text", "place")


def partida(encuentro_id: UUID, number: int) -> dict[str, Any]:
    """The official view of a partida.

    :raises NotFound: there is none
    """
    key = partida_id(encuentro_id, number)
    return one_row(lambda rows: tables.partida_row(rows, key), key)


def encuentro(encuentro_id: UUID) -> dict[str, Any]:
    """The official view of an encuentro, with the names of those who sit there.

    :raises NotFound: there is none
    """
    return _named(one_row(lambda rows: tables.encuentro_row(rows, encuentro_id), encuentro_id))


def board(encuentro_id: UUID) -> boards.Board:
    """The public view of an encuentro, and its tag: a hash of that view.

    :raises NotFound: there is none
    """
    one_row(lambda rows: tables.public_row(rows, encuentro_id), encuentro_id)
    return boards.table(house(), encuentro_id)


def encuentros(cursor: str, limit: int, only: str = "") -> dict[str, Any]:
    """One page of the list of encuentros, the latest first; or the only one that may be seen."""
    if only:
        return {"items": [_short(encuentro(UUID(only)))], "next": None}
    before = place_of(cursor)
    with house().reads.reading() as rows:
        found = tables.encuentro_rows(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    return {"items": [_short(view) for _, view in found[:limit]], "next": more}


def profile_of(encuentro_id: UUID) -> FrozenProfile:
    """The frozen profile of an encuentro.

    :raises NotFound: there is none
    """
    opened = house().referee.encuentro(encuentro_id).opened
    assert opened is not None
    return opened.profile


def findings(encuentro_id: UUID, number: int) -> dict[str, Any]:
    """What was noticed in a partida, in words."""
    view = partida(encuentro_id, number)
    noticed = worded(view["findings"], encuentro_id)
    return {"version": view["version"], "findings": noticed}


def worded(findings: Sequence[Mapping[str, Any]], encuentro_id: UUID) -> list[dict[str, Any]]:
    """Findings in the language of the reader, with the article that each rests on."""
    if not findings:
        return []
    frozen, lang = profile_of(encuentro_id), language()
    return [
        {
            **one,
            "text": say(f"rule.{one['rule']}", lang, **{**one["facts"], "seat": one["seat"]}),
            "article": article_of(Rule(one["rule"]), frozen),
        }
        for one in findings
    ]


def replay(encuentro_id: UUID, number: int, line: int | None) -> dict[str, Any]:
    """The official view as it stood after a line; without one, after the last.

    :raises NotFound: no such partida, or no such line in it
    """
    return past(encuentro_id, number, line, at_line)


def past(
    encuentro_id: UUID, number: int, line: int | None, look: Callable[[Any, int | None], RowT]
) -> RowT:
    """What a look at the record of a partida finds after a line; without one, after the last.

    :raises NotFound: no such partida, or no such line in it
    """
    history = house().referee.history(partida_id(encuentro_id, number))
    try:
        return look(history, line)
    except LookupError:
        raise NotFound(str(line)) from None


def audit(stream: UUID, cursor: str, limit: int) -> dict[str, Any]:
    """One page of the audit trail of a stream, oldest first.

    :raises NotFound: there is no such stream
    """
    after, read = place_of(cursor) or 0, house().referee.trail

    def entries(rows: Any) -> tuple[Entry, ...] | None:
        return trail(read, rows, stream, after, limit + 1) or (() if after else None)

    found = one_row(entries, stream)
    more = str(found[limit - 1].version) if len(found) > limit else None
    return {"items": [_audited(one) for one in found[:limit]], "next": more}


def log(stream: UUID) -> list[dict[str, Any]]:
    """Every entry of the audit trail of a stream."""
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = audit(stream, cursor, 1000)
        found += page["items"]
        cursor = page["next"]
    return found


def tag_of(view: Any) -> str:
    """Hash of a view: another one when the view is another."""
    return hashlib.sha256(msgspec.json.encode(view, order="deterministic")).hexdigest()[:32]


def one_row(ask: Callable[[Any], RowT | None], stream: UUID) -> RowT:
    """A row; one that the read side has not written yet is waited for.

    :raises NotFound: there is none
    """
    here = house()
    for is_last in (False, True):
        with here.reads.reading() as rows:
            row = ask(rows)
        if row is not None:
            return row
        last = here.referee.recorder.max_notification_id() or 0
        if not is_last and not here.reads.wait(last, PATIENCE_S):
            here.referee.history(stream)
            raise Problem("not_yet", headers={"Retry-After": "1"})
    raise NotFound(str(stream))


def portion(found: Sequence[RowT], query: Mapping[str, Any]) -> dict[str, Any]:
    """One page of a list that is there as a whole."""
    start, limit = place_of(query.get("cursor", "")) or 0, query["limit"]
    more = str(start + limit) if len(found) > start + limit else None
    return {"items": found[start : start + limit], "next": more}


def place_of(cursor: str) -> int | None:
    """Place in a list that a cursor stands for."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= _LONGEST_CURSOR):
        raise Problem("invalid", errors={"query": {"cursor": [FieldFault("cursor")]}})
    return int(cursor)


def _named(view: dict[str, Any]) -> dict[str, Any]:
    persons = house().persons
    drawn = [one for draw in view["draws"] for one in draw["candidates"]]
    ids = dict.fromkeys([*view["seats"].values(), *drawn])
    names = {one: persons.name(one) for one in ids}
    return {
        **view,
        "place": persons.text(view["place"]) if view["place"] else None,
        "names": {one: name for one, name in names.items() if name is not None},
    }


def _short(view: dict[str, Any]) -> dict[str, Any]:
    named = _named(view)
    profile = {"id": view["profile"]["id"], "edition": view["profile"]["edition"]}
    kept = ("id", "version", "date", "place", "players", "seats", "names", "standing", "decided")
    running = [one["partida"] for one in view["partidas"] if one["how"] == "undecided"]
    return {
        **{name: named[name] for name in kept},
        "profile": profile,
        "partidas": len(view["partidas"]),
        "running": running[0] if running else None,
    }


def _audited(entry: Entry) -> dict[str, Any]:
    fact = msgspec.json.decode(entry.fact)
    persons = house().persons
    return {
        "line": entry.line,
        "at": entry.at,
        "by": entry.by,
        "device": entry.device,
        "event": entry.name,
        "fact": fact,
        "position": entry.position,
        "amended_by": entry.amended_by,
        "texts": {one: persons.text(one) for one in _text_ids(fact)},
    }


def _text_ids(value: Any) -> Iterator[str]:
    """Ids of the texts that a fact, or an act within it, refers to."""
    if isinstance(value, list):
        for one in value:
            yield from _text_ids(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in _TEXT_FIELDS and isinstance(one, str) and one:
                yield one
            else:
                yield from _text_ids(one)
