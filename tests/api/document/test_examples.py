"""Examples of the document are what the tests send and get; ``--renew-examples`` writes them anew."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api.document.whole import FILE
from tests.api.document.examples import Example, Examples, plain
from tests.support.demonstrated import demonstrated
from tests.support.document.reads import STREAMS, addresses_of_reads, operations
from tests.support.servers.documented import document_of, faults_of_value
from tests.support.servers.every_write import play_everything, starting_places
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

WITHOUT = {
    "get_log_checkpoint": "it is a text",
    "get_log_key": "it is a text",
    "get_encuentro_proof": "it is hashes, and nothing is signed here",
    "get_tournament_signed_list": "it is a text, and nothing is signed here",
    "get_publication": "nothing is signed here",
    "get_players_file": "it is a spreadsheet",
    **dict.fromkeys(
        (
            *("delete_person", "delete_ranking_people", "delete_sign_ins_own"),
            *("delete_token", "delete_webhook"),
        ),
        "nothing is sent, and nothing answered",
    ),
}

CHOICES = "get_tournament_meeting_choices"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    """Every write of a club, and every read of the demonstration."""
    with kept_table(tmp_path_factory.mktemp("written")) as table:
        written = Examples(table)
        play_everything(table)
        late = next(one for one in starting_places(table) if CHOICES in one.good_for).values
        path = "/api/v1/tournaments/{tournament_id}/meetings/{meeting}/choices"
        for address in (path.format(**late), *rare_reads(table)):
            table.get(address)
    filled = demonstrated(tmp_path_factory.mktemp("read"))
    read = Examples(filled)
    for _, address in addresses_of_reads(filled, document_of(filled.app)):
        filled.get(address)
    del read.found["get_readyz"]
    filled.client.get("/readyz")  # what everybody gets: the owner is told how full this disk is
    written.found = read.found | written.found
    return written


def rare_reads(table: HttpTable) -> list[str]:
    """Addresses of what the demonstration has not: former draws, repechages, a season of pairs."""
    tournaments = table.get("/api/v1/tournaments?limit=200").json["items"]
    of_draws = ("former-draws/1", "repechage", "signed-list")
    season = next(
        one["id"] for one in table.get("/api/v1/seasons").json["items"] if one["of"] == "pairs"
    )
    (row, *_) = table.get(f"/api/v1/seasons/{season}").json["standings"]
    return [
        f"/api/v1/seasons/{season}/pairs/{row['pair']}",
        *(f"/api/v1/tournaments/{one['id']}/{rest}" for one in tournaments for rest in of_draws),
    ]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with kept_table(tmp_path_factory.mktemp("document")) as table:
        return document_of(table.app)


@pytest.fixture(scope="module")
def kept(
    recorded: Examples, document: dict[str, Any], request: pytest.FixtureRequest
) -> dict[str, Example]:
    """The examples of the file; those that do not hold any more are written anew if that is wanted."""
    found: dict[str, Example] = json.loads(FILE.read_text("utf-8"))
    if request.config.getoption("renew_examples"):
        good = {name: one for name, one in found.items() if holds(name, one, recorded, document)}
        found = {name: good.get(name, one) for name, one in sorted(recorded.found.items())}
        FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return found


def holds(name: str, one: Example, recorded: Examples, document: dict[str, Any]) -> bool:
    """Whether an example is still one that the tests send, and as the document says."""
    places = [
        (method, path) for method, path, of in operations(document) if of["operationId"] == name
    ]
    return one.get("request") in recorded.sent.get(name, [one.get("request")]) and all(
        faults_of_value(document, method, path, one) == [] for method, path in places
    )


def test_each_operation_has_an_example_of_its_request_and_its_answer(
    document: dict[str, Any], kept: dict[str, Example]
) -> None:
    for _, path, one in operations(document):
        name = one["operationId"]
        if path.endswith(STREAMS) or name in WITHOUT:
            assert "answer" not in kept.get(name, {}), name
            continue
        assert "answer" in kept[name], name
        body = one.get("requestBody", {})
        assert ("request" in kept[name]) == bool(body), name
    assert set(kept) <= {one["operationId"] for _, _, one in operations(document)}


def test_the_examples_are_as_the_document_says(
    document: dict[str, Any], kept: dict[str, Example]
) -> None:
    for method, path, one in operations(document):
        example = kept.get(one["operationId"], {})
        assert faults_of_value(document, method, path, example) == [], one["operationId"]


def test_each_request_of_an_example_is_one_that_the_tests_send(
    recorded: Examples, kept: dict[str, Example]
) -> None:
    asked = {name: one["request"] for name, one in kept.items() if "request" in one}
    other = [name for name, request in asked.items() if request not in recorded.sent[name]]
    assert other == [], "run this test with --renew-examples"


def test_an_id_whose_digits_look_like_a_code_stays_an_id() -> None:
    one: Example = {"answer": {"id": "23456789-ac3a-4829-8392-aaaaaaaaaaaa", "code": "KMNP-2345"}}
    assert plain(one) == {
        "answer": {"id": "00000000-0000-0000-0000-000000000001", "code": "ABCD-2345"}
    }
