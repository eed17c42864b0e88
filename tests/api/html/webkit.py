"""WebKitGTK of the distribution over WebDriver, with a screen of its own."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from dev import webkit
from tests.support.driven.page import NO_WEBKIT, DrivenPage, NotDriven, ended
from tests.support.servers.served import free_port
from tests.support.waiting import wait_for

_PATIENCE_S = 60
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

_TO_THE_MIDDLE = """(selector) =>
  document.querySelector(selector)?.scrollIntoView({ block: "center", behavior: "instant" })"""
"""The driver does not wait for the end of a smooth scroll."""


class WebKitPage(DrivenPage):
    """The page of a MiniBrowser, whose files are in a folder."""

    def __init__(self, folder: Path) -> None:
        programs = webkit()
        assert programs, NO_WEBKIT
        driver, screen = programs
        here, there = os.pipe()
        try:
            self._screen = subprocess.Popen(
                (
                    screen,
                    "-displayfd",
                    str(there),
                    "-screen",
                    "0",
                    "1280x1024x24",
                    "-nolisten",
                    "tcp",
                ),
                pass_fds=(there,),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(there)
        with os.fdopen(here) as display:
            number = display.readline().strip()
        self._port = free_port()
        self._process = subprocess.Popen(
            (driver, f"--port={self._port}"),
            env={**os.environ, "DISPLAY": f":{number}", "HOME": str(folder), "GDK_BACKEND": "x11"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._session = ""
        wait_for(lambda: self._command("GET", "/status")["ready"], "a WebKit", OSError)
        self._session = (
            f"/session/{self._command('POST', '/session', capabilities={})['sessionId']}"
        )

    def _command(self, method: str, path: str, **params: Any) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_PATIENCE_S)
        body = json.dumps(params) if method == "POST" else None
        connection.request(
            method, f"{self._session}{path}", body, {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        value = json.loads(answer.read())["value"]
        connection.close()
        if answer.status != http.HTTPStatus.OK:
            raise NotDriven(value["error"], value["message"])
        return value

    def open(self, address: str) -> None:
        self._command("POST", "/url", url=address)

    def said(self, function: str, given: str) -> str:
        script = f"return ({function})(arguments[0])"
        return str(self._command("POST", "/execute/sync", script=script, args=[given]))

    def _element(self, selector: str) -> str:
        found = self._command("POST", "/element", using="css selector", value=selector)
        return f"/element/{found[_ELEMENT]}"

    def tapped(self, selector: str) -> None:
        self.said(_TO_THE_MIDDLE, selector)
        self._command("POST", f"{self._element(selector)}/click")

    def typed(self, selector: str, text: str) -> None:
        self._command("POST", f"{self._element(selector)}/value", text=text)

    def close(self) -> None:
        for process in (self._process, self._screen):
            ended(process)
