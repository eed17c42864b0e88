"""The contract: the OpenAPI document is valid, and the program keeps to it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from openapi_spec_validator import validate

from api.encuentros.acts import KINDS
from api.http.problems import MEDIA_TYPE, PROBLEMS
from tests.support.places import ROOT
from tests.support.servers.every_write import of_road
from tests.support.servers.http_league import HttpLeague
from tests.support.servers.http_table import HttpTable, card, deal, pinta
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.long_runs import RUNS

DOCUMENT = "/api/openapi.json"
EXAMPLES = 1 if RUNS == 1 else 25
"""Random requests an operation, after those at the limits of its schema."""


FEW_KINDS = ("card", "hand", "cante")


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """One option of a profile is tried instead of 61, and all kinds of acts at one of four places.

    Eight operations take a profile, and every value of every option at each of them made 32,000 of
    42,000 requests: all options have one schema. A profile has one schema at all operations, so
    every part of it is tried where one is checked, and its name and its edition elsewhere. An act
    has one schema too, so every kind is tried in a preview only. A long run tries each fifth
    option, and all acts and profiles everywhere.
    """
    drop_words(raw_schema)
    schemas = raw_schema["components"]["schemas"]
    changes = schemas["ProfileIn"]["properties"]["changes"]
    options = list(changes["properties"].items())
    changes["properties"] = dict(options[::5] if RUNS > 1 else options[25:26])
    if RUNS > 1:
        return
    few_parts(schemas)
    whole = {"$ref": "#/components/schemas/WholeProfile"}
    checking = raw_schema["paths"]["/api/v1/profiles/check"]["post"]["requestBody"]
    checked = checking["content"]["application/json"]["schema"]
    schemas["WholeCheck"] = copy.deepcopy(schemas["AtTable"])
    schemas["WholeCheck"]["properties"]["profile"] = whole
    assert checked == {"$ref": "#/components/schemas/AtTable"}
    checked["$ref"] = "#/components/schemas/WholeCheck"
    kinds = schemas["Act"]["discriminator"]["mapping"]
    mapping = {kind: kinds[kind] for kind in FEW_KINDS}
    few = {
        "oneOf": [{"$ref": schema} for schema in mapping.values()],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    schemas["ChangeIn"]["properties"]["act"] = few
    schemas["FewActs"] = copy.deepcopy(schemas["Acts"])
    schemas["FewActs"]["properties"]["acts"]["items"] = few
    recording = raw_schema["paths"]["/api/v1/encuentros/{encuentro_id}/partidas/{n}/acts"]["post"]
    recording["requestBody"]["content"]["application/json"]["schema"] = {
        "$ref": "#/components/schemas/FewActs"
    }


WORDS = ("description", "example", "examples", "x-codes")


def drop_words(part: Any) -> None:
    """Leave out what is for people: two thirds of the document, which is read for each operation."""
    if isinstance(part, dict):
        for name in WORDS:
            if name in part and not (name == "description" and isinstance(part[name], dict)):
                del part[name]
    for one in part.values() if isinstance(part, dict) else part:
        if isinstance(one, dict | list):
            drop_words(one)


def few_parts(schemas: dict[str, Any]) -> None:
    """A profile that is only named, beside the whole one."""
    schemas["WholeProfile"] = copy.deepcopy(schemas["ProfileIn"])
    parts = schemas["ProfileIn"]["properties"]
    schemas["ProfileIn"]["properties"] = {name: parts[name] for name in ("id", "edition")}


@pytest.fixture(scope="session")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club that is asked whatever its document allows, and much that it does not."""
    with kept_table(tmp_path_factory.mktemp("fuzzed")) as table:
        table.app.extensions["guinote"]().hub.life_s = 0.0  # a stream is one message, and over
        yield table


@pytest.fixture
def contract(fuzzed: HttpTable, request: pytest.FixtureRequest) -> Any:
    """The document, read when it is first wanted: its requests are not made to list the tests."""
    request.node._nodeid = request.node.nodeid  # schemathesis names the operation there
    return schemathesis.openapi.from_wsgi(DOCUMENT, fuzzed.app)


@pytest.fixture(scope="session")
def partida(fuzzed: HttpTable) -> str:
    """A partida with some acts, so that fuzzed requests often find something."""
    where = fuzzed.partida()
    assert fuzzed.record(where, 0, deal(), pinta(), card("A1", "AO")).status_code == 200
    case = {"by": {"name": "Ana"}, "side": "A", "partida": 1, "because": "renuncio"}
    encuentro = where.removesuffix("/partidas/1")
    assert fuzzed.post(f"{encuentro}/cases", case, 3).status_code == 201
    return where


@pytest.fixture(scope="session")
def evening(fuzzed: HttpTable) -> dict[str, str]:
    """A season, and an evening of it with somebody there."""
    season = fuzzed.post("/api/v1/seasons", {"name": "Liga"}).json["id"]
    there = [{"name": name} for name in ("Ana", "Blas", "Celia", "Diego")]
    body = {"date": "2026-11-21", "profile": {"id": "club"}, "season": season, "present": there}
    session = fuzzed.post("/api/v1/sessions", body).json["id"]
    return {"season_id": season, "session_id": session}


@pytest.fixture(scope="session")
def tournament(fuzzed: HttpTable) -> dict[str, Any]:
    """A tournament in its first round, a meeting and a pair of it."""
    played = HttpTournament(fuzzed, 4, format="swiss", rounds=2)
    played.draw()
    played.do("rounds")
    where = {"tournament_id": played.path.rpartition("/")[2], "pair": "1", "number": 1}
    return {**where, "meeting": played.open()[0]["id"]}


@pytest.fixture(scope="session")
def league(fuzzed: HttpTable) -> dict[str, str]:
    """A league of three bars with a calendar."""
    played = HttpLeague(fuzzed, "Bar Ana", "Bar Blas", "Peña Celia")
    played.schedule()
    return {"league_id": played.id}


@pytest.fixture(scope="session")
def road(fuzzed: HttpTable) -> dict[str, str]:
    """A road with qualifiers, an invitation and a final."""
    return {"road_id": of_road(fuzzed).id}


@schemathesis.pytest.from_fixture("contract").parametrize()
@settings(max_examples=EXAMPLES)
def test_the_program_keeps_to_its_document(
    case: Any,
    fuzzed: HttpTable,
    partida: str,
    evening: dict[str, str],
    tournament: dict[str, Any],
    league: dict[str, str],
    road: dict[str, str],
) -> None:
    real = {
        "encuentro_id": partida.split("/")[4],
        "n": 1,
        "c": 1,
        **evening,
        **tournament,
        **league,
        **road,
    }
    given = case.path_parameters or {}
    if case.meta.generation.mode.is_positive:
        case.path_parameters = {name: real.get(name, value) for name, value in given.items()}
    case.call_and_validate(headers=fuzzed.owner())


@pytest.fixture(scope="session")
def document(fuzzed: HttpTable) -> dict[str, Any]:
    return dict(fuzzed.client.get(DOCUMENT).json or {})


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")


NAMES_OF_SHAPES_RENAMED_SINCE = {"Difference", "Entry", "Finding", "Own", "Reel", "Seasons", "Who"}


def test_clients_find_a_shape_by_its_old_name(document: dict[str, Any]) -> None:
    names = set(document["components"]["schemas"])
    assert names >= NAMES_OF_SHAPES_RENAMED_SINCE
    assert not names & {"LineView", "FindingView", "OwnProfile", "PersonIn", "SeasonList"}


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]


def test_every_operation_says_what_it_does_and_how_it_fails(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        assert operation["summary"], (method, path)
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/DEFAULT_ERROR"}
    error = document["components"]["responses"]["DEFAULT_ERROR"]
    assert list(error["content"]) == [MEDIA_TYPE]


def parameters(document: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """Names of the parameters of an operation; one of several operations is a component."""
    shared = document["components"]["parameters"]
    given = operation.get("parameters", [])
    return {shared.get(one.get("$ref", "").rpartition("/")[2], one)["name"] for one in given}


READS_BY_POST = ("/profiles/check", "/preview")
ANSWERED_ONCE = ("/pairings", "/sign-ins", "/sign-ins/own/renewal", "/tokens")
"""What is answered, a token, is kept nowhere, so that it cannot be answered again."""
# Erasing twice is allowed, and a person has no version.
WITHOUT_KEY = ("get", "delete")
OF_WEBHOOKS = "/api/v1/webhooks/{webhook_id}"
"""A webhook is set as a whole, and what is asked of its messages may be asked again."""

IN_PIECES = "/api/v1/rankings/files"
"""A piece has its place in the file: a second time it adds nothing."""
READ_AGAIN = "/api/v1/rankings/{ranking_id}/clubs/{club}/reading"
"""What is read is put beside what is there, whichever that is."""


def test_every_write_wants_a_key(document: dict[str, Any]) -> None:
    wanting = {
        path
        for path, method, operation in operations(document)
        if method not in WITHOUT_KEY and not path.endswith((*READS_BY_POST, *ANSWERED_ONCE))
        if path not in (f"{OF_WEBHOOKS}/messages", IN_PIECES)
        if "Idempotency-Key" not in parameters(document, operation)
    }
    assert wanting == set()


def test_every_write_in_something_that_exists_wants_its_version(document: dict[str, Any]) -> None:
    wanting = {
        path
        for path, method, operation in operations(document)
        if method not in WITHOUT_KEY and "{" in path and not path.endswith(READS_BY_POST)
        if not path.startswith(OF_WEBHOOKS) and path != READ_AGAIN
        if "If-Match" not in parameters(document, operation)
    }
    assert wanting == set()


def test_an_act_is_one_of_all_kinds(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["Acts"]["properties"]["acts"]["items"] == {"$ref": "#/components/schemas/Act"}
    assert schemas["Act"]["discriminator"]["propertyName"] == "kind"
    assert set(schemas["Act"]["discriminator"]["mapping"]) == set(KINDS)
    assert len(schemas["Act"]["oneOf"]) == len(KINDS)


def test_the_document_is_of_a_size_to_read(document: dict[str, Any]) -> None:
    assert len(json.dumps(document)) < 1_100_000  # keys, errors and examples are said


def test_what_several_operations_share_is_said_once(document: dict[str, Any]) -> None:
    described = [one for _, _, one in operations(document)]
    written = [
        json.dumps(part)
        for one in (*described, *document["paths"].values())
        for part in (*one.get("parameters", []), *one.get("responses", {}).values())
        if "$ref" not in part
    ]
    repeated = {one for one in written if written.count(one) > 1}
    assert all(len(one) < SHORT for one in repeated), repeated


SHORT = 100
"""Length of a description that may be repeated: an answer without content has no more to say."""
OF_A_STREAM = r"\{(encuentro|tournament|league|road|ranking|season|session|webhook)_id\}"


def test_the_page_on_http_names_every_operation(document: dict[str, Any]) -> None:
    page = ROOT.joinpath("docs", "developing", "http.md").read_text("utf-8")
    missing = [
        f"{method.upper()} {path}"
        for path, method, _ in operations(document)
        if f"`{method.upper()} {re.sub(OF_A_STREAM, '{id}', path)}`" not in page
    ]
    assert missing == []


def test_the_page_on_http_names_every_kind_of_act_and_every_code() -> None:
    page = ROOT.joinpath("docs", "developing", "http.md").read_text("utf-8")
    assert [kind for kind in KINDS if f"| `{kind}` |" not in page] == []
    assert [
        code for code, status in PROBLEMS.items() if f"| `{code}` | {status} |" not in page
    ] == []
