"""Pages that say what failed while a store fails, and many pages of one browser."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection

from api.http.languages import texts_of_language
from tests.chaos.houses import ChaosHouse, OneComputer, TwoComputers
from tests.chaos.means.asking import read, write
from tests.chaos.strikes.disks import refused
from tests.support.kit.replicated import await_standby
from tests.support.servers.served import Served
from tests.support.waiting import wait_for

_OPEN = ("/", "/entrar", "/nada", "/r/{}", "/temporadas/", "/sala/")
_ASKED = (*((path, False) for path in _OPEN), *((path, True) for path in (*_OPEN, "/e/{}")))
_SAID = {HTTPStatus.NOT_FOUND: "not_found", HTTPStatus.SERVICE_UNAVAILABLE: "unavailable"}
_BOARDS, _CONNECTIONS = 20, 6
"""Boards that one browser watches, and how many connections it opens to a computer."""
_DEAL = {"acts": [{"kind": "deal", "dealer": "B2"}]}


def pages_without_postgresql(house: TwoComputers) -> str:
    """PostgreSQL is gone: pages that say so are drawn without it; then it is back."""
    house.server.kill()
    try:
        seen = sum((_pages(house, one) for one in house.computers), Counter[int]())
    finally:
        house.server.start()
        await_standby(house.server)
    return _in_words(seen)


def pages_of_a_failing_disk(house: OneComputer) -> str:
    """Each access to a store is an error: pages come from what was read before, or say so."""
    house.libc.tell(fails=True)
    try:
        refused(house, "503")
        seen = _pages(house, house.computer)
    finally:
        house.libc.tell()
    return _in_words(seen)


def many_boards(house: ChaosHouse) -> str:
    """One browser watches 20 boards by one stream: each change comes, and another page at once."""
    first, last = house.computers[0], house.computers[-1]
    tables = [_open_table(last) for _ in range(_BOARDS)]
    wait_for(lambda: all(_is_shown(first, table) for table in tables), "each board")
    watched = "&".join(f"of=encuentros/{table}" for table in tables)
    with _listening(first, f"/api/v1/public/changes?{watched}") as came:
        wait_for(lambda: all(table in came() for table in tables), "the tag of each board")
        told = len(came())
        for table in tables:
            write(last, f"/api/v1/encuentros/{table}/partidas/1/acts", _DEAL, 0)
        wait_for(lambda: all(table in came()[told:] for table in tables), "each change")
        longest = _longest_of_pages(first, [f"/mesa/{table}" for table in tables])
    return (
        f"{_BOARDS} boards by one stream, {_BOARDS + 1} pages beside it in {longest:.2f} s at most"
    )


def _pages(house: ChaosHouse, computer: Served) -> Counter[int]:
    """How many pages have which status; each that says a fault says it in words."""
    seen = Counter[int]()
    table = str(house.writers[0].encuentro)
    for path, is_owner in _ASKED:
        status, text = read(computer, path.format(table), is_owner=is_owner)
        seen[status] += 1
        said = _SAID.get(HTTPStatus(status))
        assert said or status < HTTPStatus.BAD_REQUEST, (path, status, text)
        assert "Traceback" not in text, (path, text)
        assert said is None or texts_of_language("es")[f"problem.{said}"] in text, (
            path,
            status,
            text,
        )
    assert seen[HTTPStatus.SERVICE_UNAVAILABLE], "no page said that a store fails"
    return seen


def _in_words(seen: Counter[int]) -> str:
    return f"pages {', '.join(f'{number} x {status}' for status, number in sorted(seen.items()))}"


def _open_table(computer: Served) -> str:
    """Id of a new encuentro whose first partida has begun."""
    opened = write(computer, "/api/v1/encuentros", {"profile": {"id": "club"}, "players": 4})
    write(computer, f"/api/v1/encuentros/{opened['id']}/partidas", None, opened["version"])
    return str(opened["id"])


def _is_shown(computer: Served, table: str) -> bool:
    return read(computer, f"/api/v1/public/encuentros/{table}").status == HTTPStatus.OK


@contextmanager
def _listening(computer: Served, path: str) -> Iterator[Callable[[], str]]:
    """What came by a stream so far, as a function; it is hung up at the end."""
    chunks: list[bytes] = []
    with closing(computer.connection()) as connection:
        connection.timeout = 60
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == HTTPStatus.OK, (answer.status, answer.read())

        def listen() -> None:
            try:
                while chunk := answer.read1():
                    chunks.append(chunk)
            except (OSError, ValueError, AttributeError):
                pass  # hung up

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        yield lambda: b"".join(chunks).decode()


def _longest_of_pages(computer: Served, paths: list[str]) -> float:
    """Seconds of the slowest page, by the connections that a browser has left beside a stream."""
    left: list[HTTPConnection] = [computer.connection() for _ in range(_CONNECTIONS - 1)]
    longest = 0.0
    for number, path in enumerate([*paths, "/reglas"]):
        connection, began = left[number % len(left)], time.monotonic()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == HTTPStatus.OK, (path, answer.status)
        longest = max(longest, time.monotonic() - began)
    for one in left:
        one.close()
    return longest
