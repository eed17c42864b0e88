"""Links of the OpenAPI document: what can be asked next with what an answer holds.

From the answer to a creation to what was created, from a view to all that can be done with it (its
``version`` is what a write needs), and to what is in it: a meeting, a pair, a player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_BODY: Final = "$response.body#/"
_VERSION: Final = '"{$response.body#/version}"'
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
NAMED: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("post_encuentros", "get_encuentro", {"encuentro_id": "id"}),
    ("post_encuentros", "get_public_encuentro", {"encuentro_id": "id"}),
    ("post_encuentro_partidas", "get_encuentro_partida", {"n": "number"}),
    ("post_encuentro_cases", "get_encuentro_case", {"c": "number"}),
    ("post_encuentro_result_contests", "get_encuentro_case", {"c": "number"}),
    ("post_players", "get_player", {"person_id": "players/0"}),
    ("get_player", "delete_person", {}),
    ("post_pairs", "post_pair", {"pair_id": "pairs/0"}),
    ("post_seasons", "get_season", {"season_id": "id"}),
    ("post_sessions", "get_session", {"session_id": "id"}),
    ("post_sessions", "get_public_session", {"session_id": "id"}),
    ("post_session_tables", "get_encuentro", {"encuentro_id": "encuentros/0"}),
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
    "get_season": {"person_id": "standings/0/person"},
    "get_session": {},
    "get_tournament": {
        "meeting": "rounds/0/meetings/0/id",
        "pair": "pairs/0/pair",
        "number": "rounds/0/number",
    },
}
"""Views, and where further parameters of the operations below them are in their answers."""


class _Operation(NamedTuple):
    path: str
    described: dict[str, Any]

    @property
    def parameters(self) -> set[str]:
        """Names of the parameters of the path, and of a header that is a version."""
        headers = {one["name"] for one in self.described.get("parameters", ()) if "name" in one}
        return {*_PARAMETER.findall(self.path), *({"If-Match"} & headers)}


def document(operations: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
    """Add the links to the operations of the document, given by their ids."""
    every = {name: _Operation(*one) for name, one in operations.items()}
    for source, target, found in NAMED:
        _link(every, source, target, found)
    for source, found in WITHIN.items():
        path = every[source].path
        own = set(_PARAMETER.findall(path))
        for target, one in every.items():
            more = one.parameters - own - {"If-Match"}
            if target != source and one.path.startswith(path) and more <= set(found):
                _link(every, source, target, found)


def _link(
    every: Mapping[str, _Operation], source: str, target: str, found: Mapping[str, str]
) -> None:
    """A link from the successful answer of an operation to another operation."""
    values = {name: f"$request.path.{name}" for name in _PARAMETER.findall(every[source].path)}
    values |= {name: _BODY + place for name, place in found.items()} | {"If-Match": _VERSION}
    parameters = {name: values[name] for name in every[target].parameters if name in values}
    responses = every[source].described["responses"]
    status = next(one for one in responses if str(one).startswith("2"))
    responses[status].setdefault("links", {})[target] = {
        "operationId": target,
        "parameters": dict(sorted(parameters.items())),
    }
