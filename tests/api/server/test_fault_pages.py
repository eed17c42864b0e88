"""Pages that say what failed are drawn while every store of the house fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.http import problems
from api.http.languages import texts_of_language
from api.http.problems import PROBLEMS, Problem
from tests.support.servers.http_table import HttpTable

OPEN = ("/", "/entrar", "/nada", "/mesa/{}", "/r/{}", "/temporadas/", "/sala/")
ASKED = [(path, False) for path in OPEN] + [(path, True) for path in (*OPEN, "/e/{}", "/casa")]
PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A house with a table, whose stores were overwritten after they were closed."""
    folder = tmp_path_factory.mktemp("broken")
    table = HttpTable(folder)
    table.id_of_table = table.encuentro().rpartition("/")[2]  # type: ignore[attr-defined]  # for the addresses
    table.close()
    for file in folder.rglob("*.sqlite*"):
        file.write_bytes(b"\xff" * max(4096, file.stat().st_size))
    yield table
    table.close()


@pytest.mark.parametrize(("path", "is_owner"), ASKED)
def test_a_page_whose_stores_fail_says_so(broken: HttpTable, path: str, is_owner: bool) -> None:
    who = {"Authorization": f"Bearer {broken.token}"} if is_owner else {}
    asked = path.format(broken.id_of_table)  # type: ignore[attr-defined]  # as above
    answer = broken.app.test_client().get(asked, headers={**PAGE, **who})
    said = "not_found" if path == "/nada" else "unavailable"
    assert (answer.status_code, answer.mimetype) == (PROBLEMS[said], "text/html")
    assert texts_of_language("es")[f"problem.{said}.detail"] in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("code", PROBLEMS)
def test_every_problem_has_a_page_while_all_stores_fail(broken: HttpTable, code: str) -> None:
    with broken.app.test_request_context("/", headers=PAGE):
        answer = problems.answer_http_error(Problem(code))
    assert answer.status_code == PROBLEMS[code]
    assert f"<h1>{texts_of_language('es')[f'problem.{code}']}</h1>" in answer.get_data(as_text=True)
