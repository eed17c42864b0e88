"""Files in the place of the views that are none: damaged, of another program, or a folder.

Such a file is set aside, since it may be somebody's. The views are made again from the log.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.log.sqlite import damage

FOLLOWED: Final = "followed"
"""Table with the position of the views: who has it, and has it so, is a file of the views."""
_POSITION: Final = f"SELECT position, mark, fingerprint FROM {FOLLOWED}"  # noqa: S608 - a literal


def damage_of(path: Path, *, wholly: bool = False) -> str:
    """Why a file cannot be that of the views, in a line; empty if it is, or is not there.

    ``wholly``: every page is read.
    """
    return damage.damage_of(path, _POSITION, wholly=wholly)
