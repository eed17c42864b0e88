"""Pages of the document: every operation is found and explained, without a script and without a sign-in."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.support.document.reads import operations
from tests.support.html import Html
from tests.support.servers.documented import document_of
from tests.support.servers.kept_apps import kept_table


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory):
    with kept_table(tmp_path_factory.mktemp("house")) as table:
        yield table.app.test_client()


def page_of(visitor: FlaskClient, path: str) -> Html:
    return Html(visitor.get(path).text)


def test_the_first_page_leads_to_the_operations(visitor: FlaskClient) -> None:
    assert page_of(visitor, "/").count("footer a[href='/api/docs']") == 1
    shown = set(page_of(visitor, "/api/docs").values("dl.operations a", "href"))
    document = document_of(visitor.application)
    assert shown == {f"/api/docs/{one['operationId']}" for _, _, one in operations(document)}


def test_a_page_of_an_operation_says_what_it_takes_and_answers(visitor: FlaskClient) -> None:
    page = page_of(visitor, "/api/docs/post_encuentro_partida_acts")
    assert "Idempotency-Key" in page.text("section[aria-labelledby=parameters]")
    assert "card-played-before" in page.text("section[aria-labelledby=errors]")
    request, answer = page.texts("pre")
    assert '"kind": "deal"' in request
    assert '"lines"' in answer
    ids = set(page.values("h3", "id"))
    assert {"Acts", "Act", "CardPlayed", "Seat", "Written"} <= ids
    assert set(page.values("code a", "href")) <= {f"#{one}" for one in ids}


def test_every_operation_has_a_page_and_no_other(visitor: FlaskClient) -> None:
    for _, _, one in operations(document_of(visitor.application)):
        assert visitor.get(f"/api/docs/{one['operationId']}").status_code == 200
    assert visitor.get("/api/docs/get_nothing").status_code == 404
