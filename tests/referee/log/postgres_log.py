"""A log in PostgreSQL for a test, and a superuser of its server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from referee.log.postgres.recorder import PostgresLogRecorder, open_log
from referee.log.stores import create_tables
from tests.support.servers.own_postgres import Server

STREAM = UUID("6f1c2a54-0d7a-4a51-9a0a-4b7f5c1f3e11")


@pytest.fixture
def address(postgres: Server) -> str:
    """A log whose tables are there."""
    made = postgres.new_address()
    create_tables(made)
    return made


@pytest.fixture
def log(address: str) -> Iterator[PostgresLogRecorder]:
    with closing(open_log(address)) as opened:
        yield opened


@pytest.fixture
def admin(postgres: Server) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.address(), autocommit=True) as c:
        yield c


def rows(*versions: int, stream: UUID = STREAM) -> list[StoredEvent]:
    return [StoredEvent(stream, version, "TimeCalled.1", b"{}") for version in versions]
