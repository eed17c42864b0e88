"""The log of a house signed for the tests, as its notary does."""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path

from api.server import wiring
from referee.audit.notary import Notary
from referee.audit.publication import Published
from referee.log.stores import open_for_audit


def sign(folder: Path, origin: str = "club.example/mesas") -> None:
    """Sign the house of a folder that holds ``data``; the keys lie in ``keys`` beside it."""
    where = wiring.files_of_folder(folder / "data")
    with closing(Notary(folder / "keys", secrets.token_bytes, origin)) as notary:
        with closing(open_for_audit(where.log)) as log:
            notary.sign(log)
        notary.publish(Published(where.log, where.folder))
