"""What a house knows of releases: what its own brought, which opened the data before, how to change."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.backups import releases
from api.backups.releases import (
    INSTALLATIONS,
    changelog_of_release,
    installation_kind,
    read_last_opening_or_none,
    record_running_release,
)
from api.http.languages import texts_of_language
from referee.release import RELEASE
from tests.support.html import Html
from tests.support.places import ROOT
from tests.support.servers.accounts import owner
from tests.support.servers.http_table import HttpTable

PAGE = "/casa/copias/version"
NOW = datetime(2026, 11, 28, tzinfo=UTC)


def test_another_release_notes_the_one_before_and_the_views_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_last_opening_or_none(tmp_path) is None
    monkeypatch.setattr(releases, "RELEASE", "0.3.0")
    record_running_release(tmp_path, {"scores": 4, "board": 2}, NOW)
    first = read_last_opening_or_none(tmp_path)
    assert first is not None
    assert (first.release, first.before, first.rebuilt) == ("0.3.0", "", ())
    monkeypatch.setattr(releases, "RELEASE", "0.4.0")
    for _ in range(2):  # a second start changes nothing
        record_running_release(tmp_path, {"scores": 5, "board": 2, "fees": 1}, NOW)
        then = read_last_opening_or_none(tmp_path)
        assert then is not None
        assert (then.release, then.before, then.rebuilt) == ("0.4.0", "0.3.0", ("scores", "fees"))
    (tmp_path / releases.OPENED).write_text("{")
    assert read_last_opening_or_none(tmp_path) is None


def test_what_a_release_brought_is_its_part_of_the_changelog() -> None:
    first = changelog_of_release("0.1.0")
    assert len(first) > 5
    assert not set(first) & set(changelog_of_release("0.2.0"))
    assert changelog_of_release("9.9.9") == changelog_of_release("Unreleased"), (
        "it is not dated yet"
    )
    marks = [
        one
        for each in (*first, *changelog_of_release("0.2.0"))
        for one in ("](", "\n")
        if one in each
    ]
    assert not marks
    packed = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"CHANGELOG.md" = "api/backups/CHANGELOG.md"' in packed


def test_the_page_says_what_this_release_brought_and_how_it_is_updated_here(
    table: HttpTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = owner(table)
    folder = table.app.extensions["backups"].folder
    monkeypatch.setattr(releases, "RELEASE", "0.2.0")
    record_running_release(folder, {"scores": 1}, NOW)
    monkeypatch.undo()
    record_running_release(folder, {"scores": 2}, NOW)
    words = texts_of_language("es")
    for kind in INSTALLATIONS:
        monkeypatch.setattr("api.backups.pages.installation_kind", lambda kind=kind: kind)
        page = Html(client.get(PAGE).text)
        assert words[f"backups.how.{kind}"] in page.text("section ol")
        assert page.count("dd") == len(INSTALLATIONS) - 1
    assert "antes la 0.2.0" in page.text("main")
    assert "estas vistas: scores" in page.text("main")
    assert page.texts("ul[lang=en] li") == list(changelog_of_release(RELEASE))
    assert table.client.get(PAGE).status_code in (302, 303, 401, 403)


def test_how_the_program_was_installed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "_OF_CONTAINERS", ())
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    assert installation_kind() == "source"
    monkeypatch.setattr(releases.sys, "prefix", "/opt/pipx/venvs/guinote")
    assert installation_kind() == "pipx"
    monkeypatch.setenv("INVOCATION_ID", "0")
    assert installation_kind() == "systemd"
    monkeypatch.setattr(releases, "_OF_CONTAINERS", ("/",))
    assert installation_kind() == "container"
