"""Whom the operator names for weaknesses is in ``security.txt``, of a house and of an installation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from api.monitoring.security_contact import CONTACT_VARIABLE, PATH
from tests.support.servers.http_table import HttpTable


def test_a_stranger_reads_whom_to_tell(table: HttpTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTACT_VARIABLE, "ana@club.example, https://club.example/aviso")
    answer = table.app.test_client().get(PATH)
    assert answer.status_code == 200
    assert answer.mimetype == "text/plain"
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    assert [value for name, value in fields if name == "Contact"] == [
        "mailto:ana@club.example",
        "https://club.example/aviso",
    ]
    (expires,) = (value for name, value in fields if name == "Expires")
    left = datetime.fromisoformat(expires) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)


def test_nobody_is_named_where_the_operator_names_nobody(table: HttpTable) -> None:
    assert table.app.test_client().get(PATH).status_code == 404
