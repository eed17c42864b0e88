"""The notary beside the server: signs the log again and again, unless it is told not to.

A house where nobody starts it has proofs all the same. Where the keys shall not be readable for the
server, it is a process of its own, and the server is started with ``--no-notary``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from api.server.attached import AttachedProcess

NOTARY_VARIABLE: Final = "GUINOTE_NOTARY"
SIGNING_VARIABLE: Final = "GUINOTE_SIGNING"
DEFAULT_NOTARY: Final = "notary"
EVERY_S: Final = 20


def is_signing() -> bool:
    """Whether the server starts the notary: ``guinote serve`` says so, gunicorn alone does not."""
    return os.environ.get(SIGNING_VARIABLE) == "on"


def keys_of(data: Path, usual: Path) -> Path:
    """Folder of the notary of a data folder; beside it, if it is not the usual one."""
    if said := os.environ.get(NOTARY_VARIABLE):
        return Path(said)
    there = data.resolve()
    is_usual = there == usual.resolve()
    return Path(DEFAULT_NOTARY) if is_usual else there.with_name(f"{there.name}-notary")


def notary_process() -> AttachedProcess:
    """Its process; the environment names the data folder and the folder of keys."""
    words = ("notary", "--every", str(EVERY_S), "--attached")
    return AttachedProcess(is_signing, "api.cli", *words)
