"""Two computers with a data folder each, before one PostgreSQL: their accounts are the same."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from referee.access.attempts import ONE_GUESSER
from referee.access.security_log import SecurityLog
from tests.support.servers.accounts import PASSWORD, CookieJar, opened
from tests.support.servers.http_table import ENCUENTROS
from tests.support.servers.own_postgres import Server
from tests.support.servers.served import Served
from tests.support.waiting import wait_for


@pytest.fixture(scope="module")
def computers(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, Served]]:
    shared = {"GUINOTE_LOG": postgres.new_address(), "GUINOTE_PERSONS_SECRET": secrets.token_hex()}
    folder = tmp_path_factory.mktemp("computers")
    pair = (
        Served(folder / "first", None, is_forked=True, **shared),
        Served(folder / "second", None, is_forked=True, **shared),
    )
    try:
        pair[0].start()
        pair[1].start()
        yield pair
    finally:
        for one in pair:
            one.kill_all()


@pytest.fixture
def owner(computers: tuple[Served, Served]) -> CookieJar:
    """Signed in at the first with its token."""
    first, _ = computers
    jar = CookieJar()
    assert jar.ask(first, "/entrar", token=first.token)[0] == 303
    return jar


def test_an_account_of_one_is_in_and_out_at_the_other(
    computers: tuple[Served, Served], owner: CookieJar
) -> None:
    first, second = computers
    there, here = opened(owner, first, "Pilar", role="arbiter"), CookieJar()
    assert here.ask(second, "/entrar", name="pilar", password=PASSWORD)[0] == 303
    for browser in (there, here):
        assert [browser.ask(one, ENCUENTROS)[0] for one in computers] == [200, 200]
    assert owner.ask(second, ENCUENTROS)[0] == 200  # so is the session of the owner
    found = re.search(r"/casa/(\w{16})/baja", owner.ask(first, "/casa")[1])
    assert found
    assert owner.ask(first, f"/casa/{found[1]}/baja", sure="yes")[0] == 303
    for browser in (here, there):
        assert [browser.ask(one, ENCUENTROS)[0] for one in (second, first)] == [401, 401]
    again = CookieJar().ask(second, "/entrar", name="Pilar", password=PASSWORD)
    assert again[0] == 403


def test_a_link_for_a_password_made_at_one_is_good_once_at_the_other(
    computers: tuple[Served, Served], owner: CookieJar
) -> None:
    """The sign-ins of the account end at both."""
    first, second = computers
    there = opened(owner, first, "Olvido", role="arbiter")
    (holder,) = re.findall(
        r"/casa/(\w{16})/contrasena\" aria-label=\"[^\"]*: Olvido", owner.ask(first, "/casa")[1]
    )
    found = re.search(
        r"contrasena#(\w{64})", owner.ask(first, f"/casa/{holder}/contrasena", sure="yes")[1]
    )
    assert found
    form = {"link": found[1], "password": "siete bastos y una sota"}
    answers = [CookieJar().ask(one, "/contrasena", **form)[0] for one in (second, first)]
    assert answers == [303, 403]
    assert [there.ask(one, ENCUENTROS)[0] for one in computers] == [401, 401]
    again = CookieJar().ask(first, "/entrar", name="Olvido", password=form["password"])
    assert again[0] == 303


def test_a_character_that_the_database_does_not_keep_is_no_failure_of_it(
    computers: tuple[Served, Served], owner: CookieJar
) -> None:
    opened(owner, computers[0], "Blas\0", role="arbiter")
    answers = [
        CookieJar().ask(one, "/entrar", name="B\0las", password=PASSWORD) for one in computers
    ]
    assert [status for status, _ in answers] == [303, 303]


def test_a_code_made_at_one_pairs_a_tablet_once_at_the_other(
    computers: tuple[Served, Served], owner: CookieJar
) -> None:
    first, second = computers
    code, tablet = owner.offered(first, "codigos", role="arbiter"), CookieJar()
    assert tablet.ask(second, "/p", code=code)[0] == 303
    assert [tablet.ask(one, ENCUENTROS)[0] for one in computers] == [200, 200]
    assert CookieJar().ask(first, "/p", code=code)[0] == 403


def test_guesses_at_both_are_counted_together(
    computers: tuple[Served, Served], owner: CookieJar
) -> None:
    opened(owner, computers[0], "Luis", role="arbiter")

    def guess(number: int) -> int:
        at = computers[number % 2]
        return CookieJar().ask(at, "/entrar", name="Luis", password="no es esta frase")[0]

    most = ONE_GUESSER[0].number
    with ThreadPoolExecutor(8) as pool:
        assert Counter(pool.map(guess, range(4 * most))) == {403: most, 429: 3 * most}
    with closing(SecurityLog(computers[0].settings["GUINOTE_LOG"], clock=time.time)) as log:
        failed = log.latest_entries(99, kind="sign_in_failed")
        assert len([one for one in failed if one.about]) == most  # others were of no account
        assert len(log.latest_entries(99, kind="attempts_blocked")) == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_who_is_erased_at_one_is_gone_from_pages_and_answers_of_the_other_at_once(
    computers: tuple[Served, Served], owner: CookieJar, *, is_first: bool
) -> None:
    erasing, other = computers if is_first else computers[::-1]
    name, key = f"Fulano {secrets.token_hex(4)}", secrets.token_hex()
    headers = {"Authorization": f"Bearer {computers[0].token}", "Idempotency-Key": key}
    status, made = erasing.ask("POST", "/api/v1/players", {"name": name}, headers)
    assert status == 201, made
    (person,) = made["players"]
    shown = ("/api/v1/persons", "/api/v1/players", "/jugadores/", f"/jugadores/{person}")

    def showing() -> list[str]:
        return [path for path in shown if name in owner.ask(other, path)[1]]

    wait_for(lambda: showing() == list(shown), "the name everywhere")  # now it may be kept there
    assert erasing.ask("DELETE", f"/api/v1/persons/{person}", None, headers)[0] == 204
    assert showing() == []


def test_the_token_of_the_house_is_the_same_at_each_and_a_rotation_at_one_counts_at_all(
    computers: tuple[Served, Served],
) -> None:
    first, second = computers
    before = first.token
    assert not (second.folder / "owner.token").exists()
    jar = CookieJar()
    assert jar.ask(second, "/entrar", token=before)[0] == 303
    made = _token_command(second, "rotate").stdout.strip()
    assert made == (second.folder / "owner.token").read_text("ascii").strip() != before

    def bearer(token: str) -> list[int]:
        headers = {"Authorization": f"Bearer {token}"}
        return [one.ask("GET", "/api/v1/persons", None, headers)[0] for one in computers]

    assert (bearer(made), bearer(before)) == ([200, 200], [401, 401])
    assert [jar.ask(one, ENCUENTROS)[0] for one in computers] == [401, 401]
    elsewhere = _token_command(first, "show")
    assert (elsewhere.returncode, elsewhere.stdout) == (1, "")
    assert "owner.token" in elsewhere.stderr
    assert "guinote token rotate" in elsewhere.stderr
    assert _token_command(second, "show").stdout.strip() == made
    _token_command(first, "rotate")  # the other tests sign in with it
    assert bearer(first.token) == [200, 200]


def _token_command(at: Served, word: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", "--data", str(at.folder), "token", word]
    around = {**os.environ, **at.settings}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=around)
