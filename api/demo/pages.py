"""The way to the demonstration: a club of its own, which a command serves beside this one."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

from flask import Blueprint, Response

from api.html.pages import page
from api.http.access import guard
from api.http.languages import LANGUAGES, language

blp = Blueprint("demo", __name__)
DEMONSTRATION_BIND: Final = "127.0.0.1:8010"
"""Where the demonstration is served, unless another address is given."""
_ASKS_FOR_S: Final = 0.3


@blp.get("/demostracion")
@guard.requires("access:manage")
def show_demo_command() -> Response:
    """The command that serves a made-up club, and the way there once it runs.

    No request of a page starts it: a web server that may start programs is worth more to an
    intruder, and a port of its own is often reachable from the server's computer alone.
    """
    lang = language()
    command = "guinote demonstration" + ("" if lang == LANGUAGES[0] else f" --lang {lang}")
    return page(
        "demo/demo.html",
        command=command,
        runs=_is_demo_up(),
        address=f"http://{DEMONSTRATION_BIND}/",
    )


def _is_demo_up() -> bool:
    """Whether something answers where the demonstration would be."""
    host, _, port = DEMONSTRATION_BIND.partition(":")
    with suppress(OSError):
        socket.create_connection((host, int(port)), _ASKS_FOR_S).close()
        return True
    return False
