"""The OpenAPI document tells the truth: ids of operations, security, and every key of every answer."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from api.document import glossary
from api.server import wiring
from tests.support.demonstrated import demonstrated
from tests.support.places import ROOT
from tests.support.servers.documented import CheckedClient, document_of
from tests.support.servers.every_write import played_league
from tests.support.servers.http_table import HttpTable

FROZEN = ROOT / "tests" / "golden" / "operations.txt"
METHODS = ("get", "post", "put", "patch", "delete")
OPEN_OBJECTS = {
    "PlainFinding.facts": "each rule has facts of its own",
    "Finding.facts": "each rule has facts of its own",
    "ProblemShape.errors": "places and fields of a request, as deep as the request is",
    "ProblemShape.codes": "places and fields of a request, as deep as the request is",
    "ProblemShape.parts": "state of each part of the service, for an operator",
    "Readiness.parts": "as above",
    "ProvedEvent.state": "an event in the envelope of the log, which a verifier takes as bytes",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory):
    return wiring.app(tmp_path_factory.mktemp("document"), with_projector=False)


@pytest.fixture(scope="module")
def document(app) -> dict[str, Any]:
    return document_of(app)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, path, methods[method]


def test_an_operation_keeps_its_id_for_ever(document: dict[str, Any]) -> None:
    now = {
        f"{one['operationId']} {method.upper()} {path}"
        for method, path, one in operations(document)
    }
    frozen = set(FROZEN.read_text("utf-8").splitlines())
    assert now == frozen, "clients are generated from these ids: add new ones, change none"
    assert len({line.split()[0] for line in frozen}) == len(frozen)


def test_the_title_is_ascii_since_generators_make_a_name_of_it(document: dict[str, Any]) -> None:
    assert document["info"]["title"].isascii()


def test_the_security_of_an_operation_is_that_of_its_route(app, document: dict[str, Any]) -> None:
    views = {
        (method.lower(), rule.rule): app.view_functions[rule.endpoint]
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
    }
    by_path = {(method, template_of(rule)): view for (method, rule), view in views.items()}
    assert document["security"] == [{"token": []}]
    for method, path, one in operations(document):
        view = by_path[method, path]
        if view.permission == "open":
            assert one["security"] == [], path
        elif hasattr(view, "is_open"):
            assert one["security"] == [{}, {"token": []}], path
            assert "once it is public" in one["description"]
        else:
            assert "security" not in one, path


def template_of(rule: str) -> str:
    return "/".join(
        f"{{{part[1:-1].rpartition(':')[2]}}}" if part.startswith("<") else part
        for part in rule.split("/")
    )


def test_the_reel_is_open_once_decided_and_a_ruling_is_not(document: dict[str, Any]) -> None:
    encuentro = "/api/v1/encuentros/{encuentro_id}"
    replay = document["paths"][f"{encuentro}/partidas/{{n}}/reel"]["get"]
    assert replay["security"] == [{}, {"token": []}]
    assert "security" not in document["paths"][f"{encuentro}/rulings"]["post"]


def test_every_answer_names_all_its_keys(document: dict[str, Any]) -> None:
    assert set(open_objects(document)) == set(OPEN_OBJECTS)


def test_every_operation_says_what_it_answers(document: dict[str, Any]) -> None:
    for method, path, one in operations(document):
        answers = {status: of for status, of in one["responses"].items() if status[0] == "2"}
        assert answers, (method, path)
        for status, answer in answers.items():
            contents = resolved(document, answer).get("content", {})
            assert contents or status in ("202", "204"), (method, path)
            assert all(content["schema"] for content in contents.values()), (method, path)


def keys_of(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every key of every schema: the component that has it, its name, its schema."""

    def walk(schema: Any, component: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for name, one in schema.items() if isinstance(schema, dict) else enumerate(schema):
            if name == "properties":
                yield from ((component, key, of_key) for key, of_key in one.items())
                yield from walk(list(one.values()), component)
            elif isinstance(one, dict | list):
                yield from walk(one, component)

    for component, schema in document["components"]["schemas"].items():
        yield from walk(schema, component)
    yield from walk(document["paths"], "a path")


def test_every_key_says_what_it_means(document: dict[str, Any]) -> None:
    every = list(keys_of(document))
    assert len(every) > 2000
    texts = {(key, one.get("description", "")) for _, key, one in every}
    bare = {f"{component}.{key}" for component, key, one in every if not one.get("description")}
    assert bare == set()
    assert {key for key, text in texts if text.strip(".").lower() == key.replace("_", " ")} == set()


def test_the_glossary_has_nothing_that_no_type_has(document: dict[str, Any]) -> None:
    types: dict[str, set[str]] = defaultdict(set)
    for component, key, _ in keys_of(document):
        types[key].add(re.sub(r"Fact(Body|Fields)?$", "", component))
    named = {
        (key, name)
        for key, meaning in glossary.meanings().items()
        if not isinstance(meaning, str)
        for names in meaning
        for name in names.split()
    }
    assert set(glossary.meanings()) <= set(types)
    assert {(k, one) for k, one in named if one != "*" and one not in types[k]} == set()


def test_a_key_has_its_meaning_in_one_file_of_the_glossary() -> None:
    files = sorted((ROOT / "api/document/keys").glob("*.json"))
    every = [key for path in files for key in json.loads(path.read_text("utf-8"))]
    assert len(every) == len(set(every))


def resolved(document: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
    """An answer or a parameter, which several operations may share."""
    kind, _, name = one.get("$ref", "").removeprefix("#/components/").partition("/")
    return dict(document["components"][kind][name] if name else one)


def open_objects(document: dict[str, Any]) -> Iterator[str]:
    """Members of answers that are objects of which nothing is said."""
    seen: set[str] = set()

    def walk(schema: Any, name: str) -> Iterator[str]:
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            if target not in seen:
                seen.add(target)
                yield from walk(document["components"]["schemas"][target], target)
            return
        keys = schema.get("additionalProperties", True)
        if schema.get("type") == "object" and not (
            (isinstance(keys, dict) and keys) or keys is False
        ):
            yield name
        if not schema.keys() - {"description"}:
            yield name
        if isinstance(keys, dict) and keys:
            yield from walk(keys, name)
        for key, one in schema.get("properties", {}).items():
            yield from walk(one, f"{name}.{key}")
        for one in (*schema.get("anyOf", ()), *schema.get("prefixItems", ())):
            yield from walk(one, name)
        if isinstance(schema.get("items"), dict):
            yield from walk(schema["items"], name)

    for method, path, one in operations(document):
        for status, response in one["responses"].items():
            contents = resolved(document, response).get("content", {})
            for media_type, content in contents.items():
                if media_type.endswith("json"):
                    assert content["schema"], (method, path, status)
                    yield from walk(content["schema"], f"{method} {path}")


# --- the answers of the demonstration ------------------------------------------------------------


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> HttpTable:
    table = demonstrated(tmp_path_factory.mktemp("demo"))
    assert isinstance(table.client, CheckedClient)
    return table


def of_demonstration(filled: HttpTable) -> dict[str, list[dict[str, str]]]:
    """Values of the parameters of paths, by the first parameter of a path."""
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
    weeks = filled.get("/api/v1/puzzles").json["weeks"]
    return {
        "": [{}],
        "week": [{"week": one} for one in weeks],
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
        "league_id": [{"league_id": league_of(filled)}],
    }


def league_of(filled: HttpTable) -> str:
    """A league of bars beside what the demonstration has, with something in every view."""
    known = filled.get("/api/v1/leagues").json["items"]
    return known[0]["id"] if known else played_league(filled).id


QUERIES = {
    "/api/v1/profiles/difference": "?one=club&other=guinyot&players=4",
    "/api/v1/encuentros/{encuentro_id}/partidas/{n}/what-if": "?profile=escuela",
    "/api/v1/encuentros/{encuentro_id}/partidas/{n}/reel": "?profile=escuela",
}
NOT_IN_IT = {
    "/api/v1/seasons/{season_id}/pairs/{pair_id}": "its season is one of persons",
    "/api/v1/tournaments/{tournament_id}/meetings/{meeting}/choices": "no result came too late",
    "/api/v1/tournaments/{tournament_id}/former-draws/{number}": "no draw was taken back",
    "/api/v1/tournaments/{tournament_id}/repechage": "its knock-out follows groups",
    "/api/v1/log/checkpoint": "no notary signs it",
    "/api/v1/log/key": "no notary signs it",
    "/api/v1/encuentros/{encuentro_id}/proof": "no notary signs it",
    "/api/v1/tournaments/{tournament_id}/signed-list": "no notary signs it",
}


def test_the_demonstration_is_as_the_document_says(
    filled: HttpTable, document: dict[str, Any]
) -> None:
    values, answered = of_demonstration(filled), set[str]()
    paths = [path for method, path, _ in operations(document) if method == "get"]
    asked = [path for path in paths if not path.endswith(("/stream", "/changes"))]
    for path in asked:
        first = path.partition("{")[2].partition("}")[0]
        addresses = {path.format(**one) for one in values[first]}
        for address in sorted(addresses):
            answer = filled.get(address + QUERIES.get(path, ""))  # the client checks it
            assert answer.status_code < 500, address
            if answer.status_code == 200:
                answered.add(path)
    assert set(asked) - answered == set(NOT_IN_IT)


def test_an_operation_takes_the_parameters_of_its_address_that_the_document_names_and_no_other(
    filled: HttpTable, document: dict[str, Any]
) -> None:
    read = {
        path: {one["name"] for one in parameters(document, operation) if one["in"] == "query"}
        for method, path, operation in operations(document)
        if method == "get" and path.startswith("/api/v1")
    }
    every = {"nothing", *set[str]().union(*read.values())}
    assert every >= {"cursor", "limit", "line", "profile", "seat", "q", "wait", "lang", "of"}
    values = of_demonstration(filled)
    for path, names in read.items():
        where = path.format(**values[path.partition("{")[2].partition("}")[0]][0])
        answer = filled.get(f"{where}?{'&'.join(f'{one}=x' for one in sorted(every))}")
        assert answer.status_code == 422, path
        assert set(answer.json["errors"]["query"]) == every - names, path


def test_each_parameter_says_what_it_is(document: dict[str, Any]) -> None:
    bare = {
        (path, one["name"])
        for _, path, operation in operations(document)
        for one in parameters(document, operation)
        if one["in"] != "path" and not (one.get("description") and one["schema"].get("type"))
    }
    assert bare == set()


def parameters(document: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Parameters of an operation, but for those of its path."""
    return [resolved(document, one) for one in operation.get("parameters", [])]


def test_an_answer_with_a_key_that_the_document_has_not_is_refused(
    filled: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.club.persons._find", lambda _: [("a", 3)])
    with pytest.raises(AssertionError, match="is not of type"):
        filled.get("/api/v1/persons")
