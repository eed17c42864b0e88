"""What every key of the API means, said once for all types that have it.

``keys/`` has a text for each key, or texts by the names of the types in which it means something
else; ``*`` stands for all the others. A type in its forms (``CardPlayedFact``,
``CardPlayedFactBody``) has the same keys. A description in the schema itself comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

Meaning: TypeAlias = str | Mapping[str, str]
OTHERS: Final = "*"
_FORM: Final = re.compile(r"Fact(Body|Fields)?$")


@cache
def meanings() -> Mapping[str, Meaning]:
    """The meaning of each key."""
    found: dict[str, Meaning] = {}
    for path in sorted(Path(__file__).parent.glob("keys/*.json")):
        found.update(json.loads(path.read_text("utf-8")))
    return found


def meaning_of(key: str, component: str) -> str:
    """What a key means in a component of the document; empty if nothing says it.

    >>> meaning_of("hash", "Moment") == meaning_of("hash", "FrozenProfile")
    False
    >>> meaning_of("card", "CardPlayedFactBody") == meaning_of("card", "CardPlayed")
    True
    """
    found = meanings().get(key, "")
    if isinstance(found, str):
        return found
    name = _FORM.sub("", component)
    texts = (text for names, text in found.items() if name in names.split())
    return next(texts, found.get(OTHERS, ""))


def describe(schemas: dict[str, Any]) -> None:
    """Give every key of the components of the document its description."""
    for name, schema in schemas.items():
        schemas[name] = _describe_within(schema, name)


def _describe_within(schema: Any, component: str) -> Any:
    """The schema with its keys described, those of objects within it too."""
    if isinstance(schema, list):
        return [_describe_within(one, component) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _with_meanings(one, component)
        if name == "properties"
        else _describe_within(one, component)
        for name, one in schema.items()
    }


def _with_meanings(properties: Mapping[str, Any], component: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, schema in properties.items():
        meaning = {"description": text} if (text := meaning_of(key, component)) else {}
        found[key] = {**meaning, **_describe_within(schema, component)}
    return found
