"""Records with one damage each, as people make them: one error, where it is, in words, everywhere.

``tests/records/damaged/damages.tsv``: what somebody did to the good record beside it, how, and the
code, line, column and text of the only error; without a code the record is read all the same.
``put a => b`` changes the first place, ``every`` all; ``_`` is a space, lines count from 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from api.cli.main import main
from api.encuentros.record_import import read_valid_record
from api.http.languages import LANGUAGES
from api.replay.texts import record_errors_with_words
from referee.record import BadRecord, print_record
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable

HERE = ROOT / "tests" / "records" / "damaged"
GOOD = (HERE / "good.guinote").read_text(encoding="utf-8")
LEAST = 65


class Damage(NamedTuple):
    """A row of the table."""

    about: str
    how: str
    code: str
    line: str
    column: str
    text: str

    @property
    def place(self) -> tuple[str, int, int]:
        """Code, line and column of the error."""
        return self.code, int(self.line), int(self.column)

    @property
    def content(self) -> bytes:
        """The good record with this damage."""
        text: str | bytes = GOOD
        for step in self.how.split("; "):
            word, _, rest = step.partition(" ")
            assert isinstance(text, str), "a file is saved last"
            damaged = HOW[word](text, rest)
            assert damaged != text, self.about
            text = damaged
        return text if isinstance(text, bytes) else text.encode()


def put(text: str, rest: str, most: int = 1) -> str:
    """The text with other words in the first place of some."""
    old, new = rest.replace("\\n", "\n").replace("\\r", "\r").split(" => ")
    return text.replace(old, new, most)


def every(text: str, rest: str) -> str:
    """The text with other words in every place of some."""
    return put(text, rest.replace("_", " "), -1)


def times(text: str, rest: str, many: int) -> str:
    """The text with a line so many times."""
    lines = text.splitlines(keepends=True)
    at = int(rest)
    return "".join((*lines[: at - 1], *lines[at - 1 : at] * many, *lines[at:]))


def swap(text: str, rest: str) -> str:
    """The text with two lines in one another's place."""
    lines = text.splitlines(keepends=True)
    one, other = (int(number) - 1 for number in rest.split())
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def copy(text: str, rest: str) -> str:
    """The text with lines of it once more after another: ``1-12 after 32``."""
    lines = text.splitlines(keepends=True)
    first, last, after = map(int, re.findall("[0-9]+", rest))
    return "".join((*lines[:after], *lines[first - 1 : last], *lines[after:]))


def cut(text: str, rest: str) -> str:
    """The text up to a line and a column."""
    lines = text.splitlines(keepends=True)
    line, column = map(int, rest.split(":"))
    return "".join((*lines[: line - 1], lines[line - 1][:column]))


HOW: dict[str, Callable[[str, str], str | bytes]] = {
    "put": put,
    "every": every,
    "drop": lambda text, rest: times(text, rest, 0),
    "double": lambda text, rest: times(text, rest, 2),
    "swap": swap,
    "copy": copy,
    "cut": cut,
    "save": lambda text, rest: text.encode(rest),
}
ROWS = [
    Damage(*row.split("\t"))
    for row in (HERE / "damages.tsv").read_text(encoding="utf-8").split("\n")
    if row
]
WRONG = [row for row in ROWS if row.code]
READ = [row for row in ROWS if not row.code]


@pytest.fixture(scope="module")
def club(shared_table: HttpTable) -> HttpTable:
    """One club for all damages: nothing of them is kept."""
    return shared_table


def printed(*words: str, file: Path, content: bytes) -> tuple[int, list[dict]]:
    """Exit status and lines of a command about a file."""
    file.write_bytes(content)
    done = CliRunner().invoke(main, [*words, str(file)], catch_exceptions=False)
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def test_there_are_many_damages_each_once() -> None:
    assert len(WRONG) >= LEAST
    assert len({row.about for row in ROWS}) == len({row.how for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.about)
def test_a_damage_has_one_error_at_its_place(row: Damage, tmp_path: Path) -> None:
    file = tmp_path / "record.guinote"
    status, errors = printed("record", "check", file=file, content=row.content)
    found = [one["error"] for one in errors]
    assert [(one["code"], one["line"], one["column"]) for one in found] == [row.place]
    assert status == 1


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.about)
def test_a_damage_has_the_same_error_when_the_record_is_judged(row: Damage, tmp_path: Path) -> None:
    file = tmp_path / "record.guinote"
    status, lines = printed("referee", file=file, content=row.content)
    errors = [one["error"] for one in lines if "error" in one]
    first = errors[0]["errors"][0] if errors[0]["code"] == "malformed" else errors[0]
    assert (first["code"], first["line"], first["column"]) == row.place
    assert (errors[0]["line"], errors[0]["column"]) == row.place[1:]
    assert len(lines[0].get("errors", [first])) == 1
    assert {one["code"] for one in errors[1:]} <= {"partida-running"}, "the next cannot begin"
    assert status == 1


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.about)
def test_a_damage_is_told_in_words_of_each_language(row: Damage) -> None:
    with pytest.raises(BadRecord) as bad:
        read_valid_record(row.content)
    told = {}
    for lang in LANGUAGES:
        (error,) = record_errors_with_words(bad.value, row.content, lang)
        told[lang] = error.text
    assert told["es"] == row.text
    assert len(set(told.values())) == len(LANGUAGES), told
    assert not any(
        re.search(r"[{}]|notation\.|expected\.|import\.|rule\.", t) for t in told.values()
    )


@pytest.mark.parametrize("where", ["", "/anotar"], ids=["replayed", "kept"])
@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.about)
def test_a_damage_is_shown_on_the_page(club: HttpTable, row: Damage, where: str) -> None:
    form = {"new": "0" * 32, "file": (BytesIO(row.content), "record.guinote")}
    answer = club.client.post("/repeticion/importar" + where, data=form, headers=club.owner())
    assert answer.status_code == 422
    shown = unescape(answer.text)
    _, line, column = row.place
    assert shown.count("<strong>Línea") == 1
    assert f"Línea {line}, columna {column}" in shown
    assert row.text in shown


@pytest.mark.parametrize("row", READ, ids=lambda row: row.about)
def test_what_people_write_otherwise_is_read_as_the_good_record(row: Damage) -> None:
    assert print_record(read_valid_record(row.content)) == GOOD


def test_two_causes_are_two_errors(tmp_path: Path) -> None:
    twice = put(put(GOOD, "B1 2B => B1 AC"), "B1 2C => B1 3C")
    _, errors = printed("record", "check", file=tmp_path / "r.guinote", content=twice.encode())
    assert [(one["error"]["line"], one["error"]["column"]) for one in errors] == [(20, 8), (24, 22)]


def test_a_part_of_an_encuentro_is_a_record_that_no_new_encuentro_can_hold(
    club: HttpTable, tmp_path: Path
) -> None:
    """A partida that is not decided is followed by another: read and replayed, never recorded."""
    part = times(GOOD, "32", 0).encode()
    file = tmp_path / "record.guinote"
    assert printed("record", "check", file=file, content=part) == (0, [])
    status, lines = printed("referee", file=file, content=part)
    at = [(one["error"]["code"], one["error"]["line"], one["error"]["column"]) for one in lines[1:]]
    assert (status, at) == (1, [("partida-running", 33, 1)])
    pages = {
        where: club.client.post(
            f"/repeticion/importar{where}",
            data={"text": part.decode(), "new": "0" * 32},
            headers=club.owner(),
        )
        for where in ("", "/anotar")
    }
    assert [one.status_code for one in pages.values()] == [200, 422]
    told = "Antes de esto falta cómo acabó la partida 1."
    assert "Línea 33, columna 1" in pages["/anotar"].text
    assert told in pages["/anotar"].text
