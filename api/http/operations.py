"""Operations of the OpenAPI document: their ids, who may call them, their links, what they share.

A link says what can be asked next with what an answer holds: from the answer to a creation to what
was created, from a view to all that can be done with it (its ``version`` is what a write needs),
and to what is in it: a meeting, a pair, a player.

What operations share (a parameter, a header, an answer) is a component, to which they refer.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from flask import Flask

from api.http.access.roles import OPEN
from referee.aggregates.access import scopes_for_permission

_PARAMETER: Final = re.compile(r"<(?:[^:<>]*:)?(\w+)>")
_PREFIX: Final = re.compile(r"^/(api/v1/)?")
_PUBLIC_LATER: Final = "Open to everybody once it is public; before that, with a permission."

_BODY: Final = "$response.body#/"
_VERSION: Final = '"{$response.body#/version}"'
_IN_PATH: Final = re.compile(r"\{(\w+)\}")
NAMED: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("post_encuentros", "get_encuentro", {"encuentro_id": "id"}),
    ("post_encuentros", "get_public_encuentro", {"encuentro_id": "id"}),
    ("post_encuentro_partidas", "get_encuentro_partida", {"n": "number"}),
    ("post_encuentro_cases", "get_encuentro_case", {"c": "number"}),
    ("post_encuentro_result_contests", "get_encuentro_case", {"c": "number"}),
    ("post_players", "get_player", {"person_id": "players/0"}),
    ("get_player", "delete_person", {}),
    ("post_club_rules", "get_club_rule", {"rules_id": "rules"}),
    ("post_pairs", "post_pair", {"pair_id": "pairs/0"}),
    ("post_seasons", "get_season", {"season_id": "id"}),
    ("post_sessions", "get_session", {"session_id": "id"}),
    ("post_sessions", "get_public_session", {"session_id": "id"}),
    ("post_session_tables", "get_encuentro", {"encuentro_id": "encuentros/0"}),
    ("post_leagues", "get_league", {"league_id": "id"}),
    ("post_roads", "get_road", {"road_id": "id"}),
    ("post_rankings", "get_ranking", {"ranking_id": "id"}),
    ("post_tournaments", "get_tournament", {"tournament_id": "id"}),
    ("post_tournaments", "get_public_tournament", {"tournament_id": "id"}),
    ("post_tournament_meeting_encuentro", "get_encuentro", {"encuentro_id": "encuentro"}),
)
"""An operation, another that its answer leads to, and where the parameters are in the answer."""
WITHIN: Final[Mapping[str, dict[str, str]]] = {
    "get_encuentro": {},
    "get_encuentro_partida": {},
    "get_encuentro_case": {},
    "get_player": {},
    "get_club_rule": {},
    "get_season": {"person_id": "standings/0/person"},
    "get_session": {},
    "get_league": {},
    "get_road": {},
    "get_ranking": {"line": "rows/0/person", "club": "clubs/0/club"},
    "get_tournament": {
        "meeting": "rounds/0/meetings/0/id",
        "pair": "pairs/0/pair",
        "number": "rounds/0/number",
    },
}
"""Views, and where further parameters of the operations below them are in their answers."""


def describe_operations(app: Flask, spec: Any) -> None:
    """Give every operation its id, the security of its route and its links."""
    spec.options["security"] = [{"token": []}]
    named: dict[str, tuple[str, dict[str, Any]]] = {}
    for path, method, operation, view in _operations(app, spec):
        operation["operationId"] = operation_id_of_path(method, path)
        named[operation["operationId"]] = path, operation
        if getattr(view, "permission", None) == OPEN:
            operation["security"] = []
            continue
        if schemes := getattr(view, "schemes", ()):
            operation["security"] = [{scheme: []} for scheme in schemes]
            continue
        by_app = [
            {"app": [scope]}
            for scope in scopes_for_permission(str(getattr(view, "permission", "")))
        ]
        if getattr(view, "is_open", None) is not None:
            operation["security"] = [{}, {"token": []}, *by_app]
            operation["description"] = _PUBLIC_LATER
        elif by_app:
            operation["security"] = [{"token": []}, *by_app]
    _document_links(named)


def operation_id_of_path(method: str, path: str) -> str:
    """Id of an operation, from its method and its path.

    >>> operation_id_of_path("post", "/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts")
    'post_encuentro_partida_acts'
    >>> paths = ("/api/v1/players", "/api/v1/players/{person_id}")
    >>> [operation_id_of_path("get", one) for one in paths]
    ['get_players', 'get_player']
    """
    words: list[str] = []
    for part in _PREFIX.sub("", path).split("/"):
        if part.startswith("{"):
            words[-1] = words[-1].removesuffix("s")
        else:
            words.append(part.replace("-", "_"))
    return "_".join((method, *words))


def _operations(app: Flask, spec: Any) -> Iterator[tuple[str, str, dict[str, Any], object]]:
    """Every documented operation: its path, method, description and view function."""
    for rule in app.url_map.iter_rules():
        path = _PARAMETER.sub(r"{\1}", rule.rule)
        documented = spec._paths.get(path, {})  # noqa: SLF001 - the library has no way to read it
        for method in sorted(rule.methods or ()):
            if method.lower() in documented:
                view = app.view_functions[rule.endpoint]
                yield path, method.lower(), documented[method.lower()], view


class _Operation(NamedTuple):
    path: str
    described: dict[str, Any]

    @property
    def link_parameter_names(self) -> set[str]:
        """Names of the parameters of the path, and of a header that is a version."""
        headers = {one["name"] for one in self.described.get("parameters", ()) if "name" in one}
        return {*_IN_PATH.findall(self.path), *({"If-Match"} & headers)}


def _document_links(operations: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
    """Add links between operations to the OpenAPI document."""
    every = {name: _Operation(*one) for name, one in operations.items()}
    for source, target, found in NAMED:
        _add_link(every, source, target, found)
    for source, found in WITHIN.items():
        path = every[source].path
        own = set(_IN_PATH.findall(path))
        for target, one in every.items():
            more = one.link_parameter_names - own - {"If-Match"}
            if target != source and one.path.startswith(path) and more <= set(found):
                _add_link(every, source, target, found)


def _add_link(
    every: Mapping[str, _Operation], source: str, target: str, found: Mapping[str, str]
) -> None:
    """Add a link from the successful answer of an operation to another operation."""
    values = {name: f"$request.path.{name}" for name in _IN_PATH.findall(every[source].path)}
    values |= {name: _BODY + place for name, place in found.items()} | {"If-Match": _VERSION}
    parameters = {
        name: values[name] for name in every[target].link_parameter_names if name in values
    }
    responses = every[source].described["responses"]
    status = next(one for one in responses if str(one).startswith("2"))
    responses[status].setdefault("links", {})[target] = {
        "operationId": target,
        "parameters": dict(sorted(parameters.items())),
    }


class _Place(NamedTuple):
    """Position of an object in the document, and its name as a component."""

    within: Any
    key: Any
    name: str

    @property
    def value(self) -> dict[str, Any]:
        found: dict[str, Any] = self.within[self.key]
        return found

    @property
    def json_text(self) -> str:
        return json.dumps(self.value, sort_keys=True)


def share_components(spec: Any) -> None:
    """Replace repeated headers, parameters and answers of the document by shared components."""
    items = spec._paths.values()  # noqa: SLF001 - the library has no way to read it
    described = [one for item in items for one in item.values() if isinstance(one, dict)]
    answers = [answer for one in described for answer in _places_of_keys(one["responses"])]
    headers = [
        one for answer in answers for one in _places_of_keys(answer.value.get("headers", {}))
    ]
    _replace_by_references("headers", spec.components.headers, headers)
    parameters = [
        _Place(many, index, parameter["name"])
        for one in (*items, *described)
        for many in (one.get("parameters", []),)
        for index, parameter in enumerate(many)
    ]
    _replace_by_references("parameters", spec.components.parameters, parameters)
    named = [one._replace(name=_answer_name(one.value)) for one in answers]
    _replace_by_references(
        "responses", spec.components.responses, [one for one in named if one.name]
    )


def _places_of_keys(within: dict[str, Any]) -> list[_Place]:
    return [_Place(within, key, str(key)) for key in within]


def _answer_name(answer: Mapping[str, Any]) -> str:
    """Name of an answer as a component: of what is in it, and of its status unless that is 200."""
    contents = answer.get("content", {}).values()
    schemas: list[str] = [one["schema"].get("$ref", "") for one in contents]
    if len(schemas) != 1 or not schemas[0]:
        return ""
    status = str(answer["description"]).replace(" ", "")
    return schemas[0].rpartition("/")[2] + ("" if status == "OK" else status)


def _replace_by_references(kind: str, components: dict[str, Any], places: Iterable[_Place]) -> None:
    """Replace objects that occur at several positions by references to a component."""
    count = Counter(one.json_text for one in places)
    for place in sorted(places, key=lambda one: -count[one.json_text]):
        is_repeated = count[place.json_text] > 1 and "$ref" not in place.value
        if is_repeated and components.setdefault(place.name, place.value) == place.value:
            place.within[place.key] = {"$ref": f"#/components/{kind}/{place.name}"}
