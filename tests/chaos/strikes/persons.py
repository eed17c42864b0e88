"""A person who is erased while others write."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from tests.chaos.checks import output_of, rows
from tests.chaos.houses import ChaosHouse, OneComputer
from tests.chaos.means.asking import read, send, words_of, write
from tests.support.servers.sealed_names import everything, forms, held
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

NAME = "Celia Zubiri"
WORDS = (f"{NAME} enseñó la sota antes de tiempo", f"Memorial {NAME}")


def person_erased(house: ChaosHouse) -> str:
    """A person goes with the free texts that were chosen: no event, view or file has them any more."""
    computer, gone = house.computers[0], [form for one in (*WORDS, NAME) for form in forms(one)]
    person, table, views = _write_of(computer)
    shown = _shown(house, table, views)
    assert all(one in shown for one in (*WORDS, NAME)), "nothing to erase"
    chosen = words_of(_wait_for_view(computer, f"/api/v1/persons/{person}/mentions"))["items"]
    texts = [one["text"] for one in chosen if one["words"] in WORDS]
    assert len(texts) == len(WORDS), chosen
    is_file = isinstance(house, OneComputer)
    names = computer.folder / "persons.sqlite"
    sealed = [blob for one in (person, *texts) for blob in held(names, one)] if is_file else []
    assert _erase(computer, person, texts) == HTTPStatus.SEE_OTHER
    shown = _shown(house, table, views)
    assert not [one for one in (*WORDS, NAME) if one in shown], "shown after it was erased"
    wait_for(lambda: not _traces(house, [*gone, *sealed]), "no byte of it in any file")
    return f"no trace of a name and {len(texts)} texts in {len(views)} views, the log and a backup"


def _write_of(computer: Served) -> tuple[str, str, list[str]]:
    """Id of a person, of a table at which they sit, and addresses that show their name or words."""
    seats = {seat: {"name": name} for seat, name in (("A1", NAME), ("B1", "Blas Ara"))}
    club = {"profile": {"id": "club"}}
    table = write(computer, "/api/v1/encuentros", {**club, "players": 2, "seats": seats})
    base = f"/api/v1/encuentros/{table['id']}"
    begun = write(computer, f"{base}/partidas", None, table["version"])
    deal = {"acts": [{"kind": "deal", "dealer": "B1"}, {"kind": "pinta", "card": "7O"}]}
    write(computer, f"{base}/partidas/1/acts", deal, 0)
    said = {"by": {"name": "Ana"}, "side": "A", "partida": 1, "lines": [1], "because": WORDS[0]}
    write(computer, f"{base}/cases", said, begun["version"])
    plan = {"plan": {"format": "knock_out"}, "players": 4}
    cup = write(computer, "/api/v1/tournaments", {**club, **plan, "name": WORDS[1]})
    views = [base, f"{base}/cases/1", f"/e/{table['id']}", f"/torneos/{cup['id']}"]
    person = words_of(_wait_for_view(computer, base))["seats"]["A1"]
    return str(person), str(table["id"]), [*views, f"/api/v1/tournaments/{cup['id']}"]


def _wait_for_view(computer: Served, path: str) -> str:
    """The text of a view, once the views have read of it."""

    def text() -> str:
        status, found = read(computer, path, is_owner=True)
        return found if status == HTTPStatus.OK else ""

    return wait_for(text, path)


def _shown(house: ChaosHouse, table: str, views: list[str]) -> str:
    """All that every computer shows of it, and the record of the table."""
    shown = [_wait_for_view(one, path) for one in house.computers for path in views]
    return "\n".join([*shown, output_of(house.computers[0], "export", table)])


def _erase(computer: Served, person: str, texts: list[str]) -> int:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    body = urlencode({"sure": "yes", "text": texts}, doseq=True)
    who = {"Authorization": f"Bearer {computer.token}"}
    return send(computer, "POST", f"/jugadores/{person}/baja", body, **form, **who).status


def _traces(house: ChaosHouse, secrets: list[bytes]) -> list[bytes]:
    """Which of them are in the log, in a new backup, or in a file of a computer."""
    with TemporaryDirectory() as name:
        output_of(house.computers[0], "backup", str(Path(name) / "copy"))
        files = [everything(Path(name)), *(everything(one.folder) for one in house.computers)]
    events: list[Any] = [bytes(row[-1]) for row in rows(house)]
    found = b"\0".join([*files, *events])
    return [one for one in secrets if one in found]
