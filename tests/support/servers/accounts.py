"""Accounts and devices over HTTP, as browsers of a test."""

from __future__ import annotations

import re
from typing import Any

from tests.support.servers.http_table import HttpTable

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
    found = table.app.extensions["guinote"]().keys.holder(cookie.value)
    assert found
    return str(found)


def status(client: Any, path: str) -> int:
    """Status of a page."""
    return int(client.get(path).status_code)
