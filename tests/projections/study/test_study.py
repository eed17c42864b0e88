"""Tables for study: of clubs that agreed alone, without anybody, and as their page says."""

from __future__ import annotations

import importlib.util
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner
from pyarrow import parquet as pq

from api.cli.main import main
from api.server import wiring
from api.server.clubs.birth import make_club
from api.server.clubs.folder import ClubsFolder
from projections.study import export as study_export
from projections.study.tables import TABLES
from referee.kinds import partida_id
from referee.library import Partida
from tests.support.places import ROOT
from tests.support.records.samples import samples
from tests.support.records.study_set import (
    agree,
    export,
    made_set,
    played_at_random,
    record_partida,
)

PAGES = {"index.md": "yes", "index.es.md": "sí"}
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (\w*) ?\| (.+) \|$")


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_set(tmp_path_factory.mktemp("study"))


def club_of(data: Path, *partidas: Partida, agreed: bool = True) -> Path:
    with closing(wiring.open_referee(wiring.files_of_folder(data))) as referee:
        if agreed:
            agree(referee, "given")
        for number, partida in enumerate(partidas, 1):
            record_partida(referee, UUID(int=number), partida)
    return data


def run(*words: object) -> Any:
    return CliRunner().invoke(main, [str(one) for one in words])


def test_the_tables_have_the_columns_of_both_pages(tables: Path) -> None:
    for page, yes in PAGES.items():
        told: dict[str, list[tuple[str, ...]]] = {}
        for line in (ROOT / "docs" / "study" / page).read_text("utf-8").splitlines():
            if heading := re.match(r"### `(\w+)`", line):
                told[heading[1]] = []
            elif row := ROW.match(line):
                told[list(told)[-1]].append(row.groups())
        assert list(told) == list(TABLES)
        for name, columns in told.items():
            written = pq.read_schema(tables / f"{name}.parquet")
            assert [(one.name, str(one.type), yes * one.nullable) for one in written] == [
                column[:3] for column in columns
            ]
            assert written.metadata[b"guinote.study"] == b"1"
            if page == "index.md":
                about = [one.metadata[b"about"].decode() for one in written]
                assert about == [column[3] for column in columns]


def test_a_partida_is_told_as_it_was_played(tmp_path: Path) -> None:
    partida = played_at_random(3)
    export(club_of(tmp_path / "club", partida), tmp_path)
    (found,) = rows(tmp_path, "partidas")
    assert partida.outcome is not None
    assert found["winner"] == partida.outcome.winner
    assert (found["points_a"], found["points_b"]) == tuple(partida.outcome.totals.values())
    assert (found["rules"], found["deals"]) == ("club", len(partida._table.all_deals))
    acts = [entry.act for entry in partida._state.standing_acts]
    laid = [(one["seat"], one["card"]) for one in rows(tmp_path, "plays")]
    assert laid == [(one.seat, one.card) for one in acts if type(one).__name__ == "CardPlayed"]
    sung = [(one["seat"], one["suit"]) for one in rows(tmp_path, "cantes")]
    assert sung == [(one.seat, one.suit) for one in acts if type(one).__name__ == "CanteAnnounced"]


def test_the_score_and_the_leader_of_the_arrastre_are_those_of_the_cards(tables: Path) -> None:
    worth = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
    tricks: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for one in rows(tables, "plays"):
        tricks.setdefault((one["partida"], one["deal"], one["trick"]), []).append(one)
    whole = {(one["partida"], one["deal"]): one for one in rows(tables, "deals") if one["is_whole"]}
    scores = {(one["partida"], one["deal"], one["side"]): one for one in rows(tables, "scores")}
    assert len(whole) == 300
    for (partida, deal), told in whole.items():
        laid = [tricks[partida, deal, number] for number in range(1, 11)]
        assert told["arrastre_from"] == 5
        assert told["arrastre_leader"] == laid[4][0]["seat"]
        assert told["eldest"] == laid[0][0]["seat"]
        for side in "AB":
            taken = [one for one in laid if any(c["takes"] and c["seat"][0] == side for c in one)]
            points = sum(worth.get(card["card"][0], 0) for trick in taken for card in trick)
            assert scores[partida, deal, side]["cards"] == points
            assert scores[partida, deal, side]["ultimas"] == 10 * (laid[9] in taken)


def test_a_deal_that_other_engines_played_gives_their_tricks(tmp_path: Path) -> None:
    """A partida of ``tests/samples``, recorded card by card."""
    hand = samples()[0]["hands"][0]
    seats, token = ("A1", "B1", "A2", "B2"), {"1": "A", "10": "S", "11": "C", "12": "R"}

    def named(card: str) -> str:
        return token.get(card[:-1], card[:-1]) + card[-1]

    partida = Partida()
    partida.push(f"reparto {seats[hand['dealer']]}\npinta {named(hand['trump_card'])}")
    takers, plays = [], []
    for one in hand["events"]:
        if one["t"] == "play":
            plays.append((seats[one["seat"]], named(one["card"])))
            partida.push(" ".join(plays[-1]))
        elif one["t"] == "trick":
            takers.append(seats[one["winner"]])
    partida.push("cuenta\nconcede A")
    export(club_of(tmp_path / "club", partida), tmp_path)
    found = [one for one in rows(tmp_path, "plays") if one["deal"] == 1]
    assert [(one["seat"], one["card"]) for one in found] == plays
    assert [one["seat"] for one in found if one["takes"]] == takers


def test_a_club_is_exported_once_it_agrees_and_not_after(tmp_path: Path) -> None:
    data = club_of(tmp_path / "club", played_at_random(1), agreed=False)
    refused = run("--data", data, "export", "--parquet", tmp_path / "one")
    assert refused.exit_code == 1
    assert "no club has agreed" in refused.output
    assert not (tmp_path / "one").exists()
    assert run("--data", data, "settings", "--study-consent", "given").exit_code == 0
    done = run("--data", data, "export", "--parquet", tmp_path / "one")
    assert json.loads(done.stdout)["rows"]["partidas"] == 1
    entries = run("--data", data, "security").output
    assert '"detail": "study"' in entries or '"detail":"study"' in entries
    again = run("--data", data, "export", "--parquet", tmp_path / "one")
    assert "partidas.parquet is there already" in again.output
    assert run("--data", data, "settings", "--study-consent", "none").exit_code == 0
    assert (
        "no club has agreed" in run("--data", data, "export", "--parquet", tmp_path / "two").output
    )


def test_a_partida_that_is_played_is_in_no_table(tmp_path: Path) -> None:
    running = Partida()
    running.push("reparto B2\npinta 2O\nA1 AC  B1 5E")
    export(club_of(tmp_path / "club", running, played_at_random(2)), tmp_path)
    assert [one["partida"] for one in rows(tmp_path, "partidas")] == [1]
    assert {one["partida"] for one in rows(tmp_path, "plays")} == {1}


def test_of_an_installation_the_clubs_that_agreed_are_numbered_and_no_other_is_there(
    tmp_path: Path,
) -> None:
    folder = ClubsFolder(tmp_path / "clubs")
    folder.make_missing_folders()
    for number, name in enumerate(("una", "otra", "callada", "cerrada")):
        make_club(folder, name)
        club_of(folder.data_folder(name), played_at_random(number), agreed=name != "callada")
    folder.shut("cerrada")
    done = run("export", "--parquet", tmp_path / "tables", "--clubs", folder.path)
    assert json.loads(done.stdout)["clubs"] == 2
    assert sorted(one["club"] for one in rows(tmp_path / "tables", "partidas")) == [1, 2]


def test_two_exports_are_equal_and_name_nothing_of_the_log(tmp_path: Path) -> None:
    data = club_of(tmp_path / "club", *(played_at_random(seed) for seed in range(4)))
    export(data, tmp_path / "one")
    export(data, tmp_path / "two")
    log = [partida_id(UUID(int=number), 1) for number in range(1, 5)]
    secrets = ["person-A1", *(text for one in log for text in (str(one), one.hex))]
    for table in TABLES:
        one, two = (study_export.file_path_of(tmp_path / name, table) for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
        said = json.dumps(rows(tmp_path / "one", table)) + str(pq.read_schema(one))
        assert [secret for secret in secrets if secret in said] == []


def test_large_tables_are_written_in_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = club_of(tmp_path / "club", *(played_at_random(seed) for seed in range(4)))
    export(data, tmp_path / "one")
    monkeypatch.setattr(study_export, "GROUP", 60)
    export(data, tmp_path / "two")
    plays = pq.ParquetFile(tmp_path / "two" / "plays.parquet")
    assert plays.num_row_groups > 1
    assert rows(tmp_path / "one", "plays") == rows(tmp_path / "two", "plays")


def test_an_export_that_fails_leaves_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = club_of(tmp_path / "club", played_at_random(1))
    monkeypatch.setattr(study_export.TableWriter, "add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(data, tmp_path / "tables")
    assert list((tmp_path / "tables").iterdir()) == []


def test_without_the_library_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = club_of(tmp_path / "club")
    monkeypatch.setattr(study_export, "has_parquet_library", lambda: False)
    said = run("--data", data, "export", "--parquet", tmp_path / "tables")
    assert said.exit_code == 1
    assert "pip install 'guinote-referee[study]'" in said.output


def test_the_figures_of_the_notebook_are_those_of_its_cells(tables: Path) -> None:
    spec = importlib.util.spec_from_file_location("run_notebook", ROOT / "docs" / "run_notebook.py")
    assert spec
    assert spec.loader
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    book = runner.run(tables)
    assert runner.NOTEBOOK.read_text("utf-8") == book
    assert [
        file for file, one in runner.charts(book).items() if file.read_text("utf-8") != one
    ] == []
