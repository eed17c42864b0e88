"""Guessing over HTTP: few guesses are evaluated, and nobody locks anybody else out."""

from __future__ import annotations

import http.client
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from referee.access.attempts import (
    ONE_GUESSER,
    PASSWORDS_OF_ADDRESS,
    device_pairing_attempt_subjects,
    password_attempt_subjects,
)
from tests.api.accounts.test_entering import OURS, PASSWORD, joined, offered, owner, status
from tests.api.accounts.test_second_factor import asked, set_up
from tests.api.cases.test_cases import ANA
from tests.api.results.test_results import Finished
from tests.support.guesses import use_up, use_up_strong
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table
from tests.support.servers.served import Served

CLUB, ELSEWHERE = "10.0.0.1", "10.0.0.2"
WRONG = "no es esta frase"
LIMIT = ONE_GUESSER[0].number


def tried(client: Any, name: str, password: str, address: str = CLUB) -> int:
    form = {"name": name, "password": password}
    place = {"REMOTE_ADDR": address}
    return int(client.post("/entrar", data=form, headers=OURS, environ_overrides=place).status_code)


def guessed(table: HttpTable, name: str, address: str = CLUB) -> None:
    """A stranger guesses until they have to wait."""
    stranger = table.app.test_client()
    codes = [tried(stranger, name, WRONG, address) for _ in range(LIMIT + 1)]
    assert codes == [403] * LIMIT + [429]


def test_a_stranger_at_the_same_address_stops_nobody_elses_sign_in(table: HttpTable) -> None:
    joined(table, "Pilar", role="arbiter")
    joined(table, "Luis", role="arbiter")
    guessed(table, "Luis")
    assert tried(table.app.test_client(), "Pilar", PASSWORD) == 303


def test_a_browser_that_has_signed_in_before_gets_in_while_a_stranger_guesses(
    table: HttpTable,
) -> None:
    known, new = joined(table, "Pilar", role="arbiter"), table.app.test_client()
    known.post("/salir", headers=OURS)
    guessed(table, "Pilar")
    assert tried(new, "Pilar", PASSWORD) == 429
    assert tried(new, "Pilar", PASSWORD, ELSEWHERE) == 303
    assert tried(known, "Pilar", PASSWORD) == 303


def test_a_known_browser_guesses_no_more_than_others(table: HttpTable) -> None:
    known = joined(table, "Pilar", role="arbiter")
    known.post("/salir", headers=OURS)
    codes = [tried(known, "Pilar", WRONG) for _ in range(LIMIT + 1)]
    assert codes == [403] * LIMIT + [429]
    other = joined(table, "Luis", role="arbiter")
    other.post("/salir", headers=OURS)
    codes = [tried(other, "Pilar", WRONG) for _ in range(LIMIT + 1)]
    assert codes == [403] * LIMIT + [429]  # the browser is known at its own account only


def test_the_cookie_of_a_known_browser_is_hidden_from_scripts_and_alone_opens_nothing(
    table: HttpTable,
) -> None:
    joined(table, "Pilar", role="arbiter")
    client = table.app.test_client()
    form = {"name": "Pilar", "password": PASSWORD}
    answer = client.post("/entrar", data=form, base_url="https://localhost")
    (cookie,) = [
        one
        for one in answer.headers.getlist("Set-Cookie")
        if one.startswith("__Host-guinote-known=")
    ]
    for mark in ("HttpOnly", "Secure", "SameSite=Strict", "Path=/", "Max-Age=31536000"):
        assert mark in cookie
    value = cookie.partition("=")[2].partition(";")[0]
    folder = Path(table.app.extensions["guinote"].files.folder)
    assert value.encode() not in b"".join(one.read_bytes() for one in folder.glob("access.*"))
    thief = table.app.test_client()
    thief.set_cookie("guinote-known", value)
    assert status(thief, ENCUENTROS) == 401


def test_wrong_tokens_of_an_address_have_to_wait_and_right_ones_never(table: HttpTable) -> None:
    def asked(token: str, address: str = CLUB) -> Any:
        sent = {"Authorization": f"Bearer {token}"}
        return table.app.test_client().get(
            ENCUENTROS, headers=sent, environ_overrides={"REMOTE_ADDR": address}
        )

    assert [asked("guess").status_code for _ in range(6)] == [401] * 6
    use_up_strong(table.app, CLUB)
    waits = asked("guess")
    assert waits.json["code"] == "too_many"
    assert 0 < int(waits.headers["Retry-After"]) <= 60
    assert asked("guess", ELSEWHERE).status_code == 401
    assert asked(table.token).status_code == 200
    signed_in = table.app.test_client().post(
        "/entrar", data={"token": table.token}, environ_overrides={"REMOTE_ADDR": CLUB}
    )
    assert signed_in.status_code == 303


def test_wrong_codes_of_a_stranger_stop_nobody_at_the_same_address_from_confirming(
    table: HttpTable,
) -> None:
    finished = Finished(table)
    finished.post("result/reports", {"by": ANA, "side": "A"})
    code = finished.post("result/codes", {"side": "B"}).json["code"]
    page = f"/r/{finished.where.rpartition('/')[2]}"

    def agreed(code: str) -> int:
        client = table.app.test_client()
        found = re.search(r'name="key" value="(\w+)"', client.get(page).text)
        form = {"seat": "B1", "code": code, "key": found[1] if found else "k"}
        place = {"REMOTE_ADDR": CLUB}
        return int(client.post(page, data=form, environ_overrides=place).status_code)

    stranger = [agreed("2222-2222") for _ in range(LIMIT + 1)]
    assert stranger == [409] * LIMIT + [429]
    assert agreed(code) == 303


def test_a_tablet_is_paired_while_its_address_is_over_the_limit(table: HttpTable) -> None:
    code = offered(owner(table), "codigos", role="arbiter")
    use_up(table.app, device_pairing_attempt_subjects("127.0.0.1"))
    tablet = table.app.test_client()
    assert tablet.post("/p", data={"code": "22222222"}).status_code == 429
    assert tablet.post("/p", data={"code": code}).status_code == 303


def test_who_guesses_with_their_own_phone_does_not_stop_a_new_one_beside_it(
    table: HttpTable,
) -> None:
    joined(table, "Pilar", role="arbiter")
    phones = [table.app.test_client() for _ in range(2)]
    for one in phones:  # the form gives each a cookie to be counted by
        one.get("/entrar")
    codes = [tried(phones[0], "Pilar", WRONG) for _ in range(LIMIT + 1)]
    assert codes == [403] * LIMIT + [429]
    assert tried(phones[1], "Pilar", PASSWORD) == 303


def test_an_address_with_many_wrong_passwords_still_signs_in_at_other_accounts(
    table: HttpTable,
) -> None:
    joined(table, "Pilar", role="arbiter")
    for one in range(PASSWORDS_OF_ADDRESS[0].number):
        use = password_attempt_subjects(f"member {one}", CLUB, "")
        table.app.extensions["guinote"]().attempts.book_or_refuse(use)
    assert tried(table.app.test_client(), "Nobody", WRONG) == 429
    assert tried(table.app.test_client(), "Pilar", PASSWORD) == 303


def test_a_thief_of_the_password_does_not_stop_the_second_step_of_a_known_browser(
    table: HttpTable,
) -> None:
    known = joined(table, "Pilar", role="admin")
    _, recovery = set_up(known)
    known.post("/salir", headers=OURS)
    thief = table.app.test_client()
    first = asked(thief)[1]
    for _ in range(LIMIT):
        thief.post("/entrar", data={"waiting": first, "code": "000000"})
    right = {"waiting": asked(known)[1], "code": recovery[0]}
    assert thief.post("/entrar", data=right).status_code == 429
    assert known.post("/entrar", data=right).status_code == 303


def test_a_network_of_ipv6_is_one_address(table: HttpTable) -> None:
    joined(table, "Pilar", role="arbiter")
    client = table.app.test_client()
    codes = [tried(client, "Pilar", WRONG, f"2001:db8::{one:x}") for one in range(LIMIT + 1)]
    assert codes == [403] * LIMIT + [429]
    assert tried(client, "Pilar", WRONG, "2001:db8:0:1::1") == 403
    assert tried(client, "Pilar", WRONG, f"::ffff:{ELSEWHERE}") == 403


def test_who_guesses_is_in_the_security_log_with_the_account_and_the_address(
    table: HttpTable,
) -> None:
    joined(table, "Pilar", role="arbiter")
    holder = table.app.extensions["guinote"]().keys.holder_id_by_name("Pilar")
    guessed(table, "Pilar")
    guessed(table, "Nobody", ELSEWHERE)
    found = table.app.extensions["guinote"]().security.latest_entries(2 * LIMIT + 2)
    assert Counter((one.kind, one.about, one.address) for one in found) == {
        ("sign_in_failed", holder, CLUB): LIMIT,
        ("attempts_blocked", "", CLUB): 1,
        ("sign_in_failed", "", ELSEWHERE): LIMIT,
        ("attempts_blocked", "", ELSEWHERE): 1,
    }


def entered(served: Served, password: str, cookie: str = "") -> http.client.HTTPResponse:
    """An answer to a sign-in over a connection of its own."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    if cookie:
        headers["Cookie"] = cookie
    with closing(served.connection()) as connection:
        form = urlencode({"name": "Pilar", "password": password})
        connection.request("POST", "/entrar", form, headers)
        answer = connection.getresponse()
        answer.read()
    return answer


def test_a_burst_at_two_workers_gets_no_more_passwords_evaluated_and_stops_nobody(
    tmp_path: Path,
) -> None:
    with kept_table(tmp_path / "data") as table:
        browser = joined(table, "Pilar", role="arbiter")
        cookie = f"guinote-known={browser.get_cookie('guinote-known').value}"
    served = Served(tmp_path / "data", is_forked=True)
    served.start()
    try:
        with ThreadPoolExecutor(120) as burst:
            answers = [burst.submit(entered, served, f"{WRONG} {one}") for one in range(120)]
            waits = []
            for path in ("/healthz", "/reglas", "/entrar"):
                began = time.monotonic()
                with closing(served.connection()) as connection:
                    connection.request("GET", path)
                    assert connection.getresponse().status == 200
                waits.append(time.monotonic() - began)
            known = burst.submit(entered, served, PASSWORD, cookie)
            codes = Counter(one.result().status for one in answers)
        assert codes[403] <= LIMIT
        assert set(codes) <= {403, 429, 503}
        assert known.result().status == 303
        assert max(waits) < 5
    finally:
        served.kill_all()
