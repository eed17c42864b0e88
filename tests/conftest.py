"""What every test starts from: no settings of the machine, and examples that can be repeated."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from referee.log import Address
from tests import own_postgres

for name in [name for name in os.environ if name.startswith("GUINOTE_")]:
    del os.environ[name]

# Two busy cores say nothing about a rule: no deadline anywhere. In CI the same examples each time.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def postgres() -> Iterator[own_postgres.Server]:
    """A PostgreSQL of this run alone. Where there must be one, its absence is a failure."""
    if own_postgres.found() is None:
        missing = "NO POSTGRESQL: nothing was tested of a log in it; install its server"
        if os.environ.get("CI"):
            pytest.fail(missing)
        warnings.warn(missing, pytest.PytestWarning, stacklevel=1)
        pytest.skip(missing)
    with own_postgres.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Where a log may be made, in either store."""
    if request.param == "sqlite":
        return tmp_path / "log.db"
    server: own_postgres.Server = request.getfixturevalue("postgres")
    return server.new_address()
