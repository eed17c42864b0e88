#!/usr/bin/env python3
"""One script for everything: ``python3 dev.py run`` and ``python3 dev.py test``.

It needs python3 and pip only. It makes ``.venv`` from the hashed lock once, keeps it while lock
and project file are unchanged, and then runs. Any other word is a command of ``guinote``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV, LOCK, BOOT = ROOT / ".venv", ROOT / "requirements.lock", ROOT / ".boot"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
UV = "uv>=0.9,<1"
OLDEST = (3, 11)
INSTALLED = ("chromium-headless-shell", "chromium")
BROWSERS = (*INSTALLED, "chromium-browser", "google-chrome")
PACKAGES = ("referee", "api", "projections")
LINTED = (*PACKAGES, "tests", "benchmarks", "docs", "dev.py", "gunicorn.conf.py")
WHOLLY_COVERED = (
    "referee/rules/*,referee/table/*,referee/encuentro/partida.py,referee/encuentro/encuentro.py"
)
COVERED_PERCENT = 88

CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check", *LINTED),
    ("ruff", "format", "--check", *LINTED),
    ("mypy", "--strict", *PACKAGES),
    # python 3.11 may stumble over its own syntax trees when it shows a failure of a page's test
    ("pytest", "-n", "2", "--cov", "--cov-report=", "--tb=native"),
    ("coverage", "report", "--skip-covered", f"--fail-under={COVERED_PERCENT}"),
    ("coverage", "report", f"--include={WHOLLY_COVERED}", "--skip-covered", "--fail-under=100"),
)


def call(*command: str | Path) -> None:
    """Run a command in the project's folder; end with its code if it fails."""
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT)


def fingerprint() -> str:
    """What the environment was made from: lock, project file and interpreter."""
    made_from = LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes() + sys.version.encode()
    return hashlib.sha256(made_from).hexdigest()


def make_environment() -> None:
    """Make ``.venv`` with uv, or with pip where uv cannot be had."""
    uv = BOOT / "bin" / "uv"
    try:
        if not uv.exists():
            call(sys.executable, "-m", "pip", "install", "-q", "--target", BOOT, UV)
        call(uv, "venv", "-q", "--clear", "--python", sys.executable, VENV)
        install = (uv, "pip", "install", "-q", "--python", PYTHON)
        call(*install, "--require-hashes", "-r", LOCK)
        call(*install, "--no-deps", "-e", ".")
    except (subprocess.CalledProcessError, FileNotFoundError):
        print("uv cannot be had; pip does it, more slowly", file=sys.stderr)
        call(sys.executable, "-m", "venv", "--clear", VENV)
        call(PYTHON, "-m", "pip", "install", "-q", "--require-hashes", "-r", LOCK)
        call(PYTHON, "-m", "pip", "install", "-q", "--no-deps", "-e", ".")


def prepare() -> None:
    """Make the environment if there is none for this lock."""
    stamp, now = VENV / ".stamp", fingerprint()
    if not stamp.exists() or stamp.read_text() != now:
        print("installing (once) ...", file=sys.stderr, flush=True)
        make_environment()
        stamp.write_text(now)


def browser() -> str | None:
    """The Chromium of this machine."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def has_browser() -> bool:
    """Whether the tests of pages find a Chromium; root gets one from the distribution."""
    apt = shutil.which("apt-get")
    if not browser() and apt and os.geteuid() == 0:
        print("installing chromium (once) ...", file=sys.stderr, flush=True)
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = (apt, "install", "-y", "--no-install-recommends")
        for step in ((apt, "update"), *((*install, package) for package in INSTALLED)):
            if not browser():
                subprocess.run(step, check=False, env=env, stdout=sys.stderr)
    if browser():
        return True
    print("the tests of the pages want a browser: install", " or ".join(BROWSERS), file=sys.stderr)
    return False


def fetch_proxy() -> None:
    """An nginx for the tests of the recipe: unpacked beside, since one installed would start."""
    apt, dpkg, folder = shutil.which("apt-get"), shutil.which("dpkg"), BOOT / "nginx"
    if shutil.which("nginx") or folder.exists() or not (apt and dpkg):
        return
    print("fetching nginx (once) ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as name:
        subprocess.run((apt, "download", "nginx"), check=False, cwd=name, stdout=sys.stderr)
        for package in Path(name).glob("nginx_*.deb"):
            subprocess.run((dpkg, "-x", package, folder), check=False, stdout=sys.stderr)


def test(chosen: list[str]) -> int:
    """All checks, up to the first that fails; or pytest alone with what was chosen."""
    if not chosen and not has_browser():
        return 1
    if not chosen:
        fetch_proxy()
    checks = (("pytest", *chosen),) if chosen else CHECKS
    for check in checks:
        print("$", *check, flush=True)
        command = [str(PYTHON), "-m", *check]
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            print(f"failed: {check[0]}", file=sys.stderr)
            return done.returncode
    return 0


def main(words: list[str]) -> int:
    """Do what the words say; the exit code."""
    if sys.version_info < OLDEST:
        print("python 3.11 or newer is needed", file=sys.stderr)
        return 1
    try:
        prepare()
    except subprocess.CalledProcessError as failed:
        print("cannot install:", *failed.cmd, file=sys.stderr)
        return 1
    verb, *rest = words or ["run"]
    if verb == "test":
        return test(rest)
    command = ["serve", *rest] if verb == "run" else [verb, *rest]
    return os.execv(PYTHON, [str(PYTHON), "-m", "api.cli", *command])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
