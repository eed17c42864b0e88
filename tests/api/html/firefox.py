"""Firefox of the distribution over WebDriver BiDi, which it speaks without a driver beside it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from dev import firefox
from tests.support.driven.page import NO_FIREFOX, DrivenPage, NotDriven, ended
from tests.support.waiting import wait_for

_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PATIENCE_S = 60
_SETTINGS = {
    "intl.accept_languages": "es-ES, es",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
"""It shows no page of its own, and asks nobody but the service."""


class FirefoxPage(DrivenPage):
    """The page of a Firefox that keeps its profile in a folder."""

    def __init__(self, folder: Path) -> None:
        program = firefox()
        assert program, NO_FIREFOX
        settings = (
            f"user_pref({json.dumps(key)}, {json.dumps(value)});"
            for key, value in _SETTINGS.items()
        )
        (folder / "user.js").write_text("\n".join(settings), "utf-8")
        self._log = folder / "firefox.log"
        options = ("--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", folder)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                (program, *options, "about:blank"),
                env={"HOME": str(folder), "PATH": str(Path(shutil.which("sh") or "").parent)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._last = 0
        self._open = ExitStack()
        socket = connect(f"{self._address()}/session", proxy=None, max_size=None)
        self._socket = self._open.enter_context(socket)
        self._command("session.new", capabilities={})
        self._context = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def _address(self) -> str:
        found = wait_for(lambda: _LISTENS.search(self._log.read_text("utf-8")), "a Firefox")
        return found[1]

    def _command(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        answer: dict[str, Any] = {}
        while answer.get("id") != self._last:  # events are passed over
            answer = json.loads(self._socket.recv(_PATIENCE_S))
        if answer["type"] == "error":
            raise NotDriven(answer["message"])
        return dict(answer["result"])

    def _called(self, function: str, given: str) -> dict[str, Any]:
        found = self._command(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": given}],
            target={"context": self._context},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise NotDriven(found["exceptionDetails"]["text"])
        return dict(found["result"])

    def open(self, address: str) -> None:
        self._command(
            "browsingContext.navigate", context=self._context, url=address, wait="complete"
        )

    def said(self, function: str, given: str) -> str:
        return str(self._called(function, given)["value"])

    def tapped(self, selector: str) -> None:
        place = """(selector) => {
          const one = document.querySelector(selector);
          one.scrollIntoView({ block: "center", behavior: "instant" });
          return one;
        }"""
        origin = {
            "type": "element",
            "element": {"sharedId": self._called(place, selector)["sharedId"]},
        }
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        press = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self._act({"type": "pointer", "id": "finger", "actions": [move, *press]})

    def typed(self, selector: str, text: str) -> None:
        self._called("(selector) => document.querySelector(selector).focus()", selector)
        keys = [{"type": way, "value": one} for one in text for way in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": keys})

    def _act(self, source: dict[str, Any]) -> None:
        self._command("input.performActions", context=self._context, actions=[source])

    def close(self) -> None:
        self._open.close()
        ended(self._process)
