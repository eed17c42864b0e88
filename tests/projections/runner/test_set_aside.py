"""A file that is no file of the views is set aside at any time, and the rows are rebuilt."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from projections.runner.views import OutdatedViews
from referee.application import Referee
from tests.support.damaged_files import a_folder, of_another_program, pages_overwritten
from tests.support.servers.one_log import LATE, META, PARTIDA
from tests.support.servers.read_side import Side, referee, side

__all__ = ["referee", "side"]  # fixtures


def _overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(os.urandom(100))


def _with_a_page_overwritten(path: Path) -> None:
    """Every page after the first two, which hold the schema and the position."""
    pages_overwritten(path, 2)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 100)


def _emptied(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _with_a_table_of_the_same_name(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE followed (blog TEXT)")


DAMAGES = (
    *(_overwritten, _with_a_page_overwritten, _cut, _emptied),
    *(of_another_program, _with_a_table_of_the_same_name, a_folder),
)


def _aside(path: Path) -> list[Path]:
    return [one for one in path.parent.glob("*.aside-*") if one.name[-1] == "Z"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_cannot_be_that_of_the_views_is_set_aside_and_rebuilt(
    referee: Referee, side: Callable[..., Side], damage: Callable[[Path], None]
) -> None:
    one = side()
    one.catch_up()
    before, path = one.views.dump(), one.views.path
    one.views.close()  # the last connection: the journal is gone
    damage(path)
    again = side()
    again.follower.rebuild()
    assert (again.views.dump(), len(_aside(path))) == (before, 1)
    assert not again.follower.apply_next_batch()


def test_damage_is_met_while_others_read_and_all_go_on_with_the_new_file(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    one.catch_up()
    before, path = one.views.dump(), one.views.path
    one.views.close()
    _with_a_page_overwritten(path)
    reader, follower = side().views, side()
    with pytest.raises(OutdatedViews):
        reader.dump()
    with pytest.raises(OutdatedViews), follower.views.reading():
        pass  # another process had the file open, and is told of the new one
    follower.catch_up()
    assert (reader.dump(), follower.views.dump()) == (before, before)
    answer = referee.encuentros.record_partida_acts(PARTIDA, [LATE], META)
    assert follower.follower.apply_next_batch() == 1
    assert reader.position() == answer.position
    assert len(_aside(path)) == 1


def test_a_file_that_somebody_removed_is_made_again_and_shows_no_half_of_it(
    referee: Referee, side: Callable[..., Side]
) -> None:
    one = side()
    one.catch_up()
    before = one.views.dump()
    one.views.path.unlink()
    with pytest.raises(OutdatedViews):
        one.views.dump()
    one.catch_up()
    assert one.views.dump() == before


def test_damage_of_another_database_leaves_the_views_alone(
    referee: Referee, side: Callable[..., Side], tmp_path: Path
) -> None:
    one = side()
    one.catch_up()
    other = tmp_path / "other"
    other.write_bytes(b"no database" * 1000)
    with (
        closing(sqlite3.connect(other)) as db,
        pytest.raises(sqlite3.DatabaseError, match="not a database"),
        one.views.reading(),
    ):
        db.execute("SELECT * FROM anything")
    assert not _aside(one.views.path)


def test_a_second_thread_leaves_the_first_one_its_locks(
    referee: Referee, side: Callable[..., Side]
) -> None:
    """A process that closes the file last removes its journal, unless others hold a lock on it."""
    one = side()
    one.catch_up()
    other = threading.Thread(target=one.views.position)
    other.start()
    other.join()
    read = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
    read += " c.execute('SELECT * FROM followed').fetchall(); c.close()"
    subprocess.run([sys.executable, "-c", read, str(one.views.path)], check=True)
    assert one.views.path.with_name(f"{one.views.path.name}-wal").exists()
