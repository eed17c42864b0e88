"""The OpenAPI document tells the truth: ids of operations, security, and every key of every answer."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from api.document import whole
from api.http.problems import PROBLEMS
from api.server import wiring
from referee.aggregates.access import SCOPES
from tests.support.demonstrated import demonstrated
from tests.support.document.reads import (
    addresses_of_reads,
    first_parameter,
    operations,
    values_of_paths,
)
from tests.support.places import ROOT
from tests.support.servers.documented import CheckedClient, document_of
from tests.support.servers.http_table import HttpTable

CHANGES = ROOT / "docs" / "developing" / "api.md"
RELEASED = ROOT / "tests" / "golden" / "operations-0.2.0.txt"
FROZEN = ROOT / "tests" / "golden" / "operations.txt"
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


def test_an_operation_keeps_its_id_for_ever(document: dict[str, Any]) -> None:
    now = {
        f"{one['operationId']} {method.upper()} {path}"
        for method, path, one in operations(document)
    }
    frozen = set(FROZEN.read_text("utf-8").splitlines())
    assert now == frozen, "clients are generated from these ids: add new ones, change none"
    assert len({line.split()[0] for line in frozen}) == len(frozen)


def test_the_changelog_of_the_api_names_what_came_and_what_went(document: dict[str, Any]) -> None:
    page = CHANGES.read_text("utf-8")
    coming = page.partition("\n## ")[2].partition("\n## ")[0]
    now = {one["operationId"] for _, _, one in operations(document)}
    released = {line.split()[0] for line in RELEASED.read_text("utf-8").splitlines()}
    named = set(re.findall(r"`((?:get|post|put|delete)_\w+)`", coming))
    assert now - released - named == set(), "docs/developing/api.md names what is new"
    assert released - now - named == set(), "docs/developing/api.md names what has gone"
    outdated = [one["operationId"] for _, _, one in operations(document) if one.get("deprecated")]
    assert set(outdated) <= named


def test_the_document_is_sent_once_to_whoever_keeps_it(app) -> None:
    client = app.test_client()
    first = client.get("/api/openapi.json")
    assert first.json == document_of(app)
    again = client.get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_an_operation_says_with_which_codes_it_refuses(document: dict[str, Any]) -> None:
    acts = document["paths"]["/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts"]["post"]
    codes = {
        status: set(resolved(document, one)["x-codes"])
        for status, one in acts["responses"].items()
        if status >= "4" and status != "default"
    }
    assert codes["412"] == {"stale"}
    assert codes["403"] == {"forbidden", "out_of_scope", "cross_site"}
    assert {"card-played-before", "names_lost"} <= codes["409"]
    everything = {code for _, _, one in operations(document) for code in codes_of(document, one)}
    general = {"bad_request", "method_not_allowed", "not_acceptable", "conflict"}
    assert set(PROBLEMS) - everything - general == {"refused"}, "no operation says it"


def codes_of(document: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    every = operation["responses"].values()
    return {code for one in every for code in resolved(document, one).get("x-codes", ())}


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
            continue
        if path == "/api/v1/sign-ins/own/renewal":
            assert one["security"] == [{"app_sign_in": []}]
            continue
        if (method, path) == ("delete", "/api/v1/sign-ins/own"):
            assert one["security"] == [{"token": []}, {"app_sign_in": []}]
            continue
        by_app = [{"app": [scope]} for scope in scopes_of(view.permission)]
        if hasattr(view, "is_open"):
            assert one["security"] == [{}, {"token": []}, *by_app], path
            assert "once it is public" in one["description"]
        elif by_app:
            assert one["security"] == [{"token": []}, *by_app], path
        else:
            assert "security" not in one, path


def scopes_of(permission: str) -> list[str]:
    """Scopes with a permission; every token sees what it may do itself."""
    return [one for one in SCOPES if permission == "self" or permission in SCOPES[one]]


def template_of(rule: str) -> str:
    return "/".join(
        f"{{{part[1:-1].rpartition(':')[2]}}}" if part.startswith("<") else part
        for part in rule.split("/")
    )


def test_the_reel_is_open_once_decided_and_a_ruling_is_not(document: dict[str, Any]) -> None:
    encuentro = "/api/v1/encuentros/{encuentro_id}"
    replay = document["paths"][f"{encuentro}/partidas/{{n}}/reel"]["get"]
    assert replay["security"][:2] == [{}, {"token": []}]
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
        for key, meaning in whole.meanings().items()
        if not isinstance(meaning, str)
        for names in meaning
        for name in names.split()
    }
    assert set(whole.meanings()) <= set(types)
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


NOT_IN_IT = {
    "/api/v1/seasons/{season_id}/pairs/{pair_id}": "its season is one of persons",
    "/api/v1/tournaments/{tournament_id}/meetings/{meeting}/choices": "no result came too late",
    "/api/v1/tournaments/{tournament_id}/former-draws/{number}": "no draw was taken back",
    "/api/v1/tournaments/{tournament_id}/repechage": "its knock-out follows groups",
    "/api/v1/log/checkpoint": "no notary signs it",
    "/api/v1/log/key": "no notary signs it",
    "/api/v1/publication": "no notary signs it",
    "/api/v1/encuentros/{encuentro_id}/proof": "no notary signs it",
    "/api/v1/tournaments/{tournament_id}/signed-list": "no notary signs it",
}


def test_the_demonstration_is_as_the_document_says(
    filled: HttpTable, document: dict[str, Any]
) -> None:
    answered = set[str]()
    addresses = addresses_of_reads(filled, document)
    for path, address in addresses:
        answer = filled.get(address)  # the client checks it
        assert answer.status_code < 500, address
        if answer.status_code == 200:
            answered.add(path)
    assert {path for path, _ in addresses} - answered == set(NOT_IN_IT)


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
    values = values_of_paths(filled)
    for path, names in read.items():
        where = path.format(**values[first_parameter(path)][0])
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
    monkeypatch.setattr("api.club.persons._find_persons", lambda _: [("a", 3)])
    with pytest.raises(AssertionError, match="is not of type"):
        filled.get("/api/v1/persons")
