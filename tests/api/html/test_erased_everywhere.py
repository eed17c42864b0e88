"""An erased person is *sin nombre* wherever their name was: on pages, in sentences, in files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from api.http.languages import player_names_of_side, say
from api.http.table_names import TableNames, use_table_names
from tests.api.html.test_people_not_codes import CODES, shown
from tests.support.demonstrated import demonstrated
from tests.support.servers.http_table import ENCUENTROS, HttpTable

NAME: Final = "Pilar Gracia"
NAMELESS: Final = "sin nombre"
NUMBERED: Final = re.compile(r"\b(?:jugador|pareja) (?:\d|[ABC]\b)", re.IGNORECASE)
OF_A_TABLE: Final = ("/e/", "/mesa/", "/repeticion/", "/r/", "/api/v1/encuentros/")
OF_THEMSELVES: Final = ("/jugador/", "/jugadores/", "/api/v1/players/", "/api/v1/persons/")
"""Pages about one person alone."""
OF_WHO_HAS_A_NAME: Final = (
    *("/buscar?q=pilar", "/casa", "/jornadas/nueva"),
    *("/jugadores/", "/jugadores/fichero", "/jugadores/parejas", "/c"),
)
"""Where people are found or chosen by their names: an erased person is not there."""


def _values(table: HttpTable) -> dict[str, object]:
    """The disputed table of the demonstration, an evening and a tournament, as parts of paths."""

    def first(path: str) -> str:
        return str(table.get(path).json["items"][0]["id"])

    (disputed,) = (
        one["id"]
        for one in table.get(ENCUENTROS).json["items"]
        if table.get(f"{ENCUENTROS}/{one['id']}/cases").json["items"]
    )
    tournament, season = first("/api/v1/tournaments"), first("/api/v1/seasons")
    (player,) = table.get("/api/v1/players?q=pilar").json["items"]
    return {
        "encuentro_id": disputed,
        "tournament_id": tournament,
        "season_id": season,
        "session_id": first("/api/v1/sessions"),
        "person_id": player["player"],
        "n": 1,
        "c": 1,
        "pair": "1",
        "what": "parejas",
    }


def _addresses(table: HttpTable, values: dict[str, object]) -> Iterator[str]:
    """The address of everything that is read with these values."""
    bound = table.app.url_map.bind("localhost")
    for rule in table.app.url_map.iter_rules():
        is_read = "GET" in (rule.methods or ()) and not rule.rule.endswith(
            ("/stream", "/changes", "/ejemplos")
        )
        if is_read and rule.arguments <= values.keys():
            built = bound.build(rule.endpoint, {one: values[one] for one in rule.arguments})
            yield f"{built}?q=pilar" if built == "/buscar" else built


def _read(table: HttpTable, paths: list[str]) -> dict[str, str]:
    """The text of everything that is there."""
    answers: dict[str, Any] = {path: table.get(path) for path in paths}
    return {
        path: one.text for path, one in answers.items() if one.status_code == 200 and _is_text(one)
    }


def _is_text(answer: Any) -> bool:
    return answer.mimetype.startswith("text/") or "json" in answer.mimetype


@pytest.fixture(scope="module")
def read(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Everything before somebody is erased who played, complained and entered, and afterwards."""
    table = demonstrated(tmp_path_factory.mktemp("erased"), is_league_public=True)
    values = _values(table)
    paths = list(_addresses(table, values))
    before = _read(table, paths)
    erased = table.client.delete(f"/api/v1/persons/{values['person_id']}", headers=table.owner())
    assert erased.status_code in (202, 204), erased.text
    yield before, _read(table, paths)
    table.close()


DOCUMENT = "/api/openapi.json"
Read = tuple[dict[str, str], dict[str, str]]


def test_whatever_is_read_of_somebody_is_read_once_they_are_erased(read: Read) -> None:
    before, after = read
    gone = {path for path in before.keys() - after.keys() if "/temporadas/" not in path}
    assert all(path.startswith(OF_THEMSELVES) for path in gone), gone


def test_the_name_is_nowhere(read: Read) -> None:
    before, after = read
    named = {path for path, text in before.items() if NAME in text}
    assert len(named) > 60
    still = {path for path, text in after.items() if NAME in text}
    assert still <= {DOCUMENT}, "its examples are of the demonstration, whoever is erased here"


def test_who_was_named_is_nameless_and_no_seat(read: Read) -> None:
    before, after = read
    named = [path for path, text in before.items() if NAME in text and path in after]
    said = {path: shown(after[path]) for path in named if not path.startswith("/api/")}
    silent = [path for path, text in said.items() if NAMELESS not in text.lower()]
    assert [path for path in silent if not path.endswith(OF_WHO_HAS_A_NAME)] == []
    codes = [
        (path, text[max(0, one.start() - 40) : one.end() + 20])
        for path, text in said.items()
        for one in CODES.finditer(text)
    ]
    assert not codes


def test_no_sentence_of_their_table_gives_them_a_number(read: Read) -> None:
    _, after = read
    for path, text in after.items():
        if path.startswith(OF_A_TABLE):
            assert not NUMBERED.findall(shown(text)), path


def test_several_without_a_name_are_told_apart_by_their_place() -> None:
    table = TableNames(names={"A1": "", "B1": "Blas", "A2": "", "B2": "Diego"})
    with use_table_names(table):
        assert say("act.deal", "es", dealer="A2") == "Sin nombre 3 reparte"
        assert player_names_of_side("A", "es") == "Sin nombre 1 y sin nombre 3"
    with use_table_names(TableNames(names={**table.names, "A1": "Ana"})):
        assert say("act.deal", "es", dealer="A2") == "Sin nombre reparte"
    with use_table_names(TableNames()):
        assert say("act.deal", "es", dealer="A2") == "El jugador 3 reparte"
