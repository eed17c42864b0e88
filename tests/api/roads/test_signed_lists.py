"""The standings of a finished tournament as a file that another house can check."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from referee.audit.house_files import BrokenFile
from referee.audit.lists import read_signed_list
from tests.support.proofs.signing import sign
from tests.support.servers.http_table import HttpTable
from tests.support.servers.http_tournament import HttpTournament
from tests.support.servers.kept_apps import kept_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    (tmp_path / "data").mkdir()
    with kept_table(tmp_path / "data") as found:
        yield found


@pytest.fixture
def played(table: HttpTable) -> HttpTournament:
    """A knock-out of four pairs, which the lower number wins."""
    made = HttpTournament(table, 4, format="knock_out")
    made.draw()
    made.play_open()
    return made


def page_of(played: HttpTournament) -> str:
    return played.path.replace("/api/v1/tournaments", "/torneos") + "/lista"


def test_a_list_is_signed_once_the_tournament_is_over(
    played: HttpTournament, tmp_path: Path
) -> None:
    refused = played.ask("signed-list")
    assert (refused.status_code, refused.json["rule"]) == (409, "not-over")
    played.do("closing")
    assert played.table.get(f"{played.path}/signed-list").json["code"] == "not_signed"
    played.do("signed-list")
    sign(tmp_path)
    everybody = played.table.client.get(f"{played.path}/signed-list")
    found = read_signed_list(everybody.data)
    assert [(one.place, *one.players) for one in found.signed.pairs] == [
        *((1, "Ana 1", "Blas 1"), (2, "Ana 2", "Blas 2")),
        *((3, "Ana 4", "Blas 4"), (3, "Ana 3", "Blas 3")),
    ]
    assert found.key.text == played.table.client.get("/api/v1/log/key").text.strip()


def test_the_organiser_signs_and_downloads_it_on_a_page(
    played: HttpTournament, tmp_path: Path
) -> None:
    table, path = played.table, page_of(played)
    assert "Se podrá firmar" in table.get(f"{path}?lang=es").text
    played.do("closing")
    form = {"key": "k" * 20, "version": str(played.version)}
    assert table.client.post(path, data=form, headers=table.owner()).status_code == 303
    assert "espera la firma" in table.get(f"{path}?lang=es").text
    sign(tmp_path)
    shown = table.get(f"{path}?lang=es").text
    assert f"{path}.json" in shown
    assert read_signed_list(table.get(f"{path}.json").data).key.text in shown.replace("&#43;", "+")
    played.view()
    meeting = played.view()["rounds"][1]["meetings"][0]
    played.win(meeting, "2")  # the final was told wrong
    assert "ya no es la buena" in table.get(f"{path}?lang=es").text


Change = Callable[[dict[str, Any]], object]
CHANGES: dict[str, tuple[Change, str]] = {
    "a name": (lambda doc: doc["pairs"][1]["players"].__setitem__(0, "Otra"), "pairs[1]"),
    "a place": (lambda doc: doc["pairs"][2].update(place=1), "pairs[2]"),
    "two lines changed over": (lambda doc: doc["pairs"].reverse(), "pairs[0]"),
    "a line twice": (lambda doc: doc["pairs"].append(doc["pairs"][0]), "pairs"),
    "a line less": (lambda doc: doc["pairs"].pop(), "pairs"),
    "the house": (lambda doc: doc.update(house="Otra peña"), "house"),
    "the tournament": (lambda doc: doc.update(name="Otro"), "name"),
    "the day": (lambda doc: doc.update(date="2026-01-01"), "date"),
    "another tournament": (lambda doc: doc.update(tournament="0" * 8 + doc["tournament"][8:]), "tournament"),
    "the event": (lambda doc: doc["event"]["state"]["fact"].update(nonce="x"), "event"),
    "the path": (lambda doc: doc["event"]["path"].reverse(), "event.path"),
    "the size": (lambda doc: doc.update(checkpoint=doc["checkpoint"].replace("\n", "\n1", 1)), "checkpoint"),
    "the key": (lambda doc: doc.update(key=doc["key"][:-6] + "AAAAA="), "key"),
    "a field more": (lambda doc: doc.update(more=1), "file"),
    "a field less": (lambda doc: doc.pop("nonce"), "file"),
    "a place as text": (lambda doc: doc["pairs"][0].update(place="1"), "pairs[0].place"),
}  # fmt: skip


def test_whatever_is_changed_in_it_is_named(played: HttpTournament, tmp_path: Path) -> None:
    played.do("closing")
    played.do("signed-list")
    sign(tmp_path)
    text = played.table.get(f"{played.path}/signed-list").data
    for what, (change, field) in CHANGES.items():
        changed = json.loads(text)
        change(changed)
        with pytest.raises(BrokenFile) as caught:
            read_signed_list(json.dumps(changed).encode())
        assert caught.value.field == field, what
    for no_list in (b"", b"{}", b"[]", b"{1.5}", text[:-2], b'{"a": 1, "a": 2}'):
        with pytest.raises(BrokenFile) as caught:
            read_signed_list(no_list)
        assert caught.value.field == "file"


def test_who_was_erased_since_is_on_the_next_list_without_a_name(
    played: HttpTournament, tmp_path: Path
) -> None:
    played.do("closing")
    played.do("signed-list")
    table = played.table
    state = table.app.extensions["guinote"]().referee.tournaments.tournament(
        UUID(played.path[-36:])
    )
    path = f"/api/v1/persons/{state.entries['3'].players[0]}"
    assert table.client.delete(path, headers=table.owner()).status_code in (200, 204)
    sign(tmp_path)
    refused = table.get(f"{played.path}/signed-list")
    assert (refused.status_code, refused.json["rule"]) == (409, "list-otherwise")
    played.do("signed-list")
    sign(tmp_path)
    found = read_signed_list(table.get(f"{played.path}/signed-list").data)
    assert found.signed.pairs[3].players == ("…", "Blas 3")
