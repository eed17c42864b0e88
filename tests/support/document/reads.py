"""Every read of the API, at the addresses that the demonstration has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.servers.every_write import (
    of_ranking,
    of_road,
    of_webhooks,
    played_league,
)
from tests.support.servers.http_table import HttpTable

METHODS = ("get", "post", "put", "patch", "delete")
STREAMS = ("/stream", "/changes")


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, path, methods[method]


def addresses_of_reads(filled: HttpTable, document: dict[str, Any]) -> list[tuple[str, str]]:
    """Path and address of each read that ends, at each place."""
    values = values_of_paths(filled)
    return [
        (path, address + QUERIES.get(path, ""))
        for method, path, _ in operations(document)
        if method == "get" and not path.endswith(STREAMS)
        for address in sorted({path.format(**one) for one in values[first_parameter(path)]})
    ]


def first_parameter(path: str) -> str:
    """The first parameter of a path; empty if it has none."""
    return path.partition("{")[2].partition("}")[0]


def values_of_paths(filled: HttpTable) -> dict[str, list[dict[str, str]]]:
    """Values of the parameters of paths in the demonstration, by the first parameter of a path."""
    lists = {
        name: filled.get(f"/api/v1/{name}?limit=200").json["items"]
        for name in ("encuentros", "players", "pairs", "tournaments")
    }
    seasons = filled.get("/api/v1/seasons").json["items"]
    sessions = filled.get("/api/v1/sessions").json["items"]
    rules = filled.get("/api/v1/club/rules").json["items"]
    disputed = [one["id"] for one in lists["encuentros"] if not one["decided"]]
    decided = [one["id"] for one in lists["encuentros"] if one["decided"]]
    partidas = [
        {"encuentro_id": one, "n": str(n), "c": str(n)}
        for one in (*disputed, *decided[:2])
        for n in (1, 2)
    ]
    rows = filled.get(f"/api/v1/seasons/{seasons[0]['id']}").json["standings"]
    meetings = [
        {"tournament_id": one["id"], "meeting": meeting["id"], "number": "1"}
        for one in lists["tournaments"]
        for drawn in filled.get(f"/api/v1/tournaments/{one['id']}").json["rounds"]
        for meeting in drawn["meetings"][:1]
    ]
    return {
        "": [{}],
        "week": [{"week": one} for one in filled.get("/api/v1/puzzles").json["weeks"]],
        "profile_id": [{"profile_id": one} for one in ("club", "guinyot", "sin-mazo")],
        "encuentro_id": partidas,
        "rules_id": [{"rules_id": one["id"]} for one in rules],
        "person_id": [{"person_id": one["player"]} for one in lists["players"][:3]],
        "season_id": [
            {"season_id": seasons[0]["id"], "person_id": row["person"], "pair_id": "0" * 32}
            for row in rows
        ],
        "session_id": [{"session_id": one["id"]} for one in sessions],
        "tournament_id": meetings,
        **values_beside(filled),
    }


def values_beside(filled: HttpTable) -> dict[str, list[dict[str, str]]]:
    """Values of what is made beside what the demonstration has."""
    return {
        "league_id": [{"league_id": league_of(filled)}],
        "road_id": [{"road_id": road_of(filled)}],
        "webhook_id": [{"webhook_id": of_webhooks(filled)}],
        "ranking_id": [ranking_of(filled)],
    }


def league_of(filled: HttpTable) -> str:
    """A league of bars beside what the demonstration has, with something in every view."""
    known = filled.get("/api/v1/leagues").json["items"]
    return known[0]["id"] if known else played_league(filled).id


def ranking_of(filled: HttpTable) -> dict[str, str]:
    """A ranking between clubs beside what the demonstration has, a club and a person of it."""
    known = filled.get("/api/v1/rankings").json["items"]
    ranking = known[0]["id"] if known else of_ranking(filled).rpartition("/")[2]
    row = filled.get(f"/api/v1/rankings/{ranking}").json["rows"][0]
    return {"ranking_id": ranking, "club": "1", "line": row["person"]}


def road_of(filled: HttpTable) -> str:
    """A road beside what the demonstration has, with something in every view."""
    known = filled.get("/api/v1/roads").json["items"]
    return known[0]["id"] if known else of_road(filled).id


QUERIES = {
    "/api/v1/profiles/difference": "?one=club&other=guinyot&players=4",
    "/api/v1/encuentros/{encuentro_id}/partidas/{n}/what-if": "?profile=escuela",
    "/api/v1/encuentros/{encuentro_id}/partidas/{n}/reel": "?profile=escuela",
}
