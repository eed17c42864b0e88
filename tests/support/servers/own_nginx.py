"""An nginx for tests, with the configuration of docs/operating/proxies."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.places import ROOT
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from api.server.certificates import Certificates

RECIPE = ROOT / "docs" / "operating" / "proxies" / "nginx.conf"
UNPACKED = ROOT / ".boot" / "nginx" / "usr" / "sbin" / "nginx"
NO_NGINX = "NO NGINX: the recipe for a proxy was not tested; install nginx"
AROUND = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {folder}/guinote.conf;
}}
"""


def found() -> str | None:
    """The program: of the machine, or the one that dev.py has fetched."""
    on_path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    return on_path or (str(UNPACKED) if UNPACKED.exists() else None)


@contextmanager
def before(port: int, folder: Path, tls: Certificates) -> Iterator[tuple[int, int]]:
    """Ports of http and https of an nginx before a server on a port of this machine."""
    from tests.support.servers.served import free_port

    program = found()
    assert program is not None
    plain, secure = free_port(), free_port()
    recipe = RECIPE.read_text()
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{secure} "),
        ("127.0.0.1:8000", f"127.0.0.1:{port}"),
        ("/etc/ssl/club.example.crt", str(tls.certificate)),
        ("/etc/ssl/club.example.key", str(tls.key)),
        ("server_name club.example;", "server_name localhost 127.0.0.1;"),
    ):
        assert old in recipe, old
        recipe = recipe.replace(old, new)
    folder.mkdir()
    (folder / "guinote.conf").write_text(recipe)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder))
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf"])
    try:
        wait_for(lambda: (folder / "pid").read_text().strip(), "the start of nginx", OSError)
        yield plain, secure
    finally:
        process.terminate()
        process.wait(10)
