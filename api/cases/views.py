"""Cases as they read: names and texts put in, rulings and their grounds in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from api.encuentros import reading
from api.encuentros.reading import warnings
from api.http.languages import language, option_words, say, value_words
from api.http.rows import one_row
from api.http.services import house
from projections.official import cases as rows_of
from referee.encuentro.streams import case_id

_PERSONS = ("by", "second")


def cases(encuentro_id: UUID) -> dict[str, Any]:
    """The cases of an encuentro, and its warnings by side.

    :raises NotFound: there is no such encuentro
    """
    reading.encuentro(encuentro_id)
    with house().reads.reading() as rows:
        found = rows_of.case_rows(rows, encuentro_id)
    return {"items": [told(one) for one in found], "warnings": warnings(encuentro_id)}


def case(encuentro_id: UUID, number: int) -> dict[str, Any]:
    """A case of an encuentro.

    :raises NotFound: there is none of this number
    """
    key = case_id(encuentro_id, number)
    return told(one_row(lambda rows: rows_of.case_row(rows, key), key))


def told(view: dict[str, Any]) -> dict[str, Any]:
    """A case with its names and texts, and every verdict in words."""
    persons = house().persons
    names = {one: persons.name(one) for one in _ids(view, _PERSONS)}
    texts = {one: persons.text(one) for one in _ids(view, ("text",))}
    verdicts = [_part(view, "ruled"), _part(view, "decided"), view]
    worded = {
        name: in_words(part["verdict"])
        for name, part in zip(("ruled", "decided", "verdict"), verdicts, strict=True)
        if part and part["verdict"]
    }
    return {**view, "names": names, "texts": texts, "words": worded}


def in_words(verdict: dict[str, Any]) -> dict[str, str]:
    """A verdict in the language of the reader: its effect, and what it rests on."""
    lang = language()
    side = verdict["side"] or verdict["seat"][:1]
    facts = {name: verdict[name] for name in ("seat", "points", "line")}
    return {
        "effect": say(f"effect.{verdict['effect']}", lang, **facts, side=side),
        "ground": _ground(verdict["ground"], lang),
    }


def _ground(ground: dict[str, Any], lang: str) -> str:
    if ground["kind"] != "article":
        return say(f"ground.{ground['kind']}", lang)
    key = "ground.article" if ground["section"] else "ground.no_section"
    option, value = ground["option"], ground["value"]
    words = {
        "option": option_words(option, lang),
        "value": value_words(option, tuple(value) if isinstance(value, list) else value, lang),
        "basis": say(f"basis.{ground['basis']}", lang),
    }
    return say(key, lang, **{**ground, **words})


def _part(view: dict[str, Any], name: str) -> dict[str, Any]:
    part: dict[str, Any] = view[name] or {}
    return part


def _ids(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Ids in these fields, wherever they are."""
    if isinstance(value, list):
        for one in value:
            yield from _ids(one, fields)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in fields and isinstance(one, str) and one:
                yield one
            else:
                yield from _ids(one, fields)
