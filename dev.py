#!/usr/bin/env python3
"""One script for everything: ``python3 dev.py run``, ``test``, ``release`` and the like.

It needs python3 and pip only. It makes ``.venv`` from the hashed lock once, keeps it while lock
and project file are unchanged, and then runs. Any other word is a command of ``guinote``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV, LOCK, BOOT = ROOT / ".venv", ROOT / "requirements.lock", ROOT / ".boot"
PYTHON = VENV / "bin/python"
UV, UV_PROGRAM = "uv>=0.9,<1", BOOT / "bin" / "uv"
SITE, SITE_LOCK = BOOT / "site", ROOT / "docs" / "site" / "requirements.lock"
MKDOCS = SITE / "bin" / "mkdocs"
MAKERS = {
    "release": "release.py",
    "package": "windows/package.py",
    "library": "library/build.py",
}
OLDEST = (3, 11)
DISTRIBUTION = Path("/usr/bin", "python{}.{}".format(*sys.version_info))
NEEDED = ("-c", "import bz2, ctypes, lzma, readline, sqlite3, ssl, venv")
INSTALLED = ("chromium-headless-shell", "chromium")
BROWSERS = (*INSTALLED, "chromium-browser", "google-chrome")
FIREFOXES = ("firefox-esr", "firefox")
PROXIES = ("nginx", "caddy")
WEBKIT = ("WebKitWebDriver", "Xvfb")
COMPILER = ("clang-16", "wasm-ld-16")
PACKAGES = ("referee", "api", "projections")
MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30  # noqa: S108 - the folder made in it has a name of its own
ON_WINDOWS = (
    "dev.py is for Linux and macOS. On Windows the program runs without it: README.md says how"
)
LINTED = (*PACKAGES, "tests", "benchmarks", "deploy", "docs", "dev.py", "gunicorn.conf.py")
DECIDING = ("referee/rules", "referee/table", "referee/aggregates")
WHOLLY_COVERED = (
    "referee/rules/*,referee/table/*,referee/aggregates/partida.py,referee/aggregates/encuentro.py"
)
MEASURED = (*DECIDING, *(f"tests/{folder}" for folder in DECIDING))

QUICK: tuple[tuple[str, ...], ...] = (
    ("ruff", "check", *LINTED),
    ("ruff", "format", "--check", *LINTED),
)
BESIDE = ("mypy", "--strict", *PACKAGES)
# A process takes whole files, since a file may start a server; what is left at the end is shared.
# Python 3.11 may stumble over its own syntax trees when it shows a failure of a page's test.
SHOWN, SLOWEST = 60, 10
PYTEST = ("pytest", "-n", "4", "--dist=worksteal", "--tb=native", "--hypothesis-profile=ci")
TESTS: tuple[tuple[str, ...], ...] = (
    (*PYTEST, "--cov", "--cov-report=", *MEASURED),
    ("coverage", "report", f"--include={WHOLLY_COVERED}", "--skip-covered", "--fail-under=100"),
    (*PYTEST, *(f"--ignore={folder}" for folder in MEASURED)),
)


def call(*command: str | Path) -> None:
    """Run a command in the project's folder; end with its code if it fails."""
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT)


def interpreter() -> Path:
    """The Python to install for: that of the distribution, if this one is not optimised.

    It was compiled so by pyenv, or by hand; the same work takes it up to a fifth longer.
    """
    ours = Path(sys.executable)
    if "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS")):
        return ours
    try:
        done = subprocess.run((DISTRIBUTION, *NEEDED), check=False, stderr=subprocess.DEVNULL)
    except OSError:
        return ours
    return ours if done.returncode else DISTRIBUTION


def fingerprint(*files: Path) -> str:
    """What an environment was made from: lock, other files, and interpreter."""
    made_from = b"".join(file.read_bytes() for file in files) + bytes(interpreter().resolve())
    return hashlib.sha256(made_from).hexdigest()


def make_environment() -> None:
    """Make ``.venv`` with uv, or with pip where uv cannot be had."""
    uv = UV_PROGRAM
    try:
        if not uv.exists():
            call(sys.executable, "-m", "pip", "install", "-q", "--target", BOOT, UV)
        call(uv, "venv", "-q", "--clear", "--python", interpreter(), VENV)
        install = (uv, "pip", "install", "-q", "--python", PYTHON)
        call(*install, "--require-hashes", "-r", LOCK)
        call(*install, "--no-deps", "-e", ".")
    except (subprocess.CalledProcessError, FileNotFoundError):
        print("uv cannot be had; pip does it, more slowly", file=sys.stderr)
        call(sys.executable, "-m", "venv", "--clear", VENV)
        call(PYTHON, "-m", "pip", "install", "-q", "--require-hashes", "--no-deps", "-r", LOCK)
        call(PYTHON, "-m", "pip", "install", "-q", "--no-deps", "-e", ".")


def prepare() -> None:
    """Make the environment if there is none for this lock."""
    stamp, now = VENV / ".stamp", fingerprint(LOCK, ROOT / "pyproject.toml")
    if not stamp.exists() or stamp.read_text() != now:
        print(f"installing for {interpreter()} (once) ...", file=sys.stderr, flush=True)
        make_environment()
        stamp.write_text(now)


def prepare_site() -> None:
    """Make the environment of the documentation site if there is none for its lock."""
    stamp, now = SITE / ".stamp", fingerprint(SITE_LOCK)
    if stamp.exists() and stamp.read_text() == now:
        return
    print("installing mkdocs (once) ...", file=sys.stderr, flush=True)
    call(PYTHON, "-m", "venv", "--clear", *["--without-pip"] * UV_PROGRAM.exists(), SITE)
    python = SITE / "bin" / "python"
    by_uv = (UV_PROGRAM, "pip", "install", "--python", python)
    install = by_uv if UV_PROGRAM.exists() else (python, "-m", "pip", "install", "--no-deps")
    call(*install, "-q", "--require-hashes", "-r", SITE_LOCK)
    stamp.write_text(now)


def browser() -> str | None:
    """The Chromium of this machine."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def firefox() -> str | None:
    """The Firefox of this machine."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)


def webkit() -> tuple[str, str] | None:
    """The driver of the WebKitGTK of this machine, and a screen without a display for it."""
    driver, screen = map(shutil.which, WEBKIT)
    return (driver, screen) if driver and screen else None


def node() -> str | None:
    """The node of this machine, if npm is there too."""
    return shutil.which("npm") and shutil.which("node")


def compiler() -> str | None:
    """The clang that the engine of the analysis is built with, if its linker is there too."""
    clang, linker = map(shutil.which, COMPILER)
    return clang if linker else None


def install(name: str, found: Callable[[], str | None], *choices: tuple[str, ...]) -> None:
    """As root, install a program from the distribution: the first choice of packages there is."""
    apt = shutil.which("apt-get")
    if found() or not apt or os.geteuid() != 0:
        return
    print(f"installing {name} (once) ...", file=sys.stderr, flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = (apt, "install", "-y", "--no-install-recommends")
    for step in ((apt, "update"), *((*command, *packages) for packages in choices)):
        if not found():
            subprocess.run(step, check=False, env=env, stdout=sys.stderr)


def has_browser() -> bool:
    """Whether the tests of pages find a Chromium; root gets one from the distribution."""
    install("chromium", browser, *((package,) for package in INSTALLED))
    if browser():
        return True
    print("the tests of the pages want a browser: install", " or ".join(BROWSERS), file=sys.stderr)
    return False


def has_node() -> bool:
    """Whether the checks of JavaScript find node and npm; root gets them from the distribution."""
    install("node", node, ("nodejs", "npm"))
    if node():
        return True
    print("the checks of JavaScript want node: install node 20 and npm", file=sys.stderr)
    return False


def install_others() -> None:
    """Firefox, WebKit and clang for their tests; a machine that cannot have one goes on without."""
    install("firefox", firefox, (FIREFOXES[0],))
    install("webkit", lambda: str(webkit() or ""), ("webkit2gtk-driver", "xvfb"))
    install("clang", compiler, ("clang-16", "lld-16"))


def fetch_proxies() -> None:
    """Proxies for the tests of the recipes: unpacked beside, since installed ones would start."""
    apt, dpkg = shutil.which("apt-get"), shutil.which("dpkg")
    for name in PROXIES:
        folder = BOOT / name
        if shutil.which(name) or folder.exists() or not (apt and dpkg):
            continue
        print(f"fetching {name} (once) ...", file=sys.stderr, flush=True)
        BOOT.mkdir(exist_ok=True)  # it is not there where pip made the environment
        with tempfile.TemporaryDirectory() as here:
            subprocess.run((apt, "download", name), check=False, cwd=here, stdout=sys.stderr)
            for package in Path(here).glob(f"{name}_*.deb"):
                subprocess.run((dpkg, "-x", package, folder), check=False, stdout=sys.stderr)


def command(check: tuple[str, ...]) -> list[str]:
    """A check as it is started."""
    return [str(PYTHON), "-m", *check]


def environment() -> dict[str, str]:
    """Variables of the checks: hundreds of processes must not compile the program each."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Account:
    """What a run of the checks took: seconds of each part and test file, and the outcomes."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, float]] = []
        self.seconds: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.pages = 0

    @contextmanager
    def part(self, check: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """The words of a check, which is timed; pytest counts for itself."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            counted = Path(folder, "account.json")
            yield (*check, "--account", str(counted)) if check[0] == "pytest" else check
            if counted.exists():
                said = json.loads(counted.read_text())
                self.seconds.update(said["seconds"])
                self.outcomes.update(said["outcomes"])
                self.pages += said["pages"]
        self.parts.append((" ".join(check)[:SHOWN], time.monotonic() - began))

    def show(self) -> None:
        """The minutes of each part, the slowest files, and what passed, in the last line."""
        print("\nminutes of each part")
        for name, seconds in self.parts:
            print(f"{seconds / 60:8.1f}  {name}")
        print(f"\nseconds of the slowest files, of {sum(self.seconds.values()):.0f} in all")
        for name, seconds in self.seconds.most_common(SLOWEST):
            print(f"{seconds:8.1f}  {name}")
        passed, failed, skipped = map(self.outcomes.__getitem__, ("passed", "failed", "skipped"))
        print(f"\n{self.pages} tests opened a browser")
        print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)


def passes(check: tuple[str, ...], account: Account) -> bool:
    """Run a check and say whether it passed."""
    print("$", *check, flush=True)
    with account.part(check) as words:
        done = subprocess.run(
            command(words), cwd=ROOT, stdin=subprocess.DEVNULL, env=environment(), check=False
        )
    return reported(check, done.returncode)


def reported(check: tuple[str, ...], code: int) -> bool:
    """Say of a check that has ended if it failed."""
    if code:
        print(f"failed: {check[0]}", file=sys.stderr, flush=True)
    return code == 0


def passes_beside(
    check: tuple[str, ...], others: tuple[tuple[str, ...], ...], account: Account
) -> bool:
    """Run others up to the first that fails, and one beside them that gives way to them."""
    first = ("nice",) if shutil.which("nice") else ()
    with tempfile.TemporaryFile("w+") as output:
        beside = subprocess.Popen(
            [*first, *command(check)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment(),
        )
        try:
            passed = all(passes(other, account) for other in others)
            with account.part(("waiting for", *check)):
                code = beside.wait()
        finally:
            beside.kill()
        print("$", *check, flush=True)
        output.seek(0)
        print(output.read(), end="", flush=True)
    return reported(check, code) and passed


@contextmanager
def folders_in_memory() -> Iterator[None]:
    """Have what the tests write in memory, if it has room for it: each act flushes to the disk."""
    if not has_room_for_folders():
        yield
        return
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="tests", ignore_cleanup_errors=True) as one:
        Path(one).chmod(0o1777)  # as /tmp: PostgreSQL runs as another user
        os.environ["TMPDIR"] = one
        try:
            yield
        finally:
            del os.environ["TMPDIR"]
            if before is not None:
                os.environ["TMPDIR"] = before


def has_room_for_folders() -> bool:
    """Whether a run may write to a file system in memory, and start programs from there."""
    is_there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    can_run = is_there and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return can_run and shutil.disk_usage(MEMORY).free >= ROOM


def test(chosen: list[str]) -> int:
    """All checks: the quick ones first, types beside the tests; or pytest with what was chosen."""
    if chosen == ["--quick"]:
        return test_quickly()
    if chosen:
        return subprocess.call(command(("pytest", *chosen)), cwd=ROOT, env=environment())
    if not has_browser() or not has_node():
        return 1
    install_others()
    fetch_proxies()
    account = Account()
    with folders_in_memory():
        passed = all(passes(check, account) for check in QUICK)
        passed = passed and passes_beside(BESIDE, TESTS, account)
    account.show()
    return int(not passed)


def test_quickly() -> int:
    """The quick checks, and test files of what was changed and of what imports it."""
    account = Account()
    asked = command(("tests.quick",))
    named = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True)
    files = named.stdout.split()
    with folders_in_memory():
        passed = all(passes(check, account) for check in QUICK)
        passed = passed and (not files or passes((*PYTEST, *files), account))
    account.show()
    return int(not passed)


def show_docs(words: list[str]) -> int:
    """Build the documentation site, and serve it with ``--serve``."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.call([*command(("docs.site.build",)), MKDOCS, *words], env=env)


OURS: dict[str, Callable[[list[str]], int]] = {"test": test, "docs": show_docs}
"""Words that are no command of ``guinote`` and no script of ``deploy``."""


def main(words: list[str]) -> int:
    """Do what the words say; the exit code."""
    if sys.version_info < OLDEST:
        print("python 3.11 or newer is needed", file=sys.stderr)
        return 1
    if os.name == "nt":
        print(ON_WINDOWS, file=sys.stderr)
        return 1
    verb, *rest = words or ["run"]
    try:
        prepare()
        if verb == "docs" or words == ["test"]:
            prepare_site()
    except subprocess.CalledProcessError as failed:
        print("cannot install:", *failed.cmd, file=sys.stderr)
        return 1
    if verb in OURS:
        return OURS[verb](rest)
    if verb in MAKERS:
        return subprocess.call([PYTHON, ROOT / "deploy" / MAKERS[verb], UV_PROGRAM, *rest])
    words = ["serve", *rest] if verb == "run" else [verb, *rest]
    return os.execv(PYTHON, command(("api.cli", *words)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
