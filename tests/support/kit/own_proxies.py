"""An nginx or a Caddy for tests, with the recipe of deploy/proxies."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.places import ROOT
from tests.support.waiting import LONGEST_S, wait_for

if TYPE_CHECKING:
    from api.server.certificates import Certificates

RECIPES = {"nginx": "nginx.conf", "caddy": "Caddyfile"}
NO_PROXY = "NO {}: the recipe for this proxy was not tested; install it"
NGINX = """
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
CADDY = """admin off
	auto_https disable_certs
	http_port {plain}
	https_port {secure}
	servers {{"""


def found(name: str) -> str | None:
    """The program: of the machine, or the one that dev.py has fetched."""
    on_path = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    fetched = [ROOT / ".boot" / name / "usr" / folder / name for folder in ("bin", "sbin")]
    return on_path or next((str(one) for one in fetched if one.exists()), None)


def recipe(name: str, *changes: tuple[str, str]) -> str:
    """The recipe, with what is said there of one machine changed for this one."""
    text = (ROOT / "deploy" / "proxies" / RECIPES[name]).read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


TRIES = 3


@contextmanager
def before(name: str, port: int, folder: Path, tls: Certificates) -> Iterator[tuple[int, int]]:
    """Ports of http and https of a proxy before a server on a port of this machine."""
    from tests.support.servers.served import is_taken

    folder.mkdir()
    log = folder / "stderr.txt"
    for _ in range(TRIES):  # another process may have taken a port that was free
        process, plain, secure = _start(name, port, folder, tls, log)
        try:
            wait_for(
                lambda: process.poll() is not None or (is_taken(plain) and is_taken(secure)),  # noqa: B023 - asked at once
                f"the start of {name}",
            )
            if process.poll() is None:
                yield plain, secure
                return
        finally:
            process.terminate()
            process.wait(LONGEST_S)
    raise AssertionError(log.read_text())


def _start(
    name: str, port: int, folder: Path, tls: Certificates, log: Path
) -> tuple[subprocess.Popen[bytes], int, int]:
    """A proxy that was just started, and its ports of http and https."""
    from tests.support.servers.served import free_port

    plain, secure = free_port(), free_port()
    words = {"nginx": _nginx, "caddy": _caddy}[name](port, folder, tls, plain, secure)
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with log.open("wb") as errors:
        return subprocess.Popen([str(found(name)), *words], env=env, stderr=errors), plain, secure


def _nginx(port: int, folder: Path, tls: Certificates, plain: int, secure: int) -> list[str]:
    changed = recipe(
        "nginx",
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{secure} "),
        ("127.0.0.1:8000", f"127.0.0.1:{port}"),
        ("/etc/ssl/club.example.crt", str(tls.certificate)),
        ("/etc/ssl/club.example.key", str(tls.key)),
        ("server_name club.example;", "server_name localhost 127.0.0.1;"),
    )
    (folder / "guinote.conf").write_text(changed)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(port: int, folder: Path, tls: Certificates, plain: int, secure: int) -> list[str]:
    certificate = f"\ttls {tls.certificate} {tls.key}\n"
    changed = recipe(
        "caddy",
        ("\tservers {", "\t" + CADDY.format(plain=plain, secure=secure)),
        ("127.0.0.1:8000", f"127.0.0.1:{port}"),
        ("\nclub.example {\n", "\nlocalhost, 127.0.0.1 {\n" + certificate),
    )
    (folder / "Caddyfile").write_text(changed)
    return ["run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
