"""Common set-up of the tests: no settings of the machine, and repeatable examples."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import dev
from tests.support import javascript
from tests.support.driven.page import NO_FIREFOX, NO_WEBKIT
from tests.support.kit import own_network, own_proxies, own_systemd, own_wheel
from tests.support.servers import own_postgres
from tests.support.servers.long_runs import LONGER, RUNS

IN_BROWSER = "tests.support.browser.in_browser"
collect_ignore = ["clients"]  # what is there needs a client that a test generates
# A fixture imports what it needs, so that a test of cards does not load Flask and a browser.
if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from referee.log.ports import Address
    from tests.support.proofs.signed_log import SignedLog
    from tests.support.servers.http_table import HttpTable
    from tests.support.servers.served import Served

for name in [name for name in os.environ if name.startswith("GUINOTE_")]:
    if name != LONGER:
        del os.environ[name]

# The tests start hundreds of processes, each of which would compile the program again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No deadlines, since time on a busy machine says nothing about a rule. CI and the whole command use
# fixed examples.
EXAMPLES = 34 * RUNS
"""Examples of a test that names no number of its own."""
settings.register_profile("dev", deadline=None, max_examples=EXAMPLES)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


class Account:
    """Seconds of each test file and outcomes of all, written at the end of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.pages = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test; with several processes the first one hears of all."""
        self.seconds[report.nodeid.partition("::")[0]] += report.duration
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] += 1
        if report.when == "call":
            self.pages += "page" in report.keywords

    def pytest_sessionfinish(self) -> None:
        """Write it down."""
        said = {"seconds": self.seconds, "outcomes": self.outcomes, "pages": self.pages}
        self.path.write_text(json.dumps(said))


def pytest_configure(config: pytest.Config) -> None:
    """The account of a run is kept by its first process."""
    if config.option.account and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Account(Path(config.option.account)))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options with which what the tests record is written again."""
    parser.addoption(
        "--renew-pictures", action="store_true", help="write pictures of the manual that grew old"
    )
    parser.addoption(
        "--renew-examples", action="store_true", help="write the examples of the API's document"
    )
    parser.addoption("--account", help="a file for the outcome and the seconds of each test file")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser: by the fixture, or because it starts one of its own."""
    for item in items:
        if isinstance(item, pytest.Function) and (
            "browser" in item.fixturenames or _starts_a_browser(item)
        ):
            item.add_marker("page")


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> None:
    """Hashes that take no tenth of a second each: these were an eighth of the tests' own work."""
    from tests.support.servers.passwords import hash_cheaply

    hash_cheaply()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect one process first, which compiles all modules, and the others together after it.

    All at once, each process of a fresh clone would compile nearly all of them. Meanwhile nobody looks for
    garbage; later seldom, and not among what all tests share: that took a tenth of some files.
    """
    with Path(__file__).open("rb") as turn:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(turn, fcntl.LOCK_SH)
        gc.disable()
        try:
            return (yield)
        finally:
            gc.collect()
            gc.freeze()
            gc.set_threshold(20_000)
            gc.enable()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> javascript.ModuleTests | None:
    """Tests of a module of the pages lie beside those of its room."""
    if file_path.name.endswith(".test.mjs"):
        return javascript.ModuleTests.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Remove settings that a test left in the environment; later servers would inherit them."""
    left = [name for name in os.environ if name.startswith("GUINOTE_") and name != LONGER]
    assert not left, f"left in the environment: {left}"


def _starts_a_browser(item: pytest.Function) -> bool:
    names = item.function.__code__.co_names
    called = (getattr(item.module, name, None) for name in names)
    return any(getattr(one, "__module__", "") == IN_BROWSER for one in called)


NO_POSTGRES = "NO POSTGRESQL: nothing was tested of a log in it; install its server"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the parts that were not tested, for want of a server."""
    if own_postgres.found() is None:
        terminalreporter.section(NO_POSTGRES, sep="!", red=True)
    for name in own_proxies.RECIPES:
        if own_proxies.found(name) is None:
            missing = own_proxies.NO_PROXY.format(name.upper())
            terminalreporter.section(missing, sep="!", red=True)
    if own_wheel.uv() is None:
        terminalreporter.section(own_wheel.NO_UV, sep="!", red=True)
    if not own_systemd.may_boot():
        terminalreporter.section(own_systemd.NO_SYSTEMD, sep="!", red=True)
    if not own_network.may_have():
        terminalreporter.section(own_network.NO_NETWORK, sep="!", red=True)
    for name, is_there in ((NO_FIREFOX, dev.firefox()), (NO_WEBKIT, dev.webkit())):
        if not is_there:
            terminalreporter.section(name, sep="!", red=True)
    if not javascript.found():
        terminalreporter.section(javascript.NO_NODE, sep="!", red=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[own_postgres.Server]:
    """A PostgreSQL of this run alone. Where there must be one, its absence is a failure."""
    if own_postgres.found() is None:
        if os.environ.get("CI"):
            pytest.fail(NO_POSTGRES)
        pytest.skip(NO_POSTGRES)
    with own_postgres.running() as server:
        yield server


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    if own_wheel.uv() is None:
        pytest.skip(own_wheel.NO_UV)
    return own_wheel.built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Where a log may be made, in either store."""
    if request.param == "sqlite":
        return tmp_path / "log.db"
    server: own_postgres.Server = request.getfixturevalue("postgres")
    return server.new_address()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[HttpTable]:
    """A club over HTTP, in the folder of the test."""
    from tests.support.servers.kept_apps import kept_table

    with kept_table(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def shared_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club over HTTP for all tests of a file."""
    from tests.support.servers.kept_apps import kept_table

    with kept_table(tmp_path_factory.mktemp("shared")) as found:
        yield found


@pytest.fixture(scope="session")
def _one_browser() -> Iterator[Browser]:
    from tests.support.browser.in_browser import running

    with running() as started:
        yield started


@pytest.fixture(scope="module")
def browser(_one_browser: Browser) -> Iterator[Browser]:
    """One browser for all test files; what a file opened is closed after it."""
    yield _one_browser
    for context in _one_browser.contexts:
        context.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A gunicorn with a store that is empty at the start of each test file."""
    from tests.support.browser.pages import site

    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SignedLog]:
    """A data folder with an unaltered log."""
    from tests.support.proofs.signed_log import signed_log

    signed = signed_log(tmp_path_factory.mktemp("honest"))
    yield signed
    signed.close()


@pytest.fixture
def copy(honest: SignedLog, tmp_path: Path) -> Path:
    """A copy of its log, to be attacked."""
    return Path(shutil.copy(honest.log, tmp_path / "log.sqlite"))
