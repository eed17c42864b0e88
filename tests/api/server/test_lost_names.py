"""A house whose names cannot be read goes on by its seats, says so, and gets them back whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from api.cli.main import main
from api.http.access.tokens import Owner
from api.server import wiring
from api.server.faults.start_check import check_stores_or_exit
from referee.people.missing_names import NamesLost
from tests.support.damaged_files import (
    a_folder,
    emptied,
    header_overwritten,
    of_another_program,
    pages_overwritten,
)

ENCUENTROS = "/api/v1/encuentros"
SEATS = {"A1": "Ana", "B1": "Blas", "A2": "Carmen", "B2": "Dolores"}
NAMED = {seat: {"name": name} for seat, name in SEATS.items()}
SOUND = "0 differences"


class Club:
    """A client with the owner's token."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self._client, self._token, self._count = client, token, 0

    def get(self, path: str, *, is_signed_in: bool = True) -> tuple[int, str]:
        """Status and text of a page."""
        headers = {"Authorization": f"Bearer {self._token}"} if is_signed_in else {}
        answer = self._client.get(path, headers=headers)
        return answer.status_code, answer.text

    def open(self, **more: object) -> tuple[int, dict[str, str]]:
        """Status and content of the answer to another table."""
        self._count += 1
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Idempotency-Key": f"{os.getpid()}-{id(self)}-{self._count}",
        }
        asked = {"profile": {"id": "club"}, "players": 4, **more}
        answer = self._client.post(ENCUENTROS, json=asked, headers=headers)
        return answer.status_code, answer.get_json()


@contextmanager
def served(folder: Path) -> Iterator[Club]:
    """The house of a folder, as a start of the service finds it."""
    check_stores_or_exit(wiring.files_of_folder(folder))
    app = wiring.app(folder, with_projector=True)
    try:
        yield Club(app.test_client(), Owner(folder).token())
    finally:
        app.extensions["guinote"].close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of four persons, and a backup of it; then one of them was erased."""
    folder = tmp_path_factory.mktemp("house") / "data"
    with served(folder) as club:
        assert club.open(seats=NAMED)[0] == 201
    assert run(folder, "backup", str(folder.parent / "backup.guinote"))[0] == 0
    with closing(wiring.open_persons(wiring.files_of_folder(folder))) as persons:
        (gone,) = (one for one, name in persons.ids_and_names() if name == "Blas")
    assert run(folder, "persons", "erase", gone)[0] == 0
    return folder


@pytest.fixture
def data(house: Path, tmp_path: Path) -> Path:
    """A copy of the house."""
    shutil.copytree(house, tmp_path / "data")
    return tmp_path / "data"


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(main, ["--data", str(folder), *words])
    return done.exit_code, done.output


def names(folder: Path) -> set[str]:
    """Every name that can be read."""
    with closing(wiring.open_persons(wiring.files_of_folder(folder))) as persons:
        return {name for _, name in persons.ids_and_names()}


DAMAGES = (
    *(Path.unlink, header_overwritten, pages_overwritten),
    *(emptied, of_another_program, a_folder),
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_house_without_its_names_is_served_and_records_what_has_no_name(
    data: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None]
) -> None:
    file = data / "persons.sqlite"
    damage(file)
    was_there = file.exists()
    capsys.readouterr()
    with served(data) as club:
        said = [one for one in capsys.readouterr().err.splitlines() if "seats are shown" in one]
        assert [(str(file) in one, "restore --only-names" in one) for one in said] == [(True, True)]
        assert club.open()[0] == 201
        refused = (club.open(place="la peña"), club.open(seats=NAMED))
        assert [(status, said["code"]) for status, said in refused] == [(409, "names_lost")] * 2
        _, page = club.get("/")
        assert "no se pueden leer los nombres" in page
        assert "no se pueden leer los nombres" not in club.get("/", is_signed_in=False)[1]
        assert not any(name in page for name in SEATS.values())
        status, parts = club.get("/readyz")
        assert (status, "NamesLost" in parts) == (503, True)
    assert file.exists() == was_there
    with pytest.raises(NamesLost):
        wiring.open_persons(wiring.files_of_folder(data))


@pytest.mark.parametrize("damage", [Path.unlink, pages_overwritten])
def test_names_come_back_from_a_backup_and_nothing_else_goes_back(
    data: Path, house: Path, damage: Callable[[Path], None]
) -> None:
    damage(data / "persons.sqlite")
    with served(data) as club:
        _, opened = club.open()
    backup = str(house.parent / "backup.guinote")
    code, said = run(data, "restore", "--only-names", backup)
    assert (code, "erased again: 1" in said) == (0, True), said
    assert names(data) == set(SEATS.values()) - {"Blas"}
    with served(data) as club:
        assert club.get(f"{ENCUENTROS}/{opened['id']}")[0] == 200
        assert club.open(place="la peña")[0] == 201
        assert "no se pueden leer" not in club.get("/")[1]
    code, said = run(data, "verify")
    assert (code, SOUND in said) == (0, True), said
    code, said = run(data, "restore", "--only-names", backup)
    assert (code, "can be read" in said) == (1, True)


def test_a_backup_of_a_house_without_its_names_has_to_be_asked_for(
    data: Path, tmp_path: Path
) -> None:
    pages_overwritten(data / "persons.sqlite")
    copy = str(tmp_path / "copy.guinote")
    code, said = run(data, "backup", copy)
    assert (code, "--without-names" in said) == (1, True)
    code, said = run(data, "backup", "--without-names", copy)
    assert (code, "it has no names" in said) == (0, True), said


def test_names_of_another_house_are_not_put_in_their_place(data: Path, tmp_path: Path) -> None:
    check_stores_or_exit(wiring.files_of_folder(tmp_path / "other"))
    assert run(tmp_path / "other", "backup", str(tmp_path / "backup"))[0] == 0
    (data / "persons.sqlite").unlink()
    code, said = run(data, "restore", "--only-names", str(tmp_path / "backup"))
    assert (code, "names of house" in said) == (1, True)
    assert not (data / "persons.sqlite").exists()


def test_names_that_no_backup_has_are_given_up_in_words_and_count_as_erased(data: Path) -> None:
    assert run(data, "persons", "give-up")[0] == 1  # they are there
    header_overwritten(data / "persons.sqlite")
    assert run(data, "persons", "list")[0] == os.EX_DATAERR
    assert run(data, "persons", "give-up")[0] == 0
    assert names(data) == set()
    with served(data) as club:
        assert club.open(seats=NAMED)[0] == 201
    code, said = run(data, "verify")
    assert (code, SOUND in said) == (0, True), said


def test_without_the_master_key_nobody_serves_a_house_without_names(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header_overwritten(data / "persons.sqlite")
    (data / "persons.key").unlink()
    with pytest.raises(SystemExit) as ended:
        check_stores_or_exit(wiring.files_of_folder(data))
    assert ended.value.code == os.EX_DATAERR
    assert str(data / "persons.sqlite") in capsys.readouterr().err
    assert not (data / "persons.key").exists()
