"""Accounts and devices over HTTP, as browsers of a test."""

from __future__ import annotations

import re
from contextlib import closing
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

PASSWORD = "caballo de copas"
OURS = {"Sec-Fetch-Site": "same-origin"}


def owner(table: HttpTable) -> Any:
    """A browser that signed in with the owner's token."""
    client = table.app.test_client()
    client.post("/entrar", data={"token": table.token})
    return client


def offered(client: Any, what: str, **form: str) -> str:
    """Secret of an invitation, or a code, as the page shows it behind the number sign."""
    answer = client.post(f"/casa/{what}", data=form, headers=OURS)
    assert answer.status_code == 200, answer.text
    found = re.search(r'href="http://localhost/(?:alta|p)#(\w+)"', answer.text)
    assert found
    return found[1]


def joined(table: HttpTable, name: str, by: Any = None, **form: str) -> Any:
    """A browser whose account was just opened with an invitation; ``by``: of the owner if of none."""
    secret = offered(by or owner(table), "invitaciones", **form)
    client = table.app.test_client()
    answer = client.post("/alta", data={"invitation": secret, "name": name, "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    return client


def paired(table: HttpTable, by: Any, **form: str) -> Any:
    """A device that was just paired with a code."""
    client = table.app.test_client()
    answer = client.post("/p", data={"code": offered(by, "codigos", **form)})
    assert answer.status_code == 303, answer.text
    return client


def holder_of(table: HttpTable, client: Any) -> str:
    """Id of the account or device that a browser is signed in as."""
    cookie = client.get_cookie("guinote")
    found = table.app.extensions["guinote"]().keys.holder_id_of_token(cookie.value)
    assert found
    return str(found)


def status(client: Any, path: str) -> int:
    """Status of a page."""
    return int(client.get(path).status_code)


class CookieJar:
    """What a browser keeps of the club; both computers have its name."""

    def __init__(self) -> None:
        self._cookies: dict[str, str] = {}

    def ask(self, at: Served, path: str, **form: str) -> tuple[int, str]:
        """Status and text of a page, or of the answer to a form."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            "Sec-Fetch-Site": "same-origin",
        }
        with closing(at.connection()) as connection:
            connection.request("POST" if form else "GET", path, urlencode(form), headers)
            answer = connection.getresponse()
            for given in answer.headers.get_all("Set-Cookie", []):
                for name, cookie in SimpleCookie(given).items():
                    self._cookies[name] = cookie.value
            return answer.status, answer.read().decode()

    def offered(self, at: Served, what: str, **form: str) -> str:
        """Secret of an invitation or a code."""
        status, text = self.ask(at, f"/casa/{what}", **form)
        found = re.search(r'href="http://[^"]*/(?:alta|p)#(\w+)"', text)
        assert status == 200, text
        assert found, text
        return found[1]


def opened(owner: CookieJar, at: Served, name: str, **form: str) -> CookieJar:
    """A browser whose account was just opened."""
    jar, invitation = CookieJar(), owner.offered(at, "invitaciones", **form)
    assert jar.ask(at, "/alta", invitation=invitation, name=name, password=PASSWORD)[0] == 303
    return jar
