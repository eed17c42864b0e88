"""The lobby: what answers requests for no club, such as those of whoever watches the machine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final
from wsgiref.types import StartResponse, WSGIEnvironment

from api.monitoring.readiness import Report, disk
from api.server.clubs.folder import ClubsFolder

_ALIVE: Final = ("/livez", "/healthz")
_READY: Final = "/readyz"


class Lobby:
    """WSGI application of an installation, beside that of its clubs."""

    def __init__(self, folder: ClubsFolder) -> None:
        self._folder = folder

    def report(self) -> Report:
        """State of what all clubs share."""
        return Report(disk=disk(self._folder.path))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = environ["PATH_INFO"]
        if path in _ALIVE:
            return _reply(start_response, HTTPStatus.OK, {"status": "ok"})
        if path == _READY:
            is_ready = self.report().is_ready
            status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
            return _reply(start_response, status, {"status": "ready" if is_ready else "not ready"})
        return _reply(start_response, HTTPStatus.MISDIRECTED_REQUEST, {"status": "no club"})


def _reply(
    start_response: StartResponse, status: HTTPStatus, body: dict[str, str]
) -> Iterable[bytes]:
    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    start_response(f"{status.value} {status.phrase}", headers)
    return [json.dumps(body).encode()]
