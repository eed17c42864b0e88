"""Cookies of those who signed in with a form."""

from __future__ import annotations

import http.client
from urllib.parse import urlencode

from tests.support.servers.served import Served


def cookie_of(served: Served) -> str:
    """Cookie of the owner, who signed in."""
    return cookie_given(served, "/entrar", {"token": served.token})


def cookie_given(served: Served, path: str, form: dict[str, str]) -> str:
    """Cookie of whoever sent a form that lets them in: ``"name=value"``."""
    asked = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    asked.request("POST", served.prefix + path, urlencode(form), headers)
    answer = asked.getresponse()
    answer.read()
    assert answer.status == 303, answer.status
    given = answer.headers.get_all("Set-Cookie") or []
    return "; ".join(one.partition(";")[0] for one in given)
