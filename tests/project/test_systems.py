"""What only POSIX has is asked in one module, and without it the program can still be imported."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from referee.system import posix, windows
from tests.project.test_architecture import imported, module_of, name_of, nodes, python
from tests.support.places import ROOT

POSIX_MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "syslog"}
POSIX_NAMES = {
    "os": {
        *("fork", "register_at_fork", "fchmod", "fchown", "chown", "getppid", "getuid", "geteuid"),
        *("killpg", "setsid", "getpgid", "statvfs", "pread", "pwrite", "mkfifo", "O_CLOEXEC"),
        *("link", "symlink", "waitpid", "sysconf", "uname"),
    },
    "signal": {"SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGALRM", "pause", "alarm"},
    "socket": {"AF_UNIX", "SO_REUSEPORT", "TCP_USER_TIMEOUT", "socketpair"},
    "select": {"poll", "epoll", "POLLIN", "POLLRDHUP"},
}
OF_POSIX = ("referee/system/posix.py",)
OF_GUNICORN = tuple(
    f"api/server/{name}.py" for name in ("connections", "gunicorn_conf", "serving", "worker")
)
"""They import gunicorn, which runs on POSIX alone."""
OF_MANY_CLUBS = ("api/server/clubs/bell.py",)
"""On Windows a house is alone."""
OF_POSTGRES = ("referee/log/postgres/connections.py",)
"""On Windows a house is in files."""
IMPORT_ALL = """
import importlib, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in MISSING or name == "gunicorn":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
for name in MISSING:
    sys.modules.pop(name, None)
for name in NAMES:
    importlib.import_module(name)
from referee.system import ports
print(ports.__name__)
"""


def asked_of_posix(path: Path) -> list[str]:
    """Modules and names in a file that Windows lacks; ``os.EX_``: ``referee/system/exits.py``."""
    found = [name for name in imported(path) if name.partition(".")[0] in POSIX_MODULES]
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            is_exit = node.value.id == "os" and node.attr.startswith("EX_")
            if is_exit or node.attr in POSIX_NAMES.get(node.value.id, ()):
                found.append(f"{node.value.id}.{node.attr}")
    return found


def test_only_the_side_of_posix_asks_for_what_windows_lacks() -> None:
    allowed = {*OF_POSIX, *OF_GUNICORN, *OF_MANY_CLUBS, *OF_POSTGRES}
    asking = {
        name_of(one) for one in python("referee", "api", "projections") if asked_of_posix(one)
    }
    assert asking <= allowed, asking - allowed
    assert set(OF_POSIX) <= asking


@pytest.mark.parametrize("side", [posix, windows], ids=["posix", "windows"])
def test_both_sides_have_the_same_ports(side: object) -> None:
    def ports(one: object) -> dict[str, str]:
        found = inspect.getmembers(one, inspect.isfunction)
        return {
            name: str(inspect.signature(function))
            for name, function in found
            if not name.startswith("_") and function.__module__ == getattr(one, "__name__", "")
        }

    assert ports(side) == ports(posix)
    assert len(ports(side)) > 10
    assert hasattr(side, "ENDS")


def test_the_program_is_imported_without_the_modules_of_posix() -> None:
    left_out = {*OF_POSIX, *OF_GUNICORN}
    names = [
        module_of(one)
        for one in python("referee", "api", "projections")
        if name_of(one) not in left_out and one.stem != "__main__"
    ]
    code = f"MISSING, NAMES = {POSIX_MODULES!r}, {names!r}\n{IMPORT_ALL}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "referee.system.windows\n"), done.stderr
