"""Actas are worked out from the log: what somebody writes into the views never reaches a paper."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from referee.kinds import partida_id
from tests.api.cases.test_actas import disputed_partida, page
from tests.api.cases.test_cases import of
from tests.support.servers.http_table import ENCUENTROS, HttpTable


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forged")


@pytest.fixture(scope="module")
def table(folder: Path) -> Iterator[HttpTable]:
    found = HttpTable(folder)
    found.client.post("/entrar", data={"token": found.token})
    yield found
    found.close()


@pytest.fixture(scope="module")
def partida(table: HttpTable) -> str:
    return disputed_partida(table)


def said(table: HttpTable, partida: str) -> list[Any]:
    """Everything that the actas of an encuentro and of its case say."""
    papers = [table.get(f"{of(partida)}{end}").json for end in ("/acta", "/cases/1/acta")]
    return [*papers, page(table, partida, "acta"), page(table, partida, "case")]


def test_a_winner_swapped_in_the_views_changes_no_acta(
    table: HttpTable, partida: str, folder: Path
) -> None:
    match, before = table.get(of(partida)).json, said(table, partida)
    assert match["decided"] == {"winner": "A"}
    with closing(sqlite3.connect(folder / "views.sqlite", isolation_level=None)) as views:
        views.execute(
            "UPDATE encuentro SET official = replace(official, ?, ?) WHERE id = ?",
            ('"decided":{"winner":"A"}', '"decided":{"winner":"B"}', match["id"]),
        )
        views.execute("UPDATE warning SET side = 'A'")
        views.execute(
            "UPDATE case_file SET official = replace(official, ?, ?)",
            ('"stage":"closed"', '"stage":"open"'),
        )
        views.execute("DELETE FROM audit_amended")
    assert table.get(of(partida)).json["decided"] == {"winner": "B"}
    assert table.get(f"{of(partida)}/cases").json["items"][0]["stage"] == "open"
    assert said(table, partida) == before


def test_an_acta_needs_no_views_at_all(table: HttpTable, partida: str, folder: Path) -> None:
    before = said(table, partida)
    with closing(sqlite3.connect(folder / "views.sqlite", isolation_level=None)) as views:
        for name in ("encuentro", "partida", "case_file", "warning"):
            views.execute(f"DELETE FROM {name}")
    assert said(table, partida) == before


def test_the_id_of_a_partida_is_not_that_of_an_encuentro(table: HttpTable) -> None:
    match = table.encuentro()
    started = table.post(f"{match}/partidas", version=table.get(match).json["version"])
    assert started.status_code == 201
    stray = partida_id(UUID(match.split("/")[-1]), 1)
    assert table.get(f"{ENCUENTROS}/{stray}/acta").status_code == 404
    assert table.get(f"{match}/acta").status_code == 200
