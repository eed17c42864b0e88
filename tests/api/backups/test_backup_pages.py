"""Backups on pages: made and downloaded in one tap, kept each day in a second place, looked into."""

from __future__ import annotations

import os
import re
import zipfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from api.backups.places import BackupPlaces, CannotBackUp, backup_name, backups_by_moment
from api.uploads.pieces import sweep_uploads
from referee.people.tables import NAMES_LAYOUT
from referee.store.databases import note_house
from tests.support.browser.pages import site
from tests.support.servers.accounts import OURS, owner
from tests.support.servers.http_table import HttpTable
from tests.support.waiting import wait_for

PAGE = "/casa/copias"


def places(table: HttpTable) -> BackupPlaces:
    found: BackupPlaces = table.app.extensions["backups"]
    return found


def made(client: Any) -> str:
    """The name of a backup that was just made on the page."""
    answer = client.post(PAGE, headers=OURS)
    assert answer.status_code == 303
    return str(answer.headers["Location"]).partition("?hecha=")[2]


def chosen(client: Any, place: object) -> Any:
    return client.post(f"{PAGE}/lugar", data={"place": str(place)}, headers=OURS)


def test_one_tap_makes_a_backup_and_downloads_it(table: HttpTable, tmp_path: Path) -> None:
    client = owner(table)
    assert "Todavía no hay ninguna copia" in client.get(PAGE).text
    name = made(client)
    answer = client.get(f"{PAGE}?hecha={name}")
    assert answer.headers["Refresh"] == f"0; url={PAGE}/{name}/descarga"
    got = client.get(f"{PAGE}/{name}/descarga")
    assert got.headers["Content-Disposition"] == f"attachment; filename={name}"
    file = tmp_path / "got"
    file.write_bytes(got.data)
    assert zipfile.ZipFile(file).testzip() is None
    page = client.get(PAGE).text
    assert "hace menos de un día" in page
    assert str(places(table).own / name) in page
    kinds = [
        (one.kind, one.detail)
        for one in table.app.extensions["guinote"]().security.latest_entries(9)
    ]
    assert kinds.count(("exported", "backup")) == 2


def test_the_page_says_how_old_the_last_one_is(table: HttpTable) -> None:
    client, own = owner(table), places(table).own
    own.mkdir()
    (own / backup_name(datetime.now(UTC) - timedelta(days=9, hours=1))).touch()
    page = client.get(PAGE).text
    assert "hace 9 días" in page
    assert "Ya es vieja" in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("copias", "Escribe la ruta entera"),
        ("{tmp}/nowhere", "no está en este ordenador"),
        ("{data}/backups", "está dentro de los datos"),
    ],
)
def test_a_place_that_is_none_is_refused_in_words(
    table: HttpTable, tmp_path: Path, typed: str, said: str
) -> None:
    own = places(table).own
    own.mkdir()
    answer = chosen(owner(table), typed.format(tmp=tmp_path, data=own.parent))
    assert answer.status_code == 422
    assert said in answer.text
    assert places(table).daily_backup_folder() is None


def test_a_second_place_has_one_backup_a_day(
    table: HttpTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stick = tmp_path_factory.mktemp("stick")
    client = owner(table)
    assert chosen(client, stick).status_code == 303
    (first,) = backups_by_moment(stick)
    assert "Cada día se guarda una copia en" in client.get(PAGE).text
    assert places(table).make_daily_backup_if_due(first) is None
    tomorrow = first + timedelta(days=1)
    assert places(table).make_daily_backup_if_due(tomorrow) == backup_name(tomorrow)
    assert set(backups_by_moment(stick)) == {first, tomorrow}
    stick.rename(stick.with_name("away"))
    assert places(table).make_daily_backup_if_due(tomorrow + timedelta(days=1)) is None
    assert "¿Está puesto el lápiz USB?" in client.get(PAGE).text
    assert chosen(client, "").status_code == 303
    assert places(table).daily_backup_folder() is None


def test_a_hosted_house_has_its_daily_backup_where_whoever_hosts_it_keeps_them(
    table: HttpTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    disk, today = tmp_path_factory.mktemp("disk") / "backups", datetime.now(UTC)
    client = owner(table)
    places(table).of_installation = disk / "penya"
    assert places(table).make_daily_backup_if_due(today) == backup_name(today)
    assert places(table).make_daily_backup_if_due(today) is None
    assert list(backups_by_moment(disk / "penya").values()) == [disk / "penya" / backup_name(today)]
    page = client.get(PAGE).text
    assert "Cada día se guarda sola una copia" in page
    assert "copia del día" in page
    assert "persons.key" not in page
    assert str(disk) not in page
    assert "las mismas que ahora" in client.get(f"{PAGE}/{backup_name(today)}").text


def test_a_look_says_what_is_in_it_and_how_it_differs_from_now(table: HttpTable) -> None:
    client = owner(table)
    name = made(client)
    page = client.get(f"{PAGE}/{name}").text
    assert "las mismas que ahora" in page
    assert "la de este ordenador los abre" in page
    table.encuentro()
    less = re.search(r"(\d+) menos que ahora", client.get(f"{PAGE}/{name}").text)
    assert less
    assert int(less[1]) > 0


def test_a_damaged_backup_is_of_no_use_wherever_it_is_damaged(table: HttpTable) -> None:
    client = owner(table)
    name = made(client)
    file = places(table).own / name
    whole = file.read_bytes()
    refused = 0
    for at in range(0, len(whole), len(whole) // 40):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with suppress(CannotBackUp):  # a bit that no reader looks at may be flipped
            places(table).content(file)
            continue
        refused += 1
    assert refused >= 35
    file.write_bytes(whole[: len(whole) // 2])
    assert "Esta copia no sirve" in client.get(f"{PAGE}/{name}").text


def test_what_is_no_backup_of_a_place_is_not_shown(table: HttpTable) -> None:
    client = owner(table)
    for name in ("owner.token", "..", backup_name(datetime.now(UTC))):
        assert client.get(f"{PAGE}/{name}/descarga").status_code == 404


def test_a_running_service_keeps_the_backup_of_today_by_itself(tmp_path: Path) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    data.mkdir(0o700)
    (data / "backups.place").write_text(f"{stick}\n")
    with site(data):
        wait_for(lambda: len(backups_by_moment(stick)) == 1, "the backup of today")


# --- brought from elsewhere ----------------------------------------------------------------------

UPLOAD = f"{PAGE}/subida"
PIECE = 192 * 1024


def sent(
    client: Any, content: bytes, *, at: int = 0, size: int = 0, name: str = "x", **more: str
) -> Any:
    """One piece of a file."""
    asked = {"id": "0123456789abcdef", "at": at, "size": size or len(content), "name": name, **more}
    return client.post(UPLOAD, query_string=asked, data=content, headers=OURS)


def brought(client: Any, content: bytes, name: str = "x") -> Any:
    """The answer to the last piece."""
    for at in range(0, len(content), PIECE):
        answer = sent(client, content[at : at + PIECE], at=at, size=len(content), name=name)
        if answer.status_code != 200:
            return answer
    return answer


def left_in(table: HttpTable) -> list[str]:
    folder = places(table).brought
    return sorted(one.name for one in folder.iterdir()) if folder.exists() else []


def elsewhere(table: HttpTable, client: Any) -> tuple[str, bytes]:
    """A backup of this house that is not in it any more, and its name."""
    name = made(client)
    file = places(table).own / name
    content = file.read_bytes()
    file.unlink()
    return name, content


def test_a_backup_comes_in_pieces_and_is_looked_at_like_the_others(table: HttpTable) -> None:
    client = owner(table)
    table.encuentro()
    name, content = elsewhere(table, client)
    half = len(content) // 2
    assert sent(client, content[:half], size=len(content), name=name).json == {"there": half}
    assert client.get(f"{PAGE}/{name}").status_code == 404, "nothing is offered before the check"
    assert sent(client, content[:half], at=half // 2, size=len(content)).json == {"there": half}
    last = sent(client, content[half:], at=half, size=len(content), name=name)
    assert last.json == {"page": f"{PAGE}/{name}"}
    assert "las mismas que ahora" in client.get(f"{PAGE}/{name}").text
    assert left_in(table) == [name]
    again = brought(client, content, "copia (1).guinote").json["page"]
    assert client.get(again).status_code == 200


def test_what_is_no_backup_of_this_house_is_told_in_words_and_leaves_nothing(
    table: HttpTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    client = owner(table)
    _, content = elsewhere(table, client)
    other = HttpTable(tmp_path_factory.mktemp("other"))
    admin = owner(other)
    note_house(places(other).own.with_name("persons.sqlite"), NAMES_LAYOUT, "0" * 32)
    of_other = elsewhere(other, admin)[1]
    other.close()
    with zipfile.ZipFile(BytesIO(content)) as archive:
        files = {one: archive.read(one) for one in archive.namelist()}
    files["manifest.json"] = files["manifest.json"].replace(b'"format": 2', b'"format": 99')
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for one, data in files.items():
            archive.writestr(one, data)
    for bad, said in (
        (b"GIF89a" * 100, "dañado"),
        (content[: len(content) // 2], "dañado"),
        (packed.getvalue(), "más nueva"),
        (of_other, "otra casa"),
    ):
        answer = brought(client, bad)
        assert (answer.status_code, said in answer.json["wrong"]) == (422, True), answer.json
        assert left_in(table) == []


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"size": 2**40}, 422),
        ({"id": "../../log"}, 422),
        ({"size": -1}, 422),
        ({"at": 5}, 409),
        ({"at": "x"}, 400),
        ({"size": 3}, 422),
    ],
)
def test_a_piece_that_does_not_belong_is_refused(
    table: HttpTable, asked: dict[str, Any], status: int
) -> None:
    assert sent(owner(table), b"four", **asked).status_code == status
    assert left_in(table) == []


def test_what_was_given_up_is_deleted_and_the_latest_five_are_kept(table: HttpTable) -> None:
    client = owner(table)
    _, content = elsewhere(table, client)
    assert sent(client, content[:100], size=len(content)).status_code == 200
    (begun,) = places(table).brought.iterdir()
    os.utime(begun, (0, 0))
    sweep_uploads(places(table).brought)
    assert left_in(table) == []
    kept = [brought(client, content).json["page"].rpartition("/")[2] for _ in range(6)]
    assert left_in(table) == sorted(kept[1:])
