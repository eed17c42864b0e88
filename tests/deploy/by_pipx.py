"""The wheel as ``pipx`` installs it, from PyPI; ``make pipx`` runs it, outside the test command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.kit import own_wheel
from tests.support.servers.served import Served
from tests.support.waiting import wait_for


class Installed(Served):
    """``guinote`` alone, started in a folder of its own."""

    program: Path

    def spawn(self) -> None:
        """As somebody types it."""
        self.folder.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [self.program],
            cwd=self.folder.parent,
            env={**os.environ, **self.settings, "GUINOTE_BIND": f"{self.host}:{self.port}"},
            start_new_session=True,
        )


def test_pipx_installs_it_and_guinote_alone_serves_and_opens_the_browser(tmp_path: Path) -> None:
    python, places = tmp_path / "python" / "bin" / "python", {}
    for name in ("HOME", "BIN_DIR", "MAN_DIR"):
        places[f"PIPX_{name}"] = str(tmp_path / name)
    uv = str(own_wheel.uv())
    subprocess.run([uv, "venv", "-q", "--python", sys.executable, python.parent.parent], check=True)
    subprocess.run([uv, "pip", "install", "-q", "--python", python, "pipx"], check=True)
    wheel = own_wheel.built(tmp_path / "wheel")
    subprocess.run(
        [python, "-m", "pipx", "install", wheel], env={**os.environ, **places}, check=True
    )

    pages, browser = tmp_path / "pages", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {pages}\n')
    browser.chmod(0o700)
    served = Installed(tmp_path / "var", BROWSER=str(browser))
    served.program = tmp_path / "BIN_DIR" / "guinote"
    try:
        served.start()
        wait_for(pages.exists, "the browser")
        assert pages.read_text().startswith(f"http://127.0.0.1:{served.port}/alta#")
        assert (served.folder / "log.sqlite").exists()
    finally:
        served.kill_all()
