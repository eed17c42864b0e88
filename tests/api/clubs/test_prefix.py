"""The prefix is what the setting says, whatever a visitor sends."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.http.access.prefix import PREFIX_VARIABLE
from api.server import wiring
from referee.system import exits
from tests.support.html import Html
from tests.support.servers.http_table import HttpTable

FORWARDED = {"X-Forwarded-Prefix": "/~mallory"}


@pytest.mark.parametrize("below", ["", "/guinote", "/a/b.c/"])
def test_the_prefix_is_that_of_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    monkeypatch.setenv("GUINOTE_PROXIES", "1")
    monkeypatch.setenv(PREFIX_VARIABLE, below)
    answer = HttpTable(tmp_path).client.get("/entrar", headers=FORWARDED)
    (home,) = Html(answer.text).values("input[name=next]", "value")[:1]
    assert home == f"{below.rstrip('/')}/"
    assert "mallory" not in answer.text


@pytest.mark.parametrize("below", ["guinote", "/..", "/a/../b", "/.", "//evil.example", "/a b"])
def test_what_is_no_path_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    monkeypatch.setenv(PREFIX_VARIABLE, below)
    with pytest.raises(SystemExit) as ended:
        wiring.app(tmp_path)
    assert ended.value.code == exits.EX_CONFIG
