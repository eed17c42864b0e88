"""Whether the program can run on this system. It imports nothing that Windows lacks."""

from __future__ import annotations

import os
import sys

NEEDED = (
    "guinote needs Linux or macOS. On Windows run it in WSL 2 or in a container:"
    " README.md has the commands"
)


def require_posix() -> None:
    """End with one line where the program cannot run.

    :raises SystemExit: this is Windows
    """
    if os.name == "nt":
        sys.exit(NEEDED)
